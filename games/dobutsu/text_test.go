package dobutsu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/dobutsu"
)

const start = "gle/1c1/1C1/ELG b -"

func openGame(t testing.TB, spec string) *dobutsu.Game {
	t.Helper()
	g, err := dobutsu.Family.Open(spec)
	require.NoError(t, err)
	return g
}

// TestReadPosition reads positions in every way there is to write them.
func TestReadPosition(t *testing.T) {
	g := dobutsu.New()
	require.Equal(t, start, string(g.AppendPosition(nil, g.Start())))
	for _, c := range []struct{ text, want string }{
		{"gle/1c1/1C1/ELG b -", start},
		{"gle/1c1/1C1/ELG b - 1", start}, // with the number of the move
		{"gle/1c1/1C1/ELG b - 173", start},
		{"  gle/1c1/1C1/ELG   b\t-\n", start},
		{"gle/.c./.C./ELG b -", start},
		{"gle/.c1/1C./ELG b -", start},
		{"rkb/1p1/1P1/BKR b -", start}, // as online servers write it
		{"rle/1c1/1P1/ELG b -", start}, // both at once
		{"gle/3/3/ELG w Cc", "gle/3/3/ELG w Cc"},
		{"gle/3/3/ELG w cC", "gle/3/3/ELG w Cc"},
		{"gle/111/12/ELG b 1C1c", "gle/3/3/ELG b Cc"},
		{"gle/21/3/ELG b CC", "gle/3/3/ELG b 2C"},
		{"gle/3/3/ELG w 2p", "gle/3/3/ELG w 2c"},
		{"1l1/3/3/1L1 b 2C2G2E", "1l1/3/3/1L1 b 2E2G2C"},
		{"1k1/3/3/1K1 w prbPRB", "1l1/3/3/1L1 w EGCegc"},
		{"1l1/H2/2h/1L1 b EGeg", "1l1/H2/2h/1L1 b EGeg"},
		{"1k1/+P2/2+p/1K1 b BRbr", "1l1/H2/2h/1L1 b EGeg"},
		{"1k1/+C2/2+c/1K1 b BRbr", "1l1/H2/2h/1L1 b EGeg"},
		{"Cl1/3/3/1Lc b EGeg", "Cl1/3/3/1Lc b EGeg"}, // chicks dropped where they cannot move
		{"Clc/3/3/1L1 b EGeg", "Clc/3/3/1L1 b EGeg"},
		{"1l1/1L1/3/3 w 2C2e2g", "1l1/1L1/3/3 w 2C2e2g"}, // finished
		{"L2/3/l2/EGc w Ceg", "L2/3/l2/EGc w Ceg"},       // gote to move, sente has tried
		{"e1g/3/1L1/l2 b EG2c", "e1g/3/1L1/l2 b EG2c"},   // sente to move, gote has tried
	} {
		p, err := g.ParsePosition(c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, string(g.AppendPosition(nil, p)), c.text)
	}
}

