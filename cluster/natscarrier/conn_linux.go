package natscarrier

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"
)

// conn makes the system calls of a TCP connection without telling the Go scheduler. They
// never block, but writing a packet takes longer than the 20 µs after which the scheduler
// takes the processor away and continues in another thread. That would move a worker of
// retrograde analysis from core to core, away from its cache, thousands of times.
type conn struct {
	net.Conn
	raw syscall.RawConn
}

// wrap returns a TCP connection as a conn.
func wrap(c net.Conn) (net.Conn, error) {
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		c.Close()
		return nil, err
	}
	return &conn{c, raw}, nil
}

func (c *conn) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	closed := c.raw.Read(func(fd uintptr) (done bool) {
		n, done, err = call(syscall.SYS_READ, "read", fd, p)
		return done
	})
	switch {
	case closed != nil:
		return 0, closed
	case n == 0 && err == nil:
		return 0, io.EOF
	}
	return n, err
}

func (c *conn) Write(p []byte) (written int, err error) {
	closed := c.raw.Write(func(fd uintptr) bool {
		for written < len(p) && err == nil {
			var n int
			var done bool
			if n, done, err = call(syscall.SYS_WRITE, "write", fd, p[written:]); !done {
				return false
			}
			written += n
		}
		return true
	})
	if closed != nil {
		err = closed
	}
	return written, err
}

// call makes a system call on a non-blocking file. done is false if there is nothing to
// read, or no room to write.
func call(number uintptr, name string, fd uintptr, p []byte) (n int, done bool, err error) {
	for {
		r, _, errno := syscall.RawSyscall(number, fd, uintptr(unsafe.Pointer(&p[0])), uintptr(len(p)))
		switch errno {
		case 0:
			return int(r), true, nil
		case syscall.EINTR:
		case syscall.EAGAIN:
			return 0, false, nil
		default:
			return 0, true, os.NewSyscallError(name, errno)
		}
	}
}
