package gomoku

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gametest"
)

func open(t testing.TB, spec string) *Game {
	t.Helper()
	g, err := Family.Open(spec)
	require.NoError(t, err)
	return g
}

func TestConformance(t *testing.T) {
	for _, spec := range []string{
		"gomoku:size=3x3,k=3",
		"gomoku:size=2x9,k=3",
		"gomoku:size=5x4,k=4,rule=exact",
		"gomoku:size=6x6,k=4",
		"gomoku:size=6x7,rule=exact",
	} {
		t.Run(spec, func(t *testing.T) {
			g := open(t, spec)
			require.Equal(t, spec, g.Name())
			gametest.Run(t, g)
		})
	}
}

func FuzzText(f *testing.F) { gametest.FuzzText(f, open(f, "gomoku:size=5x6,k=4")) }

func TestPerft(t *testing.T) {
	// Tic-tac-toe, and 15 by 15 by hand.
	gametest.Perft(t, open(t, "gomoku:size=3x3,k=3"), "startpos", 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
	gametest.Perft(t, open(t, "gomoku"), "startpos", 225, 225*224)
	// One of the fourteen moves wins at once.
	gametest.Perft(t, open(t, "gomoku:size=2x9,k=3"), "xx7/oo7 x", 14, 13*13)
}

// hasLinePlainly tells plainly whether a side has a winning line.
func hasLinePlainly(g *Game, p Position, side Side) bool {
	at := func(row, column int) bool {
		if row < 0 || row >= g.rows || column < 0 || column >= g.columns {
			return false
		}
		who, ok := p.At(SquareAt(row, column))
		return ok && who == side
	}
	for row := range g.rows {
		for column := range g.columns {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				if at(row-d[0], column-d[1]) {
					continue
				}
				n := 0
				for at(row+n*d[0], column+n*d[1]) {
					n++
				}
				if n == g.k || n > g.k && !g.exact {
					return true
				}
			}
		}
	}
	return false
}

// randomPosition fills a random part of the board at random.
func randomPosition(g *Game, rng *rand.Rand) Position {
	var p Position
	part, share := rng.Float64(), 0.3+0.4*rng.Float64()
	for s := range g.squares.All() {
		if rng.Float64() < part {
			side := Black
			if rng.Float64() < share {
				side = White
			}
			p.stones[side].Add(s)
		}
	}
	p.toMove = Side(rng.IntN(2))
	return p
}

var shapes = []string{
	"gomoku:size=3x3,k=3", "gomoku:size=2x20,k=3,rule=exact", "gomoku:size=20x20", "gomoku:size=20x20,rule=exact",
	"gomoku:size=4x7,k=4,rule=exact", "gomoku:size=9x6,k=3,rule=exact", "gomoku:size=15x15,k=6",
	"gomoku:size=20x3,k=7", "gomoku:size=20x20,k=20", "gomoku:size=3x3,k=4",
}

func TestLinesAgainstPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, spec := range shapes {
		g := open(t, spec)
		found := 0
		for range 500 {
			p := randomPosition(g, rng)
			want := hasLinePlainly(g, p, p.toMove.Opponent())
			_, finished := g.Outcome(p)
			full := g.EmptySquares(p)
			require.Equal(t, want || full.Empty(), finished, "%s", g.AppendPosition(nil, p))
			if want {
				found++
			}
		}
		if g.k <= max(g.rows, g.columns) && g.k < 10 {
			require.Positive(t, found, spec)
		}
	}
}

