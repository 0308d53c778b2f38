package solver

import (
	"context"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver/connect"
)

// connection is the search of a game that is a [games.Connection].
type connection struct {
	*connect.Search
	root   games.Placement
	solved bool
	winner int
}

// connectionOf returns a search of a position.
func connectionOf[P, M comparable](g games.Game[P, M], rules games.Connection[P, M], root P, limits connect.Limits) *connection {
	return &connection{Search: connect.New(connect.BoardOf(g, rules), limits), root: rules.Placement(root)}
}

// ask answers a question. It answers that of the other side too.
func (c *connection) ask(ctx context.Context, q Asked, cfg *Config) (Asked, error) {
	if !c.solved {
		begin, shown := time.Now(), time.Now()
		statistics := func() Statistics { return Statistics{c.Nodes(), c.Bytes(), time.Since(begin)} }
		winner, err := c.Solve(c.root, func() error {
			q.Statistics = statistics()
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case cfg.Time > 0 && q.Time > cfg.Time, cfg.Nodes > 0 && q.Nodes >= cfg.Nodes:
				return errLimit
			case q.Memory > cfg.Memory:
				return fmt.Errorf("%w: the carriers need more than %d MiB", errLimit, cfg.Memory>>20)
			}
			if cfg.Progress != nil && time.Since(shown) >= cfg.ProgressEvery {
				shown = time.Now()
				p := Progress{Attacker: q.Attacker, Statistics: q.Statistics}
				p.Proof, p.Disproof = c.Effort(c.root)
				cfg.Progress(p)
			}
			return nil
		})
		q.Statistics = statistics()
		if err != nil {
			return q, err
		}
		c.solved, c.winner = true, winner
	}
	attacker := c.root.ToMove
	if q.Attacker == proof.Other {
		attacker = 1 - attacker
	}
	if q.Outcome = Disproven; attacker == c.winner {
		q.Outcome = Proven
	}
	return q, nil
}

// writeConnection writes the proof of the result of a search.
func writeConnection[P, M comparable](ctx context.Context, w *proof.Writer, c *connection, g games.Game[P, M], rules games.Connection[P, M]) error {
	var moves [games.MaxSquares]M
	for _, m := range g.AppendMoves(nil, g.Start()) {
		moves[rules.Square(m)] = m
	}
	return c.WriteProof(w, ctx.Err, func(n *proof.Node, at games.Placement, move int) {
		p := rules.Place(at)
		n.Position = g.AppendPosition(n.Position, p)
		if move >= 0 {
			n.Move = g.AppendMove(n.Move, p, moves[move])
		}
	})
}
