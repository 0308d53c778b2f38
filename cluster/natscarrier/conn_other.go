//go:build !linux

package natscarrier

import "net"

// wrap returns the connection: only Linux has another one.
func wrap(c net.Conn) (net.Conn, error) { return c, nil }
