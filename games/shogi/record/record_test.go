package record

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

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

// parseOne reads a file with one record.
func parseOne(t testing.TB, data []byte) Record {
	t.Helper()
	list, err := Parse(data, shogi.UsualHands)
	require.NoError(t, err)
	require.Len(t, list, 1)
	return list[0]
}

func encoded(t testing.TB, e encoding.Encoding, text []byte) []byte {
	data, err := e.NewEncoder().Bytes(text)
	require.NoError(t, err)
	return data
}

func TestParseKIF(t *testing.T) {
	data := readFile(t, "game.kif")
	for name, data := range map[string][]byte{
		"UTF-8":              data,
		"with mark":          append([]byte("\xef\xbb\xbf"), data...),
		"CRLF":               bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")),
		"CR":                 bytes.ReplaceAll(data, []byte("\n"), []byte("\r")),
		"Shift_JIS":          encoded(t, japanese.ShiftJIS, data),
		"EUC-JP":             encoded(t, japanese.EUCJP, data),
		"ISO-2022-JP":        encoded(t, japanese.ISO2022JP, data),
		"UTF-16, little end": encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), data),
		"UTF-16, big end":    encoded(t, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), data),
		"UTF-8, broken byte": bytes.Replace(data, []byte("*a comment"), []byte("*\xe3a comment"), 1),
		"Shift_JIS, broken":  bytes.Replace(encoded(t, japanese.ShiftJIS, data), []byte("*a comment"), []byte("*\xffa comment"), 1),
		"EUC-JP, broken":     bytes.Replace(encoded(t, japanese.EUCJP, data), []byte("*a comment"), []byte("*\xffa comment"), 1),
		"Shift_JIS, kana":    encoded(t, japanese.ShiftJIS, bytes.Replace(data, []byte("*a comment"), bytes.Repeat([]byte("*ｺﾃﾄｱﾎﾔ\n"), 200), 1)),
		"EUC-JP, kana":       encoded(t, japanese.EUCJP, bytes.Replace(data, []byte("*a comment"), bytes.Repeat([]byte("*ｺﾃﾄｱﾎﾔ\n"), 200), 1)),
		"collapsed blanks":   regexp.MustCompile("[ 　]+").ReplaceAll(data, []byte(" ")),
		"full-width blanks":  bytes.ReplaceAll(data, []byte(" "), []byte("　")),
		"no blanks before (": regexp.MustCompile(` +\(`).ReplaceAll(data, []byte("(")),
		"numbers with a dot": regexp.MustCompile(`(?m)^ +(\d+) `).ReplaceAll(data, []byte("$1. ")),
		"full-width numbers": regexp.MustCompile(`(?m)^ +\d `).ReplaceAllFunc(data, func(n []byte) []byte { return []byte(wideDigits[3*(n[3]-'1'):][:3] + "　") }),
		"with an end mark":   append(append([]byte{}, data...), 0x1a),
		"after other lines":  append([]byte("hello\n盤面回転\n"), data...),
	} {
		r := parseOne(t, data)
		require.NoError(t, r.Err, name)
		require.Equal(t, shogi.Start(), r.Start, name)
		require.Equal(t, "7g7f 3c3d 8h2b+ 3a2b B*5e B*3c 5e3c 2a3c", usi(r.Moves), name)
		require.Equal(t, Resigned, r.Ending, name)
		require.Equal(t, WhiteWins, r.Result, name)
		require.Equal(t, [2]string{"先手の人", "後手の人"}, r.Names, name)
		require.Len(t, r.Variations, 1, name)
		require.Equal(t, 4, r.Variations[0].Ply, name)
		require.Equal(t, "7i8h", usi(r.Variations[0].Moves), name)
		require.Equal(t, []time.Duration{1 * time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second, 5 * time.Second, 6 * time.Second, 0, 0}, r.Times, name)
	}

	problem := readFile(t, "problem.kif")
	rest := bytes.Replace(problem, []byte("飛　角二　金三　銀四　桂四　香四　歩十八　"), []byte("残り全部"), 1)
	require.NotEqual(t, problem, rest)
	for _, data := range [][]byte{
		problem, rest,
		regexp.MustCompile("(?m)^[|].*").ReplaceAllFunc(problem, func(row []byte) []byte { return bytes.ReplaceAll(row, []byte(" "), nil) }),
		bytes.ReplaceAll(problem, []byte(" "), []byte("　")),
		bytes.ReplaceAll(problem, []byte("・"), []byte("．")),
		bytes.ReplaceAll(problem, []byte("飛　角二　金三　銀四　桂四　香四　歩十八　"), []byte("飛1 角2 金 3 銀４ 桂4枚、香四枚 歩18")),
		bytes.ReplaceAll(problem, []byte("歩十八"), []byte("歩一八")),
	} {
		r := parseOne(t, data)
		require.NoError(t, r.Err)
		require.Equal(t, problemSFEN, r.Start.SFEN())
		require.Equal(t, "G*2b", usi(r.Moves))
		require.Equal(t, Mated, r.Ending)
		p := r.Final()
		require.Equal(t, "7k1/7G1/6+R2/9/9/9/9/9/9 w r2b3g4s4n4l18p", p.SFEN())
	}

	// 同 may mean the square of the move before the diagram, and the first move shows which
	// side is to move.
	text := strings.Replace(string(problem), "手数----", "手数＝84  △２二歩成  まで\n手数----", 1)
	text = strings.NewReplacer("1 ２二金打", "85 同　金打", "2 詰み", "86 詰み").Replace(text)
	r := parseOne(t, []byte(text))
	require.NoError(t, r.Err)
	require.Equal(t, "G*2b", usi(r.Moves))
	r = parseOne(t, []byte(strings.Replace(string(problem), "1 ２二金打", "1 １一玉(21)", 1)))
	require.NoError(t, r.Err)
	require.Equal(t, "2a1a", usi(r.Moves))
	require.Equal(t, shogi.White, r.Start.Turn())

	// Files with several records, and variations after the headers at the end.
	two := append(append([]byte{}, data...), problem...)
	list, err := ParseKIF(two)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "G*2b", usi(list[1].Moves))
	require.Equal(t, problemSFEN, list[1].Start.SFEN())
	require.Len(t, list[0].Variations, 1)
	r = parseOne(t, []byte("1 ７六歩(77)\n2 ３四歩(33)\n先手：A\n変化：2手\n2 ８四歩(83)"))
	require.Equal(t, "7g7f 3c3d", usi(r.Moves))
	require.Len(t, r.Variations, 1)
}

