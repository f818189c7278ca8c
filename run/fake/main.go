package fake

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"

	"benchguide/roofline"
)

// exitUsage is what a wrong command line ends with, as in the rest of benchguide.
const exitUsage = 2

// Main is the fake engine as a program: it serves until it is told to stop, and returns the
// exit code. The options stand before the serving command, with -- between them. What
// an engine would log goes to stderr.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == childFlag {
		return child(ctx, args[1:])
	}
	o, script, err := options(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, "benchguide fake-engine:", err)
		return exitUsage
	}
	if o.Script != nil {
		if o.Starts, err = starts(script, o); err != nil {
			fmt.Fprintln(stderr, "benchguide fake-engine:", err)
			return exitUsage
		}
	}
	s, err := newServer(o, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "benchguide fake-engine:", err)
		return exitUsage
	}
	return s.run(ctx, selfWords(args))
}

// options reads the command line, and returns the name of the script beside them.
func options(args []string, stderr io.Writer) (Options, string, error) {
	o := Options{DevMode: os.Getenv("VLLM_SERVER_DEV_MODE") == "1"}
	flags := flag.NewFlagSet("fake-engine", flag.ContinueOnError)
	flags.SetOutput(stderr)
	script := flags.String("script", "", "file with the faults to show")
	flags.Float64Var(&o.TimeScale, "time-scale", 1, "real seconds for a simulated one")
	seed := flags.Int64("seed", 0, "seed of what differs between starts")
	flags.StringVar(&o.GPU, "gpu", "", "name of the GPU; "+defaultGPU+" if it is not known")
	flags.IntVar(&o.GPUs, "gpus", 1, "how many of them the machine has")
	shape := flags.String("shape", "", "file with the model's shape; by its name, or that of "+defaultModel+", if left out")
	if err := flags.Parse(args); err != nil {
		return o, "", err
	}
	o.Words, o.Seed = flags.Args(), uint64(*seed)
	if !(o.TimeScale >= 0 && o.TimeScale <= 1000) || math.IsNaN(o.TimeScale) {
		return o, "", fmt.Errorf("--time-scale %v is not possible; 0.01 makes a second last 10 ms, 0 waits for nothing", o.TimeScale)
	}
	var err error
	if *shape != "" {
		if o.Shape, err = readShape(*shape); err != nil {
			return o, "", err
		}
	}
	if *script != "" {
		f, err := os.Open(*script)
		if err != nil {
			return o, "", err
		}
		defer f.Close()
		if o.Script, err = ReadScript(*script, f); err != nil {
			return o, "", err
		}
	}
	return o, *script, nil
}

func readShape(file string) (*roofline.Model, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var m roofline.Model
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("%s is no shape of a model, an object with layers, hidden, heads, and so on: %w", file, err)
	}
	if m.Layers < 1 || m.Hidden < 1 || m.Heads < 1 || m.KVHeads < 1 || m.HeadSize < 1 || m.Intermediate < 1 || m.Vocabulary < 1 {
		return nil, fmt.Errorf("%s: layers, hidden, heads, kv_heads, head_size, intermediate and vocabulary must all be at least 1", file)
	}
	return &m, nil
}

// starts counts this start for the script's rules.
func starts(script string, o Options) ([]int, error) {
	k, err := understand(o)
	if err != nil {
		return nil, err
	}
	// The process id alone may come again.
	return countStart(StartsFile(script), o.Script, k, strconv.Itoa(os.Getpid())+"-"+strconv.FormatInt(startMark(), 36))
}
