package client

import (
	"fmt"
	"strings"

	"benchguide/metric"
	"benchguide/study"
)

// goodput returns an objective's limits as the clients take them: what a single request
// must keep. A limit on a percentile of a latency is meant for each request; of several
// the strictest is taken. Limits on anything else are not a request's.
func goodput(limits []study.Limit) []string {
	names := []struct {
		quantity metric.Quantity
		key      string
	}{{metric.TTFT, "ttft"}, {metric.TPOT, "tpot"}, {metric.E2E, "e2el"}}
	var words []string
	for _, n := range names {
		least := -1.0
		for _, l := range limits {
			_, quantity, _ := strings.Cut(l.Metric, "_")
			if l.AtMost != nil && quantity == string(n.quantity) && (least < 0 || *l.AtMost < least) {
				least = *l.AtMost
			}
		}
		if least > 0 {
			words = append(words, fmt.Sprintf("%s:%s", n.key, number(least)))
		}
	}
	return words
}
