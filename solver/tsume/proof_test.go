//go:build !race

package tsume_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/bench"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestProofs writes and checks proofs of the problems of Shōgi Zukō that need few nodes,
// and of the last, which has 611 plies. The short test takes one in five, and not the last.
func TestProofs(t *testing.T) {
	set, err := bench.TsumeSet("zuko")
	require.NoError(t, err)
	table, err := dfpn.NewFixedTable(64 << 20)
	require.NoError(t, err)
	proofs, nodes := 0, uint64(0)
	for i, entry := range set {
		options := tsume.Options{Nodes: 50_000}
		switch {
		case testing.Short() && (i%5 > 0 || i == len(set)-1):
			continue
		case testing.Short():
			options.Nodes = 10_000
		case i == len(set)-1:
			options.Nodes = 5_000_000
		}
		table.Clear()
		s, err := tsume.Solve(t.Context(), entry.Problem, table, options)
		require.NoError(t, err)
		if s.Outcome != dfpn.Proven {
			continue
		}
		report := requireProof(t, entry.Problem, table, options)
		require.Len(t, report.Ranks, 1)
		require.GreaterOrEqual(t, report.Ranks[0], uint64(min(s.Length, len(s.Line))), entry.ID)
		proofs++
		nodes += report.Nodes
		if i == len(set)-1 {
			require.GreaterOrEqual(t, s.Length, 611)
		}
	}
	t.Log(proofs, "proofs,", nodes, "nodes")
	require.Greater(t, proofs, 4)
}

// TestProofByFastRules checks a proof by the rules that found it too.
func TestProofByFastRules(t *testing.T) {
	for _, white := range []bool{false, true} {
		text := "4k4/9/4P4/9/9/9/9/9/9 b 2G"
		if white {
			text = "9/9/9/9/9/9/4p4/9/4K4 w 2g"
		}
		p, err := tsume.ParseProblem(text, tsume.Reading{})
		require.NoError(t, err)
		data := solveAndProve(t, p)
		_, err = check(t, data)
		require.NoError(t, err)
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		g, err := shogi.Family.Open(r.Header().Game)
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, g, proof.CheckOptions{})
		require.NoError(t, err)
	}
}

func solveAndProve(t *testing.T, p tsume.Problem) []byte {
	table, err := dfpn.NewFixedTable(1 << 22)
	require.NoError(t, err)
	s, err := tsume.Solve(t.Context(), p, table, tsume.Options{})
	require.NoError(t, err)
	require.Equal(t, dfpn.Proven, s.Outcome)
	return writeProof(t, p, table, tsume.Options{})
}

// TestProofFails asks for proofs where there is no mate, and where none is found within
// the limit of nodes.
func TestProofFails(t *testing.T) {
	table, err := dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	for _, text := range []string{"4k4/9/9/9/9/9/9/9/9 b G", "4k4/9/9/9/9/9/9/9/9 b -"} {
		p, err := tsume.ParseProblem(text, tsume.Reading{})
		require.NoError(t, err)
		w, err := proof.NewWriter(&bytes.Buffer{}, tsume.ProofHeader(p))
		require.NoError(t, err)
		_, err = tsume.WriteProof(t.Context(), w, p, table, tsume.Options{Nodes: 5000})
		require.Error(t, err, text)
	}
}

// read reads all nodes of a proof file.
func read(t *testing.T, data []byte) (header proof.Header, nodes []proof.Node, root uint64) {
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	for {
		n, root, err := r.Next()
		require.NoError(t, err)
		if n == nil {
			return r.Header(), nodes, root
		}
		nodes = append(nodes, cloneNode(n))
	}
}

func cloneNode(n *proof.Node) proof.Node {
	c := *n
	c.Position, c.Move, c.Children = bytes.Clone(n.Position), bytes.Clone(n.Move), append([]uint64(nil), n.Children...)
	return c
}

