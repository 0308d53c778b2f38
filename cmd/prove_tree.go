package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// treeOptions are the flags of prove --tree.
type treeOptions struct {
	dir     string
	workers int
	budget  uint64
	joins   bool // the tree belongs to another process, which this one helps
	listenOptions
}

// shared reports whether other processes work on the tree too.
func (o *treeOptions) shared() bool { return o.joins || o.listenOptions.shared() }

// evaluates reports whether other processes evaluate positions, rather than do jobs. That pays where
// evaluating takes long, and the search is one that keeps its tree.
func (o *proveOptions) evaluates(g *app.Game) bool {
	return o.tree.shared() && !o.attack && !o.scores && o.cfg.Method == solver.BestFirst && g.Evaluator != nil
}

// check checks the flags.
func (o *treeOptions) check(flags *pflag.FlagSet) error {
	switch {
	case o.dir == "" && flags.Changed("tree"):
		return errors.New("--tree needs the name of a directory")
	case o.dir == "" && (flags.Changed("workers") || flags.Changed("budget")):
		return errors.New("--workers and --budget are for --tree")
	case o.dir == "" && o.shared():
		return errors.New("--listen and --nats are for --tree")
	case o.dir == "":
		return nil
	case flags.Changed("budget") && o.budget == 0:
		return errors.New("--budget 0: want at least 1")
	case filepath.Clean(o.dir) == filepath.Clean(flags.Lookup("proof").Value.String()):
		return errors.New("--tree and --proof name the same: a directory and a file")
	case flags.Changed("nodes"):
		return errors.New("--nodes and --tree exclude each other: a tree has a limit of --time")
	case o.workers == 0 && !o.shared():
		return errors.New("--workers 0 is for --listen and --nats")
	}
	return o.listenOptions.check()
}

// jobLease is how long a worker may be silent before another gets its job.
const jobLease = 10 * time.Second

// attackBudget is the default of --budget with --attack, where a position takes a hundredth of a
// second. With it, a leaf that resists is expanded after minutes, and what is proven below it is
// kept.
const attackBudget = 100

// scoreBudget is the default of --budget with --method alpha-beta, which needs depth for its
// scores. A leaf counts as likely settled from likelyScore on, in hundredths of a man or of
// whatever unit an evaluation has, and the threshold rises in steps of this size.
const (
	scoreBudget = 20_000
	likelyScore = 100
)

// lockWait is how long prove waits for a tree that is in use: yomikiri tree has it open for a
// moment.
const lockWait = 2 * time.Second

// proveTree proves a position with a proof tree on disk.
func (o *proveOptions) proveTree(cmd *cobra.Command, g *app.Game, root app.Position) error {
	if o.evaluates(g) {
		o.cfg.Remote = &solver.Remote{}
	}
	backends, err := o.backends(g)
	if err != nil {
		return err
	}
	options := manager.Options{Policy: manager.Policy{Budget: o.tree.budget}, Checker: g.Check, Wait: lockWait}
	question, policy := manager.AskValue, &options.Policy
	switch {
	case o.attack:
		question = manager.AskWin
		policy.Budget = cmp.Or(policy.Budget, attackBudget)
		policy.Help = !o.tree.shared()
		if adapt := g.Attack.Adapt; adapt != nil {
			options.Adapter = adapt
		}
	case o.scores:
		policy.Budget = cmp.Or(policy.Budget, scoreBudget)
		policy.Tries, policy.Likely, policy.Rise, policy.Holds = 1, likelyScore, likelyScore, true
	}
	rules := g.TreeRules()
	m, err := manager.NewManifest(rules, g.PositionText(root), question, "yomikiri "+ui.Version())
	if err != nil {
		return err
	}
	_, dirErr := os.Stat(o.tree.dir)
	_, statErr := manager.ReadManifest(nil, o.tree.dir)
	tree, err := manager.Open(o.tree.dir, rules, m, options)
	if err != nil {
		return err
	}
	p := o.Progress(cmd)
	defer p.Done()
	c, err := openCarrier(cmd.Context(), m, len(backends), o, p)
	if err != nil {
		err = errors.Join(err, tree.Close())
		if errors.Is(statErr, manager.ErrNoTree) { // nobody needs an empty one
			err = errors.Join(err, removeTree(o.tree.dir, dirErr == nil))
		}
		if errors.Is(err, context.Canceled) {
			err = o.interrupted
		}
		return err
	}
	defer c.close()
	err = workOn(cmd, tree, c, backends, o, p, func() error { return o.showTree(cmd, g, tree, root) })
	if errors.Is(err, context.Canceled) {
		err = o.interrupted
	}
	return errors.Join(err, tree.Close())
}

