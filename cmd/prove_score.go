package cmd

import (
	"context"
	"errors"
	"math"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// proveScore proves the value of a position in a game with scores, by questions whether it is worth
// at least so much. It begins with what the evaluation guesses.
func (t *typed[G, P, M]) proveScore(cmd *cobra.Command, root P, o *proveOptions) error {
	switch {
	case t.endgame != nil:
		return usageError{errors.New("--db: a proof of a score cannot rest on a database; leave --db out")}
	case o.tree.dir != "":
		return t.proveTreeScore(cmd, root, o)
	}
	g := t.Game
	p := o.progress(cmd)
	o.cfg.ProgressEvery = p.every()
	o.cfg.Progress = func(r solver.Progress) { p.show(func() string { return proveLine(r) }, proveRecord(r)) }
	s, err := solver.NewScore(g, root, o.cfg)
	if err != nil {
		return suggestMethod(g, o, err)
	}
	result, err := s.Solve(cmd.Context(), guessScore(g, root))
	p.done()
	switch {
	case errors.Is(err, context.Canceled):
		return o.interrupted
	case err != nil && !errors.Is(err, solver.ErrLimit) && !errors.Is(err, solver.ErrRepetition):
		return err
	}
	out := proveResult{Game: g.Name(), Position: string(g.AppendPosition(nil, root))}
	for _, q := range result.Questions {
		points := q.Points
		if q.Attacker == proof.Other { // who needs one point more than what would deny them
			points = 1 - points
		}
		out.Questions = append(out.Questions, proveQuestion{
			Attacker: sideNames[q.Attacker], AtLeast: &points, Wins: wins(q.Outcome), Nodes: q.Nodes, Memory: q.Memory, Seconds: q.Time.Seconds(),
		})
	}
	open := errNotProven
	if result.Known() {
		open = nil
	}
	return t.finish(cmd, o, &out, s.Header(), func(w *proof.Writer) error { return s.WriteProof(cmd.Context(), w) }, t.unverified, open)
}

// guessScore returns what the evaluation of an unfinished position says, 0 if there is none.
func guessScore[P, M comparable](g games.Game[P, M], p P) int {
	f, ok := g.(games.Features[P])
	if _, finished := g.Outcome(p); finished || !ok {
		return 0
	}
	c := games.NewCursor(g, f.FeatureSet().Folded(f.FeatureSet().Weights))
	c.Set(p)
	const point = 100
	return int(math.Round(float64(c.Evaluate()) / point))
}
