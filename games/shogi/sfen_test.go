package shogi

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseSFEN(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{startSFEN, strings.TrimSuffix(startSFEN, " 1")},
		{"  lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL\tb -\n", strings.TrimSuffix(startSFEN, " 1")},
		{"4k4/9/9/9/54/9/9/9/111111111 b PP2P 12", "4k4/9/9/9/9/9/9/9/9 b 4P"},
		{"4k4/9/9/9/9/9/9/9/9 w 18p2b2r 1", "4k4/9/9/9/9/9/9/9/9 w 2r2b18p"},
		{"4k4/9/9/9/9/9/9/9/9 b gGrRbBsSnNlLpP", "4k4/9/9/9/9/9/9/9/9 b RBGSNLPrbgsnlp"},
		{"9/9/9/9/4K4/9/9/9/9 b -", "9/9/9/9/4K4/9/9/9/9 b -"}, // without the other king
		{"+P+L+N+S+B+R3/9/9/9/4K4/9/+p+l+n+s+b+r3/9/9 b -", "+P+L+N+S+B+R3/9/9/9/4K4/9/+p+l+n+s+b+r3/9/9 b -"},
	} {
		p, err := ParseSFEN(c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, p.SFEN())
	}
}

func TestParseSFENErrors(t *testing.T) {
	const piece = " is not a piece (P, L, N, S, G, B, R or K, with + before it if promoted) or a number of empty squares (1 to 9)"
	const inHand = " is not a piece in hand (P, L, N, S, G, B or R) or a number of them"
	for _, c := range []struct{ text, want string }{
		{"", "want 3 or 4 fields, got 0: board, side to move, hands and perhaps the number of the move, as in " + startSFEN},
		{"9/9/9/9/4K4/9/9/9/9 b", "want 3 or 4 fields, got 2: board, side to move, hands and perhaps the number of the move, as in " + startSFEN},
		{"9/9/9/9/4K4/9/9/9/9 b - 1 2", "want 3 or 4 fields, got 5: board, side to move, hands and perhaps the number of the move, as in " + startSFEN},
		{"9/9/9/9/4K4/9/9/9/9 b - x", `number of the move "x", want a number from 1`},
		{"9/9/9/9/4K4/9/9/9/9 x -", `side to move "x", want b (black) or w (white)`},
		{"9/9/9/9/4K4/9/9/9 b -", "want 9 ranks with / between, got 8"},
		{"9/9/9/9/4K5/9/9/9/9 b -", "rank e: want 9 squares, got 10"},
		{"9/9/9/9/4K3/9/9/9/9 b -", "rank e: want 9 squares, got 8"},
		{"9/9/9/9/4K4/9/9/9/99 b -", "rank i: want 9 squares, got 18"},
		{"9/9/9/9/4X4/9/9/9/9 b -", "rank e, character 2: 'X'" + piece},
		{"9/9/9/9/0K8/9/9/9/9 b -", "rank e, character 1: '0'" + piece},
		{"9/9/9/9/歩K7/9/9/9/9 b -", "rank e, character 1: '歩'" + piece},
		{"9/9/9/9/4+K4/9/9/9/9 b -", "rank e, character 3: a king has no promoted side"},
		{"9/9/9/9/4+G4/9/9/9/9 b -", "rank e, character 3: a gold has no promoted side"},
		{"9/9/9/9/4K3+/9/9/9/9 b -", "rank e ends with +"},
		{"9/9/9/9/4+14/9/9/9/9 b -", "rank e, character 3: '1'" + piece},
		{"9/9/9/9/4K4/9/9/9/9 b K", `hands "K", character 1: 'K'` + inHand},
		{"9/9/9/9/4K4/9/9/9/9 b Px", `hands "Px", character 2: 'x'` + inHand},
		{"9/9/9/9/4K4/9/9/9/9 b 0P", `hands "0P", character 1: '0'` + inHand},
		{"9/9/9/9/4K4/9/9/9/9 b 111P", `hands "111P", character 3: '1'` + inHand},
		{"9/9/9/9/4K4/9/9/9/9 b 2", `hands "2" end with a number`},
		{"9/9/9/9/4K4/9/9/9/9 b 19P", `hands "19P", character 3: 19 of the kind pawn in one hand, but a set has 18`},
		{"9/9/9/9/4K4/9/9/9/9 b 2B2B", `hands "2B2B", character 4: 4 of the kind bishop in one hand, but a set has 2`},
		{"9/9/9/9/4K4/9/9/9/9 b 2B1b", `there are 3 pieces of the kind bishop on the board and in the hands, but a set has 2`},
		{"9/9/9/9/9/9/9/9/9 b -", "there is no king on the board"},
		{"9/9/9/9/4K4/9/9/9/K8 b -", "black has 2 kings"},
		{"9/9/9/9/4k4/9/9/9/k8 b -", "white has 2 kings"},
		{"P8/9/9/9/4K4/9/9/9/9 b -", "black's pawn on 9a could never move"},
		{"9/N8/9/9/4K4/9/9/9/9 b -", "black's knight on 9b could never move"},
		{"9/9/9/9/4K4/9/9/9/8l b -", "white's lance on 1i could never move"},
		{"9/9/9/9/4K4/9/9/8n/9 b -", "white's knight on 1h could never move"},
		{"9/P8/P8/9/4K4/9/9/9/9 b -", "black has two unpromoted pawns on file 9"},
		{"4k4/4R4/9/9/4K4/9/9/9/9 b -", "white is in check from 5b, but black is to move"},
		{"4k4/4K4/9/9/9/9/9/9/9 b -", "white is in check from 5b, but black is to move"},
	} {
		_, err := ParseSFEN(c.text)
		require.EqualError(t, err, `SFEN "`+c.text+`": `+c.want)
	}
}

