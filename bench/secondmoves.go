package bench

import (
	"context"
	"errors"
	"time"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/vct"
)

// SecondMoves tries to prove, on one thread, that Black wins after his first stone
// in the centre and each answer of White, answers that are mirror images of others
// left out: the first step of solving the game.
type SecondMoves struct {
	Game *gomoku.Game
	// Time is for all moves together. Each gets its share of what is left.
	Time time.Duration
	// Memory is about how many bytes the search of a move may use.
	Memory uint64
}

// threatShare is which part of a move's time a victory by continuous threats may
// take before proof-number search has its turn.
const threatShare = 4

// SecondMove is what was found of a move.
type SecondMove struct {
	Move    string  `json:"move"`
	Won     bool    `json:"won"`              // proven that Black wins
	Method  string  `json:"method,omitempty"` // that proved it: "threats" or "proof numbers"
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
}

// Run tries all moves, in the order of their squares, and calls report with each as
// it is done.
func (b SecondMoves) Run(ctx context.Context, report func(SecondMove)) error {
	moves, positions := b.answers()
	end := time.Now().Add(b.Time)
	for i, p := range positions {
		budget := time.Until(end) / time.Duration(len(positions)-i)
		m, err := b.try(ctx, p, budget)
		if err != nil {
			return err
		}
		m.Move = moves[i]
		report(m)
	}
	return nil
}

// answers returns the second moves with the positions after them.
func (b SecondMoves) answers() (moves []string, positions []gomoku.Position) {
	rules := b.Game.Rules()
	first := b.Game.Play(b.Game.Start(), gomoku.SquareAt(rules.Rows/2, rules.Columns/2))
	seen := map[gomoku.Position]bool{}
	for _, m := range b.Game.AppendMoves(nil, first) {
		p := b.Game.Play(first, m)
		if c := b.Game.Canonical(p); !seen[c] {
			seen[c] = true
			moves = append(moves, string(b.Game.AppendMove(nil, first, m)))
			positions = append(positions, p)
		}
	}
	return moves, positions
}

// try tries to prove that the side to move wins p.
func (b SecondMoves) try(ctx context.Context, p gomoku.Position, budget time.Duration) (m SecondMove, err error) {
	begin := time.Now()
	defer func() { m.Seconds = time.Since(begin).Seconds() }()
	searcher, err := vct.NewSearcher(b.Game, vct.Config{TableSize: int64(b.Memory / 2)})
	if err != nil {
		return m, err
	}
	limited, cancel := context.WithTimeout(ctx, budget/threatShare)
	defer cancel()
	found, err := searcher.Search(limited, p)
	m.Nodes = found.Nodes
	if err == nil && found.Verdict == gomoku.Proven {
		m.Won, m.Method = true, "threats"
		return m, nil
	}
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	limited, cancel = context.WithTimeout(ctx, budget-time.Since(begin))
	defer cancel()
	last := uint64(0)
	s, err := solver.New(b.Game, p, solver.Config{
		Memory:        b.Memory,
		Progress:      func(r solver.Progress) { last = r.Nodes },
		ProgressEvery: 100 * time.Millisecond,
	})
	if err != nil {
		return m, err
	}
	result, err := s.Solve(limited)
	if len(result.Questions) > 0 {
		last = result.Questions[0].Nodes
		if q := result.Questions[0]; q.Attacker == proof.Mover && q.Answer == solver.Yes {
			m.Won, m.Method = true, "proof numbers"
		}
	}
	m.Nodes += last
	switch {
	case ctx.Err() != nil:
		return m, ctx.Err()
	case limited.Err() != nil, errors.Is(err, solver.ErrLimit):
		err = nil
	}
	return m, err
}
