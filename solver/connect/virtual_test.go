package connect

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/hex"
)

// localGame is about two ends of a link: the side wins if it connects them with its stones and those
// that it puts on the squares of the carrier.
type localGame struct {
	v    *virtual
	a, b int16
	// known has who wins, by the side's stones, the free squares, and the side to move.
	known map[localState]bool
}

type localState struct {
	own, free games.Squares
	toMove    bool
}

// connected reports whether stones connect the ends. Stones at an edge are connected by it.
func (l *localGame) connected(own games.Squares) bool {
	reached, frontier := games.Squares{}, games.Squares{}
	add := func(end int16) {
		if end < 2 {
			frontier = frontier.Or(l.v.edges[l.v.side][end].And(own))
		} else if square := l.v.ends[end].square; square >= 0 {
			frontier = frontier.With(int(square))
		} else {
			frontier = frontier.Or(l.v.ends[end].stones)
		}
	}
	for add(l.a); !frontier.Empty(); {
		square := frontier.First()
		frontier, reached = frontier.Rest(), reached.With(square)
		frontier = frontier.Or(l.v.beside[square].And(own))
		for end := range int16(2) {
			if l.v.edges[l.v.side][end].Has(square) {
				if end == l.b {
					return true
				}
				add(end)
			}
		}
		frontier = frontier.Minus(reached)
	}
	switch square := l.v.ends[l.b].square; {
	case l.b < 2:
		return false
	case square >= 0:
		return reached.Has(int(square))
	}
	return !reached.And(l.v.ends[l.b].stones).Empty()
}

func (l *localGame) wins(s localState) bool {
	if won, ok := l.known[s]; ok {
		return won
	}
	won := l.connected(s.own)
	if !won && !s.free.Empty() {
		won = !s.toMove
		for free := s.free; !free.Empty() && won != s.toMove; free = free.Rest() {
			one := games.Squares{}.With(free.First())
			next := localState{s.own, s.free.Minus(one), !s.toMove}
			if s.toMove {
				next.own = next.own.Or(one)
			}
			won = l.wins(next)
		}
	}
	l.known[s] = won
	return won
}

// TestVirtual compares links with brute force on their carriers, half of the time after stones more.
func TestVirtual(t *testing.T) {
	const largest = 9 // squares of a carrier that is tried
	positions := 400
	if testing.Short() {
		positions = 60
	}
	rng := rand.New(rand.NewPCG(7, 8))
	g, err := hex.Family.Open("hex:size=5x5")
	require.NoError(t, err)
	c := New(BoardOf(g, g), DefaultLimits)
	full, semi, grown := [3]int{}, 0, 0
	for range positions {
		var own, empty games.Squares
		for square := range 25 {
			switch rng.IntN(5) {
			case 0:
				own = own.With(square)
			case 1:
			default:
				empty = empty.With(square)
			}
		}
		side := rng.IntN(2)
		if _, over := c.chain(side, own); over {
			continue
		}
		v, before := &c.frame(0).virtual[side], 0
		v.build(side, own, empty, false)
		for depth := range rng.IntN(3) {
			var stones, gone games.Squares
			for range 3 {
				if square := rng.IntN(25); empty.Has(square) {
					empty = empty.Minus(games.Squares{}.With(square))
					if rng.IntN(3) > 0 {
						stones = stones.With(square)
					} else {
						gone = gone.With(square)
					}
				}
			}
			if _, over := c.chain(side, own.Or(stones)); over {
				break
			}
			base := v
			v, before = &c.frame(depth + 1).virtual[side], len(base.links)
			v.follow(base, stones, gone)
			own = own.Or(stones)
			require.Equal(t, own, v.own)
			grown++
		}
		var numbers []int32
		for number := before; number < len(v.links); number++ {
			numbers = append(numbers, int32(number))
		}
		for i := range len(v.ends) * len(v.ends) {
			a, b := v.ends[i/len(v.ends)].square, v.ends[i%len(v.ends)].square
			if i/len(v.ends) >= i%len(v.ends) || !slices.Contains(v.live, int16(i/len(v.ends))) || !slices.Contains(v.live, int16(i%len(v.ends))) {
				continue
			}
			for _, x := range slices.Concat(v.pairs[i].full, v.pairs[i].semi) {
				numbers = append(numbers, x.number)
				require.False(t, a >= 0 && x.carrier.Has(int(a)) || b >= 0 && x.carrier.Has(int(b)), "the carrier has an end")
			}
		}
		for range 40 {
			x := v.links[numbers[rng.IntN(len(numbers))]]
			x.a, x.b = v.group[x.a], v.group[x.b]
			if x.carrier.Len() > largest {
				continue
			}
			l := localGame{v, x.a, x.b, map[localState]bool{}}
			s := localState{own, x.carrier, false}
			for _, end := range []int16{x.a, x.b} {
				if square := v.ends[end].square; square >= 0 {
					s.own = s.own.With(int(square))
				}
			}
			require.True(t, s.free.And(s.own).Empty(), "the carrier has an end or a stone")
			if x.key >= 0 {
				semi++
				one := games.Squares{}.With(int(x.key))
				require.True(t, s.free.Has(int(x.key)))
				s.own, s.free = s.own.Or(one), s.free.Minus(one)
			} else {
				full[x.rule]++
			}
			require.True(t, l.wins(s), "side %d, own %v, empty %v: link %+v of %+v and %+v", side, own, empty, x, v.ends[x.a], v.ends[x.b])
		}
	}
	t.Logf("full links: %d beside, %d by and, %d by or; %d semi; %d positions with a stone more", full[byBeside], full[byAnd], full[byOr], semi, grown)
	require.Greater(t, min(full[byAnd], full[byOr], semi), positions/2)
	require.Greater(t, grown, positions/10)
}

// TestEffort has moves with more effort together than fits, and one that is not left.
func TestEffort(t *testing.T) {
	n := unsettled{left: games.Squares{0b111111110}}
	for square := range uint8(9) {
		n.moves = append(n.moves, unsettledMove{square, effort{most - 1, most - 1}})
	}
	n.moves[2].loss--
	best, next := n.sum()
	require.Len(t, n.moves, 8)
	require.Equal(t, 1, best)
	require.EqualValues(t, most-1, next)
	require.Equal(t, effort{most - 2, most - 1}, n.effort)
}
