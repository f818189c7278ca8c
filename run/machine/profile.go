// Package machine reads what is true of one machine and of no study: where its engines,
// models and data sets are, which GPUs and ports a run may use, and how attempts get there.
package machine

import "benchguide/study/strict"

// Schema is the version of machine.yaml that this program reads.
const Schema = 1

// Profile is the content of machine.yaml. Everything may be left out: the engines are
// then the programs on PATH, and models go by the name that the study gives them.
type Profile struct {
	Schema   int               `json:"schema"`
	GPUs     []int             `json:"gpus,omitempty" jsonschema:"numbers of the GPUs that a run may use; by default the first ones, as many as the study asks for"`
	Ports    string            `json:"ports,omitempty" jsonschema:"range for servers: 18000-18999 if left out"`
	Models   map[string]string `json:"models,omitempty" jsonschema:"model id to its local folder"`
	Datasets map[string]string `json:"datasets,omitempty" jsonschema:"dataset id to a local file"`
	Engines  map[string]Launch `json:"engines,omitempty" jsonschema:"how an engine is started: vllm, or vllm@v0.20.2 for one version of it"`
	Clients  map[string]Client `json:"clients,omitempty" jsonschema:"where a benchmark client is: vllm, sglang or guidellm"`
	Env      map[string]string `json:"env,omitempty" jsonschema:"environment of every server and client"`
	NoGPU    bool              `json:"no_gpu,omitempty" jsonschema:"there is no GPU, and none is looked for"`
	Slurm    *Slurm            `json:"slurm,omitempty"`
	Command  *Command          `json:"command,omitempty"`
}

// Launch is how an engine is started on this machine. With nothing in it, its program is
// taken from PATH.
type Launch struct {
	Program  strict.Words      `json:"program,omitempty" jsonschema:"in place of the engine's own words: /opt/vllm/bin/vllm serve"`
	Image    string            `json:"image,omitempty" jsonschema:"container image to run it in"`
	Runtime  string            `json:"runtime,omitempty" jsonschema:"podman or docker; by default whichever is there"`
	Options  strict.Words      `json:"options,omitempty" jsonschema:"further options of the container runtime"`
	Template string            `json:"template,omitempty" jsonschema:"a whole command; {program} {model} {options} {name} {host} {port} {gpus} stand for what a run fills in"`
	Env      map[string]string `json:"env,omitempty"`
}

// Client is how a benchmark client is started.
type Client struct {
	Program strict.Words      `json:"program,omitempty" jsonschema:"in place of the client's own words: /opt/vllm/bin/vllm bench serve"`
	Env     map[string]string `json:"env,omitempty"`
}

// Slurm is how attempts become jobs.
type Slurm struct {
	Partition string       `json:"partition,omitempty"`
	Gres      string       `json:"gres,omitempty" jsonschema:"what to ask for, with {gpus} for the number of GPUs: gpu:h100:{gpus}"`
	Time      string       `json:"time,omitempty" jsonschema:"limit of one attempt, as sbatch takes it: 02:00:00 if left out"`
	Options   strict.Words `json:"options,omitempty" jsonschema:"further options of sbatch"`
	Setup     string       `json:"setup,omitempty" jsonschema:"shell lines before an attempt, such as module load"`
}

// Command is an executor of somebody's own, as templates of shell commands.
// {folder} {name} {id} stand for the attempt's folder, its nonce, and what submit printed.
type Command struct {
	Submit string `json:"submit" jsonschema:"starts 'benchguide attempt {folder}' somewhere and prints an id"`
	Poll   string `json:"poll" jsonschema:"prints running, done or lost"`
	Cancel string `json:"cancel"`
	Fetch  string `json:"fetch,omitempty" jsonschema:"brings {folder} back, where there is no shared file system"`
}
