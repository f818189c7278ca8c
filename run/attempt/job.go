package attempt

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"benchguide/engine"
	"benchguide/parse/secret"
	"benchguide/run/client"
	"benchguide/run/gpu"
	"benchguide/run/proc"
	"benchguide/run/server"
	"benchguide/study"
)

// Deps is what an attempt needs of the machine that it is carried out on.
type Deps struct {
	Monitor  gpu.Monitor
	Driver   func(engine string) (server.Driver, error)
	Client   func(command string) (client.Client, error)
	HTTP     *http.Client // opens a connection for each request, so that each may reach another server
	Now      func() time.Time
	Environ  []string // what servers and clients inherit
	Own      []string // words that start our own client
	DiskFree func(dir string) (uint64, error)
	Poll     time.Duration                              // between two looks at a process
	Foreign  time.Duration                              // between two looks for others on the GPUs
	Sleep    func(context.Context, time.Duration) error // between two looks at GPUs that are to come free
	Grace    time.Duration                              // most that a server may take to end by itself; 0: what its driver says
}

// Here returns what attempts need on this machine, with its GPUs seen through a monitor.
func Here(m gpu.Monitor) Deps {
	var own []string
	if self, err := os.Executable(); err == nil {
		own = []string{self, "bench"}
	}
	return Deps{
		Own:     own,
		Monitor: m, Driver: server.Of, Client: client.Of, HTTP: server.HTTP(), Now: time.Now,
		Environ: os.Environ(), DiskFree: proc.DiskFree, Sleep: gpu.Sleep, Poll: 500 * time.Millisecond, Foreign: 5 * time.Second,
	}
}

// job is an attempt under way.
type job struct {
	folder string
	order  Order
	deps   Deps
	tell   *teller

	driver  server.Driver
	config  study.Configuration
	record  study.Attempt
	invalid []string // why the results must not be used, each reason once
	dirty   bool     // the GPUs did not come free

	ours    processes // what was started, for whoever has to clean up after a crash
	tag     string    // that marks every process of this folder's attempt
	devices []gpu.Device
	seen    telemetry
	spans   []span // when workloads were measured
	port    int
	release func() // gives the port up; nil: none was taken
	target  server.Target
	launch  server.Launch
	server  *proc.Process // nil until it was started
	started time.Time     // the server
	served  bool          // it has answered, so that its configuration can run

	clientVersions <-chan string // nil: nobody was asked
	stopAsking     func()        // nil: nobody is being asked

	blamesGPU bool         // the failure may be that of whoever else used the GPUs
	intruders string       // who else used them; "" if nobody was seen
	adopted   map[int]bool // whether a process on the GPUs is taken for ours; nil: nobody has looked yet
}

// step is a part of an attempt. The first that fails ends the attempt.
type step struct {
	phase Phase
	says  string
	do    func(context.Context) error
}

// steps lists what is done in order. The server is started by the sixth; whatever
// happens from then on, it is stopped.
func (j *job) steps() []step {
	return []step{
		{Checking, "looking for room on the disk", j.checkDisk},
		{Checking, "looking at the GPUs", j.checkGPUs},
		{Checking, "looking for a free port", j.choosePort},
		{Checking, "looking for the programs", j.checkPrograms},
		{Starting, "recording the GPUs once a second", j.record1Hz},
		{Starting, "starting the server", j.startServer},
		{Starting, "waiting for the server", j.awaitReady},
		{Starting, "asking the server who it is", j.identify},
		{Starting, "asking the server how it is configured", j.askServer},
		{Warming, "warming up", j.warmUp},
		{Measuring, "waiting for what the clients say of themselves", j.recordClients},
		{Measuring, "measuring", j.measure},
	}
}

