package roofline

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"benchguide/gpuname"
)

// GPU is what one GPU can do at best. Arithmetic is dense, in 10^12 operations a second.
type GPU struct {
	Name      string  `json:"name"`
	Bandwidth float64 `json:"bandwidth" jsonschema:"memory bandwidth in GB/s"`
	Memory    float64 `json:"memory" jsonschema:"memory in GB"`
	BF16      float64 `json:"bf16" jsonschema:"dense TFLOP/s in bf16"`
	FP8       float64 `json:"fp8" jsonschema:"dense TFLOP/s in fp8; that of bf16 where the GPU has no fp8"`
	INT8      float64 `json:"int8" jsonschema:"dense TOP/s in int8"`
	Source    string  `json:"source"`
}

// Model is the shape of a decoder-only transformer, as its config.json states it.
type Model struct {
	Name          string `json:"name"`
	Layers        int    `json:"layers"`
	Hidden        int    `json:"hidden"`
	Heads         int    `json:"heads"`
	KVHeads       int    `json:"kv_heads"`
	HeadSize      int    `json:"head_size"`
	Intermediate  int    `json:"intermediate" jsonschema:"width of the feed-forward layer, or of one expert"`
	Vocabulary    int    `json:"vocabulary"`
	Experts       int    `json:"experts,omitempty"`
	ActiveExperts int    `json:"active_experts,omitempty" jsonschema:"experts that each token visits"`
	Source        string `json:"source"`
}

//go:embed gpus.json
var gpusJSON []byte

//go:embed models.json
var modelsJSON []byte

// GPUs returns the table of GPUs.
func GPUs() []GPU { return table[GPU](gpusJSON) }

// Models returns the table of models.
func Models() []Model { return table[Model](modelsJSON) }

// table decodes an embedded table; it panics if the table is not valid, which a test
// would have found.
func table[T any](data []byte) []T {
	var rows []T
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&rows); err != nil {
		panic(fmt.Sprintf("embedded table: %v", err))
	}
	return rows
}

// FindGPU returns the fastest GPU that a name can mean: "H100" may be an SXM module,
// a PCIe card or an NVL pair, "H100 SXM" only one of them. Of two with the same memory it
// is the one with the faster arithmetic: the driver calls an SXM module "NVIDIA H200" and a
// card "NVIDIA H200 NVL". It returns false for a name that the table does not know.
func FindGPU(name string) (GPU, bool) {
	given := gpuname.Words(name)
	var best GPU
	for _, g := range GPUs() {
		if fits(given, gpuname.Words(g.Name)) && cmp.Or(cmp.Compare(g.Bandwidth, best.Bandwidth), cmp.Compare(g.BF16, best.BF16)) > 0 {
			best = g
		}
	}
	return best, best.Name != ""
}

// fits reports whether a name can mean a variant: every word of the name that tells
// variants apart must be the variant's, and the family must be named.
func fits(given, variant []string) bool {
	family := false
	for _, w := range given {
		known := slices.Contains(variant, w)
		if strings.ContainsFunc(w, unicode.IsDigit) && !strings.HasSuffix(w, "gb") {
			if !known {
				return false // another family
			}
			family = true
		}
		if slices.Contains([]string{"sxm", "pcie", "nvl"}, w) && !known {
			return false
		}
		if strings.HasSuffix(w, "gb") && hasMemory(variant) && !known {
			return false
		}
	}
	return family
}

func hasMemory(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(w, "gb") })
}

// FindModel returns the shape of a model by its id or name: the longest name of the
// table that the id contains as a whole, so that "Qwen3-8B-FP8" is Qwen3-8B and
// "Qwen3-30B-A3B" is not Qwen3-30B.
func FindModel(id string) (Model, bool) {
	var best Model
	for _, m := range Models() {
		if contains(strings.ToLower(id), strings.ToLower(m.Name)) && len(m.Name) > len(best.Name) {
			best = m
		}
	}
	return best, best.Name != ""
}

// contains reports whether name stands in id between separators.
func contains(id, name string) bool {
	i := strings.Index(id, name)
	if i < 0 {
		return false
	}
	edge := func(s string, at int) bool {
		return at < 0 || at >= len(s) || !unicode.IsLetter(rune(s[at])) && !unicode.IsDigit(rune(s[at]))
	}
	return edge(id, i-1) && edge(id, i+len(name))
}
