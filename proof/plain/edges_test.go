package plain_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/proof/plain"
)

// compare compares two sets of rules on random texts, as many as are positions.
func compare[G games.Game[P, M], P, M comparable](t *testing.T, family *games.Family[G], name string, rng *rand.Rand, positions int, text func() string) (c against) {
	g, err := family.Open(name)
	require.NoError(t, err)
	for tries := 0; c.positions < positions; tries++ {
		require.Less(t, tries, 1000*(positions+1))
		text := text()
		if p, err := g.ParsePosition(text); err == nil && string(g.AppendPosition(nil, p)) == text {
			follow(t, &c, games.Game[P, M](g), rng, p, 2)
		}
	}
	return c
}

// some returns a number of positions, less in a short test.
func some(n int) int {
	if testing.Short() {
		return n / 8
	}
	return n
}

// TestRandomShogi has pieces anywhere and in hand, so many are pinned, stand before others, or give
// check twice.
func TestRandomShogi(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	text := func() string {
		board, hands := make([]string, 81), ""
		squares := rng.Perm(81)
		kings := 1 + rng.IntN(3)
		for i, king := range []string{"K", "k"} {
			if kings>>i&1 != 0 {
				board[squares[i]] = king
			}
		}
		squares = squares[2:]
		onBoard, inHands := rng.IntN(40), rng.IntN(60)
		for side := range 2 {
			for i, kind := range strings.Split("RBGSNLP", "") {
				if side == 1 {
					kind = strings.ToLower(kind)
				}
				n := 0
				for range []int{1, 1, 2, 2, 2, 2, 9}[i] {
					switch r := rng.IntN(100); {
					case r < onBoard:
						board[squares[0]] = kind
						if !strings.EqualFold(kind, "g") && rng.IntN(3) == 0 {
							board[squares[0]] = "+" + kind
						}
						squares = squares[1:]
					case r < onBoard+inHands:
						n++
					}
				}
				if n > 1 {
					hands += fmt.Sprint(n)
				}
				if n > 0 {
					hands += kind
				}
			}
		}
		rows := games.AppendRows(nil, 9, 9, func(row, column int) string { return board[9*row+column] })
		if hands == "" {
			hands = "-"
		}
		return fmt.Sprintf("%s %c %s", rows, "bw"[rng.IntN(2)], hands)
	}
	for _, name := range []string{"shogi", "shogi:checks=black", "shogi:checks=white"} {
		c := compare(t, shogi.Family, name, rng, some(480), text)
		require.Positive(t, c.finished)
	}
}

// TestRandomCheckers has pieces anywhere, in every second position the other side's where one piece
// could jump over many of them.
func TestRandomCheckers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for name, side := range map[string]int{"checkers": 8, "checkers:size=6x6": 6, "checkers:size=4x4": 4} {
		army := (side/2 - 1) * side / 2
		compare(t, checkers.Family, name, rng, some(2400), func() string {
			mover, kings := rng.IntN(2), rng.IntN(4)
			lists := [2][]string{}
			aligned := rng.IntN(2) == 0
			odd := [2]int{rng.IntN(2), rng.IntN(2)}
			left := [2]int{1 + rng.IntN(army), 1 + rng.IntN(army)}
			if aligned {
				left[mover] = 1 + rng.IntN(min(3, army))
			}
			squares := rng.Perm(side * side / 2)
			for _, s := range squares {
				row := s / (side / 2)
				column := 2*(s%(side/2)) + 1 - row%2
				who := rng.IntN(2)
				if aligned {
					if who = mover; row%2 == odd[0] && column%2 == odd[1] {
						who = 1 - mover
					}
				}
				if left[who]--; left[who] < 0 {
					continue
				}
				king := ""
				if rng.IntN(3) < kings || who == 0 && row == 0 || who == 1 && row == side-1 {
					king = "K"
				}
				lists[who] = append(lists[who], fmt.Sprintf("%02d%s", s+1, king))
			}
			text := "WB"[mover : mover+1]
			for who, list := range lists {
				slices.Sort(list)
				for i, piece := range list {
					number := strings.TrimPrefix(piece[:2], "0")
					list[i] = piece[2:] + number
				}
				text += ":" + "WB"[who:who+1] + strings.Join(list, ",")
			}
			return text
		})
	}
}

// TestWander compares positions that arise when texts are changed at random, again and again.
func TestWander(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	from := func(start string, accepted func(text string) bool) func() string {
		text := start
		return func() string {
			next := mutated(rng, text)
			if rng.IntN(400) == 0 {
				next = start
			}
			if accepted(next) {
				text = next
			}
			return next
		}
	}
	accepts := func(name string) func(text string) bool {
		g, err := plain.Open(name)
		require.NoError(t, err)
		return func(text string) bool { _, err := g.Parse(text); return err == nil }
	}
	const four = "-----OX--XO----- X"
	compare(t, othello.Family, "othello:size=4x4", rng, some(1500), from(four, accepts("othello:size=4x4")))
	compare(t, othello.Family, "othello:size=4x4,empty=winner", rng, some(1500), from(four, accepts("othello:size=4x4,empty=winner")))
	for _, name := range []string{"dobutsu", "dobutsu:drops=near-chick", "dobutsu:drops=none", "dobutsu:try=no"} {
		compare(t, dobutsu.Family, name, rng, some(800), from("gle/1c1/1C1/ELG b -", accepts(name)))
	}
	compare(t, hex.Family, "hex:size=4x4", rng, some(1500), from("..../..../..../.... x", accepts("hex:size=4x4")))
	compare(t, hex.Family, "hex:size=3x3,swap=yes", rng, some(800), from(".../.../... x", accepts("hex:size=3x3,swap=yes")))
}

