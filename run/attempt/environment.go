package attempt

import (
	"fmt"
	"slices"
	"strings"

	"benchguide/run/gpu"
	"benchguide/run/machine"
)

// allowed lists how the names of variables begin whose values say how an engine ran.
// Everything else of an environment is nobody's business, and much of it is secret.
func allowed() []string {
	return []string{
		"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_", "NCCL_", "VLLM_", "SGLANG_", "SGL_", "TRTLLM_", "TLLM_", "GGML_", "LLAMA_ARG_",
		"TORCH_", "TORCHINDUCTOR_", "TRITON_", "FLASHINFER_", "PYTORCH_", "OMP_NUM_THREADS", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE",
	}
}

// environmentOf returns what was in force beside the configuration: the inherited
// variables that engines read, and the GPUs.
func environmentOf(environ []string, devices []gpu.Device) map[string]string {
	env := map[string]string{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && !machine.Secret(name) && slices.ContainsFunc(allowed(), func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			env[name] = value
		}
	}
	for key, of := range map[string]func(gpu.Device) string{
		"gpu":         func(d gpu.Device) string { return d.Name },
		"gpu_uuid":    func(d gpu.Device) string { return d.UUID },
		"driver":      func(d gpu.Device) string { return d.Driver },
		"cuda":        func(d gpu.Device) string { return d.CUDA },
		"power_limit": powerLimit,
	} {
		if text := ofAll(devices, of); text != "" {
			env[key] = text
		}
	}
	return env
}

// powerLimit is part of what is compared: the same card is sold with several.
func powerLimit(d gpu.Device) string {
	if d.LimitW <= 0 {
		return ""
	}
	return fmt.Sprintf("%g W", d.LimitW)
}

// ofAll names a property once where all GPUs have the same, and one by one otherwise.
func ofAll(devices []gpu.Device, of func(gpu.Device) string) string {
	var all []string
	for _, d := range devices {
		all = append(all, of(d))
	}
	if len(slices.Compact(slices.Clone(all))) == 1 {
		return all[0]
	}
	return strings.Trim(strings.Join(all, ", "), ", ")
}
