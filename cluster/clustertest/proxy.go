package clustertest

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Proxy passes connections on to a server, until it is cut.
type Proxy struct {
	listener net.Listener
	target   string
	mu       sync.Mutex
	open     bool
	conns    []net.Conn
	silent   sync.RWMutex // locked by Silence
}

// NewProxy returns an open proxy of the server at a URL.
func NewProxy(t *testing.T, target string) *Proxy {
	t.Helper()
	u, err := url.Parse(target)
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &Proxy{listener: l, target: u.Host, open: true}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.pass(c)
		}
	}()
	t.Cleanup(func() { l.Close(); p.Set(false) })
	return p
}

// URL returns where it listens.
func (p *Proxy) URL() string { return "nats://" + p.listener.Addr().String() }

func (p *Proxy) pass(c net.Conn) {
	defer c.Close()
	s, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer s.Close()
	p.mu.Lock()
	if !p.open {
		p.mu.Unlock()
		return
	}
	p.conns = append(p.conns, c, s)
	p.mu.Unlock()
	go func() {
		io.Copy(s, p.listening(c))
		s.Close()
	}()
	io.Copy(c, p.listening(s))
}

// Silence keeps connections and passes nothing, until the function that it returns is called.
func (p *Proxy) Silence() (end func()) {
	p.silent.Lock()
	return p.silent.Unlock
}

// reader reads what may be passed on now.
type reader struct {
	io.Reader
	p *Proxy
}

func (p *Proxy) listening(c io.Reader) io.Reader { return reader{c, p} }

func (r reader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.p.silent.RLock()
	defer r.p.silent.RUnlock()
	return n, err
}

// Set lets connections pass, or drops them all.
func (p *Proxy) Set(open bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = open
	if !open {
		for _, c := range p.conns {
			c.Close()
		}
		p.conns = nil
	}
}
