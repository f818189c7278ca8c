package e2e

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/internal/htmlcheck"
)

func TestEveryFactHasTheReportsValue(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	for name, page := range s.pages {
		for _, n := range page.All("data") {
			study, id := s.factOf(name, n)
			f, ok := s.fact(study, id)
			if !ok {
				t.Errorf("%s: %q is no fact of the report of %q", name, id, study)
				continue
			}
			if got, err := strconv.ParseFloat(n.Attr("value"), 64); err != nil || got != f.Value {
				t.Errorf("%s: fact %s has the value %q, the report says %v", name, id, n.Attr("value"), f.Value)
			}
		}
	}
}

// factOf returns the study and the id of a fact on a page: an index, which shows
// several studies, puts the study before the id.
func (s *site) factOf(page string, n htmlcheck.Node) (study, id string) {
	id = n.Attr("data-fact")
	if study := path.Base(path.Dir(page)); s.reports[study].Facts != nil {
		return study, id
	}
	study, id, _ = strings.Cut(id, "/")
	return study, id
}

func TestEveryFactLeadsToTheRawLinesThatItComesFrom(t *testing.T) {
	t.Parallel()
	s := trail{theSite(t), map[string]error{}}
	for name, page := range s.pages {
		own := path.Base(name) == "data.html"
		for _, n := range page.All("data") {
			if own && len(n.All("a")) == 0 {
				continue // the row's own fact; TestEveryRowOfDerivedFactsListsItsInputs
			}
			if err := s.follow(name, n, 0); err != nil {
				study, id := s.factOf(name, n)
				t.Errorf("%s: fact %s of %s: %v", name, id, study, err)
			}
		}
	}
}

// trail remembers where links led: many facts are computed from the same ones.
type trail struct {
	*site
	led map[string]error
}

// follow goes where a fact's link leads. A derived fact's row must list inputs, and
// each of them must lead on to a raw line.
func (s trail) follow(name string, n htmlcheck.Node, depth int) error {
	links := n.All("a")
	if len(links) != 1 {
		return fmt.Errorf("has %d links, not one", len(links))
	}
	if depth > 10 {
		return fmt.Errorf("is computed from itself")
	}
	key := strings.Join([]string{name, links[0].Attr("href"), n.Attr("data-fact"), n.Text()}, "\n")
	if err, known := s.led[key]; known {
		return err
	}
	s.led[key] = s.walk(name, n, links[0], depth)
	return s.led[key]
}

func (s trail) walk(name string, n, link htmlcheck.Node, depth int) error {
	u, err := url.Parse(link.Attr("href"))
	if err != nil {
		return err
	}
	target, fragment := name, u.Fragment
	if u.Path != "" {
		target = path.Join(path.Dir(name), u.Path)
	}
	study, id := s.factOf(name, n)
	f, _ := s.fact(study, id)
	if f.Source != nil {
		return s.rawLine(f, study, target, fragment, n.Text())
	}
	rows := s.pages[target]
	if rows == nil || path.Base(target) != "data.html" || fragment != "f-"+id {
		return fmt.Errorf("is derived, but leads to %s#%s", target, fragment)
	}
	row, ok := rows.ID(fragment)
	if !ok {
		return fmt.Errorf("has no row in %s", target)
	}
	inputs := inputsOf(row)
	if len(inputs) == 0 && len(f.Inputs) == 0 && (strings.HasPrefix(f.ID, "rule:") || strings.HasPrefix(f.ID, "run:")) {
		return nil // a constant of the rule comes from no file, a count of a run's folders from no line
	}
	if len(inputs) == 0 && len(f.Inputs) == 0 && strings.HasPrefix(f.ID, "bound:") && strings.Contains(row.Text(), f.Formula) &&
		(strings.Contains(f.Formula, " data sheet") || strings.Contains(f.Formula, "config.json of ")) {
		return nil // from a document that is not the study's, which the row names
	}
	if len(inputs) == 0 {
		return fmt.Errorf("lists no inputs in %s", target)
	}
	for _, in := range inputs {
		if err := s.follow(target, in, depth+1); err != nil {
			return fmt.Errorf("input %s: %w", in.Attr("data-fact"), err)
		}
	}
	return nil
}

// silent are facts that lead to a line which does not state them, as "study/id": the
// study leaves the default of noise_floor unsaid. An entry that is mended must go.
func silent() []string {
	return []string{"smollm2-135m-cpu-latency/noise:declared", "qwen3-8b-h200-latency/noise:declared"}
}

func TestFactsThatLeadToASilentLineAreStillSilent(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	for _, entry := range silent() {
		study, id, _ := strings.Cut(entry, "/")
		f, ok := s.fact(study, id)
		require.True(t, ok, "%s is no fact any more: remove it", entry)
		lines := strings.Split(string(s.files[path.Join("studies", study, "raw", f.Source.File)]), "\n")
		require.Error(t, percentIn(lines[f.Source.Line-1], fmt.Sprintf("%.1f", 100*f.Value)), "%s is stated now: remove it", entry)
	}
}

