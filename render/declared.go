package render

// declaredDiffers says what a study declares and its data contradict.
func (g *guide) declaredDiffers(what string, args Args) string {
	switch what {
	case "concurrency":
		return g.t("finding.declared-differs.concurrency", args)
	case "prompts":
		return g.t("finding.declared-differs.prompts", args)
	case "completed":
		return g.t("finding.declared-differs.completed", args)
	case "input_tokens":
		return g.t("finding.declared-differs.input-tokens", args)
	case "output_tokens":
		return g.t("finding.declared-differs.output-tokens", args)
	case "gpus":
		return g.t("finding.declared-differs.gpus", args)
	}
	return g.t("finding.declared-differs", args)
}
