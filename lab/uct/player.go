package uct

import (
	"context"

	"github.com/yomikiri/yomikiri/play/match"
)

// Player plays matches by searches.
type Player[P, M comparable] struct {
	search *Searcher[P, M]
	seed   uint64
}

var _ match.Player[int, int] = (*Player[int, int])(nil)

// NewPlayer returns a player that searches with s.
func NewPlayer[P, M comparable](s *Searcher[P, M]) *Player[P, M] { return &Player[P, M]{search: s} }

// Begin implements [match.Player].
func (p *Player[P, M]) Begin(_ context.Context, seed uint64) error {
	p.seed = seed
	return nil
}

// Move implements [match.Player]. It does not judge.
func (p *Player[P, M]) Move(ctx context.Context, s match.State[P, M]) (match.Decision[M], error) {
	var last *M
	if n := len(s.Moves); n > 0 {
		last = &s.Moves[n-1]
	}
	list, err := p.search.Search(ctx, s.Position, last, p.seed*0x9e3779b97f4a7c15+uint64(len(s.Moves)))
	if err != nil {
		return match.Decision[M]{}, err
	}
	return match.Decision[M]{Move: list[0].Move, Nodes: uint64(p.search.Playouts)}, nil
}

// Close implements [match.Player].
func (p *Player[P, M]) Close() error { return nil }