func TestParsePosition(t *testing.T) {
	for _, text := range []string{
		"startpos", "sfen " + startSFEN, startSFEN, "position startpos", "position sfen " + startSFEN, strings.ReplaceAll(startSFEN, " ", "_"),
		" position_sfen_" + strings.ReplaceAll(startSFEN, " ", "_"), "\tposition  " + startSFEN,
	} {
		p, moves, err := ParsePosition(text + " moves 7g7f 3c3d")
		require.NoError(t, err)
		require.Equal(t, Start(), p)
		require.Equal(t, "[7g7f 3c3d]", fmt.Sprint(moves))
		p, moves, err = ParsePosition(text)
		require.NoError(t, err)
		require.Equal(t, Start(), p)
		require.Empty(t, moves)
	}
	for _, end := range []string{"resign", "win"} {
		_, moves, err := ParsePosition("startpos moves 7g7f 3c3d " + end)
		require.NoError(t, err)
		require.Equal(t, "[7g7f 3c3d]", fmt.Sprint(moves))
		_, moves, err = ParsePosition("startpos moves " + end)
		require.NoError(t, err)
		require.Empty(t, moves)
	}
	p, moves, err := ParsePosition("startpos moves 7g7f 7g7f")
	require.EqualError(t, err, `after moves, number 2: move "7g7f": white, who is to move, has no piece on 7g`)
	require.Equal(t, Start(), p)
	require.Equal(t, "[7g7f]", fmt.Sprint(moves))
	for text, want := range map[string]string{
		"":                             "want 3 or 4 fields, got 0",
		"position":                     "want 3 or 4 fields, got 0",
		"position position startpos":   "want 3 or 4 fields, got 2",
		"startpos resign":              "want 3 or 4 fields, got 2",
		"startpos moves resign 7g7f":   `after moves, number 1: move "resign": want two squares`,
		"startpos moves 7g7f resign x": `after moves, number 2: move "resign": want two squares`,
	} {
		_, _, err := ParsePosition(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestParseUSIErrors(t *testing.T) {
	const shape = "want two squares as in 7g7f or 8h2b+, or a piece and a square as in P*5e"
	const hands = "k8/9/9/9/4p4/9/4P4/4G4/r3K4 b GP 1"
	const mate = "7lk/7l1/8G/9/9/9/9/9/4K4 b PN 1"
	for _, c := range []struct{ sfen, text, want string }{
		{startSFEN, "", shape},
		{startSFEN, "7g7", shape},
		{startSFEN, "7g7f++", shape},
		{startSFEN, "P*5e+", shape},
		{startSFEN, "7g7j", `"7j" is not a square (1a to 9i)`},
		{startSFEN, "0g7f", `"0g" is not a square (1a to 9i)`},
		{startSFEN, "K*5e", `"K" is not a piece to drop (P, L, N, S, G, B or R); ` + shape},
		{startSFEN, ".*5e", `"." is not a piece to drop (P, L, N, S, G, B or R); ` + shape},
		{startSFEN, "P*5e", "black, who is to move, has no pawn in hand"},
		{startSFEN, "5e5d", "black, who is to move, has no piece on 5e"},
		{startSFEN, "3c3d", "black, who is to move, has no piece on 3c"},
		{startSFEN, "7g7e", "the pawn on 7g cannot go to 7e"},
		{startSFEN, "8h2b", "the bishop on 8h cannot go to 2b"},
		{startSFEN, "8h7g", "black has a piece on 7g itself"},
		{startSFEN, "7g7f+", "neither 7g nor 7f lies in the promotion zone of black"},
		{startSFEN, "4i5h+", "a gold does not promote"},
		{"k8/4P4/9/9/9/9/9/9/4K4 b - 1", "5b5a", "a pawn on 5a could never move, so it must promote"},
		{hands, "5i5h", "black has a piece on 5h itself"},
		{hands, "5i4i", "the king would be in check on 4i"},
		{hands, "5g5f", "black's king would still be in check from 9i"},
		{hands, "G*5f", "black's king would still be in check from 9i"},
		{hands, "P*6i", ""},
		{hands, "P*5a", "a pawn on 5a could never move"},
		{hands, "P*5d", "black has an unpromoted pawn on file 5 already"},
		{hands, "P*5e", "5e is not empty"},
		{"k3r4/9/9/9/9/9/9/4G4/4K4 b - 1", "5h4h", "the gold on 5h is pinned: black's king would be in check"},
		{mate, "P*1b", "a pawn dropped here would mate, which is illegal"},
		{mate, "N*2c", ""},
	} {
		p, err := ParseSFEN(c.sfen)
		require.NoError(t, err, c.sfen)
		_, err = NewBoard(p).ParseUSI(c.text)
		if c.want == "" {
			require.NoError(t, err, "%s in %s", c.text, c.sfen)
			continue
		}
		require.EqualError(t, err, `move "`+c.text+`": `+c.want, c.sfen)
	}
}

// TestLegal goes through all moves that the type can hold.
func TestLegal(t *testing.T) {
	walk(rand.New(rand.NewPCG(10, 10)), sizes(6, 30), 12, func(b *Board) {
		legal := map[Move]bool{}
		for _, m := range b.AppendMoves(nil) {
			legal[m] = true
		}
		for x := range 1 << 16 {
			if m := Move(x); legal[m] != b.Legal(m) {
				t.Fatalf("%v (%#x) in %v: legal %v, want %v", m, x, b.Position(), b.Legal(m), legal[m])
			}
		}
	})
}

func TestNewPosition(t *testing.T) {
	start := Start()
	p, err := NewPosition(start.board, start.hands, Black)
	require.NoError(t, err)
	require.Equal(t, start, p)
	require.Equal(t, PieceOf(White, King), p.At(SquareAt(5, 1)))
	require.Equal(t, SquareAt(5, 9), p.King(Black))
	_, err = NewPosition([81]Piece{}, [2]Hand{}, Black)
	require.ErrorContains(t, err, "there is no king")
	_, err = NewPosition([81]Piece{40: 200}, [2]Hand{}, Black)
	require.EqualError(t, err, "200 on 5e is not a piece")

	p, err = ParseSFEN("4k4/9/9/9/9/9/9/9/9 b G 1")
	require.NoError(t, err)
	p = p.WithRest(White)
	require.Equal(t, "4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p", p.SFEN())
	require.Equal(t, 39-1-1, p.Hand(White).Len())
	require.Equal(t, NoSquare, p.King(Black))
	require.Equal(t, p, p.WithRest(Black))
}

func FuzzParseSFEN(f *testing.F) {
	for _, sfen := range []string{startSFEN, "4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", "k8/9/9/9/4p4/9/9/4G4/r3K4 b GP 1"} {
		f.Add(sfen)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseSFEN(text)
		if err != nil {
			return
		}
		again, err := ParseSFEN(p.SFEN())
		require.NoError(t, err, text)
		require.Equal(t, p, again)
		b := NewBoard(p)
		before := snapshot(b)
		moves := b.AppendMoves(nil)
		for _, m := range moves {
			check := b.GivesCheck(m)
			b.Do(m)
			require.Equal(t, check, b.InCheck())
			require.Equal(t, snapshot(NewBoard(b.Position())), snapshot(b), "%v in %q", m, text)
			b.Undo()
		}
		require.Equal(t, before, snapshot(b), text)
	})
}

func FuzzParseUSI(f *testing.F) {
	for _, text := range []string{"7g7f", "8h2b+", "P*5e", "none", "9i9i+"} {
		f.Add(text)
	}
	p, err := ParseSFEN("l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		b := NewBoard(p)
		if m, err := b.ParseUSI(text); err == nil {
			require.True(t, b.Legal(m), text)
			require.Equal(t, text, m.String())
		}
	})
}

func FuzzParsePosition(f *testing.F) {
	for _, text := range []string{
		"position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e", "sfen " + startSFEN + " moves 7g7f resign",
		"4k4/9/4P4/9/9/9/9/9/9_b_2G_1_moves_G*5b", "position sfen 9/9/9/9/9/9/4p4/9/3K5 b g 1 moves 6i5i win",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, moves, read := ParsePosition(text)
		if read != nil && p == (Position{}) {
			require.Empty(t, moves)
			return
		}
		b := NewBoard(p)
		again := "position sfen " + p.SFEN() + " moves"
		for _, m := range moves {
			require.NoError(t, b.CheckMove(m))
			b.Do(m)
			again += " " + m.String()
		}
		q, same, err := ParsePosition(again)
		require.NoError(t, err, text)
		require.Equal(t, p, q)
		require.Equal(t, moves, same)
		// No word is lost: all are the position's or are moves.
		if words := Fields(text); read == nil && slices.Contains(words, "moves") {
			after := words[slices.Index(words, "moves")+1:]
			if n := len(after); n > 0 && (after[n-1] == "resign" || after[n-1] == "win") {
				after = after[:n-1]
			}
			require.Len(t, after, len(moves))
		}
	})
}
