package attempt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"benchguide/parse"
	"benchguide/run/client"
	"benchguide/run/disk"
	"benchguide/run/server"
)

// sweep measures a workload at each of its rates, in their order, until the knee is
// passed. The rate with the best goodput is the workload's result: its files are copied to
// where those of any workload lie, and the others stay in a folder of their own.
//
// All rates send the same prompts, so that the prefix cache is dropped between them. Where
// an engine cannot do that, its counters around each rate say what was found in it.
func (j *job) sweep(ctx context.Context, w Work) error {
	folder := filepath.Join(j.folder, SweepFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var trials []trial
	var points []client.Point
	best := -1
	for i, rate := range w.Workload.Rates {
		if i > 0 { // the warm-up had prompts of its own
			j.dropCache(ctx)
		}
		name := w.Workload.ID + "-" + strconv.FormatFloat(rate, 'f', -1, 64)
		j.tell.tell(Event{Workload: w.Workload.ID, Text: fmt.Sprintf("at %g requests a second", rate)})
		t, err := j.try(ctx, w, place{folder, name}, rate)
		if err != nil {
			return err
		}
		point, err := pointOf(rate, t)
		if err != nil {
			return err
		}
		trials, points = append(trials, t), append(points, point)
		var stop bool
		if best, stop = client.Knee(points, j.order.Limits); stop {
			break
		}
	}
	j.keep(w.Workload.ID, trials[best])
	return j.promote(trials[best], place{j.folder, w.Workload.ID})
}

// dropCache empties the prefix cache, and says if that did not work: the rate is then
// measured beside what those before have left, which the counters around it show. vLLM's
// answer is 200 in either case, so that its log is asked, too.
func (j *job) dropCache(ctx context.Context) {
	before := len(j.readLog())
	err := j.driver.Reset(ctx, j.target)
	if err == nil {
		if log := j.readLog(); len(log) >= before && server.ResetFailed(log[before:]) {
			err = errors.New("requests were still running")
		}
	}
	if err != nil && ctx.Err() == nil {
		j.tell.warn("the prefix cache was not dropped between two rates: " + err.Error())
	}
}

// pointOf reads a rate's result as it lies in its file, as everybody will who reads it later.
func pointOf(rate float64, t trial) (client.Point, error) {
	records, _, err := parse.File(t.file(".txt"))
	if err != nil || len(records) != 1 {
		return client.Point{Rate: rate}, err // worthless, and examine has said so
	}
	return client.PointOf(rate, records[0]), nil
}

// promote copies the files of one rate under the workload's own name.
func (j *job) promote(t trial, to place) error {
	copies := map[string]string{
		t.file(".txt"): to.file(".txt"), t.file(".log"): to.file(".log"),
		t.scrape("before"): to.scrape("before"), t.scrape("after"): to.scrape("after"),
	}
	if t.result != "" {
		copies[t.result] = to.file(filepath.Ext(t.result))
	}
	for from, name := range copies {
		data, err := os.ReadFile(from)
		if errors.Is(err, fs.ErrNotExist) {
			continue // nothing was counted, or nothing was written
		}
		if err != nil {
			return err
		}
		if err := disk.Write(name, data); err != nil {
			return err
		}
	}
	return nil
}
