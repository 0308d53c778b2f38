package shogi

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// problems are some of Shogi Zuko (Itō Kanju, 1755).
var problems = []string{
	"1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1",
	"1gn2+r1n1/1s1knPg2/+R1L1s1+BS1/1s1+B1N3/4P+pP2/9/9/9/9 b P2g3l13p 1",
	"1R7/9/g1+P6/+P2s5/1+bk+pg4/GN1Rl4/Pn+p6/3S5/9 b B2N3Pg2s3l10p 1",
	"n8/2+P6/4l4/l8/1n2+B+p3/1+lPs5/3k+bp3/2p1p+R2+r/2+pP5 b 4G2Ss2nl10p 1",
	"k1+P4n1/2L+P2sL1/r4+P+P1P/+BpP+Pl1+Rg1/NP1S+PP+p1g/2L+p1g+P1+P/Ps1G1+P1N1/1sN1P4/B8 b - 1",
	"9/9/3B3G1/6+p1n/7+p1/7k1/5BL1p/7G1/7+R+r b N2P2g4s2n3l13p 1",
}

// problemBoards returns boards of the problems after random checks and replies,
// with the attacker or the defender to move.
func problemBoards(t testing.TB, n int, defender bool) []*Board {
	rng := rand.New(rand.NewPCG(5, 5))
	var boards []*Board
	for len(boards) < n {
		p, err := ParseSFEN(problems[rng.IntN(len(problems))])
		require.NoError(t, err)
		b := NewBoard(p)
		for range 2*rng.IntN(6) + 1 {
			var moves []Move
			if b.InCheck() {
				moves = b.AppendEvasions(nil)
			} else {
				moves = b.AppendChecks(nil)
			}
			if len(moves) == 0 {
				break
			}
			b.Do(moves[rng.IntN(len(moves))])
		}
		if b.InCheck() != defender && b.Ply() > 0 {
			b.Undo()
		}
		if b.InCheck() == defender {
			boards = append(boards, NewBoard(b.Position()))
		}
	}
	return boards
}

// BenchmarkProblems measures what a search of mates does at its nodes.
func BenchmarkProblems(b *testing.B) {
	attacker, defender := problemBoards(b, 1000, false), problemBoards(b, 1000, true)
	var list [MaxMoves]Move
	run := func(name string, boards []*Board, f func(*Board) int) {
		b.Run(name, func(b *testing.B) {
			n, calls := 0, 0
			for b.Loop() {
				board := boards[calls%len(boards)]
				n += f(board)
				calls++
			}
			b.ReportMetric(float64(n)/float64(calls), "found/op")
		})
	}
	run("checks", attacker, func(b *Board) int { return len(b.AppendChecks(list[:0])) })
	run("evasions", defender, func(b *Board) int { return len(b.AppendEvasions(list[:0])) })
	run("mate1", attacker, func(b *Board) int {
		if _, ok := b.MateInOne(); ok {
			return 1
		}
		return 0
	})
	run("do-undo", attacker, func(b *Board) int {
		moves := b.AppendChecks(list[:0])
		for _, m := range moves {
			b.Do(m)
			b.Undo()
		}
		return len(moves)
	})
	run("after", attacker, func(b *Board) int {
		moves := b.AppendChecks(list[:0])
		x := uint64(0)
		for _, m := range moves {
			key, hand := b.After(m)
			x ^= key ^ uint64(hand)
		}
		list[0] = Move(x)
		return len(moves)
	})
}
