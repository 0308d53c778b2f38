package natscarrier

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// maxPayload is the largest message of a server in this process: eight times the default of
// NATS, for batches of nodes. The server advises against more.
const maxPayload = 8 << 20

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
	options := &server.Options{
		ServerName:    "yomikiri",
		Port:          addr.Port,
		Authorization: c.Terms.Token,
		AuthTimeout:   10,
		MaxPayload:    maxPayload,
		PingInterval:  10 * time.Second,
		NoSigs:        true, // signals belong to the program
		Cluster:       server.ClusterOpts{NoAdvertise: true},
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
