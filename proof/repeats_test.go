package proof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/proof"
)

// loops is a game in which positions come again: position i leads to the positions of
// moves[i]; one without moves is a draw, or a loss if it is in lost.
type loops struct {
	moves [][]int
	lost  []bool
}

func (g *loops) Name() string { return "loops" }
func (g *loops) Start() int   { return 0 }
func (g *loops) Outcome(p int) (games.Value, bool) {
	switch {
	case len(g.moves[p]) > 0:
		return games.Unfinished, false
	case g.lost[p]:
		return games.Loss(0), true
	}
	return games.Draw, true
}
func (g *loops) AppendMoves(dst []int, p int) []int      { return append(dst, g.moves[p]...) }
func (g *loops) Play(_, m int) int                       { return m }
func (g *loops) AppendPosition(dst []byte, p int) []byte { return strconv.AppendInt(dst, int64(p), 10) }
func (g *loops) AppendMove(dst []byte, _ int, m int) []byte {
	return strconv.AppendInt(dst, int64(m), 10)
}
func (g *loops) ParsePosition(text string) (int, error) {
	p, err := strconv.Atoi(text)
	if err == nil && (p < 0 || p >= len(g.moves)) {
		err = fmt.Errorf("position %d: there are %d", p, len(g.moves))
	}
	return p, err
}

func randomLoops(rng *rand.Rand) *loops {
	n := 4 + rng.IntN(10)
	g := &loops{make([][]int, n), make([]bool, n)}
	for p := range n {
		if p > 0 && rng.IntN(4) == 0 {
			g.lost[p] = rng.IntN(3) > 0
			continue
		}
		for q := range n {
			if q != p && rng.IntN(n) < 3 {
				g.moves[p] = append(g.moves[p], q)
			}
		}
		g.lost[p] = true
	}
	return g
}

// values returns the results of all positions for the side to move, from the first wins
// and losses on: what is never settled is drawn.
func (g *loops) values() []games.Result {
	v := make([]games.Result, len(g.moves))
	for p := range v {
		if len(g.moves[p]) == 0 && g.lost[p] {
			v[p] = games.Lost
		}
	}
	for changed := true; changed; {
		changed = false
		for p, moves := range g.moves {
			if v[p] != games.Drawn || len(moves) == 0 {
				continue
			}
			switch {
			case slices.ContainsFunc(moves, func(q int) bool { return v[q] == games.Lost }):
				v[p], changed = games.Won, true
			case !slices.ContainsFunc(moves, func(q int) bool { return v[q] != games.Won }):
				v[p], changed = games.Lost, true
			}
		}
	}
	return v
}

// holder writes a proof that a side holds, by whatever moves it is given.
type holder struct {
	g       *loops
	choose  func(p int) int
	nodes   []proof.Node
	open    map[[2]int]bool   // on the path
	ahead   map[[2]int]uint64 // their numbers
	numbers map[[2]int]uint64
	decided func(p int) bool
}

// add returns the number of the node, or the one ahead, of a position; 0 if it is decided.
func (h *holder) add(p int, claimantToMove bool) uint64 {
	key := [2]int{p, 0}
	kind := proof.Ahead
	if !claimantToMove {
		key[1], kind = 1, proof.AheadReply
	}
	position := h.g.AppendPosition(nil, p)
	switch {
	case h.decided(p):
		return 0
	case h.numbers[key] > 0:
		return h.numbers[key]
	case h.open[key]:
		if h.ahead[key] == 0 {
			h.nodes = append(h.nodes, proof.Node{Kind: kind, Position: position})
			h.ahead[key] = h.number()
		}
		return h.ahead[key]
	}
	h.open[key] = true
	n := proof.Node{Kind: proof.And, Rank: 2, Position: position}
	replies := h.g.moves[p]
	if claimantToMove {
		m := h.choose(p)
		n.Kind, n.Rank, n.Move, replies = proof.Or, 1, h.g.AppendMove(nil, p, m), []int{m}
	}
	for _, q := range replies {
		if child := h.add(q, !claimantToMove); child > 0 {
			n.Children = append(n.Children, child)
		}
	}
	slices.Sort(n.Children)
	for _, number := range n.Children {
		c := h.node(number)
		c.Uses++
		n.Rank = max(n.Rank, c.Rank+1)
	}
	h.nodes = append(h.nodes, n)
	number := h.number()
	h.numbers[key] = number
	if ahead := h.ahead[key]; ahead > 0 {
		h.node(ahead).Uses++
		h.node(number).Uses++
		h.nodes = append(h.nodes, proof.Node{Kind: proof.Keeps, Children: []uint64{ahead, number}})
	}
	return number
}

// number returns the number of the last node.
func (h *holder) number() (number uint64) {
	for i := range h.nodes {
		if h.nodes[i].Kind != proof.Keeps {
			number++
		}
	}
	return number
}

// node returns the node with a number.
func (h *holder) node(number uint64) *proof.Node {
	for i := range h.nodes {
		if h.nodes[i].Kind != proof.Keeps {
			if number--; number == 0 {
				return &h.nodes[i]
			}
		}
	}
	return nil
}

