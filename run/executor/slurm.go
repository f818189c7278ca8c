package executor

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"benchguide/run/attempt"
	"benchguide/run/machine"
)

// Slurm carries out attempts as jobs of a Slurm cluster, whose nodes share the file
// system of the study's folder. A job runs `benchguide attempt FOLDER` and needs the
// runner no longer: it goes on when the login node is gone.
//
// A job is known by its name, which is the attempt's nonce. Its id is not enough: after
// a loss of its state the controller gives the same ids again.
type Slurm struct {
	Profile  machine.Slurm
	Program  string   // benchguide's own path, the same on every node
	Commands Commands // Host if nil
	Pace     Pace
}

var _ Executor = Slurm{}

// Run submits the attempt, unless a job of its name is there already, and waits for it.
func (s Slurm) Run(ctx context.Context, folder string, o attempt.Order, seen func(attempt.Event)) error {
	if sealed(folder) {
		return tidy(folder)
	}
	if err := s.check(folder, o); err != nil {
		return err
	}
	j := s.job(folder, o.Nonce)
	if err := j.submit(ctx, o); err != nil {
		return err
	}
	return newFollower(j, j.Pace, folder, o.Nonce, time.Now(), seen).follow(ctx)
}

// Recover finds the job of an earlier runner by its name and waits for it: a job that
// runs alone has lost nothing by its runner's end.
func (s Slurm) Recover(ctx context.Context, folder string, o attempt.Order, seen func(attempt.Event)) error {
	n, last, ok, err := left(folder)
	if err != nil || !ok {
		return err
	}
	j := s.job(folder, o.Nonce)
	j.id = n.ID
	if j.id == "" {
		// The runner ended while submitting. Whether the controller has taken the job can
		// take a moment to show.
		if err := j.search(ctx); err != nil || j.id == "" {
			return err
		}
		last = time.Now()
	}
	return newFollower(j, j.Pace, folder, o.Nonce, last, seen).settle(ctx)
}

// job returns the attempt's job, not yet submitted.
func (s Slurm) job(folder, name string) *slurmJob {
	s.Pace = s.Pace.or()
	if s.Commands == nil {
		s.Commands = Host{}
	}
	return &slurmJob{Slurm: s, folder: folder, name: name}
}

// slurmJob is one attempt as a job.
type slurmJob struct {
	Slurm
	folder string
	name   string
	id     string
}

var _ job = (*slurmJob)(nil)

// submit brings the job to the controller, and nothing a second time: before every try
// it looks for the name, since an earlier try may have arrived without an answer.
func (j *slurmJob) submit(ctx context.Context, o attempt.Order) error {
	path, err := j.writeScript(j.folder, j.name)
	if err != nil {
		return err
	}
	wait := j.Pace.First
	for began := time.Now(); ; wait = j.Pace.slower(wait) {
		last, refused := j.try(ctx, path, o)
		switch {
		case refused != nil:
			return errors.Join(refused, tidy(j.folder))
		case j.id != "":
			return writeNote(j.folder, note{Name: j.name, ID: j.id})
		case ctx.Err() != nil:
			return j.withdraw(ctx)
		case time.Since(began) > j.Pace.Submit:
			return &failure{kind: ErrLost, found: "Slurm has taken no job for " + j.Pace.Submit.String() + ": " + last,
				next: "see that `scontrol ping` answers, then run it again"}
		}
		pause(ctx, wait)
	}
}

// Ready says why nothing can be submitted from this machine, before an attempt is made. A
// controller that does not answer just now is no reason: attempts wait for it.
func (s Slurm) Ready(ctx context.Context) error {
	j := s.job("", "benchguide")
	for _, words := range [][]string{{"sbatch", "--version"}, {"squeue", "-h", "--name=" + j.name}} {
		out, err := j.command(ctx, words...)
		if f := noCluster(words[0], out, err); f != nil {
			return fmt.Errorf("--executor slurm submits jobs with sbatch: %s: %s", f.found, f.next)
		}
	}
	return nil
}

// noCluster is found where a command of Slurm's is not there, or knows of no cluster.
func noCluster(command string, out Output, err error) *failure {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return &failure{kind: ErrRefused, found: err.Error(), next: "start the run where Slurm's commands are on PATH, such as a login node"}
	case strings.Contains(out.Stderr, "configuration source") || strings.Contains(out.Stderr, "configuration file"):
		return &failure{kind: ErrRefused, found: command + " says: " + message(out, nil), next: "this machine knows of no cluster: start the run on one that does, or set SLURM_CONF"}
	}
	return nil
}

// try looks for the job and submits it once. last is what stood in the way this time;
// refused says that trying again is of no use.
func (j *slurmJob) try(ctx context.Context, path string, o attempt.Order) (last string, refused error) {
	out, err := j.command(ctx, "squeue", "-h", "--name="+j.name, "-o", "%i|%j|%T")
	if f := noCluster("squeue", out, err); f != nil {
		return "", f
	}
	if err != nil || out.Status != 0 {
		return message(out, err), nil
	}
	if r, ok := ParseSqueue(out.Stdout, j.name); ok {
		j.id = r.ID
		return "", nil
	}
	if err := writeNote(j.folder, note{Name: j.name}); err != nil {
		return "", err
	}
	// Not ended with ctx: a job may have arrived whose id is then not known.
	out, err = j.command(context.WithoutCancel(ctx), j.submission(j.folder, path, o)...)
	if err != nil {
		return message(out, err), nil
	}
	if id, ok := ParseSbatch(out.Stdout); ok && out.Status == 0 {
		j.id = id
		return "", nil
	}
	if Transient(out.Stderr) {
		return message(out, nil), nil
	}
	return "", &failure{kind: ErrRefused, found: "sbatch says: " + message(out, nil),
		next: "change the section slurm of machine.yaml, or what the study asks for; sbatch --test-only tries it without a job"}
}

