package render

// incomplete says why two sides cannot be compared of which one did not complete its
// requests, with the numbers that are printed.
func (g *guide) incomplete(facts map[string]string, args Args) string {
	_, counted := facts["Completed"]
	_, failed := facts["Failed"]
	switch {
	case !counted:
		return g.t("finding.not-comparable.uncounted", args)
	case failed:
		return g.t("finding.not-comparable.failed", args)
	}
	return g.t("finding.not-comparable.incomplete", args)
}
