//go:build !race

package proof_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

// searched returns files with nodes that are left to a search, of up to most positions.
func searched(t *testing.T, most uint64) map[string]file {
	c, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	return map[string]file{
		"draw":     proveSearched(t, tictactoe.Game{}, emptyTicTacToe, most, otherHolds, moverHolds),
		"win":      proveSearched(t, plain(t, "gomoku:size=3x4,k=3"), "4/4/4 x", most, moverWins),
		"exact":    proveSearched(t, plain(t, "gomoku:size=3x4,k=3,rule=exact"), "4/1x2/4 o", most, otherWins),
		"connect4": proveSearched(t, games.Game[connect4.Position, connect4.Move](c), "..../..../..../xo..", most, moverHolds),
	}
}

// TestSearched has proofs accepted that leave more and more to the checkers, up to all of it.
func TestSearched(t *testing.T) {
	for name, whole := range searched(t, 0) {
		last := whole.claims[0].nodes
		for _, most := range []uint64{1, 5, 30, 200, 2000, 1 << 30} {
			f := searched(t, most)[name]
			data, err := f.bytes()
			require.NoError(t, err)
			report, err := checkBytes(data)
			require.NoError(t, err, "%s, %d", name, most)
			require.LessOrEqual(t, len(f.claims[0].nodes), len(last))
			last = f.claims[0].nodes
			require.Equal(t, f.header.Positions > 0, report.Searched > 0)
			if most > 5 {
				require.Positive(t, report.Searched, name)
			}
		}
		require.Len(t, last, 1, name)
	}
}

// TestSearcher compares searches with plain ones that remember nothing else.
func TestSearcher(t *testing.T) {
	for name, f := range searched(t, 100) {
		for i, c := range f.claims {
			for _, n := range c.nodes {
				if n.Positions == 0 {
					continue
				}
				holds, positions, err := search(t, f, f.header.Claims[i], n, n.Positions)
				require.NoError(t, err)
				require.True(t, holds)
				require.Equal(t, n.Positions, positions, name)
				_, _, err = search(t, f, f.header.Claims[i], n, n.Positions-1)
				require.ErrorIs(t, err, proof.ErrUnsettled)
			}
		}
	}
}

func search(t *testing.T, f file, claim proof.Claim, n proof.Node, most uint64) (bool, uint64, error) {
	toMove := n.Kind == proof.Searched
	switch f.header.Game {
	case "tictactoe":
		return searchIn(t, tictactoe.Game{}, claim, n, toMove, most)
	case "connect4:size=4x4":
		g, err := connect4.Family.Open(f.header.Game)
		require.NoError(t, err)
		return searchIn(t, games.Game[connect4.Position, connect4.Move](g), claim, n, toMove, most)
	}
	return searchIn(t, plain(t, f.header.Game), claim, n, toMove, most)
}

func searchIn[P, M comparable](t *testing.T, g games.Game[P, M], claim proof.Claim, n proof.Node, toMove bool, most uint64) (bool, uint64, error) {
	p, err := g.ParsePosition(string(n.Position))
	require.NoError(t, err)
	return proof.NewSearcher(g, claim).Search(p, toMove, most)
}

// TestSearchedMutants makes each node that is left to a search wrong.
func TestSearchedMutants(t *testing.T) {
	mutants := 0
	for name, original := range searched(t, 60) {
		for ci, c := range original.claims {
			for i, n := range c.nodes {
				if n.Positions == 0 {
					continue
				}
				try := func(want error, text string, change func(f *file, n *proof.Node)) {
					f := original.clone()
					change(&f, &f.claims[ci].nodes[i])
					requireRefused(t, f, want, text, name)
					mutants++
				}
				if n.Positions > 1 {
					try(proof.ErrRefused, "the search does not settle it with", func(f *file, n *proof.Node) {
						n.Positions--
						f.header.Positions--
					})
				}
				try(proof.ErrRefused, "", func(_ *file, n *proof.Node) { // the other side's turn
					n.Kind = proof.Searched + proof.SearchedReply - n.Kind
				})
				// The position of another node, which no reference expects here.
				for j, other := range c.nodes {
					if j%7 == i%7 && other.Kind == n.Kind && !bytes.Equal(other.Position, n.Position) {
						try(proof.ErrRefused, "", func(_ *file, n *proof.Node) { n.Position = other.Position })
						break
					}
				}
				try(proof.ErrRefused, "", func(f *file, n *proof.Node) {
					f.header.Positions -= n.Positions
					n.Kind, n.Positions, n.Certificate = n.Kind-6, 0, []byte("sure")
				})
			}
		}
	}
	require.Greater(t, mutants, 300)
}

