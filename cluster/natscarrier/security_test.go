package natscarrier_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
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
		c := natscarrier.Config{Listen: test.listen, Cert: test.cert, Key: test.key, Account: natscarrier.Account{Secret: test.token}}
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
	for token, want := range map[string]string{"": "the server wants a token, and none was given", "guess": "the server does not accept the token"} {
		_, err = natscarrier.Join(t.Context(), natscarrier.Worker{URL: address, CA: cert, Account: natscarrier.Account{Secret: token}, Terms: terms})
		require.ErrorIs(t, err, cluster.ErrRefused)
		require.ErrorContains(t, err, want)
	}

	b, err := natscarrier.Join(t.Context(), natscarrier.Worker{URL: address, CA: cert, Account: account, Terms: terms, Name: "far"})
	require.NoError(t, err)
	defer b.Close()
	near, err := f.Join(t.Context(), terms, "near")
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
		{natscarrier.Worker{URL: "nats://token@127.0.0.1:4222"}, "wrong address: a user does not belong in it"},
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
	worker := natscarrier.Worker{URL: f.URL(), Account: account, Terms: cluster.Terms{Version: terms.Version}}
	about, err := natscarrier.Ask(t.Context(), worker)
	require.NoError(t, err)
	require.Equal(t, "nim", about)
	worker.Terms.Version = "2"
	_, err = natscarrier.Ask(t.Context(), worker)
	require.ErrorIs(t, err, cluster.ErrRefused)
	require.Equal(t, terms.Admit(worker.Terms).Error(), err.Error())
}

// TestOtherFormat checks that the front end refuses messages of another format with a
// reason, whatever else they say.
func TestOtherFormat(t *testing.T) {
	f := open(t, natscarrier.Config{})
	nc, err := nats.Connect(f.URL(), nats.UserInfo("worker", account.Secret))
	require.NoError(t, err)
	defer nc.Close()
	for _, hello := range []string{`{"format":2,"terms":"new"}`, `{"format":2}`, ``, `nonsense`, strings.Repeat("x", 1<<19)} {
		m, err := nc.Request("yomikiri.hello", []byte(hello), wait)
		require.NoError(t, err)
		require.Contains(t, string(m.Data), `"refused":"refused: messages have format`)
		require.Contains(t, string(m.Data), `and format 3 is wanted: use the same program`)
	}
}

// TestAccounts has a server started by hand, with a user for the front end and one for workers, who may do
// what a server in the front end's process lets them do. A worker does jobs, small and large, and may do nothing else.
func TestAccounts(t *testing.T) {
	t.Parallel()
	users := natscarrier.WorkerPermissions()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true, JetStream: true, StoreDir: t.TempDir(),
		Users: []*server.User{{Username: "solver", Password: "one"}, {Username: "hand", Password: "two", Permissions: users}},
	})
	require.NoError(t, err)
	s.Start()
	require.True(t, s.ReadyForConnections(wait))
	defer s.Shutdown()
	url := s.ClientURL()
	_, err = natscarrier.Open(t.Context(), natscarrier.Config{Terms: terms, Server: url, Account: natscarrier.Account{User: "solver", Secret: "two"}})
	require.ErrorIs(t, err, cluster.ErrRefused)
	f, err := natscarrier.Open(t.Context(), natscarrier.Config{Terms: terms, Server: url, Account: natscarrier.Account{User: "solver", Secret: "one"}, Lease: short})
	require.NoError(t, err)
	defer f.Close()
	worker := natscarrier.Worker{URL: url, Account: natscarrier.Account{User: "hand", Secret: "two"}, Terms: terms, Name: "hand"}
	b, err := natscarrier.Join(t.Context(), worker)
	require.NoError(t, err)
	defer b.Close()
	go work(t.Context(), b)
	for _, size := range []int{10, 3 << 20} {
		body := bytes.Repeat([]byte("x"), size)
		j := cluster.Job{ID: cluster.NewID(body), Body: cluster.Bytes(body)}
		require.NoError(t, f.Offer(t.Context(), j))
		d, err := f.Receive(t.Context())
		require.NoError(t, err)
		require.Equal(t, answer(j), text(d.Result().Body))
		require.NoError(t, d.Ack(t.Context()))
	}
	for _, subject := range []string{"yomikiri.job.x", "yomikiri.recall", "$JS.API.STREAM.DELETE.yomikiri-jobs", "$JS.API.STREAM.MSG.DELETE.yomikiri-jobs", "$JS.API.CONSUMER.MSG.NEXT.yomikiri-results.front"} {
		nc, err := nats.Connect(url, nats.UserInfo("hand", "two"), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
		require.NoError(t, err)
		defer nc.Close()
		_, err = nc.Request(subject, nil, 200*time.Millisecond)
		require.Error(t, err, subject)
		require.ErrorIs(t, nc.LastError(), nats.ErrPermissionViolation, subject)
	}

	// It answers questions, and only those.
	answering(t.Context(), worker, 1)
	require.Eventually(t, func() bool { return f.Answering() == 1 }, wait, short/10)
	answered, err := f.Ask(t.Context(), []byte("hello"))
	require.NoError(t, err)
	require.Equal(t, "HELLO", string(answered))

	// A user who may not take jobs learns why.
	nobody := natscarrier.Worker{URL: url, Account: natscarrier.Account{User: "nobody", Secret: "two"}, Terms: terms}
	_, err = natscarrier.Join(t.Context(), nobody)
	require.ErrorIs(t, err, cluster.ErrRefused)
}
