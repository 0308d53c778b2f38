package proof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

func graphOf(t testing.TB, data []byte, err error) *proof.Graph {
	t.Helper()
	require.NoError(t, err)
	g, err := proof.OpenGraph(context.Background(), bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	return g
}

// playAll plays by a player from p against all replies, and returns the number of games.
func playAll[P, M comparable](t *testing.T, g games.Game[P, M], x *proof.Player[P, M], p P, mine bool, goal proof.Goal) int {
	t.Helper()
	if v, finished := g.Outcome(p); finished {
		require.True(t, proof.Claim{Goal: goal}.Reached(v, mine), "%s", g.AppendPosition(nil, p))
		return 1
	}
	if mine {
		r, ok, err := x.Reply(t.Context(), string(g.AppendPosition(nil, p)))
		require.NoError(t, err)
		require.True(t, ok, "%s", g.AppendPosition(nil, p))
		m, err := games.ParseMove(g, p, r.Move)
		require.NoError(t, err)
		return playAll(t, g, x, g.Play(p, m), false, goal)
	}
	n := 0
	for _, m := range g.AppendMoves(nil, p) {
		n += playAll(t, g, x, g.Play(p, m), true, goal)
	}
	return n
}

// TestPlayer plays by proofs against all replies.
func TestPlayer(t *testing.T) {
	game := tictactoe.Game{}
	data, err := prove(t, game, emptyTicTacToe, moverHolds, otherHolds).bytes()
	x := proof.NewPlayer(game, nil)
	require.NoError(t, x.Add(t.Context(), graphOf(t, data, err)))
	playAll(t, game, x, game.Start(), true, proof.Hold)
	playAll(t, game, x, game.Start(), false, proof.Hold)

	// Proofs after c3 and each reply, up to symmetry, the roots in other orientations.
	small := plain(t, "gomoku:size=3x4,k=3")
	second := proof.NewPlayer(small, nil)
	first, err := small.ParseMove(small.Start(), "b2")
	require.NoError(t, err)
	p := small.Play(small.Start(), first)
	for _, m := range small.AppendMoves(nil, p) {
		root := small.Canonical(small.Play(p, m))
		data, err := prove(t, small, string(small.AppendPosition(nil, root)), moverWins).bytes()
		require.NoError(t, second.Add(t.Context(), graphOf(t, data, err)))
	}
	playAll(t, small, second, small.Start(), true, proof.Win)
	r, ok, err := second.Reply(t.Context(), string(small.AppendPosition(nil, small.Start())))
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, proof.Reply{Move: "b2", Goal: proof.Win, Proof: proof.ByAll}, r)
}

// TestPlayerCertificates plays by a tree and by pairings, with all replies, from each image.
func TestPlayerCertificates(t *testing.T) {
	for _, c := range []struct {
		game, root, certificate string
		claim                   proof.Claim
	}{
		{"gomoku:size=5x5,k=3", "5/5/5/5/5 x", "tree\na3\nd3\nb3 2 +a3=1\nc1\nc4\nc2 2 +c1=1\nc3 4 +a3+b3+d3=1", moverWins},
		{"gomoku:size=2x5,k=3", "5/1x3 x", "tree\na1\nd1\nc1 2 +a1=1", moverWins},
		{"gomoku:size=2x5,k=3", "5/1x3 x", "tree\na1\nd1\nc1 2 +a1=1", moverHolds},
		{"gomoku:size=2x2,k=3", "2/2 x", "pairing", moverHolds},
		{"gomoku:size=2x4,k=4", "4/4 x", "pairing a1 b1 c2 d2", otherHolds},
		{"gomoku:size=2x4,k=4", "4/4 x", "pairing a1 b1", moverHolds},
		{"gomoku:size=2x4,k=3", "4/4 x", "pairing b1 c1 b2 c2", otherHolds},
	} {
		kind := proof.Certified
		if c.claim.Side == proof.Other {
			kind = proof.CertifiedReply
		}
		f := file{proof.Header{Game: c.game, Root: c.root, Claims: []proof.Claim{c.claim}},
			[]claimProof{{[]proof.Node{{Kind: kind, Uses: 1, Rank: 1, Position: []byte(c.root), Certificate: []byte(c.certificate)}}, 1}}}
		data, err := f.bytes()
		require.NoError(t, err)
		_, err = checkBytes(data)
		require.NoError(t, err, c.certificate)
		g := plain(t, c.game)
		x := proof.NewPlayer(g, nil)
		require.NoError(t, x.Add(t.Context(), graphOf(t, data, nil)))
		root, err := g.ParsePosition(c.root)
		require.NoError(t, err)
		require.Positive(t, playAll(t, g, x, root, c.claim.Side == proof.Mover, c.claim.Goal))
		// The other side learns nothing.
		_, ok, err := x.Reply(t.Context(), string(g.AppendPosition(nil, g.Play(root, g.AppendMoves(nil, root)[0]))))
		require.NoError(t, err)
		require.Equal(t, c.claim.Side == proof.Other, ok)
	}
}

