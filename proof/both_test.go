//go:build !race

package proof_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/proof"
)

// within is a game that is over, a loss of the claimant's, after some plies. So the plain prover ends where
// positions come again.
type within[P, M comparable] struct {
	games.Game[P, M]
	loser int  // who loses then: the side to move after an even number of plies, or an odd one
	alone bool // images do not count
}

// timed is a position and the plies that are left.
type timed[P comparable] struct {
	position P
	left     int
}

func (g within[P, M]) Start() timed[P] { return timed[P]{} }
func (g within[P, M]) Outcome(p timed[P]) (games.Value, bool) {
	if v, over := g.Game.Outcome(p.position); over || p.left > 0 {
		return v, over
	}
	if g.loser == 0 {
		return games.Loss(0), true
	}
	return games.Win(1), true
}
func (g within[P, M]) AppendMoves(dst []M, p timed[P]) []M {
	return g.Game.AppendMoves(dst, p.position)
}
func (g within[P, M]) Play(p timed[P], m M) timed[P] {
	return timed[P]{g.Game.Play(p.position, m), p.left - 1}
}
func (g within[P, M]) AppendPosition(dst []byte, p timed[P]) []byte {
	return g.Game.AppendPosition(dst, p.position)
}
func (g within[P, M]) ParsePosition(string) (timed[P], error) { panic("not used") }
func (g within[P, M]) AppendMove(dst []byte, p timed[P], m M) []byte {
	return g.Game.AppendMove(dst, p.position, m)
}

// Canonical leaves the plies, so that a position may have several nodes.
func (g within[P, M]) Canonical(p timed[P]) timed[P] {
	if c, ok := g.Game.(games.Canonicalizer[P]); ok && !g.alone {
		p.position = c.Canonical(p.position)
	}
	return p
}

// withinPlies returns a prover of wins within some plies.
func withinPlies[P, M comparable](g games.Game[P, M], plies int, most uint64, side proof.Side, alone bool) *prover[timed[P], M] {
	// The opponent has won when time is up.
	short := within[P, M]{g, (plies + int(side)) % 2, alone}
	return &prover[timed[P], M]{g: short, same: short, goal: proof.Win, results: map[timed[P]]bool{}, numbers: map[timed[P]]uint64{}, most: most}
}

// proveWithin proves a win within some plies.
func proveWithin[P, M comparable](t *testing.T, g games.Game[P, M], root string, p P, plies int, most uint64, alone bool, claim proof.Claim) file {
	v, at := withinPlies(g, plies, most, claim.Side, alone), timed[P]{p, plies}
	require.True(t, v.holds(at, claim.Side == proof.Mover), "%s %s %v", g.Name(), root, claim)
	c := claimProof{root: v.add(at, claim.Side == proof.Mover)}
	c.nodes = v.nodes
	c.nodes[c.root-1].Uses++
	return file{proof.Header{Game: g.Name(), Root: root, Claims: []proof.Claim{claim}, Positions: v.positions, Rules: games.RulesTextOf(g)}, []claimProof{c}}
}

// win proves that a side wins in a position of random games, within some plies and not two less.
func win[G games.Game[P, M], P, M comparable](t *testing.T, family *games.Family[G], name string, plies int, side proof.Side, alone bool) file {
	own, err := family.Open(name)
	require.NoError(t, err)
	g := games.Game[P, M](own)
	rng := rand.New(rand.NewPCG(1, uint64(plies)))
	for range 10000 {
		for p, n := g.Start(), 0; n < 60; n++ {
			if _, over := g.Outcome(p); over {
				break
			}
			wins := func(plies int) bool {
				return withinPlies(g, plies, 0, side, false).holds(timed[P]{p, plies}, side == proof.Mover)
			}
			if wins(plies) && !wins(plies-2) {
				return proveWithin(t, g, string(g.AppendPosition(nil, p)), p, plies, 0, alone, proof.Claim{Side: side, Goal: proof.Win})
			}
			moves := g.AppendMoves(nil, p)
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
	}
	require.Fail(t, "no win", name)
	return file{}
}

// mate proves a win in a given position.
func mate(t *testing.T, family *games.Family[shogi.Game], name, root string, plies int) file {
	g, err := family.Open(name)
	require.NoError(t, err)
	p, err := g.ParsePosition(root)
	require.NoError(t, err)
	return proveWithin(t, games.Game[shogi.Position, shogi.Move](g), root, p, plies, 0, false, moverWins)
}

// score proves, in a position of random games, that a side gets more points than it has already, within
// some plies and not two less.
func score[G games.Game[P, M], P, M comparable](t *testing.T, family *games.Family[G], name string, plies int, most uint64, side proof.Side) file {
	own, err := family.Open(name)
	require.NoError(t, err)
	g := games.Game[P, M](own)
	aims, err := games.Aiming(g)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(2, uint64(plies)))
	for range 10000 {
		for p, n := g.Start(), 0; n < 60; n++ {
			if _, over := g.Outcome(p); over {
				break
			}
			points := rng.IntN(9) - 4
			need := points
			if side == proof.Other {
				need = 1 - points
			}
			at := games.Aim[P]{Position: p, Points: int16(need)}
			wins := func(plies int) bool {
				_, over := aims.Outcome(at)
				return !over && withinPlies(aims, plies, 0, side, false).holds(timed[games.Aim[P]]{at, plies}, side == proof.Mover)
			}
			if wins(plies) && !wins(plies-2) {
				claim := proof.Claim{Side: side, Goal: proof.AtLeast, Points: points}
				return proveWithin(t, aims, string(g.AppendPosition(nil, p)), at, plies, most, false, claim)
			}
			moves := g.AppendMoves(nil, p)
			p = g.Play(p, moves[rng.IntN(len(moves))])
		}
	}
	require.Fail(t, "no score", name)
	return file{}
}

