package parse

// The codes of problems. They are part of the output's contract: a code is never
// renamed, and its severity never changes.
const (
	// CodeTruncated: a block has no closing rule, so its last lines may be missing.
	CodeTruncated = "truncated-block"
	// CodeCutValue: a number is shorter than its tool prints it, or ends the input.
	CodeCutValue = "cut-value"
	// CodeNoValue: a known label has no number after it.
	CodeNoValue = "label-without-value"
	// CodeUnreadable: what stands after a known label is no number.
	CodeUnreadable = "unreadable-value"
	// CodeDuplicate: one label has two different values in one block.
	CodeDuplicate = "duplicate-label"
	// CodeRunTogether: a second result begins before the first one has ended.
	CodeRunTogether = "blocks-run-together"
	// CodeEncoding: a block holds bytes that are not UTF-8.
	CodeEncoding = "invalid-utf8"
	// CodeUnsupported: the producer was recognised, and there is no reader for it.
	CodeUnsupported = "unsupported-producer"
	// CodeNotTokens: the benchmark does not measure tokens (images, video).
	CodeNotTokens = "not-a-token-benchmark"
	// CodeNoResult: no benchmark result was found in the input.
	CodeNoResult = "no-result"
	// CodeUnreadableFile: an input could not be opened or not be read to its end.
	CodeUnreadableFile = "unreadable-file"
	// CodeBinary: the input is not text.
	CodeBinary = "binary-input"

	// CodeMalformed: a structured document is not what its format demands.
	CodeMalformed = "malformed-document"

	// CodeNoHeader: a block begins without its header line; all values are read.
	CodeNoHeader = "missing-header"
	// CodeNotFinite: nan, inf or a number out of range; the value is left out.
	CodeNotFinite = "not-finite"
	// CodeNotMeasured: every statistic of a quantity is 0; they are left out.
	CodeNotMeasured = "not-measured"
	// CodeTokenCounts: two counts of the same tokens differ by more than a tenth.
	CodeTokenCounts = "token-counts-differ"
	// CodeInflated: a value is printed, and holds more than its name says.
	CodeInflated = "inflated-value"
	// CodeInvalidRun: the tool itself calls the run invalid.
	CodeInvalidRun = "invalid-run"

	// CodeBadJSON: a JSON value cannot be read to its end.
	CodeBadJSON = "invalid-json"
	// CodeRecomputed: a printed value differs from the file's own per-request data by
	// more than the tool's known way of counting.
	CodeRecomputed = "recomputed-differs"
	// CodeMalformedRow: a table cannot be read further.
	CodeMalformedRow = "malformed-row"
	// CodeUnknownObject: a JSON object is no result that is known.
	CodeUnknownObject = "unknown-object"
	// CodeTooLarge: a value has more parts than are read.
	CodeTooLarge = "too-large"
)

// severityOf returns Warning for the codes that make a record doubtful, Error for all others.
func severityOf(code string) Severity {
	switch code {
	case CodeNoHeader, CodeNotFinite, CodeNotMeasured, CodeTokenCounts, CodeInflated, CodeInvalidRun,
		CodeRecomputed, CodeUnknownObject, CodeTooLarge:
		return Warning
	default:
		return Error
	}
}

func newProblem(code, file string, line int, message, hint string) Problem {
	return Problem{Code: code, Severity: severityOf(code), File: file, Line: line, Message: message, Hint: hint}
}

func hasError(problems []Problem) bool {
	for _, p := range problems {
		if p.Severity == Error {
			return true
		}
	}
	return false
}
