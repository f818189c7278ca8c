package attempt

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"os"
	"strconv"

	"benchguide/run/machine"
	"benchguide/run/proc"
	"benchguide/run/server"
	"benchguide/study"
)

// host is where servers listen: the name "localhost" may mean another address first.
const host = "127.0.0.1"

// choosePort takes a port that nobody has. Between this and the server's own binding
// somebody else can take it, which identify finds out.
func (j *job) choosePort(context.Context) error {
	lo, hi, err := j.order.Machine.PortRange()
	if err != nil {
		return infraFault("correct ports in machine.yaml", "%v", err)
	}
	if j.port, err = freePort(lo, hi, j.tag); err != nil {
		return infraFault("end what listens there, or give machine.yaml another range of ports", "%v", err)
	}
	j.target = server.Target{HTTP: j.deps.HTTP, Base: "http://" + net.JoinHostPort(host, strconv.Itoa(j.port)), Name: j.order.Nonce}
	return nil
}

// freePort takes a port with room behind it for what the server's processes say to each
// other. Where it begins to look follows from the attempt, so that two attempts on
// different GPUs of a machine, which both find all ports free, are unlikely to meet.
func freePort(lo, hi int, tag string) (int, error) {
	places := max((hi-lo+1)/machine.PortStep, 1)
	h := fnv.New32a()
	h.Write([]byte(tag)) // never fails
	first := int(h.Sum32()) % places
	var last error
	for i := range places {
		port := lo + (first+i)%places*machine.PortStep
		port, err := proc.FreePort(port, port)
		if err == nil {
			return port, nil
		}
		last = err
	}
	return 0, fmt.Errorf("no port of %d-%d is free; the last one: %w", lo, hi, last)
}

// startServer starts the server. How its container is ended is written down before
// there can be one.
func (j *job) startServer(context.Context) error {
	j.ours.Port, j.ours.Stop = j.port, j.launch.Stop
	if err := j.saveProcesses(); err != nil {
		return err
	}
	j.started = j.deps.Now()
	p, err := j.start("server", proc.Spec{Words: j.launch.Words, Env: j.launch.Env, Stdout: j.logFile(), Stderr: j.logFile()})
	if err != nil {
		return infraFault(fmt.Sprintf("see how machine.yaml starts %s", j.config.Engine.Name), "the server cannot be started: %v", err)
	}
	j.server = p
	return j.save(map[string]int{})
}

// died says why the server ended. Any end is a failure, also one with exit code 0: it was
// not asked to end. Under load a death is flaky whatever it was of: the same configuration
// has started, and the study asks it for nothing that it has not promised.
func (j *job) died(during string) error {
	exit := j.server.Exit()
	d := server.Diagnose(j.readLog(), server.ExitInfo{Exited: true, Code: exit.Code, Signal: exit.Signal})
	return j.faulty(d, during, fmt.Sprintf("the server ended during %s (%s)", during, exit.Text))
}

// faulty turns a diagnosis into the attempt's fault.
func (j *job) faulty(d server.Diagnosis, during, otherwise string) error {
	j.blamesGPU = d.GPUNotClean
	if !d.Failed() {
		return flakyFault("", "%s", otherwise)
	}
	f := &fault{class: d.Class, reason: during + ": " + d.Reason, next: d.Next}
	if j.served && f.class == study.FailConfig {
		f.class, f.next = study.FailFlaky, nextFlaky+"; "+d.Next
	}
	return f
}

// mostLog is how much of a log is read to find out what went wrong. One that is longer
// is read from its end: the beginning is the start, which went well.
const mostLog = 64 << 20

// readLog returns what the server has logged.
func (j *job) readLog() []byte {
	f, err := os.Open(j.logFile())
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > mostLog {
		_, _ = f.Seek(-mostLog, io.SeekEnd) // if it fails, the beginning is read
	}
	log, _ := io.ReadAll(io.LimitReader(f, mostLog)) // what can be read says something, too
	return log
}
