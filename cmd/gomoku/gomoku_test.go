package gomoku

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/gomoku/gomokutest"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/solver/threat"
)

var (
	huntWins = flag.Int("hunt.wins", 0, "wins by threats of TestThreatWins; 0 for what an ordinary test run takes")
	huntSeed = flag.Uint64("hunt.seed", 1, "seed of TestThreatWins")
)

// threatWins compares what is printed of wins by threats with full-width search.
type threatWins struct {
	*testing.T
	rules    gomokutest.Rules
	game     *gomoku.Game
	searcher *threat.Searcher
	threats  *threat.VCT
	oracle   *gomokutest.Solver
	rng      *rand.Rand
	count    map[string]int
}

// TestThreatWins has wins by threats searched on small boards, most of them in positions where
// the defender has fours of his own, or parries that complete his lines. By full-width search
// each is won within the moves that are printed, and remains so with one more stone of the
// defender's on any square outside the zone. -hunt.wins and -hunt.seed make the hunt longer and
// another.
func TestThreatWins(t *testing.T) {
	wins := *huntWins
	if wins == 0 {
		if wins = 500; testing.Short() {
			wins = 60
		}
	}
	rng := rand.New(rand.NewPCG(*huntSeed, 3))
	count := map[string]int{}
	for i, rules := range gomokutest.Boards {
		g, err := gomoku.Family.Open(rules.Spec())
		require.NoError(t, err)
		threats, err := threat.NewVCT(g, threat.VCTConfig{Nodes: 2000, TableSize: 1 << 16})
		require.NoError(t, err)
		x := threatWins{t, rules, g, threat.NewSearcher(g, 10), threats, gomokutest.NewSolver(rules, 30_000), rng, count}
		for tries := 0; count["by threats"] < wins*(i+1)/len(gomokutest.Boards) && tries < 100*wins; tries++ {
			x.try(gomokutest.NewGenerator(rules, 12+rng.IntN(11), rng).Next())
		}
	}
	t.Log(count)
	require.Greater(t, count["by threats"], wins*3/4)
	require.Greater(t, count["stones outside the zone"], wins)
	for _, what := range []string{"exact rule", "a four to be stopped", "replies proven together", "a defender's four in a game"} {
		require.Greater(t, count[what], wins/20, what)
	}
}

// TestLongestOtherwise has wins that last longest after replies outside the zone, which the
// tree answers together: there the attacker wins by continuous fours, which takes longer than
// what he does against each of the others. In the first one he has no win within four moves.
func TestLongestOtherwise(t *testing.T) {
	for _, c := range []struct {
		game, position string
		moves          int
	}{
		{"gomoku:size=7x9,rule=exact", "oooo5/x8/3o5/2xx4x/3x5/xoxx5/o5x2 x", 6},
		{"gomoku", "oooo11/15/15/10xx3/12x2/12x2/15/15/1xo1o10/x2xx10/15/2xx11/2x12/15/15 x", 5},
	} {
		g, err := gomoku.Family.Open(c.game)
		require.NoError(t, err)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		a := threatSearch{game: g, position: p}
		require.NoError(t, a.search(t.Context(), 100_000, 0))
		require.NoError(t, a.verify(t.Context()))
		r := a.record()
		require.Equal(t, "threats", r.By)
		require.Equal(t, c.moves, r.Moves)
		require.Len(t, r.Line, 2*c.moves-1)
		answered := 0
		for _, reply := range a.tree.Replies {
			answered = max(answered, reply.Then.Moves())
		}
		require.Less(t, answered+1, c.moves)
		require.Equal(t, c.moves, a.tree.Otherwise.Moves()+1)
	}
	rules := gomokutest.Rules{Rows: 7, Columns: 9, K: 5, Exact: true}
	stones := gomokutest.Position{Mover: 1<<6 | 1<<9 | 1<<11 | 1<<12 | 1<<21 | 1<<29 | 1<<30 | 1<<35 | 1<<45, Other: 1 | 1<<10 | 1<<39 | 15<<54}
	require.Equal(t, "oooo5/x8/3o5/2xx4x/3x5/xoxx5/o5x2 x", rules.Text(stones))
	won, err := gomokutest.NewSolver(rules, 1<<22).WinsWithin(stones, 4)
	require.NoError(t, err)
	require.False(t, won)
}

// TestThreatText has a win whose proof is more than one tree: the checker reports no bound, and
// none is printed.
func TestThreatText(t *testing.T) {
	g, err := gomoku.Family.Open("gomoku:size=3x3,k=3")
	require.NoError(t, err)
	a := threatSearch{game: g, position: g.Start(), verdict: threat.Proven, verified: &gomokuVerification{gomokurules.Verification{Nodes: 5}}}
	text, err := a.text(false)
	require.NoError(t, err)
	require.Contains(t, text, "\nresult    black wins\nverified  a proof of 5 nodes was checked\n")
	require.Equal(t, "win", a.record().Result)
	require.Zero(t, a.record().Moves)
}

