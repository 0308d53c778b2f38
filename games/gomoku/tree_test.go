package gomoku

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkTree plays every reply to every move of a tree and says where it does not
// win. It knows the rules only. The attacker is to move in p.
func checkTree(g *Game, p Position, t *Tree) error {
	attacker := p.toMove
	if empty := g.EmptySquares(p); !empty.Has(t.Move) {
		return fmt.Errorf("%v is not empty in %s", t.Move, g.AppendPosition(nil, p))
	}
	p = g.Play(p, t.Move)
	if won := g.hasLine(&p.stones[attacker]); won || t.Wins {
		if won != t.Wins {
			return fmt.Errorf("%v wins: %v, the tree says %v: %s", t.Move, won, t.Wins, g.AppendPosition(nil, p))
		}
		return nil
	}
	empty := g.EmptySquares(p)
	if empty.Empty() {
		return fmt.Errorf("the board is full: %s", g.AppendPosition(nil, p))
	}
	for reply := range empty.All() {
		q := g.Play(p, reply)
		if g.hasLine(&q.stones[attacker.Opponent()]) {
			return fmt.Errorf("%v wins for the defender: %s", reply, g.AppendPosition(nil, q))
		}
		if err := checkTree(g, q, t.After(reply)); err != nil {
			return err
		}
	}
	return nil
}

