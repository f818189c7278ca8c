package attempt

import (
	"regexp"
	"strconv"
)

// rateLine is how engines log what they generate: "Avg generation throughput: 123.4
// tokens/s" is vLLM's, "gen throughput (token/s): 123.4" SGLang's. It is read from the
// log because asking the server would be load of its own.
var rateLine = regexp.MustCompile(`gen(?:eration)? throughput(?: \(token/s\))?: ([0-9.]+)`)

// tokensNow returns the last rate in the end of a log, and 0 when there is none.
func tokensNow(tail string) float64 {
	found := rateLine.FindAllStringSubmatch(tail, -1)
	if len(found) == 0 {
		return 0
	}
	rate, err := strconv.ParseFloat(found[len(found)-1][1], 64)
	if err != nil {
		return 0
	}
	return rate
}