// hold returns a file that says that a side holds in position 0, with the moves of choose.
func (g *loops) hold(claim proof.Claim, database *table, choose func(p int) int) file {
	h := &holder{g: g, choose: choose, open: map[[2]int]bool{}, ahead: map[[2]int]uint64{}, numbers: map[[2]int]uint64{}}
	h.decided = func(p int) bool {
		_, held, _ := database.Value(strconv.Itoa(p))
		return held || len(g.moves[p]) == 0
	}
	f := file{header: proof.Header{Game: "loops", Root: "0", Claims: []proof.Claim{claim}, Repeats: true}}
	if database != nil {
		f.header.Database = database.Checksum()
	}
	c := claimProof{root: h.add(0, claim.Side == proof.Mover)}
	if c.nodes = h.nodes; c.root > 0 {
		h.node(c.root).Uses++
	}
	f.claims = []claimProof{c}
	return f
}

// table is a database of some positions.
type table map[string]games.Value

func (t *table) Checksum() string { return "0123456789abcdef" }
func (t *table) Value(position string) (games.Value, bool, error) {
	if t == nil {
		return 0, false, nil
	}
	v, ok := (*t)[position]
	return v, ok, nil
}

func (g *loops) check(f file, database *table) error {
	data, err := f.bytes()
	if err != nil {
		return err
	}
	r, err := proof.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	o := proof.CheckOptions{}
	if database != nil {
		o.Database = database
	}
	_, err = proof.Check(context.Background(), r, games.Game[int, int](g), o)
	return err
}

// TestRepeats proves what is held in random games, over databases of some positions too.
// Where the side does not hold, nothing that looks like such a proof is accepted, whatever
// moves it has.
func TestRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	held, ahead, refused := 0, 0, 0
	graphs := 3000
	if race.Enabled {
		graphs = 100
	}
	for range graphs {
		g := randomLoops(rng)
		values := g.values()
		var database *table
		if rng.IntN(2) == 0 {
			database = &table{}
			for p := range g.moves {
				if p > 0 && rng.IntN(5) == 0 {
					(*database)[strconv.Itoa(p)] = map[games.Result]games.Value{games.Won: games.Win(1), games.Drawn: games.Draw, games.Lost: games.Loss(2)}[values[p]]
				}
			}
		}
		for _, claim := range []proof.Claim{moverHolds, otherHolds} {
			holds := func(p int, claimantToMove bool) bool {
				return claimantToMove && values[p] != games.Lost || !claimantToMove && values[p] != games.Won
			}
			if !holds(0, claim.Side == proof.Mover) {
				for range 5 {
					f := g.hold(claim, database, func(p int) int { return g.moves[p][rng.IntN(len(g.moves[p]))] })
					require.ErrorIs(t, g.check(f, database), proof.ErrRefused, "%+v", g)
					refused++
				}
				continue
			}
			f := g.hold(claim, database, func(p int) int {
				return g.moves[p][slices.IndexFunc(g.moves[p], func(q int) bool { return holds(q, false) })]
			})
			require.NoError(t, g.check(f, database), "%+v", g)
			held++
			if slices.ContainsFunc(f.claims[0].nodes, func(n proof.Node) bool { return n.Kind == proof.Keeps }) {
				ahead++
			}
		}
	}
	require.Greater(t, held, graphs*2/3)
	require.Greater(t, ahead, graphs/6)
	require.Greater(t, refused, graphs*2/3)
}

