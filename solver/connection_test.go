package solver_test

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/plain"
	secondrules "github.com/yomikiri/yomikiri/proof/rules"
	"github.com/yomikiri/yomikiri/solver"
)

var (
	huntConnections = flag.Int("hunt.connections", 150, "positions of each board in TestConnections")
	connectionsSeed = flag.Uint64("hunt.connections.seed", 1, "seed of TestConnections")
)

// Rules with a condition of [games.Placement.NoWorse] less: stones of x, or of o, or the side to move
// do not count. TestConnections finds what each condition is for.
type (
	blindToX    struct{ *secondrules.Game }
	blindToO    struct{ *secondrules.Game }
	blindToTurn struct{ *secondrules.Game }
)

func (g blindToX) Placement(p secondrules.Position) games.Placement {
	q := g.Game.Placement(p)
	q.Stones[0] = games.Squares{}
	return q
}

func (g blindToO) Placement(p secondrules.Position) games.Placement {
	q := g.Game.Placement(p)
	q.Stones[1] = games.Squares{}
	return q
}

func (g blindToTurn) Placement(p secondrules.Position) games.Placement {
	q := g.Game.Placement(p)
	q.ToMove = 0
	return q
}

// mutants is how many mutants of a false proof are made.
const mutants = 8

// TestConnections compares searches for carriers with brute force, on boards with any numbers of
// stones, half of them without virtual connections, and checks the proofs. Then it grows false proofs: see connectionHunt.grow.
func TestConnections(t *testing.T) {
	if race.Enabled {
		t.Skip("it runs on one goroutine, and takes long")
	}
	positions := *huntConnections
	if testing.Short() {
		positions = min(positions, 60)
	}
	for size, n := range map[string]int{"3x3": 3, "4x4": 4} {
		t.Run(size, func(t *testing.T) {
			g, err := hex.Family.Open("hex:size=" + size)
			require.NoError(t, err)
			second, err := secondrules.Open(g.Name(), string(g.AppendPosition(nil, g.Start())))
			require.NoError(t, err)
			rules := second.(*secondrules.Game)
			h := connectionHunt{t: t, g: g, brute: newBruteHex(n), rng: rand.New(rand.NewPCG(*connectionsSeed, uint64(n)))}
			grown, mutated, fooled := 0, 0, [3]int{}
			for range positions {
				p := h.random()
				value := h.wins(p)
				file, won := h.prove(p)
				require.Equal(t, value, won, "%s", g.AppendPosition(nil, p))
				require.NoError(t, checkFile(t, file, rules), "%s", g.AppendPosition(nil, p))
				h.follow(p, file, won)
				for range 4 {
					nodes, claim, ok := h.grow(h.random())
					if !ok {
						continue
					}
					file := h.file(nodes, claim)
					require.ErrorIs(t, checkFile(t, file, rules), proof.ErrRefused, "%s", nodes[len(nodes)-1].Position)
					grown++
					for range mutants {
						mutant := h.file(h.mutate(nodes), claim)
						require.ErrorIs(t, checkFile(t, mutant, rules), proof.ErrRefused, "%s", nodes[len(nodes)-1].Position)
						mutated++
					}
					for i, blind := range []error{checkFile(t, file, blindToX{rules}), checkFile(t, file, blindToO{rules}), checkFile(t, file, blindToTurn{rules})} {
						if blind == nil {
							fooled[i]++
						}
					}
				}
			}
			t.Logf("%d positions; %d false proofs and %d mutants refused; accepted without x %d, o %d, the turn %d", positions, grown, mutated, fooled[0], fooled[1], fooled[2])
			for i, condition := range []string{"stones of x", "stones of o", "the side to move"} {
				require.Positive(t, fooled[i], "no false proof needs %s", condition)
			}
		})
	}
}

type connectionHunt struct {
	t     *testing.T
	g     *hex.Game
	brute *bruteHex
	rng   *rand.Rand
}

