package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"benchguide/run/attempt"
	"benchguide/run/disk"
)

// recover settles what an earlier runner left under way. An attempt that was complete is
// filed; of any other everything is ended that still runs, and its folder is put aside:
// a half measured start is no start.
func (r *runner) recover(ctx context.Context) error {
	entries, err := os.ReadDir(filepath.Join(r.dir, workDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == abandoned {
			continue
		}
		if !e.IsDir() {
			continue
		}
		if err := r.settle(ctx, filepath.Join(r.dir, workDir, e.Name())); err != nil {
			return err
		}
	}
	return r.forgetFiled()
}

// forgetFiled takes away orders whose attempts were filed just before the end of their
// runner: they have no folder any more.
func (r *runner) forgetFiled() error {
	names, err := filepath.Glob(filepath.Join(r.dir, workDir, "*"+orderSuffix))
	for _, name := range names {
		if work := strings.TrimSuffix(name, orderSuffix); !exists(work) {
			err = errors.Join(err, forgetOrder(work))
		}
	}
	return err
}

func (r *runner) settle(ctx context.Context, work string) error {
	order, ordered := orderOf(work)
	result, sealed, err := attempt.Sealed(work)
	// Something may still run: its server holds the GPUs and its port, and would answer in
	// place of the next one.
	if err == nil && !sealed && ordered {
		if err := r.deps.Executor.Recover(ctx, work, order, func(attempt.Event) {}); err != nil {
			return fmt.Errorf("what an earlier run left in %s cannot be ended: %w; end it by hand, then go on with --resume", work, err)
		}
		// It may have gone on by itself, and be complete by now.
		result, sealed, err = attempt.Sealed(work)
	}
	// A seal that does not hold is as good as none: the attempt is made again.
	if err != nil || !sealed || !ordered {
		return r.abandon(work, err)
	}
	failed, err := ReadFailed(r.dir)
	if err != nil {
		return err
	}
	if _, err := publish(r.dir, work, order, result, failed); err != nil {
		return err
	}
	e := Event{Stage: order.Stage, Candidate: order.Candidate, Start: order.Number, Block: order.Block}
	r.tell(resultEvent(e, order, result))
	return nil
}

// abandon puts a folder aside, for whoever wants to see its logs.
func (r *runner) abandon(work string, cause error) error {
	if cause != nil {
		r.tell(Event{Kind: Noted, Text: sentence("an attempt is not used: " + cause.Error())})
	}
	aside := filepath.Join(r.dir, workDir, abandoned)
	if err := os.MkdirAll(aside, 0o755); err != nil {
		return err
	}
	name := filepath.Base(work)
	if err := forgetOrder(work); err != nil {
		return err
	}
	for n := 2; exists(filepath.Join(aside, name)); n++ {
		name = fmt.Sprintf("%s.%d", filepath.Base(work), n)
	}
	return os.Rename(work, filepath.Join(aside, name))
}

// orderSuffix ends the name of a copy of an attempt's order, which lies beside its
// folder: the one inside is gone when the folder is complete.
const orderSuffix = ".order.json"

// give writes an order down, beside the folder and then in it.
func give(work string, o attempt.Order) error {
	if err := os.MkdirAll(filepath.Dir(work), 0o755); err != nil {
		return err
	}
	// An order has the environment of machine.yaml, and studies lie in repositories.
	if err := os.WriteFile(filepath.Join(filepath.Dir(work), ".gitignore"), []byte("*\n"), 0o644); err != nil {
		return err
	}
	if err := disk.WriteJSON(work+orderSuffix, o); err != nil {
		return err
	}
	return attempt.WriteOrder(work, o)
}

// orderOf is what an attempt was asked for; false if nothing in its folder was ever begun.
func orderOf(work string) (attempt.Order, bool) {
	o, err := readJSON[attempt.Order](work + orderSuffix)
	return o, err == nil
}

func forgetOrder(work string) error {
	err := os.Remove(work + orderSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
