// Package smi is a stand-in for nvidia-smi. It answers the questions that package gpu asks,
// byte for byte as nvidia-smi does, about GPUs that a file describes; and it fails, hangs
// and changes its mind as the file says.
package smi

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// StateVar names the file that holds the State.
const StateVar = "BENCHGUIDE_FAKE_SMI"

// Exit codes of nvidia-smi.
const (
	exitUsage    = 2
	exitNone     = 6
	exitDriver   = 9
	exitLost     = 15
	exitMismatch = 18
)

// Main answers one call of nvidia-smi, whose words are args, and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	state, err := Load(os.Getenv(StateVar))
	if err != nil {
		fmt.Fprintln(stderr, "the fake nvidia-smi has no state:", err)
		return exitUsage
	}
	call, err := count(os.Getenv(StateVar))
	if err != nil {
		fmt.Fprintln(stderr, "the fake nvidia-smi cannot count its calls:", err)
		return exitUsage
	}
	if f := state.Fail; f != nil && f.at(call) {
		return f.show(stdout)
	}
	devices, args, ok := choose(state.Devices, args)
	if !ok || len(devices) == 0 {
		fmt.Fprintln(stdout, "No devices were found")
		return exitNone
	}
	switch {
	case len(args) == 0:
		head(stdout, state)
		return 0
	case len(args) == 2 && args[1] == "--format=csv,noheader,nounits":
		return answer(stdout, state, devices, args[0], call)
	}
	fmt.Fprintf(stdout, "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n\n")
	return exitUsage
}

// choose obeys -i.
func choose(all []Device, args []string) ([]Device, []string, bool) {
	if len(args) < 2 || args[0] != "-i" {
		return all, args, true
	}
	var some []Device
	for _, word := range strings.Split(args[1], ",") {
		i := slices.IndexFunc(all, func(d Device) bool { return strconv.Itoa(d.Index) == word || d.UUID == word })
		if i < 0 {
			return nil, nil, false
		}
		some = append(some, all[i])
	}
	return some, args[2:], true
}

// head prints the beginning of the table that nvidia-smi prints without any option.
func head(w io.Writer, s State) {
	const edge = "+-----------------------------------------------------------------------------------------+\n"
	io.WriteString(w, "Mon Nov 30 21:25:32 2026       \n"+edge)
	fmt.Fprintf(w, "| NVIDIA-SMI %-22s Driver Version: %-18s CUDA Version: %-8s |\n", s.Driver, s.Driver, s.CUDA)
	io.WriteString(w, "+-----------------------------------------+------------------------+----------------------+\n")
}

// answer answers a query.
func answer(w io.Writer, s State, devices []Device, query string, call int) int {
	if fields, ok := strings.CutPrefix(query, "--query-gpu="); ok {
		return table(w, strings.Split(fields, ","), devices, func(d Device, field string) (string, bool) {
			return d.field(s, field, call)
		})
	}
	if fields, ok := strings.CutPrefix(query, "--query-compute-apps="); ok {
		return table(w, strings.Split(fields, ","), s.listed(devices, call), Process.field)
	}
	fmt.Fprintf(w, "Option %s is not recognized. Please run 'nvidia-smi -h'.\n\n", query)
	return exitUsage
}

// table prints rows, or which field it does not know.
func table[T any](w io.Writer, fields []string, rows []T, value func(T, string) (string, bool)) int {
	var text strings.Builder
	var none T
	for _, field := range fields {
		if _, ok := value(none, field); !ok {
			fmt.Fprintf(w, "Field \"%s\" is not a valid field to query.\n\n", field)
			return exitUsage
		}
	}
	for _, row := range rows {
		for i, field := range fields {
			if i > 0 {
				text.WriteString(", ")
			}
			cell, _ := value(row, field)
			text.WriteString(cell)
		}
		text.WriteString("\n")
	}
	io.WriteString(w, text.String())
	return 0
}

// show fails the way that nvidia-smi does.
func (f Fail) show(w io.Writer) int {
	switch f.Mode {
	case "driver":
		fmt.Fprint(w, "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n\n")
		return exitDriver
	case "mismatch":
		fmt.Fprint(w, "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.159\n")
		return exitMismatch
	case "lost":
		fmt.Fprintln(w, "Unable to determine the device handle for GPU0000:0F:00.0: GPU is lost.  Reboot the system to recover this GPU")
		return exitLost
	case "none":
		fmt.Fprintln(w, "No devices were found")
		return exitNone
	case "hang":
		time.Sleep(time.Hour) // whoever asks gives up long before
		return 0
	case "garbage":
		fmt.Fprint(w, "0, GPU-\xff\xfe, [Unknown Error], \x00\n")
		return 0
	case "silent":
		return 1
	}
	fmt.Fprintf(w, "the fake nvidia-smi knows no way to fail called %q\n", f.Mode)
	return exitUsage
}
