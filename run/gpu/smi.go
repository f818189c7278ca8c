package gpu

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"benchguide/gpulog"
)

// SMI asks nvidia-smi. The zero value asks the one on PATH about every GPU. It is used by
// pointer, and by several goroutines at once if need be.
type SMI struct {
	Program  string        // "nvidia-smi" if empty
	Args     []string      // that come before the query
	Env      []string      // NAME=VALUE, beside the inherited ones
	Indices  []int         // of the GPUs to ask about; all if empty
	Deadline time.Duration // of one question; 20 s if 0

	mu   sync.Mutex
	cuda *string // version, asked for once: it takes a question of its own; nil: nobody has answered yet
}

var _ Monitor = (*SMI)(nil)

// Select returns the same SMI for some of the GPUs.
func (s *SMI) Select(indices ...int) *SMI {
	return &SMI{Program: s.Program, Args: s.Args, Env: s.Env, Deadline: s.Deadline, Indices: slices.Clone(indices)}
}

// deviceFields is what is asked of each GPU, in the order in which parseDevice reads it.
// The name comes last, since it is the only one that anybody could put a comma into.
var deviceFields = []string{
	"index", "uuid", "driver_version", "memory.used", "memory.total", "utilization.gpu", "power.draw",
	"power.limit", "clocks.sm", "clocks.mem", "temperature.gpu", gpulog.ReasonsColumn, "mig.mode.current", "name",
}

// processFields is what is asked of each process, read by parseProcess.
const processFields = "gpu_uuid,pid,used_memory,process_name"

// Devices asks for the GPUs. A GPU that is cut into MIG slices is an error: what nvidia-smi
// tells of it is not about the slice.
func (s *SMI) Devices(ctx context.Context) ([]Device, error) {
	fields := strings.Join(deviceFields, ",")
	answer, err := s.ask(ctx, "--query-gpu="+fields)
	if err != nil && strings.Contains(err.Error(), gpulog.ReasonsColumn) {
		answer, err = s.ask(ctx, "--query-gpu="+strings.Replace(fields, gpulog.ReasonsColumn, gpulog.OldReasonsColumn, 1))
	}
	if err != nil {
		return nil, err
	}
	devices, err := ParseDevices(answer)
	if err != nil {
		return nil, err
	}
	if err := s.allThere(devices); err != nil {
		return nil, err
	}
	cuda := s.cudaVersion(ctx)
	for i := range devices {
		devices[i].CUDA = cuda
	}
	return devices, nil
}

// Processes asks for the processes that compute on the GPUs. In a container the ids are
// those of the machine, or there is no process to see at all.
func (s *SMI) Processes(ctx context.Context) ([]Process, error) {
	answer, err := s.ask(ctx, "--query-compute-apps="+processFields)
	if err != nil {
		return nil, err
	}
	return ParseProcesses(answer)
}

// allThere reports GPUs that were asked for and not answered about.
func (s *SMI) allThere(devices []Device) error {
	for _, index := range s.Indices {
		if !slices.ContainsFunc(devices, func(d Device) bool { return d.Index == index }) {
			return fmt.Errorf("there is no GPU %d on this machine: machine.yaml's gpus may name those that nvidia-smi -L lists", index)
		}
	}
	return nil
}

// ParseDevices reads the answer to the query for GPUs.
func ParseDevices(answer string) ([]Device, error) {
	var devices []Device
	for _, line := range answerLines(answer) {
		d, err := parseDevice(line)
		if err != nil {
			return nil, fmt.Errorf("nvidia-smi said %q where a GPU was expected: %w", line, err)
		}
		devices = append(devices, d)
	}
	if len(devices) == 0 {
		return nil, fmt.Errorf("%w: nvidia-smi lists none", ErrNone)
	}
	return devices, nil
}