// TestFalseSearched has searches that find a claim false.
func TestFalseSearched(t *testing.T) {
	for _, claim := range []proof.Claim{moverWins, otherWins} {
		f := file{proof.Header{Game: "tictactoe", Root: emptyTicTacToe, Claims: []proof.Claim{claim}, Positions: 1 << 20},
			[]claimProof{{[]proof.Node{{Kind: proof.Searched, Uses: 1, Rank: 1, Position: []byte(emptyTicTacToe), Positions: 1 << 20}}, 1}}}
		if claim.Side == proof.Other {
			f.claims[0].nodes[0].Kind = proof.SearchedReply
		}
		requireRefused(t, f, proof.ErrRefused, "the search finds that the claim does not hold")
	}
}

// TestSearchedForm has numbers of positions that do not fit each other, and nodes in files without.
func TestSearchedForm(t *testing.T) {
	f := searched(t, 60)["draw"]
	data, err := f.bytes()
	require.NoError(t, err)
	forge := func(change func(h *proof.Header)) error {
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		var nodes []byte
		for _, c := range f.claims {
			for i := range c.nodes {
				nodes = proof.AppendNode(nodes, &c.nodes[i], uint64(i+1))
			}
			nodes = append(nodes, 5, byte(uint64(len(c.nodes))+1-c.root))
		}
		h := r.Header()
		change(&h)
		_, err = checkBytes(proof.WrapNodes(h, nodes))
		return err
	}
	require.NoError(t, forge(func(*proof.Header) {}))
	require.ErrorContains(t, forge(func(h *proof.Header) { h.Positions++ }), "positions are to be searched, but there were")
	require.ErrorContains(t, forge(func(h *proof.Header) { h.Positions-- }), "up to here there are more positions to search than")
	require.ErrorContains(t, forge(func(h *proof.Header) { h.Positions = 0 }), "there is none in a file without positions to search")

	for text, change := range map[string]func(f *file){
		"the header leaves":                  func(f *file) { f.header.Positions-- },
		"positions are to be searched, but":  func(f *file) { f.header.Positions++ },
		"cannot rest on a database, or on p": func(f *file) { f.header.Repeats = true },
	} {
		f := f.clone()
		change(&f)
		_, err := f.bytes()
		require.ErrorContains(t, err, text)
	}

	// Nothing is searched in a file that asks for too much.
	for most, want := range map[uint64]error{f.header.Positions: nil, f.header.Positions - 1: proof.ErrLimit} {
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, tictactoe.Game{}, proof.CheckOptions{Positions: most})
		require.ErrorIs(t, err, want)
	}
	i := slices.IndexFunc(f.claims[0].nodes, func(n proof.Node) bool { return n.Positions > 0 })
	require.Equal(t, uint64(1), f.claims[0].nodes[i].Rank)
}

// circle is a game on the squares 0 to 2 that never ends.
type circle struct{ tictactoe.Game }

func (circle) Outcome(tictactoe.Position) (games.Value, bool) { return games.Unfinished, false }
func (circle) AppendMoves(dst []tictactoe.Move, _ tictactoe.Position) []tictactoe.Move {
	return append(dst, 1)
}
func (circle) Play(p tictactoe.Position, _ tictactoe.Move) tictactoe.Position { return p }

// TestSearchEnds searches where lines do not end, and where there is no move.
func TestSearchEnds(t *testing.T) {
	_, positions, err := proof.NewSearcher(games.Game[tictactoe.Position, tictactoe.Move](circle{}), moverWins).Search(tictactoe.Game{}.Start(), true, 1<<40)
	require.ErrorIs(t, err, proof.ErrUnsettled)
	require.Less(t, positions, uint64(2000))
	for _, toMove := range []bool{false, true} {
		holds, _, err := proof.NewSearcher(games.Game[tictactoe.Position, tictactoe.Move](stuck{}), moverWins).Search(tictactoe.Game{}.Start(), toMove, 100)
		require.NoError(t, err)
		require.False(t, holds)
	}
}

// stuck breaks its promise that a game that is not over has moves.
type stuck struct{ tictactoe.Game }

func (stuck) AppendMoves(dst []tictactoe.Move, _ tictactoe.Position) []tictactoe.Move { return dst }
