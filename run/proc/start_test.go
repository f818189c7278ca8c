//go:build linux

package proc_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run/proc"
)

func TestExitIsToldInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		want proc.Exit
	}{
		{"success", []string{"exit", "0"}, proc.Exit{Text: "exit code 0"}},
		{"failure", []string{"exit", "3"}, proc.Exit{Code: 3, Text: "exit code 3"}},
		{"killed", []string{"signal", "9"}, proc.Exit{Code: -1, Signal: syscall.SIGKILL, Text: "signal 9 (killed)"}},
		{"terminated", []string{"signal", "15"}, proc.Exit{Code: -1, Signal: syscall.SIGTERM, Text: "signal 15 (terminated)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, proc.Spec{Words: words(c.args...)})
			<-p.Done()
			require.Empty(t, cmp.Diff(c.want, p.Exit()))
		})
	}
}

func TestARunningProcessHasNoExitYet(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p := start(t, proc.Spec{Words: words("polite", file)})
	awaitPID(t, file)
	require.Empty(t, cmp.Diff(proc.Exit{Code: -1, Text: "still running"}, p.Exit()))
}

func TestOutputIsAppendedToFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	both, apart := filepath.Join(dir, "both"), filepath.Join(dir, "stderr")
	require.NoError(t, os.WriteFile(both, []byte("before\n"), 0o644))
	for _, stderr := range []string{both, apart, ""} {
		<-start(t, proc.Spec{Words: words("exit", "0"), Stdout: both, Stderr: stderr}).Done()
	}
	got, err := os.ReadFile(both)
	require.NoError(t, err)
	require.Equal(t, "before\ngoing\ngone\ngoing\ngoing\n", string(got))
	got, err = os.ReadFile(apart)
	require.NoError(t, err)
	require.Equal(t, "gone\n", string(got))
}

func TestTheEnvironmentHasTheNonceAndMore(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{proc.NonceVar: "n-1", "MORE": "of it", "HOME": os.Getenv("HOME")} {
		out := filepath.Join(t.TempDir(), "out")
		<-start(t, proc.Spec{Words: words("print", name), Stdout: out, Nonce: "n-1", Env: map[string]string{"MORE": "of it"}}).Done()
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Equal(t, want+"\n", string(got), name)
	}
}

func TestAProcessLeadsItsSession(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p := start(t, proc.Spec{Words: words("polite", file)})
	pid := awaitPID(t, file)
	require.Equal(t, pid, p.Identity().PID)
	require.Equal(t, strconv.Itoa(pid), stat(t, pid)[6-3])
}

func TestIdentitySurvivesAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pid")
	p := start(t, proc.Spec{Words: words("polite", file)})
	want := identity(t, awaitPID(t, file))
	data, err := json.Marshal(p.Identity())
	require.NoError(t, err)
	var got proc.Identity
	require.NoError(t, json.Unmarshal(data, &got))
	require.Empty(t, cmp.Diff(p.Identity(), got))
	require.Equal(t, want.StartTime, got.StartTime)
	require.Equal(t, want.Boot, got.Boot)
	require.True(t, proc.Alive(got))
}

func TestWhatCannotBeStartedIsSaidInWords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
		require.NoError(t, os.Chmod(file, mode))
		return file
	}
	plain := write("plain", "echo\n", 0o644)
	for _, c := range []struct {
		name string
		spec proc.Spec
		want []string
		is   error
	}{
		{"no command", proc.Spec{}, []string{"no command"}, nil},
		{"no nonce", proc.Spec{Words: []string{"ls"}}, []string{"without a nonce"}, nil},
		{"nowhere on PATH", proc.Spec{Words: []string{"vllm-of-nobody"}, Nonce: "n"}, []string{"vllm-of-nobody was not found in any folder of PATH (", "machine.yaml's program"}, fs.ErrNotExist},
		{"the PATH is that of the process", proc.Spec{Words: []string{"ls"}, Nonce: "n", Env: map[string]string{"PATH": dir}}, []string{"PATH (" + dir + ")"}, fs.ErrNotExist},
		{"no such file", proc.Spec{Words: []string{dir + "/none"}, Nonce: "n"}, []string{dir + "/none does not exist", "machine.yaml's program"}, fs.ErrNotExist},
		{"not executable", proc.Spec{Words: []string{plain}, Nonce: "n"}, []string{"not executable", "chmod +x"}, fs.ErrPermission},
		{"not executable on PATH", proc.Spec{Words: []string{"plain"}, Nonce: "n", Env: map[string]string{"PATH": dir}}, []string{plain + " is not executable"}, fs.ErrPermission},
		{"a folder", proc.Spec{Words: []string{dir}, Nonce: "n"}, []string{"is a folder"}, fs.ErrPermission},
		{"a moved environment", proc.Spec{Words: []string{write("moved", "#!/gone/bin/python3 -I\n", 0o755)}, Nonce: "n"}, []string{"to be run by /gone/bin/python3", "moved"}, fs.ErrNotExist},
		{"no program", proc.Spec{Words: []string{write("text", "words\n", 0o755)}, Nonce: "n"}, []string{"no program for this machine"}, syscall.ENOEXEC},
		{"no such working folder", proc.Spec{Words: []string{"ls"}, Nonce: "n", Dir: dir + "/none"}, []string{"cannot start in that folder"}, fs.ErrNotExist},
		{"a file for a folder", proc.Spec{Words: []string{"ls"}, Nonce: "n", Dir: plain}, []string{"it is no folder"}, nil},
		{"no place for the log", proc.Spec{Words: []string{"ls"}, Nonce: "n", Stdout: dir + "/none/log"}, []string{"cannot keep the output"}, fs.ErrNotExist},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := proc.Start(c.spec)
			require.Error(t, err)
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
			}
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
		})
	}
}

func TestAProgramIsLookedForWhereItWouldBeStarted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Symlink("/bin/true", filepath.Join(dir, "only-here")))
	require.NoError(t, proc.Runnable("only-here", map[string]string{"PATH": dir}))
	require.ErrorContains(t, proc.Runnable("only-here", nil), "machine.yaml's program can name another")
	require.NoError(t, proc.Runnable("true", nil), "the inherited PATH")
	require.Error(t, proc.Runnable("true", map[string]string{"PATH": dir}))
}

func TestAProgramIsFoundFromTheWorkingFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Symlink("/bin/true", filepath.Join(dir, "server")))
	p := start(t, proc.Spec{Words: []string{"./server"}, Dir: dir})
	select {
	case <-p.Done():
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	require.Equal(t, "exit code 0", p.Exit().Text)
}
