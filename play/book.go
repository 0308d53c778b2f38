package play

import (
	"math/rand/v2"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// Book has moves for openings. Package book has what implements it.
type Book[P, M comparable] interface {
	// Moves returns the moves to choose among in a position, none if the book does not have it.
	Moves(p P) []BookMove[M]
}

// BookMove is a move that a [Book] has.
type BookMove[M comparable] struct {
	Move M
	// Weight says how often the move is chosen: its share of all weights.
	Weight float64
	// Score is how good the move is for the side that makes it, if Judged is true.
	Score  Score
	Judged bool
}

// bookMoves returns the legal moves among which a query allows to choose by its book.
func (s *Searcher[P, M]) bookMoves(q *Query[P, M], p P) []BookMove[M] {
	if q.Book == nil {
		return nil
	}
	list := q.Book.Moves(p)
	if len(list) == 0 {
		return nil
	}
	legal := s.game.AppendMoves(nil, p)
	return slices.DeleteFunc(slices.Clone(list), func(m BookMove[M]) bool {
		return !(m.Weight > 0) || !slices.Contains(legal, m.Move) || len(q.Only) > 0 && !slices.Contains(q.Only, m.Move)
	})
}

// byBook returns one of the moves of a book, nil if none is left that is not proven to lose, or if the value of the
// position is known.
func (s *Searcher[P, M]) byBook(list []BookMove[M], a games.Advice[M], seed uint64) *BookMove[M] {
	if len(list) == 0 || a.Decided(games.OrderOf(s.game)) {
		return nil
	}
	if len(a.Left) > 0 {
		list = slices.DeleteFunc(list, func(m BookMove[M]) bool { return !slices.Contains(a.Left, m.Move) })
	}
	all := 0.0
	for _, m := range list {
		all += m.Weight
	}
	// A stream of its own, so that the search's choices do not depend on whether there is a book.
	at := all * rand.New(rand.NewPCG(seed, bookStream)).Float64()
	for i, m := range list {
		if at -= m.Weight; at < 0 || i == len(list)-1 {
			return &m
		}
	}
	return nil
}

// bookStream is that of the random numbers by which moves of a book are chosen.
const bookStream = 0xb00c
