package parse_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/parse"
	"benchguide/tools/bench/serverlog"
)

// BenchmarkServerLog finds the results in the log of a server: one in each megabyte.
func BenchmarkServerLog(b *testing.B) {
	const size, blocks = 64 << 20, 64
	var log bytes.Buffer
	require.NoError(b, serverlog.Write(&log, size, blocks))
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		records := 0
		problems, err := parse.Stream("server.log", bytes.NewReader(log.Bytes()), func(parse.Record) { records++ })
		if err != nil || len(problems) > 0 || records != blocks {
			b.Fatalf("%d records, %v, %v", records, problems, err)
		}
	}
}

// BenchmarkBlocks reads results that stand side by side, as in the file of a sweep.
func BenchmarkBlocks(b *testing.B) {
	src := bytes.Repeat([]byte(base(b)), 1000)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if records, _ := parse.Bytes("sweep.txt", src); len(records) != 1000 {
			b.Fatalf("%d records", len(records))
		}
	}
}
