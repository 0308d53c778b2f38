package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// workOptions are the flags of work.
type workOptions struct {
	joinOptions
	db      string
	dir     string
	threads int
	memory  uint64
}

func (o *workOptions) addFlags(flags *pflag.FlagSet) {
	o.addJoinFlags(flags, "the process that keeps the proof or the tiers", workToken, "it")
	flags.StringVar(&o.db, "db", "", "directory of the database, or its game, if prove has one: the same, or a copy")
	flags.StringVar(&o.dir, "dir", "yomikiri.work", "directory for tiers of a solve; several workers may have the same")
	ui.ThreadsFlag(flags, &o.threads, "1", "number of threads")
	ui.MemoryFlag(flags, &o.memory, "memory", "", "memory, such as 512MiB (default for a proof 2GiB, with df-pn 256MiB; for a solve nine tenths of the machine's memory)")
}

func newWork(l plugins) *cobra.Command {
	var o workOptions
	cmd := &cobra.Command{
		Use:   "work --join URL",
		Short: "Add workers to a proof or a solve that another process keeps",
		Long: `Work does jobs for yomikiri prove --tree --listen, and solves tiers for yomikiri solve --share
--listen, in the same or in another machine. It learns the game from there, and must be the
same version of the program. It waits for the other process to start, when the connection
breaks until it is back, and should the process end before the work is done, until that
goes on; but no longer than --wait. When the work is done it ends.

For a solve it keeps the tiers that it has solved or needs in a directory until it ends.

Make a self-signed certificate, for example, with
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 365 \
    -subj /CN=yomikiri -addext subjectAltName=DNS:HOST,IP:ADDRESS -keyout key.pem -out cert.pem`,
		Example: "  yomikiri work --join nats://127.0.0.1:4222\n  " +
			tokenVariable + "=... yomikiri work --join tls://host:4222 --tls-ca cert.pem --threads 8",
		Args: ui.NoArgs,
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd, l) }
	return cmd
}

// run does jobs until there are no more.
func (o *workOptions) run(cmd *cobra.Command, l plugins) (err error) {
	ctx := cmd.Context()
	w, note, err := o.begin(cmd, "prove or solve")
	if err != nil {
		return err
	}
	w.Patience = o.wait
	var text string
	err = o.await(ctx, note, func() (err error) {
		text, err = natscarrier.Ask(ctx, w)
		return err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, cluster.ErrClosed) {
		note("the work is done")
		return nil
	}
	if err != nil {
		return err
	}
	var a about
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return fmt.Errorf("%s: %w", w.URL, err)
	}
	if a.Tiers {
		return o.solveTiers(cmd, l, w, a, note)
	}
	n, err := l.game(cmd.Flags(), a.Game, o.db)
	if err != nil {
		return err
	}
	g, closeDatabase, err := n.openSearched(cmd)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(closeDatabase(), err) }()
	ctx = cmd.Context() // which ends when the database fails
	if err := wrongDatabase(w.URL, a.Database, o.db, g.TreeRules().Database()); err != nil {
		return err
	}
	w.Terms.Game = a.Game
	if w.Terms.Rules, err = manager.Fingerprint(g.TreeRules(), a.Root); err != nil {
		return err
	}
	w.Name, w.Report = thisProcess(), note
	work := o.doJobs
	if a.Evaluate {
		work = o.evaluate
	}
	switch err := work(ctx, w, &a, g, note); {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && !errors.Is(err, cluster.ErrClosed):
		return err
	}
	note("the proof is done")
	return nil
}

// thisProcess names the process among others.
func thisProcess() string {
	host, err := os.Hostname()
	if err != nil {
		host = "?"
	}
	return fmt.Sprintf("%s %d", host, os.Getpid())
}

// evaluate evaluates positions until the proof is done.
func (o *workOptions) evaluate(ctx context.Context, w natscarrier.Worker, a *about, g *app.Game, note func(string)) error {
	var threads []func([]byte) ([]byte, error)
	for range o.threads {
		threads = append(threads, g.Evaluator())
	}
	note("evaluating positions of " + a.Game)
	return o.await(ctx, note, func() error { return natscarrier.Answer(ctx, w, threads) })
}

// doJobs does jobs until there are no more.
func (o *workOptions) doJobs(ctx context.Context, w natscarrier.Worker, a *about, g *app.Game, note func(string)) error {
	prove := &proveOptions{method: a.Method, attack: a.Attack, tree: treeOptions{dir: "that of prove", workers: o.threads, joins: true}}
	prove.cfg.Memory = o.memory
	if err := prove.chooseMethod(g.SuitsScores); err != nil {
		return err
	}
	backends, err := prove.backends(g)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	process := w.Name
	join := func(name string) (back cluster.Back, err error) {
		named := w
		named.Name = name
		w.Report = nil                                // only the first worker reports
		err = o.await(ctx, note, func() (err error) { // it may have gone since it was asked
			back, err = natscarrier.Join(ctx, named)
			return err
		})
		return back, err
	}
	startWorkers(ctx, group, join, process, backends)
	note("working on " + a.Game)
	return group.Wait()
}

// await calls try until it finds a front end, or has not for the time of --wait.
func (o *workOptions) await(ctx context.Context, note func(string), try func() error) error {
	begin := time.Now()
	for first := true; ; first = false {
		err := try()
		if !errors.Is(err, natscarrier.ErrAbsent) || ctx.Err() != nil {
			return err
		}
		if first {
			note(err.Error() + "; waiting for it")
		}
		if o.wait > 0 && time.Since(begin) >= o.wait {
			return fmt.Errorf("%w for %v: it may have finished", err, o.wait)
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// startWorkers has workers do jobs, each with one of the back ends, until ctx ends or the
// carrier is closed.
func startWorkers(ctx context.Context, group *errgroup.Group, join func(name string) (cluster.Back, error), process string, backends []solver.Backend) {
	for n, b := range backends {
		name := fmt.Sprintf("%s, worker %d", process, n+1)
		back, err := join(name)
		group.Go(func() error {
			if err != nil {
				return err
			}
			defer back.Close()
			w := manager.Worker{Memory: process, Carrier: back, Backend: b}
			return w.Run(ctx)
		})
	}
}
