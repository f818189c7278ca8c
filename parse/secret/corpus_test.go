package secret_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"benchguide/parse"
	"benchguide/parse/secret"
)

// shared is where the outputs lie that package parse is tested with.
const shared = "../../testdata/parse/*.txt"

// realOutputs returns what tools and servers really printed, by file name.
func realOutputs(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, pattern := range []string{"testdata/*-*", "testdata/*.json", shared} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, names)
		for _, name := range names {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			files[filepath.Base(name)] = src
		}
	}
	return files
}

// In all real outputs nothing but these texts is taken for a secret: no number, no
// version, no model, no flag.
func TestRealOutputsHoldTheseSecretsAndNoOthers(t *testing.T) {
	t.Parallel()
	const site = "/opt/v/sgl/lib/python3.12/site-packages/"
	asyncio := []string{"/usr/lib/python3.12/asyncio/selector_events.py", "/usr/lib/python3.12/asyncio/selector_events.py"}
	want := map[string][]string{
		"vllm-0.26.0-server.log": {"192.0.2.2"},
		"sglang-0.5.17-cache-report.txt": {
			site + "torchao/quantization/quant_api.py", site + "sglang/kernels/ops/attention/fla/utils.py",
			site + "sglang/srt/layers/quantization/awq/awq.py", site + "sglang/srt/layers/quantization/gguf.py", site + "sglang/bench_serving.py",
		},
		"vllm-0.26.0-died.txt": asyncio,
	}
	got := map[string][]string{}
	for name, src := range realOutputs(t) {
		for _, m := range secret.Find(src) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(shared), name)); err == nil {
				// Others add to these; all that they hold are paths of the machines that they are from.
				require.Equal(t, secret.Path, m.Kind, "%s: %s", name, src[m.Start:m.End])
				require.Contains(t, "/~", string(src[m.Start]), name)
				continue
			}
			got[name] = append(got[name], string(src[m.Start:m.End]))
		}
	}
	sorted := cmpopts.SortSlices(strings.Compare)
	if diff := cmp.Diff(want, got, sorted); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestCleaningChangesNoResult(t *testing.T) {
	t.Parallel()
	records := 0
	for name, src := range realOutputs(t) {
		clean, _ := secret.Clean(src)
		before, _ := parse.Bytes(name, src)
		after, _ := parse.Bytes(name, clean)
		records += len(before)
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s (-before +after):\n%s", name, diff)
		}
	}
	require.NotZero(t, records)
}

