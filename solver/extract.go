package solver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// ErrValues says that no proof can be made from values.
var ErrValues = errors.New("no proof can be made from these values")

// Values has values of positions, as [db.Endgame] has them.
type Values[P comparable] interface {
	// Value returns the value of an unfinished position for the side to move, and whether it is known.
	Value(p P) (games.Value, bool, error)
}

// ExtractConfig are options of [Extract].
type ExtractConfig struct {
	// Leave is how many positions the checker may have to search for a node. Where that is enough, the
	// proof leaves the position to the checker and has no nodes below it.
	Leave uint64
	// Progress, if set, is called often, with the nodes so far and the positions that are left to the checker.
	Progress func(nodes, positions uint64)
}

// Extracted is a proof that was made from values. It does not rest on them: they have only chosen its moves.
type Extracted[P, M comparable] struct {
	header   proof.Header
	builders []*builder[P, M] // of the claims; nil if the game is over
}

// Extract makes the proof of what values say about a position. They must have all positions that can come
// after it. It fails with [ErrValues] if they have not, if the game has scores or if positions may repeat, and with
// [ErrContradiction] if the values contradict each other.
func Extract[P, M comparable](ctx context.Context, g games.Game[P, M], values Values[P], root P, cfg ExtractConfig) (*Extracted[P, M], error) {
	r := rules[P, M]{game: g, brancher: &allMoves[P, M]{game: g}}
	r.canonicalizer, _ = g.(games.Canonicalizer[P])
	if games.OrderOf(g) != games.ByDistance {
		return nil, fmt.Errorf("%w: %s has scores instead of wins", ErrValues, g.Name())
	}
	if r.layerer, _ = g.(games.Layerer[P]); r.layerer == nil {
		return nil, fmt.Errorf("%w: %w", ErrValues, noLayerer(g))
	}
	v, finished := g.Outcome(root)
	if !finished {
		var err error
		if v, err = known(&r, values, root); err != nil {
			return nil, err
		}
	}
	e := &Extracted[P, M]{header: proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, root)), Claims: claimsOf(v.Result()), Rules: games.RulesTextOf(g)}}
	for _, claim := range e.header.Claims {
		var b *builder[P, M]
		if !finished {
			b = r.newBuilder(ctx, claim.Goal, root, &chooser[P, M]{rules: &r, values: values})
			b.search = e.search(g, claim, b, cfg)
			if err := b.build(claim.Side == proof.Mover); err != nil {
				return nil, err
			}
		}
		e.builders = append(e.builders, b)
	}
	return e, nil
}

// claimsOf returns the claims that a result for the side to move makes.
func claimsOf(r games.Result) []proof.Claim {
	switch r {
	case games.Won:
		return []proof.Claim{{Side: proof.Mover, Goal: proof.Win}}
	case games.Lost:
		return []proof.Claim{{Side: proof.Other, Goal: proof.Win}}
	}
	return []proof.Claim{{Side: proof.Mover, Goal: proof.Hold}, {Side: proof.Other, Goal: proof.Hold}}
}

// search returns the search of [finder] for a claim. It counts what it leaves to the checker in the header.
func (e *Extracted[P, M]) search(g games.Game[P, M], claim proof.Claim, b *builder[P, M], cfg ExtractConfig) func(at position[P]) (bool, uint64) {
	searcher := proof.NewSearcher(g, claim)
	return func(at position[P]) (bool, uint64) {
		if cfg.Progress != nil {
			cfg.Progress(uint64(len(b.nodes)-1), e.header.Positions)
		}
		if cfg.Leave == 0 {
			return false, 0
		}
		holds, positions, err := searcher.Search(at.p, at.claimant, cfg.Leave)
		if err != nil { // it would take more
			return false, 0
		}
		e.header.Positions += positions
		return holds, positions
	}
}

// Header returns the header of the proof file.
func (e *Extracted[P, M]) Header() proof.Header { return e.header }

// WriteProof writes the proof to w, which has the header of [Extracted.Header]. It does not close w.
func (e *Extracted[P, M]) WriteProof(w *proof.Writer) error {
	for _, b := range e.builders {
		end := func() error { return w.EndClaim(0) }
		if b != nil {
			end = func() error { return b.write(w) }
		}
		if err := end(); err != nil {
			return err
		}
	}
	return nil
}

// chooser is a [resolver] that knows the value of each position.
type chooser[P, M comparable] struct {
	*rules[P, M]
	values  Values[P]
	moves   []M
	choices []choice[P, M]
	replies []M
}

// choice is a move that can be chosen, and how many replies there are.
type choice[P, M comparable] struct {
	move    M
	after   P
	replies int
}

// resolve implements [resolver] for the claimant, who is the attacker or has to hold. Of the moves that do, it
// returns the first with the fewest replies: proofs with fewer replies are smaller.
func (c *chooser[P, M]) resolve(p P, attackerToMove bool, limit uint16) (solution[M], error) {
	needed := games.Drawn
	if attackerToMove {
		needed = games.Won
	}
	c.moves, c.choices = c.game.AppendMoves(c.moves[:0], p), c.choices[:0]
	for _, m := range c.moves {
		q := c.game.Play(p, m)
		if _, finished := c.game.Outcome(q); !finished { // one that ends it well needs no node
			c.replies = c.game.AppendMoves(c.replies[:0], q)
			c.choices = append(c.choices, choice[P, M]{m, q, len(c.replies)})
		}
	}
	slices.SortStableFunc(c.choices, func(a, b choice[P, M]) int { return cmp.Compare(a.replies, b.replies) })
	for _, x := range c.choices {
		v, err := known(c.rules, c.values, x.after)
		if err != nil {
			return solution[M]{}, err
		}
		if -v.Result() >= needed {
			return solution[M]{wins: attackerToMove, move: x.move, length: limit}, nil
		}
	}
	return solution[M]{}, c.contradicted(p)
}

// known returns a value that must be known.
func known[P, M comparable](r *rules[P, M], values Values[P], p P) (games.Value, error) {
	v, ok, err := values.Value(p)
	if err == nil && !ok {
		err = fmt.Errorf("%w: they do not have the position %q", ErrValues, r.game.AppendPosition(nil, p))
	}
	return v, err
}