func TestHandicaps(t *testing.T) {
	seen := map[shogi.Position]string{}
	for _, h := range handicaps {
		r := parseOne(t, []byte("手合割："+h.name))
		require.NoError(t, r.Err)
		want := shogi.White
		if h.name == "平手" {
			want = shogi.Black
		}
		require.Equal(t, want, r.Start.Turn(), h.name)
		if seen[r.Start] == "" {
			seen[r.Start] = h.name
		}
		require.Equal(t, seen[r.Start], handicapOf(r.Start))
	}
	for name, want := range map[string]string{
		"6枚落ち": "六枚落ち", "２枚落": "二枚落ち", "10枚落ち": "十枚落ち", "角落 ち": "角落ち", "平手（振り駒）": "平手", "飛落": "飛車落ち",
	} {
		r := parseOne(t, []byte("手合割："+name))
		require.NoError(t, r.Err)
		require.Equal(t, want, handicapOf(r.Start), name)
	}
	r := parseOne(t, []byte("手合割：六枚落ち\n1 ４二玉(51)\n2 ７六歩(77)\n"))
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
		{"手合割：香車落ち", `line 1, column 5: "香車落ち" is not a handicap, want 平手, 香落ち, 右香落ち, 角落ち, 飛車落ち, 飛香落ち, 二枚落ち to 十枚落ち, or a diagram`},
		{"1 ７六歩(77)\n3 ３四歩(33)", `line 2, column 3: move number 3, want 2`},
		{"1 ７六歩(77)\n1 ３四歩(33)", `line 2, column 3: move number 1, want 2`},
		{"1 ７六歩(77)\n  2 ３五歩(33)", `line 2, column 5: move "３五歩(33)": the pawn on 3c cannot go to 3e`},
		{"1 ７六歩(77)\n  2 ３四歩x", `line 2, column 5: move "３四歩": "x" at the end, want 成, 不成, 打, 上, 寄, 引, 右, 左, 直 or a square as in (77)`},
		{"1 ７六歩(77)\n▲", `line 2, column 1: "▲" is neither a move nor a remark (*)`},
		{"1 ７六歩(77)\nx2 ３四歩(33)", `line 2, column 1: "x2 ３四歩(33)" is neither a move nor a remark (*)`},
		{"1 ７六歩(77)\n2 x四歩(33)", `line 2, column 3: "x四歩(33)" is not a move`},
		{"2 ３四歩(33)", `line 1, column 3: the first move has the number 2; want 1 without a diagram`},
		{"1 ７六歩(77)\n△３五歩", `line 2, column 1: move "△３五歩": white, who is to move, has no legal move like that with a pawn`},
		{"1 ７六歩(77)\n変化：3手\n3 ２六歩(27)", `line 2: "変化：3手": want the number of a move of a line before it`},
		{"1 ７六歩(77)\n2 ３四歩(33)\n変化：2手\n2 ３五歩(33)", `line 4, column 3: move "３五歩(33)": the pawn on 3c cannot go to 3e`},
		{"1 投了\n2 ７六歩(77)", "line 2, column 3: a move after the end of the game"},
		{"1 ７六歩(77)\n2 何か\n3 ２六歩(27)", "line 3, column 3: a move after the end of the game"},
		{"手番：x", `line 1: 手番 "x", want 先手 or 後手`},
		{change("下手の持駒：金", "下手の持駒：金　竜"), `line 16, column 9: '竜' is not a piece in hand (飛, 角, 金, 銀, 桂, 香 or 歩), want なし if there is none`},
		{change("下手の持駒：金", "下手の持駒：歩十九"), `line 16, column 8: "十九" is not a number from 一 to 十八`},
		{change("下手の持駒：金", "下手の持駒：飛三"), `line 16, column 7: 3 of the kind rook in one hand, but a set has 2`},
		{change("| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n", ""), "line 17: the diagram must have 9 rows, and has 8"},
		{change(" 龍 ・ ・|三", " 籠 ・ ・|三"), `line 8, column 15: '籠' is not a piece (玉 飛 角 金 銀 桂 香 歩 龍 馬 全 圭 杏 と) or an empty square (・)`},
		{change(" 龍 ・ ・|三", "x龍 ・ ・|三"), `line 8, column 14: 'x', want a space before Black's pieces and empty squares and v before White's`},
		{change(" 龍 ・ ・|三", " 龍 ・"), "line 8, column 18: want 9 squares of two characters each, got 8"},
		{change(" 龍 ・ ・|三", " 龍 ・ ・ ・|三"), `line 8, column 20: ' ', want | after nine squares`},
		{change("v玉", " ・"), "line 18: there is no king on the board"},
		{change("|九\n", "|九\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n"), "line 15, column 1: row 10 of a diagram of nine"},
		{change("下手の持駒：金", "下手の持駒：金四銀四\n▲"), ""},
	} {
		if c.want == "" {
			require.NoError(t, parseOne(t, []byte(c.text)).Err, c.text)
			continue
		}
		list, err := ParseKIF([]byte(c.text))
		require.NoError(t, err)
		require.EqualError(t, list[0].Err, "KIF: "+c.want, c.text)
	}
	for _, text := range []string{"", "hello", "\x82\xa0\xff\xff", "開始日時：2020/01/01", "*7"} {
		_, err := ParseKIF([]byte(text))
		require.EqualError(t, err, "KIF: no record: want headers (name：value), a diagram or numbered moves")
	}
	var place *SyntaxError
	r := parseOne(t, []byte("1 ７六歩(77)\n2 ３五歩(33)"))
	require.ErrorAs(t, r.Err, &place)
	require.Equal(t, 2, place.Line)
	require.Equal(t, "7g7f", usi(r.Moves))
}

