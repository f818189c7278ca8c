package client_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run/client"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	if name == "" {
		return nil
	}
	src, err := os.ReadFile("../../testdata/parse/" + name)
	require.NoError(t, err)
	return src
}

// The outputs are those of real runs. Exit statuses are not among what is checked: the
// client of "the server died" ended with 0.
func TestCheckOfRealOutputs(t *testing.T) {
	t.Parallel()
	const died, c4 = "corpus/h200-vllm-0.26.0-server-died.txt", "corpus/h200-vllm-0.26.0-c4.1.txt"
	for name, c := range map[string]struct {
		txt, json string
		trial     client.Trial
		counts    client.Counts
		problems  []string
	}{
		"a whole run": {
			txt: c4, trial: client.Trial{Count: 100, Output: 19238, IgnoreEOS: true},
			counts: client.Counts{Completed: 100, Failed: 0, Input: 19553, Output: 19238, Seconds: 28.57, Goodput: client.Unknown},
		},
		"a whole run with its file": {
			txt: "tools/guidellm-0.8.1-concurrent.txt", json: "tools/guidellm-0.8.1-concurrent.json", trial: client.Trial{Count: 20, Output: 640, IgnoreEOS: true},
			counts:   client.Counts{Completed: 20, Failed: 0, Input: 2740, Output: 640, Seconds: 2.8, Goodput: client.Unknown},
			problems: []string{"bottlenecked by the data generation"},
		},
		"sglang prints no failures": {
			txt: "corpus/h200-sglang-0.5.17-own-client-c4.1.txt", trial: client.Trial{Count: 101, Output: 1},
			counts:   client.Counts{Completed: 100, Failed: client.Unknown, Input: 41980, Output: 20531, Seconds: 29.72, Goodput: client.Unknown},
			problems: []string{"100 of 101 requests completed"},
		},
		"the server died": {
			txt: died, json: "json/h200-vllm-0.26.0-server-died.json", trial: client.Trial{Count: 100, Output: 19238, IgnoreEOS: true},
			counts:   client.Counts{Completed: 0, Failed: 100, Input: 0, Output: 0, Seconds: 0.22, Goodput: client.Unknown},
			problems: []string{"0 of 100 requests completed", "100 requests failed"},
		},
		"some failed": {
			txt: "vllm-0.11.2-some-failed.txt", trial: client.Trial{Count: 30, Output: 1, IgnoreEOS: true},
			counts:   client.Counts{Completed: 25, Failed: 5, Input: 3200, Output: 800, Seconds: 2.64, Goodput: client.Unknown},
			problems: []string{"25 of 30 requests completed", "5 requests failed"},
		},
		"answers ended early": {
			txt: c4, trial: client.Trial{Count: 100, Output: 19300, IgnoreEOS: true},
			counts:   client.Counts{Completed: 100, Failed: 0, Input: 19553, Output: 19238, Seconds: 28.57, Goodput: client.Unknown},
			problems: []string{"19238 output tokens, and 19300 were asked for with ignore_eos"},
		},
		"answers may end early": {
			txt: c4, trial: client.Trial{Count: 100, Output: 19300},
			counts: client.Counts{Completed: 100, Failed: 0, Input: 19553, Output: 19238, Seconds: 28.57, Goodput: client.Unknown},
		},
		"a file of another run": {
			txt: c4, json: "json/h200-vllm-0.26.0-c1.1.json", trial: client.Trial{Count: 100},
			counts:   client.Counts{Completed: 100, Failed: 0, Input: 19553, Output: 19238, Seconds: 28.57, Goodput: client.Unknown},
			problems: []string{"printed 100 completed requests and wrote 25", "printed 19553 input tokens", "printed 19238 output tokens"},
		},
		"two results in one output": {
			txt: "guide-8b.txt", trial: client.Trial{Count: 100},
			counts:   client.Counts{Completed: -1, Failed: -1, Input: -1, Output: -1, Seconds: -1, Goodput: -1},
			problems: []string{"holds 6 results"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counts, problems := client.Check(c.trial, read(t, c.txt), read(t, c.json))
			require.Empty(t, cmp.Diff(c.counts, counts))
			require.Len(t, problems, len(c.problems), "%q", problems)
			for i, says := range c.problems {
				require.Contains(t, problems[i], says)
			}
		})
	}
}

func TestCheckOfAnOutputWithoutAResult(t *testing.T) {
	t.Parallel()
	for _, txt := range []string{"", "Traceback (most recent call last):\n  ValueError: x\n", "\x00\x01\x02"} {
		_, problems := client.Check(client.Trial{Count: 1}, []byte(txt), nil)
		require.Len(t, problems, 1)
		require.Contains(t, problems[0], "holds no result")
	}
	// A block that was cut off before its end.
	whole := string(read(t, "corpus/h200-vllm-0.26.0-c4.1.txt"))
	_, problems := client.Check(client.Trial{Count: 100}, []byte(whole[:strings.Index(whole, "Total generated tokens")]), nil)
	require.NotEmpty(t, problems)
}

// SGLang's client prints two input tokens for every prompt where transformers is newer than
// it knows. Three starts of it agree with each other, so that no comparison finds out.
func TestFieldsThatPassForTokensAreNoticed(t *testing.T) {
	t.Parallel()
	txt := string(read(t, "corpus/h200-sglang-0.5.17-own-client-c4.1.txt"))
	trial := client.Trial{Count: 100, Output: 20531}
	_, problems := client.Check(trial, []byte(txt), nil)
	require.Empty(t, problems)
	_, problems = client.Check(trial, []byte(strings.ReplaceAll(txt, "41980", "200  ")), nil)
	require.Len(t, problems, 1)
	require.Contains(t, problems[0], "counts 200 input tokens in 100 prompts")
	require.Contains(t, problems[0], "use vllm bench serve")
	_, problems = client.Check(trial, []byte(strings.ReplaceAll(txt, "41980", "301  ")), nil)
	require.Empty(t, problems)
}

func TestAClientThatSetsThePaceIsNoticed(t *testing.T) {
	t.Parallel()
	txt := read(t, "corpus/h200-vllm-0.26.0-c4.1.txt")
	_, problems := client.Check(client.Trial{Count: 100}, txt, nil)
	require.Empty(t, problems)
	_, problems = client.Check(client.Trial{Count: 100}, append([]byte("warning: this run may have been bounded by the client and not by the server: busy\n"), txt...), nil)
	require.Len(t, problems, 1)
	require.Contains(t, problems[0], "busy")
}
