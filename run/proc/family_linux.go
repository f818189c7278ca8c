package proc

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// family is what belongs to one start, or to one attempt, as far as it has been found.
// What was found once stays found: a child that loses its parent a moment later is known.
type family struct {
	wants    func(environ) bool           // by its environment; nil: nothing is found by that
	seeds    []Identity                   // that it began with, dead or alive
	members  map[int]member               // by process id; gone ones, too
	sessions map[int]uint64               // id to the start time of the leader; 0 if it is not known
	never    map[int]bool                 // this process and its ancestors
	own      int                          // session of this process, which is nobody's to end
	oldest   uint64                       // start time before which nothing can be of it
	ownMark  string                       // of this process: its own helpers carry it, too
	waited   func(pid int, m member) bool // whether somebody else takes the exit state
	now      map[int]state                // the processes of the machine at the last look
}

// member is a process of a family.
type member struct {
	state
	mark string
}

func newFamily(wants func(environ) bool, seeds []Identity) *family {
	f := &family{
		wants: wants, members: map[int]member{}, sessions: map[int]uint64{},
		never: map[int]bool{}, ownMark: os.Getenv(markVar),
	}
	for pid := os.Getpid(); pid > 0 && !f.never[pid]; {
		f.never[pid] = true
		s, _ := readState(pid)
		if pid == os.Getpid() {
			f.own = s.session
		}
		pid = s.parent
	}
	boot := bootID()
	for _, id := range seeds {
		// What ran before the last boot has ended, and its number means nothing now.
		if id.PID > 1 && id.Boot == boot {
			f.seeds = append(f.seeds, id)
			f.claim(id.PID, id.StartTime)
		}
	}
	return f
}

// claim makes a session one of the family. That of an ancestor never is: whatever else is in
// it, a terminal or a make with all its jobs, is as little ours to end as we are. Nor is our
// own, whose leader may be gone.
func (f *family) claim(session int, start uint64) {
	if !f.never[session] && session != f.own {
		f.sessions[session] = start
	}
}

// byMark wants the processes of one start.
func byMark(mark string) func(environ) bool {
	return func(e environ) bool { return e.mark == mark || strings.HasPrefix(e.mark, mark+"/") }
}

// byNonce wants the processes of one attempt.
func byNonce(nonce string) func(environ) bool {
	if nonce == "" {
		return nil // every process without an attempt would be of this one
	}
	return func(e environ) bool { return e.nonce == nonce }
}

// grow looks at the machine and adds what belongs to the family.
func (f *family) grow() error {
	all, err := allStates()
	if err != nil {
		return err
	}
	f.now = all
	for _, id := range f.seeds {
		if s, ok := all[id.PID]; ok && s.start == id.StartTime {
			f.add(s, id.Mark)
		}
	}
	f.addByEnvironment()
	for f.addDescendants() > 0 {
	}
	return nil
}

func (f *family) add(s state, mark string) {
	if f.never[s.pid] {
		return
	}
	if old, ok := f.members[s.pid]; ok && old.start == s.start {
		mark = old.mark // read when it was still there
	}
	f.members[s.pid] = member{state: s, mark: mark}
	if s.session == s.pid {
		f.claim(s.pid, s.start)
	}
}

// addByEnvironment adds processes that carry the name of the family, or are in one of its
// sessions.
func (f *family) addByEnvironment() {
	for _, pid := range slices.Sorted(maps.Keys(f.now)) {
		s := f.now[pid]
		if s.gone() || f.never[pid] || s.start < f.oldest {
			continue
		}
		if m, ok := f.members[pid]; ok && m.start == s.start {
			f.add(s, m.mark)
			continue
		}
		// Where no environment can make it one of us, only those in our sessions are read.
		if _, ours := f.sessions[s.session]; f.wants == nil && !ours {
			continue
		}
		e := readEnviron(pid)
		named := f.wants != nil && f.wants(e) && (f.ownMark == "" || e.mark != f.ownMark)
		if !named && !f.inSession(s, e) {
			continue
		}
		f.add(s, e.mark)
		if _, led := f.now[s.session]; named && !led {
			f.claim(s.session, 0) // its leader has ended before we came
		}
	}
}

// inSession reports whether a process is in a session of the family. As long as the leader
// is there, all that is in its session is its own. When it is gone, the number may have gone
// to somebody else's session, whose leader has ended in turn, as those of daemons do. Then
// only a process counts that has overwritten its environment: from others we would know.
func (f *family) inSession(s state, e environ) bool {
	start, ok := f.sessions[s.session]
	if !ok || s.start < start {
		return false
	}
	if leader, led := f.now[s.session]; led {
		return leader.start == start // a zombie keeps its number, too
	}
	return e.readable && !e.intact
}

// addDescendants adds the children of members and says how many were new.
func (f *family) addDescendants() int {
	added := 0
	for pid, s := range f.now {
		if _, ok := f.known(s); ok || s.gone() || f.never[pid] {
			continue
		}
		parent, ok := f.now[s.parent]
		if !ok {
			continue
		}
		if _, ok := f.known(parent); !ok || s.start < parent.start {
			continue
		}
		f.add(s, readEnviron(pid).mark)
		added++
	}
	return added
}

// known returns the member that a process is.
func (f *family) known(s state) (member, bool) {
	m, ok := f.members[s.pid]
	return m, ok && m.start == s.start
}

// alive returns the members that were there at the last look, in the order of their
// numbers.
func (f *family) alive() []member {
	var list []member
	for _, pid := range slices.Sorted(maps.Keys(f.members)) {
		s, ok := f.now[pid]
		if m, same := f.known(s); ok && same && !s.gone() {
			list = append(list, member{state: s, mark: m.mark})
		}
	}
	return list
}

// heads returns the members that are to be asked first: those that were known from the
// start, since they tidy up the others; without them, whoever has no parent in the family.
func (f *family) heads() []member {
	alive := f.alive()
	var seeds, tops []member
	for _, m := range alive {
		if slices.ContainsFunc(f.seeds, func(id Identity) bool { return id.PID == m.pid }) {
			seeds = append(seeds, m)
		}
		if _, ok := f.known(f.now[m.parent]); !ok {
			tops = append(tops, m)
		}
	}
	if len(seeds) > 0 {
		return seeds
	}
	return tops
}
