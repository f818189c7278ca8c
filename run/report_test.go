package run_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/analyze"
	"benchguide/run"
	"benchguide/study/studytest"
)

// TestAReportTakesNoOpenStageForDecided: wherever a run is stopped, its page says of the
// stage under way what the run would say, and adopts what the run has adopted.
func TestAReportTakesNoOpenStageForDecided(t *testing.T) {
	t.Parallel()
	s := newSim(t, two())
	s.gain = gains()
	seen := map[string]bool{}
	for {
		step := s.next()
		if _, shown := s.folder.Current(); shown {
			report := run.Report(s.folder)
			require.False(t, report.Failed(), "%v", report.Findings)
			require.Equal(t, step.FinalOf, report.Final.Ref, "after %v", s.made)
			if step.Start == nil || step.Start.Phase != "" {
				require.Nil(t, report.Open, "after %v", s.made)
			} else {
				require.NotNil(t, report.Open, "after %v", s.made)
				require.Equal(t, step.Start.Stage, report.Open.Stage)
				blocks, _ := report.Facts.Get(report.Open.Blocks)
				require.Equal(t, float64(step.Counted), blocks.Value)
				next, _ := report.Facts.Get(report.Open.Next)
				require.Equal(t, map[bool]float64{true: 3, false: 6}[step.Counted < 3], next.Value)
				require.Equal(t, step.Counted >= 3, report.Open.Looked != "" && report.Open.Tested, "after %v", s.made)
				most, _ := report.Facts.Get(report.Open.Most)
				require.Equal(t, 6.0, most.Value)
			}
			for _, st := range report.Stages {
				open := report.Open != nil && report.Open.Stage == st.ID
				require.Equal(t, open, st.Open)
				for _, c := range st.Candidates {
					require.Equal(t, open && c.VersusIncumbent != nil, c.Verdict == analyze.Undecided, "%s after %v", c.Ref, s.made)
				}
				seen[st.ID] = seen[st.ID] || open
			}
		}
		if step.Start == nil {
			break
		}
		s.do(*step.Start)
		made := s.folder.Runs[0].Starts
		made[len(made)-1].Attempt.Nonce = "of a run of its own"
	}
	require.Equal(t, map[string]bool{"one": true, "next": true}, seen, "both were open for some time")
}

// TestALookThatCouldNotTestIsNotTakenForOneThatDid: of a single candidate the first look
// has too few starts, and the page must not say that it found the two alike.
func TestALookThatCouldNotTestIsNotTakenForOneThatDid(t *testing.T) {
	t.Parallel()
	s := newSim(t, studytest.Plan{Stages: []studytest.Stage{{ID: "one", Candidates: []studytest.Candidate{{ID: "fast", YAML: "add: --fast"}}}}})
	s.gain = gains()
	var looked []float64
	for step := s.next(); step.Start != nil && step.Start.Phase == ""; step = s.next() {
		if _, shown := s.folder.Current(); shown {
			open := run.Report(s.folder).Open
			fact, _ := run.Report(s.folder).Facts.Get(open.Looked)
			looked = append(looked, fact.Value)
			require.False(t, open.Tested, "after %v", s.made)
			require.Equal(t, step.Looked, int(fact.Value))
		}
		s.do(*step.Start)
		made := s.folder.Runs[0].Starts
		made[len(made)-1].Attempt.Nonce = "of a run of its own"
	}
	require.Equal(t, []float64{0, 0, 0, 0, 3, 3, 3, 3, 3, 3}, looked[len(looked)-10:])
}

// TestWhatSomebodyElseMeasuredIsDecided: one start a side of an imported guide is all that
// there will ever be, and so are results that lie there without a run of ours.
func TestWhatSomebodyElseMeasuredIsDecided(t *testing.T) {
	t.Parallel()
	b := studytest.Fleet("fast").Blocks(2, studytest.Noisy(studytest.Gains()))
	s := newSim(t, b.Plan)
	s.blocks = b
	s.load()
	report := run.Report(s.folder)
	require.Nil(t, report.Open)
	require.Equal(t, analyze.Study(s.folder).Stages, report.Stages)
	for i := range s.folder.Runs[0].Starts {
		s.folder.Runs[0].Starts[i].Attempt.Nonce = "of a run of its own"
	}
	require.NotNil(t, run.Report(s.folder).Open, "the same starts, of a run that goes on")
}