// removeTree removes a tree that was made in vain, but not a directory that was there before.
func removeTree(dir string, keep bool) error {
	if !keep {
		return os.RemoveAll(dir)
	}
	list, err := os.ReadDir(dir)
	for _, e := range list {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// backends returns the back ends of the workers in this process.
func (o *proveOptions) backends(g *app.Game) (list []solver.Backend, err error) {
	number := max(o.tree.workers, 1) // at least one, to see that it is possible
	switch {
	case o.attack && (g.Attack == nil || g.Attack.Backends == nil):
		return nil, ui.Usage(fmt.Errorf("--attack: %s has no search for attacks with --tree", g.Name()))
	case o.attack:
		list, err = g.Attack.Backends(o.cfg.Memory, number)
		if o.tree.shared() && err == nil {
			list = list[:1] // the others help it
		}
	case o.scores:
		list, err = g.ScoreBackends(o.cfg.Memory, number)
	default:
		list, err = g.Backends(o.cfg, number)
	}
	if err != nil {
		return nil, suggestMethod(g, o, err)
	}
	if o.tree.workers == 0 && o.cfg.Remote == nil {
		return nil, nil
	}
	return list, nil
}

// workOn works on a tree until it is done or the time is over. Then it calls show.
func workOn(cmd *cobra.Command, tree *manager.Tree, c *carrier, backends []solver.Backend, o *proveOptions, p *ui.Progress, show func() error) error {
	ctx, cancel := ui.WithTimeLimit(cmd.Context(), o.cfg.Time, errTreeOpen)
	defer cancel()
	group, working := errgroup.WithContext(ctx)
	if c.url != "" && !o.Quiet {
		p.Note("to add a worker: %s work --join %s", cmd.Root().Name(), reachable(c.url))
	}
	every := max(p.Every(), time.Second)
	if o.tree.shared() {
		every = time.Second // new workers get their first job then
	}
	group.Go(func() error {
		err := tree.Run(working, c.front, manager.RunOptions{
			Jobs: c.workers, Lease: 2 * jobLease, Every: every,
			Report: func(r *manager.Report) { p.Show(func() string { return treeLine(r) }, r.Brief()) },
			Warn:   func(err error) { p.Note("%v", err) },
		})
		if err != nil {
			c.leave()
		} else {
			c.finish()
		}
		return err
	})
	startWorkers(working, group, c.join, "prove", backends)
	err := group.Wait()
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	if err == nil || errors.Is(err, solver.ErrLimit) {
		p.Done()
		err = show()
	}
	return err
}

// showTree prints what a tree has proven, after writing and checking its proof as the flags
// require.
func (o *proveOptions) showTree(cmd *cobra.Command, g *app.Game, tree *manager.Tree, root app.Position) error {
	if err := failed(cmd.Context()); err != nil {
		return err
	}
	r := tree.Front().Report()
	out := provenValue{Game: r.Game, Position: g.PositionText(root), Tree: r.Brief()}
	if r.Position != out.Position {
		out.Image = r.Position
	}
	open := errTreeOpen
	switch _, known := tree.Front().Claims(); {
	case known:
		open = nil
	case len(r.Questions) == 0 || r.Questions[len(r.Questions)-1].Outcome != solver.Failed:
	case o.attack:
		open = errAllTried
	default:
		open = errGivenUp
	}
	return o.finish(cmd, g, &out, tree.Header(), func(w *proof.Writer) error { return tree.WriteProof(cmd.Context(), w) }, unverified, open)
}

// errGivenUp is returned if the value rests on positions that workers have given up.
var errGivenUp = fmt.Errorf("%w: workers have given up positions on which the value rests; the same command asks again, and another --method may find more", ui.ErrLimit)

// treeLine is the progress of a tree. The end is cut off if there is no room.
func treeLine(r *manager.Report) string {
	q := r.Questions[len(r.Questions)-1]
	out := ""
	if r.Out > 0 { // writing a proof may take long
		out = fmt.Sprintf(", %s out for %s", ui.Grouped(uint64(r.Out)), ui.Seconds(r.Oldest))
	}
	return fmt.Sprintf("%s  %s%s, %s; proof %s, disproof %s: can %s win? %s in the tree", ui.Seconds(r.Stats.Elapsed), ui.Counted(r.Stats.Jobs, "job"), out,
		ui.Counted(r.Stats.Nodes, "position"), groupedNumber(q.Proof), groupedNumber(q.Disproof), sideNames[len(r.Questions)-1], ui.Counted(uint64(r.Nodes.All), "node"))
}