func TestParsePositionErrors(t *testing.T) {
	const (
		fields = "want 3 fields, got %d: board, side to move and hands, as in gle/1c1/1C1/ELG b -"
		animal = " is no animal (L, E, G, C or H) and no number of empty squares (1 to 3)"
		inHand = " is no animal in hand (E, G or C) and no number of them"
	)
	for _, c := range []struct{ text, want string }{
		// Fields.
		{"", fmt.Sprintf(fields, 0)},
		{"   ", fmt.Sprintf(fields, 0)},
		{"startpos", fmt.Sprintf(fields, 1)},
		{"gle/1c1/1C1/ELG", fmt.Sprintf(fields, 1)},
		{"gle/1c1/1C1/ELG b", fmt.Sprintf(fields, 2)},
		{"gle/1c1/1C1/ELG b - x", fmt.Sprintf(fields, 4)},
		{"gle/1c1/1C1/ELG b - 1 2", fmt.Sprintf(fields, 5)},
		{"gle/1c1/1C1/ELG - b", `side to move "-", want b (sente) or w (gote)`},
		{"gle/1c1/1C1/ELG B -", `side to move "B", want b (sente) or w (gote)`},
		{"gle/1c1/1C1/ELG bw -", `side to move "bw", want b (sente) or w (gote)`},
		// The board.
		{"gle/1c1/1C1 b -", "want 4 ranks with / between, got 3"},
		{"gle/1c1/1C1/ELG/ b -", "want 4 ranks with / between, got 5"},
		{"gle1c11C1ELG b -", "want 4 ranks with / between, got 1"},
		{"gle/1c1/1C1/ELX b -", "rank 4, character 3: 'X'" + animal},
		{"gle/1q1/1C1/ELG b -", "rank 2, character 2: 'q'" + animal},
		{"gle/4/1C1/ELG b -", "rank 2, character 1: '4'" + animal},
		{"gle/0c2/1C1/ELG b -", "rank 2, character 1: '0'" + animal},
		{"gle/-c-/1C1/ELG b -", "rank 2, character 1: '-'" + animal},
		{"gle/1c1/1C1/EL b -", "rank 4: want 3 squares, got 2"},
		{"gle/1c2/1C1/ELG b -", "rank 2: want 3 squares, got 4"},
		{"gle/33/1C1/ELG b -", "rank 2: want 3 squares, got 6"},
		{"gleg/1c1/1C1/ELG b -", "rank 1: want 3 squares, got 4"},
		{"gle//1C1/ELG b -", "rank 2: want 3 squares, got 0"},
		{"gle/1+c/1C1/ELG b -", "rank 2: want 3 squares, got 2"},
		{"gl+e/1c1/1C1/ELG b -", "rank 1: + before 'e', but only a chick is promoted"},
		{"gle/1c1/1C1/E+LG b -", "rank 4: + before 'L', but only a chick is promoted"},
		{"gle/1+h1/1C1/ELG b -", "rank 2: + before 'h', but only a chick is promoted"},
		{"gle/+1c/1C1/ELG b -", "rank 2: + before '1', but only a chick is promoted"},
		{"gle/++c1/1C1/ELG b -", "rank 2: + before '+', but only a chick is promoted"},
		{"gle/1c+/1C1/ELG b -", "rank 2 ends with +"},
		// The hands.
		{"gle/3/3/ELG b 2", `hands "2" end with a number`},
		{"gle/3/3/ELG b C2", `hands "C2" end with a number`},
		{"gle/3/3/ELG b 22C", `hands "22C", character 2: '2'` + inHand},
		{"gle/3/3/ELG b 0C", `hands "0C", character 1: '0'` + inHand},
		{"gle/3/3/ELG b -C", `hands "-C", character 1: '-'` + inHand},
		{"gle/3/3/ELG b CH", `hands "CH", character 2: 'H'` + inHand},
		{"gle/3/3/ELG b Cl", `hands "Cl", character 2: 'l'` + inHand},
		{"gle/3/3/ELG b +P", `hands "+P", character 1: '+'` + inHand},
		{"gle/3/3/ELG b CxC", `hands "CxC", character 2: 'x'` + inHand},
		// The animals.
		{"g1e/1c1/1C1/ELG b -", "gote has 0 lions on the board, want 1"},
		{"gle/1c1/1C1/E1G w -", "sente has 0 lions on the board, want 1"},
		{"gle/1c1/1C1/LLG w -", "sente has 2 lions on the board, want 1"},
		{"gle/lc1/1C1/ELG w -", "gote has 2 lions on the board, want 1"},
		{"gl1/1c1/1C1/ELG b -", "1 elephant on the board and in the hands, want 2"},
		{"gle/1c1/1C1/ELG b E", "3 elephants on the board and in the hands, want 2"},
		{"1le/1c1/1C1/ELG w -", "1 giraffe on the board and in the hands, want 2"},
		{"gle/1c1/1C1/ELG b gG", "4 giraffes on the board and in the hands, want 2"},
		{"gle/3/1C1/ELG b -", "1 chick or hen on the board and in the hands, want 2"},
		{"gle/1h1/1H1/ELG b c", "3 chicks and hens on the board and in the hands, want 2"},
		{"gle/3/3/ELG b 9C", "9 chicks and hens on the board and in the hands, want 2"},
		// Positions behind the end of the game.
		{"gLe/3/lC1/EcG b -", "the lion of the side to move stands on the far rank (b1): the game ended when it got there"},
		{"g1e/3/1CL/Elc w G", "the lion of the side to move stands on the far rank (b4): the game ended when it got there"},
	} {
		_, err := dobutsu.New().ParsePosition(c.text)
		require.EqualError(t, err, `position "`+c.text+`": `+c.want)
	}
}

// TestManyInHand writes more in hand than a byte counts.
func TestManyInHand(t *testing.T) {
	_, err := dobutsu.New().ParsePosition("gle/3/3/ELG b " + strings.Repeat("9C", 28) + "6C")
	require.ErrorContains(t, err, "chicks and hens on the board and in the hands, want 2")
}

