package executor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"benchguide/run/attempt"
)

// script is the job. It is no template of a library, so that whoever finds the file in
// an attempt's folder can read it and run it by hand.
//
// The sweep at its end is not left to the site: where processes are not tracked by
// cgroup, whatever left its parents lives on after the job, and the GPUs are given to
// the next one with its memory still in use.
const script = `#!/bin/sh
# An attempt of benchguide, as a Slurm job.

# Started anew by the site: what the first start left must not be mixed with more.
if [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then
	echo "benchguide: the site has started this job a second time, which is not carried out" >&2
	exit 75
fi

export BENCHGUIDE_JOB={name}
{setup}

child=
trap 'test -z "$child" || kill -TERM "$child"' TERM INT
{program} attempt {folder} &
child=$!
# A signal ends the wait and not the child.
while :; do
	wait "$child"
	status=$?
	kill -0 "$child" 2>/dev/null || break
done

# End whatever the attempt has left, wherever it went.
for file in $(env -u BENCHGUIDE_JOB grep -lzxF "BENCHGUIDE_JOB=$BENCHGUIDE_JOB" /proc/[0-9]*/environ 2>/dev/null); do
	pid=${file#/proc/}
	kill -KILL "${pid%/environ}" 2>/dev/null
done
exit "$status"
`

// writeScript writes the job into the attempt's folder and returns its path.
func (s Slurm) writeScript(folder, name string) (string, error) {
	text := strings.NewReplacer("{name}", name, "{setup}", s.Profile.Setup,
		"{program}", quoted(s.Program), "{folder}", quoted(folder)).Replace(script)
	path := filepath.Join(folder, scriptFile)
	return path, os.WriteFile(path, []byte(text), 0o755)
}

// submission is the command that submits the job. Options of the machine come first, so
// that those which benchguide relies on win.
func (s Slurm) submission(folder, path string, o attempt.Order) []string {
	words := []string{"sbatch"}
	if s.Profile.Partition != "" {
		words = append(words, "--partition="+s.Profile.Partition)
	}
	words = append(words, "--time="+orDefault(s.Profile.Time, "02:00:00"), "--nodes=1")
	switch {
	case o.Hardware.CPU():
		words = append(words, "--cpus-per-task="+strconv.Itoa(o.Hardware.Count))
	case !o.NoGPU():
		gres := orDefault(s.Profile.Gres, "gpu:{gpus}")
		words = append(words, "--gres="+strings.ReplaceAll(gres, "{gpus}", strconv.Itoa(o.Hardware.Count)))
	}
	words = append(words, s.Profile.Options...)
	// Slurm puts numbers in place of % and what follows it.
	output := strings.ReplaceAll(filepath.Join(folder, logFile), "%", "%%")
	return append(words, "--parsable", "--no-requeue", "--job-name="+o.Nonce,
		fmt.Sprintf("--comment=benchguide %s %s/%s", o.Study, o.Stage, o.Candidate),
		"--output="+output, "--error="+output, "--open-mode=append",
		// KillWait, half a minute, is too short for an engine to end and be proved gone.
		"--signal=B:TERM@120", path)
}

// check says what keeps the machine's profile from being used.
func (s Slurm) check(folder string, o attempt.Order) error {
	refuse := func(found, next string) error {
		return &failure{kind: ErrRefused, found: found, next: next}
	}
	for _, option := range s.Profile.Options {
		name, _, _ := strings.Cut(option, "=")
		if slices.Contains([]string{"-a", "--array", "-M", "--clusters", "-W", "--wait", "--wrap", "--test-only", "-H", "--hold"}, name) {
			return refuse("slurm.options holds "+option, "leave it out: an attempt is one job, on this cluster, and the runner waits for it itself")
		}
	}
	if !filepath.IsAbs(folder) || !filepath.IsAbs(s.Program) {
		return errors.New("the attempt's folder and the program must be absolute paths for a job: " + folder + ", " + s.Program)
	}
	if o.Nonce == "" || strings.Trim(strings.ToLower(o.Nonce), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("the nonce %q cannot name a job: it may have letters, digits and dashes", o.Nonce)
	}
	return nil
}

// orDefault returns standard for an empty s.
func orDefault(s, standard string) string {
	if s == "" {
		return standard
	}
	return s
}
