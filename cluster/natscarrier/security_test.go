package natscarrier_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

// certificate writes a self-signed certificate, and its key.
func certificate(t *testing.T) (cert, key string) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "yomikiri"},
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	write := func(name, kind string, data []byte) string {
		file := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600))
		return file
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", secret)
}

func TestListenRefused(t *testing.T) {
	cert, key := certificate(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for _, test := range []struct {
		listen, token, cert, key string
		want                     string
	}{
		{":0", "", "", "", `other machines can reach ":0", which needs a TLS certificate with its key, and a token; 127.0.0.1 needs none`},
		{"0.0.0.0:0", "", "", "", "needs a TLS certificate with its key, and a token"},
		{"[::]:0", "t", "", "", "needs a TLS certificate with its key;"},
		{"192.0.2.1:0", "", cert, key, "needs a token;"},
		{"127.0.0.1:0", "", cert, "", "TLS certificate: open : no such file"},
		{"127.0.0.1:0", "", key, key, "TLS certificate: tls: failed to find"},
		{"127.0.0.1", "", "", "", "missing port in address"},
		{"127.0.0.1:x", "", "", "", "unknown port"},
		{taken.Addr().String(), "", "", "", "address already in use"},
	} {
		c := natscarrier.Config{Listen: test.listen, Cert: test.cert, Key: test.key, Terms: cluster.Terms{Token: test.token}}
		_, err := natscarrier.Open(t.Context(), c)
		require.ErrorContains(t, err, test.want, test.listen)
	}
}

// TestTLS listens on all addresses with a self-signed certificate.
func TestTLS(t *testing.T) {
	cert, key := certificate(t)
	other, _ := certificate(t)
	f := open(t, natscarrier.Config{Listen: "0.0.0.0:0", Cert: cert, Key: key})
	require.Contains(t, f.URL(), "tls://0.0.0.0:")
	address := strings.Replace(f.URL(), "0.0.0.0", "127.0.0.1", 1)

	_, err := natscarrier.Join(t.Context(), natscarrier.Worker{URL: address, Terms: terms})
	require.ErrorContains(t, err, "certificate signed by unknown authority")
	_, err = natscarrier.Join(t.Context(), natscarrier.Worker{URL: address, CA: other, Terms: terms})
	require.ErrorContains(t, err, "failed to verify certificate")
	_, err = natscarrier.Join(t.Context(), natscarrier.Worker{URL: address, CA: key, Terms: terms})
	require.ErrorContains(t, err, "has no certificate in PEM format")
	_, err = natscarrier.Join(t.Context(), natscarrier.Worker{URL: strings.Replace(address, "127.0.0.1", "localhost", 1), CA: cert, Terms: terms})
	require.ErrorContains(t, err, "wanted to match localhost")
	for _, token := range []string{"", "guess"} {
		stranger := terms
		stranger.Token = token
		_, err = natscarrier.Join(t.Context(), natscarrier.Worker{URL: address, CA: cert, Terms: stranger})
		require.ErrorIs(t, err, cluster.ErrRefused)
		require.Equal(t, terms.Admit(stranger).Error(), err.Error())
	}

	b, err := natscarrier.Join(t.Context(), natscarrier.Worker{URL: address, CA: cert, Terms: terms, Name: "far"})
	require.NoError(t, err)
	defer b.Close()
	near, err := f.Join(terms, "near")
	require.NoError(t, err)
	defer near.Close()
	for n, worker := range []cluster.Back{b, near} {
		require.NoError(t, f.Offer(t.Context(), job(n)))
		l, err := worker.Take(t.Context())
		require.NoError(t, err)
		require.NoError(t, l.Done(t.Context(), cluster.Bytes(nil)))
		d, err := f.Receive(t.Context())
		require.NoError(t, err)
		require.NoError(t, d.Ack(t.Context()))
	}
}

// TestNoTLS checks that a worker sends no token in clear text to another machine.
func TestNoTLS(t *testing.T) {
	ip := outside(t)
	l, err := net.Listen("tcp", net.JoinHostPort(ip, "0"))
	require.NoError(t, err)
	defer l.Close()
	sent := make(chan string, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		c.Write([]byte("INFO {\"server_id\":\"x\",\"max_payload\":1048576}\r\n"))
		buffer := make([]byte, 1024)
		n, _ := c.Read(buffer)
		sent <- string(buffer[:n])
	}()
	_, err = natscarrier.Join(t.Context(), natscarrier.Worker{URL: "nats://" + l.Addr().String(), Terms: terms})
	require.ErrorIs(t, err, nats.ErrSecureConnWanted)
	require.Empty(t, <-sent)
}

// outside returns an address of this machine that is not loopback.
func outside(t *testing.T) string {
	addresses, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no address but loopback")
	return ""
}

func TestJoinRefused(t *testing.T) {
	f := open(t, natscarrier.Config{})
	// A file that does not end, such as a device, must not fill the memory.
	cert, _ := certificate(t)
	text, err := os.ReadFile(cert)
	require.NoError(t, err)
	padded := filepath.Join(t.TempDir(), "padded.pem")
	require.NoError(t, os.WriteFile(padded, append(bytes.Repeat([]byte("\n"), 1<<20), text...), 0o600))
	for _, test := range []struct {
		worker natscarrier.Worker
		want   string
	}{
		{natscarrier.Worker{URL: "127.0.0.1:4222"}, `wrong address "127.0.0.1:4222": want one like nats://host:4222`},
		{natscarrier.Worker{URL: "http://127.0.0.1:4222"}, "wrong address"},
		{natscarrier.Worker{URL: "nats://"}, "wrong address"},
		{natscarrier.Worker{URL: "nats://token@127.0.0.1:4222"}, "wrong address: a token does not belong in it"},
		{natscarrier.Worker{URL: "nats://127.0.0.1:1"}, "cannot connect to nats://127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused"},
		{natscarrier.Worker{URL: f.URL(), CA: "nowhere.pem"}, "TLS authority: open nowhere.pem"},
		{natscarrier.Worker{URL: f.URL(), CA: padded}, "padded.pem has no certificate in PEM format"},
	} {
		_, err := natscarrier.Join(t.Context(), test.worker)
		require.ErrorContains(t, err, test.want)
	}
}

// TestAsk asks what the work is about without knowing it.
func TestAsk(t *testing.T) {
	f := open(t, natscarrier.Config{About: "nim"})
	worker := cluster.Terms{Version: terms.Version, Token: terms.Token}
	about, err := natscarrier.Ask(t.Context(), natscarrier.Worker{URL: f.URL(), Terms: worker})
	require.NoError(t, err)
	require.Equal(t, "nim", about)
	for _, change := range []func(*cluster.Terms){
		func(w *cluster.Terms) { w.Version = "2" },
		func(w *cluster.Terms) { w.Token = "" },
	} {
		worker := terms
		change(&worker)
		_, err = natscarrier.Ask(t.Context(), natscarrier.Worker{URL: f.URL(), Terms: worker})
		require.ErrorIs(t, err, cluster.ErrRefused)
		require.Equal(t, terms.Admit(worker).Error(), err.Error())
	}
}

// TestOtherFormat checks that the front end refuses messages of another format with a
// reason, whatever else they say.
func TestOtherFormat(t *testing.T) {
	f := open(t, natscarrier.Config{})
	nc := raw(t, f.URL())
	for _, hello := range []string{`{"format":3,"terms":"new"}`, `{"format":3}`, ``, `nonsense`} {
		m, err := nc.Request("yomikiri.join", []byte(hello), wait)
		require.NoError(t, err)
		require.Contains(t, string(m.Data), `"refused":"refused: messages have format`)
		require.Contains(t, string(m.Data), `and format 2 is wanted: use the same program`)
	}
}

// spy sees all that goes over a server.
func spy(t *testing.T, nc *nats.Conn) func(prefix string) []*nats.Msg {
	var mu sync.Mutex
	var seen []*nats.Msg
	_, err := nc.Subscribe(">", func(m *nats.Msg) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, m)
	})
	require.NoError(t, err)
	require.NoError(t, nc.Flush())
	return func(prefix string) (list []*nats.Msg) {
		require.NoError(t, nc.Flush())
		mu.Lock()
		defer mu.Unlock()
		for _, m := range seen {
			if strings.HasPrefix(m.Subject, prefix) {
				list = append(list, m)
			}
		}
		return list
	}
}