// random returns an unfinished position with any numbers of stones.
func (h *connectionHunt) random() hex.Position {
	for {
		at := games.Placement{ToMove: h.rng.IntN(2)}
		for square, empty := range h.rng.Perm(h.brute.n * h.brute.n) {
			if side := h.rng.IntN(2); empty >= 9 || h.rng.IntN(3) > 0 {
				at.Stones[side] = at.Stones[side].With(square)
			}
		}
		if h.unfinished(at) {
			return h.g.Place(at)
		}
	}
}

// unfinished reports whether neither side has connected its edges.
func (h *connectionHunt) unfinished(at games.Placement) bool {
	h.set(at)
	return !h.brute.connected(1) && !h.brute.connected(2)
}

// set puts stones on the board of the brute force, and returns the board as a number.
func (h *connectionHunt) set(at games.Placement) (code int) {
	for square := len(h.brute.board) - 1; square >= 0; square-- {
		h.brute.board[square] = 0
		for side := range at.Stones {
			if at.Stones[side].Has(square) {
				h.brute.board[square] = side + 1
			}
		}
		code = 3*code + h.brute.board[square]
	}
	return code
}

// wins reports whether the side to move wins.
func (h *connectionHunt) wins(p hex.Position) bool {
	at := h.g.Placement(p)
	code := h.set(at)
	return h.brute.wins(at.ToMove+1, code)
}

// prove returns a proof by the search, and whether the side to move wins.
func (h *connectionHunt) prove(p hex.Position) (file []byte, won bool) {
	s, err := solver.New(h.g, nil, p, solver.Config{})
	require.NoError(h.t, err)
	if h.brute != nil && h.rng.IntN(2) == 0 {
		solver.WithoutLinks(s)
	}
	r, err := s.Solve(h.t.Context())
	require.NoError(h.t, err)
	require.True(h.t, r.Known)
	require.True(h.t, s.Header().Monotone)
	var out bytes.Buffer
	w, err := proof.NewWriter(&out, s.Header())
	require.NoError(h.t, err)
	require.NoError(h.t, s.WriteProof(h.t.Context(), w))
	require.NoError(h.t, w.Close())
	return out.Bytes(), r.Value == games.Won
}

// follow plays random moves against a player that follows a proof.
func (h *connectionHunt) follow(p hex.Position, file []byte, moverWins bool) {
	graph, err := proof.OpenGraph(h.t.Context(), bytes.NewReader(file), int64(len(file)))
	require.NoError(h.t, err)
	player := proof.NewPlayer(h.g, nil)
	require.NoError(h.t, player.Add(h.t.Context(), graph))
	for moves := h.g.AppendMoves(nil, p); len(moves) > 0; moves = h.g.AppendMoves(moves[:0], p) {
		m := moves[h.rng.IntN(len(moves))]
		if moverWins {
			text := string(h.g.AppendPosition(nil, p))
			reply, ok, err := player.Reply(h.t.Context(), text)
			require.NoError(h.t, err)
			require.True(h.t, ok, "no reply in %s", text)
			m, err = games.ParseMove(h.g, p, reply.Move)
			require.NoError(h.t, err)
		}
		p, moverWins = h.g.Play(p, m), !moverWins
	}
	require.False(h.t, moverWins, "%s is lost", h.g.AppendPosition(nil, p))
}

