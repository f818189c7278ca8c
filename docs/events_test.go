package docs_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run"
)

// TestEventsAreDocumented holds the table of events against the code: other programs read
// them by what it says.
func TestEventsAreDocumented(t *testing.T) {
	t.Parallel()
	text := read(t, "running.md")
	event := reflect.TypeFor[run.Event]()
	require.Greater(t, event.NumField(), 10)
	for field := range event.NumField() {
		name, _, _ := strings.Cut(event.Field(field).Tag.Get("json"), ",")
		require.Contains(t, text, "`"+name+"`", "a member of events that docs/running.md does not have")
	}
	for _, kind := range []run.Kind{run.Began, run.Ordered, run.Phased, run.Finished, run.FailedNow, run.LeftStage,
		run.Decided, run.Confirmed, run.Noted, run.Stopped, run.Ended} {
		require.Contains(t, text, "\n| `"+string(kind)+"` |")
	}
}
