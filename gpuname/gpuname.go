// Package gpuname tells whether two names mean the same GPU. Drivers and people call one by
// different names: "NVIDIA H100 80GB HBM3" is an H100 SXM, and an H100 may be any of them.
package gpuname

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Unknown is in place of a size of memory that nobody tells.
const Unknown = -1

// forms are the shapes in which one chip is sold, with speeds of their own.
var forms = []string{"sxm", "pcie", "nvl"}

// marks are words that make another GPU of the same number.
var marks = []string{"ti", "super", "laptop", "mobile", "ada", "blackwell", "d"}

// Means reports whether a name that a person gave can mean a device, by the device's name as
// its driver prints it and its memory in MiB.
func Means(given, found string, totalMiB float64) bool {
	g, f := Words(given), Words(found)
	if !sameSet(numbered(g), numbered(f)) || len(numbered(g)) == 0 {
		return false
	}
	if !sameSet(among(g, marks), among(f, marks)) {
		return false
	}
	if form := among(g, forms); len(form) > 0 && !sameSet(form, formOf(f)) {
		return false
	}
	return sameMemory(g, f, totalMiB)
}

// HasChip reports whether a name says which chip it is: "NVIDIA" and "unknown" do not.
func HasChip(name string) bool { return len(numbered(Words(name))) > 0 }

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
	size, err := strconv.ParseFloat(strings.TrimSuffix(given[want], "gb"), 64)
	if err != nil || totalMiB < 0 {
		return true // nothing to compare
	}
	ratio := totalMiB / 1024 / size
	return ratio > 0.88 && ratio < 1.08
}

// Words splits a name into its words in lower case, without those that tell nothing: kinds
// of memory, and generations of a form. "H100-SXM5-80GB" has h100, sxm and 80gb.
func Words(name string) []string {
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
