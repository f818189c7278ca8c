package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/metric"
	"benchguide/parse"
)

// eachLine changes every line of a text.
func eachLine(text string, change func(i int, line string) string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = change(i, l)
	}
	return strings.Join(lines, "\n") + "\n"
}

func prefixed(text string) func(string) string {
	return func(block string) string {
		return eachLine(block, func(_ int, l string) string { return text + l })
	}
}

// numbersOf lists a record's values without where they stand.
func numbersOf(r parse.Record) map[metric.ID]float64 {
	all := map[metric.ID]float64{}
	for _, v := range r.Values {
		all[v.Metric] = v.Number
	}
	return all
}

// Whatever pages, terminals, logs and people do to a block, it is the same block.
func TestABlockInTheWildIsTheSameBlock(t *testing.T) {
	t.Parallel()
	for name, wrap := range map[string]func(string) string{
		"log prefix of a container": prefixed("flexbench-runner  | "),
		"log prefix of a process":   prefixed("(APIServer pid=4711) "),
		"log prefix of MPI":         prefixed("[1,0]<stdout>:"),
		"log prefix but on the first line": func(b string) string {
			return strings.TrimPrefix(prefixed("bench-0 12:30:01 ")(b), "bench-0 12:30:01 ")
		},
		"commented out":              prefixed("# "),
		"added in a diff":            prefixed("+"),
		"quotation in a quotation":   prefixed("> > "),
		"quotation without blanks":   prefixed(">"),
		"indented code in a listing": prefixed("     "),
		"time stamps": func(b string) string {
			return eachLine(b, func(i int, l string) string { return fmt.Sprintf("2026-11-30T22:15:%02d.%03dZ %s", i, 7*i, l) })
		},
		"syslog": func(b string) string {
			return eachLine(b, func(i int, l string) string { return fmt.Sprintf("Nov 30 22:15:%02d node-3 bench[812]: %s", i, l) })
		},
		"line numbers before tabs": func(b string) string {
			return eachLine(b, func(i int, l string) string { return fmt.Sprintf("%d\t%s", i+98, l) })
		},
		"line numbers of grep": func(b string) string {
			return eachLine(b, func(i int, l string) string { return fmt.Sprintf("%d:%s", i+98, l) })
		},
		"line numbers of cat": func(b string) string {
			return eachLine(b, func(i int, l string) string { return fmt.Sprintf("%6d  %s", i+1, l) })
		},
		"line numbers beside a bar": func(b string) string {
			return eachLine(b, func(i int, l string) string { return fmt.Sprintf("%3d | %s", i+1, l) })
		},
		"other processes in the log": func(b string) string {
			return "bench  | start\n" + eachLine(b, func(_ int, l string) string { return "bench  | " + l + "\nserver | INFO: POST /v1/completions 200" })
		},
		"one line with breaks": func(b string) string {
			return "<p>" + strings.ReplaceAll(strings.TrimSuffix(b, "\n"), "\n", "<br>") + "</p>\n"
		},
		"one line with other breaks": func(b string) string {
			return strings.ReplaceAll(strings.TrimSuffix(b, "\n"), "\n", "<br />") + "\n"
		},
		"an escaped string": func(b string) string {
			return `{"msg": "` + strings.ReplaceAll(b, "\n", `\n`) + `"}` + "\n"
		},
		"page source": func(b string) string {
			return "<div class=\"highlight\"><pre><code>" + strings.ReplaceAll(b, "  ", "&nbsp; ") + "</code></pre></div>\n"
		},
		"an element around each line": func(b string) string {
			return eachLine(b, func(_ int, l string) string { return `<span class="line">` + l + "</span>" })
		},
		"cells of a page's table": func(b string) string {
			return eachLine(b, func(_ int, l string) string {
				label, rest, ok := strings.Cut(l, ":")
				if !ok {
					return l
				}
				return "<tr><td>" + label + ":</td><td><code>" + strings.TrimSpace(rest) + "</code></td></tr>"
			})
		},
		"other capitals": func(b string) string {
			return eachLine(b, func(i int, l string) string {
				if i < 2 {
					return l // these two lines are what a block is found by
				}
				return strings.ToLower(l)
			})
		},
		"thousands separators": func(b string) string {
			return strings.NewReplacer("3200 ", "3,200 ", "1515.51 ", "1,515.51 ").Replace(b)
		},
		"full-width digits and colon": func(b string) string {
			b = strings.Replace(b, "Total input tokens:  ", "Total input tokens：", 1)
			return strings.Replace(b, "65.57", "６５．５７", 1)
		},
		"text after the values": func(b string) string {
			return strings.NewReplacer("25        ", "25   <<<<<<< New line", "3200      ", "3200  # 成功").Replace(b)
		},
		"short rules": func(b string) string {
			b = strings.Replace(b, strings.Repeat("=", 12)+" Serving Benchmark Result "+strings.Repeat("=", 12), "==== Serving Benchmark Result ====", 1)
			return strings.Replace(b, strings.Repeat("=", 50), "======", 1)
		},
		"details and fence": func(b string) string {
			return "<details>\n<summary>result</summary>\n\n```text\n" + b + "```\n</details>\n"
		},
		"admonition": func(b string) string {
			return "??? info \"Benchmark result\"\n    ```\n" + prefixed("    ")(b) + "    ```\n"
		},
		"bars of a page's margin between the lines": func(b string) string {
			return eachLine(b, func(_ int, l string) string { return l + "\n|\n||\n|\n|" })
		},
		"noise between the lines": func(b string) string {
			return eachLine(b, func(i int, l string) string {
				return l + "\n" + []string{
					"100%|██████████| 100/100 [00:26<00:00,  3.75it/s]", "INFO 11-30 22:15:14 [utils.py:90] Mean TTFT (ms) is being computed",
					"Output token throughput (tok/s) is 529.33，which is fine", "`Median TTFT (ms)`", "#Input tokens: 50561",
				}[i%5]
			})
		},
		"a narrow terminal": func(b string) string {
			return eachLine(b, func(_ int, l string) string {
				if len(l) <= 40 || !strings.ContainsAny(l, ":=") || strings.HasPrefix(l, "-") {
					return l
				}
				return l[:40] + "\n" + l[40:]
			})
		},
		"a list of strings": func(b string) string {
			return eachLine(b, func(_ int, l string) string { return "  '" + strings.TrimSpace(l) + "'," })
		},
		"a prompt before and after": func(b string) string { return "user@host:~$ cat out.txt\n" + b + "user@host:~$ \n" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			block := base(t)
			want, _ := parse.Bytes("in", []byte(block))
			records, problems := parse.Bytes("in", []byte(wrap(block)))
			require.Empty(t, problems)
			require.Len(t, records, 1)
			require.Empty(t, records[0].Problems)
			if diff := cmp.Diff(numbersOf(want[0]), numbersOf(records[0])); diff != "" {
				t.Errorf("values (-plain +wild):\n%s", diff)
			}
			require.Equal(t, want[0].Producer, records[0].Producer)
		})
	}
}

