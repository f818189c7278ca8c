package gpu

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"time"
)

// ErrNone is the error, by errors.Is, of a machine on which no GPU was found. What to do
// about that depends on what was wanted of it.
var ErrNone = errors.New("no GPU was found")

// errHangs is the cause of an nvidia-smi that was given up.
var errHangs = errors.New("nvidia-smi gave no answer")

// explanations are the failures of nvidia-smi that there is something to do about, by what
// it prints. Its exit codes say less.
var explanations = []struct {
	said, means string
	none        bool // it may be that there is no GPU at all
}{
	{"couldn't communicate with the NVIDIA driver", "the NVIDIA driver is not loaded; modprobe nvidia loads it, and a reboot if that fails", true},
	{"Driver/library version mismatch", "the NVIDIA driver was updated and the old one is still loaded: reboot the machine, or reload its modules while no process uses a GPU", false},
	{"No devices were found", "nvidia-smi sees none that was asked for; compare machine.yaml's gpus with nvidia-smi -L, and give the container its GPUs if this is one", true},
	{"GPU is lost", "a GPU has fallen off the bus: reboot the machine, and take the GPU out of machine.yaml's gpus if it happens again", false},
	{"Unable to determine the device handle", "a GPU does not answer its driver: reboot the machine, and take the GPU out of machine.yaml's gpus if it happens again", false},
	{"Insufficient Permissions", "this user may not ask the driver: see who owns /dev/nvidiactl", false},
}

// explain puts a failure of nvidia-smi into words, with what to do first.
func (s *SMI) explain(err error, said string) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no program %s, which NVIDIA's driver brings", ErrNone, s.program())
	}
	said = strings.Join(answerLines(said), " ")
	if said == "" {
		return fmt.Errorf("%s failed without a word: %w", s.program(), err)
	}
	for _, e := range explanations {
		switch {
		case !strings.Contains(said, e.said):
		case e.none:
			return fmt.Errorf("%w: %s (%s said: %s)", ErrNone, e.means, s.program(), short(said))
		default:
			return fmt.Errorf("%s (%s said: %s): %w", e.means, s.program(), short(said), err)
		}
	}
	return fmt.Errorf("%s said: %s: %w", s.program(), short(said), err)
}

// hangs tells a driver that hangs from a caller that has lost patience.
func (s *SMI) hangs(cause error, limit time.Duration) error {
	if !errors.Is(cause, errHangs) {
		return cause
	}
	return fmt.Errorf("%s gave no answer in %v: the driver hangs; look for Xid in the kernel's log (dmesg), and reboot the machine: %w",
		s.program(), limit, cause)
}

// short keeps an error to a length that can be read.
func short(text string) string {
	const most = 400
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}
