// Command makelog writes the log that tools/bench/parse.sh measures with.
package main

import (
	"flag"
	"fmt"
	"os"

	"benchguide/tools/bench/serverlog"
)

func main() {
	size := flag.Int64("size", 1<<30, "bytes")
	blocks := flag.Int("blocks", 1000, "results in it")
	flag.Parse()
	if err := serverlog.Write(os.Stdout, *size, *blocks); err != nil {
		fmt.Fprintln(os.Stderr, "makelog:", err)
		os.Exit(1)
	}
}
