package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sittingsFile lists the machines of a run, each since its last boot, in the order in
// which the run came to them. Attempts name them by their place in it.
const sittingsFile = "sittings.json"

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

// sitting returns the name of a machine in a run, and adds it if it is new there.
func sitting(dir, identity string) (string, error) {
	name := filepath.Join(dir, sittingsFile)
	var known []string
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	default:
		if err := json.Unmarshal(data, &known); err != nil {
			return "", fmt.Errorf("%s: %w; restore it, or begin another run with --name", name, err)
		}
	}
	at := slices.Index(known, identity)
	if at < 0 {
		at = len(known)
		data, err := json.Marshal(append(known, identity))
		if err != nil {
			return "", err
		}
		if err := writeWhole(name, append(data, '\n')); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("sitting-%d", at+1), nil
}
