package proc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// FreePort returns the first port of a range that nobody has.
//
// A port is tried as strictly as can be. vLLM binds with SO_REUSEPORT and starts to listen
// minutes later, so that a second server on its port does not fail but gets a part of the
// requests at random; a probe that shares addresses would not see it. A port that was
// given up within the last minute counts as taken, too, for which a range has room.
func FreePort(lo, hi int) (int, error) {
	if lo < 1 || hi > 65535 || lo > hi {
		return 0, fmt.Errorf("%d-%d is no range of ports: machine.yaml's ports is two numbers from 1 to 65535, the smaller one first", lo, hi)
	}
	var last error
	for port := lo; port <= hi; port++ {
		err := probe(port)
		if err == nil {
			return port, nil
		}
		last = err
	}
	return 0, fmt.Errorf("no port of %d-%d is free: servers of an earlier run may be left, or machine.yaml's ports is to name another range (the last one said: %w)", lo, hi, last)
}

// Answers reports whether anybody takes connections on a port of this machine.
func Answers(ctx context.Context, port int) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var dialer net.Dialer
	for _, host := range []string{"127.0.0.1", "::1"} {
		conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
		if err == nil {
			conn.Close()
			return true
		}
	}
	return false
}

// probe takes a port and gives it back. Whoever answers on it has it, even if the kernel
// would let us have it, too: a forwarding rule answers without a socket.
func probe(port int) error {
	if Answers(context.Background(), port) {
		return fmt.Errorf("somebody answers on port %d", port)
	}
	for _, network := range []string{"tcp4", "tcp6"} {
		lc := net.ListenConfig{Control: exclusive}
		l, err := lc.Listen(context.Background(), network, ":"+strconv.Itoa(port))
		if network == "tcp6" && noSuchNetwork(err) {
			continue // the machine has no IPv6
		}
		if err != nil {
			return err
		}
		l.Close()
	}
	return nil
}

// noSuchNetwork reports whether the machine lacks a family of addresses altogether.
func noSuchNetwork(err error) bool {
	if err == nil {
		return false
	}
	var addr *net.AddrError
	return errors.As(err, &addr) || isUnsupported(err)
}
