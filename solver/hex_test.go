package solver_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/proof"
	secondrules "github.com/yomikiri/yomikiri/proof/rules"
	"github.com/yomikiri/yomikiri/solver"
)

// bruteHex solves Hex by trying all moves on a list of squares, with a table of all boards.
type bruteHex struct {
	n     int
	board []int     // 0 for an empty square, 1 for x, 2 for o
	known [2][]int8 // by side to move, and the board as a number in base 3: 1 if it wins, -1 if it loses
}

func newBruteHex(n int) *bruteHex {
	boards := 1
	for range n * n {
		boards *= 3
	}
	return &bruteHex{n, make([]int, n*n), [2][]int8{make([]int8, boards), make([]int8, boards)}}
}

// wins reports whether the side to move wins: 1 is x. code is the board as a number.
func (b *bruteHex) wins(side, code int) bool {
	if v := b.known[side-1][code]; v != 0 {
		return v > 0
	}
	won, power := false, 1
	if !b.connected(3 - side) {
		for square := range b.board {
			if b.board[square] == 0 {
				b.board[square] = side
				won = !b.wins(3-side, code+side*power)
				b.board[square] = 0
				if won {
					break
				}
			}
			power *= 3
		}
	}
	b.known[side-1][code] = -1
	if won {
		b.known[side-1][code] = 1
	}
	return won
}

// connected reports whether a side has a chain between its edges.
func (b *bruteHex) connected(side int) bool {
	reached, queue := make([]bool, len(b.board)), []int{}
	reach := func(row, column int) {
		if row < 0 || row >= b.n || column < 0 || column >= b.n {
			return
		}
		if square := row*b.n + column; !reached[square] && b.board[square] == side {
			reached[square] = true
			queue = append(queue, square)
		}
	}
	for i := range b.n {
		if side == 1 {
			reach(0, i)
		} else {
			reach(i, 0)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		row, column := queue[0]/b.n, queue[0]%b.n
		if side == 1 && row == b.n-1 || side == 2 && column == b.n-1 {
			return true
		}
		for _, step := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, 1}, {1, -1}} {
			reach(row+step[0], column+step[1])
		}
	}
	return false
}

// TestHexOpenings proves the winner after each first move on 3×3 and 4×4, has the proof checked by
// the second rules, and compares the winner with brute force.
func TestHexOpenings(t *testing.T) {
	for size, n := range map[string]int{"3x3": 3, "4x4": 4} {
		if n > 3 && testing.Short() {
			continue
		}
		g, err := hex.Family.Open("hex:size=" + size)
		require.NoError(t, err)
		rules, err := secondrules.Open(g.Name(), string(g.AppendPosition(nil, g.Start())))
		require.NoError(t, err)
		brute := newBruteHex(n)
		won, power := 0, 1
		winners := make([]bool, n*n)
		for _, m := range g.AppendMoves(nil, g.Start()) {
			brute.board[m] = 1
			lost := brute.wins(2, power)
			brute.board[m] = 0
			power *= 3
			if !lost {
				won++
			}
			winners[m] = !lost
			if image := n*n - 1 - int(m); image < int(m) { // on the board turned by half a turn
				require.Equal(t, winners[image], winners[m])
				continue
			}
			s, err := solver.New(g, nil, g.Play(g.Start(), m), solver.Config{Memory: 256 << 20})
			require.NoError(t, err)
			r, err := s.Solve(t.Context())
			require.NoError(t, err)
			require.True(t, r.Known)
			want := "loss" // for o, who is to move
			if lost {
				want = "win"
			}
			name := string(g.AppendMove(nil, g.Start(), m))
			require.Equal(t, want, r.Value.String(), "%s %s", size, name)
			var file bytes.Buffer
			w, err := proof.NewWriter(&file, s.Header())
			require.NoError(t, err)
			require.NoError(t, s.WriteProof(t.Context(), w))
			require.NoError(t, w.Close())
			reader, err := proof.NewReader(&file)
			require.NoError(t, err)
			_, err = proof.Check(t.Context(), reader, rules, proof.CheckOptions{})
			require.NoError(t, err, "%s %s", size, name)
		}
		t.Logf("%s: %d of %d first moves win", size, won, n*n)
		require.Positive(t, won, "the first player wins (Nash)")
		require.Less(t, won, n*n)
	}
}
