package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

// TestExamplesCanBeTyped: the examples of every command are command lines that it takes, and
// the studies that they name are there.
func TestExamplesCanBeTyped(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"plan", "run", "check", "build", "parse", "bench"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			help := helpOf(t, command)
			_, examples, found := strings.Cut(help, "\nExamples:\n")
			require.True(t, found, help)
			for line := range strings.Lines(examples) {
				words := typed(line)
				require.Contains(t, words, command, line)
				parser, err := kong.New(&commandLine{}, kong.Vars{"version": "", "content": defaultContent})
				require.NoError(t, err)
				_, err = parser.Parse(words)
				require.NoError(t, err, line)
				for _, word := range words {
					if top, _, _ := strings.Cut(word, "/"); top == "content" || top == "testdata" {
						require.DirExists(t, filepath.Join("..", "..", word), line)
					}
				}
			}
		})
	}
}

// typed are the words that this program gets of a line of a shell.
func typed(line string) []string {
	line, _, _ = strings.Cut(line, "   #")
	line = line[strings.Index(line, "benchguide ")+len("benchguide "):]
	line, _, _ = strings.Cut(line, " >")
	return strings.Fields(line)
}

// TestHelpOfANewUser says what cannot be guessed: defaults, choices, and what an end means.
func TestHelpOfANewUser(t *testing.T) {
	t.Parallel()
	for command, want := range map[string][]string{
		"run": {
			"Exit codes: 0 the run is done; 5 it is not, --resume goes on; 3 nothing was started",
			"Where starts are made: local (this machine), slurm (jobs of a cluster) or command (commands of your own).",
			"By default programs are looked for on PATH.", "90m, 6h, 1h30m",
		},
		"plan":  {"no GPU or engine is needed", "the plan does not depend on it", "by default the last unfinished one, or else the last"},
		"build": {"By default content.", "a folder with anything else is refused"},
		"check": {"By default content.", "docs/findings.md explains every code", "but for those that the study accepts with a reason"},
	} {
		words := strings.Join(strings.Fields(helpOf(t, command)), " ")
		for _, text := range want {
			require.Contains(t, words, text, command)
		}
	}
}

func helpOf(t *testing.T, command string) string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Equal(t, exitOK, run(context.Background(), []string{command, "--help"}, os.Stdin, &out, &errs), errs.String())
	return out.String()
}
