package gpu

import (
	"fmt"

	"benchguide/gpuname"
)

// Expect compares the GPUs of a machine with what a study was made for: at least that many,
// and each of that name as far as the name says.
func Expect(devices []Device, name string, count int) error {
	if len(devices) == 0 && count > 0 {
		return fmt.Errorf("the study is for %s and this machine has no GPU: run it where there is one, or rehearse it", times(count, name))
	}
	for _, d := range devices[:min(count, len(devices))] {
		if !gpuname.Means(name, d.Name, d.TotalMiB) {
			return fmt.Errorf("the study is for %s and GPU %d of this machine is an %s: let machine.yaml's gpus name the right ones, run it on another machine, or change hardware.gpu in study.yaml, since results of another GPU belong to another study",
				times(count, name), d.Index, d.Name)
		}
	}
	if len(devices) < count {
		return fmt.Errorf("the study is for %s and this run may use %s: let machine.yaml's gpus name more, or change hardware.count in study.yaml",
			times(count, name), times(len(devices), devices[0].Name))
	}
	return nil
}

func times(count int, name string) string { return fmt.Sprintf("%dx %s", count, name) }