// grow returns the nodes of a false proof, and the claim. Its root, the last node, is p, whose winner it
// gets wrong, and every child is proven rightly. A move or reply that leads to what is won is answered
// by that position, any other by one that is won, and has a stone less or more, or the other color, or
// another side to move.
func (h *connectionHunt) grow(p hex.Position) (nodes []proof.Node, claim proof.Claim, ok bool) {
	claim = proof.Claim{Side: proof.Other, Goal: proof.Win}
	root := proof.Node{Kind: proof.And, Position: h.g.AppendPosition(nil, p)}
	moves := h.g.AppendMoves(nil, p)
	if !h.wins(p) {
		m := moves[h.rng.IntN(len(moves))]
		moves, claim.Side = []hex.Move{m}, proof.Mover
		root.Kind, root.Move = proof.Or, h.g.AppendMove(nil, p, m)
	}
	seen := map[string]bool{}
	for _, m := range moves {
		q := h.g.Play(p, m)
		if _, finished := h.g.Outcome(q); finished {
			return nil, claim, false
		}
		child, ok := h.near(q, root.Kind == proof.And)
		if !ok {
			return nil, claim, false
		}
		file, _ := h.prove(child)
		r, err := proof.NewReader(bytes.NewReader(file))
		require.NoError(h.t, err)
		before := uint64(len(nodes))
		for n, _, err := r.Next(); n != nil; n, _, err = r.Next() {
			require.NoError(h.t, err)
			c := *n
			c.Position, c.Move, c.Children = bytes.Clone(n.Position), bytes.Clone(n.Move), slices.Clone(n.Children)
			for i := range c.Children {
				c.Children[i] += before
			}
			nodes = append(nodes, c)
		}
		if top := string(nodes[len(nodes)-1].Position); seen[top] {
			nodes = nodes[:before]
		} else {
			seen[top] = true
			root.Children = append(root.Children, uint64(len(nodes)))
		}
	}
	return append(nodes, root), claim, true
}

// mutate changes a node other than the root: a square of its position, its move or a child.
func (h *connectionHunt) mutate(nodes []proof.Node) []proof.Node {
	nodes = slices.Clone(nodes)
	at := h.rng.IntN(len(nodes) - 1)
	n := &nodes[at]
	n.Position, n.Move, n.Children = bytes.Clone(n.Position), bytes.Clone(n.Move), slices.Clone(n.Children)
	switch square := h.rng.IntN(len(h.brute.board)); h.rng.IntN(4) {
	case 0, 1:
		n.Position[square/h.brute.n*(h.brute.n+1)+square%h.brute.n] = "x.o"[h.rng.IntN(3)]
	case 2:
		if len(n.Move) > 0 {
			n.Move = h.g.AppendMove(nil, h.g.Start(), hex.Move(square))
		}
	case 3:
		if i := len(n.Children) - 1; i >= 0 && at > 0 {
			n.Children[h.rng.IntN(i+1)] = 1 + h.rng.Uint64N(uint64(at))
			slices.Sort(n.Children)
			n.Children = slices.Compact(n.Children)
		}
	}
	return nodes
}

// file writes nodes, of which the last is the root. Nodes without a use are left out.
func (h *connectionHunt) file(nodes []proof.Node, claim proof.Claim) []byte {
	root := nodes[len(nodes)-1]
	uses, numbers, ranks := make([]uint64, len(nodes)+1), make([]uint64, len(nodes)+1), make([]uint64, len(nodes)+1)
	uses[len(nodes)] = 1
	for i := len(nodes); i > 0; i-- {
		if uses[i] > 0 {
			for _, child := range nodes[i-1].Children {
				uses[child]++
			}
		}
	}
	var out bytes.Buffer
	w, err := proof.NewWriter(&out, proof.Header{Game: h.g.Name(), Root: string(root.Position), Claims: []proof.Claim{claim}, Monotone: true})
	require.NoError(h.t, err)
	for i, n := range nodes {
		if i++; uses[i] == 0 {
			continue
		}
		n.Uses, ranks[i] = uses[i], 1
		n.Children = slices.Clone(n.Children)
		for k, child := range n.Children {
			ranks[i] = max(ranks[i], ranks[child]+1)
			n.Children[k] = numbers[child]
		}
		n.Rank = ranks[i]
		numbers[i], err = w.Add(&n)
		require.NoError(h.t, err)
	}
	require.NoError(h.t, w.EndClaim(numbers[len(nodes)]))
	require.NoError(h.t, w.Close())
	return out.Bytes()
}

