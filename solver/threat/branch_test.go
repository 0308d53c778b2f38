//go:build !race

package threat

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

// TestBranches compares what a brancher knows with a search of all moves.
func TestBranches(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	proven, disproven, omitted, certified := 0, 0, 0, 0
	for _, spec := range []string{"gomoku:size=3x3,k=3", "gomoku:size=4x4,k=3", "gomoku:size=4x4,k=4", "gomoku:size=4x5,k=4", "gomoku:size=5x5,k=4",
		"gomoku:size=4x4,k=3,rule=exact", "gomoku:size=5x5,k=4,rule=exact", "gomoku:size=3x6,k=4"} {
		g := open(t, spec)
		o := newOracle(t, g)
		r := NewBrancher(g)
		for range 150 {
			p := smallPosition(g, rng)
			if _, finished := g.Outcome(p); finished {
				continue
			}
			for attacker := gomoku.Black; attacker <= gomoku.White; attacker++ {
				toMove := p.ToMove() == attacker
				text := string(g.AppendPosition(nil, p)) + " " + spec
				branches, complete := r.AppendBranches(nil, p, toMove)
				require.True(t, complete)
				for _, b := range branches {
					switch {
					case b.Proof == 0:
						require.EqualValues(t, solver.Unproven, b.Disproof)
						require.True(t, o.wins(g.Play(p, b.Move), attacker), "%s %v", text, b.Move)
						proven++
					case b.Disproof == 0:
						require.EqualValues(t, solver.Unproven, b.Proof)
						require.False(t, o.wins(g.Play(p, b.Move), attacker), "%s %v", text, b.Move)
						disproven++
					default:
						require.Less(t, max(b.Proof, b.Disproof), uint32(solver.Unproven))
					}
				}
				// What is left out changes nothing.
				best := !toMove
				for _, b := range branches {
					if o.wins(g.Play(p, b.Move), attacker) == toMove {
						best = toMove
					}
				}
				require.Equal(t, o.wins(p, attacker), best, text)
				omitted += len(g.AppendMoves(nil, p)) - len(branches)
				if certificate, ok := r.AppendCertificate(nil, p, toMove); ok {
					certified++
					require.False(t, o.wins(p, attacker), "%s: %s", text, certificate)
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
		// Four lines of an eighth each weigh a half: without pairs that is enough only if the
		// attacker is not to move, and there x even wins.
		{"gomoku:size=3x3,k=3", "3/1x1/3 o", true, "pairing b1 c1 a3 b3 a1 a2 c2 c3"},
		{"gomoku:size=3x3,k=3", "3/1x1/3 x", false, "tree\nc2\na3\nc3\na1 2 +a3=1\na2 4 +c2=1"},
		// Four lines of a sixteenth and three of an eighth weigh more than a half and less than 1.
		{"gomoku:size=4x4,k=4", "4/1x2/4/o3 x", false, "pairing"},
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
		got, ok := NewBrancher(g).AppendCertificate(nil, p, c.attackerToMove)
		require.Equal(t, c.certificate != "", ok, "%s %s", c.position, got)
		require.Equal(t, c.certificate, string(got))
	}
}

// TestBranchesOfPosition has the branches of a position depend on nothing else: two branchers
// see the same positions in opposite orders.
func TestBranchesOfPosition(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	type seen struct {
		list     []solver.Branch[gomoku.Square]
		complete bool
	}
	for _, spec := range []string{"gomoku:size=4x9,k=4", "gomoku:size=5x12", "gomoku:size=6x9,rule=exact"} {
		g := open(t, spec)
		squares := g.Rules().Rows * g.Rules().Columns
		first, second := NewBrancher(g), NewBrancher(g)
		positions, want := make([]gomoku.Position, 300), make([]seen, 300)
		for i := range positions {
			positions[i] = randomPosition(g, rng, 4+rng.IntN(squares/2))
			want[i].list, want[i].complete = first.AppendBranches(nil, positions[i], i%2 == 0)
		}
		for i, p := range slices.Backward(positions) {
			list, complete := second.AppendBranches(nil, p, i%2 == 0)
			require.Equal(t, want[i], seen{list, complete}, "%s", g.AppendPosition(nil, p))
		}
	}
}

// TestCertificates has the certificates of positions, and of those that the brancher says are
// held, checked by plain rules. Of the images of a position all have one or none, although the
// holder puts the windows of a line into groups from one end to the other. A proof has canonical
// positions, and needs many more nodes for one that is held but has no certificate.
func TestCertificates(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 30))
	trees, pairings, images := 0, 0, 0
	for _, spec := range []string{"gomoku:size=5x12", "gomoku:size=6x9", "gomoku:size=6x6,k=4,rule=exact", "gomoku:size=4x7,k=4", "gomoku:size=8x8", "gomoku:size=5x7,rule=exact"} {
		g := open(t, spec)
		plain, ok := gomokurules.Open(spec)
		require.True(t, ok)
		r := NewBrancher(g).(*brancher)
		certificates := func(p gomoku.Position, attackerToMove bool) bool {
			attacker, found := p.ToMove(), 0
			if !attackerToMove {
				attacker = attacker.Opponent()
			}
			seen := false
			for i := range g.Symmetries() {
				image := g.ImageOf(i, p)
				if certificate, ok := r.AppendCertificate(nil, image, attackerToMove); ok {
					found++
					q, err := plain.ParsePosition(string(g.AppendPosition(nil, image)))
					require.NoError(t, err)
					work := proof.NewWork(t.Context(), math.MaxInt64)
					require.NoError(t, plain.CheckCertificate(work, q, !attackerToMove, proof.Hold, certificate), "%s: %s", g.AppendPosition(nil, image), certificate)
					if strings.HasPrefix(string(certificate), "tree") {
						trees++
					} else {
						pairings++
					}
				}
				r.board.Set(image)
				seen = seen || r.holder.holds(r.board, attacker, attackerToMove)
			}
			require.True(t, found == 0 || found == g.Symmetries(), "%s: %d of the images have a certificate", g.AppendPosition(nil, p), found)
			r.board.Set(p)
			if seen && !r.holder.holds(r.board, attacker, attackerToMove) {
				images++
			}
			return found > 0
		}
		for range 300 {
			area := g.Rules().Rows * g.Rules().Columns
			p := randomPosition(g, rng, area*2/3+rng.IntN(area/3))
			certificates(p, true)
			if certificates(p, false) {
				continue
			}
			branches, _ := r.AppendBranches(nil, p, false)
			for _, b := range branches {
				q := g.Play(p, b.Move)
				r.board.Set(q)
				fives := r.board.Fives(p.ToMove())
				if _, finished := g.Outcome(q); b.Disproof == 0 && fives.Empty() && !finished {
					require.True(t, certificates(g.Canonical(q), true), "%s", g.AppendPosition(nil, q))
				}
			}
		}
	}
	require.Greater(t, trees, 300)
	require.Greater(t, pairings, 1000)
	require.Greater(t, images, 10)
}

// TestBranchesOfSymmetry looks at one of the moves that mirror each other.
func TestBranchesOfSymmetry(t *testing.T) {
	g := open(t, "gomoku:size=7x7")
	branches, _ := NewBrancher(g).AppendBranches(nil, g.Start(), true)
	require.Len(t, branches, 10)
	g = open(t, "gomoku:size=6x7,k=4")
	branches, _ = NewBrancher(g).AppendBranches(nil, g.Start(), true)
	require.Len(t, branches, 12)
}

func BenchmarkBranches(b *testing.B) {
	g := open(b, "gomoku")
	r := NewBrancher(g)
	rng := rand.New(rand.NewPCG(1, 2))
	var positions []gomoku.Position
	for range 100 {
		positions = append(positions, middleGame(g, rng, 20))
	}
	var branches []solver.Branch[gomoku.Square]
	for i := 0; b.Loop(); i++ {
		branches, _ = r.AppendBranches(branches[:0], positions[i%len(positions)], i&1 == 0)
	}
}

// TestBranchForm checks what a [solver.Brancher] promises of its branches, and what it
// says about moves that end the game.
func TestBranchForm(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for _, spec := range smallBoards {
		g := open(t, spec)
		for _, b := range []solver.Brancher[gomoku.Position, gomoku.Square]{NewBrancher(g), newAttackBrancher(g, nil)} {
			for i := range 200 {
				p, attackerToMove := smallPosition(g, rng), i%2 == 0
				if _, finished := g.Outcome(p); finished {
					continue
				}
				legal := map[gomoku.Square]bool{}
				for _, m := range g.AppendMoves(nil, p) {
					legal[m] = true
				}
				branches, _ := b.AppendBranches(make([]solver.Branch[gomoku.Square], 1), p, attackerToMove)
				require.Zero(t, branches[0], "AppendBranches appends")
				for _, branch := range branches[1:] {
					require.True(t, legal[branch.Move], "%s: %v is not legal, or there twice", g.AppendPosition(nil, p), branch.Move)
					delete(legal, branch.Move)
					proven, disproven := branch.Proof == 0, branch.Disproof == 0
					require.Equal(t, proven, branch.Disproof == solver.Unproven)
					require.Equal(t, disproven, branch.Proof == solver.Unproven)
					require.LessOrEqual(t, max(branch.Proof, branch.Disproof), uint32(solver.Unproven))
					if v, finished := g.Outcome(g.Play(p, branch.Move)); finished && v.Result() == games.Lost {
						require.Equal(t, attackerToMove, proven, "%s: %v wins", g.AppendPosition(nil, p), branch.Move)
						require.Equal(t, !attackerToMove, disproven)
					}
				}
				if certificate, ok := b.AppendCertificate([]byte("> "), p, attackerToMove); ok {
					require.Equal(t, "> ", string(certificate[:2]), "AppendCertificate appends")
				}
			}
		}
	}
}

// TestLack compares the number of squares that a pairing lacks with that of a matching that is
// found without shortcuts.
func TestLack(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	var h holder
	counts := map[int]int{}
	for _, spec := range []string{"gomoku:size=4x5,k=3", "gomoku:size=5x6,k=4", "gomoku:size=4x9,k=4", "gomoku:size=5x12", "gomoku:size=9x9"} {
		g := open(t, spec)
		squares := g.Rules().Rows * g.Rules().Columns
		b := g.NewBoard(gomoku.Position{})
		for range 400 {
			p := randomPosition(g, rng, 2+rng.IntN(squares/2))
			b.Set(p)
			for _, attacker := range []gomoku.Side{gomoku.Black, gomoku.White} {
				if !h.collect(b, attacker, squares) {
					h.demands = h.demands[:0]
					continue
				}
				want := plainLack(h.demands)
				require.Equal(t, min(want, far), h.match(b, far), "%s", g.AppendPosition(nil, p))
				for n := range h.demands {
					h.demands[n].taken = 0
				}
				if want > 0 {
					require.Equal(t, 1, h.match(b, 1))
				}
				counts[min(want, 8)]++
				h.demands = h.demands[:0]
			}
		}
	}
	for lack := range 8 {
		require.Greater(t, counts[lack], 10, "lack %d", lack)
	}
}

// plainLack returns how many squares are lacking when each demand gets up to two of its own.
func plainLack(demands []demand) (lack int) {
	owner := map[gomoku.Square]int{} // twice the number of the demand, or one more
	var seen map[gomoku.Square]bool
	var search func(half int) bool
	search = func(half int) bool {
		d := &demands[half/2]
		for _, s := range d.squares[:d.count] {
			if seen[s] {
				continue
			}
			seen[s] = true
			if other, taken := owner[s]; !taken || search(other) {
				owner[s] = half
				return true
			}
		}
		return false
	}
	for half := range 2 * len(demands) {
		if seen = map[gomoku.Square]bool{}; !search(half) {
			lack++
		}
	}
	return lack
}