// circling proves that a side holds by going round, in a game without images but exchanged sides.
func circling[G games.Game[P, M], P, M comparable](t *testing.T, family *games.Family[G], name, root string, claim proof.Claim) file {
	g, err := family.Open(name)
	require.NoError(t, err)
	start, err := g.ParsePosition(root)
	require.NoError(t, err)
	graph, numbers, positions := &loops{}, map[P]int{start: 0}, []P{start}
	for i := 0; i < len(positions); i++ {
		v, over := g.Outcome(positions[i])
		graph.moves, graph.lost = append(graph.moves, nil), append(graph.lost, over && v.Result() == games.Lost)
		if over {
			continue
		}
		for _, m := range g.AppendMoves(nil, positions[i]) {
			q := g.Play(positions[i], m)
			if _, known := numbers[q]; !known {
				numbers[q] = len(positions)
				positions = append(positions, q)
			}
			graph.moves[i] = append(graph.moves[i], numbers[q])
		}
	}
	values := graph.values()
	f := graph.hold(claim, nil, func(p int) int {
		i := slices.IndexFunc(graph.moves[p], func(q int) bool { return values[q] != games.Won })
		return graph.moves[p][i]
	})
	f.header.Game, f.header.Root, f.header.Rules = name, root, games.RulesTextOf(g)
	number := func(text []byte) int {
		p, err := graph.ParsePosition(string(text))
		require.NoError(t, err)
		return p
	}
	for i := range f.claims[0].nodes {
		n := &f.claims[0].nodes[i]
		if n.Kind == proof.Keeps {
			continue
		}
		p := positions[number(n.Position)]
		if n.Kind == proof.Or {
			to := positions[number(n.Move)]
			moves := g.AppendMoves(nil, p)
			m := moves[slices.IndexFunc(moves, func(m M) bool { return g.Play(p, m) == to })]
			n.Move = g.AppendMove(nil, p, m)
		}
		n.Position = g.AppendPosition(nil, p)
	}
	return f
}

// variants returns a variant that is built in.
func variants(name string) *games.Family[named] { return familyOf(variant.BuiltIn(), name, name) }

