package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/study/studytest"
)

// TestASpellIsToldWithWhatTheGPUsDid: which start, and a cause only where there is one.
func TestASpellIsToldWithWhatTheGPUsDid(t *testing.T) {
	t.Parallel()
	const busy = "400,700,50,1980,3201,98,1000"
	r := renderer(t)
	for spell, c := range map[string]struct{ en, zh string }{
		busy:                           {"in the other starts. The trial counts", "。该次测试照常计入"},
		"360,700,50,1980,3201,80,1000": {"GPU power was 720 W instead of 800 W and utilization 80% instead of 98%", "GPU 功耗却只有 720 W（其余时间 800 W），利用率只有 80%（其余时间 98%）"},
		"360,700,50,1700,3201,80,1000": {"The SM clock was 1700 MHz instead of 1980 MHz.", "SM 频率只有 1700 MHz（其余时间 1980 MHz）"},
	} {
		files, _ := pages(t, r, studytest.Disturbed(0, spell, busy))
		for name, want := range map[string]string{"en/small/guide.md": c.en, "zh/small/guide.md": c.zh} {
			require.Equal(t, 1, strings.Count(files[name], want), name+": "+want)
			require.Contains(t, files[name], "`one/base/start-2`", name)
			require.Contains(t, files[name], "8 s", name)
			require.Contains(t, files[name], "13 s", name)
		}
	}
}