// A line of a diff that was taken away is no value of the block, and neither is text
// that only looks like a prefix.
func TestWhatMostLinesDoNotShareIsNoPrefix(t *testing.T) {
	t.Parallel()
	block := strings.Replace(base(t), "Mean TTFT (ms):                          65.57",
		"-Mean TTFT (ms):                         70.00\n+Mean TTFT (ms):                         65.57", 1)
	records, _ := parse.Bytes("in", []byte(block))
	require.Len(t, records, 1)
	_, ok := records[0].Number("mean_ttft")
	require.False(t, ok, "one of two values was chosen")
	require.NotEmpty(t, records[0].Unknown)
}

func TestSeveralBlocksOnOneLine(t *testing.T) {
	t.Parallel()
	one := strings.ReplaceAll(base(t), "\n", "<br>")
	two := strings.Replace(one, "1515.51", "9999.99", 1)
	records, problems := parse.Bytes("in", []byte("text\nbefore "+one+"between<br>"+two+"\n"))
	require.Empty(t, problems)
	require.Len(t, records, 2)
	for i, want := range []float64{1515.51, 9999.99} {
		got, _ := records[i].Number(metric.TotalThroughput)
		require.Equal(t, want, got)
		require.Equal(t, 2, records[i].Line)
		require.Equal(t, 2, records[i].EndLine)
	}
}

