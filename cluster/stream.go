package cluster

import (
	"net"
	"sync"
)

// stream is a connection below TLS, which writes each of its records of 16 KiB by itself. Several
// of them in one write cost less in the kernel, of the sender and of the receiver.
type stream struct {
	net.Conn

	mu   sync.Mutex
	held []byte
	hold bool // Write only appends to held
}

// Write implements [net.Conn].
func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hold {
		s.held = append(s.held, p...)
		return len(p), nil
	}
	return s.Conn.Write(p)
}

// together calls write, and then writes at once what that has written.
func (s *stream) together(write func() error) error {
	s.mu.Lock()
	s.hold = true
	s.mu.Unlock()
	err := write()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold = false
	if err == nil {
		_, err = s.Conn.Write(s.held)
	}
	s.held = s.held[:0]
	return err
}
