package natscarrier

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// The users of a server in this process. The front end has a password that nobody else knows, and
// workers and nodes the token.
const (
	frontUser  = "front"
	workerUser = "worker"
)

// WorkerPermissions are what workers and nodes may do: say hello, take jobs, publish results, answer questions.
func WorkerPermissions() *server.Permissions {
	return &server.Permissions{
		Publish: &server.SubjectPermission{Allow: []string{
			helloSubject, askSubject, resultPrefix + ">",
			"$JS.API.CONSUMER.INFO." + jobStream + "." + workerConsumer,
			"$JS.API.CONSUMER.MSG.NEXT." + jobStream + "." + workerConsumer,
			"$JS.ACK." + jobStream + ".>", // done, in progress, returned
			// Large jobs and results.
			"$O." + partBucket + ".>", "$JS.API.STREAM.INFO.OBJ_" + partBucket, "$JS.API.DIRECT.GET.OBJ_" + partBucket + ".>",
			"$JS.API.CONSUMER.CREATE.OBJ_" + partBucket + ".>", "$JS.API.CONSUMER.DELETE.OBJ_" + partBucket + ".>",
			"$JS.API.STREAM.PURGE.OBJ_" + partBucket, "$JS.FC.OBJ_" + partBucket + ".>",
		}},
		Subscribe: &server.SubjectPermission{Allow: []string{"_INBOX.>", recallSubject, questionSubject, countSubject}},
		Response:  &server.ResponsePermission{MaxMsgs: 1, Expires: time.Minute},
	}
}

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
	case c.Cert == "" && c.Account.Secret == "":
		missing = "a TLS certificate with its key, and a token"
	case c.Cert == "":
		missing = "a TLS certificate with its key"
	case c.Account.Secret == "":
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

// startServer starts a NATS server in this process, with streams if there is a directory for them. The
// front end connects with the secret.
func startServer(c Config, secret string) (*server.Server, error) {
	addr, err := listenAddr(c)
	if err != nil {
		return nil, err
	}
	options := &server.Options{
		ServerName: "yomikiri",
		Port:       addr.Port,
		Users: []*server.User{
			{Username: frontUser, Password: secret},
			{Username: workerUser, Password: c.Account.Secret, Permissions: WorkerPermissions()},
		},
		AuthTimeout:  10,
		JetStream:    c.Store != "",
		StoreDir:     c.Store,
		PingInterval: 10 * time.Second,
		NoSigs:       true, // signals belong to the program
		Cluster:      server.ClusterOpts{NoAdvertise: true},
	}
	if c.Account.Secret == "" {
		options.NoAuthUser = workerUser
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
