package document

import "strings"

// isShell reports whether a listing's language is that of a shell.
func isShell(language string) bool {
	switch strings.ToLower(language) {
	case "bash", "sh", "shell", "zsh", "console", "shell-session", "shellsession", "fish", "terminal", "cmd", "powershell":
		return true
	}
	return false
}

// beginsWithCommand reports whether the first line that is no comment is a command.
func beginsWithCommand(lines []string) bool {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			return isCommand(l)
		}
	}
	return false
}

// isCommand recognises the commands that guides tell to type. A sentence can begin
// with the name of a program, so the ones that are names of projects too need the
// word that follows.
func isCommand(s string) bool {
	s = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(s), "$ "), "sudo ")
	for _, start := range []string{
		"vllm serve", "vllm bench", "vllm chat", "sglang serve", "python -m ", "python3 -m ", "python3 ./", "python ", "python3 ",
		"trtllm-serve ", "trtllm-bench ", "trtllm-build ", "lmdeploy serve", "llama-server ", "guidellm benchmark", "guidellm run", "aiperf profile",
		"genai-perf ", "genai-bench ", "evalscope perf", "docker run", "docker compose", "podman run", "kubectl ", "helm install", "pip install", "pip3 install",
		"uv pip", "uv run", "uv venv", "wget ", "curl ", "git clone", "cd ", "export ", "mpirun ", "torchrun ", "srun ", "sbatch ", "numactl ",
		"huggingface-cli ", "hf download", "modelscope download", "nvidia-smi", "inference-perf ", "ray start", "bash ", "source ", "mkdir ", "nsys profile",
	} {
		if strings.HasPrefix(s, start) {
			return !strings.HasPrefix(start, "python") || runsPython(s)
		}
	}
	name, rest, ok := strings.Cut(s, "=")
	_, program, spaced := strings.Cut(rest, " ")
	return ok && spaced && name != "" && strings.ToUpper(name) == name && !strings.ContainsAny(name, " -.") && isCommand(program)
}

// runsPython tells "python bench.py" from "python is slow".
func runsPython(s string) bool {
	_, rest, _ := strings.Cut(s, " ")
	argument, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	return strings.HasPrefix(argument, "-") || strings.HasSuffix(argument, ".py") || strings.Contains(argument, "/")
}