// TestEdges has all moves of positions in which a rule applies just so.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		game, position string
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
		{"shogi", "9/9/9/9/3kR1R2/9/9/9/9 w -", []string{"6e6d", "6e6f", "6e7d", "6e7f"}},
		// The king in the corner.
		{"shogi", "k1R6/9/1G7/9/9/9/9/9/9 w g", []string{"G*8a"}},
		{"shogi", "k1R6/1P7/9/9/9/9/9/9/9 w g", []string{"9a8b", "9a9b", "G*8a"}},
		// Two checks: nothing parries both, and what is pinned stays so.
		{"shogi", "k1R6/9/9/R8/9/9/1L7/9/9 w g", nil},
		{"shogi", "kr1R5/9/9/9/9/9/9/1L7/9 w -", []string{"8a6a", "8a7a", "9a9b"}},
		// The horse discovers a check, unless it stays on the line.
		{"shogi:checks=black", "k8/9/9/9/+B8/9/9/R8/8K b -", []string{"9e5a", "9e5i", "9e6b", "9e6h", "9e7c", "9e7g", "9e8d", "9e8e", "9e8f"}},
		// A pawn may not mate when it is dropped; it may if the king has a way out or it can be taken.
		{"shogi:checks=black", "6snk/6G2/8S/9/9/9/9/9/9 b P", []string{"1c1b", "1c1b+", "1c2b", "1c2b+", "3b2a", "3b2b"}},
		{"shogi:checks=black", "6s1k/9/6G1S/9/9/9/9/9/9 b P", []string{"1c1b", "1c1b+", "1c2b", "1c2b+", "3c2b", "P*1b"}},

		{"checkers", "B:W15:B10,22", []string{"10x19"}},                            // who can capture must
		{"checkers", "B:W14,22:B5,9", []string{"9x18x25"}},                         // and go on
		{"checkers", "B:W14,15:B18", []string{"18-22", "18-23"}},                   // a man does not capture backward
		{"checkers", "B:W14,15:BK18", []string{"18x11", "18x9"}},                   // a king does
		{"checkers", "B:W14,15,23:B10", []string{"10x17", "10x19x26"}},             // along every route, a short one too
		{"checkers", "B:W7,8,15,16:BK3", []string{"3x10x19x12x3", "3x12x19x10x3"}}, // round, to where it began
		{"checkers", "B:W26,27:B24", []string{"24x31"}},                            // who is crowned stops
		{"checkers", "B:W26,27:BK24", []string{"24x31x22"}},                        // a king goes on
		{"checkers", "W:W9,10:B5,6,7", []string{"10x1", "10x3", "9x2"}},            // White plays upward
		{"checkers", "B:WK5,K6,K10:B1", nil},                                       // blocked

		{"hex:size=3x3,swap=yes", "x../.../... o", []string{"a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3", "swap"}},
		{"awari", "1,0,0,0,0,2,1,2,0,0,0,0", []string{"A"}},   // a move that starves is not legal beside another
		{"awari", "0,0,0,0,0,2,1,2,0,0,0,0", []string{"F×5"}}, // it is if all do
		{"awari:slam=no-capture", "0,0,0,0,0,2,1,2,0,0,0,0", []string{"F"}},
	} {
		g, err := plain.Open(c.game)
		require.NoError(t, err)
		p, err := g.Parse(c.position)
		require.NoError(t, err, c.position)
		var got []string
		if _, over := g.Result(p); !over {
			for _, m := range g.Moves(p) {
				got = append(got, g.Text(p, m))
			}
			slices.Sort(got)
		}
		if len(c.want) == 0 {
			require.Empty(t, got, c.position)
			continue
		}
		require.Equal(t, c.want, got, c.position)
	}
}

// TestDraws has drawn ends of Othello with empty squares, which belong to nobody.
func TestDraws(t *testing.T) {
	const name = "othello:size=4x4,empty=winner"
	g, err := othello.Family.Open(name)
	require.NoError(t, err)
	second, err := plain.Open(name)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(9, 10))
	for found, tries := 0, 0; found < 3; tries++ {
		require.Less(t, tries, 1_000_000)
		board := make([]byte, 16)
		for s := range board {
			board[s] = "XXXOOO-"[rng.IntN(7)]
		}
		text := string(board) + " X"
		empty := strings.Count(text, "-")
		p, err := second.Parse(text)
		if err != nil || empty == 0 || strings.Count(string(board), "X") != strings.Count(string(board), "O") {
			continue
		}
		if result, over := second.Result(p); over {
			found++
			q, err := g.ParsePosition(text)
			require.NoError(t, err)
			v, _ := g.Outcome(q)
			require.EqualValues(t, v, result, text)
			require.Zero(t, result, text)
		}
	}
}

// FuzzPosition reads anything as a position of shogi and of checkers. What is read has the same moves
// by both sets of rules.
func FuzzPosition(f *testing.F) {
	f.Add("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -")
	f.Add("8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p")
	f.Add("B:WK5,K6,K10:B1")
	draughts, err := checkers.Family.Open("checkers")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		rng := rand.New(rand.NewPCG(1, 2))
		both(t, games.Game[shogi.Position, shogi.Move](shogi.Game{}), rng, text)
		both(t, games.Game[checkers.Position, checkers.Move](draughts), rng, text)
	})
}

// both compares what a text is by both sets of rules.
func both[P, M comparable](t *testing.T, g games.Game[P, M], rng *rand.Rand, text string) {
	second, err := plain.Open(g.Name())
	require.NoError(t, err)
	_, err = second.Parse(text)
	p, other := g.ParsePosition(text)
	require.Equal(t, err == nil, other == nil && string(g.AppendPosition(nil, p)) == text, "%q: %v, %v", text, err, other)
	if err == nil {
		follow(t, &against{}, g, rng, p, 2)
	}
}