// Run carries an attempt out in its folder, in which it begins with nothing but an
// order. It returns what the attempt came to once the folder is sealed; an error says
// that the folder could not be sealed, so that the attempt did not happen. When ctx ends
// the attempt is stopped in order and sealed as stopped by a person.
func Run(ctx context.Context, folder string, o Order, deps Deps, seen func(Event)) (Result, error) {
	j, err := begin(folder, o, deps, seen)
	if err != nil {
		return Result{}, fmt.Errorf("the attempt %s cannot begin: %w", o.Nonce, err)
	}
	failed := faultOf(ctx, j.carryOut(ctx))
	// What follows is done even if everything else is to stop: an abandoned server
	// would hold the GPUs against all that come after.
	after := context.WithoutCancel(ctx)
	failed = j.afterwards(after, failed)
	j.sumUp()
	result, err := j.finish(failed)
	if err != nil {
		return Result{}, fmt.Errorf("the attempt %s is lost, since its folder cannot be completed: %w", o.Nonce, err)
	}
	return result, nil
}

// begin writes down what is to be done before anything is done.
func begin(folder string, o Order, deps Deps, seen func(Event)) (*job, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := makeEmpty(folder); err != nil {
		return nil, err
	}
	if err := WriteOrder(folder, o); err != nil {
		return nil, err
	}
	o.Patience = o.Patience.orDefault()
	if o.Rehearse != nil {
		deps.Poll = min(deps.Poll, rehearsedPoll)
	}
	j := &job{folder: folder, order: o, deps: deps, record: provisional(o, deps.Now()), tag: Tag(folder, o.Nonce)}
	if err := j.save(map[string]int{}); err != nil {
		return nil, err
	}
	var err error
	j.tell, err = newTeller(folder, o.Nonce, deps.Now, seen)
	return j, err
}

// rehearsedPoll is how often a rehearsal looks at its processes: its clock is fast.
const rehearsedPoll = 10 * time.Millisecond

// carryOut does the steps.
func (j *job) carryOut(ctx context.Context) error {
	if err := j.configure(); err != nil {
		return err
	}
	for _, s := range j.steps() {
		if err := ctx.Err(); err != nil {
			return err
		}
		j.tell.enter(s.phase, s.says)
		if err := s.do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// configure reads the order's configuration.
func (j *job) configure() error {
	driver, err := j.deps.Driver(j.order.Engine)
	if err != nil {
		return configFault("use one of the engines that a run knows, or leave the candidate out", "%v", err)
	}
	e, known := engine.Lookup(j.order.Engine)
	if !known {
		return configFault("use one of the engines that a study knows, or leave the candidate out", "no engine %q is known", j.order.Engine)
	}
	command, err := e.Parse(j.order.Command)
	if err != nil {
		return configFault("correct the candidate in study.yaml", "the serving command cannot be read: %v", err)
	}
	j.driver = driver
	j.config = study.Configuration{Engine: e, Version: j.order.Version, Command: command, Env: j.order.Env}
	return nil
}

// finish writes what the attempt came to and seals the folder.
func (j *job) finish(failed *fault) (Result, error) {
	j.tell.enter(Sealing, "completing the folder")
	r := Result{State: Done, Dirty: j.dirty}
	if failed != nil {
		r.State, r.Class, r.Reason, r.Next = Failed, failed.class, failed.reason, failed.next
		j.record.Failure = &study.Failure{Class: failed.class, Reason: failed.reason}
	}
	if j.dirty && r.Next == "" {
		r.Next = nextDirty
	}
	j.record.Invalid = strings.Join(j.invalid, "; ")
	j.record.Times.Ended = j.deps.Now().UTC().Format(time.RFC3339)
	r.Reason, r.Invalid = secret.String(r.Reason), secret.String(j.record.Invalid)
	secrets, err := cleanFolder(j.folder)
	if err != nil {
		return r, errors.Join(err, j.tell.close())
	}
	if err := errors.Join(j.save(secrets), j.tell.close()); err != nil {
		return r, err
	}
	return seal(j.folder, r)
}

// spoils notes why the results must not be used. The attempt goes on: what is measured is
// kept, and whoever looks at it sees the reason.
func (j *job) spoils(format string, args ...any) {
	if reason := fmt.Sprintf(format, args...); !slices.Contains(j.invalid, reason) {
		j.invalid = append(j.invalid, reason)
		j.tell.tell(Event{Text: "not to be used: " + reason})
	}
}
