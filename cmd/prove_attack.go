package cmd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// errAllTried is returned when there is nothing more to try.
var errAllTried = ui.Unknown("no win found by attacks, and all of them were tried: more time or memory does not help; another win is possible")

// attackRoot looks for a win of the side to move by attacks alone.
func (o *proveOptions) attackRoot(cmd *cobra.Command, g *app.Game, root app.Position) error {
	if v, finished := g.Outcome(root); finished {
		return ui.Usage(fmt.Errorf("the game is over (%v): there is nothing to attack", v))
	}
	a, err := g.Attack.New(root, o.cfg.Memory, o.cfg.Nodes)
	if err != nil {
		return ui.Usage(err)
	}
	begin := time.Now()
	progress := o.Progress(cmd)
	won, reason := tryAttack(cmd, a, o, progress)
	progress.Done()
	if reason != nil && !errors.Is(reason, errAllTried) && !errors.Is(reason, solver.ErrLimit) {
		return reason
	}
	header := proof.Header{Game: g.Name(), Root: g.PositionText(root)}
	out := provenValue{Game: header.Game, Position: header.Root}
	outcome := solver.Unknown
	if won {
		outcome, header.Claims = solver.Proven, []proof.Claim{{Side: proof.Mover, Goal: proof.Win}}
	}
	out.Questions = []proveQuestion{{Attacker: sideNames[proof.Mover], Wins: wins(outcome), Nodes: a.Nodes(), Memory: a.Memory(), Seconds: time.Since(begin).Seconds()}}
	return o.finish(cmd, g, &out, header, func(w *proof.Writer) error { return a.WriteProof(cmd.Context(), w) }, nil, reason)
}

// attackSlice is the number of positions that are searched between two reports of progress.
const attackSlice = 100

// tryAttack searches until there is a win, the limits are reached (errNotProven), or there
// is nothing more to try (errAllTried).
func tryAttack(cmd *cobra.Command, a app.Attacker, o *proveOptions, progress *ui.Progress) (won bool, err error) {
	begin := time.Now()
	ctx, cancel := ui.WithTimeLimit(cmd.Context(), o.cfg.Time, nil)
	defer cancel()
	for before := uint64(math.MaxUint64); !won && err == nil && a.Nodes() != before; {
		before = a.Nodes()
		won, err = a.Search(ctx, attackSlice)
		r := solver.Progress{Attacker: proof.Mover}
		r.Nodes, r.Memory, r.Time = a.Nodes(), a.Memory(), time.Since(begin)
		r.Proof, r.Disproof = a.Numbers()
		progress.Show(func() string { return proveLine(r) }, proveRecord(r))
	}
	_, disproof := a.Numbers()
	switch {
	case cmd.Context().Err() != nil:
		return false, o.interrupted
	case won:
		return true, nil
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, solver.ErrLimit), err == nil && disproof > 0:
		return false, errNotProven
	case err != nil:
		return false, err
	}
	return false, errAllTried
}
