package attempt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run/attempt"
)

func TestAGoodAttempt(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	r := b.run(t, t.Context())
	require.Equal(t, attempt.Done, r.State, "%s\n%s\n%s", r.Reason, b.told(), b.read(t, "server.log"))
	t.Log(b.told(), r.Files, b.read(t, "attempt.json"), b.read(t, "main.txt"), b.read(t, "warmup.log"), r.Invalid)
}
