package vct

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

func newGame(t testing.TB, r gomoku.Rules) *gomoku.Game {
	g, err := gomoku.New(r)
	require.NoError(t, err)
	return g
}

// oracle decides by the rules alone, full width but for the attacker's moves.
type oracle struct {
	g       *gomoku.Game
	fours   map[gomoku.Position]bool
	threats map[gomoku.Position]bool
}

// fives returns the moves of the side to move that win at once.
func (o *oracle) fives(p gomoku.Position) (list []gomoku.Square) {
	for _, m := range o.g.AppendMoves(nil, p) {
		if v, finished := o.g.Outcome(o.g.Play(p, m)); finished && v < 0 {
			list = append(list, m)
		}
	}
	return list
}

// wins reports whether the side to move has a victory by moves of which each
// leaves after a pass what after says, whatever the defender replies.
func (o *oracle) wins(p gomoku.Position, memo map[gomoku.Position]bool, may func(gomoku.Position, gomoku.Square) bool, after func(gomoku.Position) bool) bool {
	if _, finished := o.g.Outcome(p); finished {
		return false
	}
	if len(o.fives(p)) > 0 {
		return true
	}
	if won, ok := memo[p]; ok {
		return won
	}
	won := false
	for _, m := range o.g.AppendMoves(nil, p) {
		q := o.g.Play(p, m)
		if _, finished := o.g.Outcome(q); finished || !may(p, m) || len(o.fives(q)) > 0 || !after(q.Pass()) {
			continue
		}
		won = true
		for _, r := range o.g.AppendMoves(nil, q) {
			if won = o.wins(o.g.Play(q, r), memo, may, after); !won {
				break
			}
		}
		if won {
			break
		}
	}
	memo[p] = won
	return won
}

func (o *oracle) vcf(p gomoku.Position) bool {
	return o.wins(p, o.fours, func(gomoku.Position, gomoku.Square) bool { return true }, func(q gomoku.Position) bool { return len(o.fives(q)) > 0 })
}

// vct is a victory by continuous threats: by moves that are threats of package
// gomoku or stop a line, and leave a victory by continuous fours.
func (o *oracle) vct(p gomoku.Position) bool {
	if o.vcf(p) {
		return true
	}
	may := func(p gomoku.Position, m gomoku.Square) bool {
		if stops := o.fives(p.Pass()); len(stops) > 0 {
			return m == stops[0]
		}
		gains := o.g.NewBoard(p).Gains(p.ToMove())
		return gains.Has(m)
	}
	return o.wins(p, o.threats, may, o.vcf)
}

func randomPosition(g *gomoku.Game, rng *rand.Rand, empty int) gomoku.Position {
	for {
		all := g.Squares()
		var squares []gomoku.Square
		for s := range all.All() {
			squares = append(squares, s)
		}
		var stones [2]gomoku.Set
		for i, at := range rng.Perm(len(squares))[empty:] {
			stones[i%2].Add(squares[at])
		}
		p := gomoku.NewPosition(stones[0], stones[1], gomoku.Side(rng.IntN(2)))
		_, finished := g.Outcome(p)
		_, other := g.Outcome(p.Pass())
		if !finished && !other {
			return p
		}
	}
}

// TestAgainstFullWidth compares verdicts with full-width search on small boards,
// and plays the trees against every reply.
func TestAgainstFullWidth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		rules     gomoku.Rules
		empty     int
		positions int
	}{
		{gomoku.Rules{Rows: 5, Columns: 5, K: 4}, 18, 40},
		{gomoku.Rules{Rows: 5, Columns: 5, K: 4, Exact: true}, 18, 40},
		{gomoku.Rules{Rows: 5, Columns: 6, K: 4}, 22, 20},
		{gomoku.Rules{Rows: 5, Columns: 5, K: 3, Exact: true}, 18, 20},
		{gomoku.Rules{Rows: 6, Columns: 6, K: 5}, 20, 12},
		{gomoku.Rules{Rows: 6, Columns: 6, K: 5, Exact: true}, 20, 12},
	} {
		g := newGame(t, c.rules)
		s, err := NewSearcher(g, Config{TableSize: 1 << 16})
		require.NoError(t, err)
		proven, quiet := 0, 0
		for range c.positions {
			p := randomPosition(g, rng, c.empty-rng.IntN(7))
			name := string(g.AppendPosition(nil, p))
			o := &oracle{g: g, fours: map[gomoku.Position]bool{}, threats: map[gomoku.Position]bool{}}
			want := gomoku.Refuted
			if o.vct(p) {
				want = gomoku.Proven
			}
			got, err := s.Search(context.Background(), p)
			require.NoError(t, err)
			require.Equal(t, want, got.Verdict, name)
			if got.Tree != nil {
				proven++
				if !o.vcf(p) {
					quiet++
				}
				require.NoError(t, checkTree(g, p, got.Tree), name)
			}
		}
		t.Log(g.Name(), proven, quiet)
	}
}

