package executor_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
	"benchguide/run/executor"
	"benchguide/run/machine"
)

// shell is a scheduler of a few lines: a background process, and files that say of it.
// The folder has a space in its name, and the templates no quotes.
func shell(t *testing.T, attempt string) (machine.Command, string, attemptOrder) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "an attempt")
	require.NoError(t, os.Mkdir(folder, 0o755))
	_, o := order(t)
	return machine.Command{
		Submit: `echo submitting {name}; (cd {folder}; ` + attempt + `; touch ended) >/dev/null 2>&1 & echo $!`,
		Poll:   `cd {folder}; test -e ended && echo done || echo running`,
		Cancel: `kill {id}; touch {folder}/ended`,
	}, folder, attemptOrder(o)
}

// attemptOrder keeps the signature of shell short.
type attemptOrder = attempt.Order

const seals = `echo '{}' >result.json`

func TestCommandCarriesAnAttemptOut(t *testing.T) {
	t.Parallel()
	profile, folder, o := shell(t, `echo '{"phase":"measuring"}' >events.jsonl; `+seals)
	var heard events
	require.NoError(t, executor.Command{Profile: profile, Pace: quick()}.Run(t.Context(), folder, o, heard.seen))
	if diff := cmp.Diff([]string{"measuring: "}, heard.texts()); diff != "" {
		t.Error(diff)
	}
	require.NoFileExists(t, filepath.Join(folder, "job.json"))
}

func TestCommandFetches(t *testing.T) {
	t.Parallel()
	profile, folder, o := shell(t, `sleep 0.05; echo '{}' >seal.elsewhere`)
	profile.Fetch = `test ! -e {folder}/seal.elsewhere || mv {folder}/seal.elsewhere {folder}/result.json`
	require.NoError(t, executor.Command{Profile: profile, Pace: quick()}.Run(t.Context(), folder, o, nil))
}

func TestCommandFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*machine.Command)
		kind   error
		want   string
	}{
		{"submit says no", func(c *machine.Command) { c.Submit = "echo quota exceeded >&2; exit 3" }, executor.ErrRefused, "status 3: quota exceeded"},
		{"done without a seal", func(c *machine.Command) { c.Submit, c.Poll = "echo 1", "echo done" }, executor.ErrLost, "left no result.json"},
		{"lost", func(c *machine.Command) { c.Submit, c.Poll = "echo 1", "echo lost" }, executor.ErrLost, "is lost"},
		{"fetch fails", func(c *machine.Command) {
			c.Submit, c.Poll, c.Fetch = "echo 1", "echo done", "echo no route >&2; false"
		}, executor.ErrLost, "no route"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			profile, folder, o := shell(t, seals)
			test.change(&profile)
			err := executor.Command{Profile: profile, Pace: quick()}.Run(t.Context(), folder, o, nil)
			require.ErrorIs(t, err, test.kind)
			require.ErrorContains(t, err, test.want)
		})
	}
}

// A network that is down for a while makes no attempt lost.
func TestCommandWaitsForAPollThatFails(t *testing.T) {
	t.Parallel()
	profile, folder, o := shell(t, seals)
	profile.Poll = `cd {folder}; echo x >>polls; test $(wc -l <polls) -gt 30 && echo done || { echo no route >&2; false; }`
	var heard events
	require.NoError(t, executor.Command{Profile: profile, Pace: slowSettle()}.Run(t.Context(), folder, o, heard.seen))
	require.Contains(t, heard.texts(), "queued: command.poll failed: no route")
}

// slowSettle keeps a seal from ending the wait before the poll has answered.
func slowSettle() executor.Pace {
	p := quick()
	p.Settle = 10 * time.Second
	return p
}

func TestCommandCancels(t *testing.T) {
	t.Parallel()
	profile, folder, o := shell(t, `touch begun; exec sleep 60`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- executor.Command{Profile: profile, Pace: quick()}.Run(ctx, folder, o, nil) }()
	require.Eventually(t, func() bool { _, err := os.Stat(filepath.Join(folder, "begun")); return err == nil }, 10*time.Second, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	require.FileExists(t, filepath.Join(folder, "ended"))
}

func TestCommandRecovers(t *testing.T) {
	t.Parallel()
	profile, folder, o := shell(t, `while ! test -e go; do sleep 0.01; done; `+seals)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// The first runner vanishes as one that is killed does: its job stays.
	left := profile
	left.Cancel = "true"
	first := make(chan error, 1)
	go func() { first <- executor.Command{Profile: left, Pace: quick()}.Run(ctx, folder, o, nil) }()
	require.Eventually(t, func() bool {
		b, _ := os.ReadFile(filepath.Join(folder, "job.json"))
		return len(b) > len(`{"name":"bg-0a1b"}`)+1
	}, 10*time.Second, time.Millisecond)
	cancel()
	require.Error(t, <-first)

	require.NoError(t, os.WriteFile(filepath.Join(folder, "go"), nil, 0o644))
	require.NoError(t, executor.Command{Profile: profile, Pace: quick()}.Recover(t.Context(), folder, o, nil))
	require.FileExists(t, filepath.Join(folder, "result.json"))
}

func TestCommandDoesNotGuessAnID(t *testing.T) {
	t.Parallel()
	profile, folder, o := shell(t, seals)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "job.json"), []byte(`{"name": "bg-0a1b"}`), 0o644))
	err := executor.Command{Profile: profile, Pace: quick()}.Recover(t.Context(), folder, o, nil)
	require.ErrorContains(t, err, "interrupted before it printed an id")
}

func TestFill(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, template, folder, want string }{
		{"plain", "run {folder} {name} {id}", "/a/b", "run /a/b n 7"},
		{"a space", "run {folder}", "/a b", "run '/a b'"},
		{"a quote", "run {folder}", "/it's", `run '/it'\''s'`},
		{"what a shell would carry out", "run {folder}", "/$(rm -rf x)", "run '/$(rm -rf x)'"},
		{"a placeholder in a value", "run {folder}", "/{id}", "run '/{id}'"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, executor.Fill(test.template, test.folder, "n", "7"))
		})
	}
}
