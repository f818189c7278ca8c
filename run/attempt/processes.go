package attempt

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"benchguide/run/disk"
	"benchguide/run/gpu"
	"benchguide/run/proc"
)

// processes is the content of processes.json: what an attempt has started. After a crash
// of the runner it is all that is known of them.
type processes struct {
	Schema int          `json:"schema"`
	Nonce  string       `json:"nonce"`
	Port   int          `json:"port,omitempty"`
	Stop   []string     `json:"stop,omitempty"` // a command that ends the server's container
	List   []ourProcess `json:"processes"`
	// Baseline is the memory of each GPU before the attempt.
	Baseline gpu.Baseline `json:"baseline,omitempty"`
}

type ourProcess struct {
	Role     string        `json:"role"` // server, or client with the workload's id
	Identity proc.Identity `json:"identity"`
}

func (p processes) identities() []proc.Identity {
	var all []proc.Identity
	for _, o := range p.List {
		all = append(all, o.Identity)
	}
	return all
}

// start starts a process of the attempt and writes down which it is before anything
// else can go wrong. One that cannot be written down is ended at once.
func (j *job) start(role string, s proc.Spec) (*proc.Process, error) {
	s.Nonce, s.Env = j.tag, direct(s.Env, j.deps.Environ)
	p, err := proc.Start(s)
	if err != nil {
		return nil, err
	}
	j.ours.List = append(j.ours.List, ourProcess{role, p.Identity()})
	if err := j.saveProcesses(); err != nil {
		return nil, errors.Join(err, p.Stop(context.Background(), proc.Ladder{Grace: time.Second, Kill: time.Second}))
	}
	return p, nil
}

func (j *job) saveProcesses() error {
	j.ours.Schema, j.ours.Nonce = Schema, j.order.Nonce
	return disk.WriteJSON(filepath.Join(j.folder, ProcessesFile), j.ours)
}

// Clear ends what an attempt has left running after its runner died, and returns when
// nothing of it runs any more, its port is free and its GPUs are.
func Clear(ctx context.Context, folder string, o Order, deps Deps) error {
	var left processes
	data, err := os.ReadFile(filepath.Join(folder, ProcessesFile))
	if err == nil {
		err = json.Unmarshal(data, &left)
	}
	// Without the file nothing was started, or it was not written down yet: then the
	// processes are found by what they carry.
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be read: %w", filepath.Join(folder, ProcessesFile), err)
	}
	if err := stopContainer(ctx, left.Stop); err != nil {
		return err
	}
	if err := proc.End(ctx, Tag(folder, o.Nonce), left.identities(), proc.Ladder{Grace: deps.grace(leftoverGrace), Kill: killWait}); err != nil {
		return fmt.Errorf("what the attempt %s left running cannot be ended: %w", o.Nonce, err)
	}
	if left.Port != 0 && proc.Answers(ctx, left.Port) {
		return fmt.Errorf("something still listens on port %d, which the attempt %s used; find it and end it", left.Port, o.Nonce)
	}
	if o.NoGPU() || len(left.List) == 0 {
		return nil
	}
	return untilFree(ctx, deps, o, left.Baseline)
}

// Tag marks the processes of an attempt. The folder is part of it: two rehearsals of one
// study have the same nonces, and neither may end what the other has started.
func Tag(folder, nonce string) string {
	if full, err := filepath.Abs(folder); err == nil {
		folder = full
	}
	sum := sha256.Sum256([]byte(folder))
	return nonce + "-" + hex.EncodeToString(sum[:4])
}

// How long processes may take that nobody waits for any more, and that were killed.
const (
	leftoverGrace = 30 * time.Second
	killWait      = 30 * time.Second
)

// stopContainer runs the command that ends a container. One that is gone already is no
// error of anybody's: what is left of it shows as processes and on the GPU.
func stopContainer(ctx context.Context, words []string) error {
	if len(words) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.WaitDelay = time.Second // a helper of the runtime that keeps its output open is not waited for
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("the container cannot be stopped: %w: %s", err, out)
	}
	return nil
}
