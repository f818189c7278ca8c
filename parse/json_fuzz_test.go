package parse_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"benchguide/parse"
)

// checkJSON fails when what is read of src is not in src.
func checkJSON(t *testing.T, src []byte, cut uint16) {
	records, problems := parse.Bytes("in", src)
	if len(records) == 0 && len(problems) == 0 {
		t.Fatal("neither a record nor a reason")
	}
	lines := bytes.Split(src, []byte{'\n'})
	for _, r := range records {
		if r.Line < 1 || r.EndLine < r.Line || r.EndLine > len(lines) {
			t.Fatalf("lines %d to %d of %d", r.Line, r.EndLine, len(lines))
		}
		for _, v := range r.Values {
			if v.Line < r.Line || v.Line > r.EndLine || math.IsNaN(v.Number) || math.IsInf(v.Number, 0) || math.IsNaN(v.Printed) {
				t.Fatalf("%+v in lines %d to %d", v, r.Line, r.EndLine)
			}
			if strings.HasSuffix(r.Format, "-json") && v.Text != "" && !bytes.Contains(lines[v.Line-1], []byte(v.Text)) {
				t.Fatalf("%q does not stand in line %d", v.Text, v.Line)
			}
		}
	}
	if n := int(cut); n < len(src) && !bytes.Contains(src, []byte("Result")) { // blocks have their own target
		checkCut(t, src, n, records)
	}
	if _, err := parse.ReadRequests("in", bytes.NewReader(src), func(parse.Requests) {}); err != nil {
		t.Fatal(err)
	}
}

func fuzzJSON(f *testing.F, files, shapes string) {
	if files != "" {
		for _, src := range jsonSeeds(f, files) {
			f.Add(src, uint16(len(src)/2))
		}
	}
	for name, src := range otherResults() {
		if strings.HasPrefix(name, shapes) {
			f.Add([]byte(src), uint16(len(src)/2))
		}
	}
	f.Fuzz(checkJSON)
}

func FuzzVLLMJSON(f *testing.F)       { fuzzJSON(f, "vllm-0.26*", "vllm") }
func FuzzSGLangJSON(f *testing.F)     { fuzzJSON(f, "sglang*", "sglang") }
func FuzzTRTLLMJSON(f *testing.F)     { fuzzJSON(f, "", "trtllm") }
func FuzzInferenceXJSON(f *testing.F) { fuzzJSON(f, "", "inferencex") }

func FuzzSweepCSV(f *testing.F) {
	f.Add([]byte(",model_id,tokenizer_id,num_prompts,duration,completed,total_input_tokens,mean_ttft_ms,run_number\n0,m,m,8,2.5,8,100,50.5,0\n1,m,m,8,2.5,8,100,50.5,1\n"), uint16(90))
	f.Fuzz(checkJSON)
}
