package attempt

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"benchguide/gpulog"
	"benchguide/run/disk"
)

// Names of the files of an attempt, beside those of its workloads.
const (
	OrderFile     = "order.json"
	EventsFile    = "events.jsonl"
	ProcessesFile = "processes.json"
	AttemptFile   = "attempt.json"
	TelemetryFile = gpulog.File
	WarmupFile    = "warmup.log"
	InfoFile      = "server_info.json"
	SweepFolder   = "sweep"
)

// passing lists the files that are of use only while an attempt is under way.
func passing() []string { return []string{OrderFile, EventsFile, ProcessesFile} }

func removePassing(folder string) (err error) {
	for _, name := range passing() {
		err = errors.Join(err, ignoreMissing(os.Remove(filepath.Join(folder, name))))
	}
	return err
}

// makeEmpty takes away what an earlier try of the same attempt left: half an attempt is
// worth nothing, and its files are not to be taken for ours.
func makeEmpty(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(folder, ResultFile)); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("%s is complete already", folder), err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch name := e.Name(); {
		// The order stays until it is written anew: without it a killed job could not be repeated.
		case name == OrderFile || strings.HasPrefix(name, executors):
		default:
			err = errors.Join(err, os.RemoveAll(filepath.Join(folder, name)))
		}
	}
	return err
}

// WriteOrder puts an order into the folder of its attempt, which it makes if need be.
func WriteOrder(folder string, o Order) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return disk.WriteJSON(filepath.Join(folder, OrderFile), o)
}

// ReadOrder returns the order that lies in a folder.
func ReadOrder(folder string) (Order, error) {
	var o Order
	name := filepath.Join(folder, OrderFile)
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o, fmt.Errorf("%s is not there: either this is no folder of an attempt, or the attempt is complete", name)
	}
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return o, fmt.Errorf("%s cannot be read: %w; remove the folder, and the run gives the order again", name, err)
	}
	return o, o.check()
}

// check refuses an order that cannot be carried out as it was meant.
func (o Order) check() error {
	switch {
	case o.Schema != Schema:
		return fmt.Errorf("the order has schema %d, this program reads %d; use the same benchguide on both sides", o.Schema, Schema)
	case !isNonce(o.Nonce):
		return fmt.Errorf("the order's nonce %q is not of letters, digits and dashes", o.Nonce)
	case o.Engine == "" || o.Version == "" || o.Command == "":
		return errors.New("the order lacks an engine, its version or its command")
	case len(o.Workloads) == 0:
		return errors.New("the order has no workload")
	default:
		return nil
	}
}

// isNonce keeps nonces usable as names of folders, models, containers and jobs.
func isNonce(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' {
			return false
		}
	}
	return s != "" && s[0] != '-'
}

// ignoreMissing makes nothing of a file that is gone already.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
