package gomoku

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestBranches compares what a brancher knows with a search of all moves.
func TestBranches(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	proven, disproven, omitted, certified := 0, 0, 0, 0
	for _, spec := range []string{"gomoku:size=3x3,k=3", "gomoku:size=4x4,k=3", "gomoku:size=4x4,k=4", "gomoku:size=4x5,k=4", "gomoku:size=5x5,k=4",
		"gomoku:size=4x4,k=3,rule=exact", "gomoku:size=5x5,k=4,rule=exact", "gomoku:size=3x6,k=4"} {
		g := open(t, spec)
		o := newOracle(g)
		r := g.NewBrancher()
		wins := func(p Position, side Side) bool {
			v := o.value(o.stones(p.stones[p.toMove]), o.stones(p.stones[p.toMove.Opponent()]))
			return p.toMove == side && v > 0 || p.toMove != side && v < 0
		}
		for range 150 {
			p := smallPosition(g, rng)
			if _, finished := g.Outcome(p); finished {
				continue
			}
			for attacker := Black; attacker <= White; attacker++ {
				toMove := p.toMove == attacker
				text := string(g.AppendPosition(nil, p)) + " " + spec
				branches, complete := r.AppendBranches(nil, p, toMove)
				require.True(t, complete)
				for _, b := range branches {
					switch {
					case b.Proof == 0:
						require.EqualValues(t, games.Unproven, b.Disproof)
						require.True(t, wins(g.Play(p, b.Move), attacker), "%s %v", text, b.Move)
						proven++
					case b.Disproof == 0:
						require.EqualValues(t, games.Unproven, b.Proof)
						require.False(t, wins(g.Play(p, b.Move), attacker), "%s %v", text, b.Move)
						disproven++
					default:
						require.Less(t, max(b.Proof, b.Disproof), uint32(games.Unproven))
					}
				}
				// What is left out changes nothing.
				best := !toMove
				for _, b := range branches {
					if wins(g.Play(p, b.Move), attacker) == toMove {
						best = toMove
					}
				}
				require.Equal(t, wins(p, attacker), best, text)
				omitted += len(g.AppendMoves(nil, p)) - len(branches)
				if certificate, ok := r.AppendCertificate(nil, p, toMove); ok {
					certified++
					require.False(t, wins(p, attacker), "%s: %s", text, certificate)
				}
			}
		}
	}
	require.Greater(t, proven, 300)
	require.Greater(t, disproven, 1000)
	require.Greater(t, certified, 300)
	require.Greater(t, omitted, 1000)
}

// TestHolder has positions in which the criteria are known to suffice or not.
func TestHolder(t *testing.T) {
	for _, c := range []struct {
		spec, position string
		attackerToMove bool
		certificate    string
	}{
		// Four lines of an eighth each weigh a half.
		{"gomoku:size=3x3,k=3", "3/1x1/3 x", false, "pairing"},
		{"gomoku:size=3x3,k=3", "3/1x1/3 o", true, "pairing a1 b1 b3 c3 a2 a3 c1 c2"},
		// Twelve lines of a 32nd each weigh less than a half.
		{"gomoku:size=5x5,k=5", "5/5/5/5/5 x", true, "pairing"},
		// One pair serves both windows of each line of six.
		{"gomoku:size=2x6,k=5", "6/xx4 x", true, "pairing"},
		{"gomoku:size=2x5,k=4", "5/x1x2 x", true, "pairing b1 d1 b2 c2"},
		{"gomoku:size=2x5,k=4", "5/xx1x1 x", true, ""},
	} {
		g := open(t, c.spec)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		got, ok := g.NewBrancher().AppendCertificate(nil, p, c.attackerToMove)
		require.Equal(t, c.certificate != "", ok, "%s %s", c.position, got)
		require.Equal(t, c.certificate, string(got))
	}
}

// TestBranchesOfSymmetry looks at one of the moves that mirror each other.
func TestBranchesOfSymmetry(t *testing.T) {
	g := open(t, "gomoku:size=7x7")
	branches, _ := g.NewBrancher().AppendBranches(nil, g.Start(), true)
	require.Len(t, branches, 10)
	g = open(t, "gomoku:size=6x7,k=4")
	branches, _ = g.NewBrancher().AppendBranches(nil, g.Start(), true)
	require.Len(t, branches, 12)
}

func BenchmarkBranches(b *testing.B) {
	g := open(b, "gomoku")
	r := g.NewBrancher()
	rng := rand.New(rand.NewPCG(1, 2))
	var positions []Position
	for range 100 {
		positions = append(positions, middleGame(g, rng, 20))
	}
	var branches []games.Branch[Square]
	for i := 0; b.Loop(); i++ {
		branches, _ = r.AppendBranches(branches[:0], positions[i%len(positions)], i&1 == 0)
	}
}
