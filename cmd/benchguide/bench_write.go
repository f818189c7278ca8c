package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"benchguide/bench"
	"benchguide/run/disk"
)

// write prints the block, and puts the result file in its place by renaming, so that
// no reader ever sees half of one.
func (c benchCommand) write(io streams, r bench.Result, s bench.Summary, set bench.Settings) error {
	if err := bench.WriteBlock(io.out, s, set); err != nil {
		return fmt.Errorf("writing the output: %w", err)
	}
	if !c.saves() {
		return nil
	}
	var text bytes.Buffer
	if err := bench.WriteJSON(&text, r, s, set, c.SaveDetailed); err != nil {
		return err
	}
	name := filepath.Join(c.ResultDir, c.fileName(r, set))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	before, err := c.before(name)
	if err != nil {
		return err
	}
	return disk.Write(name, append(before, text.Bytes()...))
}

// saves reports whether a result file is written: appending to one is writing it.
func (c benchCommand) saves() bool { return c.SaveResult || c.AppendResult }

// before is what the result is appended to: nothing, unless that was asked for. Each
// result is a line of its own.
func (c benchCommand) before(name string) ([]byte, error) {
	if !c.AppendResult {
		return nil, nil
	}
	src, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if len(src) > 0 && src[len(src)-1] != '\n' {
		src = append(src, '\n')
	}
	return src, err
}

// fileName is the name that was given, or that of vLLM's client.
func (c benchCommand) fileName(r bench.Result, set bench.Settings) string {
	if c.ResultFilename != "" {
		return c.ResultFilename
	}
	limit := ""
	if set.Concurrency > 0 {
		limit = fmt.Sprintf("-concurrency%d", set.Concurrency)
	}
	rate := "trace"
	if !math.IsNaN(set.Rate) {
		rate = strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(set.Rate, 'g', -1, 64)), "+") + "qps"
	}
	when := r.Began.Format("20060102-150405")
	if c.Rehearsal {
		when = "rehearsal"
	}
	return fmt.Sprintf("%s-%s%s-%s-%s.json", cmp.Or(c.Label, c.Backend), rate, limit, filepath.Base(set.Model), when)
}

// mostErrors bounds how many errors are printed: they are often all the same.
const mostErrors = 10

// verdict says on standard error what is doubtful about the run, and fails it if
// requests did.
func (c benchCommand) verdict(io streams, r bench.Result, s bench.Summary) error {
	if why := r.Self.Bounded(); why != "" {
		fmt.Fprintf(io.err, "warning: this run may have been bounded by the client and not by the server: %s\n", why)
	}
	if c.IgnoreEOS && s.ShortOutputs > 0 {
		fmt.Fprintf(io.err, "warning: %d answers have another length than asked, although --ignore-eos was given; does the server know it?\n", s.ShortOutputs)
	}
	if s.Failed == 0 {
		return nil
	}
	printed := 0
	for i := range r.Outcomes {
		if o := &r.Outcomes[i]; !o.OK() && printed < mostErrors {
			printed++
			fmt.Fprintf(io.err, "request %d failed: %s\n", i, o.Err)
		}
	}
	return failure{exitFindings, fmt.Errorf("%d of %d requests failed", s.Failed, len(r.Outcomes))}
}
