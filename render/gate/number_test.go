package gate_test

import (
	"html"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchguide/render/gate"
)

// texts returns what the findings are about.
func texts(found []gate.Finding) []string {
	var out []string
	for _, f := range found {
		out = append(out, f.Text)
	}
	return out
}

// codes returns the codes of the findings.
func codes(found []gate.Finding) []string {
	var out []string
	for _, f := range found {
		out = append(out, f.Code)
	}
	return out
}

func TestWhatCountsAsANumber(t *testing.T) {
	t.Parallel()
	cases := map[string][]struct {
		in   string
		want []string
	}{
		"digits": {
			{"5", []string{"5"}},
			{"a gain of +46.5% here", []string{"+46.5%"}},
			{"latency -31.7%, then", []string{"-31.7%"}},
			{"minus −3 ms", []string{"−3"}},
			{"1,234,567 tokens", []string{"1,234,567"}},
			{"0.874 s", []string{"0.874"}},
			{"about 1e6 or 1.5e-3", []string{"1e6", "1.5e-3"}},
			{"8-16 requests", []string{"8-16"}},
			{"8~16 requests", []string{"8~16"}},
			{"from 4%-5%", []string{"4%", "5%"}},
			{"1/2 of it", []string{"1/2"}},
			{"2.7x faster", []string{"2.7x"}},
			{"2.7× faster", []string{"2.7×"}},
			{"It took 5.", []string{"5"}},
			{"at 10:30", []string{"10:30"}},
			{"并发数4时", []string{"4"}},
			{"提升24.1%，降低-3.2%。", []string{"24.1%", "-3.2%"}},
			{"a 5, b 6", []string{"5", "6"}},
		},
		"digits of other scripts": {
			{"提升 １２％", []string{"１２％"}},
			{"٣ طلبات", []string{"٣"}},
			{"10² and ½", []string{"10²", "½"}},
			{"步骤①", []string{"①"}},
			{"𝟐 is two-faced", []string{"𝟐", "two"}},
			{"part Ⅳ, part IV", nil},
		},
		"digits in names": {
			{"vLLM v0.11.0 on H100", []string{"v0.11.0", "H100"}},
			{"Qwen3-8B and Qwen/Qwen3-14B.", []string{"Qwen3-8B", "Qwen/Qwen3-14B"}},
			{"p98 and fa3", []string{"p98", "fa3"}},
			{"--steps=4", []string{"4"}},
			{"max_num_8", []string{"max_num_8"}},
		},
		"terms of the field": {
			{"FP8, BF16, int4 and P99 latency, SHA256, UTF-8, E2E, k8s, x86_64", nil},
			{"FP8/BF16, fp8_e4m3, FP8-quantized, FP8.", nil},
			{"P99.9", nil},
			{"FP8的权重", nil},
			{"FP88 FP8-2 FP8x3 P999 FP8.5", []string{"FP88", "FP8-2", "FP8x3", "P999", "FP8.5"}},
			{"H200 EAGLE3 Llama-3 A100", []string{"H200", "Llama-3", "A100"}},
		},
		"Chinese: multiples, halves and fractions": {
			{"快了两倍，三倍，十倍", []string{"两倍", "三倍", "十倍"}},
			{"几倍？数倍，数十倍，一倍", []string{"几倍", "数倍", "数十倍", "一倍"}},
			{"吞吐量翻倍，翻番，翻了两番，成倍增长，倍增", []string{"翻倍", "翻番", "翻了两番", "成倍", "倍增"}},
			{"是原来的 倍，取整数倍、倍数", nil},
			{"增加倍数，两倍数量", []string{"两倍"}},
			{"不到一半，半数以上，过半，减半", []string{"一半", "半数", "过半", "减半"}},
			{"半秒，半个小时", []string{"半秒", "半个"}},
			{"通过半精度、统一半精度、半自动、多半", nil},
			{"百分之五，百分之 ５，百分之5.5", []string{"百分之五", "百分之", "５", "百分之5.5"}},
			{"三分之一，十分之一，百分百", []string{"三分之一", "十分之一", "百分百"}},
			{"三成，几成", []string{"三成", "几成"}},
			{"一成不变，由三成员组成", nil},
			{"通过半结束，三成分布", []string{"过半", "三成"}},
			{"零点八", []string{"零点八"}},
			{"早一点一起，一点一点", nil},
		},
		"Chinese: counts": {
			{"两个配置，三次启动，四 种引擎，八卡", []string{"两个", "三次", "四 种", "八卡"}},
			{"五毫秒，十分钟，二秒", []string{"五毫秒", "十分钟", "二秒"}},
			{"一个，一次，一种，零次，一一个", nil},
			{"一百个，十一条", []string{"一百个", "十一条"}},
			{"第三次，第 十二 个", nil},
			{"二次开发，二级缓存", nil},
			{"两者，三者，两端，两两比较，第三方", nil},
			{"二十，百万，数十，上千，几百", []string{"二十", "百万", "数十", "上千", "几百"}},
			{"参数十分重要，以上百科", nil},
			{"万一失败，千万不要，十分稳定，四处", nil},
			{"三千万，三千万不算多，一万一千", []string{"三千万", "三千万", "一万一千"}},
			{"同一百分位，两个百分点", []string{"两个"}},
			{"一起，一样，统一，唯一，进一步，四舍五入", nil},
		},
		"English": {
			{"Half of it, twice, thrice", []string{"Half", "twice", "thrice"}},
			{"doubled, double, triple, quadrupling", []string{"doubled", "double", "triple", "quadrupling"}},
			{"two, Twelve, twenty-one, two hundred and six", []string{"two", "Twelve", "twenty-one", "two hundred and six"}},
			{"a two-stage plan; hundreds; one million; a dozen", []string{"two", "hundreds", "one million", "dozen"}},
			{"twofold and tenfold", []string{"twofold", "tenfold"}},
			{"five percent, per cent", []string{"five", "percent", "per cent"}},
			{"one third, a quarter of", []string{"one third", "a quarter of"}},
			{"one, zero, once, none, both, a pair, single", nil},
			{"first, second, a third option, tenth, seconds", nil},
			{"someone, often, halfway, tense, network, percentile, twofer", nil},
			{"half-precision, double-checked, double quotes", nil},
			{"快 twice", []string{"twice"}},
			{"is_two_stage", nil},
		},
	}
	for group, list := range cases {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			for _, c := range list {
				inHTML := gate.HTML("p.html", []byte("<p>"+html.EscapeString(c.in)+"</p>"), gate.Known{})
				if diff := cmp.Diff(c.want, texts(inHTML)); diff != "" {
					t.Errorf("HTML of %q (-want +got):\n%s", c.in, diff)
				}
				inMarkdown := gate.Markdown("p.md", []byte(c.in), nil, gate.Known{})
				if diff := cmp.Diff(c.want, texts(inMarkdown)); diff != "" {
					t.Errorf("Markdown of %q (-want +got):\n%s", c.in, diff)
				}
			}
		})
	}
}

func TestAFindingSaysWhatWhereAndWhatNext(t *testing.T) {
	t.Parallel()
	want := []gate.Finding{{
		Code: "unbound-number", Severity: "error", File: "zh/index.html", Line: 3, Text: "2.7x",
		Message: `number "2.7x" is not bound: state it as a fact, or declare it as a literal of the study`,
	}}
	got := gate.HTML("zh/index.html", []byte("<p>\nfaster,\nby 2.7x</p>"), gate.Known{})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("HTML (-want +got):\n%s", diff)
	}
	want[0].File = "zh/index.md"
	got = gate.Markdown("zh/index.md", []byte("faster\n\nby 2.7x\n"), nil, gate.Known{})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Markdown (-want +got):\n%s", diff)
	}
}