// TestLinesAtEdges has lines everywhere, with stones on the squares that are next by
// number: at an edge these lie in other rows and do not lengthen the line.
func TestLinesAtEdges(t *testing.T) {
	for _, spec := range []string{"gomoku:size=20x20", "gomoku:size=20x20,rule=exact", "gomoku:size=5x20,rule=exact"} {
		g := open(t, spec)
		for s := range g.squares.All() {
			for _, d := range directions {
				for _, steps := range [][]int{{0, 1, 2, 3, 4}, {-1, 0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 5}} {
					p := Position{toMove: White}
					for _, i := range steps {
						if at := int(s) + i*int(d); at >= 0 && at < MaxSquares && g.squares.Has(Square(at)) {
							p.stones[Black].Add(Square(at))
						}
					}
					_, finished := g.Outcome(p)
					require.Equal(t, hasLinePlainly(g, p, Black), finished, "%s", g.AppendPosition(nil, p))
				}
			}
		}
	}
}

// TestBoardIsOnePiece guards the speed of several goroutines, each with a board of its own.
func TestBoardIsOnePiece(t *testing.T) {
	for _, spec := range shapes {
		g := open(t, spec)
		var b *Board
		require.Equal(t, 1.0, testing.AllocsPerRun(10, func() { b = g.NewBoard(g.Start()) }), spec)
		require.NotNil(t, b)
	}
}

// TestBoardAgainstPlain compares a board, after random placing and removing, with
// what plain rules say of its stones.
func TestBoardAgainstPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, spec := range shapes {
		g := open(t, spec)
		b := g.NewBoard(g.Start())
		squares := g.AppendMoves(nil, g.Start())
		for step := range 1500 {
			s := squares[rng.IntN(len(squares))]
			p := b.Position(Black)
			if side, taken := p.At(s); taken {
				b.Remove(s, side)
			} else if rng.IntN(4) > 0 || step%2 == 0 {
				b.Place(s, Side(rng.IntN(2)))
			}
			if step%29 != 0 {
				continue
			}
			p = b.Position(Black)
			require.Equal(t, g.NewBoard(p).counts, b.counts)
			require.Equal(t, g.NewBoard(p).lines, b.lines)
			require.Equal(t, g.NewBoard(p).key, b.key)
			for side := Black; side <= White; side++ {
				won := hasLinePlainly(g, p, side)
				require.Equal(t, won, b.HasWon(side), "%s", g.AppendPosition(nil, p))
				if won {
					continue
				}
				fives := b.Fives(side)
				for s := range g.squares.All() {
					if _, taken := p.At(s); taken {
						continue
					}
					q := p
					q.stones[side].Add(s)
					require.Equal(t, hasLinePlainly(g, q, side), fives.Has(s), "%v %v: %s", side, s, g.AppendPosition(nil, p))
				}
			}
		}
	}
}

// TestKeys checks that equal stones have equal keys, and other stones others.
func TestKeys(t *testing.T) {
	g := open(t, "gomoku:size=3x3,k=3")
	seen := map[Key]Position{}
	for code := range 19683 {
		var p Position
		for i, n := 0, code; i < 9; i, n = i+1, n/3 {
			if n%3 > 0 {
				p.stones[n%3-1].Add(SquareAt(i/3, i%3))
			}
		}
		key := g.NewBoard(p).Key()
		_, taken := seen[key]
		require.False(t, taken, "two positions with one key")
		seen[key] = p
	}
}

// TestBuiltKeys builds two boards whose keys would be equal if they were the same in every run: it finds
// stones whose keys cancel out, and shares them out. Only the first halves of the keys are equal.
func TestBuiltKeys(t *testing.T) {
	g := open(t, "gomoku")
	state := uint64(0)
	known := map[Square]Key{}
	for s := range Square(MaxSquares) {
		known[s] = Key{splitmix(&state), splitmix(&state)}
	}
	type row struct {
		key    Key
		stones Set
	}
	var rows [128]*row // by a bit of the key
	reduce := func(x *row) (at int) {
		for i := range rows {
			switch {
			case x.key[i/64]>>(i%64)&1 == 0:
			case rows[i] == nil:
				return i
			default:
				for j := range x.key {
					x.key[j] ^= rows[i].key[j]
				}
				for j := range x.stones {
					x.stones[j] ^= rows[i].stones[j]
				}
			}
		}
		return -1
	}
	var built Set
	for s := range g.squares.All() {
		x := &row{key: known[s]}
		x.stones.Add(s)
		if at := reduce(x); at >= 0 {
			rows[at] = x
		} else {
			built = x.stones
			break
		}
	}
	require.Greater(t, built.Len(), 2)
	var sums [2]Key
	boards := [2]*Board{g.NewBoard(g.Start()), g.NewBoard(g.Start())}
	i := 0
	for s := range built.All() {
		boards[i].Place(s, Black)
		sums[i][0] ^= known[s][0]
		sums[i][1] ^= known[s][1]
		i = 1 - i
	}
	require.Equal(t, sums[0], sums[1])
	require.Equal(t, boards[0].Key()[0], boards[1].Key()[0])
	require.NotEqual(t, boards[0].Key()[1], boards[1].Key()[1])
}

