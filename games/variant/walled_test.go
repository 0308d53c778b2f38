package variant

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
)

// walledText has small boards of Amazons, one with walls at the start, and games with other pieces and without symmetry.
const walledText = `
[two:amazons]
maxRank = 4
maxFile = d
startFen = 1q1q/4/4/Q1Q1 w - - 0 1

[one:amazons]
maxRank = 3
maxFile = c
startFen = q2/*2/2Q w - - 0 1

[knights:amazons]
maxRank = 3
maxFile = d
customPiece1 = q:mNmW
customPiece2 = b:mB2
startFen = q2b/4/1Q1B b - - 0 1
wallingRegionWhite = *1 *2

[misere:one]
stalemateValue = win
maxFile = d
startFen = q3/4/3Q w - - 0 1
`

func openWalled(t testing.TB, name string) *Walled {
	f, err := Read("walled.ini", strings.NewReader(walledText), BuiltIn())
	require.NoError(t, err)
	g, err := f.Family(name, name).Open(name + ":pieces=start")
	require.NoError(t, err)
	return g.(*Walled)
}

// TestWalled checks the promises of games that are numbered by walls.
func TestWalled(t *testing.T) {
	for _, name := range []string{"one", "two", "knights", "misere"} {
		if name != "one" && testing.Short() {
			continue
		}
		t.Run(name, func(t *testing.T) { gametest.Run[Position, Move](t, openWalled(t, name)) })
	}
}

// plainAmazons counts sequences of moves of Amazons, by rules of its own, from what stands on each square.
func plainAmazons(squares []byte, files int, side byte, depth int) (n uint64) {
	if depth == 0 {
		return 1
	}
	lines := func(from int, do func(to int)) {
		for i := range 9 {
			down, right := i/3-1, i%3-1
			for rank, file := from/files+down, from%files+right; i != 4 && rank >= 0 && rank < len(squares)/files && file >= 0 && file < files &&
				squares[rank*files+file] == '.'; rank, file = rank+down, file+right {
				do(rank*files + file)
			}
		}
	}
	for from := range squares {
		if squares[from] != side {
			continue
		}
		lines(from, func(to int) {
			squares[from], squares[to] = '.', side
			lines(to, func(arrow int) {
				squares[arrow] = '*'
				n += plainAmazons(squares, files, 'Q'+'q'-side, depth-1)
				squares[arrow] = '.'
			})
			squares[from], squares[to] = side, '.'
		})
	}
	return n
}

// TestWalledPerft compares numbers of sequences of moves with those by other rules: Amazons with four amazons a side on 4×4, 4×5
// and 5×4.
func TestWalledPerft(t *testing.T) {
	for board, size := range map[string]string{
		"1qq1/q2q/Q2Q/1QQ1":   "maxRank = 4\nmaxFile = d\n",
		"1qq1/q2q/4/Q2Q/1QQ1": "maxRank = 5\nmaxFile = d\n",
		"1q1q1/q3q/Q3Q/1Q1Q1": "maxRank = 4\nmaxFile = e\n",
	} {
		f, err := Read("walled.ini", strings.NewReader("[amazons-small:amazons]\n"+size+"startFen = "+board+" w - - 0 1\n"), BuiltIn())
		require.NoError(t, err)
		g, err := f.Game("amazons-small")
		require.NoError(t, err)
		squares := strings.NewReplacer("/", "", "1", ".", "2", "..", "3", "...", "4", "....").Replace(board)
		for depth := 1; depth <= 2; depth++ {
			require.Equal(t, plainAmazons([]byte(squares), g.files, 'Q', depth), g.newBoard(&g.start).perft(depth), board)
		}
	}
}

// TestWalledIndex has all indices of small games: each has its own position, or is a hole, and holes are few.
func TestWalledIndex(t *testing.T) {
	for _, name := range []string{"one", "knights"} {
		if name != "one" && testing.Short() {
			continue
		}
		x := openWalled(t, name)
		holes, size := uint64(0), x.tiers[len(x.tiers)-1].Start+x.tiers[len(x.tiers)-1].Size
		for i := range size {
			p, ok := x.Position(i)
			if !ok {
				holes++
				continue
			}
			index, err := x.Index(p)
			require.NoError(t, err)
			require.Equal(t, i, index)
		}
		require.Less(t, holes, size/4)
	}
}

// TestWalledRefused has games whose positions are not numbered by walls, each for another reason.
func TestWalledRefused(t *testing.T) {
	f, err := Read("walled.ini", strings.NewReader(walledText+`
[duck:one]
wallingRule = duck

[taking:one]
customPiece1 = q:Q

[hopping:one]
customPiece1 = q:mpR

[twice:one]
customPiece1 = q:mRmW

[drawn:one]
stalemateValue = draw

[either:one]
wallOrMove = true
`), BuiltIn())
	require.NoError(t, err)
	for _, name := range []string{"duck", "taking", "hopping", "twice", "drawn", "either"} {
		g, err := f.Game(name)
		require.NoError(t, err)
		_, err = g.newWalled(name)
		require.Error(t, err, name)
	}
	large := open(t, "amazons")
	_, err = large.newWalled("amazons")
	require.ErrorContains(t, err, "at most 64")
}

// FuzzWalled reads texts as positions.
func FuzzWalled(f *testing.F) { gametest.FuzzText[Position, Move](f, openWalled(f, "knights")) }

// TestWalledLayer has every move of Amazons on the whole board one layer further on. Chess has no layers.
func TestWalledLayer(t *testing.T) {
	g, err := BuiltIn().Family("amazons", "amazons").Open("amazons")
	require.NoError(t, err)
	layers := g.(games.Layerer[Position])
	rng, p, n := rand.New(rand.NewPCG(1, 2)), g.Start(), 0
	for moves := g.AppendMoves(nil, p); len(moves) > 0; moves = g.AppendMoves(nil, p) {
		require.Equal(t, n, layers.Layer(p))
		p = g.Play(p, moves[rng.IntN(len(moves))])
		n++
	}
	require.Greater(t, n, 20)
	chess, err := BuiltIn().Family("chess", "chess").Open("chess")
	require.NoError(t, err)
	_, ends := chess.(games.Layerer[Position])
	require.False(t, ends)
}
