package gpulog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// problemsMost is how many lines ReadSamples complains about before it only counts.
const problemsMost = 10

// column is what a column of a file of samples means.
type column func(*Sample, string) error

// columns are the columns that are read, by nvidia-smi's names for them. Units stand behind
// the names where nvidia-smi wrote the file itself.
var columns = map[string]column{
	"time":            readTime(time.RFC3339Nano),
	"timestamp":       readTime("2006/01/02 15:04:05.000"), // of the machine's zone, which it does not tell
	"index":           readIndex,
	"power.draw":      readNumber(func(s *Sample) *float64 { return &s.PowerW }),
	"power.limit":     readNumber(func(s *Sample) *float64 { return &s.LimitW }),
	"temperature.gpu": readNumber(func(s *Sample) *float64 { return &s.Celsius }),
	"clocks.sm":       readNumber(func(s *Sample) *float64 { return &s.SMClockMHz }),
	"clocks.mem":      readNumber(func(s *Sample) *float64 { return &s.MemClockMHz }),
	"utilization.gpu": readNumber(func(s *Sample) *float64 { return &s.Utilization }),
	"memory.used":     readNumber(func(s *Sample) *float64 { return &s.MemoryMiB }),
	ReasonsColumn:     readReasons,
}

// aliases are longer names of the same columns.
var aliases = map[string]string{
	"clocks.current.sm": "clocks.sm", "clocks.current.memory": "clocks.mem", OldReasonsColumn: ReasonsColumn,
}

// ReadSamples reads what a run wrote, and what nvidia-smi -l 1 writes with a header. The
// samples of good lines are returned beside an error about the others. A last line without
// an end is left out without a word: it was torn when its writer was killed, and half a
// number can look like a whole one.
func ReadSamples(r io.Reader) ([]Sample, error) {
	in := bufio.NewScanner(r)
	torn := false
	in.Split(noteTorn(&torn))
	if !in.Scan() {
		return nil, errors.Join(in.Err(), errors.New("line 1: the header is missing"))
	}
	read, err := header(in.Text())
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	var samples []Sample
	var problems []error
	for line := 2; in.Scan(); line++ {
		if strings.TrimSpace(in.Text()) == "" {
			continue
		}
		s, err := sample(read, in.Text())
		switch {
		case torn:
		case err == nil:
			s.Row = line
			samples = append(samples, s)
		case len(problems) < problemsMost:
			problems = append(problems, fmt.Errorf("line %d: %w", line, err))
		case len(problems) == problemsMost:
			problems = append(problems, errors.New("and more lines like these"))
		}
	}
	return samples, errors.Join(append(problems, in.Err())...)
}

// noteTorn splits into lines and notes whether the last one has no end.
func noteTorn(torn *bool) bufio.SplitFunc {
	return func(data []byte, atEOF bool) (int, []byte, error) {
		advance, token, err := bufio.ScanLines(data, atEOF)
		*torn = atEOF && advance == len(data) && len(data) > 0 && data[len(data)-1] != '\n'
		return advance, token, err
	}
}

// header returns how each column is read; nil for a column that is not.
func header(line string) ([]column, error) {
	var read []column
	var seen []string
	for _, name := range strings.Split(line, ",") {
		name, _, _ = strings.Cut(strings.TrimSpace(name), " [")
		if long, ok := aliases[name]; ok {
			name = long
		}
		if slices.Contains(seen, name) {
			return nil, fmt.Errorf("two columns are called %s", name)
		}
		seen = append(seen, name)
		read = append(read, columns[name])
	}
	if slices.Contains(seen, "time") == slices.Contains(seen, "timestamp") {
		return nil, fmt.Errorf("one column must be time or timestamp, in %q", start(line))
	}
	return read, nil
}

// sample reads one line. A column that the file does not have is not known.
func sample(read []column, line string) (Sample, error) {
	s := Sample{PowerW: Unknown, LimitW: Unknown, Celsius: Unknown, SMClockMHz: Unknown, MemClockMHz: Unknown,
		Utilization: Unknown, MemoryMiB: Unknown, Reasons: ReasonsUnknown}
	list := strings.Split(line, ",")
	if len(list) != len(read) {
		return s, fmt.Errorf("%d values in place of %d in %q", len(list), len(read), start(line))
	}
	for i, take := range read {
		if take == nil {
			continue
		}
		if err := take(&s, strings.TrimSpace(list[i])); err != nil {
			return s, fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return s, nil
}

func readTime(layout string) column {
	return func(s *Sample, text string) (err error) {
		s.Time, err = time.Parse(layout, text)
		return err
	}
}

func readIndex(s *Sample, text string) (err error) {
	if s.Index, err = strconv.Atoi(text); err != nil || s.Index < 0 {
		return fmt.Errorf("%q is no index of a GPU", text)
	}
	return nil
}

// readNumber reads a number, with its unit behind it if the file has units.
func readNumber(field func(*Sample) *float64) column {
	return func(s *Sample, text string) (err error) {
		if text == "" {
			return nil // the run's word for what is not known
		}
		if value, unit, ok := strings.Cut(text, " "); ok && slices.Contains([]string{"W", "MHz", "MiB", "%"}, unit) {
			text = value
		}
		*field(s), err = Number(text)
		return err
	}
}

func readReasons(s *Sample, text string) (err error) {
	if text == "" {
		return nil
	}
	s.Reasons, err = Bits(text)
	return err
}

// start keeps an error to a length that can be read.
func start(line string) string {
	const most = 400
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "..."
}
