package gomoku

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/proof"
)

// following is a [Game] that follows the trees that it checks: against all replies, including
// those outside every zone, up to the limits. So it does not rely on the argument that zones
// suffice.
type following struct {
	*Game
	followLimits
	root Position // whose win is kept
	done followedTrees
}

// followLimits say how far each tree is followed.
type followLimits struct {
	positions int // to visit with all replies
	games     int // to play out against replies chosen at random
}

// followedTrees is what was followed.
type followedTrees struct {
	trees int
	depth int // moves of the attacker for which every tree was followed with all replies
	games int
	win   *Win
}

// CheckCertificate implements proof's Certifier.
func (f *following) CheckCertificate(work *proof.Work, p Position, claimantToMove bool, goal proof.Goal, certificate []byte) error {
	if err := f.Game.CheckCertificate(work, p, claimantToMove, goal, certificate); err != nil || goal != proof.Win {
		return err
	}
	return f.follow(work.Context(), p, string(certificate))
}

// follow follows a tree from p.
func (f *following) follow(ctx context.Context, p Position, text string) error {
	follower, root, start, err := f.newFollower(ctx, p, text)
	if err != nil {
		return err
	}
	w := allFollower{follower: follower, rng: rand.New(rand.NewPCG(1, 2))}
	depth, moves := 1, w.nodes[root].moves
	for ; ; depth++ {
		w.left, w.cut = f.positions, false
		clear(w.seen)
		switch err := w.follow(root, &start, depth); {
		case errors.Is(err, errFollowLimit):
			depth--
		case err != nil:
			return err
		case w.cut && depth == moves:
			return fmt.Errorf("it does not win in %d moves", moves)
		case w.cut:
			continue
		}
		break
	}
	for range f.games {
		if err := w.play(root, start); err != nil {
			return err
		}
	}
	if p == f.root {
		if f.done.win, err = w.win(root, &start); err != nil {
			return err
		}
	}
	if f.done.trees++; f.done.trees == 1 || depth < f.done.depth {
		f.done.depth = depth
	}
	f.done.games += f.games
	return nil
}

var errFollowLimit = errors.New("more positions than allowed")

// allFollower is a follower against all replies.
type allFollower struct {
	*follower
	rng *rand.Rand
	cut bool // some line was not followed to its end
}

