package gpulog

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// What holds clocks back has two names: drivers before 535 know only the second one.
const (
	ReasonsColumn    = "clocks_event_reasons.active"
	OldReasonsColumn = "clocks_throttle_reasons.active"
)

// Unknown is in place of a number that the driver does not tell.
const Unknown = -1

// plainNumber is a number as nvidia-smi prints it. What else Go takes for a number, such
// as nan, 1e9 or 0x1p4, is none here.
var plainNumber = regexp.MustCompile(`^[0-9]{1,15}(\.[0-9]{1,9})?$`)

// notTold are the answers in place of a number that only mean that there is none to give.
// Others, such as [GPU requires reset], are about the GPU and not about the number.
var notTold = []string{"[N/A]", "N/A", "[Not Supported]", "[Not Found]", "[Insufficient Permissions]"}

// Number reads a number that may be missing.
func Number(text string) (float64, error) {
	for _, missing := range notTold {
		if strings.EqualFold(text, missing) {
			return Unknown, nil
		}
	}
	if !plainNumber.MatchString(text) {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return strconv.ParseFloat(text, 64)
}

// Bits reads a mask such as 0x0000000000000004.
func Bits(text string) (uint64, error) {
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
