// Package serverlog makes the log of a server that ran for days, with the blocks of
// the clients that ran beside it: what a reader of results must find its way in.
// The text is the same for the same arguments.
package serverlog

import (
	"bufio"
	"fmt"
	"io"
)

// Write writes a log of about size bytes with so many blocks, evenly spread.
func Write(w io.Writer, size int64, blocks int) error {
	out := bufio.NewWriterSize(w, 1<<20)
	written, n := int64(0), 0
	for b := range blocks {
		until := size * int64(b+1) / int64(blocks+1)
		for ; written < until; n++ {
			written += line(out, n)
		}
		written += block(out, b)
	}
	for ; written < size; n++ {
		written += line(out, n)
	}
	return out.Flush()
}

// line writes one of the lines that the servers log over and over.
func line(w io.Writer, n int) int64 {
	clock := fmt.Sprintf("%02d:%02d:%02d", n/3600%24, n/60%60, n%60)
	var written int
	switch n % 8 {
	case 0:
		written, _ = fmt.Fprintf(w, "(APIServer pid=3006) INFO 11-30 %s [loggers.py:310] Engine 000: Avg prompt throughput: %d.8 tokens/s, Avg generation throughput: %d.6 tokens/s, Running: %d reqs, Waiting: 0 reqs, GPU KV cache usage: 0.%d%%, Prefix cache hit rate: 1%d.5%%\n", clock, n%4000, n%900, n%9, n%10, n%9)
	case 4:
		written, _ = fmt.Fprintf(w, "[2026-11-30 %s] Decode batch, #running-req: %d, #token: %d, token usage: 0.0%d, cuda graph: True, gen throughput (token/s): %d.27, #queue-req: 0\n", clock, n%9, n%5000, n%10, n%900)
	default:
		written, _ = fmt.Fprintf(w, "INFO:     127.0.0.1:%d - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n", 40000+n%20000)
	}
	return int64(written)
}

// block writes what a client prints in between.
func block(w io.Writer, n int) int64 {
	written, _ := fmt.Fprintf(w, `# run %d
============ Serving Benchmark Result ============
Successful requests:                     100
Failed requests:                         0
Maximum request concurrency:             4
Benchmark duration (s):                  44.%02d
Total input tokens:                      23260
Total generated tokens:                  22061
Request throughput (req/s):              2.25
Output token throughput (tok/s):         496.88
Peak output token throughput (tok/s):    540.00
Peak concurrent requests:                13.00
Total token throughput (tok/s):          1020.76
---------------Time to First Token----------------
Mean TTFT (ms):                          64.%02d
Median TTFT (ms):                        60.26
P99 TTFT (ms):                           98.59
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          7.38
Median TPOT (ms):                        7.40
P99 TPOT (ms):                           7.96
---------------Inter-token Latency----------------
Mean ITL (ms):                           7.78
Median ITL (ms):                         7.37
P99 ITL (ms):                            40.98
==================================================
`, n, n%100, n%100)
	return int64(written)
}
