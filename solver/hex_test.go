package solver_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
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

// hexNode is a node of a proof: its winner, and its rank.
type hexNode struct {
	at     games.Placement
	winner int
	rank   uint64
}

// hexValues proves a position and returns what the proof says, and its nodes.
func hexValues(t *testing.T, g *hex.Game, from hex.Position) (*proof.Values[hex.Position], []hexNode) {
	t.Helper()
	s, err := solver.New(g, nil, from, solver.Config{Memory: 256 << 20})
	require.NoError(t, err)
	_, err = s.Solve(t.Context())
	require.NoError(t, err)
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, s.Header())
	require.NoError(t, err)
	require.NoError(t, s.WriteProof(t.Context(), w))
	require.NoError(t, w.Close())
	var nodes []hexNode
	v := proof.NewValues(g)
	require.NoError(t, v.Add(func(node func(proof.Claim, *proof.Node)) error {
		r, err := proof.NewReader(bytes.NewReader(file.Bytes()))
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, g, proof.CheckOptions{Node: func(c proof.Claim, n *proof.Node) {
			p, err := g.ParsePosition(string(n.Position))
			require.NoError(t, err)
			x := hexNode{g.Placement(p), g.Placement(p).ToMove, n.Rank}
			if n.Kind != proof.Or {
				x.winner = 1 - x.winner
			}
			nodes = append(nodes, x)
			node(c, n)
		}})
		return err
	}))
	return v, nodes
}

// TestHexValues compares what proofs say of positions with brute force, and with a look at all their nodes: a proof tells the
// value of the positions that are no worse than one of its nodes, or are so when the board is turned, and of no others.
func TestHexValues(t *testing.T) {
	for _, c := range []struct {
		size   string
		n      int
		roots  int
		random int // positions; all if it is 0
	}{{"3x3", 3, 4, 0}, {"4x4", 4, 2, 2000}} {
		if testing.Short() {
			c.roots, c.random = 1, c.random/10
		}
		g, err := hex.Family.Open("hex:size=" + c.size)
		require.NoError(t, err)
		brute, rng := newBruteHex(c.n), rand.New(rand.NewPCG(1, uint64(c.n)))
		told, worse := 0, 0
		// place returns the position of a board, if it can occur, with who wins.
		place := func(board []int, mover int) (p hex.Position, winner int, ok bool) {
			at, code, power := games.Placement{ToMove: mover}, 0, 1
			for square, side := range board {
				if side > 0 {
					at.Stones[side-1] = at.Stones[side-1].With(square)
				}
				code += side * power
				power *= 3
			}
			copy(brute.board, board)
			if brute.connected(1) || brute.connected(2) {
				return p, 0, false
			}
			winner = 1 - mover
			if brute.wins(1+mover, code) {
				winner = mover
			}
			return g.Place(at), winner, true
		}
		check := func(v *proof.Values[hex.Position], nodes []hexNode, board []int, mover int) {
			p, winner, ok := place(board, mover)
			if !ok {
				return
			}
			least := uint64(0)
			for _, at := range g.Images(g.Placement(p)) {
				for _, x := range nodes {
					if at.NoWorse(&x.at, x.winner) && (least == 0 || x.rank < least) {
						least = x.rank
					}
				}
			}
			b, rank := v.Bounds(p)
			text := string(g.AppendPosition(nil, p))
			require.Equal(t, least, rank, text)
			if least == 0 {
				require.Equal(t, games.Unbounded, b, text)
				worse++
				return
			}
			result := games.Lost
			if winner == mover {
				result = games.Won
			}
			require.Equal(t, games.BoundsOf(result.Value()), b, text)
			told++
		}
		for root := range c.roots {
			from := g.Start()
			if root > 0 {
				from = g.Play(from, hex.Move(root-1))
			}
			v, nodes := hexValues(t, g, from)
			b, _ := v.Bounds(from)
			require.NotEqual(t, games.Unbounded, b, "%s root %d", c.size, root)
			board := make([]int, c.n*c.n)
			if c.random == 0 {
				for code := range len(brute.known[0]) {
					for square := range board {
						board[square], code = code%3, code/3
					}
					check(v, nodes, board, 0)
					check(v, nodes, board, 1)
				}
			}
			for range c.random { // a node with some squares changed, so that it is no worse or just worse
				x := nodes[rng.IntN(len(nodes))]
				for square := range board {
					board[square] = 0
					for side := range x.at.Stones {
						if x.at.Stones[side].Has(square) && (side == x.winner || rng.IntN(3) > 0) {
							board[square] = 1 + side
						}
					}
				}
				for range rng.IntN(3) {
					board[rng.IntN(len(board))] = rng.IntN(3)
				}
				check(v, nodes, board, x.at.ToMove)
			}
		}
		t.Logf("%s: told %d, not told %d", c.size, told, worse)
		require.Positive(t, told)
		require.Positive(t, worse)
	}
}
