package studytest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing/fstest"
	"time"
)

// Made returns a run as benchguide leaves one: two drivers, cold and warm caches, prompts,
// telemetry, seals, a spoilt and an invalid attempt, and a sweep.
func Made() Blocks {
	p := Fleet("fast", "flat")
	p.Stages[0].Candidates[0].YAML += "\nenv: {VLLM_LOGGING_LEVEL: INFO}"
	b := p.Blocks(3, Noisy(Gains())).WithCase("one/base", "one/fast")
	b.Own = true
	b.Each(`"env": {"VLLM_LOGGING_LEVEL": "INFO"}`, Of("one/fast"))
	b.Add("one/flat", 4, Throughput(1000), `"invalid": "2 other processes held the GPU"`)
	return b
}

// odd are surroundings of which nobody thought: numbers without a unit, signs of Markdown
// and HTML, names that are no words.
const odd = `"environment": {"os": "Ubuntu 24.04.1 LTS", "kernel": "6.8.0-45", "clocks": "1980,2619", "ecc": "on", "weird key: 3!": "a|b ` + "`c`" + ` <d> 4",
	"memory": "143771", "power_limit": "unlimited", "empty": "", "gpus": "0,1"}, "image": "vllm/vllm-openai:v0.26.0",
	"server": {"speculative_config": "{\"n\": 3}", "a|b": "` + "``" + ` 7", "x": "", "17": "18", "path": "/models/Qwen3-8B"}`

// own puts what lies beside the starts of a run.
func (b Blocks) own(put func(name, text string)) {
	run := path.Join(Dir, "runs", Run)
	put(path.Join(run, "prompts", "main.jsonl"), prompts)
	put(path.Join(run, "prompts", "prompts.json"), `{"main": {"count": 3, "sha256": "`+digest(prompts)+`"}}`+"\n")
	put(path.Join(run, "journal.jsonl"), "{}\n")
	put(path.Join(run, "plan.json"), "{}\n")
	put(path.Join(run, ".lock"), "")
	put(path.Join(run, ".work", "n-0", "main.txt"), "half of a resu")
	put(path.Join(run, "one", "fast", "failed-1", "main.txt"), "torn")
}

// prompts is a prompt file.
const prompts = `{"prompt": "Hello", "output_tokens": 100}
{"prompt": "Good day", "output_tokens": 100}
{"prompt": "Good night", "output_tokens": 100}
`

// made gives a start what a runner records of it and keeps beside it.
func (b Blocks) made(s Start) Start {
	if strings.Contains(s.Attempt, `"nonce"`) {
		return s // the test says it itself
	}
	nonce := fmt.Sprintf("%s-%d", strings.ReplaceAll(s.Ref, "/", "-"), s.Number)
	began := time.Date(2026, 11, 30, 12+s.Number, 5, 0, 0, time.UTC)
	caches, ready, driver := "warm", 80.5+float64(s.Number), "580.159.04"
	if s.Number == 1 {
		caches, ready, driver = "cold", 248.2, "580.126.16"
	}
	members := map[string]any{
		"nonce":       nonce,
		"sitting":     "2026-11-30-1",
		"ran":         "CUDA_VISIBLE_DEVICES=0 vllm serve models/Qwen3-8B --served-model-name " + nonce + " --port 18000",
		"clients":     map[string]string{"main": client(nonce)},
		"prompts":     map[string]string{"main": digest(prompts)},
		"image":       "sha256:" + digest("an image"),
		"server":      map[string]string{"max_num_seqs": "256", "dtype": "bfloat16", "ready": "True"},
		"caches":      caches,
		"environment": map[string]string{"gpu": "NVIDIA H100 80GB HBM3", "driver": driver, "cuda": "13.0", "power_limit": "700 W", "client": "vLLM bench CLI v0.11.0"},
		"power_watts": map[string]float64{"main": 512.5},
		"power_cap":   map[string]float64{"main": 0.125},
		"throttled":   map[string]float64{"main": 0},
	}
	times := map[string]any{"began": began.Format(time.RFC3339), "ended": began.Add(10 * time.Minute).Format(time.RFC3339), "ready_seconds": ready,
		"trial_seconds": map[string]float64{"main": 60}, "measured_seconds": map[string]float64{"main": 30}}
	members["times"] = times
	if s.Ref == "one/fast" && s.Number == 2 {
		members["throttled"] = map[string]float64{"main": 0.031}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if value, err := json.MarshalIndent(members[name], "  ", "  "); err == nil && !strings.Contains(s.Attempt, `"`+name+`"`) {
			list = append(list, fmt.Sprintf("\n  %q: %s", name, value))
		}
	}
	if s.Attempt != "" {
		list = append([]string{s.Attempt}, list...)
	}
	s.Attempt = strings.Join(list, ",")
	files := map[string]string{
		"gpu.csv": "time,power\n0,510\n1,515\n", "server.log": "ready\n", "main.log": "100%\n",
		"server_info.json": "{\"max_num_seqs\": 256}\n", "sweep/note.log": "tried\n", "sweep/main-8.txt": "broken",
	}
	for _, rate := range []int{2, 4} {
		t := Throughput(float64(100 * rate))
		files[fmt.Sprintf("sweep/main-%d.txt", rate)] = t.Block()
	}
	maps.Copy(files, s.Files)
	s.Files = files
	return s
}

// client is a client's command as it was run.
func client(nonce string) string {
	return "vllm bench serve --model Qwen/Qwen3-8B --served-model-name " + nonce + " --tokenizer /models/Qwen3-8B --host 127.0.0.1 --port 18000 " +
		"--dataset-name custom --dataset-path runs/published/prompts/main.jsonl --num-prompts 100 --max-concurrency 4 --ignore-eos --temperature 0 " +
		"--save-result --save-detailed --result-dir .work/" + nonce + " --result-filename main.json"
}

// Seal writes the seal of a start's folder: the digest of every file in it.
func Seal(files fstest.MapFS, dir string) {
	digests := map[string]string{}
	for name, f := range files {
		if rel, ok := strings.CutPrefix(name, dir+"/"); ok && rel != "result.json" {
			digests[rel] = digest(string(f.Data))
		}
	}
	data, err := json.MarshalIndent(map[string]any{"schema": 1, "state": "done", "files": digests}, "", "  ")
	if err != nil {
		panic(err) // texts only
	}
	files[path.Join(dir, "result.json")] = &fstest.MapFile{Data: append(data, '\n')}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
