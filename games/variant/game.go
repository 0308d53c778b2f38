package variant

import (
	"cmp"
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

// LeftOut implements [games.Forgetful]. Keys that are not given have the values of chess.
func (g *core) LeftOut() (list []string) {
	r := g.rules
	of := func(name, usual string) string { return cmp.Or(r.history[name], usual) }
	if moves := of("nMoveRule", "50"); moves != "0" && slices.ContainsFunc(r.slots(), func(s slot) bool { return s != immobile }) {
		list = append(list, "nMoveRule = "+moves)
	}
	// A repetition that is a draw is what play without end is.
	if fold, value := of("nFoldRule", "3"), of("nFoldValue", "draw"); fold != "0" && value != "draw" {
		list = append(list, "nFoldRule = "+fold, "nFoldValue = "+value)
	}
	for _, name := range []string{"perpetualCheckIllegal", "moveRepetitionIllegal", "chasingRule", "countingRule"} {
		if value := of(name, "none"); value != "none" && value != "false" {
			list = append(list, name+" = "+value)
		}
	}
	return list
}
