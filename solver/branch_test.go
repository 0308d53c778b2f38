package solver

import (
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

// GomokuBrancher is that of package threat, which the tests of this package cannot
// import.
var GomokuBrancher func(g *gomoku.Game) Brancher[gomoku.Position, gomoku.Square]

// branchers returns what makes branchers for a game of the tests: the game itself,
// package threat, or nil.
func branchers[P, M comparable](g games.Game[P, M]) func() Brancher[P, M] {
	switch g := any(g).(type) {
	case interface{ NewBrancher() Brancher[P, M] }:
		return g.NewBrancher
	case *gomoku.Game:
		return func() Brancher[P, M] { return any(GomokuBrancher(g)).(Brancher[P, M]) }
	}
	return nil
}

// newBrancher returns a brancher for a game of the tests.
func newBrancher[P, M comparable](g games.Game[P, M]) Brancher[P, M] {
	if b := branchers(g); b != nil {
		return b()
	}
	return &allMoves[P, M]{game: g}
}
