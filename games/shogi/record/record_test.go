package record

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/japanese"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// problemSFEN is the position of testdata/problem.kif.
const problemSFEN = "7k1/9/6+R2/9/9/9/9/9/9 b Gr2b3g4s4n4l18p"

func readFile(t testing.TB, name string) []byte {
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return data
}

func usi(moves []shogi.Move) string {
	var list []string
	for _, m := range moves {
		list = append(list, m.String())
	}
	return strings.Join(list, " ")
}

func TestParseKIF(t *testing.T) {
	data := readFile(t, "game.kif")
	shiftJIS, err := japanese.ShiftJIS.NewEncoder().Bytes(data)
	require.NoError(t, err)
	for name, data := range map[string][]byte{
		"UTF-8":     data,
		"with mark": append([]byte("\xef\xbb\xbf"), data...),
		"CRLF":      bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")),
		"Shift_JIS": shiftJIS,
	} {
		r, err := ParseKIF(data)
		require.NoError(t, err, name)
		require.Equal(t, shogi.Start(), r.Start, name)
		require.Equal(t, "7g7f 3c3d 8h2b+ 3a2b B*5e B*3c 5e3c 2a3c", usi(r.Moves), name)
		require.False(t, r.Mate, name)
	}

	problem := readFile(t, "problem.kif")
	rest := bytes.Replace(problem, []byte("飛　角二　金三　銀四　桂四　香四　歩十八　"), []byte("残り全部"), 1)
	require.NotEqual(t, problem, rest)
	for _, data := range [][]byte{problem, rest} {
		r, err := ParseKIF(data)
		require.NoError(t, err)
		require.Equal(t, problemSFEN, r.Start.SFEN())
		require.Equal(t, "G*2b", usi(r.Moves))
		require.True(t, r.Mate)
		p := r.Final()
		require.Equal(t, "7k1/7G1/6+R2/9/9/9/9/9/9 w r2b3g4s4n4l18p", p.SFEN())
	}
}

func TestHandicaps(t *testing.T) {
	for _, h := range handicaps {
		r, err := ParseKIF([]byte("手合割：" + h.name))
		require.NoError(t, err)
		want := shogi.White
		if h.name == "平手" {
			want = shogi.Black
		}
		require.Equal(t, want, r.Start.Turn(), h.name)
		require.Equal(t, h.name, handicapOf(r.Start))
	}
	r, err := ParseKIF([]byte("手合割：六枚落ち\n1 ４二玉(51)\n2 ７六歩(77)\n"))
	require.NoError(t, err)
	p := r.Final()
	require.Equal(t, "2sg1gs2/5k3/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -", p.SFEN())
}

func TestParseKIFErrors(t *testing.T) {
	problem := string(readFile(t, "problem.kif"))
	change := func(from, to string) string {
		require.Contains(t, problem, from)
		return strings.Replace(problem, from, to, 1)
	}
	for _, c := range []struct{ text, want string }{
		{"hello", `line 1, column 1: "hello" is not a header (name：value), a row of a diagram or a numbered move`},
		{"手合割：香車落ち", `line 1, column 5: "香車落ち" is not a handicap, want 平手, 香落ち, 右香落ち, 角落ち, 飛車落ち, 飛香落ち, 二枚落ち to 十枚落ち, or その他 with a diagram`},
		{"1 ７六歩(77)\n3 ３四歩(33)", `line 2, column 1: move number 3, want 2`},
		{"1 ７六歩(77)\n  2 ３五歩(33)", `line 2, column 5: move "３五歩(33)": the pawn on 3c cannot go to 3e`},
		{"1 投了\n2 ７六歩(77)", "line 2, column 1: a move after the end of the game"},
		{"手番：x", `line 1: 手番 "x", want 先手 or 後手`},
		{"先手の持駒：飛　竜", `line 1, column 9: '竜' is not a piece in hand (飛, 角, 金, 銀, 桂, 香 or 歩), want なし if there is none`},
		{"先手の持駒：歩十九", `line 1, column 8: "十九" is not a number from 一 to 十八`},
		{"先手の持駒：飛三", `line 1, column 7: 3 of the kind rook in one hand, but a set has 2`},
		{"先手の持駒：飛", "line 1: the diagram must have 9 rows, and has 0"},
		{change(" 龍 ・ ・|三", " 籠 ・ ・|三"), `line 8, column 15: '籠' is not a piece (玉 飛 角 金 銀 桂 香 歩 龍 馬 全 圭 杏 と) or an empty square (・)`},
		{change(" 龍 ・ ・|三", "x龍 ・ ・|三"), `line 8, column 14: 'x', want a space before Black's pieces and empty squares and v before White's`},
		{change(" 龍 ・ ・|三", " 龍 ・"), "line 8, column 18: want 9 squares of two characters each, got 8"},
		{change(" 龍 ・ ・|三", " 龍 ・ ・ ・|三"), `line 8, column 20: ' ', want | after nine squares`},
		{change("v玉", " ・"), "line 18: there is no king on the board"},
		{change("|九\n", "|九\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n"), "line 15, column 1: row 10 of a diagram of nine"},
		{problem + "先手番", "line 20, column 1: the side to move is given after the first move"},
		{change("飛　", "飛二　"), "line 18: there are 3 pieces of the kind rook on the board and in the hands, but a set has 2"},
		{"\x82\xa0\xff\xff", "the text is neither UTF-8 nor Shift_JIS: line 1"},
	} {
		_, err := ParseKIF([]byte(c.text))
		require.EqualError(t, err, "KIF: "+c.want)
	}
	var place *SyntaxError
	_, err := ParseKIF([]byte("1 ７六歩(77)\n2 ３五歩(33)"))
	require.ErrorAs(t, err, &place)
	require.Equal(t, 2, place.Line)
}