// TestStranger has somebody with the token, who sees all messages, join under the name of a
// worker, send that worker's requests again, damaged and whole, end its leases and send garbage
// in its name. Nothing of that reaches the front end, and the worker goes on.
func TestStranger(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{Lease: wait})
	nc := raw(t, f.URL())
	seen := spy(t, nc)
	victim := join(t, f.URL(), "victim")
	require.NoError(t, f.Offer(t.Context(), job(1), job(2)))
	l, err := victim.Take(t.Context())
	require.NoError(t, err)
	require.NoError(t, l.Renew(t.Context()))

	same := join(t, f.URL(), "victim")
	require.NotEqual(t, victim.Name(), same.Name())
	var requests []*nats.Msg
	require.Eventually(t, func() bool { // the server passes them on in its own time
		requests = seen("yomikiri.jobs.")
		return len(requests) >= 2
	}, wait, time.Millisecond)
	rng := mathrand.New(mathrand.NewPCG(1, 1))
	for _, m := range requests {
		for range 200 {
			data := slices.Clone(m.Data)
			switch rng.IntN(4) {
			case 0: // replayed
			case 1:
				data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
			case 2:
				data = data[:rng.IntN(len(data))]
			case 3: // with a number to come
				data[8] += byte(1 + rng.IntN(100))
			}
			require.NoError(t, nc.Publish(m.Subject, data))
			require.NoError(t, nc.Publish(fmt.Sprint(m.Subject, ".", 1+rng.IntN(3)), data))
		}
	}
	require.NoError(t, nc.Flush())
	require.NoError(t, l.Renew(t.Context()), "the lease goes on")
	select {
	case <-l.Gone():
		require.Fail(t, "the lease has ended")
	default:
	}
	require.NoError(t, l.Done(t.Context(), cluster.Bytes("true")))
	d, err := f.Receive(t.Context())
	require.NoError(t, err)
	require.Equal(t, cluster.Result{Job: job(1).ID, Worker: victim.Name(), Body: cluster.Bytes("true")}, d.Result())
	require.NoError(t, d.Ack(t.Context()))
	status, err := f.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, status.Queued)
	require.Zero(t, status.Results)
}

// TestGreetings has greetings come that no worker sends.
func TestGreetings(t *testing.T) {
	t.Parallel()
	f := open(t, natscarrier.Config{})
	nc := raw(t, f.URL())
	for hello, want := range map[string]string{
		`{"format":2,"terms":{"Version":"1","Game":"nim","Rules":"c0ffee","Token":"secret"},"key":"AA=="}`:                              "its key",
		`{"format":2,"terms":{"Version":"1","Game":"nim","Rules":"c0ffee","Token":"secret"},"key":"` + strings.Repeat("A", 43) + `="}`:  "its key",
		`{"format":2,"terms":{"Version":"1","Game":"nim","Rules":"c0ffee","Token":"secret"},"name":"` + strings.Repeat("x", 257) + `"}`: "its name has 257 bytes, and 256 are allowed",
		strings.Repeat("x", 1<<17): "a greeting of 131072 bytes",
	} {
		m, err := nc.Request("yomikiri.join", []byte(hello), wait)
		require.NoError(t, err)
		require.Contains(t, string(m.Data), want)
	}
	require.Zero(t, f.Workers())
}