// The same outputs, from a machine that has secrets: each is put where the tool
// prints it, and cleaning takes it away and touches nothing else.
func TestSecretsInRealOutputsAreFound(t *testing.T) {
	t.Parallel()
	files := realOutputs(t)
	for _, c := range []struct{ file, old, new, want string }{
		{"sglang-0.5.17-client.txt", "host='0.0.0.0'", "host='gpu-a17'", "host='[host]'"},
		{"sglang-0.5.17-client.txt", "base_url=None", "base_url='http://10.2.3.4:8003'", "base_url='http://[host]:8003'"},
		{"sglang-0.5.17-client.txt", "dataset_path='ShareGPT_V3", "dataset_path='/home/alice/sets/ShareGPT_V3", "dataset_path='[path]/ShareGPT_V3"},
		{"sglang-0.5.17-client.txt", "tokenizer='models/Qwen3-8B'", "tokenizer='/mnt/team-x/models/Qwen3-8B'", "tokenizer='[path]/Qwen3-8B'"},
		{"sglang-0.5.17-client.txt", "output_file='results/sgl-native-client/sg-c4.1.jsonl'", "output_file='/home/alice/r.jsonl'", "output_file='[path]'"},
		{"sglang-0.5.17-server_info.json", `"host":"127.0.0.1"`, `"host":"gpu-a17"`, `"host":"[host]"`},
		{"sglang-0.5.17-server_info.json", `"api_key":null`, `"api_key":"s3cr3t-word"`, `"api_key":"[key]"`},
		{"sglang-0.5.17-server_info.json", `"admin_api_key":null`, `"admin_api_key":"letters"`, `"admin_api_key":"[key]"`},
		{"sglang-0.5.17-server_info.json", `"model_path":"models/Qwen3-8B"`, `"model_path":"/root/models/private"`, `"model_path":"[path]"`},
		{"sglang-0.5.17-server_info.json", `"dist_init_addr":null`, `"dist_init_addr":"node0.cluster:5000"`, `"dist_init_addr":"[host]:5000"`},
		{"sglang-0.5.17-server.log", "host='127.0.0.1'", "host='gpu-a17'", "host='[host]'"},
		{"sglang-0.5.17-server.log", "api_key=None", "api_key='s3cr3t'", "api_key='[key]'"},
		{"vllm-0.26.0-server.log", "'port': 8001", "'host': 'gpu-a17', 'api_key': ['abc'], 'port': 8001", "'host': '[host]', 'api_key': ['[key]'], 'port': 8001"},
		{"attempt.json", `"models/Qwen3-8B"`, `"/data/alice/Qwen3-8B"`, `"[path]/Qwen3-8B"`},
		{"attempt.json", `"env": {}`, `"env": {"HF_TOKEN": "hf_abcdefghij0123456789"}`, `"env": {"HF_TOKEN": "[key]"}`},
		{"attempt.json", `"--port", "8001"`, `"--api-key", "abcd", "--host", "gpua", "--port", "8001"`, `"--api-key", "[key]", "--host", "[host]", "--port", "8001"`},
	} {
		src := files[c.file]
		require.Contains(t, string(src), c.old, c.file)
		base, _ := secret.Clean(src)
		clean, done := secret.Clean(bytes.ReplaceAll(src, []byte(c.old), []byte(c.new)))
		require.NotEmpty(t, done)
		want := strings.ReplaceAll(string(base), c.old, c.want)
		if diff := cmp.Diff(want, string(clean)); diff != "" {
			t.Errorf("%s with %s (-want +got):\n%s", c.file, c.new, diff)
		}
	}
}

// checkClean fails unless cleaning leaves nothing to find and keeps the lines.
func checkClean(t testing.TB, src []byte) {
	t.Helper()
	clean, done := secret.Clean(src)
	if found := secret.Find(clean); len(found) > 0 {
		t.Fatalf("%q is cleaned to %q, which holds %v", src, clean, found)
	}
	if bytes.Count(src, []byte("\n")) != bytes.Count(clean, []byte("\n")) {
		t.Fatalf("%q has other lines than %q", src, clean)
	}
	if len(done) == 0 && !bytes.Equal(src, clean) {
		t.Fatalf("%q became %q, and nothing was reported", src, clean)
	}
}

func TestACleanTextHoldsNothing(t *testing.T) {
	t.Parallel()
	parts := []string{
		"host=", "'gpua'", `"api_key": "`, "/home/a/x", "~/b", "@", "a.b.com", "hf_abcdefghij01", "Bearer ", "10.1.2.3", ":80", "://", "http", " ",
		"\n", "[", "]", "{", "}", ",", "--host ", "header=", "'", `"`, "\\", "C:\\Users\\a", "vllm-7d4b9c6f5x-x2x4z", "fd00::1", "token=", ".", "$", "-", "ssh ",
	}
	rapid.Check(t, func(t *rapid.T) {
		chosen := rapid.SliceOfN(rapid.SampledFrom(parts), 1, 12).Draw(t, "parts")
		src := []byte(strings.Join(chosen, ""))
		clean, _ := secret.Clean(src)
		if found := secret.Find(clean); len(found) > 0 {
			t.Fatalf("%q is cleaned to %q, which holds %v", src, clean, found)
		}
	})
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{
		"Namespace(host='gpua', header=['Authorization=Bearer abc1'], model='/home/alice/Qwen3-8B')", "alice@gpua:~/x$ ssh bob@10.0.0.1",
		`{"host": "gpu", "api_key": ["abc"], "url": "http://u:p@h.x.com:80/a?token=12ab34"}`, "hf_abcdefghij01 AKIAIOSFODNN7EXAMPLE eyJhbGciOiJIUzI1NiJ9.a",
		"-----BEGIN PRIVATE KEY-----\nMIIE\n", `C:\Users\a\b s3://b/c fd00::1 vllm-7d4b9c6f5x-x2x4z gpu-1.a.lan`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkClean(t, src) })
}
