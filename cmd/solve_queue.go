package cmd

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
)

// tierLease is how long a worker may be silent before another one gets its tier. A tier that is solved twice costs more
// than to wait, so a busy machine has time to let its workers say something.
const tierLease = time.Minute

// queueMemory is the memory of a host for its server and the files that it sends and receives, at most. Without it the garbage
// collector would run all the time, since the plan of a solve leaves none.
const queueMemory = 128 << 20

// solveQueued solves a game with --share and --listen or --nats: it hands out tiers to workers.
func (o *solveOptions) solveQueued(cmd *cobra.Command, u *games.Universe, dir, game string, p *ui.Progress) (solved int, m *db.Manifest, err error) {
	terms, err := retro.Terms(u, ui.Version())
	if err != nil {
		return 0, nil, err
	}
	return retro.SolveQueued(cmd.Context(), u, dir, o.cfg, terms, func(store string) (retro.Queue, error) {
		f, err := o.nodes.open(cmd.Context(), terms, about{Game: game, Tiers: true, Results: o.results}, store, p)
		if err != nil {
			return nil, err
		}
		p.Note("to add a worker: %s work --join %s", cmd.Root().Name(), reachable(f.URL()))
		return f, nil
	}, func(text string) { p.Note("%s", text) })
}
