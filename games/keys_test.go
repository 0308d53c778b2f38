package games

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSeeds(t *testing.T) {
	require.NotEqual(t, FixedSeed, ProcessSeed())
	require.Equal(t, ProcessSeed(), ProcessSeed())
	require.NotEqual(t, DrawSeed(), DrawSeed())
}

// two is a position of two words.
type two [2]uint64

type twoGame struct{ Game[two, int] }

// spelled is a position of any text.
type spelled struct{ text string }

type spelledGame struct{ Game[spelled, int] }

func (spelledGame) AppendPosition(dst []byte, p spelled) []byte { return append(dst, p.text...) }

// TestKeyer checks that a seed determines the keys, and that the bytes that are not a value's own do not
// matter.
func TestKeyer(t *testing.T) {
	seen, texts := map[uint64]bool{}, map[uint64]bool{}
	x := padded{a: 1, b: 2, f: 3}
	for _, seed := range []Seed{FixedSeed, 1, 2, ProcessSeed()} {
		k := NewKeyer[padded, int](paddedGame{}, seed)
		require.Equal(t, k.Key(&x), NewKeyer[padded, int](paddedGame{}, seed).Key(&x))
		for _, y := range []padded{x, {a: 2, b: 2, f: 3}, {a: 1, b: 3, f: 3}, {a: 1, b: 2, f: 4}, {}} {
			require.False(t, seen[k.Key(&y)], "%v %+v", seed, y)
			seen[k.Key(&y)] = true
		}
		text := NewKeyer[spelled, int](spelledGame{}, seed)
		for _, y := range []string{"", "\x00", "\x00\x00", "12345678", "12345678\x00", "123456781"} {
			key := text.Key(&spelled{y})
			require.False(t, texts[key], "%v %q", seed, y)
			texts[key] = true
		}
		require.Zero(t, testing.AllocsPerRun(100, func() { k.Key(&x) }))
	}
}

// TestKeyerDefinition compares keys with the definition of multilinear hashing in whole numbers.
func TestKeyerDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	whole := func(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
	for range 1000 {
		k := NewKeyer[two, int](twoGame{}, Seed(rng.Uint64()))
		p := two{rng.Uint64(), rng.Uint64()}
		sum := new(big.Int)
		for i, word := range []uint64{1, p[0], p[1]} {
			f := new(big.Int).Lsh(whole(k.factors[i].high), 64)
			sum.Add(sum, f.Add(f, whole(k.factors[i].low)).Mul(f, whole(word)))
		}
		sum.Rsh(sum, 64).And(sum, whole(math.MaxUint64))
		require.Equal(t, sum.Uint64(), k.Key(&p))
	}
}

// TestKeyerChance counts how often eight bits of the keys of two positions are equal under many seeds:
// once in 256.
func TestKeyerChance(t *testing.T) {
	const seeds = 1 << 16
	for _, q := range []two{{1, 1}, {0, 2}, {1 << 63, 1}, {0, 1<<63 | 1}, {math.MaxUint64, 1}} {
		p, equal := two{0, 1}, 0
		for seed := range Seed(seeds) {
			k := NewKeyer[two, int](twoGame{}, seed)
			if (k.Key(&p)^k.Key(&q))>>56 == 0 {
				equal++
			}
		}
		require.InDelta(t, seeds/256, equal, 80, "%v", q) // five standard deviations
	}
}

// TestKeyerCollision builds two positions with the same hash, which is the same in every run, and the
// same XXH64 whatever its seed. Their keys differ.
func TestKeyerCollision(t *testing.T) {
	const prime1, prime2 = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f
	inverse := func(x uint64) uint64 { // modulo 2^64, by Newton
		y := x
		for range 6 {
			y *= 2 - x*y
		}
		return y
	}
	rotate := func(x uint64, n int) uint64 { return x<<n | x>>(64-n) }
	// XXH64 adds the word w as round(w), and one turn later the top bit remains the top bit.
	round := func(w uint64) uint64 { return rotate(w*prime2, 31) * prime1 }
	back := func(r uint64) uint64 { return rotate(r*inverse(prime1), 33) * inverse(prime2) }
	h := NewHasher[two, int](twoGame{})
	k := NewKeyer[two, int](twoGame{}, DrawSeed())
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		p := two{rng.Uint64(), rng.Uint64()}
		q := two{back(round(p[0]) ^ rotate(1<<63, 64-27)), back(round(p[1]) ^ 1<<63)}
		require.NotEqual(t, p, q)
		require.Equal(t, h.Hash(&p), h.Hash(&q))
		require.NotEqual(t, k.Key(&p), k.Key(&q))
	}
}
