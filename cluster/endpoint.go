package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"sync"
	"time"
)

// Member is a process of a [Mesh], as the others must know it.
type Member struct {
	// Address is where it listens. It is empty for one that only dials.
	Address string
	// Certificate is the SHA-256 of the certificate that it shows, in hexadecimal.
	Certificate string
}

// Endpoint is where the streams of a process begin and end. It has a certificate that it has
// made itself. Others know it by what they have heard from the coordinator, so whoever may speak
// there decides who may join a mesh.
type Endpoint struct {
	network     Network
	certificate tls.Certificate
	listener    net.Listener // nil if others cannot dial
	group       sync.WaitGroup
	open        context.Context // ends with Close
	close       context.CancelFunc

	mu     sync.Mutex
	meshes map[uint64]*Mesh // by session
}

const (
	// connectTime is how long a member may take to connect to another one.
	connectTime = 10 * time.Second
	// mostGreetings is how many connections may be about to say whose they are.
	mostGreetings = 64
)

// NewEndpoint returns an endpoint. Others can dial it if listen is true.
func NewEndpoint(n Network, listen bool) (*Endpoint, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().AddDate(10, 0, 0)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{network: n, meshes: map[uint64]*Mesh{}, certificate: tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}}
	e.open, e.close = context.WithCancel(context.Background())
	if listen {
		if e.listener, err = n.Listen(); err != nil {
			return nil, err
		}
		e.group.Go(e.accept)
	}
	return e, nil
}

// Member returns what others must know of the endpoint.
func (e *Endpoint) Member() Member {
	m := Member{Certificate: fingerprint(e.certificate.Certificate[0])}
	if e.listener != nil {
		m.Address = e.listener.Addr().String()
	}
	return m
}

// Close stops listening. The streams of meshes go on.
func (e *Endpoint) Close() error {
	if e.listener == nil {
		return nil
	}
	e.close()
	err := e.listener.Close()
	e.group.Wait()
	return err
}

// config returns a TLS configuration in which both sides show certificates, and any will do: what
// counts is which one it is.
func (e *Endpoint) config() *tls.Config {
	return &tls.Config{
		Certificates:                []tls.Certificate{e.certificate},
		ClientAuth:                  tls.RequireAnyClientCert,
		InsecureSkipVerify:          true, // shown says which one it is, for a comparison with the one that is expected
		MinVersion:                  tls.VersionTLS13,
		DynamicRecordSizingDisabled: true, // throughput counts
	}
}

func fingerprint(certificate []byte) string {
	sum := sha256.Sum256(certificate)
	return hex.EncodeToString(sum[:])
}

// shown returns the fingerprint of the certificate that the other side has shown.
func shown(c *tls.Conn) string {
	list := c.ConnectionState().PeerCertificates
	if len(list) == 0 {
		return ""
	}
	return fingerprint(list[0].Raw)
}

// Who dials says first which session and which of its members it is; the other side answers with
// a zero byte once it is in that session.
const greetingSize = 12

// accept gives connections to the meshes that they are for.
func (e *Endpoint) accept() {
	greeting := make(chan struct{}, mostGreetings)
	for {
		c, err := e.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // such as too many open files
			time.Sleep(10 * time.Millisecond)
			continue
		}
		select {
		case greeting <- struct{}{}:
		case <-e.open.Done():
			c.Close()
			return
		}
		go func() {
			defer func() { <-greeting }()
			t := tls.Server(&stream{Conn: c}, e.config())
			c.SetDeadline(time.Now().Add(connectTime))
			var g [greetingSize]byte
			if _, err := io.ReadFull(t, g[:]); err != nil {
				c.Close()
				return
			}
			e.mu.Lock()
			m := e.meshes[binary.LittleEndian.Uint64(g[:])]
			e.mu.Unlock()
			if m == nil || !m.admit(int(binary.LittleEndian.Uint32(g[8:])), t) {
				t.Close() // who dials tries again
			}
		}()
	}
}

var errNotYet = errors.New("it is not in the session")

// dial connects to a member in a session. It fails with errNotYet if that is not in the session yet, or
// not any more. Nobody is a member before it listens, so other errors are final.
func (e *Endpoint) dial(ctx context.Context, session uint64, self int, to Member) (*tls.Conn, error) {
	c, err := e.network.Dial(ctx, to.Address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { c.Close() })
	t := tls.Client(&stream{Conn: c}, e.config())
	var g [greetingSize]byte
	binary.LittleEndian.PutUint64(g[:], session)
	binary.LittleEndian.PutUint32(g[8:], uint32(self))
	_, err = t.Write(g[:])
	if err == nil && shown(t) != to.Certificate {
		err = fmt.Errorf("another process listens at %s", to.Address)
	}
	if err == nil {
		if _, err = io.ReadFull(t, g[:1]); err != nil {
			err = errNotYet
		}
	}
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return t, nil
}