// proofs are files of all games that proofs are about, and of all kinds of nodes and claims. Both checkers
// have to accept them, and to say the same of every mutant.
func proofs(t *testing.T) map[string]file {
	four, err := connect4.Family.Open("connect4:size=4x4")
	require.NoError(t, err)
	certified := func(game, root, certificate string, claim proof.Claim) file {
		kind := proof.Certified
		if claim.Side == proof.Other {
			kind = proof.CertifiedReply
		}
		n := proof.Node{Kind: kind, Uses: 1, Rank: 1, Position: []byte(root), Certificate: []byte(certificate)}
		return file{proof.Header{Game: game, Root: root, Claims: []proof.Claim{claim}}, []claimProof{{[]proof.Node{n}, 1}}}
	}
	monotone := win(t, hex.Family, "hex:size=3x3", 5, proof.Mover, true)
	monotone.header.Monotone = true
	read, err := variant.Read("tiny.ini", strings.NewReader("[tiny:chess]\nmaxRank = 3\nmaxFile = 3\npromotionRegionWhite = -\nstartFen = k2/3/1PK w - - 0 1\n"), variant.BuiltIn())
	require.NoError(t, err)
	tiny := familyOf(read, "tiny", "tiny")
	return map[string]file{
		"tictactoe, a draw":           prove(t, tictactoe.Game{}, "x../.o./...", otherHolds, moverHolds),
		"gomoku, a win":               prove(t, plain(t, "gomoku:size=3x4,k=3"), "4/1x2/3o x", moverWins),
		"gomoku, exact":               prove(t, plain(t, "gomoku:size=3x4,k=3,rule=exact"), "4/1x2/3o x", moverWins),
		"gomoku, a tree":              certified("gomoku:size=5x5,k=3", "5/5/5/5/5 x", "tree\na3\nd3\nb3 2 +a3=1\nc1\nc4\nc2 2 +c1=1\nc3 4 +a3+b3+d3=1", moverWins),
		"gomoku, a pairing":           certified("gomoku:size=2x4,k=3", "4/4 x", "pairing b1 c1 b2 c2", otherHolds),
		"connect4, searched":          proveSearched(t, games.Game[connect4.Position, connect4.Move](four), "..../.o../xo../xoxx", 40, moverHolds),
		"hex":                         win(t, hex.Family, "hex:size=3x3", 5, proof.Mover, false),
		"hex, monotone":               monotone,
		"hex, a swap":                 win(t, hex.Family, "hex:size=3x3,swap=yes", 8, proof.Mover, false),
		"othello, points":             score(t, othello.Family, "othello:size=4x4", 6, 0, proof.Mover),
		"othello, points, winner":     score(t, othello.Family, "othello:size=4x4,empty=winner", 6, 0, proof.Other),
		"othello, points, searched":   score(t, othello.Family, "othello:size=4x4", 8, 12, proof.Mover),
		"awari, points":               score(t, awari.Family, "awari:stones=12", 7, 0, proof.Mover),
		"awari, points, another rule": score(t, awari.Family, "awari:slam=opponent-takes-rest,stones=9", 7, 0, proof.Other),
		"checkers, a win":             win(t, checkers.Family, "checkers:size=6x6", 7, proof.Mover, false),
		"checkers, a loss":            win(t, checkers.Family, "checkers:size=4x4", 6, proof.Other, false),
		"checkers, held":              circling(t, checkers.Family, "checkers:size=4x4", "W:WK8:BK1", moverHolds),
		"checkers, held by the other": circling(t, checkers.Family, "checkers:size=4x4", "B:W7,8:B1,2", otherHolds),
		"dobutsu, a win":              win(t, dobutsu.Family, "dobutsu", 5, proof.Mover, false),
		"dobutsu, without a try":      win(t, dobutsu.Family, "dobutsu:size=3x3,try=no", 6, proof.Other, false),
		"shogi, a mate":               mate(t, shogi.Family, "shogi:checks=black", "4k4/9/4P4/9/9/9/9/9/9 b RSr2b3g3s4n4l17p", 3),
		"hexapawn":                    win(t, variants("hexapawn"), "hexapawn", 5, proof.Mover, false),
		"atomic":                      win(t, variants("atomic"), "atomic", 3, proof.Mover, false),
		"minishogi":                   win(t, variants("minishogi"), "minishogi", 3, proof.Mover, false),
		"variant, dobutsu":            win(t, familyOf(variant.BuiltIn(), "dobutsu", "variant:dobutsu"), "variant:dobutsu", 5, proof.Mover, false),
		"giveaway":                    win(t, variants("giveaway"), "giveaway", 4, proof.Other, false),
		"variant, held":               circling(t, tiny, "tiny", "k2/3/1PK w - - 0 1", moverHolds),
		"shogi, free":                 mate(t, shogi.Family, "shogi", "8k/8p/7G1/9/9/9/9/9/K8 b G", 3),
	}
}

// forgeAny changes something in a file of any game.
func forgeAny(rng *rand.Rand, f *file) {
	c := &f.claims[rng.IntN(len(f.claims))]
	i := rng.IntN(len(c.nodes))
	n, other := &c.nodes[i], &c.nodes[rng.IntN(len(c.nodes))]
	some := func() uint64 { return 1 + rng.Uint64N(uint64(len(c.nodes))) }
	switch rng.IntN(14) {
	case 0:
		n.Uses += rng.Uint64N(3) - 1
	case 1:
		n.Rank += rng.Uint64N(5) - 2
	case 2:
		n.Kind = proof.Kind(1 + rng.IntN(10))
	case 3, 4:
		n.Position = other.Position
	case 5:
		n.Move = other.Move
	case 6:
		if len(n.Children) > 0 {
			n.Children[rng.IntN(len(n.Children))] = some()
		}
	case 7:
		if len(n.Children) > 0 && n.Kind != proof.Keeps {
			at := rng.IntN(len(n.Children))
			n.Children = slices.Delete(n.Children, at, at+1)
		}
	case 8:
		*n, *other = *other, *n
	case 9:
		f.header.Claims[0].Side ^= 1
	case 10:
		if f.header.Claims[0].Goal == proof.AtLeast {
			f.header.Claims[0].Points += rng.IntN(3) - 1
		} else {
			f.header.Claims[0].Goal ^= 1
		}
	case 11:
		f.header.Root = strings.TrimSuffix(string(other.Position), " >=0")
	case 12:
		text := slices.Clone(n.Position)
		if len(text) > 0 {
			text[rng.IntN(len(text))] = text[rng.IntN(len(text))]
		}
		n.Position = text
	default:
		if n.Positions > 0 {
			n.Positions += rng.Uint64N(3) - 1
			f.header.Positions += rng.Uint64N(3) - 1
		}
		n.Certificate = []byte(strings.Replace(string(n.Certificate), "3", "2", 1))
	}
}

