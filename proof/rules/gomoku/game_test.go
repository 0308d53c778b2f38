package gomoku

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
)

func open(t testing.TB, spec string) *Game {
	g, ok := Open(spec)
	require.True(t, ok, spec)
	return g
}

// tiny opens also games that are too small for files.
func tiny(t testing.TB, spec string) *Game {
	g, ok := parseGame(spec)
	require.True(t, ok, spec)
	return g
}

// TestHasWon puts runs of k-1 to k+2 stones, with a stone or a gap beside them, on windows, and
// compares with a look at each square of each window.
func TestHasWon(t *testing.T) {
	for _, spec := range []string{"gomoku:size=5x7,k=4", "gomoku:size=5x7,k=4,rule=exact", "gomoku:size=7x5,k=3,rule=exact", "gomoku:size=3x3,k=3",
		"gomoku:size=1x9,k=2,rule=exact", "gomoku", "gomoku:rule=exact", "gomoku:size=20x20,k=20", "gomoku:size=20x20,k=9,rule=exact"} {
		g := tiny(t, spec)
		p := newPlain(g, g.Start())
		rng := rand.New(rand.NewPCG(1, 2))
		won := 0
		const boards = 4000
		for i := range boards {
			squares := []byte(g.Start().squares)
			for m := range squares {
				squares[m] = []byte{empty, empty, white, white, black}[rng.IntN(5)]
			}
			w := &p.windows[i%len(p.windows)]
			for _, m := range w.squares {
				squares[m] = black
			}
			for _, m := range []int{w.before, w.after} {
				if m >= 0 {
					squares[m] = []byte{empty, white, black}[rng.IntN(3)]
				}
			}
			if rng.IntN(2) == 0 {
				squares[w.squares[rng.IntN(g.k)]] = white
			}
			wins := p.hasWon(string(squares), black)
			require.Equal(t, wins, g.hasWon(string(squares), black), "%s: %s", spec, squares)
			if wins {
				won++
			}
		}
		require.Less(t, won, boards*9/10, spec)
		require.Greater(t, won, boards/8, spec)
	}
}

func TestConformance(t *testing.T) {
	for _, spec := range []string{"gomoku:size=3x4,k=3", "gomoku:size=6x6,k=4,rule=exact"} {
		gametest.Run(t, open(t, spec))
	}
}

func TestOpen(t *testing.T) {
	for _, spec := range []string{"", "tictactoe", "gomoku:", "gomoku:k=5", "gomoku:k=4,size=7x7", "gomoku:size=7x7,k=04",
		"gomoku:size=7x", "gomoku:size=15x15", "gomoku:rule=free", "gomoku:size=7x7,rule=loose", "gomoku:size=07x7", "gomoku:k=33",
		"gomoku:size=1x5,k=3", "gomoku:size=5x1,k=3", "gomoku:size=3x3,k=2", "renju:size=7x7"} {
		_, ok := Open(spec)
		require.False(t, ok, spec)
	}
	for _, spec := range []string{"gomoku:size=0x5", "gomoku:size=5x0", "gomoku:k=0", "gomoku:size=21x5", "gomoku:size=5x21", "gomoku:k=21"} {
		_, ok := parseGame(spec)
		require.False(t, ok, spec)
	}
	for _, spec := range []string{"gomoku", "gomoku:rule=exact", "gomoku:size=15x10", "gomoku:size=10x15", "gomoku:size=2x2,k=3", "gomoku:size=20x20,k=20"} {
		require.Equal(t, spec, open(t, spec).Name())
	}
}

