package shogi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomPosition returns a legal position with some pieces placed at random, some
// in the hands, and either both kings or one.
func randomPosition(rng *rand.Rand) Position {
	for {
		var p Position
		p.turn = Color(rng.IntN(2))
		rest := fullHand
		put := func(piece Piece) {
			for range 100 {
				s := Square(rng.IntN(squares))
				if p.board[s] == NoPiece {
					p.board[s] = piece
					return
				}
			}
		}
		switch rng.IntN(4) {
		case 0:
			put(PieceOf(Black, King))
		case 1:
			put(PieceOf(White, King))
		default:
			put(PieceOf(Black, King))
			put(PieceOf(White, King))
		}
		onBoard, inHand := rng.IntN(30), rng.IntN(20)
		for range onBoard + inHand {
			k := Kind(1 + rng.IntN(int(Gold)))
			if !rest.Has(k) {
				continue
			}
			rest = rest.Without(k)
			c := Color(rng.IntN(2))
			if inHand > 0 {
				inHand--
				p.hands[c] = p.hands[c].With(k)
				continue
			}
			if k.CanPromote() && rng.IntN(3) == 0 {
				k += Promoted
			}
			put(PieceOf(c, k))
		}
		if p.check() == nil {
			return p
		}
	}
}

// walk calls f with boards of random games from the start position and from
// random positions.
func walk(rng *rand.Rand, games, plies int, f func(b *Board)) {
	for i := range games {
		p := Start()
		if i%3 != 0 {
			p = randomPosition(rng)
		}
		b := NewBoard(p)
		for range plies {
			f(b)
			moves := b.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			// Checks and captures are rare among random moves, so prefer them.
			if checks := b.AppendChecks(nil); len(checks) > 0 && rng.IntN(2) == 0 {
				moves = checks
			} else if captures := slices.DeleteFunc(slices.Clone(moves), func(m Move) bool {
				return m.IsDrop() || b.At(m.To()) == NoPiece
			}); len(captures) > 0 && rng.IntN(3) == 0 {
				moves = captures
			}
			b.Do(moves[rng.IntN(len(moves))])
		}
	}
}

func sizes(short, long int) int {
	if testing.Short() {
		return short
	}
	return long
}

func names(moves []Move) []string {
	list := make([]string, 0, len(moves))
	for _, m := range moves {
		list = append(list, m.String())
	}
	slices.Sort(list)
	return list
}

// TestAgainstReference compares moves, checks, evasions and mates with those of
// the slow model.
func TestAgainstReference(t *testing.T) {
	var mates, pawnMates, inCheck, discovered int
	walk(rand.New(rand.NewPCG(1, 1)), sizes(40, 200), 25, func(b *Board) {
		p := b.Position()
		sfen := p.SFEN()
		model := newMailbox(sfen)
		next := model.successors(true)
		var moves, checks, mating []string
		for name, after := range next {
			moves = append(moves, name)
			if after.inCheck(after.white) {
				checks = append(checks, name)
				if len(after.successors(true)) == 0 {
					mating = append(mating, name)
				}
			}
		}
		slices.Sort(moves)
		slices.Sort(checks)
		got := b.AppendMoves(nil)
		require.ElementsMatch(t, moves, names(got), sfen)
		require.Equal(t, len(moves) > 0, b.hasMoves(), sfen)
		require.Equal(t, model.inCheck(model.white), b.InCheck(), sfen)
		require.Equal(t, b.InCheck() && len(moves) == 0, b.Mated(), sfen)
		if b.InCheck() {
			inCheck++
			require.ElementsMatch(t, moves, names(b.AppendEvasions(nil)), sfen)
		}
		require.ElementsMatch(t, checks, names(b.AppendChecks(nil)), sfen)
		for _, m := range got {
			require.Equal(t, slices.Contains(checks, m.String()), b.GivesCheck(m), "%v in %s", m, sfen)
			if !m.IsDrop() && b.GivesCheck(m) {
				discovered++
			}
		}
		m, ok := b.MateInOne()
		require.Equal(t, len(mating) > 0, ok, "mate in one of %s: %v", sfen, mating)
		if ok {
			mates++
			require.Contains(t, mating, m.String(), sfen)
		}
		if len(model.successors(false)) != len(next) {
			pawnMates++
		}
		require.Equal(t, p, b.Position(), sfen)
	})
	t.Logf("%d with a mate in one, %d with a pawn drop that would mate, %d in check, %d checks by moves", mates, pawnMates, inCheck, discovered)
	require.Greater(t, mates, sizes(5, 30))
	require.Greater(t, inCheck, sizes(50, 300))
	require.Positive(t, discovered)
}

// TestDoUndo compares the board kept by Do and Undo with a fresh one.
func TestDoUndo(t *testing.T) {
	walk(rand.New(rand.NewPCG(2, 2)), sizes(25, 150), 60, func(b *Board) {
		before := snapshot(b)
		p := b.Position()
		for _, m := range b.AppendMoves(nil) {
			key, hand := b.After(m)
			us := b.Turn()
			b.Do(m)
			fresh := NewBoard(b.Position())
			require.Equal(t, snapshot(fresh), snapshot(b), "%v in %s", m, p)
			require.Equal(t, b.Key(), key, "key after %v in %s", m, p)
			require.Equal(t, b.Hand(us), hand, "hand after %v in %s", m, p)
			require.Equal(t, m, b.LastMove())
			b.Undo()
			require.Equal(t, before, snapshot(b), "%v done and undone in %s", m, p)
		}
		again, err := ParseSFEN(p.SFEN())
		require.NoError(t, err)
		require.Equal(t, p, again)
	})
}

// snapshot is a board without the moves done.
func snapshot(b *Board) Board {
	s := *b
	s.history = nil
	return s
}