// near returns q if the claimant wins it, else a position like it that he wins.
func (h *connectionHunt) near(q hex.Position, claimantToMove bool) (hex.Position, bool) {
	if h.wins(q) == claimantToMove {
		return q, true
	}
	for range 20 {
		at := h.g.Placement(q)
		square := h.rng.IntN(len(h.brute.board))
		one := games.Squares{}.With(square)
		switch side := h.rng.IntN(2); h.rng.IntN(4) {
		case 0: // a stone less
			at.Stones[side] = at.Stones[side].Minus(one)
		case 1: // a stone more, or the other color
			at.Stones[side], at.Stones[1-side] = at.Stones[side].Or(one), at.Stones[1-side].Minus(one)
		case 2:
			at.ToMove = 1 - at.ToMove
		case 3:
			at.ToMove, at.Stones[0], at.Stones[1] = 1-at.ToMove, at.Stones[1], at.Stones[0]
		}
		if p := h.g.Place(at); h.unfinished(at) && h.wins(p) == claimantToMove {
			return p, true
		}
	}
	return q, false
}

func checkFile[P, M comparable](t *testing.T, file []byte, rules games.Game[P, M]) error {
	r, err := proof.NewReader(bytes.NewReader(file))
	require.NoError(t, err)
	_, err = proof.Check(t.Context(), r, rules, proof.CheckOptions{})
	switch any(rules).(type) {
	case blindToX, blindToO, blindToTurn:
	default:
		_, other := plain.Check(t.Context(), bytes.NewReader(file), plain.Options{})
		require.Equal(t, err == nil, other == nil, "%v, the plain checker says %v", err, other)
	}
	return err
}

// TestConnectionLimit ends a search early, which has shown its numbers.
func TestConnectionLimit(t *testing.T) {
	g, err := hex.Family.Open("hex:size=6x6")
	require.NoError(t, err)
	var shown solver.Progress
	cfg := solver.Config{Nodes: 20, ProgressEvery: 1, Progress: func(p solver.Progress) { shown = p }}
	s, err := solver.New(g, nil, g.Play(g.Start(), g.AppendMoves(nil, g.Start())[0]), cfg)
	require.NoError(t, err)
	r, err := s.Solve(t.Context())
	require.ErrorIs(t, err, solver.ErrLimit)
	require.False(t, r.Known)
	require.Equal(t, cfg.Nodes, r.Questions[0].Nodes)
	require.Positive(t, shown.Proof)
	require.Positive(t, shown.Disproof)
}

// TestHexOpenings5x5 proves the winner after each first move on 5×5.
func TestHexOpenings5x5(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const winners = "oooox" + "oxxxx" + "oxxxo" + "xxxxo" + "xoooo" // by the square of the first stone
	proveOpenings(t, "5x5", winners)
}

// TestHexOpenings6x6 proves the winner after each first move on 6×6, without images, or after some. The
// winners are those of an independent solver.
func TestHexOpenings6x6(t *testing.T) {
	winners := "ooooox" + "oxxxxx" + "xxxxxx"
	if testing.Short() {
		winners = "....o." + "......" + "...x.."
	}
	proveOpenings(t, "6x6", winners)
}

// proveOpenings proves winners after first moves, given by the square of the first stone.
func proveOpenings(t *testing.T, size, winners string) {
	g, err := hex.Family.Open("hex:size=" + size)
	require.NoError(t, err)
	rules, err := secondrules.Open(g.Name(), string(g.AppendPosition(nil, g.Start())))
	require.NoError(t, err)
	h := connectionHunt{t: t, g: g}
	for i, m := range g.AppendMoves(nil, g.Start())[:len(winners)] {
		if winners[i] == '.' {
			continue
		}
		file, won := h.prove(g.Play(g.Start(), m))
		require.Equal(t, winners[i] == 'o', won, "%s", g.AppendMove(nil, g.Start(), m))
		require.NoError(t, checkFile(t, file, rules), "%s", g.AppendMove(nil, g.Start(), m))
	}
}
