//go:build !race

package tsume_test

import (
	"math/rand/v2"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// symmetricProblem returns a position that is its own mirror image, black to move: white's king on the middle
// file behind pawns and lances.
func symmetricProblem(rng *rand.Rand) (shogi.Position, bool) {
	var board [81]shogi.Piece
	put := func(away, rank int, p shogi.Piece) {
		left, right := shogi.SquareAt(5+away, rank), shogi.SquareAt(5-away, rank)
		if board[left] != shogi.NoPiece {
			return
		}
		if k := p.Kind(); k.CanPromote() && rng.IntN(3) == 0 {
			p += shogi.Piece(shogi.Promoted)
		}
		board[left], board[right] = p, p
	}
	width, ranks := 1+rng.IntN(2), 1+rng.IntN(2)
	board[shogi.SquareAt(5, 1+rng.IntN(ranks))] = shogi.PieceOf(shogi.White, shogi.King)
	for rank := 1; rank <= ranks; rank++ {
		if rng.IntN(8) > 0 {
			put(width+1, rank, shogi.PieceOf(shogi.White, shogi.Gold))
		}
	}
	for away := 0; away <= width; away++ {
		if rng.IntN(4) > 0 {
			put(away, ranks+1, shogi.PieceOf(shogi.White, shogi.Pawn))
		}
	}
	for range 1 + rng.IntN(3) {
		put(rng.IntN(width+2), 1+rng.IntN(ranks+3), shogi.PieceOf(shogi.Black, handKinds[rng.IntN(len(handKinds))]))
	}
	if rng.IntN(2) == 0 {
		put(rng.IntN(width+1), 1+rng.IntN(ranks+1), shogi.PieceOf(shogi.White, handKinds[rng.IntN(len(handKinds))]))
	}
	var hands [2]shogi.Hand
	for range rng.IntN(4) {
		hands[0] = hands[0].With(handKinds[rng.IntN(len(handKinds))])
	}
	for range rng.IntN(2) {
		hands[1] = hands[1].With(handKinds[rng.IntN(len(handKinds))])
	}
	p, err := shogi.NewPosition(board, hands, shogi.Black)
	return p, err == nil
}