func TestParseCSA(t *testing.T) {
	list, err := ParseCSA(readFile(t, "games.csa"))
	require.NoError(t, err)
	require.Len(t, list, 3)
	require.Equal(t, shogi.Start(), list[0].Start)
	require.Equal(t, "7g7f 3c3d 8h2b+ 3a2b", usi(list[0].Moves))
	require.Equal(t, Interrupted, list[0].Ending)
	require.Equal(t, [2]string{"BLACK", "WHITE"}, list[0].Names)
	require.Equal(t, []time.Duration{1 * time.Second, 2 * time.Second, 3 * time.Second, 0}, list[0].Times)
	require.Equal(t, problemSFEN, list[1].Start.SFEN())
	require.Equal(t, "G*2b", usi(list[1].Moves))
	require.Equal(t, Mated, list[1].Ending)
	require.Equal(t, BlackWins, list[1].Result)
	for _, r := range list {
		require.NoError(t, r.Err)
	}
}

func TestParseCSAErrors(t *testing.T) {
	const usual = "PI\n+\n"
	const pieces = "(FU KY KE GI KI KA HI OU TO NY NK NG UM RY)"
	for _, c := range []struct{ text, want string }{
		{"PX", `line 1, column 2: "PX", want PI, P1 to P9, P+ or P-`},
		{"P1-KY-KE", "line 1, column 9: rank 1: want 9 squares, got 2"},
		{"P1-KY-KX", `line 1, column 7: "KX" is not a piece ` + pieces},
		{"P1 KYX", `line 1, column 4: "KYX", want a piece with + or - before it, or * for an empty square`},
		{"P1" + strings.Repeat(" * ", 10), "line 1, column 29: rank 1 has more than 9 squares"},
		{"PI82KA", "line 1, column 3: no such piece stands there at the start"},
		{"PI00KA", "line 1, column 3: no such piece stands there at the start"},
		{"P+59OU59KI", "line 1, column 7: there is a piece on the square already"},
		{"P+5", `line 1, column 3: "5", want a square and a piece, as in 55OU`},
		{"P+01FU", `line 1, column 3: "01" is not a square (11 to 99, 00 for the hand)`},
		{"P+00TO", "line 1, column 3: a promoted pawn cannot be in hand"},
		{"P+00HI00HI00HI", "line 1, column 11: a set has only 2 pieces of the kind rook"},
		{"P+11HI12HI13HI55OU00AL\n+", "line 2, column 1: there are 3 pieces of the kind rook on the board and in the hands, but a set has 2"},
		{"P+11FU\n+", "line 2, column 1: black's pawn on 1a could never move"},
		{"P+55OU54FU53FU\n+", "line 2, column 1: black has two unpromoted pawns on file 5"},
		{"P+55OU\nP-54FU\n-", "line 3, column 1: black is in check from 5d, but white is to move"},
		{usual + "-", "line 3, column 1: the side to move is given twice"},
		{usual + "PI", `line 3, column 1: "PI" is not a statement of CSA (moves begin with + or -, endings with %, comments with ')`},
		{usual + "+7776", `line 3, column 1: "+7776", want a move as in +7776FU, or +0055FU for a drop`},
		{usual + "-3334FU", `line 3, column 1: "-3334FU", but black is to move`},
		{usual + "+7776KX", `line 3, column 4: "KX" is not a piece ` + pieces},
		{usual + "+7776KI", "line 3, column 6: on 7g stands a pawn, which does not become a gold"},
		{usual + "+7700FU", "line 3, column 4: no move goes to the hand"},
		{usual + "+7775FU", `line 3, column 1: move "+7775FU": the pawn on 7g cannot go to 7e`},
		{usual + "+7776FU,-3334FU,+8823UM", `line 3, column 17: move "+8823UM": the bishop on 8h cannot go to 2c`},
		{usual + "+0055FU", `line 3, column 1: move "+0055FU": black, who is to move, has no pawn in hand`},
		{usual + "%TORYO\n+7776FU", `line 4, column 1: "+7776FU" after the end of the game`},
		{usual + "hello", `line 3, column 1: "hello" is not a statement of CSA (moves begin with + or -, endings with %, comments with ')`},
	} {
		list, err := ParseCSA([]byte(c.text))
		require.NoError(t, err)
		require.EqualError(t, list[0].Err, "CSA: "+c.want, c.text)
	}
	for _, text := range []string{"", "V2.2", "N=x", "$EVENT", "hello"} {
		_, err := ParseCSA([]byte(text))
		require.EqualError(t, err, "CSA: no record: want a position (PI, P1 to P9, P+ or P-), the side to move (+ or -) or moves as in +7776FU")
	}
}

