package cmd

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// besideHeap is about what a process takes beside the heap, for its code and the directory's store.
const besideHeap = 64 << 20

// hasPoints reports whether a position is proven by the game's own search for scores without being told to. A
// finished one is left to the general search, which has nothing to do.
func (o *proveOptions) hasPoints(cmd *cobra.Command, g *app.Game, root app.Position) bool {
	_, finished := g.Outcome(root)
	return g.Points != nil && !finished && !cmd.Flags().Changed("method")
}

// proveScore finds the score of a position by the game's own search and proves it, with a directory for results
// if there is one.
func (o *proveOptions) proveScore(cmd *cobra.Command, g *app.Game, root app.Position) (err error) {
	switch {
	case g.Points == nil:
		return ui.Usage(errors.New("--tree: a proof tree asks who wins, and this game has scores; leave --tree out"))
	case o.tree.shared() || o.tree.workers != 1 || o.tree.budget != 0:
		return ui.Usage(errors.New("--tree: this game has a search of its own, by one worker; leave --workers, --budget, --listen and --nats out"))
	case cmd.Flags().Changed("method") && o.method != alphaBeta:
		return ui.Usage(fmt.Errorf("--method %s: with --tree this game has %s only", o.method, alphaBeta))
	}
	if v, finished := g.Outcome(root); finished {
		return ui.Usage(fmt.Errorf("the game is over (%v): there is nothing to prove", v))
	}
	p, begin := o.Progress(cmd), time.Now()
	heap := max(o.cfg.Memory, 2*besideHeap) - besideHeap
	debug.SetMemoryLimit(int64(heap)) // garbage takes what is left
	s, err := g.Points(root, app.PointOptions{
		Dir: o.tree.dir, Memory: heap / 8 * 7, Nodes: o.cfg.Nodes, Every: p.Every(),
		Progress: func(r app.PointProgress) { p.Show(func() string { return pointsLine(r) }, r) },
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx, cancel := ui.WithTimeLimit(cmd.Context(), o.cfg.Time, nil)
	defer cancel()
	out := provenValue{Game: g.Name(), Position: g.PositionText(root)}
	var header proof.Header
	var unexplained error // of the line, which no value waits for
	lower, upper, err := s.Solve(ctx)
	searched := time.Since(begin)
	if err == nil && lower != upper {
		err = fmt.Errorf("%w: a score of %d to %d", solver.ErrContradiction, lower, upper)
	}
	if err == nil {
		if out.Line, out.End, unexplained = s.Line(ctx); unexplained != nil {
			out.Line, out.End = nil, ""
		}
		if header, err = s.Prove(ctx); errors.Is(err, solver.ErrLimit) {
			err = fmt.Errorf("the value was found, but not its proof: %w", err)
		}
	}
	p.Done()
	switch {
	case cmd.Context().Err() != nil:
		return o.interrupted
	case errors.Is(err, context.DeadlineExceeded) && o.tree.dir != "":
		return o.finish(cmd, g, &out, proof.Header{}, nil, nil, errTreeOpen)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, solver.ErrLimit) && o.tree.dir == "":
		return o.finish(cmd, g, &out, proof.Header{}, nil, nil, errNotProven)
	case errors.Is(err, solver.ErrLimit):
		return fmt.Errorf("%w: raise --memory; the same command goes on", err)
	case err != nil:
		return err
	}
	// One entry for all questions: each rests on the results of those before.
	out.Questions = []proveQuestion{{Attacker: sideNames[proof.Mover], AtLeast: &lower, Wins: wins(solver.Proven), Nodes: s.Nodes(), Memory: s.Memory(), Seconds: searched.Seconds()}}
	return errors.Join(o.finish(cmd, g, &out, header, func(w *proof.Writer) error { return s.WriteProof(cmd.Context(), w) }, nil, nil), unexplained)
}

func pointsLine(p app.PointProgress) string {
	seconds := ui.Seconds(time.Duration(p.Seconds * float64(time.Second)))
	if p.Written > 0 {
		return fmt.Sprintf("%s  proof of %d points: %s, %s left to the check", seconds, p.Points, ui.Counted(p.Written, "node"), ui.Counted(p.Positions, "position"))
	}
	at := ""
	for _, s := range p.Path {
		at += fmt.Sprintf(", %d of %d", s.At, s.Of)
	}
	return fmt.Sprintf("%s  at least %d? %s, %s kept; move%s", seconds, p.Points, ui.Counted(p.Nodes, "position"), ui.Grouped(p.Kept), strings.TrimPrefix(at, ","))
}
