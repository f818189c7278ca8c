package render_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/i18n"
	"benchguide/render"
	"benchguide/templates"
)

// renderer is made once for a test: reading the fonts takes its time.
func renderer(t *testing.T) *render.Renderer {
	t.Helper()
	r, err := render.New(templates.Files, i18n.Files)
	require.NoError(t, err)
	return r
}