// follow follows a node on a board against all replies, for depth moves of the
// attacker.
func (w *allFollower) follow(node int, at *board, depth int) error {
	key := followed{place{node, *at}, depth}
	if w.seen[key] {
		return nil
	}
	if w.left--; w.left < 0 {
		return errFollowLimit
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	b := *at
	if won, err := w.move(node, &b); won || err != nil {
		return err
	}
	if depth == 1 {
		w.cut = true
		return nil
	}
	replies := 0
	for m, bit := range w.grid.bits {
		if !b.open(bit) {
			continue
		}
		replies++
		next := b
		then, err := w.reply(node, &next, Move(m))
		if err == nil {
			err = w.follow(then, &next, depth-1)
		}
		if err != nil {
			return err
		}
	}
	if replies == 0 {
		return w.fails(&b, "the board is full")
	}
	w.seen[key] = true
	return nil
}

// play plays a game out. The defender plays, at random, where he needs fewest stones for a
// line, or where the node has an answer of its own, or anywhere.
func (w *allFollower) play(node int, b board) error {
	for left := w.nodes[node].moves; ; left-- {
		if left == 0 {
			return w.fails(&b, "the win takes longer than the tree says")
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		won, err := w.move(node, &b)
		if won || err != nil {
			return err
		}
		var replies, best []Move
		for m, bit := range w.grid.bits {
			if b.open(bit) {
				replies = append(replies, Move(m))
			}
		}
		if len(replies) == 0 {
			return w.fails(&b, "the board is full")
		}
		switch w.rng.IntN(4) {
		case 0:
			var lines set
			for lacks := 1; lacks < w.k && lines == (set{}); lacks++ {
				w.addWindows(&lines, &b.defender, &b.attacker, lacks)
			}
			for _, m := range replies {
				if lines.has(w.grid.bits[m]) {
					best = append(best, m)
				}
			}
		case 1, 2:
			for i := range w.nodes[node].answers {
				for _, m := range w.nodes[node].answers[i].replies {
					if b.open(w.grid.bits[m]) {
						best = append(best, m)
					}
				}
			}
		}
		if len(best) > 0 {
			replies = best
		}
		if node, err = w.reply(node, &b, replies[w.rng.IntN(len(replies))]); err != nil {
			return err
		}
	}
}

// TestFollow follows trees that are right, and others that are not, which a checker
// without one of its demands would accept.
func TestFollow(t *testing.T) {
	const threes = "tree\na3\nd3\nb3 2 +a3=1\nc1\nc4\nc2 2 +c1=1\nc3 4 +a3+b3+d3=1"
	const parries = "tree\nd4\ni4\ne4 2 +d4=1\nf1\nf6\nf5 2 +f1=1\nf4 4 +d4+e4+i4=1"
	for _, c := range []struct{ spec, position, tree, want string }{
		{"gomoku:size=1x5,k=2", "5 x", smallTree, ""},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nc1 1", "b1 is not empty"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nd1\nc1 1", "d1 is not empty"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nc1", "c1 wins: false, the tree says true"},
		{"gomoku:size=1x5,k=2", "o4 x", "tree\nb1\nd1\nc1 2 +b1=1", `followed to "oox2 x": the defender wins by b1`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nc1\nc1 1", "c1 is not empty"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 +b1=2 +b1=1", "b1 is not empty"},
		{"gomoku:size=5x5,k=3", "5/5/5/5/5 x", threes, ""},
		{"gomoku:size=1x6,k=2", "6 x", "tree +c1\nb1\nd1\nc1 2 +b1=1", "c1 is not empty"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nz9", "no square of the board"},
		{"gomoku:size=1x3,k=2,rule=exact", "3 x", "tree\na1\nc1\nb1 2 .a1=1", ""},
		{"gomoku:size=1x1,k=2", "1 x", "tree\na1\na1 1", "the board is full"},
		{"gomoku:size=1x2,k=3", "1o x", "tree\na1\na1 1", "the board is full"},
		{"gomoku:size=1x7,k=2", "xox4 x", "tree\ne1\ng1\nf1 2 +e1=1 +a1=2", ""},
		{"gomoku:size=6x9", "xxoxo1xoo/1oxox1oxx/ooo3xx1/xxoooxoxo/oxoxxxoo1/o1xox1xxo x", parries, "the defender wins by "},
	} {
		g := tiny(t, c.spec)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		for _, f := range []*following{{Game: g, followLimits: followLimits{100_000, 0}}, {Game: g, followLimits: followLimits{1, 1000}}, {Game: g, followLimits: followLimits{0, 1000}}} {
			err = f.follow(t.Context(), p, c.tree)
			if c.want == "" {
				require.NoError(t, err, c.tree)
				require.Equal(t, 1, f.done.trees)
				continue
			}
			require.ErrorContains(t, err, c.want, c.tree)
		}
	}
	g := tiny(t, "gomoku:size=1x5,k=2")
	f := following{Game: g, followLimits: followLimits{1000, 0}}
	require.NoError(t, f.CheckCertificate(unlimited(), g.Start(), true, proof.Win, []byte(smallTree)))
	require.Equal(t, 2, f.done.depth)
	atOnce := following{Game: g, followLimits: followLimits{1000, 0}}
	require.NoError(t, atOnce.follow(t.Context(), Position{"x....", black}, "tree\nb1"))
	require.Equal(t, 1, atOnce.done.depth)
	threats := tiny(t, "gomoku:size=5x5,k=3")
	deep := following{Game: threats, followLimits: followLimits{100_000, 0}}
	require.NoError(t, deep.follow(t.Context(), threats.Start(), threes))
	require.Equal(t, 3, deep.done.depth)
	for range 2 { // the smallest depth, whichever comes first
		require.NoError(t, f.follow(t.Context(), Position{"x....", black}, "tree\nb1"))
		require.Equal(t, 1, f.done.depth)
		f.done = followedTrees{}
		require.NoError(t, f.follow(t.Context(), Position{"x....", black}, "tree\nb1"))
		require.NoError(t, f.follow(t.Context(), g.Start(), smallTree))
	}
	require.ErrorContains(t, f.CheckCertificate(unlimited(), g.Start(), true, proof.Win, []byte("tree\nc1")), "a win where the tree has none")
	pairing := following{Game: tiny(t, "gomoku:size=1x5,k=6")}
	require.NoError(t, pairing.CheckCertificate(unlimited(), pairing.Start(), true, proof.Hold, []byte("pairing")))
	require.Zero(t, pairing.done, "a pairing is not followed")
	// The smallest depth, and all games, of several trees; a tree is followed as far as the
	// positions allow.
	for positions, want := range map[int]int{1: 1, 4: 1, 6: 2, 100: 2} {
		f := following{Game: g, followLimits: followLimits{positions, 3}}
		for range 2 {
			require.NoError(t, f.follow(t.Context(), g.Start(), smallTree))
		}
		require.Equal(t, followedTrees{trees: 2, depth: want, games: 6}, f.done, positions)
	}
}

// TestVerify verifies a file, and one about another game.
func TestVerify(t *testing.T) {
	const position, tree = "5/1x3 x", "tree\na1\nd1\nc1 2 +a1=1"
	for game, want := range map[string]error{"gomoku:size=2x5,k=3": nil, "tictactoe": ErrNoRules} {
		var file bytes.Buffer
		w, err := proof.NewWriter(&file, proof.Header{Game: game, Root: position, Claims: []proof.Claim{{}}})
		require.NoError(t, err)
		_, err = w.Add(&proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte(position), Certificate: []byte(tree)})
		require.NoError(t, err)
		require.NoError(t, w.EndClaim(1))
		require.NoError(t, w.Close())
		r, err := proof.NewReader(&file)
		require.NoError(t, err)
		v, err := Verify(t.Context(), r, proof.CheckOptions{})
		require.ErrorIs(t, err, want)
		if want == nil {
			win := &Win{Moves: 2, Order: 1, Line: []string{"c1", "a1", "d1"}, Zone: []string{"a1", "c1", "d1"}}
			require.Equal(t, Verification{Nodes: 1, Win: win}, v)
		}
	}
}

// TestLineThrough compares lines through a stone with windows.
func TestLineThrough(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, spec := range []string{"gomoku:size=6x7,k=3", "gomoku:size=7x6,k=3,rule=exact", "gomoku:size=20x20,k=3"} {
		g := open(t, spec)
		p := newPlain(g, g.Start())
		f := follower{treeChecker: p.treeChecker}
		for range 200 {
			board := []byte(g.Start().squares)
			for m := range board {
				if rng.IntN(3) == 0 {
					board[m] = p.attacker
				}
			}
			m := rng.IntN(len(board))
			board[m] = p.attacker
			want := false
			for i := range p.windows {
				w := &p.windows[i]
				want = want || slices.Contains(w.squares, m) && g.stones(w, board, p.attacker) == g.k
			}
			b := p.board(board)
			require.Equal(t, want, f.lineThrough(&b.attacker, g.grid.bits[m]), "%s %s %d", spec, board, m)
		}
	}
}