// rawLine checks that a fact leads to its source, and that what the page prints
// stands in that line.
func (s *site) rawLine(f fact, study, target, fragment, printed string) error {
	raw := path.Join("studies", study, "raw", f.Source.File)
	if target == raw && fragment == "" && strings.HasPrefix(path.Ext(raw), ".json") && s.pages[raw+".html"] == nil {
		if s.files[raw] == nil {
			return fmt.Errorf("leads to %s, which is not there", raw)
		}
		return nil // the data of each request are one line of megabytes, which has no page
	}
	if target != raw+".html" || fragment != fmt.Sprintf("L%d", f.Source.Line) {
		return fmt.Errorf("comes from %s line %d, but leads to %s#%s", raw, f.Source.Line, target, fragment)
	}
	lines := strings.Split(string(s.files[raw]), "\n")
	if f.Source.Line > len(lines) {
		return fmt.Errorf("%s has no line %d", raw, f.Source.Line)
	}
	line, numbers := lines[f.Source.Line-1], s.pages[target]
	shown, ok := numbers.ID(fragment)
	if !ok || strings.TrimRight(shown.Text(), "\n") != line {
		return fmt.Errorf("%s shows another text at %s than the file: %q", target, fragment, line)
	}
	if f.Kind == "count" || slices.Contains(silent(), study+"/"+f.ID) {
		return nil // a count of a list leads to where the list starts
	}
	if strings.HasSuffix(f.ID, ":served") || strings.HasSuffix(f.ID, ":sm_clock") || strings.Contains(f.ID, ":spell.") {
		return nil // from one time of the file to another: the line is where they begin
	}
	number, _, _ := strings.Cut(printed, " ")
	if percent, ok := strings.CutSuffix(number, "%"); ok {
		return percentIn(line, percent)
	}
	if !strings.Contains(line, number) && !roundsTo(line, number) {
		return fmt.Errorf("prints %q, which does not stand in %s line %d: %q", printed, raw, f.Source.Line, line)
	}
	return nil
}

// roundsTo reports whether some number of a line is, at the precision of the printed one,
// that one.
func roundsTo(line, printed string) bool {
	_, decimals, _ := strings.Cut(printed, ".")
	for _, text := range regexp.MustCompile(`\d+(\.\d+)?`).FindAllString(line, -1) {
		value, err := strconv.ParseFloat(text, 64)
		if err == nil && strconv.FormatFloat(value, 'f', len(decimals), 64) == printed {
			return true
		}
	}
	return false
}

// percentIn accepts a percentage where the line has it as it is printed, with or without its
// sign, or as a whole number, or as a fraction, which may have more digits.
func percentIn(line, percent string) error {
	value, err := strconv.ParseFloat(percent, 64)
	if err != nil {
		return fmt.Errorf("prints the percentage %q: %w", percent, err)
	}
	for _, form := range []string{percent + "%", fmt.Sprintf("%g%%", value), fmt.Sprintf("%g", value/100)} {
		if strings.Contains(line, form) {
			return nil
		}
	}
	_, decimals, _ := strings.Cut(percent, ".")
	if decimals != "" && strings.Contains(line, percent) {
		return nil // a client's column of percentages has no signs
	}
	for _, text := range regexp.MustCompile(`\b0\.\d+`).FindAllString(line, -1) {
		if part, err := strconv.ParseFloat(text, 64); err == nil && strconv.FormatFloat(100*part, 'f', len(decimals), 64) == percent {
			return nil
		}
	}
	return fmt.Errorf("prints %s%%, which does not stand in %q", percent, line)
}

// inputsOf are the facts of a row's last cell.
func inputsOf(row htmlcheck.Node) []htmlcheck.Node {
	cells := row.All("td")
	if len(cells) == 0 {
		return nil
	}
	return cells[len(cells)-1].All("data")
}

func TestEveryRowOfDerivedFactsListsItsInputs(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	for _, g := range s.guides(t) {
		name := path.Join(g.dir, "data.html")
		page := s.pages[name]
		require.NotNil(t, page, name)
		want, got := map[string][]string{}, map[string][]string{}
		for _, f := range s.reports[g.study].Facts {
			if f.Source == nil && len(f.Inputs) > 0 {
				want[f.ID] = f.Inputs
			}
		}
		for _, row := range page.All("tbody tr") {
			id := strings.TrimPrefix(row.Attr("id"), "f-")
			for _, in := range inputsOf(row) {
				got[id] = append(got[id], in.Attr("data-fact"))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: rows and their inputs (-report +page):\n%s", name, diff)
		}
	}
}

func TestBothLanguagesStateTheSameFactsInTheSameSections(t *testing.T) {
	t.Parallel()
	s := theSite(t)
	for _, f := range s.collection.Folders {
		zh, en := s.pages[path.Join("zh", f.ID, "index.html")], s.pages[path.Join("en", f.ID, "index.html")]
		require.NotNil(t, zh)
		require.NotNil(t, en)
		a, b := sections(zh), sections(en)
		require.NotEmpty(t, a)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s: facts by section (-zh +en):\n%s", f.ID, diff)
		}
	}
}

// sections counts the facts of each section, which starts at a heading of the second
// or third level.
func sections(page *htmlcheck.Page) map[string]map[string]int {
	section := map[string]int{}
	counts := map[string]map[string]int{"top": section}
	for _, n := range page.All("main *") {
		switch n.Tag() {
		case "h2", "h3":
			section = map[string]int{}
			counts[n.Attr("id")] = section
		case "data":
			section[n.Attr("data-fact")+" = "+n.Attr("value")]++
		}
	}
	return counts
}
