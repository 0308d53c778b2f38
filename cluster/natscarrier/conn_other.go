//go:build !linux

package natscarrier

import "net"

// wrap returns the connection unchanged: only Linux has a type of its own.
func wrap(c net.Conn) (net.Conn, error) { return c, nil }
