package variant

import (
	"maps"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Name implements [games.Game].
func (g *core) Name() string { return g.name }

// Start implements [games.Game].
func (g *core) Start() Position { return g.start }

// Outcome implements [games.Game].
func (g *core) Outcome(p Position) (games.Value, bool) {
	b := g.newBoard(&p)
	if v := b.ended(); v != noResult {
		return v.value(), true
	}
	if !b.canMove(&[]Move{}) {
		return b.stuck().value(), true
	}
	return games.Unfinished, false
}

// AppendMoves implements [games.Game].
func (g *core) AppendMoves(dst []Move, p Position) []Move {
	b := g.newBoard(&p)
	if b.ended() != noResult {
		return dst
	}
	return b.legalMoves(dst)
}

// Play implements [games.Game].
func (g *core) Play(p Position, m Move) Position {
	b := g.newBoard(&p)
	b.apply(m)
	return b.Position
}

var _ games.Game[Position, Move] = (*Game)(nil)

// History returns the keys of the rules that depend on earlier positions, sorted. Values of positions do without them.
func (g *core) History() []string { return slices.Sorted(maps.Keys(g.rules.history)) }
