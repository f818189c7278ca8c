package proc

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit of the kernel's times in /proc: it has been 100 a second for programs on
// every processor since Linux 2.6, whatever the kernel itself ticks with.
const tick = 10 * time.Millisecond

// state is what /proc/PID/stat says of a process.
type state struct {
	pid, parent, group, session int
	letter                      byte // of the first thread: R, S, D, Z ...
	threads                     int
	start                       uint64
	cpu                         time.Duration // its own and that of the children it has reaped
}

// gone reports whether nothing is left of the process but its number. A process whose first
// thread has ended reads as a zombie while the others go on, and one of them may be inside
// the GPU's driver, with all the memory.
func (s state) gone() bool {
	return s.letter == 'Z' && s.threads <= 1 || s.letter == 'X' || s.letter == 'x'
}

// readState reads one process; ok is false if there is none of that number.
func readState(pid int) (state, bool) {
	data, err := readProc(pid, "stat")
	if err != nil {
		return state{}, false
	}
	s, err := parseState(data)
	return s, err == nil
}

// parseState takes a line of /proc/PID/stat apart. The name of the program is in
// parentheses and may hold spaces and parentheses itself, hence the last one counts.
func parseState(data []byte) (state, error) {
	open, closing := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 1 || closing < open {
		return state{}, fmt.Errorf("no program name in %q", data)
	}
	fields := strings.Fields(string(data[closing+1:])) // fields[0] is the third of the line
	if len(fields) < 20 || len(fields[0]) != 1 {
		return state{}, fmt.Errorf("too few fields in %q", data)
	}
	var failed error
	number := func(field int) uint64 {
		n, err := strconv.ParseInt(fields[field-3], 10, 64)
		if err != nil {
			failed = err
		}
		return uint64(n)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data[:open])))
	if err != nil {
		return state{}, err
	}
	s := state{
		pid: pid, letter: fields[0][0],
		parent: int(number(4)), group: int(number(5)), session: int(number(6)),
		threads: int(number(20)), start: number(22),
	}
	for field := 14; field <= 17; field++ { // utime, stime, cutime, cstime
		s.cpu += time.Duration(number(field)) * tick
	}
	return s, failed
}

// allStates reads every process of the machine that there is to see.
func allStates() (map[int]state, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("cannot look for processes: %w", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("cannot look for processes: %w", err)
	}
	all := make(map[int]state, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if s, ok := readState(pid); ok {
			all[pid] = s
		}
	}
	return all, nil
}

// environ is the environment that a process was started with, as far as it can be read.
type environ struct {
	nonce, mark string
	readable    bool
	intact      bool // the process has not overwritten it
}

func readEnviron(pid int) environ {
	data, err := readProc(pid, "environ")
	if err != nil {
		return environ{}
	}
	e := parseEnviron(data)
	e.readable = true
	return e
}

// parseEnviron looks for our variables. A program that sets its title writes over the
// beginning first, so that an environment which begins with no NAME=VALUE was overwritten.
func parseEnviron(data []byte) environ {
	var e environ
	for i, entry := range bytes.Split(data, []byte{0}) {
		name, value, ok := strings.Cut(string(entry), "=")
		if i == 0 {
			e.intact = ok && name != "" && !strings.ContainsAny(name, " :/")
		}
		switch {
		case !ok:
		case name == NonceVar:
			e.nonce = value
		case name == markVar:
			e.mark = value
		}
	}
	return e
}

// readWords returns the command line of a process, or the title that it gave itself.
func readWords(pid int) []string {
	data, err := readProc(pid, "cmdline")
	if err != nil || len(bytes.Trim(data, "\x00 ")) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(data), "\x00 "), "\x00")
}

// readBytes returns what a process has read, from disks and from anything else, and 0
// where the kernel does not tell us.
func readBytes(pid int) uint64 {
	data, err := readProc(pid, "io")
	if err != nil {
		return 0
	}
	var sum uint64
	for _, line := range strings.Split(string(data), "\n") {
		name, value, _ := strings.Cut(line, ": ")
		// rchar has what read() returned, read_bytes also what mapped files brought in.
		if name != "rchar" && name != "read_bytes" {
			continue
		}
		if n, err := strconv.ParseUint(value, 10, 64); err == nil {
			sum += n
		}
	}
	return sum
}

// bootID tells one boot of a machine from the next, since start times begin again at 0.
func bootID() string {
	data, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// readProc reads a file of /proc that tells something of a process. A look at the machine
// reads hundreds of them, and it may look beside a measurement: os.ReadFile would ask the
// kernel seven times for each, among other things whether it can be polled.
func readProc(pid int, name string) ([]byte, error) {
	file := "/proc/" + strconv.Itoa(pid) + "/" + name
	fd, err := retried(func() (int, error) { return syscall.Open(file, syscall.O_RDONLY|syscall.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: file, Err: err}
	}
	defer syscall.Close(fd)
	data := make([]byte, 0, 1<<10)
	for {
		n, err := retried(func() (int, error) { return syscall.Read(fd, data[len(data):cap(data)]) })
		if err != nil {
			return nil, &os.PathError{Op: "read", Path: file, Err: err}
		}
		if n == 0 {
			return data, nil
		}
		data = slices.Grow(data[:len(data)+n], 1)
	}
}

// retried does a call again that a signal has interrupted.
func retried(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != syscall.EINTR {
			return n, err
		}
	}
}
