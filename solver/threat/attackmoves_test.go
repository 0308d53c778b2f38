//go:build !race

package threat

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver"

	"github.com/yomikiri/yomikiri/games"
)

// TestAttackBrancher compares what an attackBrancher knows on small boards with a search of
// all moves, and plays its trees against every reply. Every other one also
// searches for continuous threats.
func TestAttackBrancher(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	proven, disproven, answered, covered, givenUp := 0, 0, 0, 0, 0
	for i, spec := range smallBoards {
		g := open(t, spec)
		o := newOracle(t, g)
		var vct *VCT
		if i%2 == 0 {
			var err error
			vct, err = NewVCT(g, VCTConfig{Nodes: 300, TableSize: 1 << 16})
			require.NoError(t, err)
		}
		a := newAttackBrancher(g, vct)
		a.width = 3
		for range 500 {
			p := smallPosition(g, rng)
			if _, finished := g.Outcome(p); finished {
				continue
			}
			text := string(g.AppendPosition(nil, p)) + " " + spec
			if tree := a.winOf(p); tree != nil {
				require.NoError(t, checkTree(g, p, tree), text)
			}
			for _, toMove := range []bool{true, false} {
				branches, complete := a.AppendBranches(nil, p, toMove)
				known := map[gomoku.Square]solver.Branch[gomoku.Square]{}
				for _, b := range branches {
					known[b.Move] = b
					attacker := p.ToMove()
					if !toMove {
						attacker = attacker.Opponent()
					}
					wins := o.wins(g.Play(p, b.Move), attacker)
					switch {
					case b.Proof == 0:
						require.True(t, wins, "%s %v", text, b.Move)
						proven++
					case b.Disproof == 0:
						require.False(t, wins, "%s %v", text, b.Move)
						disproven++
					}
				}
				require.Len(t, known, len(branches))
				if toMove && complete && len(branches) == 0 {
					require.NotEqual(t, games.Won, o.result(p), text)
				}
				if toMove || !complete {
					givenUp++
					continue
				}
				for _, m := range g.AppendMoves(nil, p) { // what is left out loses
					if _, ok := known[m]; !ok && (len(branches) == 0 || branches[0].Disproof > 0) {
						require.Equal(t, games.Won, o.result(g.Play(p, m)), "%s %v", text, m)
					}
				}
			}
			b := g.NewBoard(p)
			if fives := b.Fives(p.ToMove()); !fives.Empty() {
				continue
			}
			d, verdict := a.defend(p)
			if verdict != Proven {
				continue
			}
			require.NoError(t, checkTree(g, p.NullMove(), d.otherwise), text)
			tree := &Tree{Otherwise: d.otherwise, Replies: d.replies}
			for _, m := range g.AppendMoves(nil, p) {
				then := tree.After(m)
				if then == nil {
					continue
				}
				require.NoError(t, checkTree(g, g.Play(p, m), then), "%s %v", text, m)
				answered++
			}
			// The answer to one reply answers others too.
			for _, r := range d.replies {
				if r.Then == nil || r.Then.Wins {
					continue
				}
				left := g.EmptySquares(p)
				before := left.Len()
				for _, also := range a.cover(p, r.Move, r.Then, &left, nil) {
					require.NoError(t, checkTree(g, g.Play(p, also.Move), also.Then), "%s %v %v", text, r.Move, also.Move)
					require.False(t, left.Has(also.Move))
					covered++
				}
				require.Less(t, left.Len(), before)
			}
		}
	}
	t.Log(proven, disproven, answered, covered, givenUp)
	require.Greater(t, proven, 300)
	require.Greater(t, disproven, 100)
	require.Greater(t, answered, 1000)
	require.Greater(t, covered, 300)
	require.Greater(t, givenUp, 300)
}

// TestDefend plays on large boards what an attackBrancher has against each reply, and
// what it says answers others too.
func TestDefend(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(33, 34))
	positions := 60
	if testing.Short() {
		positions = 20
	}
	for _, spec := range []string{"gomoku", "gomoku:rule=exact", "gomoku:size=9x9,k=4", "gomoku:size=9x19"} {
		g := open(t, spec)
		a := newAttackBrancher(g, nil)
		played, covered := 0, 0
		for range positions {
			p := middleGame(g, rng, 6+rng.IntN(12))
			d, verdict := a.defend(p)
			if verdict != Proven || d.otherwise.Wins {
				continue
			}
			for _, r := range d.replies {
				if r.Then == nil {
					continue
				}
				for range 20 {
					require.NoError(t, playTree(g, g.Play(p, r.Move), r.Then, rng), "%v in %s", r.Move, g.AppendPosition(nil, p))
				}
				played++
				left := g.EmptySquares(p)
				for _, also := range a.cover(p, r.Move, r.Then, &left, nil) {
					require.NoError(t, playTree(g, g.Play(p, also.Move), also.Then, rng), "%v as after %v in %s", also.Move, r.Move, g.AppendPosition(nil, p))
					covered++
				}
			}
		}
		t.Log(spec, played, covered)
		require.Greater(t, played, positions/4)
		require.Greater(t, covered, 5*positions/3)
	}
}

func TestCandidates(t *testing.T) {
	g := open(t, "gomoku")
	p, err := g.ParsePosition("15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/o14 x")
	require.NoError(t, err)
	moves, complete := newAttackBrancher(g, nil).AppendBranches(nil, p, true)
	require.False(t, complete)
	require.Len(t, moves, attackQuiet)
	for _, m := range moves {
		rows, columns := m.Move.Row()-7, m.Move.Column()-7
		require.LessOrEqual(t, max(rows, -rows, columns, -columns), 2, "%v is near the stone", m.Move)
		require.LessOrEqual(t, rows, columns, "%v is not the image of another", m.Move)
	}
}

// TestForcingMovesComeLate has a position in which Black has moves of all kinds.
func TestForcingMovesComeLate(t *testing.T) {
	g := open(t, "gomoku")
	p, err := g.ParsePosition("15/15/15/15/15/15/15/5oxxx6/15/7o7/6o8/15/15/15/15 x")
	require.NoError(t, err)
	moves, complete := newAttackBrancher(g, nil).AppendBranches(nil, p, true)
	require.False(t, complete)
	proof := map[string]uint32{}
	for _, m := range moves {
		proof[m.Move.String()] = m.Proof
	}
	for _, c := range []struct {
		kind   string
		moves  []string
		lo, hi uint32
	}{
		{"a four", []string{"j8", "k8"}, fourProof, fourProof},
		{"few replies", []string{"i7", "i5", "j9", "g9"}, forceProof, forceProof + mostForced/4},
		{"more replies", []string{"h9", "j7"}, 2, forceProof - 1},
		{"quiet", []string{"g7", "h7", "f9"}, quietProof, quietProof + attackQuiet*quietStep},
	} {
		for _, m := range c.moves {
			require.GreaterOrEqual(t, proof[m], c.lo, "%s: %s", c.kind, m)
			require.LessOrEqual(t, proof[m], c.hi, "%s: %s", c.kind, m)
		}
	}
}
