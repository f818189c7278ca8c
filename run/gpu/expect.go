package gpu

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"benchguide/gpulog"
)

// Expect compares the GPUs of a machine with what a study was made for: at least that many,
// and each of that name as far as the name says. Drivers and people call the same GPU by
// different names: "NVIDIA H100 80GB HBM3" is an H100 SXM, and an H100 may be any of them.
func Expect(devices []Device, name string, count int) error {
	if len(devices) == 0 && count > 0 {
		return fmt.Errorf("the study is for %s and this machine has no GPU: run it where there is one, or rehearse it", times(count, name))
	}
	for _, d := range devices[:min(count, len(devices))] {
		if !means(name, d) {
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

// forms are the shapes in which one chip is sold, with speeds of their own.
var forms = []string{"sxm", "pcie", "nvl"}

// marks are words that make another GPU of the same number.
var marks = []string{"ti", "super", "laptop", "mobile", "ada", "blackwell", "d"}

// means reports whether a name that a person gave can mean a device.
func means(name string, d Device) bool {
	given, found := words(name), words(d.Name)
	if !sameSet(numbered(given), numbered(found)) || len(numbered(given)) == 0 {
		return false
	}
	if !sameSet(among(given, marks), among(found, marks)) {
		return false
	}
	if form := among(given, forms); len(form) > 0 && !sameSet(form, formOf(found)) {
		return false
	}
	return sameMemory(given, found, d.TotalMiB)
}

// formOf is the form of a device. NVIDIA's driver names PCIe cards and NVL pairs and, since
// Hopper, does not name modules: "NVIDIA H200" is one.
func formOf(found []string) []string {
	if named := among(found, forms); len(named) > 0 {
		return named
	}
	return []string{"sxm"}
}

// sameMemory compares sizes of memory if a name has one: with the other name, or else with
// what the driver counts, which is a little less than the round number on the box.
func sameMemory(given, found []string, totalMiB float64) bool {
	want := slices.IndexFunc(given, isMemory)
	if want < 0 {
		return true
	}
	if have := slices.IndexFunc(found, isMemory); have >= 0 {
		return given[want] == found[have]
	}
	size, err := gpulog.Number(strings.TrimSuffix(given[want], "gb"))
	if err != nil || totalMiB < 0 {
		return true // nothing to compare
	}
	ratio := totalMiB / 1024 / size
	return ratio > 0.88 && ratio < 1.08
}

// words splits a name into its words in lower case, without those that tell nothing: kinds
// of memory, and generations of a form.
func words(name string) []string {
	list := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	list = slices.DeleteFunc(list, func(w string) bool { return strings.HasPrefix(w, "hbm") })
	for i, w := range list {
		if strings.HasPrefix(w, "sxm") {
			list[i] = "sxm"
		}
	}
	return list
}

// numbered returns the words that name the chip: those with a digit that are no size.
func numbered(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(w string) bool {
		return !strings.ContainsFunc(w, unicode.IsDigit) || isMemory(w)
	})
}

func isMemory(word string) bool {
	return strings.HasSuffix(word, "gb") && strings.ContainsFunc(word, unicode.IsDigit)
}

func among(list, known []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(w string) bool { return !slices.Contains(known, w) })
}

// sameSet reports whether two lists have the same words, however often and in whatever order.
func sameSet(a, b []string) bool {
	in := func(list []string) func(string) bool {
		return func(w string) bool { return !slices.Contains(list, w) }
	}
	return !slices.ContainsFunc(a, in(b)) && !slices.ContainsFunc(b, in(a))
}
