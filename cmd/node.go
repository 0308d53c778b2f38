package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/cluster/natscarrier"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
)

// parentFlag makes a node started by solve end when its standard input does, and only then.
const parentFlag = "with-parent"

func newNode(l plugins) *cobra.Command {
	var w natscarrier.Worker
	var n retro.Node
	var memory uint64
	var parent, quiet, force bool
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
	flags := cmd.Flags()
	flags.StringVar(&w.URL, "join", "", "`URL` of the solve, as it prints it")
	addTokenFlag(flags, &w.Terms.Token, "secret that solve and its nodes share")
	flags.StringVar(&w.CA, "tls-ca", "", "`FILE` with the authority of its TLS certificate, or with a self-signed certificate")
	flags.StringVar(&n.Dir, "dir", "yomikiri.node", "directory for this node's part of the solve")
	ui.ThreadsFlag(flags, &n.Threads, "0", "number of threads")
	ui.MemoryFlag(flags, &memory, "memory", "", "memory limit, such as 12GiB (default nine tenths of the machine's memory)")
	ui.TimeFlag(flags, &n.Wait, "wait", "1h", "how long to wait for the solve; 0 for no limit")
	flags.BoolVar(&force, "force", false, "begin even if the plan says that memory or disk will not do")
	flags.BoolVar(&parent, parentFlag, false, "end when the input does, and only then")
	flags.MarkHidden(parentFlag)
	flags.BoolVarP(&quiet, "quiet", "q", false, ui.QuietUsage)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if w.URL == "" {
			return ui.Usage(errors.New("--join is missing: the URL that solve --listen prints"))
		}
		// Use one processor for each worker and no more: the goroutines that carry messages
		// take turns on them, and no other processor is woken for a packet.
		runtime.GOMAXPROCS(n.Threads)
		ctx := cmd.Context()
		if parent {
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
		w.Terms.Version, w.Terms.Token = ui.Version(), secret(w.Terms.Token)
		if n.Host, err = os.Hostname(); err != nil {
			return err
		}
		w.Name = n.Host
		network := natscarrier.Connect(w)
		defer network.Close()
		n.Network, n.Version, n.Token = network, w.Terms.Version, w.Terms.Token
		n.Report = func(text string) {
			if !quiet {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", w.URL, text)
			}
		}
		w.Report = n.Report
		n.Universe = func(_ context.Context, a retro.About) (*games.Universe, error) {
			return l.partOf(cmd, a, n, memory, parent || force)
		}
		return n.Run(ctx)
	}
	return cmd
}

// partOf opens the game of a solve by nodes, and checks that there is enough memory and
// disk for a node.
func (l plugins) partOf(cmd *cobra.Command, a retro.About, n retro.Node, limit uint64, force bool) (*games.Universe, error) {
	g, err := l.open(a.Game)
	if err != nil {
		return nil, err
	}
	if limit == 0 {
		limit = ui.MemoryLimit()
	}
	taken, err := number(cmd, g, limit, ui.NewProgress(io.Discard, false, true))
	if err != nil {
		return nil, err
	}
	u, err := g.Universe()
	if err != nil {
		return nil, err
	}
	plan := retro.PlanOf(u, retro.Config{Positions: a.Positions, Partitions: a.Partitions, Threads: n.Threads, Memory: limit}).Share(a.Nodes)
	if err := plan.Check(freeDisk(n.Dir)); err != nil && !force {
		return nil, fmt.Errorf("%w; --force tries nevertheless", err)
	}
	debug.SetMemoryLimit(plan.GoLimit() + int64(taken))
	return u, nil
}