func TestParsePosition(t *testing.T) {
	const start = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x"
	for _, c := range []struct{ spec, text, want string }{
		{"gomoku", start, start},
		{"gomoku", strings.TrimSuffix(start, " x"), start},
		{"gomoku", strings.Repeat(".", 225) + " b", start},
		{"gomoku", strings.Repeat("15/", 7) + "7X......./15/15/15/15/15/15/15", strings.Repeat("15/", 7) + "7x7/15/15/15/15/15/15/15 o"},
		{"gomoku:size=3x3,k=3", "x.o.x...o", "x1o/1x1/2o x"},
		{"gomoku:size=3x3,k=3", "x.o.x...o w", "x1o/1x1/2o o"},
		{"gomoku:size=3x3,k=3", " -x-/1.1/3  o ", "1x1/3/3 o"},
		{"gomoku:size=3x3,k=3", "xxx/oo1/3 o", "xxx/oo1/3 o"},
		{"gomoku:size=2x5,k=4,rule=exact", "xxxxx/oo3 x", "xxxxx/oo3 x"},
	} {
		g := open(t, c.spec)
		p, err := g.ParsePosition(c.text)
		require.NoError(t, err)
		require.Equal(t, c.want, string(g.AppendPosition(nil, p)))
	}
}

func TestParsePositionErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "want 2 fields, got 0: the rows and the side to move"},
		{"3/3/3 x -", "want 2 fields, got 3: the rows and the side to move"},
		{"3/3 x", "want 3 rows with / between, got 2"},
		{"3/3/3/3 x", "want 3 rows with / between, got 4"},
		{"3/4/3 x", "row 2: want 3 squares, got 4"},
		{"3/2/3 x", "row 2: want 3 squares, got 2"},
		{"xxxx/3/3 x", "row 3: want 3 squares, got 4"},
		{"3/3/0x2 x", `row 1: "0" is not a number of empty squares (1 to 3)`},
		{"3/3/99 x", `row 1: "99" is not a number of empty squares (1 to 3)`},
		{"3/1?1/3 x", `row 2, square 2: '?', want x, o, a dot, or a number of empty squares`},
		{"3/1é1/3 x", `row 2, square 2: 'é', want x, o, a dot, or a number of empty squares`},
		{"3/3/3 y", `side to move "y", want x (black) or o (white)`},
		{"oo1/3/x2", "1 x and 2 o: the side to move is unclear; add x or o after the rows"},
		{"xx.......", "2 x and 0 o: the side to move is unclear; add x or o after the rows"},
		{"xo......", "want 3 rows of 3 squares, 9 in all; got 8"},
		{"xo........", "want 3 rows of 3 squares, 9 in all; got 10"},
		{"xo...5...", "row 2: want 3 squares, got 7"},
		{"xxx/oo1/3 x", "black is to move, but has 3 or more in a row already"},
	} {
		_, err := open(t, "gomoku:size=3x3,k=3").ParsePosition(c.text)
		require.EqualError(t, err, `position "`+c.text+`": `+c.want)
	}
	_, err := open(t, "gomoku:size=3x3,k=3,rule=exact").ParsePosition("ooo/xx1/3 o")
	require.EqualError(t, err, `position "ooo/xx1/3 o": white is to move, but has 3 in a row already`)
}

