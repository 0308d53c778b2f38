package threat

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/internal/race"
)

// threatOracle decides by the rules alone, full width except for the attacker's moves.
type threatOracle struct {
	g       *gomoku.Game
	fours   map[gomoku.Position]bool
	threats map[gomoku.Position]bool
}

// fives returns the moves of the side to move that win at once.
func (o *threatOracle) fives(p gomoku.Position) (list []gomoku.Square) {
	for _, m := range o.g.AppendMoves(nil, p) {
		if v, finished := o.g.Outcome(o.g.Play(p, m)); finished && v < 0 {
			list = append(list, m)
		}
	}
	return list
}

// wins reports whether the side to move has a victory by moves of which each
// leaves after a pass what after says, whatever the defender replies.
func (o *threatOracle) wins(p gomoku.Position, memo map[gomoku.Position]bool, may func(gomoku.Position, gomoku.Square) bool, after func(gomoku.Position) bool) bool {
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
		if _, finished := o.g.Outcome(q); finished || !may(p, m) || len(o.fives(q)) > 0 || !after(q.NullMove()) {
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

func (o *threatOracle) vcf(p gomoku.Position) bool {
	return o.wins(p, o.fours, func(gomoku.Position, gomoku.Square) bool { return true }, func(q gomoku.Position) bool { return len(o.fives(q)) > 0 })
}

// vct is a victory by continuous threats: by moves that are threats of package
// gomoku or stop a line, and leave a victory by continuous fours.
func (o *threatOracle) vct(p gomoku.Position) bool {
	if o.vcf(p) {
		return true
	}
	may := func(p gomoku.Position, m gomoku.Square) bool {
		if stops := o.fives(p.NullMove()); len(stops) > 0 {
			return m == stops[0]
		}
		gains := o.g.NewBoard(p).Gains(p.ToMove())
		return gains.Has(m)
	}
	return o.wins(p, o.threats, may, o.vcf)
}

// TestVCTAgainstFullWidth compares verdicts with full-width search on small boards,
// and plays the trees against every reply.
func TestVCTAgainstFullWidth(t *testing.T) {
	if race.Enabled {
		t.Skip("a search on one goroutine")
	}
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
		s, err := NewVCT(g, VCTConfig{TableSize: 1 << 16})
		require.NoError(t, err)
		proven, quiet := 0, 0
		for range c.positions {
			p := randomPosition(g, rng, c.empty-rng.IntN(7))
			name := string(g.AppendPosition(nil, p))
			o := &threatOracle{g: g, fours: map[gomoku.Position]bool{}, threats: map[gomoku.Position]bool{}}
			want := Refuted
			if o.vct(p) {
				want = Proven
			}
			tree, got, err := s.Search(context.Background(), p)
			require.NoError(t, err)
			require.Equal(t, want, got, name)
			if tree != nil {
				proven++
				if !o.vcf(p) {
					quiet++
				}
				require.NoError(t, checkTree(g, p, tree), name)
			}
		}
		t.Log(g.Name(), proven, quiet)
	}
}

// TestVCTPuzzles plays wins on the usual board out against defenders who play at
// random, first anywhere outside of the zone.
func TestVCTPuzzles(t *testing.T) {
	if race.Enabled {
		t.Skip("a search on one goroutine")
	}
	t.Parallel()
	games := 1000
	if testing.Short() {
		games = 3
	}
	for _, exact := range []bool{false, true} {
		g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5, Exact: exact})
		s, err := NewVCT(g, VCTConfig{Nodes: 20_000, TableSize: 1 << 22})
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(3, 4))
		proven, refuted, longest := 0, 0, 0
		for _, p := range quietPuzzles(t) {
			tree, verdict, err := s.Search(context.Background(), p)
			require.NoError(t, err)
			if verdict == Refuted {
				refuted++
			}
			if tree == nil {
				continue
			}
			proven++
			longest = max(longest, tree.Moves())
			zone := tree.Zone(g.NewBoard(p), p.ToMove())
			outside := g.EmptySquares(p)
			outside.RemoveAll(&zone)
			squares := slices.Collect(outside.All())
			for range games {
				require.NoError(t, playTree(g, p, tree, rng))
				black, white := p.Stones(gomoku.Black), p.Stones(gomoku.White)
				extra := []*gomoku.Set{&black, &white}[p.ToMove().Opponent()]
				extra.Add(squares[rng.IntN(len(squares))])
				require.NoError(t, playTree(g, gomoku.NewPosition(black, white, p.ToMove()), tree, rng))
			}
		}
		t.Log(g.Name(), "proven", proven, "refuted", refuted, "longest", longest)
		require.Greater(t, proven, 10)
		require.Greater(t, refuted, 5)
	}
}

func TestVCTLimits(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	p := quietPuzzles(t)[0]
	s, err := NewVCT(g, VCTConfig{Nodes: 1000, TableSize: 1 << 20})
	require.NoError(t, err)
	tree, verdict, err := s.Search(context.Background(), p)
	require.NoError(t, err)
	require.Equal(t, Unknown, verdict)
	require.Nil(t, tree)
	require.GreaterOrEqual(t, s.nodes, uint64(1000))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err = NewVCT(g, VCTConfig{})
	require.NoError(t, err)
	_, _, err = s.Search(ctx, p)
	require.ErrorIs(t, err, context.Canceled)
	_, err = NewVCT(g, VCTConfig{TableSize: 1})
	require.ErrorContains(t, err, "too small")
}

// TestVCTShare searches from one table in two goroutines. The searches for fours of one of
// them are too short: then its failures mean nothing, and the other one knows that.
func TestVCTShare(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 5, Columns: 5, K: 4})
	rng := rand.New(rand.NewPCG(7, 8))
	s, err := NewVCT(g, VCTConfig{TableSize: 1 << 16})
	require.NoError(t, err)
	short := s.share()
	short.cursor.fourNodes = 1
	missed := 0
	for i := range 100 {
		p := randomPosition(g, rng, 16-rng.IntN(5))
		name := string(g.AppendPosition(nil, p))
		o := &threatOracle{g: g, fours: map[gomoku.Position]bool{}, threats: map[gomoku.Position]bool{}}
		want := Refuted
		if o.vct(p) {
			want = Proven
		}
		check := func(x *VCT, may ...Verdict) (verdict Verdict) {
			tree, verdict, err := x.Search(context.Background(), p)
			assert.NoError(t, err, name)
			assert.Contains(t, append(may, want), verdict, name)
			if tree != nil {
				assert.NoError(t, checkTree(g, p, tree), name)
			}
			return verdict
		}
		if i%2 == 0 {
			check(s)
		} else if check(short, Unknown); check(s, Unknown) != want {
			missed++
		}
		var group sync.WaitGroup
		group.Go(func() { check(s, Unknown) })
		group.Go(func() { check(short, Unknown) })
		group.Wait()
	}
	require.Positive(t, missed)
}