func parseDevice(line string) (Device, error) {
	cell, err := cells(line, len(deviceFields))
	if err != nil {
		return Device{}, err
	}
	index, err := strconv.Atoi(cell[0])
	if err != nil || index < 0 {
		return Device{}, fmt.Errorf("%q is no index of a GPU", cell[0])
	}
	d := Device{Index: index, UUID: cell[1], Driver: cell[2], Name: cell[13]}
	if !strings.HasPrefix(d.UUID, "GPU-") || d.Name == "" {
		return Device{}, fmt.Errorf("no UUID or no name")
	}
	for i, to := range []*float64{3: &d.MemoryMiB, 4: &d.TotalMiB, 5: &d.Utilization, 6: &d.PowerW, 7: &d.LimitW,
		8: &d.SMClockMHz, 9: &d.MemClockMHz, 10: &d.Celsius} {
		if to == nil {
			continue
		}
		if *to, err = gpulog.Number(cell[i]); err != nil {
			return Device{}, fmt.Errorf("%s: %w", deviceFields[i], err)
		}
	}
	if d.Reasons, err = gpulog.Bits(cell[11]); err != nil {
		return Device{}, fmt.Errorf("%s: %w", deviceFields[11], err)
	}
	if strings.EqualFold(cell[12], "Enabled") {
		return Device{}, fmt.Errorf("GPU %d is cut into MIG slices, of which nothing can be measured: nvidia-smi -i %d -mig 0 makes it whole, or let machine.yaml's gpus name others", index, index)
	}
	return d, nil
}

// ParseProcesses reads the answer to the query for processes, which is empty without any.
func ParseProcesses(answer string) ([]Process, error) {
	var list []Process
	for _, line := range answerLines(answer) {
		if strings.HasPrefix(line, "No running") {
			continue // some versions say so in words
		}
		p, err := parseProcess(line)
		if err != nil {
			return nil, fmt.Errorf("nvidia-smi said %q where a process was expected: %w", line, err)
		}
		list = append(list, p)
	}
	return list, nil
}

func parseProcess(line string) (Process, error) {
	cell, err := cells(line, 4)
	if err != nil {
		return Process{}, err
	}
	p := Process{UUID: cell[0], Name: cell[3]}
	if !strings.HasPrefix(p.UUID, "GPU-") && !strings.HasPrefix(p.UUID, "MIG-") {
		return Process{}, fmt.Errorf("%q is no UUID of a GPU", cell[0])
	}
	if p.PID, err = strconv.Atoi(cell[1]); err != nil || p.PID < 0 {
		return Process{}, fmt.Errorf("%q is no process id", cell[1])
	}
	if p.MemoryMiB, err = gpulog.Number(cell[2]); err != nil {
		return Process{}, fmt.Errorf("used_memory: %w", err)
	}
	return p, nil
}

// cudaLine finds the version that the driver serves at most. It was called CUDA Version
// for years; its qualified name is newer.
var cudaLine = regexp.MustCompile(`CUDA (?:UMD )?Version *: *([0-9]+\.[0-9]+)`)

// cudaVersion reads the version of CUDA off the head of nvidia-smi's table, the only place
// that has it in every version of the driver. Without it the version is "".
func (s *SMI) cudaVersion(ctx context.Context) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cuda == nil {
		answer, err := s.run(ctx, s.limited(nil))
		if err != nil {
			return ""
		}
		version := ""
		if m := cudaLine.FindStringSubmatch(answer); m != nil {
			version = m[1]
		}
		s.cuda = &version
	}
	return *s.cuda
}

// ask puts a query for lines without a header and units.
func (s *SMI) ask(ctx context.Context, query string) (string, error) {
	return s.run(ctx, s.limited([]string{query, "--format=csv,noheader,nounits"}))
}

// limited adds which GPUs are meant. A broken one beside them does no harm then.
func (s *SMI) limited(args []string) []string {
	if len(s.Indices) == 0 {
		return args
	}
	var list []string
	for _, i := range s.Indices {
		list = append(list, strconv.Itoa(i))
	}
	return append([]string{"-i", strings.Join(list, ",")}, args...)
}

// run runs nvidia-smi within its deadline. A driver that hangs keeps nvidia-smi inside the
// kernel, where no signal reaches it, so that the answer and not the process is waited for.
func (s *SMI) run(ctx context.Context, args []string) (string, error) {
	limit := s.Deadline
	if limit <= 0 {
		limit = 20 * time.Second
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errHangs)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.program(), slices.Concat(s.Args, args)...)
	cmd.Env = slices.Concat(os.Environ(), []string{"LC_ALL=C"}, s.Env)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out // it prints errors on either
	ended := make(chan error, 1)
	go func() { ended <- cmd.Run() }()
	select {
	case err := <-ended:
		if cause := context.Cause(ctx); cause != nil {
			return "", s.hangs(cause, limit)
		}
		if err != nil {
			return "", s.explain(err, out.String())
		}
		return out.String(), nil
	case <-ctx.Done():
		return "", s.hangs(context.Cause(ctx), limit)
	}
}

func (s *SMI) program() string {
	if s.Program == "" {
		return "nvidia-smi"
	}
	return s.Program
}
