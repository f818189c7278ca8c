package parse

import "strings"

// Tables drawn with bars or boxes: GuideLLM, AIPerf, GenAI-Perf, EvalScope, AISBench
// and llama-bench print their results so.

// bars are what separates cells.
const bars = "|│┃║"

// isRuled reports whether a cleaned line draws a part of a table and holds no text.
func isRuled(s string) bool {
	return s != "" && strings.Trim(s, " |│┃║+-=─━┄┅═┏┓┗┛┡┩└┘├┤╭╮╰╯╒╕╘╛╞╡┌┐┳┻┴┬╇╈┼╪╤╧╔╗╚╝╠╣╬╦╩╟╢╫:") == ""
}

// rawCells splits a cleaned line at its bars and keeps the blanks: a cell without any
// is one that was merged with its left neighbour. It returns nil where there is no bar.
func rawCells(s string) []string {
	if !strings.ContainsAny(s, bars) {
		return nil
	}
	var cells []string
	begin := 0
	for i, r := range s {
		if strings.ContainsRune(bars, r) {
			if i > 0 {
				cells = append(cells, s[begin:i])
			}
			begin = i + len(string(r))
		}
	}
	if begin < len(s) {
		cells = append(cells, s[begin:])
	}
	return cells
}

// cellsOf returns the trimmed cells of a cleaned line, or nil where there is no bar.
func cellsOf(s string) []string {
	cells := rawCells(s)
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return cells
}