// wrap writes a file whatever is wrong with its nodes, nil if no reader takes its header.
func wrap(f file) []byte {
	header, err := json.Marshal(f.header)
	if err != nil {
		return nil
	}
	chunks := []proof.RawChunk{{Kind: 'H', Data: header}, {Kind: 'N', Data: f.raw()}, {Kind: 'E', Data: []byte("{}")}}
	if _, err := proof.NewReader(bytes.NewReader(proof.WrapChunks(chunks...))); err != nil {
		return nil
	}
	return proof.WrapNodes(f.header, f.raw())
}

// TestBothCheckers has both checkers look at proofs of all games and at mutants of them, below and above
// the checksums. The fast one looks at them by two sets of rules, where there are two.
func TestBothCheckers(t *testing.T) {
	mutants := *forgeries
	if testing.Short() {
		mutants /= 10
	}
	for name, f := range proofs(t) {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(58, uint64(len(name))))
			data, err := f.bytes()
			require.NoError(t, err)
			report, err := checkBytes(data)
			require.NoError(t, err)
			require.Positive(t, report.Nodes)
			accepted, refused := 0, 0
			check := func(data []byte) {
				_, err := checkBytes(data)
				if err == nil {
					accepted++
				} else {
					refused++
				}
				r, e := proof.NewReader(bytes.NewReader(data))
				if e == nil && !strings.HasPrefix(name, "gomoku") {
					_, e = checkOwn(r)
					require.Equal(t, err == nil, e == nil, "%v, by the game's own rules %v: %q", err, e, data)
				}
			}
			check(data)
			chunks := rawChunks(t, data)
			for range mutants {
				check(damaged(rng, chunks))
				forged := f.clone()
				for range 1 + rng.IntN(2) {
					forgeAny(rng, &forged)
				}
				if rng.IntN(2) == 0 {
					settleUses(&forged)
				}
				if _, err := proof.Value(forged.header.Claims); err != nil {
					continue
				}
				if wrapped := wrap(forged); wrapped != nil {
					check(wrapped)
				}
			}
			t.Logf("%d nodes, %d mutants refused, %d accepted", report.Nodes, refused, accepted)
			require.Greater(t, refused, mutants/2)
		})
	}
}

// TestKept has each node ahead kept by each other node, in proofs that rest on repetition.
func TestKept(t *testing.T) {
	refused := 0
	for _, f := range []file{
		circling(t, checkers.Family, "checkers:size=4x4", "W:WK8:BK1", moverHolds),
		circling(t, checkers.Family, "checkers:size=4x4", "B:W7,8:B1,2", otherHolds),
	} {
		for i, n := range f.claims[0].nodes {
			if n.Kind != proof.Keeps {
				continue
			}
			for keeper := n.Children[0] + 1; keeper < n.Children[1]; keeper++ {
				forged := f.clone()
				forged.claims[0].nodes[i].Children[1] = keeper
				settleUses(&forged)
				_, err := checkBytes(wrap(forged))
				require.ErrorIs(t, err, proof.ErrRefused)
				refused++
			}
		}
	}
	require.Greater(t, refused, 10)
}

// TestDecidedPoints has claims about points that are decided at once, since the squares left are enough or
// too few, or nearly.
func TestDecidedPoints(t *testing.T) {
	const root = "-----OX--XO----- X"
	for _, c := range []struct {
		side    proof.Side
		points  int
		decided bool
	}{
		{proof.Mover, -16, true}, {proof.Mover, -15, false}, {proof.Mover, 17, false}, {proof.Other, -16, true}, {proof.Other, -15, false}, {proof.Other, 17, false},
	} {
		header := proof.Header{Game: "othello:size=4x4", Root: root, Claims: []proof.Claim{{Side: c.side, Goal: proof.AtLeast, Points: c.points}}}
		_, err := checkBytes(proof.WrapNodes(header, []byte("\x05\x00")))
		require.Equal(t, c.decided, err == nil, "%v: %v", header.Claims, err)
	}
}
