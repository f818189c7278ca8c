package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A page on which everything is wrong that the tests of this package look for.
const faultyPage = `<!doctype html><html><head><title>faulty</title></head><body>
<h1>Faulty</h1>
<img src="missing.png">
<p style="color:#999;background:#aaa">hard to read</p>
<div style="width:3000px">wide</div>
<table><tr><td style="display:block;width:8px;padding:0;word-break:break-all">squeezed</td></tr></table>
<button style="font-size:4px;padding:0;border:0">x</button>
<figure class="chart"><svg id="both" width="50" height="20" style="overflow:visible"><text x="20" y="15">runs out of its drawing</text></svg>
<svg id="other" width="50" height="20"></svg></figure>
<script>console.error("said an error"); fetch("https://example.com/").catch(() => {}); null.thrown;</script>
</body></html>`

// The checks of pages are checked themselves: each must see its own fault.
func TestTheChecksSeeAFaultyPage(t *testing.T) {
	t.Parallel()
	p := open(t, view{wide, "light"})
	file := filepath.Join(t.TempDir(), "faulty.html")
	require.NoError(t, os.WriteFile(file, []byte(faultyPage), 0o600))
	p.visit(t, "file://"+filepath.ToSlash(file))
	got := strings.Join(append(p.answers(t), p.seen()...), "\n")
	for _, want := range []string{
		"the page is no wider than its window: 3",
		"texts of a chart lie inside of it: both",
		"one drawing of each chart is shown: both",
		"no cell is squeezed to a column of letters: squeezed",
		"nothing that can be pressed is tiny: x",
		"accessible: image-alt",
		"accessible: color-contrast",
		"accessible: html-has-lang",
		"said an error",
		"exception: TypeError",
		"network: asks for https://example.com/",
		"failed request: net::ERR_FILE_NOT_FOUND",
	} {
		require.Contains(t, got, want)
	}
}