// TestCSAForms reads what programs write besides the format's own examples.
func TestCSAForms(t *testing.T) {
	for text, want := range map[string]string{
		"+7776FU\n-3334FU": "7g7f 3c3d", // no position, no side to move
		"PI\n+7776FU":      "7g7f",
		"V3.0\n'CSA encoding=UTF-8\nPI\n+\n+7776FU\nT1.5":                                                       "7g7f",
		"PI\n+\n+7776FU,T12,'a comment, with -3334FU":                                                           "7g7f",
		"BEGIN Game_Summary\nPI\n+\n+7776FU\n%TORYO\nT3":                                                        "7g7f",
		"P1-KY-KE-GI-KI-OU-KI-GI-KE-KY.\nP2 *  *  *  *  *  *  *  *  *.\nP9 *  *  *  * +OU *  *  *  *.\n+5958OU": "5i5h",
		"V2.2,N+A,B,N-C,$EVENT:x,y,PI,+,+7776FU,T1,-3334FU,T2,%CHUDAN":                                          "7g7f 3c3d",
		"PI,+,+7776FU,-3334FU,'a comment, with +2726FU":                                                         "7g7f 3c3d",
		"'a comment, with +2726FU\nN+A, PI ,+, +7776FU , -3334FU ,%TORYO":                                       "7g7f 3c3d",
		"P+59OU 00AL\nP-51OU 00FU\n+\n+5958OU":                                                                  "5i5h",
	} {
		r := parseOne(t, []byte(text))
		require.NoError(t, r.Err, text)
		if r.Moves[0].IsDrop() {
			continue
		}
		require.True(t, strings.HasPrefix(usi(r.Moves), want), text)
	}
	r := parseOne(t, []byte("V2.2,N+A,B,N-C,$EVENT:x,y,PI,+,'before\n+7776FU,T1,'*after,it\n-3334FU,T2,%CHUDAN\n'at the end"))
	require.NoError(t, r.Err)
	require.Equal(t, [2]string{"A,B", "C"}, r.Names)
	require.Equal(t, []Tag{{"棋戦", "x,y"}}, r.Tags)
	require.Equal(t, [][]string{{"before"}, {"after,it"}, {"at the end"}}, r.Comments)
	require.Equal(t, "7g7f 3c3d", usi(r.Moves))
	require.Equal(t, Interrupted, r.Ending)
	require.Len(t, r.Times, 2)
	for _, between := range []string{"%TORYO,V2,N+A", "%TORYO,/,V2,N+A", "/,N+A", "+3334FU,%TORYO,/,N+A"} {
		list, err := ParseCSA([]byte("V2,PI,+,+7776FU," + between + ",PI,+,+2726FU"))
		require.NoError(t, err)
		require.Len(t, list, 2, between)
		require.Equal(t, "7g7f", usi(list[0].Moves))
		require.Equal(t, "A", list[1].Names[0])
		require.Equal(t, "2g2f", usi(list[1].Moves))
		require.NoError(t, list[1].Err)
	}
	list, err := ParseCSA([]byte("V2\nPI\n+\n+7776FU\n%TORYO\nV2\nN+A\nPI\n+\n+2726FU\n"))
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "A", list[1].Names[0])
	require.Equal(t, "2g2f", usi(list[1].Moves))
}

