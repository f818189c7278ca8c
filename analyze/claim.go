package analyze

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"benchguide/metric"
	"benchguide/study"
)

// ClaimStatus is what the data say of a published claim.
type ClaimStatus string

// The statuses of claims.
const (
	ClaimHolds   ClaimStatus = "holds"   // the data say the same, at the precision printed
	ClaimDiffers ClaimStatus = "differs" // the data say something else
	ClaimNoData  ClaimStatus = "no-data" // the data cannot say it
)

// Claim is a published statement with what the data say.
type Claim struct {
	ID     string      `json:"id"`
	Says   string      `json:"says"`
	Fact   string      `json:"fact,omitempty"`
	Order  []string    `json:"order,omitempty"` // with the signs that the data support
	Status ClaimStatus `json:"status"`
	Style  ClaimStyle  `json:"style,omitempty"` // how the number was printed, so that ours stands beside it alike
}

// ClaimStyle is the form in which a claim prints its number.
type ClaimStyle string

// The forms of published numbers.
const (
	StyleValue   ClaimStyle = "value"   // 1.78 s
	StylePercent ClaimStyle = "percent" // +66.2%
	StyleTimes   ClaimStyle = "times"   // 2.7x
)

var claimNumber = regexp.MustCompile(`[+\-−]?\d[\d,]*(?:\.(\d+))?\s*(%|x\b|×|倍|ms\b|s\b)?`)

// claims checks what an earlier publication says against the facts.
func (a *analysis) claims() {
	if a.study.Published == nil {
		return
	}
	for i, c := range a.study.Published.Claims {
		checked := a.claim(c, i)
		if len(c.Order) > 0 {
			checked = a.orderClaim(c, i)
		}
		a.report.Claims = append(a.report.Claims, checked)
	}
	a.countClaims()
}

func (a *analysis) claim(c study.Claim, i int) Claim {
	out := Claim{ID: c.ID, Says: c.Says, Fact: c.Fact, Status: ClaimHolds}
	if c.Fact == "" {
		return out
	}
	said, ok := readClaim(c.Says)
	if !ok {
		a.claimFinding(CodeBadClaim, SeverityError, c, i, nil)
		return out
	}
	out.Style = said.style
	fact, ok := a.facts.Get(c.Fact)
	if !ok {
		return a.claimWithoutFact(out, c, i)
	}
	if !agrees(said, fact) {
		out.Status = ClaimDiffers
		a.claimFinding(CodePublishedDiffers, SeverityCaution, c, i, map[string]string{"Data": c.Fact})
	}
	return out
}

// claimWithoutFact tells what the data cannot say (the latency of a trial whose
// latency is impossible) from a claim that names no fact at all.
func (a *analysis) claimWithoutFact(out Claim, c study.Claim, i int) Claim {
	trial, what, _ := strings.Cut(c.Fact, ":")
	related := map[string]string{}
	if s, ok := a.samples[trial]; ok && what == "request_latency" && s.NoLatency {
		related["Bound"] = trial + ":request_latency_bound"
	}
	if rest, ok := strings.CutPrefix(c.Fact, "case/"); ok {
		workload, gain, _ := strings.Cut(rest, ":")
		instead := "case/" + workload + ":gain.total_throughput"
		if gain == "gain.request_latency" && a.facts.Has(instead) {
			related["Instead"] = instead
		}
	}
	if len(related) == 0 {
		a.claimFinding(CodeUnknownFact, SeverityError, c, i, nil)
		return out
	}
	out.Status = ClaimNoData
	a.claimFinding(CodePublishedNoData, SeverityCaution, c, i, related)
	return out
}

// printed is a number as a publication prints it.
type printed struct {
	number   float64
	decimals int
	style    ClaimStyle
	unit     string // what stood behind it, as far as it matters
}

// readClaim takes the number out of a claim as it was printed.
func readClaim(says string) (printed, bool) {
	m := claimNumber.FindStringSubmatch(says)
	if m == nil {
		return printed{}, false
	}
	style := StyleValue
	switch m[2] {
	case "%":
		style = StylePercent
	case "x", "×", "倍":
		style = StyleTimes
	}
	digits := strings.TrimSuffix(strings.TrimSpace(m[0]), m[2])
	number, err := strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-").Replace(strings.TrimSpace(digits)), 64)
	return printed{number, len(m[1]), style, m[2]}, err == nil
}

// agrees reports whether a fact, rounded as the claim was, is what the claim says.
// Half a unit of the last printed digit is allowed on either side, so that rounding
// up and cutting off at an exact half both count as the same number.
func agrees(said printed, f Fact) bool {
	value := f.Value
	switch {
	case said.style == StylePercent && f.Kind == Ratio:
		value = (value - 1) * 100
	case said.style == StylePercent && f.Kind == Fraction:
		value *= 100
	case said.unit == "ms" && f.Unit == string(metric.Seconds):
		value *= 1000
	case said.unit == "s" && f.Unit == string(metric.Milliseconds):
		value /= 1000
	}
	half := math.Pow(10, -float64(said.decimals)) / 2
	return math.Abs(value-said.number) <= half*(1+1e-9)
}

// orderClaim checks a printed ranking sign by sign.
func (a *analysis) orderClaim(c study.Claim, i int) Claim {
	out := Claim{ID: c.ID, Says: c.Says, Status: ClaimHolds, Order: append([]string(nil), c.Order...)}
	facts := map[string]string{}
	for k := 0; k < len(c.Order); k += 2 {
		if !a.facts.Has(c.Order[k]) {
			a.claimFinding(CodeUnknownFact, SeverityError, c, i, nil)
			return out
		}
		facts["F"+strconv.Itoa(k/2)] = c.Order[k]
	}
	for k := 1; k+1 < len(c.Order); k += 2 {
		out.Order[k] = sign(a.facts.value(c.Order[k-1]), a.facts.value(c.Order[k+1]))
		if out.Order[k] != c.Order[k] {
			out.Status = ClaimDiffers
		}
	}
	if out.Status == ClaimDiffers {
		a.claimFinding(CodePublishedOrder, SeverityCaution, c, i, facts)
	}
	return out
}

func sign(left, right float64) string {
	switch {
	case left < right:
		return "<"
	case left > right:
		return ">"
	}
	return "="
}

func (a *analysis) claimFinding(code string, severity Severity, c study.Claim, i int, facts map[string]string) {
	line, column := a.folder.At("published", "claims", i, "says")
	names := map[string]string{"Fact": c.Fact}
	if len(c.Order) > 0 {
		names["Fact"] = strings.Join(c.Order, " ")
	}
	a.find(Finding{Code: code, Severity: severity, Subject: c.ID, File: "study.yaml", Line: line, Column: column, Facts: facts, Claim: c.ID, Names: names})
}

// countClaims states how many claims were checked and how many the data contradict.
func (a *analysis) countClaims() {
	differ := 0
	for _, c := range a.report.Claims {
		if c.Status != ClaimHolds {
			differ++
		}
	}
	source := a.at("published", "claims")
	a.facts.add(Fact{ID: "claims:checked", Kind: Count, Value: float64(len(a.report.Claims)), Source: source})
	a.facts.add(Fact{ID: "claims:contradicted", Kind: Count, Value: float64(differ), Source: source})
}
