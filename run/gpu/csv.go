package gpu

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// unknown is a number that the driver does not tell.
const unknown = -1

// plainNumber is a number as nvidia-smi prints it. What else Go takes for a number, such
// as nan, 1e9 or 0x1p4, is none here.
var plainNumber = regexp.MustCompile(`^[0-9]{1,15}(\.[0-9]{1,9})?$`)

// notTold are the answers in place of a number that only mean that there is none to give.
// Others, such as [GPU requires reset], are about the GPU and not about the number.
var notTold = []string{"[N/A]", "N/A", "[Not Supported]", "[Not Found]", "[Insufficient Permissions]"}

// number reads a number that may be missing.
func number(text string) (float64, error) {
	for _, missing := range notTold {
		if strings.EqualFold(text, missing) {
			return unknown, nil
		}
	}
	if !plainNumber.MatchString(text) {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return strconv.ParseFloat(text, 64)
}

// bits reads a mask such as 0x0000000000000004.
func bits(text string) (uint64, error) {
	for _, missing := range notTold {
		if strings.EqualFold(text, missing) {
			return ReasonsUnknown, nil
		}
	}
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok || len(digits) > 16 {
		return 0, fmt.Errorf("%q is no mask of bits", text)
	}
	mask, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no mask of bits", text)
	}
	return mask, nil
}

// cells splits a line; nvidia-smi puts ", " between values and quotes none. The last cell
// keeps its commas: it is a name wherever there may be any.
func cells(line string, n int) ([]string, error) {
	list := strings.SplitN(line, ",", n)
	if len(list) != n {
		return nil, fmt.Errorf("%d values in place of %d", len(list), n)
	}
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list, nil
}

// answerLines returns the lines of an answer that hold anything.
func answerLines(answer string) []string {
	var list []string
	for line := range strings.Lines(answer) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}