// TestRecordRoundTrip writes records of random games and reads them again.
func TestRecordRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for i := range sizes(50, 300) {
		e := endings[rng.IntN(len(endings))]
		for e.csa == "" {
			e = endings[rng.IntN(len(endings))]
		}
		r := randomRecord(rng, rng.IntN(60))
		r.Ending, r.Names = e.ending, [2]string{"A", "後手：B"}
		for range r.Moves {
			if i%4 > 0 {
				r.Times = append(r.Times, time.Duration(rng.IntN(4_000_000))*time.Millisecond)
			}
		}
		final := r.Final()
		r.Result = resultOf(e.means, final.Turn())
		whole := r
		annotate(rng, &whole)
		for _, e := range []Encoding{UTF8, ShiftJIS} {
			kif := whole.AppendKIF(nil, e)
			require.Equal(t, whole, parseOne(t, kif), string(kif))
		}
		whole.Variations = nil
		for _, list := range whole.Comments {
			for i, text := range list {
				list[i] = strings.Trim(text, blanks)
			}
		}
		csa := whole.AppendCSA(nil)
		require.Equal(t, whole, parseOne(t, csa), string(csa))
	}
}

// TestSeveralKIF reads records that were written one after another: headers of the second are not of the first.
func TestSeveralKIF(t *testing.T) {
	r := Record{Start: shogi.Start(), Moves: []shogi.Move{shogi.MoveOf(shogi.SquareAt(7, 7), shogi.SquareAt(7, 6), false)}, Tags: []Tag{{"備考", "x"}}}
	list, err := ParseKIF(r.AppendKIF(r.AppendKIF(nil, UTF8), UTF8))
	require.NoError(t, err)
	require.Equal(t, []Record{r, r}, list)
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
		Start: shogi.Start(), Moves: line(0, "7g7f 3c3d 8h2b+ 3a2b"), Ending: Mated, Result: WhiteWins,
		Variations: []Variation{
			{Ply: 0, Moves: line(0, "2g2f"), Comments: [][]string{nil, {"another first move"}}, Ending: Mated, Result: BlackWins},
			{Ply: 2, Moves: line(2, "7g7f 3c3d 2g2f 8c8d"), Ending: Mated, Result: WhiteWins},
			{Ply: 2, Moves: line(2, "7g7f 3c3d 6g6f"), Ending: Resigned, Result: BlackWins},
		},
	}
	kif := r.AppendKIF(nil, UTF8)
	parts := strings.Split(string(kif), "\n変化：")
	require.Len(t, parts, 4)
	want := r
	want.Variations = []Variation{r.Variations[1], r.Variations[2], r.Variations[0]}
	require.Equal(t, want, parseOne(t, kif))
	require.Contains(t, parts[3], "*another first move\n")
	for i, want := range want.Variations {
		place, text, _ := strings.Cut(parts[i+1], "手\n")
		require.Equal(t, strconv.Itoa(want.Ply+1), place)
		before := Record{Start: r.Start, Moves: r.Moves[:want.Ply]}
		got := parseOne(t, []byte(string(before.AppendKIF(nil, UTF8))+text))
		require.Equal(t, append(before.Moves, want.Moves...), got.Moves)
		require.Equal(t, want.Ending, got.Ending)
	}

	// A variation of a variation leaves the line before it.
	r = parseOne(t, []byte(`1 ７六歩(77)
2 ３四歩(33)
3 ２六歩(27)
4 投了

変化：2手
2 ８四歩(83)
3 ６八銀(79)
変化：3手
3 ２六歩(27)
4 ８五歩(84)
`))
	require.NoError(t, r.Err)
	require.Equal(t, "7g7f 3c3d 2g2f", usi(r.Moves))
	require.Len(t, r.Variations, 2)
	require.Equal(t, "8c8d 7i6h", usi(r.Variations[0].Moves))
	require.Equal(t, "2g2f 8d8e", usi(r.Variations[1].Moves))
	require.Equal(t, [2]int{1, 2}, [2]int{r.Variations[1].Leaves, r.Variations[1].Ply})
	require.Equal(t, r, parseOne(t, r.AppendKIF(nil, UTF8)))

	// A variation that the one before is too short for leaves the main line.
	r = parseOne(t, []byte("1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n変化：1手\n1 ２六歩(27)\n変化：3手\n3 ６六歩(67)\n"))
	require.NoError(t, r.Err)
	require.Len(t, r.Variations, 2)
	require.Equal(t, Variation{Ply: 2, Moves: []shogi.Move{shogi.MoveOf(shogi.SquareAt(6, 7), shogi.SquareAt(6, 6), false)}}, r.Variations[0])
	require.Equal(t, r, parseOne(t, r.AppendKIF(nil, UTF8)))
}

