package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"benchguide/study/studytest"
)

// stubVLLM stands in for vLLM in scripts: a server that becomes healthy at its third
// question, and a client that asks it once and prints a block. STUB chooses a fault.
func stubVLLM() {
	args := os.Args[1:]
	switch {
	case len(args) == 1 && args[0] == "--version":
		fmt.Println("INFO: some line before it")
		fmt.Println(os.Getenv("STUB_VERSION"))
	case os.Getenv("STUB") == "dies":
		fmt.Println("RuntimeError: there is no GPU")
		os.Exit(1)
	case len(args) > 1 && args[0] == "serve":
		stubServe(args[1], after(args, "--port"))
	case len(args) > 1 && args[0] == "bench":
		stubBench(args)
	}
}

// after is the word behind an option.
func after(args []string, option string) string {
	for i, a := range args[:len(args)-1] {
		if a == option {
			return args[i+1]
		}
	}
	return ""
}

// stubServe serves a model, with a child as engines have it, and logs what it is asked.
func stubServe(model, port string) {
	child := exec.Command("sleep", "600")
	must(child.Start())
	fmt.Printf("serving %s on GPU %s\nchild %d\n", model, os.Getenv("CUDA_VISIBLE_DEVICES"), child.Process.Pid)
	must(os.WriteFile("child.pid", fmt.Appendln(nil, child.Process.Pid), 0o644))
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, os.Interrupt)
	var asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("POST /v1/completions", func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Model, Prompt string
			Tokens        int `json:"max_tokens"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || q.Model != model {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		fmt.Printf("asked for %d tokens: %.12s\n", q.Tokens, q.Prompt)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	must(err)
	go func() { _ = http.Serve(listener, mux) }()
	<-ended
	// The signal goes to the whole group: the child must have had it, too.
	_ = child.Wait()
	fmt.Println("ended with its child")
}

// stubBench prints the words that it was called with, and a result.
func stubBench(args []string) {
	body := fmt.Sprintf(`{"model": %q, "prompt": "measured", "max_tokens": 1}`, after(args, "--model"))
	resp, err := http.Post("http://127.0.0.1:"+after(args, "--port")+"/v1/completions", "application/json", strings.NewReader(body))
	must(err)
	_, _ = io.Copy(io.Discard, resp.Body)
	must(resp.Body.Close())
	if resp.StatusCode != http.StatusOK {
		must(fmt.Errorf("the server says %s", resp.Status))
	}
	fmt.Println("vllm", strings.Join(args, " "))
	fmt.Print(studytest.Good().Block())
	if os.Getenv("STUB") == "client-fails" {
		os.Exit(7)
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
}
