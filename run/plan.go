package run

import (
	"fmt"
	"strconv"
	"strings"

	"benchguide/analyze/stat"
	"benchguide/study"
)

// Plan is how a study is carried out, with every default filled in.
type Plan struct {
	Seed     int
	Points   []int   // after how many blocks a stage is looked at, rising; the last one decides
	Confirm  int     // blocks that confirm what a stage adopted
	Screen   float64 // the fraction by which a candidate may be worse after screenBlocks
	Ablation bool
}

// What a run does where the study does not say otherwise. The looks are those of the
// rule that judges: looking at other times would need other thresholds.
const (
	defaultConfirm = 3
	defaultScreen  = "10%"
	screenBlocks   = 2
	ablationBlocks = 3
)

// PlanOf fills in what a study's plan leaves out.
func PlanOf(s *study.Study) (Plan, error) {
	given := study.RunPlan{}
	if s.Run != nil {
		given = *s.Run
	}
	p := Plan{Seed: given.Seed, Confirm: defaultConfirm, Ablation: given.Ablation}
	if given.Confirm != nil {
		p.Confirm = *given.Confirm
	}
	if given.Blocks < 0 || p.Confirm < 0 {
		return p, fmt.Errorf("run: blocks and confirm cannot be negative")
	}
	p.Points = points(given.Blocks)
	// A percentage, and not a fraction: 0.1 would read as a tenth of a per cent to some.
	screen := given.Screen
	if screen == "" {
		screen = defaultScreen
	}
	digits, ok := strings.CutSuffix(screen, "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if !ok || err != nil || !(percent > 0 && percent < 100) {
		return p, fmt.Errorf("run: screen %q is no percentage; write one such as %q", screen, defaultScreen)
	}
	p.Screen = percent / 100
	return p, nil
}

// points are the looks of the rule within so many blocks, and the last block itself
// where the rule would look later only: a run that ends there has to decide there.
func points(blocks int) []int {
	// The rule is asked, and not repeated here: its looks are the only ones whose errors
	// were computed, and a run that looked elsewhere would decide by nobody's rule.
	looks := stat.DefaultRule().Looks
	last := looks[len(looks)-1].Blocks
	if blocks == 0 || blocks > last {
		blocks = last
	}
	var list []int
	for _, l := range looks {
		if l.Blocks <= blocks {
			list = append(list, l.Blocks)
		}
	}
	if len(list) == 0 || list[len(list)-1] < blocks {
		list = append(list, blocks)
	}
	return list
}