// TestTagsAndComments reads headers and comments wherever a file may have them, and writes them.
func TestTagsAndComments(t *testing.T) {
	r := parseOne(t, []byte(`作品名：題
*before the diagram
手合割：平手
作者：誰か：何か
先手：A
備考：one
備考：two
*before the moves
手数----指手---------消費時間--
*  on the start position
   1 ７六歩(77)   ( 0:01/00:00:01)
*on the first move
*
* its second line
&bookmark
   2 ３四歩(33)
   3 投了
*at the end
場所：どこか

変化：2手
*before the variation
   2 ８四歩(83)
*on the variation
*and again
   3 ２六歩(27)
変化：3手
   3 ６八銀(79)
*on a variation of it
*&no bookmark
後手：B
終了日時：2020/01/01
*after all
変化：1手
   1 ２六歩(27)
`))
	require.NoError(t, r.Err)
	require.Equal(t, []Tag{{"作品名", "題"}, {"作者", "誰か：何か"}, {"備考", "one"}, {"備考", "two"}, {"場所", "どこか"}, {"終了日時", "2020/01/01"}}, r.Tags)
	require.Equal(t, [2]string{"A", "B"}, r.Names)
	require.Equal(t, [][]string{{"before the diagram", "before the moves", "  on the start position"}, {"on the first move", "", " its second line", "&bookmark"}, {"at the end"}}, r.Comments)
	require.Equal(t, "7g7f 3c3d", usi(r.Moves))
	require.Len(t, r.Variations, 3)
	for i, want := range []struct {
		leaves, ply int
		moves       string
		comments    [][]string
	}{
		{0, 1, "8c8d 2g2f", [][]string{{"before the variation"}, {"on the variation", "and again"}}},
		{1, 2, "7i6h", [][]string{nil, {"on a variation of it", " &no bookmark", "after all"}}},
		{0, 0, "2g2f", nil},
	} {
		v := r.Variations[i]
		require.Equal(t, want.leaves, v.Leaves)
		require.Equal(t, want.ply, v.Ply)
		require.Equal(t, want.moves, usi(v.Moves))
		require.Equal(t, want.comments, v.Comments)
	}
	require.Equal(t, r, parseOne(t, r.AppendKIF(nil, UTF8)))
}

