package cmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
)

// nodesOptions are the flags of solve for several nodes.
type nodesOptions struct {
	count int
	listenOptions
}

func (o *nodesOptions) flags(flags *pflag.FlagSet) {
	ui.NumberFlag(flags, &o.count, "nodes", 0, 0, 1000, "solve with this number of processes: on this machine, or with --listen or --nats wherever they join; 0 for this one")
	o.addListenFlags(flags, "with --nodes or --share: `HOST:PORT` at which nodes or workers join; all but 127.0.0.1 needs a token and TLS", solveToken)
	ui.NumberFlag(flags, &o.replicas, "replicas", 0, 0, 5, "with --share and --nats: on how many servers of a cluster tiers are kept; 0 for one")
}

// check checks the flags.
func (o *nodesOptions) check(flags *pflag.FlagSet, threads *int, queue bool) error {
	switch {
	case o.count == 0 && o.shared() && !queue:
		return errors.New("--listen and --nats are for --nodes and --share")
	case o.count > 0 && o.replicas > 0:
		return errors.New("--replicas is for --share")
	case o.count > 0 && !o.shared() && !flags.Changed("threads"):
		*threads = max(runtime.GOMAXPROCS(0)/o.count, 1)
	}
	for _, other := range []string{"results", "from", "compact"} {
		if o.count > 0 && flags.Changed(other) {
			return fmt.Errorf("--%s and --nodes exclude each other", other)
		}
	}
	return o.listenOptions.check()
}

// plan plans for each node, and for all of them if they are on this machine.
func (o *nodesOptions) plan(cmd *cobra.Command, u *games.Universe, cfg *retro.Config, dir string, force, show bool) error {
	each := cfg.Plan.Share(o.count)
	if show && u.Size() >= worthPlanning {
		_, err := fmt.Fprintf(cmd.ErrOrStderr(), "plan for %s, on each of %s:\n  memory  at most %s\n  disk    at most %s, and here %s for the database\n",
			u.Name, ui.Counted(uint64(o.count), "node"), ui.Size(each.Peak), ui.FileSize(each.Disk), ui.FileSize(cfg.Plan.Database))
		if err != nil {
			return err
		}
	}
	if force {
		return nil
	}
	all := *each
	all.Limit, all.Least, all.Disk = cfg.Memory, each.Least*uint64(o.count), cfg.Plan.Disk
	if o.shared() { // each node checks the rest for itself
		all.Limit, all.Disk = 0, cfg.Plan.Database
	}
	return checkPlan(&all, dir)
}

// solve solves a game with several nodes.
func (o *nodesOptions) solve(cmd *cobra.Command, u *games.Universe, dir, game string, cfg retro.Config, p *ui.Progress) (*retro.NodesReport, *db.Manifest, error) {
	c := o.config(cluster.Terms{})
	c.Listen = cmp.Or(c.Listen, "127.0.0.1:0")
	c.Report = func(text string) { p.Note("%s", text) }
	network, err := natscarrier.Listen(cmd.Context(), c)
	if err != nil {
		return nil, nil, o.failed(err)
	}
	defer network.Close()
	ctx, cancel := context.WithCancelCause(cmd.Context())
	defer cancel(nil)
	children := make(chan error, o.count)
	started := 0
	stop, ended := context.WithCancel(context.WithoutCancel(ctx))
	if !o.shared() {
		debug.SetMemoryLimit(256 << 20) // the nodes have the rest
		runtime.GOMAXPROCS(1)           // and the processors
		for ; started < o.count; started++ {
			node := child{url: network.URL(), dir: dir, number: started + 1, threads: cfg.Threads, token: c.Account.Secret, note: p.Note}
			go func() {
				err := node.run(stop)
				if err != nil {
					cancel(err)
				}
				children <- err
			}()
		}
	} else {
		p.Note("to add a node: %s node --join %s", cmd.Root().Name(), reachable(network.URL()))
	}
	r, m, err := retro.SolveNodes(ctx, u, dir, cfg, retro.Nodes{
		Network: network, Count: o.count, Game: game, Version: ui.Version(),
		Report: func(text string) { p.Note("%s", text) },
	})
	if cause := context.Cause(ctx); cause != nil && cmd.Context().Err() == nil {
		err = cause // a node that cannot be started
	}
	ended()
	for range started {
		<-children
	}
	return r, m, err
}