// TestProofMutants breaks each node of a proof in several ways. All files must be
// refused. The short test breaks one node in three.
func TestProofMutants(t *testing.T) {
	p, err := tsume.ParseProblem("6kp1/8n/5R1L1/4+b2sB/6N2/9/6L2/9/9 b -", tsume.Reading{}) // Shōgi Zukō 92
	require.NoError(t, err)
	header, nodes, root := read(t, solveAndProve(t, p))
	mutants, every := 0, 1
	if testing.Short() {
		every = 3
	}
	try := func(what string, i int, change func(header *proof.Header, nodes []proof.Node, n *proof.Node) bool) {
		h := header
		mutant := make([]proof.Node, len(nodes))
		for j := range nodes {
			mutant[j] = cloneNode(&nodes[j])
		}
		if !change(&h, mutant, &mutant[i]) {
			return
		}
		var out bytes.Buffer
		w, err := proof.NewWriter(&out, h)
		require.NoError(t, err)
		for j := range mutant {
			_, err := w.Add(&mutant[j])
			require.NoError(t, err, "%s, node %d", what, i+1)
		}
		require.NoError(t, w.EndClaim(root))
		require.NoError(t, w.Close())
		_, err = check(t, out.Bytes())
		require.ErrorIs(t, err, proof.ErrRefused, "%s, node %d, position %q", what, i+1, nodes[i].Position)
		mutants++
	}
	for i := 0; i < len(nodes); i += every {
		position, err := shogi.ParseSFEN(string(nodes[i].Position))
		require.NoError(t, err)
		board := shogi.NewBoard(position)
		for _, m := range board.AppendMoves(nil) {
			try("another move", i, func(_ *proof.Header, _ []proof.Node, n *proof.Node) bool {
				board.Do(m)
				mated := board.Mated()
				board.Undo()
				if n.Kind != proof.Or || string(n.Move) == m.String() || mated && len(n.Children) == 0 {
					return false
				}
				n.Move = []byte(m.String())
				return true
			})
		}
		for j := range nodes[i].Children {
			try("a child dropped", i, func(_ *proof.Header, all []proof.Node, n *proof.Node) bool {
				child := &all[n.Children[j]-1]
				child.Uses = max(child.Uses-1, 1)
				n.Children = append(n.Children[:j], n.Children[j+1:]...)
				return true
			})
			try("rank", i, func(_ *proof.Header, all []proof.Node, n *proof.Node) bool {
				n.Rank = all[n.Children[j]-1].Rank
				return true
			})
		}
		try("the other side's turn", i, func(_ *proof.Header, _ []proof.Node, n *proof.Node) bool {
			n.Position = bytes.Replace(n.Position, []byte(" b "), []byte(" W "), 1)
			n.Position = bytes.Replace(n.Position, []byte(" w "), []byte(" b "), 1)
			n.Position = bytes.Replace(n.Position, []byte(" W "), []byte(" w "), 1)
			return true
		})
		try("a piece less in hand", i, func(_ *proof.Header, _ []proof.Node, n *proof.Node) bool {
			n.Position = bytes.Replace(n.Position, []byte("g"), nil, 1)
			return !bytes.Equal(n.Position, nodes[i].Position)
		})
		try("a piece more for the attacker", i, func(_ *proof.Header, _ []proof.Node, n *proof.Node) bool {
			more := position.Hand(shogi.Black).With(shogi.Gold)
			squares, _, _ := position.Parts()
			other, err := shogi.NewPosition(squares, [2]shogi.Hand{more, position.Hand(shogi.White).Without(shogi.Gold)}, position.Turn())
			require.NoError(t, err)
			n.Position = []byte(other.SFEN())
			return true
		})
	}
	try("the wrong side must give check", len(nodes)-1, func(h *proof.Header, _ []proof.Node, _ *proof.Node) bool {
		h.Game = "shogi:checks=white"
		return true
	})
	try("the other side wins", len(nodes)-1, func(h *proof.Header, _ []proof.Node, _ *proof.Node) bool {
		h.Claims = []proof.Claim{{Side: proof.Other, Goal: proof.Win}}
		return true
	})
	t.Log(mutants, "mutants")
	require.Greater(t, mutants, 200/every)
}

// TestDefends has positions with the defender to move.
func TestDefends(t *testing.T) {
	for _, c := range []struct {
		position string
		attacker tsume.Attacker
		outcome  dfpn.Outcome
		length   int
	}{
		{"4k4/4G4/4P4/9/9/9/9/9/9 w -", tsume.Natural, dfpn.Proven, 0},
		{"4k4/4G4/9/9/9/9/9/9/9 w G", tsume.Natural, dfpn.Disproven, 0},
		{"8k/9/7NG/9/9/9/9/9/9 w G", tsume.Natural, dfpn.Proven, 2},
		{"8k/9/7NG/9/9/9/9/9/4K4 w G", tsume.BlackAttacks, dfpn.Proven, 2},
		{"4k4/9/9/9/9/9/gn7/9/K8 b g", tsume.WhiteAttacks, dfpn.Proven, 2},
	} {
		p, err := tsume.ParseProblem(c.position, tsume.Reading{Attacker: c.attacker})
		require.NoError(t, err, c.position)
		require.True(t, p.Defends)
		require.NotEqual(t, p.Position.Turn(), p.Attacker())
		table, err := dfpn.NewFixedTable(1 << 20)
		require.NoError(t, err)
		s, err := tsume.Solve(t.Context(), p, table, tsume.Options{Shortest: true, FirstMoves: true})
		require.NoError(t, err)
		require.Equal(t, c.outcome, s.Outcome, c.position)
		require.Equal(t, c.length, s.Length, c.position)
		require.Len(t, s.Line, c.length)
		require.Empty(t, s.FirstMoves)
		if s.Outcome == dfpn.Proven {
			report := requireProof(t, p, table, tsume.Options{})
			require.Equal(t, c.length > 0, report.Nodes > 0)
		}
	}
	for _, c := range []struct {
		position string
		attacker tsume.Attacker
		want     string
	}{
		{"4k4/9/9/9/9/9/9/9/9 w G", tsume.Natural, "black, the defender, has no king on the board"},
		{"4k4/9/9/9/9/9/9/9/9 w G", tsume.BlackAttacks, "white, the defender, is to move but not in check"},
		{"4k4/9/9/9/9/9/9/9/9 b G", tsume.WhiteAttacks, "black, the defender, has no king on the board"},
	} {
		_, err := tsume.ParseProblem(c.position, tsume.Reading{Attacker: c.attacker})
		require.EqualError(t, err, c.want)
	}
}