func TestPlayerRefuses(t *testing.T) {
	data, err := prove(t, tictactoe.Game{}, emptyTicTacToe, moverHolds).bytes()
	require.ErrorContains(t, proof.NewPlayer(plain(t, "gomoku:size=3x3,k=3"), nil).Add(t.Context(), graphOf(t, data, err)), "for the rules tictactoe")
	f := prove(t, tictactoe.Game{}, emptyTicTacToe, moverHolds)
	f.header.Database = "0123456789abcdef"
	data, err = f.bytes()
	require.ErrorContains(t, proof.NewPlayer(tictactoe.Game{}, nil).Add(t.Context(), graphOf(t, data, err)), "rests on a database")

	// A certificate that is false is not followed.
	data, err = os.ReadFile("testdata/false-6x9.proof")
	require.NoError(t, err)
	old := graphOf(t, data, nil)
	g := plain(t, old.Header().Game)
	x := proof.NewPlayer(g, nil)
	require.NoError(t, x.Add(t.Context(), old))
	r, ok, err := x.Reply(t.Context(), old.Header().Root)
	require.ErrorIs(t, err, proof.ErrRefused)
	require.ErrorContains(t, err, "the defender has a line on the board")
	require.False(t, ok)
	require.Zero(t, r.Proof)

	// Where it leads nowhere it is not checked, which takes long.
	p, err := g.ParsePosition(old.Header().Root)
	require.NoError(t, err)
	for range 2 {
		p = g.Play(p, g.AppendMoves(nil, p)[0])
	}
	_, ok, err = x.Reply(t.Context(), string(g.AppendPosition(nil, p)))
	require.NoError(t, err)
	require.False(t, ok)

	// Nor is what no proof has.
	_, ok, err = x.Reply(t.Context(), string(g.AppendPosition(nil, g.Start())))
	require.NoError(t, err)
	require.False(t, ok)
	_, _, err = x.Reply(t.Context(), "nonsense")
	require.Error(t, err)
}

const twoInARow = "xx./oo./..."

// playableProof returns a proof that the side to move wins twoInARow, with what a header says.
func playableProof(root string, side proof.Side) (*proof.Graph, error) {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, proof.Header{Game: "tictactoe", Root: root, Claims: []proof.Claim{{Side: side, Goal: proof.Win}}})
	if err != nil {
		return nil, err
	}
	n, err := w.Add(&proof.Node{Kind: proof.Or, Uses: 1, Rank: 1, Position: []byte(twoInARow), Move: []byte("c3")})
	if err = errors.Join(err, w.EndClaim(n), w.Close()); err != nil {
		return nil, err
	}
	return proof.OpenGraph(context.Background(), bytes.NewReader(file.Bytes()), int64(file.Len()))
}

// A file whose nodes are right, but not about what the header says, is refused.
func TestPlayerRoot(t *testing.T) {
	for _, c := range []struct {
		root string
		side proof.Side
		ok   bool
	}{{twoInARow, proof.Mover, true}, {twoInARow, proof.Other, false}, {"xx./o../..o", proof.Mover, false}} {
		g, err := playableProof(c.root, c.side)
		require.NoError(t, err)
		if err = proof.NewPlayer(tictactoe.Game{}, nil).Add(t.Context(), g); c.ok {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, proof.ErrRefused)
		}
	}
}

// Play by a proof, written as for [proof.Check]: with two in a row the side to move wins.
func ExamplePlayer() {
	g, err := playableProof(twoInARow, proof.Mover)
	if err != nil {
		fmt.Println(err)
		return
	}
	player := proof.NewPlayer(tictactoe.Game{}, nil)
	if err := player.Add(context.Background(), g); err != nil {
		fmt.Println(err)
		return
	}
	reply, ok, err := player.Reply(context.Background(), twoInARow)
	fmt.Println(reply.Move, ok, err)
	// Output: c3 true <nil>
}