// TestParse reads positions and moves in the one spelling that they have.
func TestParse(t *testing.T) {
	const spec = "gomoku:size=3x12,k=3"
	for text, want := range map[string]string{
		"12/1x10/12 o": "", "10ox/12/x11 x": "", "9xox/12/12 x": "", "xxx9/ooxoox6/12 o": "", "ooxxooxxooxx/12/12 o": "",
		"":                             `side to move "", want x or o`,
		"12/12/12":                     `side to move "", want x or o`,
		"12/12/12 y":                   `side to move "y", want x or o`,
		"12/12/12 xo":                  `side to move "xo", want x or o`,
		"12/12 x":                      "want 3 rows, got 2",
		"12/12/12/12 x":                "want 3 rows, got 4",
		"xxx9/12/12 x":                 "the side to move has won already",
		"012/12/12 x":                  "'0', want x, o or a number of empty squares",
		"x0x10/12/12 x":                "'0', want x, o or a number of empty squares",
		"66/12/12 x":                   "66 empty squares, but a row has 12",
		"13/12/12 x":                   "13 empty squares, but a row has 12",
		"xxx9/12/11e o":                "'e', want x, o or a number of empty squares",
		"99999999999999999999/12/12 x": "99999999999999999999 empty squares, but a row has 12",
		"0/12/12 x":                    "'0', want x, o or a number of empty squares",
		"x10/12/12 x":                  "want 12 squares, got 11",
		"11?/12/12 x":                  "'?', want x, o or a number of empty squares",
		"11./12/12 x":                  "'.', want x, o or a number of empty squares",
		"11:/12/12 x":                  "':', want x, o or a number of empty squares",
		":11/12/12 x":                  "':', want x, o or a number of empty squares",
		".11/12/12 x":                  "'.', want x, o or a number of empty squares",
	} {
		p, err := open(t, spec).ParsePosition(text)
		if want == "" {
			require.NoError(t, err, text)
			require.Equal(t, text, string(open(t, spec).AppendPosition(nil, p)))
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
	wide := open(t, "gomoku:size=2x20")
	_, err := wide.ParsePosition("19x/1x18 o")
	require.NoError(t, err)

	g := open(t, spec)
	for _, c := range []struct{ position, move, want string }{
		{"12/12/x11 o", "b1", ""}, {"12/12/x11 o", "l3", ""}, {"12/12/x11 o", "a1", "the square is not empty"},
		{"12/9xxx/x11 o", "b1", "the game is over (loss in 0)"}, {"12/9xxx/x11 o", "z9", "no square of the board"},
		{"12/12/x11 o", "", "no square of the board"}, {"12/12/x11 o", "a", "no square of the board"}, {"12/12/x11 o", "a0", "no square of the board"},
		{"12/12/x11 o", "b01", "no square of the board"}, {"12/12/x11 o", "b4", "no square of the board"}, {"12/12/x11 o", "m1", "no square of the board"},
		{"12/12/x11 o", "`2", "no square of the board"}, {"12/12/x11 o", "b1x", "no square of the board"}, {"12/12/x11 o", "b99999999999999999999", "no square of the board"},
	} {
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		m, err := g.ParseMove(p, c.move)
		if c.want == "" {
			require.NoError(t, err, c.move)
			require.Equal(t, c.move, string(g.AppendMove(nil, p, m)))
			continue
		}
		require.ErrorContains(t, err, c.want, "%s %s", c.position, c.move)
	}
}

// TestSameRules plays random games by these rules and by package gomoku's.
func TestSameRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	plays := 30
	if testing.Short() {
		plays = 4
	}
	for _, spec := range []string{"gomoku", "gomoku:rule=exact", "gomoku:size=3x3,k=3", "gomoku:size=7x5,k=4", "gomoku:size=5x7,k=4,rule=exact",
		"gomoku:size=6x6,k=3,rule=exact", "gomoku:size=20x20", "gomoku:size=2x9,k=3", "gomoku:size=12x11,k=7"} {
		plain := open(t, spec)
		fast, err := gomoku.Family.Open(spec)
		require.NoError(t, err)
		require.Equal(t, fast.Name(), plain.Name())
		for range plays {
			p, q := plain.Start(), fast.Start()
			for {
				text := string(plain.AppendPosition(nil, p))
				require.Equal(t, string(fast.AppendPosition(nil, q)), text)
				v, finished := plain.Outcome(p)
				fv, fFinished := fast.Outcome(q)
				require.Equal(t, fv, v, text)
				require.Equal(t, fFinished, finished, text)
				// What one calls equal positions the other does too.
				image, err := plain.ParsePosition(string(fast.AppendPosition(nil, fast.Canonical(q))))
				require.NoError(t, err)
				require.Equal(t, plain.Canonical(p), plain.Canonical(image), text)
				canonical, err := fast.ParsePosition(string(plain.AppendPosition(nil, plain.Canonical(p))))
				require.NoError(t, err)
				require.Equal(t, fast.Canonical(q), fast.Canonical(canonical), text)
				moves := plain.AppendMoves(nil, p)
				require.Len(t, fast.AppendMoves(nil, q), len(moves))
				if finished {
					break
				}
				m := moves[rng.IntN(len(moves))]
				move := string(plain.AppendMove(nil, p, m))
				fm, err := fast.ParseMove(q, move)
				require.NoError(t, err)
				p, q = plain.Play(p, m), fast.Play(q, fm)
			}
		}
	}
}

// wins reports whether a side has a forced win, by all moves.
func wins(g *Game, p Position, side byte, known map[Position]bool) bool {
	if v, finished := g.Outcome(p); finished {
		return v == games.Loss(0) && p.toMove != side
	}
	p = g.Canonical(p)
	if w, ok := known[p]; ok {
		return w
	}
	won := p.toMove != side
	for _, m := range g.AppendMoves(nil, p) {
		if wins(g, g.Play(p, m), side, known) != won {
			won = !won
			break
		}
	}
	known[p] = won
	return won
}

// TestPairings makes random certificates for positions of random games: what is
// accepted must be right.
func TestPairings(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	accepted, positions := 0, 600
	if testing.Short() {
		positions = 60
	}
	for _, spec := range []string{"gomoku:size=4x4,k=3", "gomoku:size=4x4,k=4", "gomoku:size=3x5,k=3,rule=exact"} {
		g := open(t, spec)
		known := map[byte]map[Position]bool{black: {}, white: {}}
		for range positions {
			p := g.Start()
			for range rng.IntN(10) {
				if moves := g.AppendMoves(nil, p); len(moves) > 0 {
					p = g.Play(p, moves[rng.IntN(len(moves))])
				}
			}
			if _, finished := g.Outcome(p); finished {
				continue
			}
			moves := g.AppendMoves(nil, p)
			rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
			for pairs := 0; 2*pairs <= len(moves); pairs++ {
				text := []byte("pairing")
				for _, m := range moves[:2*pairs] {
					text = g.AppendMove(append(text, ' '), p, m)
				}
				for _, claimantToMove := range []bool{true, false} {
					if g.CheckCertificate(unlimited(), p, claimantToMove, proof.Hold, text) != nil {
						continue
					}
					accepted++
					attacker := p.toMove
					if claimantToMove {
						attacker = opponent(p.toMove)
					}
					require.False(t, wins(g, p, attacker, known[attacker]), "%s, %s: %s", g.AppendPosition(nil, p), text, spec)
				}
			}
		}
	}
	require.Greater(t, accepted, 2*positions)
}

// plainWeight returns the sum of the weights of all windows in which other has or can have
// stones.
func (g *Game) plainWeight(squares []byte, other byte, pair []uint8) (total uint64) {
	for _, w := range g.plainWindows() {
		count := map[uint8]int{} // of empty squares in each pair
		for _, m := range w.squares {
			if squares[m] == empty {
				count[pair[m]]++
			}
		}
		open, covered := count[0], false
		delete(count, 0)
		for _, n := range count {
			covered = covered || n == 2
		}
		if g.stones(&w, squares, other) >= 0 && !covered {
			total += one >> open
		}
	}
	return total
}

// TestPairingWeights compares the weight of random pairings with that of the windows of the
// board, one by one.
func TestPairingWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	right, positions := 0, 200
	if testing.Short() {
		positions = 60
	}
	for _, spec := range []string{"gomoku:size=4x6,k=4", "gomoku:size=6x4,k=4,rule=exact", "gomoku:size=5x5", "gomoku:size=5x7,k=4,rule=exact",
		"gomoku:size=20x20", "gomoku:size=20x20,k=20", "gomoku:size=16x19,rule=exact"} {
		g := open(t, spec)
		for range positions {
			squares := []byte(g.Start().squares)
			var moves []Move // to empty squares
			share := rng.IntN(70)
			for _, m := range rng.Perm(len(squares)) {
				if rng.IntN(100) < share {
					squares[m] = []byte{black, white}[rng.IntN(2)]
				} else {
					moves = append(moves, Move(m))
				}
			}
			p := Position{string(squares), []byte{black, white}[rng.IntN(2)]}
			text := []byte("pairing")
			pair := make([]uint8, len(squares))
			for i, m := range moves[:rng.IntN(len(moves)/2+1)&^1] {
				text = g.AppendMove(append(text, ' '), p, m)
				pair[m] = uint8(1 + i/2)
			}
			for _, claimantToMove := range []bool{false, true} {
				other, limit := p.toMove, one/2
				if claimantToMove {
					other, limit = opponent(p.toMove), one
				}
				total := g.plainWeight(squares, other, pair)
				err := g.CheckCertificate(unlimited(), p, claimantToMove, proof.Hold, text)
				if total < limit {
					require.NoError(t, err, "%s %s %s", spec, squares, text)
					right++
					continue
				}
				require.EqualError(t, err, fmt.Sprintf("the windows that no pair covers weigh %d/%d, want less than %d/%d", total, one, limit, one))
			}
			// A game goes on, and squares of pairs are taken.
			for m := range squares {
				if rng.IntN(4) == 0 {
					squares[m] = []byte{black, white}[rng.IntN(2)]
				}
			}
			p.squares = string(squares)
			for _, side := range []byte{black, white} {
				require.Equal(t, g.plainWeight(squares, opponent(side), pair), g.weigh(p, side, pair), "%s %s %s", spec, squares, text)
			}
		}
	}
	require.Greater(t, right, 40)
}

