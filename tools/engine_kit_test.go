package tools_test

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnpackKeepsVersionsApart(t *testing.T) {
	t.Parallel()
	dest := destination(t)
	// Two trips, the newer version first: an engine that comes later must neither take an
	// earlier one's place nor be the plain program because it came last.
	unpack(t, kit(t, "vllm", "0.26.0"), dest)
	unpack(t, kit(t, "vllm", "0.20.2"), dest)
	wantProgram(t, dest, "vllm-0.20.2", "serve: 0.20.2")
	wantProgram(t, dest, "vllm-0.26.0", "serve: 0.26.0")
	wantProgram(t, dest, "vllm", "serve: 0.26.0")
}

func TestUnpackNamesTheNewestPlainly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, newest string
		versions     []string
	}{
		{"the only one", "0.9.1", []string{"0.9.1"}},
		{"numbers and not letters", "0.20.2", []string{"0.9.1", "0.20.2"}},
		{"a release is newer than its candidate", "0.20.0", []string{"0.20.0", "0.20.0rc1"}},
		{"and older than its correction", "0.20.0.post1", []string{"0.20.0", "0.20.0.post1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dest := destination(t)
			unpack(t, kit(t, "vllm", c.versions...), dest)
			wantProgram(t, dest, "vllm", "serve: "+c.newest)
			for _, v := range c.versions {
				wantProgram(t, dest, "vllm-"+v, "serve: "+v)
			}
		})
	}
}

func TestUnpackedSGLangIsAPython(t *testing.T) {
	t.Parallel()
	dest := destination(t)
	unpack(t, kit(t, "sglang", "0.5.17"), dest)
	for _, name := range []string{"sglang-python", "sglang-python-0.5.17"} {
		wantOutput(t, exec.Command(filepath.Join(dest, "bin", name), "-m", "sglang.launch_server", "serve"), "serve: 0.5.17")
	}
}

func TestUnpackGoesOnWithAFolderFromBeforeVersionsHadTheirOwn(t *testing.T) {
	t.Parallel()
	dest := destination(t)
	for name, data := range files("vllm", "0.26.0") {
		write(t, filepath.Join(dest, "site-vllm", name), data)
	}
	mark := filepath.Join(dest, "site-vllm", "compiled-meanwhile")
	write(t, mark, "")
	unpack(t, kit(t, "vllm", "0.26.0", "0.20.2"), dest)
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("the folder that was there is not as it was: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dest, "site-vllm-0.26.0")); err == nil {
		t.Error("the version that was there is unpacked again")
	}
	wantProgram(t, dest, "vllm", "serve: 0.26.0")
	wantProgram(t, dest, "vllm-0.26.0", "serve: 0.26.0")
	wantProgram(t, dest, "vllm-0.20.2", "serve: 0.20.2")
}

func TestUnpackTakesNoHalfForAnEngine(t *testing.T) {
	t.Parallel()
	dest, src := destination(t), kit(t, "vllm", "0.20.2")
	last := filepath.Join(src, "vllm-0.20.2.01")
	data, err := os.ReadFile(last)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(last); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("python3", "engine-kit", "unpack", src, dest).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "vllm-0.20.2 cannot be unpacked: bring all of its parts") {
		t.Fatalf("a kit whose last part is missing: %v\n%s", err, out)
	}
	write(t, last, string(data))
	unpack(t, src, dest)
	wantProgram(t, dest, "vllm", "serve: 0.20.2")
}

// destination is a folder to unpack into. Its decompressor copies, and knows an end by the
// zeros that end an archive: what is tested is where things come to lie, and neither the
// wheel nor a network need be there for that.
func destination(t *testing.T) string {
	t.Helper()
	if err := exec.Command("python3", "--version").Run(); err != nil {
		t.Skip("there is no python3 here")
	}
	dest := t.TempDir()
	write(t, filepath.Join(dest, "zstandard", "zstandard.py"), `class ZstdDecompressor:
    def __init__(self, **options): self.end = b""
    def decompressobj(self): return self
    def decompress(self, data):
        self.end = (self.end + data)[-1024:]
        return data
    @property
    def eof(self): return self.end == bytes(1024)
`)
	return dest
}

// files are an engine that says its version when it is started.
func files(name, version string) map[string]string {
	program := fmt.Sprintf("import sys\nprint(sys.argv[1] + ': %s')\n", version)
	all := map[string]string{name + "-" + version + ".dist-info/METADATA": "Version: " + version + "\n"}
	for _, file := range map[string][]string{
		"vllm":   {"vllm/__init__.py", "vllm/entrypoints/__init__.py", "vllm/entrypoints/cli/__init__.py", "vllm/entrypoints/cli/main.py"},
		"sglang": {"sglang/__init__.py", "sglang/launch_server.py"},
	}[name] {
		all[file] = ""
		if !strings.HasSuffix(file, "__init__.py") {
			all[file] = program
		}
	}
	return all
}

// kit makes a folder with the parts of some versions of an engine.
func kit(t *testing.T, name string, versions ...string) string {
	t.Helper()
	src := t.TempDir()
	for _, v := range versions {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for file, data := range files(name, v) {
			if err := w.WriteHeader(&tar.Header{Name: "./" + file, Mode: 0o644, Size: int64(len(data))}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(data)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		// The cut lies in the middle of a header, so that neither part is an archive.
		write(t, filepath.Join(src, name+"-"+v+".00"), b.String()[:700])
		write(t, filepath.Join(src, name+"-"+v+".01"), b.String()[700:])
	}
	return src
}

func unpack(t *testing.T, src, dest string) {
	t.Helper()
	if out, err := exec.Command("python3", "engine-kit", "unpack", src, dest).CombinedOutput(); err != nil {
		t.Fatalf("engine-kit unpack: %v\n%s", err, out)
	}
}

// wantProgram starts a program of DEST/bin.
func wantProgram(t *testing.T, dest, name, want string) {
	t.Helper()
	wantOutput(t, exec.Command(filepath.Join(dest, "bin", name), "serve"), want)
}

func wantOutput(t *testing.T, cmd *exec.Cmd, want string) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != want {
		t.Errorf("%s printed %q (%v), want %q", filepath.Base(cmd.Path), got, err, want)
	}
}

func write(t *testing.T, name, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}
