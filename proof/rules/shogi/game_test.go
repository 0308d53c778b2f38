package shogi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
	"github.com/yomikiri/yomikiri/games/shogi"
)

func open(t testing.TB, spec string) *Game {
	g, ok := Open(spec)
	require.True(t, ok, spec)
	return g
}

func TestOpen(t *testing.T) {
	for _, spec := range []string{"", "shogi:", "shogi:checks=free", "shogi:checks=both", "dobutsu"} {
		_, ok := Open(spec)
		require.False(t, ok, spec)
	}
}

// TestPerft counts. The counts are published.
func TestPerft(t *testing.T) {
	g := open(t, "shogi")
	gametest.Perft(t, g, string(g.AppendPosition(nil, g.Start())), 30, 900, 25470)
	gametest.Perft(t, g, "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p", 593)
}

// TestSameRules plays random games by these rules and by those of package shogi,
// with all pieces and with few, with and without the duty to give check.
func TestSameRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	starts := []string{
		"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
		"4k4/9/9/9/9/9/9/9/4K4 b 2R2B2P2g2s2n2l2p",
		"4k4/9/4P4/9/9/9/9/9/9 b 2G2Pr2b2g4s4n4l10p",
		"9/9/9/9/9/9/4p4/9/4K4 w 2G2S2N2L2P2r2b2p",
		"ln1g1k1nl/1r2g1s2/p1pp1p1pp/4pbp2/9/2PP1P1PP/PPS1P1N2/1BG1G1SR1/LN2K3L b p",
	}
	positions, finished := 0, 0
	plays := 150
	if testing.Short() {
		plays = 50
	}
	for _, spec := range []string{"shogi", "shogi:checks=black", "shogi:checks=white"} {
		plain := open(t, spec)
		fast, err := shogi.Family.Open(spec)
		require.NoError(t, err)
		require.Equal(t, fast.Name(), plain.Name())
		for n := range plays {
			text := starts[n%len(starts)]
			p, err := plain.ParsePosition(text)
			require.NoError(t, err)
			q, err := fast.ParsePosition(text)
			require.NoError(t, err)
			for range 60 {
				positions++
				text := string(plain.AppendPosition(nil, p))
				require.Equal(t, string(fast.AppendPosition(nil, q)), text)
				again, err := plain.ParsePosition(text)
				require.NoError(t, err)
				require.Equal(t, p, again)
				v, over := plain.Outcome(p)
				fv, fOver := fast.Outcome(q)
				require.Equal(t, fv, v, text)
				require.Equal(t, fOver, over, text)
				if over {
					finished++
					break
				}
				require.Equal(t, moveNames(fast, q), moveNames(plain, p), text)
				moves := plain.AppendMoves(nil, p)
				at := rng.IntN(len(moves))
				name := string(plain.AppendMove(nil, p, moves[at]))
				m, err := plain.ParseMove(p, name)
				require.NoError(t, err)
				require.Equal(t, moves[at], m)
				fm, err := fast.ParseMove(q, name)
				require.NoError(t, err)
				p, q = plain.Play(p, m), fast.Play(q, fm)
			}
		}
	}
	t.Log(positions, "positions,", finished, "finished")
	require.Greater(t, finished, plays/2)
}

// randomPosition returns a position with some pieces anywhere and others in hand: so many
// are pinned, stand before others, or give check twice.
func randomPosition(rng *rand.Rand) (p Position) {
	for {
		p = Position{white: rng.IntN(2) == 0}
		squares := rng.Perm(81)
		kings := 1 + rng.IntN(3)
		for i, white := range []bool{false, true} {
			if kings>>i&1 != 0 {
				p.board[squares[i]] = owned('K', white)
			}
		}
		squares = squares[2:]
		onBoard, inHands := rng.IntN(40), rng.IntN(60)
		for i := range handLetters {
			for range inAll[i] {
				piece := owned(handLetters[i], rng.IntN(2) == 0)
				switch r := rng.IntN(100); {
				case r < onBoard:
					if canPromote(piece) && rng.IntN(3) == 0 {
						piece |= promoted
					}
					p.board[squares[0]] = piece
					squares = squares[1:]
				case r < onBoard+inHands:
					p.hands[side(isWhite(piece))][i]++
				}
			}
		}
		if p.check() == nil {
			return p
		}
	}
}

