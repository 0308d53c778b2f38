package solver

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/tictactoe"
)

// distinct checks that positions of random games have the same hash exactly if
// they are the same, that the hash does not depend on the hasher, and that it
// costs no memory.
func distinct[P, M comparable](t *testing.T, g games.Game[P, M]) {
	t.Helper()
	h, other := games.NewHasher(g), games.NewHasher(g)
	rng := rand.New(rand.NewPCG(31, 32))
	seen, bits := map[uint64]P{}, [64]int{}
	count := 0
	for range 400 {
		p := g.Start()
		for range 30 {
			moves := g.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			p = g.Play(p, moves[rng.IntN(len(moves))])
			hash := h.Hash(&p)
			require.Equal(t, hash, other.Hash(&p))
			was, ok := seen[hash]
			if !ok {
				seen[hash] = p
				for i := range bits {
					bits[i] += int(hash >> i & 1)
				}
				count++
				continue
			}
			require.Equal(t, was, p)
		}
	}
	for i, ones := range bits {
		require.InDelta(t, 0.5, float64(ones)/float64(count), 0.1, "bit %d", i)
	}
	p := g.Start()
	require.Zero(t, testing.AllocsPerRun(100, func() { h.Hash(&p) }))
}

func TestHash(t *testing.T) {
	five, err := gomoku.Family.Open("gomoku")
	require.NoError(t, err)
	distinct(t, five)
	distinct(t, dobutsu.New())
	distinct(t, tictactoe.Game{})
	distinct(t, textual[gomoku.Position, gomoku.Square]{five})
	distinct(t, textual[dobutsu.Position, dobutsu.Move]{dobutsu.New()})
	distinct(t, textual[tictactoe.Position, tictactoe.Move]{tictactoe.Game{}})
}

// written is a position as text, which is hashed as such.
type written struct{ text string }

// textual is a game whose positions are texts.
type textual[P, M comparable] struct{ g games.Game[P, M] }

func (x textual[P, M]) write(p P) written { return written{string(x.g.AppendPosition(nil, p))} }

func (x textual[P, M]) read(w written) P {
	p, err := x.g.ParsePosition(w.text)
	if err != nil {
		panic(err)
	}
	return p
}

func (x textual[P, M]) Name() string                                { return x.g.Name() }
func (x textual[P, M]) Start() written                              { return x.write(x.g.Start()) }
func (x textual[P, M]) Outcome(p written) (games.Value, bool)       { return x.g.Outcome(x.read(p)) }
func (x textual[P, M]) AppendMoves(dst []M, p written) []M          { return x.g.AppendMoves(dst, x.read(p)) }
func (x textual[P, M]) Play(p written, m M) written                 { return x.write(x.g.Play(x.read(p), m)) }
func (x textual[P, M]) AppendPosition(dst []byte, p written) []byte { return append(dst, p.text...) }
func (x textual[P, M]) AppendMove(dst []byte, p written, m M) []byte {
	return x.g.AppendMove(dst, x.read(p), m)
}
func (x textual[P, M]) ParsePosition(text string) (written, error) {
	p, err := x.g.ParsePosition(text)
	return x.write(p), err
}

func (x textual[P, M]) Canonical(p written) written {
	return x.write(x.g.(games.Canonicalizer[P]).Canonical(x.read(p)))
}

func (x textual[P, M]) Layer(p written) int { return x.g.(games.Layerer[P]).Layer(x.read(p)) }
