//go:build !linux

package fake

import "net"

// listenOn opens a port. Sharing one is not tried here, so that a twin ends with an error.
func listenOn(address string, shared bool) (net.Listener, error) {
	return net.Listen("tcp", address)
}