// TestSameMoves has the same moves in random positions by these rules and by those of package
// shogi.
func TestSameMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	positions := 2000
	if testing.Short() {
		positions = 500
	}
	for _, spec := range []string{"shogi", "shogi:checks=black", "shogi:checks=white"} {
		plain := open(t, spec)
		fast, err := shogi.Family.Open(spec)
		require.NoError(t, err)
		for range positions {
			p := randomPosition(rng)
			text := string(plain.AppendPosition(nil, p))
			again, err := plain.ParsePosition(text)
			require.NoError(t, err, text)
			require.Equal(t, p, again, text)
			q, err := fast.ParsePosition(text)
			require.NoError(t, err, text)
			want := moveNames(fast, q)
			require.Equal(t, want, moveNames(plain, p), "%s: %s", spec, text)
			_, over := plain.Outcome(p)
			require.Equal(t, len(want) == 0, over, text)
		}
	}
}

// moveNames returns the moves in a position in the order of their names.
func moveNames[P, M comparable](g games.Game[P, M], p P) (names []string) {
	for _, m := range g.AppendMoves(nil, p) {
		names = append(names, string(g.AppendMove(nil, p, m)))
	}
	slices.Sort(names)
	return names
}

// TestPawnDropMate has a pawn that may not mate when it is dropped, and one that
// may because the king has a way out, or the pawn can be taken.
func TestPawnDropMate(t *testing.T) {
	g := open(t, "shogi:checks=black")
	for _, c := range []struct {
		position string
		legal    bool
	}{
		{"6snk/6G2/8S/9/9/9/9/9/9 b P", false},
		{"7nk/6G2/8S/9/9/9/9/9/9 b P", false},
		{"6s1k/9/6G1S/9/9/9/9/9/9 b P", true},
		{"7gk/9/6G1S/9/9/9/9/9/9 b P", true},
	} {
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		_, err = g.ParseMove(p, "P*1b")
		require.Equal(t, c.legal, err == nil, c.position)
	}
}

// TestEdges has all moves of positions in which a rule applies just so.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		spec, position string
		want           []string
	}{
		// A king without another: it cannot be checked, and cannot be left in check.
		{"shogi:checks=black", "9/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P", nil},
		{"shogi:checks=black", "k8/9/9/9/9/9/9/9/9 b P", []string{"P*9b"}},
		{"shogi:checks=black", "k8/9/N8/9/9/9/9/9/9 b P", []string{"9c8a+", "P*9b"}},
		{"shogi:checks=black", "kp7/9/9/9/9/9/9/9/9 b R", []string{"R*9b", "R*9c", "R*9d", "R*9e", "R*9f", "R*9g", "R*9h", "R*9i"}},
		// Along a line the king does not hide behind itself; it may take what is not guarded.
		{"shogi", "9/9/9/9/R2k5/9/9/9/9 w -", []string{"6e5d", "6e5f", "6e6d", "6e6f", "6e7d", "6e7f"}},
		{"shogi", "9/9/9/9/3kR4/9/9/9/9 w -", []string{"6e5e", "6e6d", "6e6f", "6e7d", "6e7f"}},
		{"shogi", "9/9/9/9/3kR1L2/9/9/9/9 w -", []string{"6e5e", "6e6d", "6e6f", "6e7d", "6e7f"}},
		{"shogi", "9/9/9/9/3kR1R2/9/9/9/9 w -", []string{"6e6d", "6e6f", "6e7d", "6e7f"}},
		// The king in the corner, on square 0.
		{"shogi", "k1R6/9/1G7/9/9/9/9/9/9 w g", []string{"G*8a"}},
		{"shogi", "k1R6/1P7/9/9/9/9/9/9/9 w g", []string{"9a8b", "9a9b", "G*8a"}},
		// Two checks: nothing parries both, and what is pinned stays so.
		{"shogi", "k1R6/9/9/R8/9/9/1L7/9/9 w g", nil},
		{"shogi", "kr1R5/9/9/9/9/9/9/1L7/9 w -", []string{"8a6a", "8a7a", "9a9b"}},
		// The horse discovers a check, unless it stays on the line.
		{"shogi:checks=black", "k8/9/9/9/+B8/9/9/R8/8K b -", []string{"9e5a", "9e5i", "9e6b", "9e6h", "9e7c", "9e7g", "9e8d", "9e8e", "9e8f"}},
	} {
		g := open(t, c.spec)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err, c.position)
		require.Equal(t, c.want, moveNames(g, p), c.position)
	}
}