// TestEndings reads each word, and lines with まで.
func TestEndings(t *testing.T) {
	for _, e := range endings {
		var r Record
		if e.csa != "" {
			r = parseOne(t, []byte("PI\n+\n+7776FU\n%"+e.csa))
			require.Equal(t, e.ending, r.Ending, e.csa)
			require.Equal(t, resultOf(e.means, shogi.White), r.Result, e.csa)
		}
		for _, line := range []string{"2 %s", "  2 %s         ( 0:03/ 0:00:19)", "2 %s　", "2%s"} {
			r = parseOne(t, []byte("1 ７六歩(77)\n"+fmt.Sprintf(line, e.kif)))
			require.NoError(t, r.Err)
			require.Equal(t, e.ending, r.Ending, e.kif)
			require.Equal(t, resultOf(e.means, shogi.White), r.Result, e.kif)
		}
	}
	require.Equal(t, WhiteWins, parseOne(t, []byte("PI\n+\n+7776FU\n%+ILLEGAL_ACTION")).Result)
	require.Equal(t, BlackWins, parseOne(t, []byte("PI\n+\n+7776FU\n%-ILLEGAL_ACTION")).Result)
	require.Equal(t, Other, parseOne(t, []byte("PI\n+\n+7776FU\n%SOMETHING")).Ending)
	for _, word := range []string{"何か", "打ち歩詰めの反則", "二歩", "王手放置", "ａｂｃ"} {
		r := parseOne(t, []byte("1 ７六歩(77)\n2 "+word))
		require.NoError(t, r.Err)
		require.Equal(t, Other, r.Ending, word)
	}
	for text, want := range map[string]struct {
		ending Ending
		result Result
	}{
		"まで1手で先手の勝ち":        {Resigned, BlackWins},
		"まで1手で後手の勝ち":        {Other, WhiteWins},
		"まで1手詰":             {Mated, BlackWins},
		"まで1手で中断":           {Interrupted, NoResult},
		"まで1手で千日手":          {Repetition, Drawn},
		"まで1手で持将棋":          {Impasse, Drawn},
		"まで1手で時間切れにより先手の勝ち": {TimeUp, BlackWins},
		"まで1手で先手の反則負け":      {Illegal, WhiteWins},
		"まで1手で後手の反則勝ち":      {Illegal, WhiteWins},
		"まで1手で上手の勝ち":        {Other, WhiteWins},
	} {
		r := parseOne(t, []byte("1 ７六歩(77)\n"+text))
		require.Equal(t, want.ending, r.Ending, text)
		require.Equal(t, want.result, r.Result, text)
		require.Equal(t, r, parseOne(t, r.AppendKIF(nil, UTF8)), text)
	}
	r := parseOne(t, []byte("1 ７六歩(77)\n2 投了\nまで1手で先手の勝ち"))
	require.Equal(t, Resigned, r.Ending)

	// No move comes after it, but variations may.
	for _, moves := range []string{"1 ７六歩(77)\nまで1手で先手の勝ち\n2 ３四歩(33)", "▲７六歩 まで1手で先手の勝ち\n△３四歩"} {
		r := parseOne(t, []byte("手合割：平手\n"+moves))
		require.ErrorContains(t, r.Err, "a move after the end of the game")
		require.Len(t, r.Moves, 1)
	}
	r = parseOne(t, []byte("1 ７六歩(77)\nまで1手で先手の勝ち\n\n変化：1手\n1 ２六歩(27)\n2 ３四歩(33)"))
	require.NoError(t, r.Err)
	require.Len(t, r.Variations, 1)
}

