package fake_test

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/bench"
	"benchguide/run/fake"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain makes the test binary a fake engine when it is started as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "fake-engine" {
		os.Exit(fake.Main(context.Background(), os.Args[2:], os.Stdout, os.Stderr))
	}
	flag.Parse()
	os.Exit(m.Run())
}

// commands are the serving commands of each engine.
var commands = map[string]string{
	"vllm":         "vllm serve Qwen/Qwen3-8B --served-model-name name",
	"sglang":       "python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --served-model-name name --enable-metrics",
	"tensorrt-llm": "trtllm-serve Qwen/Qwen3-8B --served_model_name name",
	"llama.cpp":    "llama-server -m models/Qwen3-8B-Q8_0.gguf --alias name --metrics",
}

func newFake(t *testing.T, o fake.Options) *httptest.Server {
	t.Helper()
	h, err := fake.New(o)
	require.NoError(t, err)
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func words(command string) []string { return strings.Fields(command) }

func clientOf(base, endpoint string) *bench.Client {
	return &bench.Client{HTTP: bench.NewHTTP(), Base: base, Endpoint: endpoint, Model: "name", IgnoreEOS: true, Rehearsal: true, Timeout: 20 * time.Second}
}

// rehearse sends one prompt to a fresh start and returns its outcome.
func rehearse(t *testing.T, o fake.Options, load string, p bench.Prompt) bench.Outcome {
	t.Helper()
	c := clientOf(newFake(t, o).URL, bench.Completions)
	c.Model = "" // any name
	c.Headers = map[string]string{fake.LoadHeader: load}
	return c.Do(t.Context(), p)
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(body)
}

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(text)
}

// process is a fake engine that was started as a program.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string
	port int
	log  string // file
	done chan struct{}
}

// start starts a fake engine with a script of faults and does not wait for it.
func start(t *testing.T, command, script string, env ...string) *process {
	t.Helper()
	folder := t.TempDir()
	p := &process{t: t, port: freePort(t), log: filepath.Join(folder, "server.log"), done: make(chan struct{})}
	p.base = "http://127.0.0.1:" + strconv.Itoa(p.port)
	args := []string{"fake-engine", "--time-scale", "0.001"}
	if script != "" {
		file := filepath.Join(folder, "script.json")
		require.NoError(t, os.WriteFile(file, []byte(script), 0o644))
		args = append(args, "--script", file)
	}
	args = append(append(args, "--"), words(command)...)
	p.run(append(args, "--port", strconv.Itoa(p.port)), env)
	return p
}

func (p *process) run(args, env []string) {
	p.t.Helper()
	log, err := os.Create(p.log)
	require.NoError(p.t, err)
	self, err := os.Executable()
	require.NoError(p.t, err)
	p.cmd = exec.Command(self, args...)
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.Env = log, log, append(os.Environ(), env...)
	require.NoError(p.t, p.cmd.Start())
	log.Close()
	go func() {
		p.cmd.Wait() // its code is in ProcessState
		close(p.done)
	}()
	p.t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.done
	})
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// soon polls until a condition holds.
func soon(t *testing.T, what string, holds func() bool) {
	t.Helper()
	require.Eventually(t, holds, 20*time.Second, 5*time.Millisecond, what)
}

func (p *process) ready() *process {
	p.t.Helper()
	soon(p.t, "the fake engine becomes ready", func() bool { return p.health() == http.StatusOK })
	return p
}

// health is the status of /health, 0 when nothing answers.
func (p *process) health() int {
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get(p.base + "/health")
	if err != nil {
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}

func (p *process) text() string {
	data, err := os.ReadFile(p.log)
	require.NoError(p.t, err)
	return string(bytes.ToValidUTF8(data, nil))
}

// code waits for the end and returns the exit code.
func (p *process) code() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(20 * time.Second):
		p.t.Fatalf("the fake engine does not end; its log is:\n%s", p.text())
	}
	return p.cmd.ProcessState.ExitCode()
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (p *process) client() *bench.Client { return clientOf(p.base, bench.Completions) }
