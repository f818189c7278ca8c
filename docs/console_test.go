// Package docs_test keeps the prose of this repository true: what the documents show of
// the program is run, and what they list is compared with the code.
//
// Run with -update to put what the program prints now in place of what the documents show.
package docs_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the program prints now into the documents")

// root is the repository, seen from here.
const root = ".."

// console is a block of a document that shows a session: lines that begin with "$ "
// are typed, the others are what the program answers.
var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// TestDocumentsShowTheProgram makes the program once for all that is shown of it.
func TestDocumentsShowTheProgram(t *testing.T) {
	t.Parallel()
	program := build(t)
	t.Run("sessions", func(t *testing.T) { sessionsAreReal(t, program) })
	t.Run("exit codes", func(t *testing.T) { exitCodesAreListed(t, program) })
}

// sessionsAreReal types every session of every document into a shell. The sessions of
// one document are one after the other in one folder, as a reader has it: the program
// in bin/, and content/ and the small study to play with.
func sessionsAreReal(t *testing.T, program string) {
	sessions := 0
	for _, file := range documents(t) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		here := len(console.FindAll(source, -1))
		sessions += here
		if here == 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			s := newSession(t, program)
			got := console.ReplaceAllStringFunc(string(source), func(block string) string {
				return "```console\n" + s.replay(console.FindStringSubmatch(block)[1]) + "```"
			})
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
			} else if diff := cmp.Diff(string(source), got); diff != "" {
				t.Errorf("%s shows what the program does not print; make golden accepts it (-document, +program):\n%s", file, diff)
			}
		})
	}
	require.Greater(t, sessions, 3, "the documents show sessions; this test has lost them")
}

// documents lists the Markdown files that are written by hand.
func documents(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		files = append(files, found...)
	}
	return files
}

// build makes the program. Not -trimpath, which would build every package a second time.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "benchguide")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, root+"/cmd/benchguide").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// session is a folder with the program and the content, and the code that the last
// command ended with, so that "echo $?" shows what it does in a shell.
type session struct {
	t    *testing.T
	dir  string
	code int
}

func newSession(t *testing.T, program string) *session {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "bin"), 0o755))
	require.NoError(t, os.Symlink(program, filepath.Join(dir, "bin", "benchguide")))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "content"), os.DirFS(filepath.Join(root, "content"))))
	// Of the small study only what is checked in: whoever works here may have rehearsed it.
	small := filepath.Join("testdata", "small")
	source, err := os.ReadFile(filepath.Join(root, small, "study.yaml"))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, small), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, small, "study.yaml"), source, 0o644))
	return &session{t: t, dir: dir}
}

// replay types the commands of a block and returns the block with their answers.
func (s *session) replay(block string) string {
	var out strings.Builder
	for _, line := range strings.SplitAfter(block, "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			out.WriteString(line)
			out.WriteString(s.run(strings.TrimSpace(command)))
		}
	}
	return out.String()
}

// run types one command. Both streams are one, as on a terminal.
func (s *session) run(command string) string {
	cmd := exec.Command("bash", "-c", fmt.Sprintf("(exit %d); %s", s.code, command))
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatalf("%s: %v", command, err)
	}
	s.code = cmd.ProcessState.ExitCode()
	return string(out)
}

// exitCodesAreListed compares the READMEs' tables with what --help says.
func exitCodesAreListed(t *testing.T, program string) {
	help := newSession(t, program).run("bin/benchguide --help")
	_, codes, found := strings.Cut(help, "Exit codes:")
	require.True(t, found, help)
	codes, _, _ = strings.Cut(codes, "\n\n")
	said := regexp.MustCompile(`\b\d+\b`).FindAllString(codes, -1)
	require.NotEmpty(t, said)
	for _, name := range []string{"README.md", "README.zh.md"} {
		readme, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		var listed []string
		for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(string(readme), -1) {
			listed = append(listed, row[1])
		}
		require.Equal(t, said, listed, "the table of exit codes in %s", name)
	}
}