// child is a node in a process of its own on this machine.
type child struct {
	url, dir, token string
	number, threads int
	note            func(string, ...any)
}

// mostStarts is how often a node is started if it keeps being killed by signals.
const mostStarts = 25

// run runs the node until ctx ends, and starts it again when it is killed.
func (c *child) run(ctx context.Context) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	for starts := 1; ; starts++ {
		var stderr bytes.Buffer
		cmd := exec.Command(program, "node", "--join", c.url, "--dir", c.dir+string(os.PathSeparator)+retro.NodeDir(c.number),
			"--threads", fmt.Sprint(c.threads), "--quiet", "--"+parentFlag)
		cmd.Args[0] = os.Args[0]
		cmd.Env = append(os.Environ(), tokenVariable+"="+c.token)
		cmd.Stderr = &stderr
		stdin, err := cmd.StdinPipe() // which is closed when this process ends, for whatever reason
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("node %d: %w", c.number, err)
		}
		exited := make(chan error, 1)
		go func() { exited <- cmd.Wait() }()
		select {
		case err = <-exited:
		case <-ctx.Done():
			stdin.Close()
			select {
			case <-exited:
			case <-time.After(2 * time.Second):
				cmd.Process.Kill()
				<-exited
			}
			return nil
		}
		if err == nil { // all is done
			return nil
		}
		text := strings.TrimSpace(stderr.String())
		if cmd.ProcessState.ExitCode() >= 0 || starts == mostStarts {
			return fmt.Errorf("node %d ended: %w: %s", c.number, err, text)
		}
		c.note("node %d ended (%v): starting it again", c.number, err)
	}
}

// share writes a part of the whole in percent.
func share(part, whole time.Duration) string {
	return fmt.Sprintf("%.0f %%", 100*part.Seconds()/max(whole.Seconds(), 1e-9))
}

// nodesTable says what the nodes have sent, by pass.
func nodesTable(r *retro.NodesReport) string {
	var total retro.Counts
	byPass := map[string]*retro.Counts{}
	var names []string
	for _, pass := range r.Passes {
		if byPass[pass.Name] == nil && pass.Counts.Positions > 0 {
			byPass[pass.Name] = &retro.Counts{}
			names = append(names, pass.Name)
		}
		if c := byPass[pass.Name]; c != nil {
			c.Add(pass.Counts)
		}
		total.Add(pass.Counts)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %15s %8s %6s %11s %9s %8s %5s\n", "pass", "positions", "messages", "bytes", "sent", "packets", "CPU time", "share")
	line := func(name string, c *retro.Counts) {
		n := float64(max(c.Positions, 1))
		fmt.Fprintf(&b, "%-10s %15s %8.2f %6.2f %11s %9s %8s %5s\n", name, ui.Grouped(c.Positions), float64(c.Messages)/n, float64(c.Sent)/n,
			ui.Size(c.Sent), ui.Grouped(c.Packets), ui.Seconds(c.CPU), share(c.Messaging, c.CPU))
	}
	for _, name := range names {
		line(name, byPass[name])
	}
	line("all", &total)
	fmt.Fprintf(&b, "messages, bytes: for each position; share: of messages and kernel in CPU time\n")
	fmt.Fprintf(&b, "with the coordinator, which takes %s for packets, the share is %s", ui.Seconds(r.CPU), share(total.Messaging+r.CPU, total.CPU+r.CPU))
	return b.String()
}
