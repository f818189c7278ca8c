//go:build linux

package proc_test

import (
	"context"
	"net"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"benchguide/run/proc"
)

const soReusePort = 15 // of Linux; package syscall does not name it

// taken listens on a port that the kernel chooses.
func taken(t *testing.T, network, host string) int {
	t.Helper()
	l, err := net.Listen(network, host+":0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	_, text, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	port, err := strconv.Atoi(text)
	require.NoError(t, err)
	return port
}

// shared binds a port as vLLM does, so that others may bind it too, and does not listen.
func shared(t *testing.T) int {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	t.Cleanup(func() { syscall.Close(fd) })
	require.NoError(t, syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1))
	require.NoError(t, syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, soReusePort, 1))
	require.NoError(t, syscall.Bind(fd, &syscall.SockaddrInet4{}))
	addr, err := syscall.Getsockname(fd)
	require.NoError(t, err)
	return addr.(*syscall.SockaddrInet4).Port
}

func TestFreePortSkipsWhatIsTaken(t *testing.T) {
	t.Parallel()
	for name, port := range map[string]int{
		"a server on every address":        taken(t, "tcp4", "0.0.0.0"),
		"a server on the loopback":         taken(t, "tcp4", "127.0.0.1"),
		"a server that shares, silent yet": shared(t),
	} {
		_, err := proc.FreePort(port, port)
		require.ErrorContains(t, err, "no port of "+strconv.Itoa(port)+"-"+strconv.Itoa(port)+" is free", name)
		require.ErrorContains(t, err, "machine.yaml", name)
		free, err := proc.FreePort(port, min(port+50, 65535))
		require.NoError(t, err, name)
		require.Greater(t, free, port, name)
	}
}

func TestFreePortCanBeTaken(t *testing.T) {
	t.Parallel()
	port, err := proc.FreePort(21000, 21999)
	require.NoError(t, err)
	l, err := net.Listen("tcp", ":"+strconv.Itoa(port))
	require.NoError(t, err)
	l.Close()
}

func TestFreePortRefusesRangesThatAreNone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lo, hi int }{{0, 10}, {65000, 70000}, {19000, 18000}, {-5, -1}} {
		_, err := proc.FreePort(c.lo, c.hi)
		require.ErrorContains(t, err, "is no range of ports")
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	require.True(t, proc.Answers(t.Context(), taken(t, "tcp4", "127.0.0.1")))
	require.False(t, proc.Answers(t.Context(), shared(t)), "bound and not listening")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.False(t, proc.Answers(ctx, taken(t, "tcp4", "127.0.0.1")))
}

func TestDiskFree(t *testing.T) {
	t.Parallel()
	free, err := proc.DiskFree(t.TempDir())
	require.NoError(t, err)
	require.Positive(t, free)
	_, err = proc.DiskFree("/none/of/it")
	require.ErrorContains(t, err, "/none/of/it")
}
