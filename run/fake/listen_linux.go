package fake

import (
	"context"
	"net"
	"syscall"
)

// reusePort is SO_REUSEPORT, which package syscall does not name.
const reusePort = 0xf

// listenOn opens a port, which others may then open as well if it is shared.
func listenOn(address string, shared bool) (net.Listener, error) {
	c := net.ListenConfig{Control: func(_, _ string, conn syscall.RawConn) error {
		var set error
		err := conn.Control(func(fd uintptr) {
			if shared {
				set = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, reusePort, 1)
			}
		})
		if err != nil {
			return err
		}
		return set
	}}
	return c.Listen(context.Background(), "tcp", address)
}
