package cmd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/threat"
)

// errAllTried is returned when there is nothing more to try.
var errAllTried = errors.New("no win found by threats and few quiet moves, and no more are tried: more time or memory does not help; another win is possible")

// proveAttack looks for a win of the side to move by attacks alone.
func proveAttack(cmd *cobra.Command, g *gomoku.Game, position []string, o *proveOptions) error {
	root, err := proveRoot(g, position)
	if err != nil {
		return err
	}
	if v, finished := g.Outcome(root); finished {
		return usageError{fmt.Errorf("the game is over (%v): there is nothing to attack", v)}
	}
	prover, err := threat.NewProver(g, threat.ProverConfig{Memory: o.cfg.Memory, Nodes: o.cfg.Nodes})
	if err != nil {
		return usageError{err}
	}
	begin := time.Now()
	progress := o.progress(cmd)
	tree, reason := tryAttack(cmd, prover, root, o, progress)
	progress.done()
	if reason != nil && !errors.Is(reason, errAllTried) && !errors.Is(reason, solver.ErrLimit) {
		return reason
	}
	out := proveResult{Game: g.Name(), Position: string(g.AppendPosition(nil, root)), Value: "unknown"}
	answer := solver.Unknown
	if tree != nil {
		answer = solver.Yes
		if out.Value, err = proof.Value(threat.Claims()); err != nil {
			return err
		}
	}
	out.Questions = []proveQuestion{{sideNames[proof.Mover], answer.String(), prover.Nodes(), prover.Memory(), time.Since(begin).Seconds()}}
	if tree != nil {
		header := proof.Header{Game: out.Game, Root: out.Position, Claims: threat.Claims()}
		return out.prove(cmd, o, verifyGomoku, header, func(w *proof.Writer) error { return prover.WriteProof(w, root, tree) }, nil)
	}
	return errors.Join(o.result(cmd, &out, out.text()), reason)
}

// attackSlice is the number of positions that are searched between two reports of progress.
const attackSlice = 100

// tryAttack searches until there is a win, the limits are reached (errNotProven), or there
// is nothing more to try (errAllTried).
func tryAttack(cmd *cobra.Command, prover *threat.Prover, root gomoku.Position, o *proveOptions, progress *progress) (tree *threat.Tree, err error) {
	ctx, begin := cmd.Context(), time.Now()
	if o.cfg.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.cfg.Time)
		defer cancel()
	}
	for before := uint64(math.MaxUint64); tree == nil && err == nil && prover.Nodes() != before; {
		before = prover.Nodes()
		tree, err = prover.Prove(ctx, root, attackSlice)
		r := solver.Progress{Attacker: proof.Mover}
		r.Nodes, r.Memory, r.Time = prover.Nodes(), prover.Memory(), time.Since(begin)
		r.Proof, r.Disproof = prover.Numbers(root)
		progress.show(func() string { return proveLine(r) }, proveRecord(r))
	}
	_, disproof := prover.Numbers(root)
	switch {
	case cmd.Context().Err() != nil:
		return nil, errSearchLost
	case tree != nil:
		return tree, nil
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, solver.ErrLimit), err == nil && disproof > 0:
		return nil, errNotProven
	case err != nil:
		return nil, err
	}
	return nil, errAllTried
}
