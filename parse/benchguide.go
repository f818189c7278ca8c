package parse

import "strings"

const benchguideName = "benchguide bench"

// benchguide is this program's own client. It prints what vLLM's does, with the same
// meanings, and says above the block that it is itself.
func benchguide() producer {
	p := vllm()
	p.name = benchguideName
	p.owns = func(b *block) bool { return nearestArguments(b.above, "subparser='benchguide'") }
	p.versions = func(*block) string { return "" }
	p.means = func(r *Record, b *block) []Definition {
		return append(familyMeans(r, b), benchguideMeans(r)...)
	}
	return p
}

// benchguideMeans is what holds in every version: tokens are the server's, and a chat
// stream's empty chunks count as in vLLM's client.
func benchguideMeans(r *Record) []Definition {
	means := []Definition{InputByServer, OutputByServer}
	if isChat(r) {
		means = append(means, ITLEmptyChunks)
	}
	return means
}

// nearestArguments reports whether the last arguments line above a block holds a text.
func nearestArguments(above, text string) bool {
	at := strings.LastIndex(above, "Namespace(")
	if at < 0 {
		return false
	}
	line, _, _ := strings.Cut(above[at:], "\n")
	return strings.Contains(line, text)
}
