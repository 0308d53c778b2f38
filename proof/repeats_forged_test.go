//go:build !race

package proof_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

var forgeries = flag.Int("proof.forgeries", 300, "number of random games whose proofs are forged")

// images is loops with two images of each position: p and p+len(moves). Moves lead to
// either.
type images struct{ *loops }

func (g images) Canonical(p int) int { return p % len(g.moves) }
func (g images) Outcome(p int) (games.Value, bool) {
	return g.loops.Outcome(g.Canonical(p))
}
func (g images) AppendMoves(dst []int, p int) []int {
	for i, q := range g.moves[g.Canonical(p)] {
		dst = append(dst, q+(p+q+i)%2*len(g.moves))
	}
	return dst
}
func (g images) AppendMove(dst []byte, _ int, m int) []byte {
	return strconv.AppendInt(dst, int64(g.Canonical(m)), 10)
}
func (g images) ParsePosition(text string) (int, error) {
	p, err := strconv.Atoi(text)
	if err == nil && (p < 0 || p >= 2*len(g.moves)) {
		err = strconv.ErrRange
	}
	return p, err
}

// appendRaw writes a node, whatever is wrong with it.
func appendRaw(dst []byte, n *proof.Node, number uint64) []byte {
	text := func(t []byte) { dst = append(binary.AppendUvarint(dst, uint64(len(t))), t...) }
	dst = append(dst, byte(n.Kind))
	if n.Kind == proof.Keeps {
		for _, c := range n.Children {
			dst = binary.AppendUvarint(dst, number-c)
		}
		return dst
	}
	dst = binary.AppendUvarint(dst, n.Uses)
	if n.Kind != proof.Ahead && n.Kind != proof.AheadReply {
		dst = binary.AppendUvarint(dst, n.Rank)
	}
	text(n.Position)
	switch n.Kind {
	case proof.Or:
		text(n.Move)
		if len(n.Children) == 0 {
			return append(dst, 0)
		}
		return binary.AppendUvarint(dst, number-n.Children[0])
	case proof.And:
		dst = binary.AppendUvarint(dst, uint64(len(n.Children)))
		for _, c := range slices.Backward(n.Children) {
			dst = binary.AppendUvarint(dst, number-c)
			number = c
		}
	case proof.Certified, proof.CertifiedReply:
		text(n.Certificate)
	case proof.Searched, proof.SearchedReply:
		dst = binary.AppendUvarint(dst, n.Positions)
	}
	return dst
}

// raw returns the nodes of a file.
func (f file) raw() (data []byte) {
	for _, c := range f.claims {
		number := uint64(1)
		for i := range c.nodes {
			data = appendRaw(data, &c.nodes[i], number)
			if c.nodes[i].Kind != proof.Keeps {
				number++
			}
		}
		data = append(data, 5)
		distance := uint64(0)
		if c.root > 0 {
			distance = number - c.root
		}
		data = binary.AppendUvarint(data, distance)
	}
	return data
}

// forge changes something in a file.
func forge(rng *rand.Rand, f *file, positions int) {
	c := &f.claims[rng.IntN(len(f.claims))]
	if len(c.nodes) == 0 {
		return
	}
	i := rng.IntN(len(c.nodes))
	n := &c.nodes[i]
	other := &c.nodes[rng.IntN(len(c.nodes))]
	some := func() uint64 { return 1 + rng.Uint64N(uint64(len(c.nodes))) }
	switch rng.IntN(16) {
	case 0:
		n.Uses += rng.Uint64N(3) - 1
	case 1:
		n.Rank += rng.Uint64N(5) - 2
	case 2:
		n.Kind = proof.Kind(1 + rng.IntN(8))
	case 3:
		n.Position = strconv.AppendInt(nil, int64(rng.IntN(positions)), 10)
	case 4:
		n.Move = strconv.AppendInt(nil, int64(rng.IntN(positions)), 10)
	case 5, 6:
		if len(n.Children) > 0 {
			n.Children[rng.IntN(len(n.Children))] = some()
		}
	case 7:
		if len(n.Children) > 0 && n.Kind != proof.Keeps {
			at := rng.IntN(len(n.Children))
			n.Children = slices.Delete(n.Children, at, at+1)
		}
	case 8:
		if n.Kind != proof.Keeps {
			n.Children = append(n.Children, some())
			slices.Sort(n.Children)
		}
	case 9:
		*n, *other = *other, *n
	case 10:
		c.nodes = slices.Delete(c.nodes, i, i+1)
	case 11:
		c.nodes = slices.Insert(c.nodes, i, proof.Node{Kind: proof.Keeps, Children: []uint64{some(), some()}})
	case 12:
		c.nodes = slices.Insert(c.nodes, i, proof.Node{Kind: proof.Ahead + proof.Kind(rng.IntN(2)), Uses: 1 + rng.Uint64N(3), Position: other.Position})
	case 13:
		c.root = some()
	case 14:
		n.Kind, n.Rank, n.Children = []proof.Kind{proof.Ahead, proof.AheadReply}[n.Kind%2], 0, nil
	case 15:
		d := &f.claims[rng.IntN(len(f.claims))]
		if len(d.nodes) > 0 {
			c.nodes[i] = d.nodes[rng.IntN(len(d.nodes))]
		}
	}
}

// settleUses gives nodes the uses that they have, so that more is wrong than a number.
func settleUses(f *file) {
	for _, c := range f.claims {
		uses := map[uint64]uint64{c.root: 1}
		for _, n := range c.nodes {
			for _, child := range n.Children {
				uses[child]++
			}
		}
		number := uint64(0)
		for i := range c.nodes {
			if c.nodes[i].Kind != proof.Keeps {
				number++
				c.nodes[i].Uses = uses[number]
			}
		}
	}
}

