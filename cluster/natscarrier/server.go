package natscarrier

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Limits of a server in this process.
const (
	// maxPayload is the largest message: eight times the default of NATS, for jobs that
	// come with what is already known. The server advises against more.
	maxPayload = 8 << 20
	// maxMemory is the most memory that jobs and results may take.
	maxMemory = 2 << 30
)

// listenAddr resolves an address to listen on, and checks that it is protected if other
// machines can reach it.
func listenAddr(c Config) (*net.TCPAddr, error) {
	addr, err := net.ResolveTCPAddr("tcp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("no address to listen on: %w", err)
	}
	if addr.IP.IsLoopback() {
		return addr, nil
	}
	var missing string
	switch {
	case c.Cert == "" && c.Terms.Token == "":
		missing = "a TLS certificate with its key, and a token"
	case c.Cert == "":
		missing = "a TLS certificate with its key"
	case c.Terms.Token == "":
		missing = "a token"
	default:
		return addr, nil
	}
	return nil, fmt.Errorf("other machines can reach %q, which needs %s; 127.0.0.1 needs none", c.Listen, missing)
}

// fatal is a logger that keeps the server's first fatal error, and drops everything else.
type fatal chan error

func (f fatal) Fatalf(format string, v ...any) {
	select {
	case f <- fmt.Errorf(format, v...):
	default:
	}
}

func (fatal) Noticef(string, ...any) {}
func (fatal) Warnf(string, ...any)   {}
func (fatal) Errorf(string, ...any)  {}
func (fatal) Debugf(string, ...any)  {}
func (fatal) Tracef(string, ...any)  {}

// startServer starts a NATS server in this process.
func startServer(c Config) (*server.Server, error) {
	addr, err := listenAddr(c)
	if err != nil {
		return nil, err
	}
	// JetStream needs a directory even if all streams are in memory. It is empty, and not
	// used after the start, so that nothing is left behind however this process ends.
	dir, err := os.MkdirTemp("", "yomikiri-nats-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	options := &server.Options{
		ServerName:             "yomikiri",
		Port:                   addr.Port,
		Authorization:          c.Terms.Token,
		AuthTimeout:            10,
		JetStream:              true,
		StoreDir:               dir,
		JetStreamMaxMemory:     maxMemory,
		JetStreamMaxStore:      1, // nothing on disk; 0 would mean all free space
		DisableJetStreamBanner: true,
		MaxPayload:             maxPayload,
		PingInterval:           10 * time.Second,
		NoSigs:                 true, // signals belong to the program
		Cluster:                server.ClusterOpts{NoAdvertise: true},
	}
	if addr.IP != nil { // otherwise all addresses, which is the server's default
		options.Host = addr.IP.String()
	}
	if addr.Port == 0 {
		options.Port = server.RANDOM_PORT
	}
	if c.Cert != "" {
		pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
		if err != nil {
			return nil, fmt.Errorf("TLS certificate: %w", err)
		}
		options.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
		options.TLS, options.TLSTimeout = true, 10
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("NATS server: %w", err)
	}
	log := make(fatal, 1)
	s.SetLogger(log, false, false)
	s.Start()
	for range 100 {
		if s.ReadyForConnections(100 * time.Millisecond) {
			return s, nil
		}
		select {
		case err = <-log:
			s.Shutdown()
			return nil, fmt.Errorf("NATS server: %w", err)
		default:
		}
	}
	s.Shutdown()
	return nil, errors.New("NATS server: it does not start")
}
