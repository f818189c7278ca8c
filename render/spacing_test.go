package render

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSpacesStandBetweenChineseAndLatinOnly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, value, want string }{
		{"a Chinese name", "排序依据：短对话 的平均延迟", "短对话", "排序依据：短对话的平均延迟"},
		{"between Chinese words", "部署 短对话 时", "短对话", "部署短对话时"},
		{"a Latin name", "部署 ShareGPT 时", "ShareGPT", "部署 ShareGPT 时"},
		{"a name that ends in a digit", "在 并发 4 时", "并发 4", "在并发 4 时"},
		{"beside a number", "1.5 短对话 s", "短对话", "1.5 短对话 s"},
		{"twice", "甲 乙 丙 乙 丙", "乙", "甲乙丙乙丙"},
		{"inside of the name", "用 短 对话 测", "短 对话", "用短 对话测"},
		{"nothing", "没有 值", "", "没有 值"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, closed(c.text, Args{"X": c.value}))
		})
	}
}