// TestStops ends the list of moves after each of them.
func TestStops(t *testing.T) {
	for _, position := range []string{"ln1g1k1nl/1r2g1s2/p1pp1p1pp/4pbp2/9/2PP1P1PP/PPS1P1N2/1BG1G1SR1/LN2K3L b p", "4k4/9/4P4/9/9/9/9/9/9 b 2G2Pr2b2g4s4n4l10p"} {
		g := open(t, "shogi")
		p, err := g.ParsePosition(position)
		require.NoError(t, err)
		all := g.AppendMoves(nil, p)
		for n := 1; n <= len(all); n++ {
			var moves []Move
			g.moves(&p, func(m Move) bool {
				moves = append(moves, m)
				return len(moves) < n
			})
			require.Equal(t, all[:n], moves)
		}
		require.Equal(t, 300, g.PositionWork())
	}
}

func TestParseRefuses(t *testing.T) {
	g := open(t, "shogi")
	for _, c := range []struct{ text, want string }{
		{"", "want board"},
		{"4k4/9/9/9/9/9/9/9/9 b", "want board"},
		{"4k4/9/9/9/9/9/9/9/9 b - 1", "want board"},
		{"4k4/9/9/9/9/9/9/9/9 x -", "read as"},
		{"4k4/9/9/9/9/9/9/9 b -", "read as"},
		{"4k4/9/9/9/9/9/9/9/18 b -", "read as"},
		{"4k5/9/9/9/9/9/9/9/9 b -", "read as"},
		{"4k4/9/9/9/9/9/9/9/9/k8 b -", "wrong place"},
		{"4x4/9/9/9/9/9/9/9/9 b -", "wrong place"},
		{"4+k4/9/9/9/9/9/9/9/9 b -", "wrong place"},
		{"4k4/9/9/9/9/9/9/9/9k b -", "wrong place"},
		{"9k/9/9/9/9/9/9/9/9 b -", "wrong place"},
		{"4k:/9/9/9/9/9/9/9/9 b -", "wrong place"},
		{"4k4/9/9/9/9/9/9/9/9 b PR", "read as"},
		{"4k4/9/9/9/9/9/9/9/9 b PP", "read as"},
		{"4k4/9/9/9/9/9/9/9/9 b \xd0", "read as"},
		{"4k4/9/9/9/9/9/9/9/9 b +P", "is not a piece in hand"},
		{"4k4/9/9/9/9/9/9/9/9 b :P", "is not a piece in hand"},
		{"4k4/9/9/9/9/9/9/9/9 b 100P", "is not a piece in hand"},
		{"4k4/9/9/9/9/9/9/9/9 b 1P", "read as"},
		{"4k4/9/9/9/9/9/9/9/9 b 300P", "is not a piece in hand"},
		{"4k4/9/9/9/9/9/9/9/9 b K", "is not a piece in hand"},
		{"4k4/9/9/9/9/9/9/9/9 b 19P", "a set has 18"},
		{"4k4/9/9/9/9/9/9/9/9 b 2R2B2r", "a set has 2"},
		{"4k4/9/9/9/9/9/9/9/9 b 99P", "99 pieces 'P': a set has 18"},
		{"4k4/R8/R8/9/9/9/9/9/9 b r", "a set has 2"},
		{"9/9/9/9/9/9/9/9/9 b -", "want a king"},
		{"4K4/4K4/9/9/9/9/9/9/9 w -", "want a king"},
		{"4k4/4k4/9/9/9/9/9/9/9 b -", "want a king"},
		{"P3k4/9/9/9/9/9/9/9/9 b -", "could never move"},
		{"4k4/P8/P8/9/9/9/9/9/9 b -", "two pawns"},
		{"4k4/4G4/9/9/9/9/9/9/9 b -", "not to move is in check"},
	} {
		_, err := g.ParsePosition(c.text)
		require.ErrorContains(t, err, c.want, c.text)
	}
}

// FuzzPosition reads anything. What is read can be played with.
func FuzzPosition(f *testing.F) {
	f.Add("4k4/9/4P4/9/9/9/9/9/9 b 2G2Pr2b2g4s4n4l10p")
	f.Add("ln1g1k1nl/1r2g1s2/p1pp1p1pp/4pbp2/9/2PP1P1PP/PPS1P1N2/1BG1G1SR1/LN2K3L w p")
	g, _ := Open("shogi")
	fast, err := shogi.Family.Open("shogi")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := g.ParsePosition(text)
		if err != nil {
			return
		}
		q, err := fast.ParsePosition(text)
		require.NoError(t, err)
		require.Len(t, g.AppendMoves(nil, p), len(fast.AppendMoves(nil, q)))
	})
}
