package client

import "time"

// How long a client may take is guessed from above: a slow server is a result, and
// only one that hangs is to be ended.
const (
	startUp        = time.Minute            // of a Python client: imports, tokenizer, data set
	perToken       = 50 * time.Millisecond  // of one answer
	perPrompt      = 500 * time.Millisecond // until its first token
	usualOutput    = 256                    // tokens, where the lengths are not known
	patience       = 10                     // times the estimate
	shortest       = 10 * time.Minute
	mostAtOnce     = 256 // requests that a server works on at once, where nothing limits them
	longestAllowed = 1 << 62
)

// deadline is ten times an estimate of how long a trial takes, at least ten minutes.
func deadline(t Trial) time.Duration {
	tokens := t.Output
	if tokens <= 0 {
		tokens = t.Count * usualOutput
	}
	streams := t.Workload.Concurrency
	if streams <= 0 {
		streams = min(max(t.Count, 1), mostAtOnce)
	}
	work := float64(tokens)*float64(perToken) + float64(t.Count)*float64(perPrompt)
	seconds := work / float64(streams)
	if t.Rate > 0 {
		seconds = max(seconds, float64(t.Count)/t.Rate*float64(time.Second))
	}
	whole := patience * (seconds + float64(startUp))
	return max(time.Duration(min(whole, longestAllowed)), shortest)
}