// TestForeignLetters checks that errors name a character, not one of its bytes.
func TestForeignLetters(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"gle/1ひ1/1C1/ELG b -", "rank 2, character 2: 'ひ' is no animal"},
		{"gle/3/3/ELG b Cひ", "character 2: 'ひ' is no animal in hand"},
		{"gle/3/+ひ2/ELG b Cc", "rank 3: + before 'ひ', but only a chick is promoted"},
	} {
		_, err := dobutsu.New().ParsePosition(c.text)
		require.ErrorContains(t, err, c.want)
	}
}

// TestParsePositionOfVariant checks what the rules say of where animals can be.
func TestParsePositionOfVariant(t *testing.T) {
	const dead = "Cl1/3/3/1Lc b EGeg"
	const tried = "gLe/3/lC1/EcG b -"
	for _, c := range []struct{ spec, text, want string }{
		{"dobutsu", dead, ""},
		{"dobutsu:try=no", dead, ""},
		{"dobutsu:drops=near-chick", dead, "a chick on its far rank (c4), which these rules (dobutsu:drops=near-chick) do not allow"},
		{"dobutsu:drops=none", dead, "a chick on its far rank (c4), which these rules (dobutsu:drops=none) do not allow"},
		{"dobutsu:drops=none", "Cl1/3/3/1L1 w EGegc", "a chick on its far rank (a1), which these rules (dobutsu:drops=none) do not allow"},
		{"dobutsu:drops=near-chick", "Hl1/3/3/1Lh b EGeg", ""},
		{"dobutsu:drops=near-chick", "cl1/3/3/1LC b EGeg", ""},
		{"dobutsu:try=no", tried, ""},
		{"dobutsu:drops=none", tried, "the lion of the side to move stands on the far rank (b1): the game ended when it got there"},
	} {
		g := openGame(t, c.spec)
		p, err := g.ParsePosition(c.text)
		if c.want != "" {
			require.EqualError(t, err, `position "`+c.text+`": `+c.want, c.spec)
			continue
		}
		require.NoError(t, err, c.spec)
		require.Equal(t, c.text, string(g.AppendPosition(nil, p)))
	}
}

// TestReadMove reads moves in every way there is to write them.
func TestReadMove(t *testing.T) {
	g := dobutsu.New()
	for _, c := range []struct{ position, text, want string }{
		{start, "b3b2", "b3b2"},
		{start, "2c2b", "b3b2"}, // as online servers write it
		{start, "a4a3", ""},
		{start, "c4c3", "c4c3"},
		{start, "1d1c", "c4c3"},
		{start, "b4a3", "b4a3"},
		{start, "2d3c", "b4a3"},
		{"gle/3/1c1/ELG w C", "b3b4", ""},
		{"gle/1c1/3/ELG w C", "b1a2", "b1a2"},
		{"gle/1c1/3/ELG w C", "2a3b", "b1a2"},
		{"2e/C1l/3/ELG b gc", "a2a1+", "a2a1+"},
		{"2e/C1l/3/ELG b gc", "a2a1", "a2a1+"}, // a chick has no choice
		{"2e/C1l/3/ELG b gc", "3b3a+", "a2a1+"},
		{"2e/C1l/3/ELG b gc", "3b3a", "a2a1+"},
		{"gle/3/3/ELG b Cc", "C*b2", "C*b2"},
		{"gle/3/3/ELG b Cc", "c*b2", "C*b2"},
		{"gle/3/3/ELG b Cc", "P*2b", "C*b2"},
		{"gle/3/3/ELG w Cc", "P*2b", "C*b2"},
		{"1l1/3/3/1L1 b 2E2G2C", "B*3a", "E*a1"},
		{"1l1/3/3/1L1 b 2E2G2C", "R*1d", "G*c4"},
		{"1l1/3/3/1L1 b 2E2G2C", "P*1a", "C*c1"}, // where it cannot move
		{"1l1/3/3/1L1 w 2e2g2c", "P*1d", "C*c4"},
	} {
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err, c.position)
		m, err := g.ParseMove(p, c.text)
		if c.want == "" {
			require.Error(t, err, "%s in %s", c.text, c.position)
			continue
		}
		require.NoError(t, err, "%s in %s", c.text, c.position)
		require.Equal(t, c.want, string(g.AppendMove(nil, p, m)), "%s in %s", c.text, c.position)
	}
}

