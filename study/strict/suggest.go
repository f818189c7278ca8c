package strict

import (
	"strconv"
	"strings"
)

// Closest returns the candidate that a writer most likely meant by name, or ""
// when none is near: at most a third of its letters may differ.
func Closest(name string, candidates []string) string {
	best, bestDistance := "", 1+max(1, len(name)/3)
	for _, candidate := range candidates {
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour to get from a to b (optimal string alignment). A swap counts once
// since it is the commonest slip of the hand.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	const far = 1 << 20
	if len(s) > 64 || len(t) > 64 {
		return far // keys are short; a pasted line is no slip of the hand
	}
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(s)][len(t)]
}

func didYouMean(name string) string { return "did you mean " + strconv.Quote(name) + "?" }
