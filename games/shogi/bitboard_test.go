package shogi

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBitboard compares sets of squares with maps.
func TestBitboard(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	random := func() (Bitboard, map[Square]bool) {
		b, m := Bitboard{}, map[Square]bool{}
		for range rng.IntN(20) {
			s := Square(rng.IntN(squares))
			b, m[s] = b.or(squareBit[s]), true
		}
		return b, m
	}
	list := func(b Bitboard) map[Square]bool {
		m := map[Square]bool{}
		for ; !b.Empty(); b = b.rest() {
			require.True(t, b.Has(b.First()))
			m[b.First()] = true
		}
		return m
	}
	for range 2000 {
		a, inA := random()
		b, inB := random()
		require.Equal(t, inA, list(a))
		require.Equal(t, len(inA), a.Len())
		require.Equal(t, len(inA) == 0, a.Empty())
		require.Equal(t, len(inA) <= 1, a.single())
		both := 0
		for s := range Square(squares) {
			require.Equal(t, inA[s], a.Has(s))
			require.Equal(t, inA[s] && inB[s], a.and(b).Has(s))
			require.Equal(t, inA[s] || inB[s], a.or(b).Has(s))
			require.Equal(t, inA[s] && !inB[s], a.without(b).Has(s))
			require.Equal(t, !inA[s], a.not().Has(s))
			if inA[s] && inB[s] {
				both++
			}
			if inA[s] {
				require.LessOrEqual(t, a.First(), s)
				require.GreaterOrEqual(t, a.last(), s)
			}
		}
		require.Equal(t, both > 0, a.meets(b))
	}
}

// TestSliders compares the attacks of sliders with steps along their lines.
func TestSliders(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	walk := func(s Square, occupied Bitboard, list ...direction) (x Bitboard) {
		for _, d := range list {
			to, ok := offset(s, fileStep[d], rankStep[d])
			for ok {
				x = x.or(squareBit[to])
				if occupied.Has(to) {
					break
				}
				to, ok = offset(to, fileStep[d], rankStep[d])
			}
		}
		return x
	}
	for range 1000 {
		// From nearly empty to nearly full boards.
		occupied, density := Bitboard{}, rng.IntN(100)
		for s := range Square(squares) {
			if rng.IntN(100) < density {
				occupied = occupied.or(squareBit[s])
			}
		}
		for s := range Square(squares) {
			require.Equal(t, walk(s, occupied, north), lanceAttacks(Black, s, occupied))
			require.Equal(t, walk(s, occupied, south), lanceAttacks(White, s, occupied))
			require.Equal(t, walk(s, occupied, north, south, east, west), rookAttacks(s, occupied))
			require.Equal(t, walk(s, occupied, northwest, southwest, northeast, southeast), bishopAttacks(s, occupied))
		}
	}
}

func TestBetween(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"1a", "9i", "2b 3c 4d 5e 6f 7g 8h"},
		{"9i", "6f", "7g 8h"},
		{"1e", "5e", "2e 3e 4e"},
		{"8c", "8a", "8b"},
		{"9a", "6d", "7c 8b"},
		{"5e", "5f", ""},
		{"5e", "4g", ""},
		{"5e", "3h", ""},
		{"5e", "5e", ""},
	} {
		a, err := parseSquare(c.a)
		require.NoError(t, err)
		b, err := parseSquare(c.b)
		require.NoError(t, err)
		for _, set := range []Bitboard{between(a, b), between(b, a)} {
			text := ""
			for ; !set.Empty(); set = set.rest() {
				text += " " + set.First().String()
			}
			require.Equal(t, c.want, text[min(1, len(text)):], "%s %s", c.a, c.b)
		}
	}
	require.Equal(t, "-", NoSquare.String())
}

// TestFilesOf checks whole files for every way to have at most one pawn on each.
func TestFilesOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 5000 {
		var pawns, want Bitboard
		for file := range 9 {
			if rank := rng.IntN(14); rank < 9 {
				pawns = pawns.or(squareBit[SquareAt(file+1, rank+1)])
				want = want.or(fileBits[file])
			}
		}
		require.Equal(t, want, filesOf(pawns))
	}
}

// TestHand compares packed hands with arrays.
func TestHand(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	random := func() (h Hand, count [handKinds]int) {
		for k := Pawn; k <= Gold; k++ {
			for range rng.IntN(inAll[k] + 1) {
				h = h.With(k)
				count[k]++
			}
		}
		return h, count
	}
	for range 20000 {
		a, inA := random()
		b, inB := random()
		if rng.IntN(2) == 0 { // nearly the same
			b, inB = a, inA
			if k := Kind(1 + rng.IntN(7)); inA[k] < inAll[k] && rng.IntN(2) == 0 {
				b = b.With(k)
				inB[k]++
			} else if inA[k] > 0 {
				b = b.Without(k)
				inB[k]--
			}
		}
		covers, n := true, 0
		for k := Pawn; k <= Gold; k++ {
			require.Equal(t, inA[k], a.Count(k))
			require.Equal(t, inA[k] > 0, a.Has(k))
			covers = covers && inA[k] >= inB[k]
			n += inA[k]
		}
		require.Equal(t, n, a.Len())
		require.Equal(t, covers, ((a|HandGuards)-b)&HandGuards == HandGuards, "%v %v", inA, inB)
	}
	require.Equal(t, 38, fullHand.Len())
	require.Zero(t, fullHand&HandGuards)
}