// withdraw ends a job whose submission was interrupted, if it has arrived.
func (j *slurmJob) withdraw(ctx context.Context) error {
	why := context.Cause(ctx)
	ctx = context.WithoutCancel(ctx)
	if err := j.search(ctx); err != nil || j.id == "" {
		return errors.Join(why, err)
	}
	return errors.Join(why, j.end(ctx))
}

// search looks for the job by its name, for a while, and leaves its id empty if nobody
// knows of it.
func (j *slurmJob) search(ctx context.Context) error {
	end := time.Now().Add(j.Pace.Settle)
	giveUp := time.Now().Add(j.Pace.Submit)
	for wait := j.Pace.First; ; wait = j.Pace.slower(wait) {
		out, err := j.command(ctx, "squeue", "-h", "--name="+j.name, "-o", "%i|%j|%T")
		answered := err == nil && out.Status == 0
		if r, ok := ParseSqueue(out.Stdout, j.name); answered && ok {
			j.id = r.ID
			return writeNote(j.folder, note{Name: j.name, ID: j.id})
		}
		switch now := time.Now(); {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case answered && (now.After(end) || sealed(j.folder)):
			return nil
		case now.After(giveUp):
			return &failure{kind: ErrLost, found: "whether job " + j.name + " runs could not be learnt: " + message(out, err),
				next: "see that `squeue` answers, then run it again"}
		}
		pause(ctx, wait)
	}
}

// look asks the controller and, where it does not know the job or does not answer, the
// accounting.
func (j *slurmJob) look(ctx context.Context) sight {
	out, err := j.command(ctx, "scontrol", "-o", "show", "job", j.id)
	if err == nil && out.Status == 0 {
		// Another name: the id was given to another job, and ours is gone.
		if r, ok := ParseScontrol(out.Stdout); ok && r.Name == j.name {
			return r.sight(j.folder)
		}
	} else if err != nil || !strings.Contains(out.Stderr, "Invalid job id") {
		if s, ok := j.account(ctx); ok && s.state == ended {
			return s
		}
		return sight{state: unknown, text: "Slurm does not answer: " + message(out, err)}
	}
	if s, ok := j.account(ctx); ok && s.state == ended {
		return s
	}
	// Accounting that says RUNNING of a job that the controller does not know is a runaway:
	// the controller has lost it and will not run it.
	return sight{state: absent, text: "job " + j.id}
}

// account asks the accounting, which some sites do not have: it can say that a job has
// ended, and nothing follows from its silence.
func (j *slurmJob) account(ctx context.Context) (sight, bool) {
	out, err := j.command(ctx, "sacct", "-X", "-n", "-P", "-j", j.id, "-o", sacctFields)
	if err != nil || out.Status != 0 {
		return sight{}, false
	}
	r, ok := ParseSacct(out.Stdout, j.name)
	return r.sight(j.folder), ok
}

// ask sends SIGTERM to the script alone, which passes it on: the attempt then stops its
// server, proves the GPUs free and writes its seal.
func (j *slurmJob) ask(ctx context.Context, _ sight) error {
	return j.cancel(ctx, "--signal=TERM", "--batch")
}

// end cancels the job.
func (j *slurmJob) end(ctx context.Context) error { return j.cancel(ctx) }

// cancel runs scancel, by id and name: of a job that another has the id of it says 0 and
// does nothing.
func (j *slurmJob) cancel(ctx context.Context, options ...string) error {
	words := append([]string{"scancel", "--name=" + j.name}, options...)
	out, err := j.command(ctx, append(words, j.id)...)
	if err != nil || out.Status != 0 {
		return errors.New("scancel says: " + message(out, err))
	}
	return nil
}

// fetch has nothing to do: the file system is shared.
func (j *slurmJob) fetch(context.Context) error { return nil }

// command runs a command of Slurm's for as long as its pace allows.
func (j *slurmJob) command(ctx context.Context, words ...string) (Output, error) {
	ctx, cancel := context.WithTimeout(ctx, j.Pace.Command)
	defer cancel()
	return j.Commands.Command(ctx, words...)
}

// Transient reports whether a command of Slurm's failed because the controller did not
// answer or was overloaded, and not for what was asked.
func Transient(stderr string) bool {
	for _, sign := range []string{
		"Unable to contact slurm controller", "Socket timed out", "Connection refused", "Connection timed out",
		"Zero Bytes were transmitted or received", "standby mode", "Transport endpoint", "temporarily unable to accept job",
		"Resource temporarily unavailable", "Munge", "Unable to establish controller machine", "Communication connection failure",
	} {
		if strings.Contains(stderr, sign) {
			return true
		}
	}
	return false
}

// message is what a command said of its failure, on one line.
func message(out Output, err error) string {
	switch text := oneLine(out.Stderr); {
	case text != "":
		return text
	case err != nil:
		return err.Error()
	case oneLine(out.Stdout) != "":
		return oneLine(out.Stdout)
	}
	return "nothing"
}
