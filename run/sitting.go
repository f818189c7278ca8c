package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchguide/run/disk"
)

// sittingsFile lists the machines of a run, each since its last boot, in the order in
// which the run came to them. Attempts name them by their place in it.
const sittingsFile = "sittings.json"

// RehearsalIdentity stands for the machine of every rehearsal: nothing of the machine
// shows in its results.
const RehearsalIdentity = "rehearsal"

// Identity names this machine since its last boot. It is a digest: where the results
// are published, the machine's name is nobody's business.
func Identity() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		boot = nil // not Linux: a reboot is then not noticed, another machine is
	}
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	sum := sha256.Sum256([]byte(host + "\n" + strings.TrimSpace(string(boot))))
	return hex.EncodeToString(sum[:8])
}

// SittingOf returns the name that a machine has in a run, or would have.
func SittingOf(dir, identity string) (string, error) {
	known, err := sittings(dir)
	return sittingName(known, identity), err
}

func sittings(dir string) ([]string, error) {
	name := filepath.Join(dir, sittingsFile)
	known, err := readJSON[[]string](name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%w; restore the file, or begin another run with --name", err)
	}
	return known, nil
}

func sittingName(known []string, identity string) string {
	at := slices.Index(known, identity)
	if at < 0 {
		at = len(known)
	}
	return fmt.Sprintf("sitting-%d", at+1)
}

// sitting returns the name of a machine in a run, and adds it if it is new there.
func sitting(dir, identity string) (string, error) {
	known, err := sittings(dir)
	if err != nil {
		return "", err
	}
	if !slices.Contains(known, identity) {
		if err := disk.WriteJSON(filepath.Join(dir, sittingsFile), append(slices.Clone(known), identity)); err != nil {
			return "", err
		}
	}
	return sittingName(known, identity), nil
}
