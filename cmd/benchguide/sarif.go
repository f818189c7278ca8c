package main

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"

	"benchguide/render"
)

// The parts of SARIF 2.1.0 that code review tools read. Names are the standard's.
type sarifLog struct {
	Version string     `json:"version"`
	Schema  string     `json:"$schema"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID string `json:"id"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`

	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
}

// sarifSuppression says that a result was looked at and may stand.
type sarifSuppression struct {
	Kind          string `json:"kind"`
	Justification string `json:"justification"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
}

// writeSARIF prints findings for code review.
func writeSARIF(w io.Writer, findings []render.Finding) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "benchguide", Rules: []sarifRule{}}}, Results: []sarifResult{}}
	for _, f := range findings {
		if !slices.Contains(run.Tool.Driver.Rules, sarifRule{f.Code}) {
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{f.Code})
		}
		run.Results = append(run.Results, sarifOf(f))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{Version: "2.1.0", Schema: "https://json.schemastore.org/sarif-2.1.0.json", Runs: []sarifRun{run}})
}

func sarifOf(f render.Finding) sarifResult {
	level := map[render.Severity]string{render.SeverityError: "error", render.SeverityCaution: "warning", render.SeverityNote: "note"}[f.Severity]
	out := sarifResult{RuleID: f.Code, Level: level, Message: sarifText{f.Message}}
	if f.Accepted != "" {
		out.Suppressions = []sarifSuppression{{"external", f.Accepted}} // external: it stands in study.yaml
	}
	if f.File == "" {
		return out
	}
	place := sarifPhysical{Artifact: sarifArtifact{(&url.URL{Path: filepath.ToSlash(f.File)}).EscapedPath()}}
	if f.Line > 0 {
		place.Region = &sarifRegion{f.Line, f.Column}
	}
	out.Locations = []sarifLocation{{place}}
	return out
}
