package record

import (
	"math/rand/v2"
	"slices"
	"strings"
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
		if p, _, err := s.position(shogi.GivenHands); err == nil {
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
	_, r.Hands = shogi.GivenHands.Read(r.Start, shogi.Written{})
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

// annotate gives a record of random moves random headers, comments and variations.
func annotate(rng *rand.Rand, r *Record) {
	texts := []string{"", "余詰", "a\n\nb", "&mark", "*対局 評価値 12", " 1 ７六歩(77)", "作者：誰か", "変化：3手"}
	comment := func(moves []shogi.Move) (list [][]string) {
		for i := range len(moves) + 1 {
			if rng.IntN(3) == 0 {
				for text := range strings.SplitSeq(texts[rng.IntN(len(texts))], "\n") {
					list = addComment(list, i, text)
				}
			}
		}
		return list
	}
	r.Comments = comment(r.Moves)
	for _, tag := range []Tag{{"作品名", "題"}, {"作者", ""}, {"備考", "a：b:c"}, {"備考", "d"}, {"Event", "x"}} {
		if rng.IntN(2) == 0 {
			r.Tags = append(r.Tags, tag)
		}
	}
	lines := [][]shogi.Move{r.Moves} // with the moves before them
	for range rng.IntN(5) {
		v := Variation{Leaves: rng.IntN(len(lines))}
		line, first := lines[v.Leaves], 0
		if v.Leaves > 0 {
			first = r.Variations[v.Leaves-1].Ply + 1
		}
		v.Ply = first + rng.IntN(len(line)-first+1)
		b := shogi.NewBoard(r.Start)
		for _, m := range line[:v.Ply] {
			b.Do(m)
		}
		for range 1 + rng.IntN(40) {
			if moves := b.AppendMoves(nil); len(moves) > 0 {
				v.Moves = append(v.Moves, moves[rng.IntN(len(moves))])
				b.Do(v.Moves[len(v.Moves)-1])
			}
		}
		if len(v.Moves) > 0 {
			v.Comments = comment(v.Moves)
			r.Variations = append(r.Variations, v)
			lines = append(lines, slices.Concat(line[:v.Ply], v.Moves))
		}
	}
	r.Variations = ordered(r.Variations)
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
