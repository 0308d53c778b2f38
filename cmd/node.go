package cmd

import (
	"cmp"
	"context"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/cluster/natscarrier"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
)

// parentFlag makes a node started by solve end when its standard input does, and only then.
const parentFlag = "with-parent"

// nodeOptions are the flags of node.
type nodeOptions struct {
	joinOptions
	node          retro.Node
	memory        uint64
	parent, force bool
}

func (o *nodeOptions) addFlags(flags *pflag.FlagSet) {
	o.addJoinFlags(flags, "the solve", solveToken, "the solve")
	flags.StringVar(&o.Streams, "listen", "", "`HOST:PORT` at which the other processes reach this one (default: a port of the address from which it reaches the server)")
	flags.StringVar(&o.node.Dir, "dir", "yomikiri.node", "directory for this node's part of the solve")
	ui.ThreadsFlag(flags, &o.node.Threads, "0", "number of threads")
	ui.MemoryFlag(flags, &o.memory, "memory", "", "memory limit, such as 12GiB (default nine tenths of the machine's memory)")
	flags.BoolVar(&o.force, "force", false, "begin even if the plan says that memory or disk will not do")
	flags.BoolVar(&o.parent, parentFlag, false, "end when the input does, and only then")
	flags.MarkHidden(parentFlag)
}

func newNode(l plugins) *cobra.Command {
	var o nodeOptions
	cmd := &cobra.Command{
		Use:   "node --join URL",
		Short: "Solve a part of a game for a solve elsewhere",
		Long: `Node solves a part of the game that yomikiri solve --nodes --listen solves, on the same or
on another machine. It learns the game from there, and must be the same version of the
program. It waits for solve to start, and when that is gone until it is back, but no longer
than --wait. It keeps its part in a directory: if it is interrupted or killed, start it again
there. Solve writes the database; in the end the node removes what it has kept.`,
		Example: "  yomikiri node --join nats://127.0.0.1:4222\n  " +
			tokenVariable + "=... yomikiri node --join tls://host:4222 --tls-ca cert.pem --dir /big/part",
		Args: ui.NoArgs,
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return o.run(cmd, l) }
	return cmd
}

func (o *nodeOptions) run(cmd *cobra.Command, l plugins) error {
	w, note, err := o.begin(cmd, "solve")
	if err != nil {
		return err
	}
	// Use one processor for each worker and no more: the goroutines that carry messages
	// take turns on them, and no other processor is woken for a packet.
	runtime.GOMAXPROCS(o.node.Threads)
	ctx := cmd.Context()
	if o.parent {
		var end context.CancelFunc
		ctx, end = context.WithCancel(context.WithoutCancel(ctx))
		defer end()
		go func() {
			io.Copy(io.Discard, cmd.InOrStdin())
			end()
			time.Sleep(2 * time.Second) // it may be stuck
			os.Exit(ui.ExitInterrupted)
		}()
	}
	if o.node.Host, err = os.Hostname(); err != nil {
		return err
	}
	w.Name = o.node.Host
	network := natscarrier.Connect(w)
	defer network.Close()
	n := &o.node
	n.Network, n.Version, n.Wait, n.Report = network, w.Terms.Version, o.wait, note
	n.Universe = func(_ context.Context, a retro.About) (*games.Universe, error) { return o.universe(cmd, l, a) }
	return n.Run(ctx)
}

// universe returns the positions of the game of a solve by nodes. It checks that there is enough memory
// and disk for this node.
func (o *nodeOptions) universe(cmd *cobra.Command, l plugins, a retro.About) (*games.Universe, error) {
	g, err := l.open(a.Game)
	if err != nil {
		return nil, err
	}
	limit := cmp.Or(o.memory, ui.MemoryLimit())
	taken, err := number(cmd, g, limit, ui.NewProgress(io.Discard, false, true))
	if err != nil {
		return nil, err
	}
	u, err := g.Universe()
	if err != nil {
		return nil, err
	}
	plan := retro.PlanOf(u, retro.Config{Positions: a.Positions, Partitions: a.Partitions, Threads: o.node.Threads, Memory: limit}).Share(a.Nodes)
	if err := checkPlan(plan, o.node.Dir); err != nil && !o.parent && !o.force {
		return nil, err
	}
	debug.SetMemoryLimit(plan.GoLimit() + int64(taken))
	return u, nil
}
