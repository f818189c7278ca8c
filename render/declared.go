package render

import "benchguide/analyze"

// declaredDiffers says what a study declares and its data contradict.
func (g *guide) declaredDiffers(what string, args Args) string {
	switch what {
	case analyze.DeclaredConcurrency:
		return g.t("finding.declared-differs.concurrency", args)
	case analyze.DeclaredPrompts:
		return g.t("finding.declared-differs.prompts", args)
	case analyze.DeclaredCompleted:
		return g.t("finding.declared-differs.completed", args)
	case analyze.DeclaredInput:
		return g.t("finding.declared-differs.input-tokens", args)
	case analyze.DeclaredOutput:
		return g.t("finding.declared-differs.output-tokens", args)
	case analyze.DeclaredGPUs:
		return g.t("finding.declared-differs.gpus", args)
	}
	return g.t("finding.declared-differs", args)
}
