//go:build linux

package proc_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"benchguide/run/proc"
)

// TestMain lets the test binary play the processes that are started: with "helper" as its
// first word it does what the second says and runs no tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "helper" {
		helper(os.Args[2], os.Args[3:])
		return
	}
	if err := proc.BecomeSubreaper(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// The main goroutine must be on the main thread in the helper that gives that thread up.
var _ = stayOnMainThread()

func stayOnMainThread() bool {
	if len(os.Args) > 2 && os.Args[2] == "headless" {
		runtime.LockOSThread()
	}
	return true
}

// helper is a program that behaves badly on demand. A name of a file among its arguments
// is where it writes its process id as soon as it is ready.
func helper(mode string, args []string) {
	switch mode {
	case "exit":
		code, _ := strconv.Atoi(args[0])
		fmt.Println("going")
		fmt.Fprintln(os.Stderr, "gone")
		os.Exit(code)
	case "signal":
		number, _ := strconv.Atoi(args[0])
		syscall.Kill(os.Getpid(), syscall.Signal(number))
	case "print":
		fmt.Println(os.Getenv(args[0]))
		return
	case "polite": // ends with 0 on SIGTERM
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		ready(args[0])
		<-asked
		return
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		ready(args[0])
	case "clobber": // as setproctitle does
		signal.Ignore(syscall.SIGTERM)
		clobber()
		ready(args[0])
	case "headless": // ends its first thread, and goes on in others
		go func() {
			time.Sleep(2 * time.Minute)
			os.Exit(0)
		}()
		ready(args[0])
		syscall.Syscall(syscall.SYS_EXIT, 0, 0, 0)
	case "parent": // starts the rest as a child in its own session, and forgets it
		child(args[1:], os.Environ())
		ready(args[0])
	case "clean-parent": // the same with nothing in the environment
		child(args[1:], nil)
		ready(args[0])
	case "launcher": // starts the rest like a daemon, and ends
		child(args, os.Environ())
		return
	case "zombie": // a child that has ended, and a parent that does not care
		child([]string{"exit", "0"}, os.Environ())
		ready(args[0])
	case "burn":
		ready(args[0])
		for begin := time.Now(); time.Since(begin) < time.Minute; {
		}
	case "runner": // starts the rest by this package, keeps its identity, and waits to be killed
		p, err := proc.Start(proc.Spec{Words: args[1:], Nonce: args[0]})
		if err != nil {
			panic(err)
		}
		data, err := json.Marshal(p.Identity())
		if err != nil {
			panic(err)
		}
		file := filepath.Join(filepath.Dir(args[len(args)-1]), "runner")
		if err := errors.Join(os.WriteFile(file+".new", data, 0o644), os.Rename(file+".new", file)); err != nil {
			panic(err)
		}
		<-p.Done()
	default:
		panic("no such helper: " + mode)
	}
	time.Sleep(2 * time.Minute) // long enough for any test; nothing stays for ever
}

// words is the command of a helper.
func words(args ...string) []string {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return append([]string{self, "helper"}, args...)
}

// shell is a command that starts another one in its own session, and waits for it.
func shell(worker []string) []string {
	return append([]string{"/bin/sh", "-c", `"$@" & wait`, "sh"}, worker...)
}

func child(args, env []string) {
	w := words(args...)
	cmd := exec.Command(w[0], w[1:]...)
	cmd.Env = env
	if env == nil {
		cmd.Env = []string{"LANG=C"} // nil would be ours
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// ready writes the process id to a file, as a whole.
func ready(file string) {
	if err := os.WriteFile(file+".new", []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
		panic(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		panic(err)
	}
}

// clobber overwrites this process's environment where the kernel reads it.
func clobber() {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		panic(err)
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	begin, _ := strconv.ParseInt(fields[50-3], 10, 64)
	end, _ := strconv.ParseInt(fields[51-3], 10, 64)
	memory, err := os.OpenFile("/proc/self/mem", os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	title := make([]byte, end-begin)
	copy(title, "VLLM::EngineCore")
	if _, err := memory.WriteAt(title, begin); err != nil {
		panic(err)
	}
}

// awaitPID waits for a helper to be ready and returns its process id.
func awaitPID(t *testing.T, file string) int {
	t.Helper()
	var pid int
	require.Eventually(t, func() bool {
		data, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(string(data))
		return err == nil
	}, 30*time.Second, 5*time.Millisecond, "%s was not written", file)
	return pid
}

// start starts a helper and ends it with the test, whatever becomes of it.
func start(t *testing.T, s proc.Spec) *proc.Process {
	t.Helper()
	if s.Nonce == "" {
		s.Nonce = nonce(t)
	}
	p, err := proc.Start(s)
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.Stop(t.Context(), proc.Ladder{}) })
	return p
}

// nonce is a name that no other test and no other run of the tests has.
func nonce(t *testing.T) string {
	return fmt.Sprintf("%s-%d-%d", filepath.Base(t.Name()), os.Getpid(), time.Now().UnixNano())
}

// exists reports whether the kernel has an entry for a process, be it a zombie.
func exists(pid int) bool {
	_, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return err == nil
}

// letter is the state of a process as the kernel abbreviates it.
func letter(t *testing.T, pid int) string {
	t.Helper()
	return stat(t, pid)[0]
}

// identity makes the identity of a process that was not started by the package.
func identity(t *testing.T, pid int) proc.Identity {
	t.Helper()
	began, err := strconv.ParseUint(stat(t, pid)[22-3], 10, 64)
	require.NoError(t, err)
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	require.NoError(t, err)
	return proc.Identity{PID: pid, StartTime: began, Boot: strings.TrimSpace(string(boot))}
}

// stat returns the fields of /proc/PID/stat from the third on.
func stat(t *testing.T, pid int) []string {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	return strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
}
