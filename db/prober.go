package db

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Prober looks up positions of a game in an open database. It is safe for concurrent
// use if the game is.
type Prober[P, M comparable] struct {
	db       *DB
	game     games.Game[P, M]
	indexer  games.Indexer[P]
	finisher games.Finisher[P, M] // nil if the game has none
	scorer   games.Scorer[P, M]   // nil if the game has none
	results  bool                 // values have no distance
	resolver *Resolver            // nil if no tier is compact
}

// NewProber returns a prober for the game of the database. It fails if the database is
// of another game or other rules.
func NewProber[P, M comparable](d *DB, g games.Game[P, M]) (*Prober[P, M], error) {
	indexer, ok := g.(games.Indexer[P])
	if !ok {
		return nil, fmt.Errorf("%s: %w", g.Name(), games.ErrNoIndex)
	}
	return NewProberWith(d, g, indexer)
}

// NewProberWith is NewProber with the game's own Indexer or a [games.Numbering].
func NewProberWith[P, M comparable](d *DB, g games.Game[P, M], indexer games.Indexer[P]) (*Prober[P, M], error) {
	if want := d.manifest.Content.Game; g.Name() != want {
		return nil, otherf("%s is a database of %s, not of %s", d.name, want, g.Name())
	}
	if err := d.manifest.Content.FitsTiers(indexer.Tiers(), games.FingerprintOf(indexer)); err != nil {
		return nil, fmt.Errorf("%s: %w", d.name, err)
	}
	p := &Prober[P, M]{db: d, game: g, indexer: indexer, results: d.manifest.Content.Order == games.ByResult.String()}
	if d.manifest.Content.IsCompact() {
		u, err := games.UniverseWith(g, indexer)
		if err != nil {
			return nil, err
		}
		if p.resolver, err = NewResolver(d, u); err != nil {
			return nil, err
		}
	}
	p.finisher, _ = g.(games.Finisher[P, M])
	p.scorer, _ = g.(games.Scorer[P, M])
	return p, nil
}

// Position returns the position with an index, and an error that is [ErrNotHeld] if there is none.
func (p *Prober[P, M]) Position(index uint64) (P, error) {
	position, ok := p.indexer.Position(index)
	if !ok {
		return position, fmt.Errorf("%w: there is no position with index %d", ErrNotHeld, index)
	}
	return position, nil
}

// ErrNotHeld is returned for a position that is not in the database.
var ErrNotHeld = errors.New("the database does not hold the position")

// Probe returns the value of a position for the side to move. It returns an error that
// is [ErrNotHeld] if the position is not in the database, or [ErrCorrupt] if its block
// is damaged, or has no value though the database has all positions.
func (p *Prober[P, M]) Probe(position P) (games.Value, error) {
	if v, finished := p.outcome(position); finished {
		return v, nil
	}
	index, err := p.indexer.Index(position)
	if errors.Is(err, games.ErrNotReached) {
		return 0, fmt.Errorf("%w %q: %w", ErrNotHeld, p.game.AppendPosition(nil, position), games.ErrNotReached)
	}
	if err != nil {
		return 0, err
	}
	v, ok, err := p.Value(index)
	if err != nil {
		return 0, err
	}
	if !ok && p.db.Manifest().Content.Positions == "all" {
		return 0, fmt.Errorf("%w: no value of %q", ErrCorrupt, p.game.AppendPosition(nil, position))
	}
	if !ok {
		return 0, fmt.Errorf("%w %q", ErrNotHeld, p.game.AppendPosition(nil, position))
	}
	return v, nil
}

// Value is [DB.Value], of compact tiers too.
func (p *Prober[P, M]) Value(index uint64) (games.Value, bool, error) {
	if p.resolver != nil {
		return p.resolver.Value(index)
	}
	return p.db.Value(index)
}

// Block is [DB.Block] with the codes of the values, in compact tiers too, where it takes much longer.
func (p *Prober[P, M]) Block(ctx context.Context, tier int, block uint64) ([]byte, error) {
	if p.resolver != nil {
		return p.resolver.Block(ctx, tier, block)
	}
	return p.db.Block(tier, block)
}

// outcome is [games.Game]'s Outcome, without distance if the database has none.
func (p *Prober[P, M]) outcome(position P) (games.Value, bool) {
	v, finished := p.game.Outcome(position)
	if finished && p.results {
		v = v.Result().Value()
	}
	return v, finished
}

func (p *Prober[P, M]) gain(position P, m M) int {
	if p.scorer == nil {
		return 0
	}
	return p.scorer.Gain(position, m)
}

// MoveValue is a move and its value for the side that makes it.
type MoveValue[M any] struct {
	Move  M
	Value games.Value
}

// ProbeMoves returns all moves of a position with their values, best first; moves of
// equal value are in the game's order. For a finished position it returns the moves
// that end the game, if the game is a [games.Finisher].
func (p *Prober[P, M]) ProbeMoves(position P) ([]MoveValue[M], error) {
	var list []MoveValue[M]
	if v, finished := p.outcome(position); finished {
		if p.finisher != nil {
			for _, m := range p.finisher.AppendFinishing(nil, position) {
				list = append(list, MoveValue[M]{m, v})
			}
		}
		return list, nil
	}
	for _, m := range p.game.AppendMoves(nil, position) {
		v, err := p.Probe(p.game.Play(position, m))
		if err != nil {
			return nil, err
		}
		list = append(list, MoveValue[M]{m, v.Backup(p.gain(position, m))})
	}
	slices.SortStableFunc(list, func(a, b MoveValue[M]) int { return int(b.Value) - int(a.Value) })
	return list, nil
}