// checkTree plays every reply to every move of a tree and says where it does not
// win.
func checkTree(g *gomoku.Game, p gomoku.Position, t *gomoku.Tree) error {
	if _, err := g.ParseMove(p, t.Move.String()); err != nil {
		return fmt.Errorf("%s: %w", g.AppendPosition(nil, p), err)
	}
	p = g.Play(p, t.Move)
	v, finished := g.Outcome(p)
	if won := finished && v < 0; won || t.Wins || finished {
		if !won || !t.Wins {
			return fmt.Errorf("%v wins: %v, the tree says %v: %s", t.Move, won, t.Wins, g.AppendPosition(nil, p))
		}
		return nil
	}
	for _, reply := range g.AppendMoves(nil, p) {
		q := g.Play(p, reply)
		if v, finished := g.Outcome(q); finished {
			return fmt.Errorf("%v ends the game (%v): %s", reply, v, g.AppendPosition(nil, q))
		}
		if err := checkTree(g, q, t.After(reply)); err != nil {
			return err
		}
	}
	return nil
}

// puzzles returns positions of games without a victory by continuous fours, from
// the puzzles of package gomoku.
func puzzles(t *testing.T, g *gomoku.Game) (list []gomoku.Position) {
	text, err := os.ReadFile("../games/gomoku/testdata/puzzles.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(line, "\t"); f[5] == "no VCF" {
			p, err := g.ParsePosition(f[4] + " " + f[3])
			require.NoError(t, err)
			list = append(list, p)
		}
	}
	return list
}

// TestPuzzles plays wins on the usual board out against defenders who play at
// random, first anywhere outside of the zone.
func TestPuzzles(t *testing.T) {
	for _, exact := range []bool{false, true} {
		g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5, Exact: exact})
		s, err := NewSearcher(g, Config{Nodes: 20_000, TableSize: 1 << 22})
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(3, 4))
		proven, refuted, longest := 0, 0, 0
		for _, p := range puzzles(t, g) {
			r, err := s.Search(context.Background(), p)
			require.NoError(t, err)
			if r.Verdict == gomoku.Refuted {
				refuted++
			}
			if r.Tree == nil {
				continue
			}
			proven++
			longest = max(longest, r.Tree.Moves())
			zone := r.Tree.Zone(g.NewBoard(p), p.ToMove())
			outside := g.EmptySquares(p)
			outside.RemoveAll(&zone)
			squares := slices.Collect(outside.All())
			for range 1000 {
				require.NoError(t, playOut(g, p, r.Tree, rng))
				black, white := p.Stones(gomoku.Black), p.Stones(gomoku.White)
				extra := []*gomoku.Set{&black, &white}[p.ToMove().Opponent()]
				extra.Add(squares[rng.IntN(len(squares))])
				require.NoError(t, playOut(g, gomoku.NewPosition(black, white, p.ToMove()), r.Tree, rng))
			}
		}
		t.Log(g.Name(), "proven", proven, "refuted", refuted, "longest", longest)
		require.Greater(t, proven, 10)
		require.Greater(t, refuted, 5)
	}
}

// playOut plays a tree out against replies that are chosen at random, half of them
// among those that the tree has an answer of its own for, and fives where there
// is one.
func playOut(g *gomoku.Game, p gomoku.Position, t *gomoku.Tree, rng *rand.Rand) error {
	b := g.NewBoard(p)
	attacker, defender := p.ToMove(), p.ToMove().Opponent()
	for {
		if !b.IsEmpty(t.Move) {
			return fmt.Errorf("%v is not empty in %s", t.Move, g.AppendPosition(nil, b.Position(attacker)))
		}
		b.Place(t.Move, attacker)
		if b.HasWon(attacker) != t.Wins {
			return fmt.Errorf("%v wins: %v: %s", t.Move, t.Wins, g.AppendPosition(nil, b.Position(defender)))
		}
		if t.Wins {
			return nil
		}
		empty := g.EmptySquares(b.Position(defender))
		replies := slices.Collect(empty.All())
		reply := replies[rng.IntN(len(replies))]
		if fives := b.Fives(defender); !fives.Empty() {
			return fmt.Errorf("the defender wins: %s", g.AppendPosition(nil, b.Position(defender)))
		}
		if len(t.Replies) > 0 && rng.IntN(2) == 0 {
			if r := t.Replies[rng.IntN(len(t.Replies))].Move; b.IsEmpty(r) {
				reply = r
			}
		}
		b.Place(reply, defender)
		t = t.After(reply)
	}
}

func TestLimits(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	p := puzzles(t, g)[0]
	s, err := NewSearcher(g, Config{Nodes: 1000, TableSize: 1 << 20})
	require.NoError(t, err)
	r, err := s.Search(context.Background(), p)
	require.NoError(t, err)
	require.Equal(t, gomoku.Unknown, r.Verdict)
	require.Nil(t, r.Tree)
	require.GreaterOrEqual(t, r.Nodes, uint64(1000))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err = NewSearcher(g, Config{})
	require.NoError(t, err)
	_, err = s.Search(ctx, p)
	require.ErrorIs(t, err, context.Canceled)
	_, err = NewSearcher(g, Config{TableSize: 1})
	require.ErrorContains(t, err, "too small")
}