func TestParseCSA(t *testing.T) {
	list, err := ParseCSA(readFile(t, "games.csa"))
	require.NoError(t, err)
	require.Len(t, list, 3)
	require.Equal(t, shogi.Start(), list[0].Start)
	require.Equal(t, "7g7f 3c3d 8h2b+ 3a2b", usi(list[0].Moves))
	require.False(t, list[0].Mate)
	require.Equal(t, problemSFEN, list[1].Start.SFEN())
	require.Equal(t, "G*2b", usi(list[1].Moves))
	require.True(t, list[1].Mate)
}

func TestParseCSAErrors(t *testing.T) {
	const usual = "PI\n+\n"
	const pieces = "(FU KY KE GI KI KA HI OU TO NY NK NG UM RY)"
	for _, c := range []struct{ text, want string }{
		{"", "line 1: the file has no record"},
		{"V2.2", "line 1: the record ends without a side to move (a line with + or -)"},
		{"+", "line 1, column 1: a position (PI, P1 to P9, P+ or P-) must come before the side to move"},
		{"N=x", "line 1, column 2: want N+ or N- and the name of a player"},
		{"$EVENT", "line 1, column 7: want : after the name of a header"},
		{"PX", `line 1, column 2: "PX", want PI, P1 to P9, P+ or P-`},
		{"P1-KY-KE", "line 1, column 9: rank 1: want 9 squares of three characters each, got 2"},
		{"P1-KY-KX", `line 1, column 6: "KX" is not a piece ` + pieces},
		{"P1 KY", `line 1, column 3: " KY", want a piece with + or - before it, or * for an empty square`},
		{"P1" + strings.Repeat(" * ", 10), "line 1, column 30: rank 1 has more than 9 squares"},
		{"PI82KA", "line 1, column 3: no such piece stands there at the start"},
		{"PI00KA", "line 1, column 3: no such piece stands there at the start"},
		{"P+59OU59KI", "line 1, column 7: there is a piece on the square already"},
		{"P+5", `line 1, column 3: "5", want a square and a piece, as in 55OU`},
		{"P+01FU", `line 1, column 3: "01" is not a square (11 to 99, 00 for the hand)`},
		{"P+00TO", "line 1, column 3: a promoted pawn cannot be in hand"},
		{"P+00HI00HI00HI", "line 1, column 11: a set has only 2 pieces of the kind rook"},
		{"P+55OU00AL\nP-00FU", `line 2, column 1: "P-00FU" after 00AL, which gives away all other pieces`},
		{"P+11HI12HI13HI55OU00AL\n+", "line 2, column 1: there are 3 pieces of the kind rook on the board and in the hands, but a set has 2"},
		{"P+11FU\n+", "line 2, column 1: black's pawn on 1a could never move"},
		{"P+55OU54FU53FU\n+", "line 2, column 1: black has two unpromoted pawns on file 5"},
		{"P+55OU\nP-54FU\n-", "line 3, column 1: black is in check from 5d, but white is to move"},
		{usual + "+", "line 3, column 1: the side to move is given twice"},
		{usual + "PI", "line 3, column 1: a position after the side to move"},
		{"PI\n+7776FU", `line 2, column 1: "+7776FU", want a position (PI, P1 to P9, P+ or P-) and the side to move (+ or -) first`},
		{usual + "+7776", `line 3, column 1: "+7776", want a move as in +7776FU, or +0055FU for a drop`},
		{usual + "-3334FU", `line 3, column 1: "-3334FU", but black is to move`},
		{usual + "+7776KX", `line 3, column 4: "KX" is not a piece ` + pieces},
		{usual + "+7776KI", "line 3, column 6: on 7g stands a pawn, which does not become a gold"},
		{usual + "+7700FU", "line 3, column 4: no move goes to the hand"},
		{usual + "+7775FU", `line 3, column 1: move "+7775FU": the pawn on 7g cannot go to 7e`},
		{usual + "+7776FU,-3334FU,+8823UM", `line 3, column 17: move "+8823UM": the bishop on 8h cannot go to 2c`},
		{usual + "+0055FU", `line 3, column 1: move "+0055FU": black, who is to move, has no pawn in hand`},
		{usual + "%X", "line 3, column 1: %X is not an ending of CSA (such as %TORYO, %TSUMI or %CHUDAN)"},
		{usual + "%TORYO\n+7776FU", `line 4, column 1: "+7776FU" after the end of the game`},
		{usual + "hello", `line 3, column 1: "hello" is not a statement of CSA (moves begin with + or -, endings with %, comments with ')`},
	} {
		_, err := ParseCSA([]byte(c.text))
		require.EqualError(t, err, "CSA: "+c.want, c.text)
	}
}

