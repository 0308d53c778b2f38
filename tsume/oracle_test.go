package tsume_test

import (
	"math/rand/v2"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// never is the length of no mate.
const never = 1 << 30

// exhaust returns the length of the shortest mate of a position by plain
// search of everything that can be reached by checks and replies, knowing nothing
// but legal moves, and false if that is more than most positions.
func exhaust(p shogi.Position, most int) (int, bool) {
	attacker := p.Turn()
	list := []shogi.Position{p}
	var next [][]int
	b := shogi.NewBoard(p)
	type name struct {
		key   uint64
		hands [2]shogi.Hand
	}
	nameOf := func() name { return name{b.Key(), [2]shogi.Hand{b.Hand(shogi.Black), b.Hand(shogi.White)}} }
	number := map[name]int{nameOf(): 0}
	for i := 0; i < len(list); i++ {
		b.Set(list[i])
		var children []int
		for _, m := range b.AppendMoves(nil) {
			b.Do(m)
			if b.Turn() == attacker || b.InCheck() {
				n, known := number[nameOf()]
				if !known {
					n = len(list)
					number[nameOf()] = n
					list = append(list, b.Position())
				}
				children = append(children, n)
			}
			b.Undo()
		}
		next = append(next, children)
		if len(list) > most {
			return 0, false
		}
	}
	length := make([]int, len(list))
	for i := range length {
		length[i] = never
	}
	for changed := true; changed; {
		changed = false
		for i := len(list) - 1; i >= 0; i-- {
			best := 0
			if list[i].Turn() == attacker {
				best = never
			}
			for _, n := range next[i] {
				if list[i].Turn() == attacker {
					best = min(best, length[n]+1)
				} else {
					best = max(best, length[n]+1)
				}
			}
			if best < length[i] {
				length[i], changed = best, true
			}
		}
	}
	return length[0], true
}

// randomProblem returns a position of few pieces, black to move, with white's king
// near the edge.
func randomProblem(rng *rand.Rand) (shogi.Position, bool) {
	kinds := []shogi.Kind{shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Gold, shogi.Bishop, shogi.Rook}
	var board [81]shogi.Piece
	king := shogi.SquareAt(1+rng.IntN(9), 1+rng.IntN(2))
	board[king] = shogi.PieceOf(shogi.White, shogi.King)
	if rng.IntN(4) == 0 {
		board[shogi.SquareAt(1+rng.IntN(9), 7+rng.IntN(3))] = shogi.PieceOf(shogi.Black, shogi.King)
	}
	for n := 3 + rng.IntN(5); n > 0; n-- {
		s := shogi.SquareAt(min(9, max(1, king.File()+rng.IntN(5)-2)), 1+rng.IntN(4))
		far := rng.IntN(4) == 0
		if far {
			s = shogi.SquareAt(1+rng.IntN(9), 1+rng.IntN(9))
		}
		if board[s] != shogi.NoPiece {
			continue
		}
		k := kinds[rng.IntN(len(kinds))]
		if far {
			k = []shogi.Kind{shogi.Lance, shogi.Bishop, shogi.Rook}[rng.IntN(3)]
		}
		if k.CanPromote() && rng.IntN(3) == 0 {
			k += shogi.Promoted
		}
		board[s] = shogi.PieceOf(shogi.Color(rng.IntN(3)/2), k)
	}
	var hands [2]shogi.Hand
	for c := range hands {
		for n := rng.IntN(3 - c); n >= 0; n-- {
			k := kinds[rng.IntN(len(kinds))]
			if hands[c].Count(k) < 2 && (c == 0 || rng.IntN(2) == 0) {
				hands[c] = hands[c].With(k)
			}
		}
	}
	p, err := shogi.NewPosition(board, hands, shogi.Black)
	return p, err == nil
}
