package markup_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/render/markup"
)

func TestPagesOfOursReadTheSameInBothLibraries(t *testing.T) {
	t.Parallel()
	src := `# 结论 **吞吐量（token/s）**提升 {#top}

使用 [链接](a.md#x) 与 ![图](c.svg "标题")，<https://example.org/?a&b>。

!!! note "关于 [链接](t.md)"
    文字

    ??? info "原始输出"
        1. 第一

            ` + "```bench title=\"H100\" #base" + `
            ============ Result ============

            Mean TTFT (ms):      12.5
            ` + "```" + `

        2. 第二

    | a | b |
    |:--|--:|
    | ` + "`x`" + ` | y |

## Setup &amp; *more*

- one
- two [b](b.md)

` + markup.Table([]markup.Cell{{markup.Text("配置")}, {markup.Text("a|b")}}, [][]markup.Cell{{{markup.Code("x")}, {markup.Link("c.md", markup.Text("c"))}}}, []markup.Align{markup.AlignLeft, markup.AlignRight}) +
		markup.CodeBlock("bash", "启动", "vllm serve \\\n  --x\n```\n")
	found, err := markup.New(english).Differences([]byte(src))
	require.NoError(t, err)
	require.Empty(t, found)
}

func TestDifferencesAreFoundAtTheirLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, src string
		want      markup.Difference
	}{
		{"heading right under text", "text\n\nx\n# a\n# b {.c}\n", markup.Difference{Line: 5, What: "heading", Here: "# b", There: "# b {.c}"}},
		{"link over raw HTML", "a\n\n[b](<x y>)\n\n[j](javascript:x)\n", markup.Difference{Line: 3, What: "link", There: "javascript:x"}},
		{"fence without an end", "a\n\n```bash\nx\n", markup.Difference{Line: 3, What: "code", Here: "bash: x"}},
		{"text right under a table", "a\n\n| a | b |\n|---|---|\n| 1 | 2 |\ntext\n", markup.Difference{Line: 3, What: "table",
			Here: "2 columns (none none), 2 rows", There: "2 columns (none none), 1 rows"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found, err := markup.New(english).Differences([]byte(c.src))
			require.NoError(t, err)
			require.Empty(t, cmp.Diff([]markup.Difference{c.want}, found))
		})
	}
}

func TestDifferencesOfHostileInput(t *testing.T) {
	t.Parallel()
	_, err := markup.New(english).Differences([]byte(strings.Repeat("[a](", 4000)))
	require.ErrorContains(t, err, "a paragraph of more than")
}