func TestParseMove(t *testing.T) {
	g := open(t, "gomoku:size=12x3,k=3")
	p, err := g.ParsePosition("3/3/3/3/3/3/3/3/3/3/3/1x1 o")
	require.NoError(t, err)
	for _, c := range []struct{ text, want string }{
		{"c12", ""}, {"C12", ""}, {"a1", ""},
		{"b1", "the square is not empty"},
		{"d1", "want a square, a1 to c12"},
		{"a0", "want a square, a1 to c12"},
		{"a01", "want a square, a1 to c12"},
		{"a+1", "want a square, a1 to c12"},
		{"a13", "want a square, a1 to c12"},
		{"a", "want a square, a1 to c12"},
		{"1a", "want a square, a1 to c12"},
	} {
		_, err := g.ParseMove(p, c.text)
		if c.want == "" {
			require.NoError(t, err, c.text)
			continue
		}
		require.EqualError(t, err, `move "`+c.text+`": `+c.want)
	}
	p, err = g.ParsePosition("3/3/3/3/3/3/3/3/3/3/3/xxx o")
	require.NoError(t, err)
	_, err = g.ParseMove(p, "c2")
	require.EqualError(t, err, `move "c2": the game is over (loss in 0)`)
}

func TestOptions(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"gomoku:size=15x15,k=5,rule=free", "gomoku"},
		{"gomoku:size=07x7,k=04", "gomoku:size=7x7,k=4"},
		{"gomoku:rule=exact,size=2x20", "gomoku:size=2x20,rule=exact"},
	} {
		require.Equal(t, c.want, open(t, c.spec).Name())
	}
	const size = "want rows x columns, 2 to 20 each, as in 15x15"
	for _, c := range []struct{ spec, want string }{
		{"gomoku:size=21x15", `gomoku: rule option size="21x15": ` + size},
		{"gomoku:size=15", `gomoku: rule option size="15": ` + size},
		{"gomoku:size=1x15", `gomoku: rule option size="1x15": ` + size},
		{"gomoku:size=3x3x3", `gomoku: rule option size="3x3x3": ` + size},
		{"gomoku:k=2", `gomoku: rule option k="2": want a number, 3 to 20`},
		{"gomoku:k=five", `gomoku: rule option k="five": want a number, 3 to 20`},
		{"gomoku:rule=renju", `gomoku: rule option rule="renju": want one of free, exact`},
	} {
		_, err := Family.Open(c.spec)
		require.EqualError(t, err, c.want)
	}
	_, err := New(Rules{Rows: 15, Columns: 15})
	require.ErrorContains(t, err, "want a number, 3 to 20")
	g, err := New(Rules{7, 8, 4, true})
	require.NoError(t, err)
	require.Equal(t, Rules{7, 8, 4, true}, g.Rules())
	require.Equal(t, "gomoku:size=7x8,k=4,rule=exact", g.Name())
}

// TestSymmetries checks that all images of a position have the same canonical one,
// and which symmetries leave it as it is.
func TestSymmetries(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, spec := range []string{"gomoku:size=4x4,k=3", "gomoku:size=5x3,k=3"} {
		g := open(t, spec)
		for range 100 {
			p := randomPosition(g, rng)
			var fixing []int
			for i := range g.images {
				var stones [2]Set
				for side := range p.stones {
					for s := range p.stones[side].All() {
						stones[side].Add(g.Image(i, s))
					}
				}
				q := NewPosition(stones[Black], stones[White], p.toMove)
				require.Equal(t, g.Canonical(p), g.Canonical(q))
				if i > 0 && p == q {
					fixing = append(fixing, i)
				}
			}
			require.Equal(t, fixing, g.AppendFixing(nil, p))
		}
	}
}