// TestRepeatsRefused has files refused that rest on nodes ahead in a wrong way. In the game
// 0 leads to 1 and 2, both lead back to 0, and 2 also to a lost position. 4 leads to 1.
func TestRepeatsRefused(t *testing.T) {
	g := &loops{[][]int{{1, 2}, {0}, {0, 3}, {}, {1}}, []bool{3: true, 4: false}}
	const database = "0123456789abcdef"
	ahead := func(uses uint64, kind proof.Kind, p string) proof.Node {
		return proof.Node{Kind: kind, Uses: uses, Position: []byte(p)}
	}
	or := func(uses uint64, p, move string, child uint64) proof.Node {
		return proof.Node{Kind: proof.Or, Uses: uses, Rank: 5, Position: []byte(p), Move: []byte(move), Children: []uint64{child}}
	}
	and := func(uses uint64, p string, child uint64) proof.Node {
		return proof.Node{Kind: proof.And, Uses: uses, Rank: 3, Position: []byte(p), Children: []uint64{child}}
	}
	keeps := func(ahead, node uint64) proof.Node {
		return proof.Node{Kind: proof.Keeps, Children: []uint64{ahead, node}}
	}
	mover := func(nodes ...proof.Node) file {
		return file{proof.Header{Game: "loops", Root: "0", Claims: []proof.Claim{moverHolds}, Repeats: true}, []claimProof{{nodes, 3}}}
	}
	good := mover(ahead(2, proof.Ahead, "0"), and(1, "1", 1), or(2, "0", "1", 2), keeps(1, 3))
	require.NoError(t, g.check(good, nil))
	wins := good.clone()
	wins.header.Claims = []proof.Claim{moverWins}
	plain := good.clone()
	plain.header.Repeats = false
	named := good.clone()
	named.header.Database = database
	misnamed := good.clone()
	misnamed.header.Database = "0123456789ABCDEF"
	for _, c := range []struct {
		name string
		file file
		want string
	}{
		{"a win", wins, "a win cannot rest on positions that come again"},
		{"not in the header", plain, "kind 6: there is none in a file without repeats"},
		{"never kept", mover(ahead(1, proof.Ahead, "0"), and(1, "1", 1), or(1, "0", "1", 2)), "the last reference to node 1, which is ahead, does not keep it"},
		{"never kept, and said to be used again", mover(ahead(2, proof.Ahead, "0"), and(1, "1", 1), or(1, "0", "1", 2)), "1 nodes are referred to less often"},
		{"kept too early", mover(ahead(3, proof.Ahead, "0"), and(1, "1", 1), or(2, "0", "1", 2), keeps(1, 3)), "1 more references to it are to come"},
		{"kept twice", mover(ahead(2, proof.Ahead, "0"), and(1, "1", 1), or(3, "0", "1", 2), keeps(1, 3), keeps(1, 3)), "was kept already"},
		{"kept by itself", mover(ahead(2, proof.Ahead, "0"), and(1, "1", 1), or(1, "0", "1", 2), keeps(1, 1)), "has children [1 1]"},
		{"kept by another one ahead", mover(ahead(2, proof.Ahead, "0"), ahead(2, proof.Ahead, "0"), and(1, "1", 1), keeps(1, 2)), "node 2 is ahead itself"},
		{"kept by another position", mover(ahead(2, proof.Ahead, "0"), and(1, "1", 1), or(2, "4", "1", 2), keeps(1, 3)), `node 1, ahead, is position "0", and node 3, which is to keep it, "4"`},
		{"kept with another side to move", mover(ahead(2, proof.AheadReply, "0"), and(1, "1", 1), or(2, "0", "1", 2), keeps(1, 3)), "the same side is the claimant to move"},
		{"what is not ahead is kept", mover(ahead(1, proof.Ahead, "0"), and(2, "1", 1), or(2, "0", "1", 2), keeps(2, 3)), "the last reference to node 1"},
		{"a way out", mover(ahead(2, proof.Ahead, "0"), and(1, "2", 1), or(2, "0", "2", 2), keeps(1, 3)), `the reply "3" decides the game`},
		{"finished", mover(ahead(2, proof.Ahead, "3"), and(1, "1", 1), or(2, "0", "1", 2), keeps(1, 3)), "node 1, position \"3\": proof refused: the game is decided there (loss in 0)"},
		{"no database", named, "it rests on a database of checksum " + database + ", and there is none"},
		{"no checksum", misnamed, "want its logical checksum"},
	} {
		err := g.check(c.file, nil)
		require.ErrorContains(t, err, c.want, c.name)
	}
	require.ErrorContains(t, g.check(good, &table{}), "it names no database")
	require.NoError(t, g.check(named, &table{}))
	named.header.Database = "fedcba9876543210"
	require.ErrorContains(t, g.check(named, &table{}), "and this one has "+database)
	require.ErrorContains(t, g.check(mover(ahead(2, proof.Ahead, "0"), and(1, "1", 1), or(2, "0", "1", 2), keeps(1, 3)), &table{"1": games.Draw}), "it names no database")
	named.header.Database = database
	require.ErrorContains(t, g.check(named, &table{"1": games.Draw}), "the game is decided there")
}

// TestRepeatsGraph walks through a proof with a node ahead.
func TestRepeatsGraph(t *testing.T) {
	g := &loops{[][]int{{1}, {2}, {3}, {0}}, make([]bool, 4)}
	data, err := g.hold(moverHolds, nil, func(p int) int { return g.moves[p][0] }).bytes()
	require.NoError(t, err)
	graph, err := proof.OpenGraph(context.Background(), bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	require.Equal(t, proof.Counts{Nodes: 5, Or: 2, And: 2, Ahead: 1, References: 6}, graph.Counts())
	number := graph.Root(0)
	var walked []string
	for range 6 {
		n, err := graph.Node(0, number)
		require.NoError(t, err)
		walked = append(walked, string(n.Position))
		number = n.Children[0]
	}
	require.Equal(t, []string{"0", "1", "2", "3", "0", "1"}, walked)
}

// unreadable is a database that cannot be read.
type unreadable struct{ table }

var errUnreadable = errors.New("unreadable")

func (f *unreadable) Value(string) (games.Value, bool, error) { return 0, false, errUnreadable }

func TestDatabaseFails(t *testing.T) {
	g := &loops{[][]int{{1}, {0}}, make([]bool, 2)}
	f := g.hold(moverHolds, &table{}, func(p int) int { return g.moves[p][0] })
	data, err := f.bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	_, err = proof.Check(context.Background(), r, games.Game[int, int](g), proof.CheckOptions{Database: &unreadable{}})
	require.ErrorIs(t, err, errUnreadable)
}
