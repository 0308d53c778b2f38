package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// tokenFlag is the name of the flag for a secret. Other users can see it in the list of
// processes, but not the environment variable.
const (
	tokenFlag     = "token"
	tokenVariable = "YOMIKIRI_TOKEN"
)

// addAccountFlags adds the flags of an account on a NATS server.
func addAccountFlags(flags *pflag.FlagSet, a *natscarrier.Account, usage string) {
	flags.StringVar(&a.Secret, tokenFlag, "", usage+", or the password of --user (default $"+tokenVariable+")")
	flags.StringVar(&a.User, "user", "", "`NAME` of a user of a NATS server that is not ours")
	flags.StringVar(&a.Credentials, "creds", "", "`FILE` with credentials for such a server, in place of both")
}

// Usages of the flag, by the process that others join.
const (
	proveToken = "secret that prove and its workers share"
	solveToken = "secret that solve and its nodes or workers share"
	workToken  = "secret that prove or solve and its workers share"
)

// secret returns the token of a flag or, if that is not set, of the environment.
func secret(flag string) string {
	if flag == "" {
		return os.Getenv(tokenVariable)
	}
	return flag
}

// listenOptions are the flags for workers or nodes in other processes.
type listenOptions struct {
	listen, cert, key string
	nats, ca          string
	replicas          int
	account           natscarrier.Account
}

func (o *listenOptions) addListenFlags(flags *pflag.FlagSet, usage, token string) {
	flags.StringVar(&o.listen, "listen", "", usage)
	addAccountFlags(flags, &o.account, token)
	flags.StringVar(&o.cert, "tls-cert", "", "with --listen: `FILE` with the TLS certificate")
	flags.StringVar(&o.key, "tls-key", "", "with --listen: `FILE` with the key of the certificate")
	flags.StringVar(&o.nats, "nats", "", "instead of --listen: `URL` of a NATS server, or of some of a cluster with commas between")
	flags.StringVar(&o.ca, "tls-ca", "", "with --nats: `FILE` with the authority of its TLS certificate, or with a self-signed certificate")
}

// shared reports whether other processes may join.
func (o *listenOptions) shared() bool { return o.listen != "" || o.nats != "" }

// config returns what a front end or a coordinator is opened with.
func (o *listenOptions) config(terms cluster.Terms) natscarrier.Config {
	a := o.account
	a.Secret = secret(a.Secret)
	return natscarrier.Config{Terms: terms, Account: a, Listen: o.listen, Cert: o.cert, Key: o.key, Server: o.nats, CA: o.ca, Replicas: o.replicas}
}

// failed returns an error of a front end or coordinator that cannot be opened.
func (o *listenOptions) failed(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	if o.nats != "" {
		return fmt.Errorf("--nats: %w", err)
	}
	return ui.Usage(fmt.Errorf("--listen: %w", err))
}

// check checks the flags.
func (o *listenOptions) check() error {
	switch {
	case o.listen != "" && o.nats != "":
		return errors.New("--listen and --nats exclude each other: a server of its own, or another one")
	case !o.shared() && o.account.Secret != "":
		return errors.New("--token is for --listen and --nats")
	case o.nats == "" && (o.account.User != "" || o.account.Credentials != ""):
		return errors.New("--user and --creds are for --nats: the server of --listen knows its users")
	case o.nats == "" && o.replicas > 0:
		return errors.New("--replicas is for --nats with a cluster")
	case o.listen == "" && (o.cert != "" || o.key != ""):
		return errors.New("--tls-cert and --tls-key are for --listen")
	case o.nats == "" && o.ca != "":
		return errors.New("--tls-ca is for --nats")
	case (o.cert == "") != (o.key == ""):
		return errors.New("--tls-cert and --tls-key belong together")
	}
	return nil
}

// joinOptions are the flags of a command that joins another process.
type joinOptions struct {
	natscarrier.Worker
	wait  time.Duration
	quiet bool
}

// addJoinFlags adds the flags. The process is named in three ways: by what it is, as the owner of the
// secret, and as what is waited for.
func (o *joinOptions) addJoinFlags(flags *pflag.FlagSet, process, token, awaited string) {
	flags.StringVar(&o.URL, "join", "", "`URL` of "+process+", as it prints it")
	addAccountFlags(flags, &o.Account, token)
	flags.StringVar(&o.CA, "tls-ca", "", "`FILE` with the authority of its TLS certificate, or with a self-signed certificate")
	ui.TimeFlag(flags, &o.wait, "wait", "1h", "how long to wait for "+awaited+"; 0 for no limit")
	flags.BoolVarP(&o.quiet, "quiet", "q", false, ui.QuietUsage)
}

