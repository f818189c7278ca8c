package attempt

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Names of the files of an attempt, beside those of its workloads.
const (
	OrderFile     = "order.json"
	EventsFile    = "events.jsonl"
	ProcessesFile = "processes.json"
	AttemptFile   = "attempt.json"
	TelemetryFile = "gpu.csv"
	WarmupFile    = "warmup.log"
	InfoFile      = "server_info.json"
	SweepFolder   = "sweep"
)

// passing lists the files that are of use only while an attempt is under way.
func passing() []string { return []string{OrderFile, EventsFile, ProcessesFile} }

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
	return writeJSON(filepath.Join(folder, OrderFile), o)
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

func writeJSON(name string, value any) error {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("%s cannot be written as JSON: %w", filepath.Base(name), err)
	}
	return writeWhole(name, append(data, '\n'))
}

// writeWhole writes a file so that nobody ever sees half of it, not even after a power
// failure: under another name, on disk, renamed, and the folder on disk as well.
func writeWhole(name string, data []byte) error {
	part := name + ".part"
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		return errors.Join(err, ignoreMissing(os.Remove(part)))
	}
	return syncFolder(filepath.Dir(name))
}

// syncFolder brings the names in a folder to disk.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
