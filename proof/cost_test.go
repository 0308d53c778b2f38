package proof_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/rules"
)

// madeUp is a file of a node that is right, again and again: a small file that is much work.
type madeUp struct {
	name  string
	claim proof.Claim
	node  proof.Node
	child *proof.Node // of each node
	game  string
	check func(r *proof.Reader) (steps int64, err error)
	want  int64 // steps a node
}

// on has the file be about a game.
func on[G games.Game[P, M], P, M comparable](t testing.TB, game G, m madeUp) madeUp {
	m.game = game.Name()
	m.check = func(r *proof.Reader) (int64, error) {
		return proof.CheckSteps(t.Context(), r, games.Game[P, M](game))
	}
	return m
}

// bytes returns the file with n nodes.
func (m *madeUp) bytes(t testing.TB, n int) []byte {
	node := m.node
	node.Uses = 1
	var nodes []proof.Node
	if m.child != nil {
		nodes = append(nodes, *m.child)
		nodes[0].Uses = uint64(n)
		node.Children = []uint64{1}
	}
	for range n {
		nodes = append(nodes, node)
	}
	header := proof.Header{Game: m.game, Root: string(node.Position), Claims: []proof.Claim{m.claim}}
	data, err := file{header, []claimProof{{nodes, uint64(len(nodes))}}}.bytes()
	require.NoError(t, err)
	return data
}

// steps checks the file with n nodes and returns how many steps that takes. All is right but
// that nothing refers to most nodes.
func (m *madeUp) steps(t testing.TB, data []byte) int64 {
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	steps, err := m.check(r)
	require.ErrorContains(t, err, "are referred to less often", m.name)
	return steps
}

// madeUps returns such files for each game that proofs can be about.
func madeUps(t testing.TB) []madeUp {
	move := func(position, move string) proof.Node {
		return proof.Node{Kind: proof.Or, Rank: 1, Position: []byte(position), Move: []byte(move)}
	}
	replies := func(position string) proof.Node {
		return proof.Node{Kind: proof.And, Rank: 2, Position: []byte(position)}
	}
	pairing := func(position string) proof.Node {
		return proof.Node{Kind: proof.Certified, Rank: 1, Position: []byte(position), Certificate: []byte("pairing")}
	}
	second := func(spec, start string) games.Game[rules.Position, rules.Move] {
		g, err := rules.Open(spec, start)
		require.NoError(t, err, spec)
		return g
	}
	shogi := func(spec string) games.Game[rules.Position, rules.Move] {
		return second(spec, "4k4/9/9/9/9/9/9/9/4K4 b -")
	}
	large, small := plain(t, "gomoku:size=20x20,k=20"), plain(t, "gomoku:size=2x2,k=3")
	four, err := connect4.Family.Open("connect4")
	require.NoError(t, err)
	chicks, err := dobutsu.Family.Open("dobutsu")
	require.NoError(t, err)
	draughts := second("checkers", "B:W32:B1")
	// Two lines, in the rows that are looked at last, that the claimant can complete.
	row, rest := strings.Repeat("x", 19), "/"+strings.Repeat("x", 19)+"1"+strings.Repeat("/20", 18)
	child := move(row+"o"+rest+" x", "t19")
	// White, with nearly all pieces in hand, mates by a gold before the king.
	const board, hand = "9/9/9/PPPPPPPP1/9/9/8g/9/8K ", " 2r2b3g4s4n4l10p"
	return []madeUp{
		on(t, large, madeUp{name: "gomoku, replies", claim: otherWins, node: replies(row + "1" + rest + " o"), want: 455_477}),
		on(t, large, madeUp{name: "gomoku, images", claim: otherWins, node: replies(row + "1" + rest + " o"), child: &child, want: 379_465}),
		on(t, large, madeUp{name: "gomoku, a move", claim: moverWins, node: move(row+"1"+rest+" x", "t19"), want: 1_040}),
		on(t, large, madeUp{name: "gomoku, pairings", claim: moverHolds, node: pairing(strings.Repeat("20/", 19) + "20 x"), want: 16_840}),
		on(t, small, madeUp{name: "gomoku, small", claim: moverHolds, node: pairing("2/2 x"), want: 214}),
		on(t, shogi("shogi"), madeUp{name: "shogi, replies", claim: otherWins, node: replies(board + "b" + hand), want: 576_145}),
		on(t, shogi("shogi:checks=white"), madeUp{name: "shogi, replies to checks", claim: otherWins, node: replies(board + "b" + hand), want: 73_345}),
		on(t, shogi("shogi"), madeUp{name: "shogi, a move", claim: moverWins, node: move(board+"w"+hand, "G*1h"), want: 4_949}),
		on(t, shogi("shogi:checks=white"), madeUp{name: "shogi, a check", claim: moverWins, node: move(board+"w"+hand, "G*1h"), want: 4_949}),
		on(t, four, madeUp{name: "connect4", claim: otherWins, node: replies("......./.....x./x..o.o./o..o.o./xoooxx./oxxxoxx"), want: 3_547}),
		on(t, draughts, madeUp{name: "checkers, replies", claim: otherWins, node: replies("B:WK1,K2,K3,K4,K9,K11,K25,K27,K29,K30,K31,K32:BK18"), want: 7_650}),
		on(t, draughts, madeUp{name: "checkers, a move", claim: moverWins, node: move("W:WK1,K2,K3,K4,K9,K10,K12,K13,K17,K19,K22,K27:B28", "27-32"), want: 2_154}),
		on(t, chicks, madeUp{name: "dobutsu", claim: otherWins, node: replies("2e/3/l1G/1cL b GCe"), want: 5_818}),
		on(t, tictactoe.Game{}, madeUp{name: "tictactoe", claim: otherWins, node: replies(".o./x.o/xx."), want: 1_711}),
	}
}

// TestMadeUp counts the steps of nodes that are much work. The charges are such that none of
// these files takes more than about 7 s of one processor: who changes them runs
// BenchmarkMadeUp again.
func TestMadeUp(t *testing.T) {
	for _, m := range madeUps(t) {
		one, three := m.steps(t, m.bytes(t, 2)), m.steps(t, m.bytes(t, 4))
		assert.Equal(t, m.want, (three-one)/2, m.name)
	}
}

// BenchmarkMadeUp reports the time for a step on one processor.
func BenchmarkMadeUp(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, m := range madeUps(b) {
		data := m.bytes(b, min(1<<24/int(m.want)+1, proof.LiveNodes/2))
		b.Run(m.name, func(b *testing.B) {
			steps := int64(0)
			for b.Loop() {
				steps += m.steps(b, data)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
		})
	}
}