// begin returns the worker that joins, and a function that prints notes. owner is the command of the other process.
func (o *joinOptions) begin(cmd *cobra.Command, owner string) (w natscarrier.Worker, note func(text string), err error) {
	if o.URL == "" {
		return w, nil, ui.Usage(fmt.Errorf("--join is missing: the URL that %s --listen prints", owner))
	}
	w = o.Worker
	w.Terms.Version, w.Account.Secret = ui.Version(), secret(w.Account.Secret)
	return w, func(text string) {
		if !o.quiet {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", w.URL, text)
		}
	}, nil
}

// about tells a worker in another process what it must know of the work before it can join: that it is
// for a tree, or for a solve.
type about struct {
	Game   string `json:"game"`
	Root   string `json:"root,omitempty"`
	Method string `json:"method,omitempty"`
	Attack bool   `json:"attack,omitempty"`
	// Evaluate says that the worker evaluates positions, rather than do jobs.
	Evaluate bool `json:"evaluate,omitempty"`
	// Database is the checksum of the database that decides positions.
	Database string `json:"database,omitempty"`
	// Tiers says that jobs are tiers of a solve, and Results that its values have no distance.
	Tiers   bool `json:"tiers,omitempty"`
	Results bool `json:"results,omitempty"`
}

// carrier connects a tree and its workers.
type carrier struct {
	front   cluster.Front
	join    func(name string) (cluster.Back, error)
	workers func() int // how many there are now, at least 1
	url     string     // where others join; empty if none can
	// finish says that there are no more jobs; leave says that there will be, and closes the
	// carrier.
	finish, leave func()
	close         func()
}

// openCarrier returns a carrier for the workers of this process, own in number, or one that
// others can join.
func openCarrier(ctx context.Context, m manager.Manifest, own int, o *proveOptions, p *ui.Progress) (*carrier, error) {
	terms := cluster.Terms{Version: ui.Version(), Game: m.Game, Rules: m.Rules}
	streams := filepath.Join(o.tree.dir, streamsName)
	memory := cluster.NewMemory(terms)
	here := memory.Front()
	c := &carrier{
		front:   here,
		join:    func(name string) (cluster.Back, error) { return memory.Join(terms, name) },
		workers: func() int { return own },
		finish: func() {
			here.Close()
			os.RemoveAll(streams) // of an earlier prove with --listen
		},
		leave: func() { here.Close() },
		close: func() {},
	}
	if !o.tree.listenOptions.shared() {
		return c, nil
	}
	remote := o.cfg.Remote
	front, err := o.tree.open(ctx, terms, about{
		Game: m.Game, Root: m.Root, Method: o.method, Attack: o.attack, Evaluate: remote != nil, Database: m.Database,
	}, streams, p)
	if err != nil {
		return nil, err
	}
	if remote != nil {
		remote.Ask = func(question []byte) ([]byte, error) { return front.Ask(ctx, question) }
		remote.Requests = func() int { return underWay * front.Answering() }
	} else {
		c.front = front
		c.join = func(name string) (cluster.Back, error) { return front.Join(ctx, terms, name) }
		c.workers = func() int { return max(front.Workers(), 1) } // the first has a job at once
	}
	c.url = front.URL()
	c.finish = func() { here.Close(); front.Finish() }
	c.leave = func() { here.Close(); front.Leave() }
	c.close = func() { front.Close() }
	return c, nil
}

// underWay is how many requests are sent to each thread of another process at a time, so that it
// does not wait for the next one.
const underWay = 2

// front is a front end that stays for a while when the work is done.
type front struct {
	*natscarrier.Front
	ctx      context.Context
	finished time.Time
}

// open opens a front end for workers in other processes, with a directory for its streams.
func (o *listenOptions) open(ctx context.Context, terms cluster.Terms, a about, store string, p *ui.Progress) (*front, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	c := o.config(terms)
	c.About, c.Lease, c.Store = string(text), jobLease, store
	if a.Tiers {
		c.Lease, c.Files = tierLease, true
	}
	c.Report = func(text string) { p.Note("%s", text) }
	f, err := natscarrier.Open(ctx, c)
	if err != nil {
		return nil, o.failed(err)
	}
	return &front{Front: f, ctx: ctx}, nil
}

// Finish says that there are no more jobs.
func (f *front) Finish() {
	f.Front.Finish()
	f.finished = time.Now()
}

// Close closes the front end when workers had the time to learn that there are no more jobs.
func (f *front) Close() error {
	select {
	case <-time.After(time.Until(f.finished.Add(linger))):
	case <-f.ctx.Done():
	}
	return f.Front.Close()
}

// streamsName is the directory of a server's streams in that of a tree.
const streamsName = "streams"

// linger is how long workers have to learn that the work is done. Those that wait for
// the front end try every second to reach it.
const linger = 2 * time.Second

// reachable puts the name of this machine into a URL that stands for all its addresses.
func reachable(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		if host, err := os.Hostname(); err == nil {
			u.Host = net.JoinHostPort(host, u.Port())
		}
	}
	return u.String()
}
