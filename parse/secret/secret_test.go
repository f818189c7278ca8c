package secret_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/parse/secret"
)

func TestEachKindIsReplacedByTextOfItsKind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		// hosts
		"host in an address":        {"base_url='http://gpu01:8000/v1'", "base_url='http://[host]:8000/v1'"},
		"address with a domain":     {"curl https://llm.acme.example/v1/models", "curl https://[host]/v1/models"},
		"distributed init":          {"init_method=tcp://10.1.2.3:46399 backend=nccl", "init_method=tcp://[host]:46399 backend=nccl"},
		"public address":            {"serving on 203.0.113.7", "serving on [host]"},
		"address and port":          {"10.1.2.3:8000", "[host]:8000"},
		"address before a word":     {"(RayWorker ip=10.1.2.3, pid=7)", "(RayWorker ip=[host], pid=7)"},
		"IPv6":                      {"listening on fd00:12::34f", "listening on [host]"},
		"IPv6 in an address":        {"http://[2001:db8::7]:8000", "http://[[host]]:8000"},
		"host argument":             {"Namespace(host='gpu01', port=8000)", "Namespace(host='[host]', port=8000)"},
		"host in JSON":              {`{"host": "gpu-a", "port": 1}`, `{"host": "[host]", "port": 1}`},
		"host in a dictionary":      {`{'host': 'gpua', 'tp': 1}`, `{'host': '[host]', 'tp': 1}`},
		"host in escaped JSON":      {`{\"host\": \"gpua\"}`, `{\"host\": \"[host]\"}`},
		"host flag":                 {"vllm serve m --host gpua --port 1", "vllm serve m --host [host] --port 1"},
		"host flag with equals":     {"--host=gpua", "--host=[host]"},
		"host header":               {"Host: gpu-7.acme.corp", "Host: [host]"},
		"nodes of a cluster":        {"SLURM_JOB_NODELIST=gpu[01-04]", "SLURM_JOB_NODELIST=[host][01-04]"},
		"coordinator":               {"--dist-init-addr node0:50000", "--dist-init-addr [host]:50000"},
		"internal name":             {"worker on gpu-7.rack2.lan up", "worker on [host] up"},
		"name of a cloud's machine": {"from ip-10-0-12-34 up", "from [host] up"},
		"scraped instance":          {`up{instance="gpua:9100"} 1`, `up{instance="[host]:9100"} 1`},
		// users
		"user in Namespace":   {"Namespace(user='alice', seed=0)", "Namespace(user='[user]', seed=0)"},
		"user in environment": {"USER=alice", "USER=[user]"},
		"prompt":              {"alice@gpua:~/x$ ls", "[user]@[host]:[path]$ ls"},
		"login":               {"ssh alice@gpua", "ssh [user]@[host]"},
		"user in an address":  {"http://alice:pw1@gpua/", "http://[user]:[key]@[host]/"},
		// paths
		"home path":            {"--dataset-path /home/alice/d.json", "--dataset-path [path]"},
		"home on a Mac":        {"open /Users/alice/x.txt", "open [path]"},
		"home of root":         {"model='/root/models/private'", "model='[path]'"},
		"home by tilde":        {"cd ~/work/x && ls", "cd [path] && ls"},
		"other path":           {`File "/opt/v/site-packages/a.py", line 12`, `File "[path]", line 12`},
		"path in JSON":         {`"tokenizer_id": "/data/team/tok"`, `"tokenizer_id": "[path]"`},
		"path after an escape": {`"out": "a\n/home/alice/x"`, `"out": "a\n[path]"`},
		"path at a line's end": {"saved to /data/out/x.", "saved to [path]."},
		"list of paths":        {"PATH=/opt/a/bin:/home/b/bin", "PATH=[path]:[path]"},
		"path in Chinese":      {"保存到：/data/张三/结果，完成", "保存到：[path]，完成"},
		"Windows path":         {`at C:\Users\alice\m`, `at [path]`},
		"Windows path in JSON": {`"C:\\Users\\alice\\m"`, `"[path]"`},
		"bucket":               {"s3://acme-results/run1/x", "s3://[path]"},
		"file address":         {"file:///home/alice/x", "file://[path]"},
		"model path":           {"model='/data/team/Qwen/Qwen3-8B', tp=1", "model='[path]/Qwen3-8B', tp=1"},
		"model in the cache":   {"/root/.cache/huggingface/hub/models--Qwen--Qwen3-8B/x", "[path]/models--Qwen--Qwen3-8B/x"},
		"name like a model":    {"/home/qwen2b/secret", "[path]"},
		// keys
		"Hugging Face token": {"HF_TOKEN=hf_AbCdEfGhIjKlMnOpQr", "HF_TOKEN=[key]"},
		"bare token":         {"using hf_AbCdEfGhIjKlMnOpQr now", "using [key] now"},
		"OpenAI key":         {"key sk-proj-abc123DEF456 used", "key [key] used"},
		"bearer token":       {"Authorization: Bearer abc.def-123", "Authorization: Bearer [key]"},
		"basic":              {"Authorization: Basic YWxpY2U6cHc=", "Authorization: Basic [key]"},
		"curl header":        {`curl -H "X-Team: alpha" u`, `curl -H "X-Team: [key]" u`},
		"AWS id":             {"AKIAIOSFODNN7EXAMPLE", "[key]"},
		"AWS secret":         {"aws_secret_access_key = x", "aws_secret_access_key = x"},
		"AWS secret, set":    {"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7", "AWS_SECRET_ACCESS_KEY=[key]"},
		"key argument":       {"Namespace(api_key='topsecret')", "Namespace(api_key='[key]')"},
		"key flag":           {"--api-key abc --port 1", "--api-key [key] --port 1"},
		"key in JSON":        {`"admin_api_key": "abc"`, `"admin_api_key": "[key]"`},
		"password":           {"password: hunter2", "password: [key]"},
		"query":              {"http://127.0.0.1/x?api_key=abc&n=1", "http://127.0.0.1/x?api_key=[key]&n=1"},
		"JWT":                {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.sig", "[key]"},
		"headers in Namespace": {
			"header=['Authorization=Bearer abc1', 'X-Org: acme'], seed=0", "header=['Authorization=Bearer [key]', 'X-Org: [key]'], seed=0",
		},
		"headers in JSON": {`"extra_headers": {"X-Org": "acme", "Accept": "text/plain"}`, `"extra_headers": {"X-Org": "[key]", "Accept": "text/plain"}`},
		"private key":     {"-----BEGIN PRIVATE KEY-----\nMIIE+x/1\nabc=\n-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n[key]\n[key]\n-----END PRIVATE KEY-----"},
		// e-mail and pods
		"e-mail":         {"ask alice.b+x@acme.com.", "ask [email]."},
		"pod":            {"vllm-decode-7d4b9c6f5x-x2x4z started", "[pod] started"},
		"pod by name":    {`pod="decode-0"`, `pod="[pod]"`},
		"namespace":      {`kubernetes_namespace="team-a"`, `kubernetes_namespace="[pod]"`},
		"server's start": {`"model_path": "/data/t/m", "host": "gpua", "api_key": "abc"`, `"model_path": "[path]", "host": "[host]", "api_key": "[key]"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, secret.String(c.in)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		// numbers, versions, units
		"Output token throughput (tok/s):         496.88", "tput 12.5 tok/s/GPU, 3/4 done on 11/30/26", "driver 580.159.04, CUDA 13.0",
		"cudnn==9.10.2.21", "nvidia-cublas-cu12 12.4.5.8", "vLLM API server version 0.11.0", "torch 2.11.0+cu130", "V1 LLM engine (v0.26.0)",
		"2026-11-30 21:01:19,713 - INFO - autotuner.py:651 - x", "[W1130 21:01:06.265185619 socket.cpp:207] [c10d] no", "15:14:13.5", "at 0x7f3a::b",
		// models, data sets, flags
		"vllm serve Qwen/Qwen3-8B --max-concurrency 4", "--model-path Qwen/Qwen3-14B-FP8 --attention-backend=fa3", "model: models/Qwen3-8B",
		"lmsys/sglang-EAGLE3-LLaMA3.3-Instruct-70B", "deepseek-ai/DeepSeek-V3.2", "<path>/DeepSeek-v3.2 --tp_size 8",
		"--endpoint /v1/chat/completions --backend openai-chat", "--tokenizer-mode deepseek_v32", "revision=main@v1.2.3", "constant@5.00",
		"wget https://huggingface.co/datasets/anon8231489123/ShareGPT_Vicuna_unfiltered/resolve/main/ShareGPT_V3_unfiltered_cleaned_split.json",
		"see https://docs.vllm.ai/en/v0.26.0/api/x", "pip install git+https://github.com/vllm-project/vllm.git@v0.11.0",
		"dummy names: hf_transfer hf_overrides hf_config=None sk-learn task-12345678", "std::vector<int> c10::Error a::b",
		// what servers log about everyone
		`INFO:     127.0.0.1:54838 - "POST /v1/chat/completions HTTP/1.1" 200 OK`, "Route: /custom/route, Methods: GET", "host='0.0.0.0', port=8000",
		"http://localhost:8000/v1", "host=None", `"host": null`, `"max_token": 512, "token": 5, "tokens": 7`, "tokenizer='Qwen/Qwen3-8B'",
		"Time to first token: 12", "token: three words", "Total generated tokens:                  22061", "api_key=None, admin_api_key=''",
		"OPENAI_API_KEY=EMPTY", "--api-key $OPENAI_API_KEY", "Authorization: Bearer $TOKEN", "Bearer tokens are sent", "> /dev/null 2>&1",
		"--host HOST", "--admin-api-key ADMIN_API_KEY", "--header MyHeader=MY_VALUE", "threading.local()", "inference_perf.client.filestorage.local",
		"</details><br/>", "--------------Token Stats--------------", "and/or, N/A, I/O, w/o, +/- 3 %", "role: user, user: hello", `"role": "user"`, "owned_by=vllm", "pid=3006", "Namespace(namespace=None)",
		"============ Serving Benchmark Result ============", "100%|████| 100/100 [00:44<00:00,  2.25it/s]",
		"[host] [path]/Qwen3-8B [key] [user]@[host] host='[host]' http://[host]:80",
	} {
		if diff := cmp.Diff(s, secret.String(s)); diff != "" {
			t.Errorf("changed (-want +got):\n%s", diff)
		}
	}
}

func TestFindsPlacesAndCleanReportsThem(t *testing.T) {
	t.Parallel()
	src := "one\r\nhost='gpua' and host='gpub', user='alice'\n\n/home/bob/x\n"
	require.Equal(t, []secret.Match{
		{Kind: secret.Host, Start: 11, End: 15, Line: 2}, {Kind: secret.Host, Start: 27, End: 31, Line: 2},
		{Kind: secret.User, Start: 40, End: 45, Line: 2}, {Kind: secret.Path, Start: 48, End: 59, Line: 4},
	}, secret.Find([]byte(src)))
	clean, done := secret.Clean([]byte(src))
	require.Equal(t, "one\r\nhost='[host]' and host='[host]', user='[user]'\n\n[path]\n", string(clean))
	require.Equal(t, []secret.Replacement{{secret.Host, 2, 2}, {secret.User, 2, 1}, {secret.Path, 4, 1}}, done)
}

// TestWhatWasReplacedIsFoundAgain: every kind's placeholder, and nothing that only looks like one.
func TestWhatWasReplacedIsFoundAgain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]secret.Kind{
		"CUDA_HOME=[path]": secret.Path, "http://[host]:80": secret.Host, "--header X=[key]": secret.Key,
		"ssh [user]@a": secret.User, "[email]": secret.Email, "[pod]": secret.Pod, "[paths] [ -e a ] [0]": "",
	} {
		kind, is := secret.Replaced(text)
		require.Equal(t, want, kind, text)
		require.Equal(t, want != "", is, text)
	}
}

func TestTheNameSaysWhatAValueIs(t *testing.T) {
	t.Parallel()
	require.Equal(t, "[host]", secret.Named("host", "gpua"))
	require.Equal(t, "gpua", secret.Named("dataset_name", "gpua"))
	require.Equal(t, "[path]", secret.Named("model_id", "/data/team/m"))
}

// maliciousLines are long lines that would take for ever if each place in them were
// looked at as far as its line goes.
func TestLongLinesTakeNoLongerThanTheyAreLong(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"a@", "x.com.", "host=", "token=", "/a", "a-", "://", "ip-1-", "::", "1.1.1.", "header=[", "--host ", "~/a", `C:\`, "-----BEGIN PRIVATE KEY-----"} {
		src := []byte(strings.Repeat(part, 200_000/len(part)))
		clean, _ := secret.Clean(src)
		require.NotEmpty(t, clean, part)
	}
}
