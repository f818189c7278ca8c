package fake

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// drainTime bounds how long running requests are waited for at the end.
const drainTime = 30 * time.Second

// startMark tells this start from another one of the same process id.
func startMark() int64 { return time.Now().UnixNano() }

// run starts up as the engine does, serves, and ends as the engine does.
func (s *Server) run(ctx context.Context, self []string) int {
	if s.faults.has(IgnoreTerm) {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	} else {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGTERM, os.Interrupt)
		defer stop()
	}
	if s.faults.has(SilentStart) {
		<-ctx.Done()
		return 0
	}
	if code, ends := s.failedStart(ctx); ends {
		return code
	}
	if err := s.beside(self); err != nil {
		s.say("benchguide fake-engine: %v", err)
		return exitUsage
	}
	server, err := s.startUp(ctx)
	switch {
	case err != nil:
		text, code := portTaken(s.config)
		s.say("%s", text)
		s.say("(%v)", err)
		return code
	case server == nil: // told to stop before it served
		s.say("%s", strings.Join(s.stopLines(), "\n"))
		return 0
	}
	select {
	case code := <-s.died:
		server.Close()
		return code
	case <-ctx.Done():
		s.stop(server)
		return 0
	}
}

// failedStart shows the faults of a start that comes to nothing.
func (s *Server) failedStart(ctx context.Context) (code int, ends bool) {
	if s.faults.has(PortTaken) {
		text, code := portTaken(s.config)
		s.say("%s", text)
		return code, true
	}
	f, ok := s.faults.find(Exit)
	if !ok {
		return 0, false
	}
	lines := s.startLines()
	s.say("%s", strings.Join(lines[:min(3, len(lines))], "\n"))
	s.sleep(ctx, microseconds(f.Seconds), 0)
	if text := f.excerpt(s.engine.ID); text != "" {
		s.say("%s", text)
	}
	return f.Code, true
}

// startUp logs its steps over the time of the start, opens the port when the engine
// does, and returns when the engine is ready; with no server if it was stopped before.
func (s *Server) startUp(ctx context.Context) (*http.Server, error) {
	whole := s.simulator.startup()
	if f, ok := s.faults.find(SlowStart); ok {
		whole += microseconds(f.Seconds)
	}
	lines := s.startLines()
	opens := map[string]int{"llama.cpp": 0, "sglang": len(lines) - 1}
	var server *http.Server
	for i, line := range lines {
		if at, early := opens[s.engine.ID]; early && i == at {
			var err error
			if server, err = s.listen(); err != nil {
				return nil, err
			}
		}
		s.say("%s", line)
		if !s.sleep(ctx, whole/time.Duration(len(lines)), 0) {
			if server != nil {
				server.Close()
			}
			return nil, nil
		}
	}
	if server == nil {
		var err error
		if server, err = s.listen(); err != nil {
			return nil, err
		}
	}
	s.setPhase(ready)
	s.say("%s", s.readyLine())
	return server, nil
}

// listen opens the port and serves behind it, beside the twin where there is one.
func (s *Server) listen() (*http.Server, error) {
	twin, twice := s.faults.find(Twin)
	// vLLM shares its port with whoever else shares it, which is how a forgotten server takes
	// part of the requests of its successor.
	shared := twice || s.engine.ID == "vllm"
	address := net.JoinHostPort(s.host, strconv.Itoa(s.port))
	l, err := listenOn(address, shared)
	if err != nil {
		return nil, err
	}
	server := &http.Server{Handler: s}
	go server.Serve(l) // ends when the server is closed
	if twice {
		other, err := listenOn(address, true)
		if err != nil {
			server.Close()
			return nil, err
		}
		forgotten := &http.Server{Handler: s.as(twin.Name)}
		server.RegisterOnShutdown(func() { forgotten.Close() })
		go forgotten.Serve(other)
	}
	return server, nil
}

// stop ends serving: SGLang and TensorRT-LLM let running requests end, vLLM only where it
// is told to, llama.cpp never.
func (s *Server) stop(server *http.Server) {
	s.setPhase(stopping)
	s.say("%s", strings.Join(s.stopLines(), "\n"))
	patience, err := s.number("--shutdown-timeout", 0)
	drains := s.engine.ID == "sglang" || s.engine.ID == "tensorrt-llm" || err == nil && patience > 0
	if drains {
		ctx, cancel := context.WithTimeout(context.Background(), drainTime)
		defer cancel()
		if err := server.Shutdown(ctx); err == nil || !errors.Is(err, context.DeadlineExceeded) {
			return
		}
	}
	server.Close()
}

func (s *Server) startLines() []string {
	switch s.engine.ID {
	case "sglang":
		return s.logSGLang()
	case "tensorrt-llm":
		return s.logTensorRT()
	case "llama.cpp":
		return s.logLlama()
	default:
		return s.logVLLM()
	}
}

func (s *Server) readyLine() string {
	switch s.engine.ID {
	case "sglang":
		return readySGLang
	case "tensorrt-llm":
		return readyTensorRT
	case "llama.cpp":
		return s.readyLlama()
	default:
		return readyVLLM
	}
}

func (s *Server) stopLines() []string {
	switch s.engine.ID {
	case "sglang":
		return s.stopSGLang()
	case "tensorrt-llm":
		return s.stopTensorRT()
	case "llama.cpp":
		return s.stopLlama()
	default:
		return s.stopVLLM()
	}
}
