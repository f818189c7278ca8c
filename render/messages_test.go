package render_test

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/i18n"
	"benchguide/render"
	"benchguide/render/gate"
)

// TestMessagesStateNoNumbers reads every message of the catalogue as the gate reads
// pages: a number word in a message would stop the build of whatever page says it, on
// the day that some study first makes a page say it.
func TestMessagesStateNoNumbers(t *testing.T) {
	t.Parallel()
	placeholder := regexp.MustCompile(`\{\{[^}]*\}\}`)
	for _, lang := range render.Langs() {
		data, err := fs.ReadFile(i18n.Files, "active."+string(lang)+".json")
		require.NoError(t, err)
		var messages map[string]string
		require.NoError(t, json.Unmarshal(data, &messages))
		for id, message := range messages {
			text := placeholder.ReplaceAllString(message, "x")
			found := gate.Markdown(id, []byte(text+"\n"), nil, gate.Known{Literals: []string{"P99"}})
			require.Empty(t, found, "%s: %s", id, message)
		}
	}
}

// TestBothLanguagesHaveTheSameMessages compares the catalogue's languages.
func TestBothLanguagesHaveTheSameMessages(t *testing.T) {
	t.Parallel()
	keys := map[render.Lang]map[string]bool{}
	for _, lang := range render.Langs() {
		data, err := fs.ReadFile(i18n.Files, "active."+string(lang)+".json")
		require.NoError(t, err)
		var messages map[string]string
		require.NoError(t, json.Unmarshal(data, &messages))
		keys[lang] = map[string]bool{}
		for id := range messages {
			keys[lang][id] = true
		}
	}
	require.Equal(t, keys[render.ZH], keys[render.EN])
}