func TestLabelsBeforeAndAfterBlocks(t *testing.T) {
	t.Parallel()
	block := base(t)
	for name, c := range map[string]struct {
		src  string
		want [][]string
	}{
		"comment":             {"# BS=4\n" + block, [][]string{{"# BS=4"}}},
		"bare name":           {"main\n" + block + "\nthis PR\n" + block, [][]string{{"main"}, {"this PR"}}},
		"list items":          {"- main\n" + block + "\n- this PR\n" + block, [][]string{{"main"}, {"this PR"}}},
		"bold":                {"**upstream tp1**\n" + block, [][]string{{"upstream tp1"}}},
		"heading":             {"## Rust\n" + block, [][]string{{"## Rust"}}},
		"setting":             {"concurrency=16\n" + block, [][]string{{"concurrency=16"}}},
		"command":             {"$ vllm serve m \\\n  -tp 8\n" + block, [][]string{{"$ vllm serve m -tp 8"}}},
		"under each block":    {block + "vLLM\n\n" + block + "SGLang\n", [][]string{{"vLLM"}, {"SGLang"}}},
		"rule of a sweep":     {"======= Run 2/3: max_concurrency=8 =======\n" + block, [][]string{{"Run 2/3: max_concurrency=8"}}},
		"nothing":             {"Starting main benchmark run...\n" + block, [][]string{nil}},
		"prose after a block": {block + "This is slower than before, as you see.\n", [][]string{nil}},
		"introduction only":   {"- **Test Results:**\n" + block, [][]string{nil}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, _ := parse.Bytes("in", []byte(c.src))
			var got [][]string
			for _, r := range records {
				got = append(got, r.Labels)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHarvestsTheLoadFromArgumentsAndCommands(t *testing.T) {
	t.Parallel()
	settings := func(src string) map[string]string {
		records, _ := parse.Bytes("in", []byte(src+base(t)))
		require.Len(t, records, 1)
		all := map[string]string{}
		for _, s := range records[0].Settings {
			require.NotContains(t, all, s.Name, "stated twice")
			all[s.Name] = s.Text
		}
		return all
	}
	got := settings("Namespace(backend='openai-chat', host='10.0.0.7', header=['Authorization=Bearer abc'], num_prompts=30, max_concurrency=4, request_rate=inf, random_input_len=128, goodput=None)\nTraffic request rate: 8.0\n")
	require.Equal(t, map[string]string{
		"backend": "openai-chat", "num_prompts": "30", "max_concurrency": "4", "request_rate": "8.0", "random_input_len": "128",
	}, got, "what is printed replaces the argument, and hosts and headers are not harvested")
	got = settings("vllm bench serve --host 10.0.0.7 \\\n --num-prompts=30 --max-concurrency 4 --ignore-eos --dataset-name random\n")
	require.Equal(t, map[string]string{"num_prompts": "30", "max_concurrency": "4", "dataset_name": "random"}, got)
	require.Empty(t, settings("vllm serve m --max-concurrency 4\n"), "a server's command states no load")
}

// Zero that stands for "not measured" is absent, and zero that was measured is not.
func TestZerosThatMeanUnmeasuredAreAbsent(t *testing.T) {
	t.Parallel()
	change := func(old ...string) string {
		return strings.NewReplacer(old...).Replace(string(fixture(t, "sglang-0.5.5.txt")))
	}
	for name, c := range map[string]struct {
		src    string
		absent []metric.ID
		kept   []metric.ID
		codes  []string
	}{
		"text in another field of the stream": {
			change("190.71", "0.00", "164.86", "0.00", "397.72", "0.00", "25.85", "0.00", "24.26", "0.00", "48.26", "0.00", "119.04", "0.00", "194.58", "0.00", "129591", "0"),
			[]metric.ID{"mean_ttft", "p99_ttft", "mean_itl", "max_itl", metric.RetokenizedOutput}, []metric.ID{"mean_tpot", "mean_e2e_latency"},
			[]string{parse.CodeNotMeasured, parse.CodeNotMeasured, parse.CodeInflated, parse.CodeNotMeasured},
		},
		"not streamed": {
			change("190.71", "17609.46", "162.55", "0.00", "63.51", "0.00", "1337.20", "0.00", "25.85", "0.00", "24.26", "0.00", "48.26", "0.00", "119.04", "0.00", "194.58", "0.00", "129591", "25883"),
			[]metric.ID{"mean_ttft", "mean_tpot", "mean_itl"}, []metric.ID{"mean_e2e_latency"},
			[]string{parse.CodeNotMeasured, parse.CodeNotMeasured, parse.CodeNotMeasured},
		},
		"half of the answers in one piece": {
			change("63.51", "-0.00", "129591", "25883"),
			[]metric.ID{"median_tpot"}, []metric.ID{"mean_tpot", "p99_tpot"}, []string{parse.CodeNotMeasured},
		},
		"chunks that arrive together": {
			change("24.26", "0.00", "129591", "25883"), nil, []metric.ID{"median_itl", "mean_itl"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records, _ := parse.Bytes("in", []byte(c.src))
			require.Len(t, records, 1)
			for _, id := range c.absent {
				_, ok := records[0].Value(id)
				require.False(t, ok, "%s", id)
			}
			for _, id := range c.kept {
				_, ok := records[0].Value(id)
				require.True(t, ok, "%s", id)
			}
			var codes []string
			for _, p := range records[0].Problems {
				codes = append(codes, p.Code)
			}
			require.Equal(t, c.codes, codes)
		})
	}
}

func TestTwoCountsOfOneThingThatDifferAreDoubtful(t *testing.T) {
	t.Parallel()
	records, _ := parse.Bytes("in", fixture(t, "corpus/sglang-0.4.9-early-stop.txt"))
	require.Equal(t, []found{{parse.CodeTokenCounts, parse.Warning, 22}}, foundIn(records, nil))
	require.Contains(t, records[0].Definitions, parse.OutputAsAsked)
}

func TestACoarseRequestRateIsComputedFromItsCounts(t *testing.T) {
	t.Parallel()
	src := strings.NewReplacer("9.47 ", "0.00 ", "2.64 ", "8000.00 ").Replace(base(t))
	records, _ := parse.Bytes("in", []byte(src))
	v, ok := records[0].Value(metric.RequestThroughput)
	require.True(t, ok)
	require.True(t, v.Derived)
	require.Equal(t, "0.00", v.Text)
	require.Equal(t, 25.0/8000, v.Number)
	v, _ = parseOne(t, base(t)).Value(metric.RequestThroughput)
	require.False(t, v.Derived)
}

func parseOne(t *testing.T, src string) *parse.Record {
	t.Helper()
	records, _ := parse.Bytes("in", []byte(src))
	require.Len(t, records, 1)
	return &records[0]
}