// middleGame plays random moves near other stones until there are so many.
func middleGame(g *Game, rng *rand.Rand, stones int) Position {
	for {
		p := g.Play(g.Start(), SquareAt(g.rows/2, g.columns/2))
		for range stones - 1 {
			near := g.EmptySquares(p)
			around := surroundings(g, p)
			near.Intersect(&around)
			moves := slices.Collect(near.All())
			if _, finished := g.Outcome(p); finished || len(moves) == 0 {
				break
			}
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
		if _, finished := g.Outcome(p); !finished {
			return p
		}
	}
}

// surroundings returns the squares at most two away from a stone.
func surroundings(g *Game, p Position) (set Set) {
	for _, side := range p.stones {
		for s := range side.All() {
			for row := max(s.Row()-2, 0); row <= min(s.Row()+2, g.rows-1); row++ {
				for column := max(s.Column()-2, 0); column <= min(s.Column()+2, g.columns-1); column++ {
					set.Add(SquareAt(row, column))
				}
			}
		}
	}
	return set
}

// TestThreatSpace checks the trees that threat-space search finds in random
// positions of the middle of a game, against every reply.
func TestThreatSpace(t *testing.T) {
	positions := 40
	if testing.Short() {
		positions = 10
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for _, spec := range []string{"gomoku", "gomoku:rule=exact", "gomoku:size=9x9,k=4", "gomoku:size=9x9,k=4,rule=exact", "gomoku:size=19x19,k=6", "gomoku:size=7x7,k=3,rule=exact"} {
		g := open(t, spec)
		s := NewSearcher(g, 14)
		found := 0
		for range positions {
			p := middleGame(g, rng, 4+rng.IntN(20))
			b := g.NewBoard(p)
			_, verdict := s.VCF(b, p.toMove, AllMoves, 0)
			tree := s.ThreatSpace(b, p.toMove)
			require.Equal(t, p, b.Position(p.toMove))
			if tree == nil {
				require.Equal(t, Refuted, verdict)
				continue
			}
			if verdict != Proven {
				found++
			}
			require.NoError(t, checkTree(g, p, tree), "%s %v", g.AppendPosition(nil, p), tree.Line())
		}
		t.Log(spec, found)
		if g.k == 5 && !testing.Short() {
			require.Greater(t, found, 3)
		}
	}
}

// TestZones plays after each win 1,000 moves outside of its zone, each answered
// by the same tree, with the defender playing on at random or where he makes the
// most of his lines.
func TestZones(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	type win struct {
		game     *Game
		position Position
	}
	var list []win
	for _, p := range puzzles(t) {
		list = append(list, win{p.game, p.position})
	}
	for _, spec := range []string{"gomoku", "gomoku:rule=exact", "gomoku:size=9x9,k=4,rule=exact", "gomoku:size=12x19,k=6"} {
		g := open(t, spec)
		for range 40 {
			list = append(list, win{g, middleGame(g, rng, 5+rng.IntN(20))})
		}
	}
	wins, longest := 0, 0
	for _, w := range list {
		s := NewSearcher(w.game, 12)
		b := w.game.NewBoard(w.position)
		tree := s.ThreatSpace(b, w.position.toMove)
		if tree == nil {
			continue
		}
		wins++
		longest = max(longest, tree.Moves())
		zone := tree.Zone(b, w.position.toMove)
		outside := w.game.EmptySquares(w.position)
		outside.RemoveAll(&zone)
		moves := slices.Collect(outside.All())
		for range 1000 {
			if len(moves) == 0 {
				break
			}
			p := w.position
			first := moves[rng.IntN(len(moves))]
			p.stones[p.toMove.Opponent()].Add(first)
			require.NoError(t, playTree(w.game, p, tree, rng), "after %v in %s", first, w.game.AppendPosition(nil, w.position))
		}
	}
	t.Log(wins, "wins, the longest in", longest)
	require.Greater(t, wins, 100)
}

// playTree plays a tree out against a defender who plays at random, and often
// where he makes the most of his lines.
func playTree(g *Game, p Position, t *Tree, rng *rand.Rand) error {
	b := g.NewBoard(p)
	attacker := p.toMove
	for {
		if !b.IsEmpty(t.Move) || !g.squares.Has(t.Move) {
			return fmt.Errorf("%v is not empty in %s", t.Move, g.AppendPosition(nil, b.Position(attacker)))
		}
		b.Place(t.Move, attacker)
		if b.HasWon(attacker) {
			return nil
		}
		if t.Wins {
			return fmt.Errorf("%v does not win in %s", t.Move, g.AppendPosition(nil, b.Position(attacker)))
		}
		empty := g.EmptySquares(b.Position(attacker))
		moves := slices.Collect(empty.All())
		if len(moves) == 0 {
			return errors.New("the board is full")
		}
		reply := moves[rng.IntN(len(moves))]
		switch fives := b.Fives(attacker); {
		case rng.IntN(4) > 0 && !fives.Empty():
			reply = slices.Collect(fives.All())[0]
		case rng.IntN(4) > 0 && len(t.Replies) > 0:
			reply = t.Replies[rng.IntN(len(t.Replies))].Move
		}
		defenderFives := b.Fives(attacker.Opponent())
		var best Set
		for n := g.k - 1; n > 0 && best.Empty(); n-- {
			b.addWindows(b.windows(attacker.Opponent(), n), &best)
			if n < g.k-1 && rng.IntN(3) == 0 {
				break
			}
		}
		if list := slices.Collect(best.All()); len(list) > 0 && (rng.IntN(3) == 0 || defenderFives.Len() > 0) {
			reply = list[rng.IntN(len(list))]
		}
		if !b.IsEmpty(reply) {
			reply = moves[rng.IntN(len(moves))]
		}
		b.Place(reply, attacker.Opponent())
		if b.HasWon(attacker.Opponent()) {
			return fmt.Errorf("%v wins for the defender: %s", reply, g.AppendPosition(nil, b.Position(attacker)))
		}
		t = t.After(reply)
	}
}

func BenchmarkThreatSpace(bench *testing.B) {
	g := open(bench, "gomoku")
	rng := rand.New(rand.NewPCG(3, 3))
	s := NewSearcher(g, 12)
	var boards []*Board
	var sides []Side
	for range 1000 {
		p := middleGame(g, rng, 10+rng.IntN(20))
		boards = append(boards, g.NewBoard(p))
		sides = append(sides, p.toMove)
	}
	for bench.Loop() {
		for i, b := range boards {
			s.ThreatSpace(b, sides[i])
		}
	}
	bench.ReportMetric(float64(bench.Elapsed().Nanoseconds())/float64(bench.N*len(boards)), "ns/search")
}
