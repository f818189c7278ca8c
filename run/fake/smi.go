package fake

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
)

// smiVariable names the state file of the fake nvidia-smi.
const smiVariable = "BENCHGUIDE_FAKE_SMI"

// defaultMiB is how much memory stays if the rule does not say.
const defaultMiB = 40000.0

// occupy takes memory of the first GPU and does not give it back when the engine ends, or only
// some time after.
func (s *Server) occupy(self []string, f Rule) error {
	file := os.Getenv(smiVariable)
	if file == "" {
		s.say("fault: memory stays in use only where %s names the state of a fake nvidia-smi", smiVariable)
		return nil
	}
	mib := f.MiB
	if mib == 0 {
		mib = defaultMiB
	}
	if err := changeSMI(file, os.Getpid(), mib); err != nil {
		return err
	}
	if f.Seconds == 0 {
		return nil
	}
	_, err := spawn(self, "VLLM::Worker", "memory", number(f.Seconds), file, number(mib), fmt.Sprint(os.Getpid()))
	if err != nil {
		return fmt.Errorf("starting the child that gives memory back: %w", err)
	}
	return nil
}

// changeSMI adds to the memory in use, or takes from it where mib is negative, and lists
// the process or removes it. What else the file holds is kept.
func changeSMI(file string, pid int, mib float64) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("the state of the fake nvidia-smi: %w", err)
	}
	var state map[string]any
	if err := json.Unmarshal(data, &state); err != nil {
		return fmt.Errorf("%s is no state of a fake nvidia-smi: %w", file, err)
	}
	devices, _ := state["devices"].([]any)
	if len(devices) == 0 {
		return fmt.Errorf(`%s has no devices; it should be such as {"devices": [{"index": 0, "uuid": "GPU-fake-0", "memory_used": 0}], "processes": []}`, file)
	}
	device, _ := devices[0].(map[string]any)
	if device == nil {
		return fmt.Errorf("%s: the first device is no object", file)
	}
	used, _ := device["memory_used"].(float64)
	device["memory_used"] = math.Max(used+mib, 0)
	var processes []any
	list, _ := state["processes"].([]any)
	for _, p := range list {
		if m, ok := p.(map[string]any); !ok || m["pid"] != float64(pid) {
			processes = append(processes, p)
		}
	}
	if mib > 0 {
		processes = append(processes, map[string]any{"uuid": device["uuid"], "pid": pid, "memory": mib, "name": "VLLM::EngineCore"})
	}
	state["processes"] = append([]any{}, processes...)
	return replace(file, state)
}

// replace writes a file by renaming, so that no reader sees half of it.
func replace(file string, content any) error {
	text, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return err
	}
	temporary := fmt.Sprintf("%s.%d", file, os.Getpid())
	if err := os.WriteFile(temporary, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, file)
}
