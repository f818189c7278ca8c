package gate

import "strings"

// terms are words of the field that carry a digit and measure nothing: formats of
// numbers, percentiles, hashes, encodings, and names that are words by now. Whatever
// tells what was measured (a model, a GPU, a version, a flag) is not here: such a
// name is the study's to declare.
const terms = " fp4 fp6 fp8 fp16 fp32 fp64 bf16 tf32 nf4 mxfp4 mxfp8 nvfp4 " +
	"int2 int4 int8 int16 int32 int64 uint8 e2m1 e4m3 e4m3fn e5m2 w4a16 w4a8 w8a8 w8a16 " +
	"p50 p75 p90 p95 p99 p99.9 sha1 sha256 sha-256 sha512 md5 utf8 utf-8 utf-16 base64 ipv4 ipv6 " +
	"x86 x86_64 amd64 arm64 e2e k8s eagle2 eagle-2 eagle3 eagle-3 "

// fieldTerm reports whether every digit in a run belongs to a term: "FP8/BF16" and
// "fp8-quantized" pass, "FP8-2" and "FP8x3" do not.
func fieldTerm(run string) bool {
	rest := strings.ToLower(run)
	for {
		rest = strings.TrimLeft(rest, termBreaks)
		if rest == "" {
			return true
		}
		n := termLength(rest)
		if n == 0 {
			if n = strings.IndexAny(rest, termBreaks); n < 0 {
				n = len(rest)
			}
			if strings.ContainsFunc(rest[:n], isDigit) {
				return false
			}
		}
		rest = rest[n:]
	}
}

// termBreaks are the marks at which a run falls into words.
const termBreaks = "-_/+"

// termLength returns the length of the longest term that s begins with, as a whole word.
func termLength(s string) int {
	longest := 0
	for n := 1; n <= len(s) && n <= len("e4m3fn.."); n++ {
		whole := n == len(s) || strings.IndexByte(termBreaks, s[n]) >= 0
		if whole && !strings.Contains(s[:n], " ") && strings.Contains(terms, " "+s[:n]+" ") {
			longest = n
		}
	}
	return longest
}