func TestParseMoveErrors(t *testing.T) {
	const legal = "not one of the legal moves: "
	const hands = "2e/C1l/3/ELG b Gc"
	for _, c := range []struct{ position, text string }{
		// The shape.
		{start, ""},
		{start, "b3"},
		{start, "b3b2b1"},
		{start, "b3-b2"},
		{start, "b3b2 "},
		{start, "+"},
		{start, "b3b2++"},
		{start, "X*b2"},
		{start, "H*b2"},
		{start, "L*b2"},
		{hands, "G*b2+"},
		{start, "b3d2"},
		{start, "b3b5"},
		{start, "b3b0"},
		{start, "d3b2"},
		{start, "4c2b"},
		{start, "2c2e"},
		{start, "C*22"},
		// Steps.
		{start, "a3a2"},
		{start, "b2b3"},
		{start, "a4a3"},
		{start, "c4b3"},
		{start, "b3a2"},
		{start, "b3b3"},
		{start, "b4b2"},
		{"2e/H1l/3/ELG b Gc", "a2b3"},
		{start, "c4b4"},
		{start, "a4b3"},
		{start, "b3b2+"},
		{start, "c4c3+"},
		{"G1e/C1l/3/EL1 b gc", "a1b1+"},
		{"gle/1c1/1C1/ELG w -", "b1b2"},
		{"2e/C1l/3/ELG w Gc", "a2a1"},
		// Drops.
		{start, "C*a2"},
		{hands, "E*a3"},
		{hands, "C*a3"},
		{"2e/C1l/3/ELG w Gc", "G*a3"},
		{hands, "G*a2"},
		{hands, "G*c1"},
	} {
		g := dobutsu.New()
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		_, err = g.ParseMove(p, c.text)
		require.ErrorContains(t, err, `move "`+c.text+`": `+legal, "in %s", c.position)
	}
	for _, c := range []struct{ position, text, want string }{
		{start, "b4b2", legal + "b4a3 b4c3 c4c3 b3b2"},
		{"gle/1L1/3/E1G b Cc", "b2b1", "the game is over (win in 1)"},
		{"L2/3/l2/EGc w Ceg", "a3a4", "the game is over (loss in 0)"},
	} {
		g := dobutsu.New()
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		_, err = g.ParseMove(p, c.text)
		require.EqualError(t, err, `move "`+c.text+`": `+c.want, "in %s", c.position)
	}
}

func TestParseMoveOfVariant(t *testing.T) {
	const position = "1l1/3/3/1L1 b 2E2G2C"
	for _, c := range []struct {
		spec, position, text string
		legal                bool
	}{
		{"dobutsu:drops=none", position, "G*a2", false},
		{"dobutsu:drops=none", position, "b4b3", true},
		{"dobutsu:drops=near-chick", position, "C*a1", false},
		{"dobutsu:drops=near-chick", position, "P*1a", false},
		{"dobutsu:drops=near-chick", position, "C*a4", true},
		{"dobutsu:drops=near-chick", position, "G*a1", true},
		{"dobutsu:drops=near-chick", "1l1/3/3/1L1 w 2e2g2c", "C*c4", false},
		{"dobutsu:drops=near-chick", "1l1/3/3/1L1 w 2e2g2c", "C*c1", true},
	} {
		g := openGame(t, c.spec)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		_, err = g.ParseMove(p, c.text)
		require.Equal(t, c.legal, err == nil, "%s: %s: %v", c.spec, c.text, err)
	}
}

// TestBoard draws positions with something in everybody's hand and with nothing.
func TestBoard(t *testing.T) {
	for _, c := range []struct {
		position string
		want     string
	}{
		{"1l1/H2/2h/1L1 w EGeg", `
    a   b   c
  +---+---+---+
1 |   | l |   |   gote, in hand: eg, to move
  +---+---+---+
2 | H |   |   |
  +---+---+---+
3 |   |   | h |
  +---+---+---+
4 |   | L |   |   sente, in hand: EG
  +---+---+---+
`},
		{"gle/3/3/ELG b 2C", `
    a   b   c
  +---+---+---+
1 | g | l | e |   gote
  +---+---+---+
2 |   |   |   |
  +---+---+---+
3 |   |   |   |
  +---+---+---+
4 | E | L | G |   sente, in hand: 2C, to move
  +---+---+---+
`},
	} {
		g := dobutsu.New()
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		require.Equal(t, c.want, string(g.AppendBoard([]byte("\n"), p)), c.position)
	}
}
