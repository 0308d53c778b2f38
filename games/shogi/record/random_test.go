package record

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/yomikiri/yomikiri/games/shogi"
)

func sizes(short, long int) int {
	if testing.Short() {
		return short
	}
	return long
}

// randomPosition returns a legal position with some pieces on random squares, some
// in the hands, and either both kings or one.
func randomPosition(rng *rand.Rand) shogi.Position {
	for {
		s := setup{turn: shogi.Color(rng.IntN(2))}
		put := func(piece shogi.Piece) {
			if at := rng.IntN(81); s.board[at] == shogi.NoPiece {
				s.board[at] = piece
			}
		}
		only := rng.IntN(4)
		for c := shogi.Black; c <= shogi.White; c++ {
			if only >= 2 || only == int(c) {
				put(shogi.PieceOf(c, shogi.King))
			}
		}
		var used [shogi.King]int
		inHand := rng.IntN(20)
		for range rng.IntN(30) + inHand {
			k := shogi.Kind(1 + rng.IntN(int(shogi.Gold)))
			if used[k] == k.InSet() {
				continue
			}
			used[k]++
			c := shogi.Color(rng.IntN(2))
			if inHand > 0 {
				inHand--
				s.hands[c] = s.hands[c].With(k)
				continue
			}
			if k.CanPromote() && rng.IntN(3) == 0 {
				k += shogi.Promoted
			}
			put(shogi.PieceOf(c, k))
		}
		if p, err := s.position(); err == nil {
			return p
		}
	}
}

// randomRecord returns a record of random moves.
func randomRecord(rng *rand.Rand, plies int) Record {
	r := Record{Start: shogi.Start()}
	if rng.IntN(3) > 0 {
		r.Start = randomPosition(rng)
	}
	b := shogi.NewBoard(r.Start)
	for range plies {
		moves := b.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		r.Moves = append(r.Moves, moves[rng.IntN(len(moves))])
		b.Do(r.Moves[len(r.Moves)-1])
	}
	return r
}

// walk calls f with boards of random games, from the start position and from random
// ones.
func walk(rng *rand.Rand, games, plies int, f func(b *shogi.Board)) {
	for i := range games {
		p := shogi.Start()
		if i%3 != 0 {
			p = randomPosition(rng)
		}
		b := shogi.NewBoard(p)
		for range plies {
			f(b)
			moves := b.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			// Captures are rare among random moves.
			captures := slices.DeleteFunc(slices.Clone(moves), func(m shogi.Move) bool {
				return m.IsDrop() || b.At(m.To()) == shogi.NoPiece
			})
			if len(captures) > 0 && rng.IntN(2) == 0 {
				moves = captures
			}
			b.Do(moves[rng.IntN(len(moves))])
		}
	}
}