func TestCertificateRefused(t *testing.T) {
	g := open(t, "gomoku:size=3x3,k=3")
	p, err := g.ParsePosition("3/1x1/3 o")
	require.NoError(t, err)
	for _, c := range []struct{ certificate, want string }{
		{"pairing\na1 a2 b1 b2", `"pairing\na1": want squares behind the word pairing`},
		{"pairing\n", `"pairing\n": want squares behind the word pairing`},
		{"pairing a1 a2 b1", "want pairs of squares, got 3"},
		{"pairing a1 a2 b1 a1", "a1 is in two pairs"},
		{"pairing a1 a1", "a1 is in two pairs"},
		{"pairing a1 b2", "b2 is not empty"},
		{"pairing a1 d4", `"d4" is no square of the board`},
		{"pairing a1 a01", `"a01" is no square of the board`},
		{"Pairing", `it is a "Pairing", want a pairing`},
		{" pairing", `it is a "", want a pairing`},
		{"pairing", "want less than"},
		{"", `it is a "", want a pairing`},
	} {
		require.ErrorContains(t, g.CheckCertificate(unlimited(), p, true, proof.Hold, []byte(c.certificate)), c.want)
	}
	require.NoError(t, g.CheckCertificate(unlimited(), p, false, proof.Hold, []byte("pairing a1 b1 c1 c2 c3 b3 a3 a2")), "White's four lines")
	require.NoError(t, g.CheckCertificate(unlimited(), p, false, proof.Hold, []byte("pairing a1 b1 a2 a3")), "a quarter and an eighth are left")
	require.Error(t, g.CheckCertificate(unlimited(), p, false, proof.Hold, []byte("pairing")), "four lines of an eighth are a half")
	require.Error(t, g.CheckCertificate(unlimited(), p, true, proof.Win, []byte("pairing")))

	// Windows weigh a quarter, an eighth and an eighth. With the exact rule one of them
	// has a stone of the opponent's before it, or after it.
	for spec, right := range map[string]bool{"gomoku:size=1x5,k=3": false, "gomoku:size=1x5,k=3,rule=exact": true} {
		for _, position := range []string{"o4 o", "4o o"} {
			g := tiny(t, spec)
			p, err := g.ParsePosition(position)
			require.NoError(t, err)
			err = g.CheckCertificate(unlimited(), p, false, proof.Hold, []byte("pairing"))
			require.Equal(t, right, err == nil, "%s, %s: %v", spec, position, err)
		}
	}
}