// TestRecordRoundTrip writes records of random games and reads them again.
func TestRecordRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for i := range sizes(50, 300) {
		r := Record{Start: shogi.Start(), Mate: rng.IntN(2) == 0}
		if i%3 != 0 {
			r.Start = randomPosition(rng)
		}
		b := shogi.NewBoard(r.Start)
		for range rng.IntN(60) {
			moves := b.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			r.Moves = append(r.Moves, m)
			b.Do(m)
		}
		kif := r.AppendKIF([]byte("先手：A\n棋戦：x：y\n"))
		got, err := ParseKIF(kif)
		require.NoError(t, err, string(kif))
		require.Equal(t, r, got, string(kif))
		csa := appendCSA(nil, &r)
		list, err := ParseCSA(csa)
		require.NoError(t, err, string(csa))
		require.Equal(t, []Record{r}, list, string(csa))
		require.Equal(t, b.Position(), r.Final())
	}
}

// TestVariations writes variations, and reads each of them as a record of its own: the
// main line before it, and its moves.
func TestVariations(t *testing.T) {
	line := func(ply int, text string) []shogi.Move {
		_, moves, err := shogi.ParsePosition("startpos moves " + text)
		require.NoError(t, err)
		return moves[ply:]
	}
	r := Record{
		Start: shogi.Start(), Moves: line(0, "7g7f 3c3d 8h2b+ 3a2b"), Mate: true,
		Variations: []Variation{
			{Ply: 0, Moves: line(0, "2g2f"), Comment: "another first move"},
			{Ply: 2, Moves: line(2, "7g7f 3c3d 2g2f 8c8d")},
			{Ply: 2, Moves: line(2, "7g7f 3c3d 6g6f")},
		},
	}
	kif := r.AppendKIF(nil)
	parts := strings.Split(string(kif), "\n変化：")
	require.Len(t, parts, 4)
	got, err := ParseKIF(kif)
	require.NoError(t, err)
	require.Equal(t, Record{Start: r.Start, Moves: r.Moves, Mate: true}, got)
	require.Contains(t, parts[3], "*another first move\n")
	for i, want := range []Variation{r.Variations[1], r.Variations[2], r.Variations[0]} {
		place, text, _ := strings.Cut(parts[i+1], "手\n")
		require.Equal(t, strconv.Itoa(want.Ply+1), place)
		before := Record{Start: r.Start, Moves: r.Moves[:want.Ply]}
		got, err := ParseKIF([]byte(string(before.AppendKIF(nil)) + text))
		require.NoError(t, err, text)
		require.Equal(t, append(before.Moves, want.Moves...), got.Moves)
		require.True(t, got.Mate)
	}
}

func TestEndings(t *testing.T) {
	for text, mate := range map[string]bool{"TSUMI": true, "TORYO": false, "+ILLEGAL_ACTION": false, "MAX_MOVES": false} {
		list, err := ParseCSA([]byte("PI\n+\n+7776FU\n%" + text))
		require.NoError(t, err)
		require.Equal(t, mate, list[0].Mate)
	}
	for text, mate := range map[string]bool{"詰": true, "詰み": true, "時間切れ": false, "不戦勝": false, "不詰": false} {
		r, err := ParseKIF([]byte("1 " + text))
		require.NoError(t, err)
		require.Equal(t, mate, r.Mate)
	}
}

func FuzzParseKIF(f *testing.F) {
	for _, name := range []string{"game.kif", "problem.kif"} {
		f.Add(readFile(f, name))
	}
	f.Add([]byte("手合割：二枚落ち\n先手：x\n1 ４二玉(51)\n2 投了"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ParseKIF(data)
		if err != nil {
			return
		}
		text := r.AppendKIF(nil)
		again, err := ParseKIF(text)
		require.NoError(t, err, "%q", text)
		require.Equal(t, r.Start, again.Start, "%q", text)
		require.Equal(t, r.Moves, again.Moves, "%q", text)
		require.Equal(t, r.Mate, again.Mate, "%q", text)
	})
}

func FuzzParseCSA(f *testing.F) {
	f.Add(readFile(f, "games.csa"))
	for i, text := range bytes.Split(readFile(f, "games.csa"), []byte("/\n")) {
		f.Add(text)
		f.Add(fmt.Appendf(nil, "%s\n'%d", text, i))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseCSA(data)
		if err != nil {
			return
		}
		for _, r := range list {
			text := appendCSA(nil, &r)
			again, err := ParseCSA(text)
			require.NoError(t, err, "%q", text)
			require.Len(t, again, 1)
			require.Equal(t, r.Start, again[0].Start, "%q", text)
			require.Equal(t, r.Moves, again[0].Moves, "%q", text)
			require.Equal(t, r.Mate, again[0].Mate, "%q", text)
		}
	})
}
