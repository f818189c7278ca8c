package analyze

// accept marks the findings that the author lets stand. Errors cannot be accepted; an
// entry that fits no finding is one itself, so that a reason does not outlive what it
// was given for.
func (a *analysis) accept() {
	for i, entry := range a.study.Accept {
		used := false
		for k := range a.report.Findings {
			f := &a.report.Findings[k]
			if f.Code != entry.Code || f.Severity == SeverityError || !a.isAbout(*f, entry.Subject) {
				continue
			}
			reason := entry.Reason
			f.Accepted, used = &reason, true
		}
		if !used {
			line, _ := a.folder.At("accept", i)
			a.find(Finding{Code: CodeAcceptUnused, Severity: SeverityCaution, Subject: entry.Code, File: "study.yaml", Line: line,
				Names: map[string]string{"Code": entry.Code, "Subject": entry.Subject}})
		}
	}
}

// isAbout reports whether a finding is about a subject, or about any if none is given. What
// is said once for a workload has that as its subject, and each of its trials.
func (a *analysis) isAbout(f Finding, subject string) bool {
	return subject == "" || subject == f.Subject || f.Code == CodeFewPrompts && subject == a.workloadOf(f)
}
