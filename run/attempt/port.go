package attempt

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"

	"benchguide/run/disk"
	"benchguide/run/machine"
	"benchguide/run/proc"
)

// ports is a range from which servers take theirs, and how far apart these are.
type ports struct{ first, last, step int }

// The range of rehearsals, where the machine's profile has none. A port counts as taken
// for a minute after its server has ended, and rehearsals make a start in a tenth of a second.
const (
	firstRehearsed = 20000
	lastRehearsed  = 32000
)

// portsOf returns the range for an order. A fake engine is one process, and needs no
// room behind its port.
func portsOf(o Order) (ports, error) {
	if o.Rehearse != nil && o.Machine.Ports == "" {
		return ports{firstRehearsed, lastRehearsed, 1}, nil
	}
	first, last, err := o.Machine.PortRange()
	if o.Rehearse != nil {
		return ports{first, last, 1}, err
	}
	return ports{first, last, machine.PortStep}, err
}

// freePort takes a port with room behind it for what the server's processes say to each
// other, and keeps it from other attempts on this machine until it is released: a port is
// free until the server listens, which may be minutes later.
//
// Where it begins to look follows from the attempt, so that attempts that cannot see each
// other's locks, in containers for example, are unlikely to meet all the same.
func freePort(r ports, tag string) (port int, release func(), err error) {
	places := max((r.last-r.first+1)/r.step, 1)
	h := fnv.New32a()
	h.Write([]byte(tag)) // never fails
	first := int(h.Sum32() % uint32(places))
	last := fmt.Errorf("other attempts have them all")
	for i := range places {
		port := r.first + (first+i)%places*r.step
		release, ok := reserve(port)
		if !ok {
			continue
		}
		if _, err := proc.FreePort(port, port); err != nil {
			release()
			last = err
			continue
		}
		return port, release, nil
	}
	return 0, nil, fmt.Errorf("no port of %d-%d is free; the last one: %w", r.first, r.last, last)
}

// reserve locks a port against other attempts, and reports false if one of them has it.
// The lock goes with this process, whatever becomes of it. Where there can be no lock
// there is none: the port itself is still tried.
func reserve(port int) (release func(), ok bool) {
	name := filepath.Join(os.TempDir(), fmt.Sprintf("benchguide-port-%d.lock", port))
	f, err := os.Open(name)
	if err != nil {
		// Not at once: Linux may refuse to create what another user has, even to read it.
		f, err = os.OpenFile(name, os.O_RDONLY|os.O_CREATE, 0o644)
	}
	if err != nil {
		return func() {}, true
	}
	// Who had it may just have removed it; then the port is in use for a moment longer.
	if disk.Lock(f) != nil {
		f.Close()
		return nil, false
	}
	return func() { _ = disk.Unlock(f) }, true
}
