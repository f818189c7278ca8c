// Command benchguide reads what LLM serving benchmarks print and publishes guides from it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	// The first signal lets the work in hand end in order. The second one finds no
	// handler any more and ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// endings are the signals by which a person or a machine asks the program to end. A
// closed terminal is one of them, unless nohup has said that it does not matter.
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}
