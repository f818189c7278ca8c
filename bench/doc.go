// Package bench is a load generator for servers with OpenAI's streaming API.
//
// Its stages, in order: a workload ([Custom], [ShareGPT], [Random]) gives prompts; a
// schedule ([Arrivals], [ReadArrivals]) says when each is due; [Run] sends them through
// a [Client] and records when each piece of each answer came; [Summarize] computes;
// [WriteBlock] and [WriteJSON] print what `vllm bench serve` prints, under its labels
// and keys. Nothing is computed while requests are running.
//
// # What is measured
//
// The words mean what they mean in `vllm bench serve` 0.26, so that its numbers and
// these can stand in one table:
//
//   - A request begins when it is handed to HTTP: connecting is part of it, waiting for
//     a free place under the concurrency limit is not (that is its queue time).
//   - TTFT ends at the first chunk that has choices. With the chat API that is the empty
//     chunk with the role, where the server sends one; the first chunk with text is
//     kept beside it.
//   - ITL is the gap between two successive chunks with choices, whatever they carry:
//     gaps count chunks, not tokens, and the statistics are over all gaps of all requests.
//   - E2E ends at the last chunk of the stream, which is the one with the usage.
//   - TPOT is (E2E - TTFT) / (n - 1) for an answer of n tokens, n > 1, and the statistics
//     are over requests.
//   - Token counts are the server's, from usage. Reasoning is output like any other.
//   - Rates divide by the time from the beginning of the run to the end of the last answer.
//
// A request has failed, and counts in nothing else, if its status is not 200, its stream
// carries an error, ends before [DONE], has no usage, or has no token. That is
// stricter than the original, which takes a stream without usage or [DONE] for a success.
//
// # How far it is off
//
// Against a server of the same process that writes down when it sends each chunk, 20
// chunks a second in each stream, on two cores that both share (BenchmarkMeasurementError;
// milliseconds, median and 99th percentile of the single errors):
//
//	streams    TTFT          ITL           TPOT
//	     10    0.02  0.03    0.00  0.14    0.00  0.01
//	    100    0.02  1.24    0.00  0.24    0.00  0.05
//	   1000    0.21  4.12    0.16  2.66    0.01  0.20
//
// What is printed are means and percentiles over many, in which these errors are smaller;
// single late chunks are what a scheduler of two cores does to a thousand streams.
//
// The package judges no server: whether values are plausible is for package analyze. It
// does judge itself ([Self]): a run that the client may have bounded is marked.
package bench