// try searches a position, or the same with a four of the defender's.
func (x *threatWins) try(position gomokutest.Position) {
	if x.rng.IntN(2) == 0 {
		position = x.withFour(position)
	}
	p, err := x.game.ParsePosition(x.rules.Text(position))
	require.NoError(x, err)
	a := threatSearch{game: x.game, position: p, verdict: threat.Proven}
	b := x.game.NewBoard(p)
	if tree, verdict := x.searcher.VCF(b, p.ToMove(), threat.AllMoves, 10_000); tree != nil || verdict == threat.Unknown {
		return // by fours, as most
	}
	if a.tree = x.searcher.ThreatSpace(b, p.ToMove()); a.tree == nil {
		if a.tree, _, err = x.threats.Search(x.Context(), p); err != nil || a.tree == nil {
			require.NoError(x, err)
			return
		}
	}
	require.NoError(x, a.verify(x.Context()))
	r := a.record()
	require.Equal(x, "threats", r.By, r.Position)
	x.classify(&a)
	x.check(position, r)
}

// withFour adds a stone of the defender's that makes a four, if there is one.
func (x *threatWins) withFour(position gomokutest.Position) gomokutest.Position {
	p, err := x.game.ParsePosition(x.rules.Text(position))
	require.NoError(x, err)
	b, defender := x.game.NewBoard(p), p.ToMove().Opponent()
	var gaps gomoku.Set
	b.AddGaps(defender, x.rules.K-2, &gaps)
	for s := range gaps.All() {
		b.Place(s, defender)
		if fives := b.Fives(defender); fives.Len() == 1 && !b.HasWon(defender) && x.rng.IntN(3) > 0 {
			position.Other |= x.bit(s)
			break
		}
		b.Remove(s, defender)
	}
	return position
}

func (x *threatWins) bit(s gomoku.Square) uint64 { return 1 << (s.Row()*x.rules.Columns + s.Column()) }

// classify counts what is special about a win by threats.
func (x *threatWins) classify(a *threatSearch) {
	x.count["by threats"]++
	b, defender := x.game.NewBoard(a.position), a.position.ToMove().Opponent()
	fives := b.Fives(defender)
	together, fours := false, false
	seen := map[*threat.Tree]bool{}
	var visit func(t *threat.Tree)
	visit = func(t *threat.Tree) {
		if seen[t] || t.Wins {
			return
		}
		seen[t] = true
		together = together || t.Together
		b.Place(t.Move, a.position.ToMove())
		for _, r := range t.Replies {
			if b.IsEmpty(r.Move) {
				b.Place(r.Move, defender)
				after := b.Fives(defender)
				fours = fours || !after.Empty()
				visit(r.Then)
				b.Remove(r.Move, defender)
			}
		}
		b.Remove(t.Move, a.position.ToMove())
	}
	visit(a.tree)
	for what, is := range map[string]bool{
		"exact rule": x.rules.Exact, "a four to be stopped": !fives.Empty(), "replies proven together": together, "a defender's four in a game": fours,
	} {
		if is {
			x.count[what]++
		}
	}
}

// check compares what is printed with full-width search.
func (x *threatWins) check(position gomokutest.Position, r threatsFound) {
	name := x.rules.Spec() + " " + r.Position
	require.Positive(x, r.Moves, name)
	x.wins(name, position, r.Moves)

	root, err := x.game.ParsePosition(r.Position)
	require.NoError(x, err)
	p, attacker := root, root.ToMove()
	for _, text := range r.Line {
		m, err := x.game.ParseMove(p, text)
		require.NoError(x, err, "%s: %v", name, r.Line)
		p = x.game.Play(p, m)
	}
	require.LessOrEqual(x, len(r.Line), 2*r.Moves-1, name)
	require.True(x, x.game.NewBoard(p).HasWon(attacker), "%s: %v", name, r.Line)

	outside := uint64(1)<<(x.rules.Rows*x.rules.Columns) - 1 - position.Mover - position.Other
	for _, text := range r.Zone {
		s, err := x.game.ParseMove(root, text)
		require.NoError(x, err, "%s: zone", name)
		require.NotZero(x, outside&x.bit(s), "%s: %s is twice in the zone", name, text)
		outside &^= x.bit(s)
	}
	for ; outside != 0; outside &= outside - 1 {
		more := position
		more.Other |= outside & -outside
		x.count["stones outside the zone"]++
		x.wins(name+", with a stone more: "+x.rules.Text(more), more, r.Moves)
	}
}

// wins asserts that the side to move can win within so many moves.
func (x *threatWins) wins(name string, position gomokutest.Position, moves int) {
	p, err := x.game.ParsePosition(x.rules.Text(position))
	require.NoError(x, err, name)
	require.False(x, x.game.NewBoard(p).HasWon(p.ToMove().Opponent()), name)
	won, err := x.oracle.WinsWithin(position, moves)
	if err != nil {
		x.count["too hard"]++
		return
	}
	if !won {
		x.Errorf("%s: not won within %d moves", name, moves)
	}
}