// TestForgedRepeats changes proofs that rest on repetition in random ways: what is still
// accepted must be true.
func TestForgedRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, uint64(*forgeries)))
	accepted, changed, refused := 0, 0, 0
	for range *forgeries {
		plain := randomLoops(rng)
		g := images{plain}
		values := plain.values()
		var database *table
		if rng.IntN(3) == 0 {
			database = &table{}
			for p := range plain.moves {
				if p > 0 && len(plain.moves[p]) > 0 && rng.IntN(5) == 0 {
					v := map[games.Result]games.Value{games.Won: games.Win(1), games.Drawn: games.Draw, games.Lost: games.Loss(2)}[values[p]]
					(*database)[strconv.Itoa(p)], (*database)[strconv.Itoa(p+len(plain.moves))] = v, v
				}
			}
		}
		holds := func(p int, claimantToMove bool) bool {
			return claimantToMove && values[p] != games.Lost || !claimantToMove && values[p] != games.Won
		}
		var original file
		for _, claim := range []proof.Claim{moverHolds, otherHolds} {
			truth := holds(0, claim.Side == proof.Mover)
			if rng.IntN(3) == 0 && len(original.claims) > 0 {
				continue
			}
			f := plain.hold(claim, database, func(p int) int {
				if i := slices.IndexFunc(plain.moves[p], func(q int) bool { return holds(q, false) }); i >= 0 && (truth || rng.IntN(2) == 0) {
					return plain.moves[p][i]
				}
				return plain.moves[p][rng.IntN(len(plain.moves[p]))]
			})
			if len(original.claims) > 0 {
				f.header.Claims = append(original.header.Claims, claim)
			}
			f.claims = append(original.claims, f.claims...)
			original = f
		}
		right := original.raw()
		for range 12 {
			f := original.clone()
			for range 1 + rng.IntN(3) {
				forge(rng, &f, 2*len(plain.moves))
			}
			if rng.IntN(8) == 0 {
				f.header.Claims[rng.IntN(len(f.header.Claims))] = []proof.Claim{moverWins, moverHolds, otherWins, otherHolds}[rng.IntN(4)]
			}
			if rng.IntN(2) == 0 {
				settleUses(&f)
			}
			if h := f.header; len(h.Claims) == 2 && (h.Claims[0] == h.Claims[1] || h.Claims[0].Goal != proof.Hold || h.Claims[1].Goal != proof.Hold) {
				continue
			}
			if f.header.Claims[0].Goal == proof.Win {
				f.header.Repeats = false
			}
			raw := f.raw()
			if rng.IntN(3) == 0 {
				raw[rng.IntN(len(raw))] ^= 1 << rng.IntN(8)
			}
			r, err := proof.NewReader(bytes.NewReader(proof.WrapNodes(f.header, raw)))
			require.NoError(t, err)
			o := proof.CheckOptions{}
			if database != nil {
				o.Database = database
			}
			if _, err := proof.Check(context.Background(), r, games.Game[int, int](g), o); err != nil {
				refused++
				continue
			}
			accepted++
			if !bytes.Equal(raw, right) {
				changed++
			}
			for _, claim := range f.header.Claims {
				value := values[0]
				if claim.Side == proof.Other {
					value = -value
				}
				require.True(t, value == games.Won || claim.Goal == proof.Hold && value == games.Drawn, "%v %+v %+v", claim, plain, f)
			}
		}
	}
	t.Logf("%d accepted, of which %d are not as they were, %d refused", accepted, changed, refused)
	require.Greater(t, changed, *forgeries/30)
}

// TestKeepsTakeWork has more work in records that keep than a file may take.
func TestKeepsTakeWork(t *testing.T) {
	const replies = 520
	g := &working{loops: loops{make([][]int, replies+1), make([]bool, replies+1)}}
	c := claimProof{root: 2*replies + 1}
	for p := 1; p <= replies; p++ {
		g.moves[0], g.moves[p] = append(g.moves[0], p), []int{0}
		c.nodes = append(c.nodes, proof.Node{Kind: proof.AheadReply, Uses: 2, Position: []byte("0")})
	}
	root := proof.Node{Kind: proof.And, Uses: replies + 1, Rank: 2, Position: []byte("0")}
	for p := 1; p <= replies; p++ {
		c.nodes = append(c.nodes, proof.Node{Kind: proof.Or, Uses: 1, Rank: 1, Position: []byte(strconv.Itoa(p)), Move: []byte("0"), Children: []uint64{uint64(p)}})
		root.Children = append(root.Children, uint64(replies+p))
	}
	c.nodes = append(c.nodes, root)
	for p := uint64(1); p <= replies; p++ {
		c.nodes = append(c.nodes, proof.Node{Kind: proof.Keeps, Children: []uint64{p, c.root}})
	}
	data, err := file{proof.Header{Game: "loops", Root: "0", Claims: []proof.Claim{otherHolds}, Repeats: true}, []claimProof{c}}.bytes()
	require.NoError(t, err)
	check := func(work int64) (int64, error) {
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		g.work = int(work)
		return proof.CheckSteps(context.Background(), r, games.Game[int, int](g))
	}
	none, err := check(0)
	require.NoError(t, err)
	one, err := check(1)
	require.NoError(t, err)
	limit := proof.AllowedWork(uint64(len(data)))
	_, err = check((limit - none) / (one - none))
	require.NoError(t, err)
	_, err = check((limit-none)/(one-none) + 1)
	require.ErrorIs(t, err, proof.ErrLimit)
}

// working is loops with positions that take some work each.
type working struct {
	loops
	work int
}

func (g *working) PositionWork() int { return g.work }