// TestSeveralDiagrams has files of several records with diagrams, as other programs write them without
// any other header: with moves, in KI2, and without moves.
func TestSeveralDiagrams(t *testing.T) {
	const diagram = "後手の持駒：金二　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n" +
		"| ・ ・ ・ ・ ・ ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n" +
		"| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n" +
		"| ・ ・ ・ ・v歩 ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n" +
		"+---------------------------+\n先手の持駒：なし\n後手番\n"
	for _, moves := range []string{"手数----指手---------消費時間--\n   1 ５八金打     ( 0:00/00:00:00)\n", "△５八金打\n", ""} {
		for _, between := range []string{"", "\n", "*a comment\n", "場所：a\n", "まで1手で後手の勝ち\n"} {
			if moves == "" && between != "\n" {
				between = ""
			}
			list, err := ParseKIF([]byte(diagram + moves + between + diagram + moves + between + diagram + moves))
			require.NoError(t, err)
			require.Len(t, list, 3, "%q, %q", moves, between)
			for _, r := range list {
				require.NoError(t, r.Err)
				require.Equal(t, list[0].Start, r.Start, "%q, %q", moves, between)
				require.Equal(t, 2, r.Start.Hand(shogi.White).Count(shogi.Gold))
				require.Len(t, r.Moves, min(len(moves), 1))
			}
		}
	}
}

// TestDetectComments says that comments do not tell the format: most lines of this game look like headers of KIF.
func TestDetectComments(t *testing.T) {
	text := "'CSA encoding=UTF-8\nPI\n+\n+7776FU\n'*a: b\n'*c: d\n'e: f\n-3334FU\n'*g: h\n'*i: j\n'*k: l\n'*m: n\n"
	require.Equal(t, CSA, Detect(text))
	list, err := Parse([]byte(text), shogi.UsualHands)
	require.NoError(t, err)
	require.NoError(t, list[0].Err)
	require.Len(t, list[0].Moves, 2)
}
