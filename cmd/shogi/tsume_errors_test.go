package shogi

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/internal/bilingual"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// englishWord is a word that no text in Japanese has, besides names and what was read.
var englishWord = regexp.MustCompile(`\b(the|is|not|want|no|has|have|must|cannot|line|move|of|or|and)\b`)

// diagram is a position in KIF with a row in place of its first.
func diagram(row string) string {
	return "後手の持駒：なし\n|" + row + "|一\n" + strings.Repeat("| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n", 8) + "先手の持駒：金二\n"
}

// TestBadRecords has errors of each format that tsume reads, in both languages.
func TestBadRecords(t *testing.T) {
	const whole = " ・ ・ ・ ・v玉 ・ ・ ・ ・"
	board := "|" + whole + "|\n" + strings.Repeat("| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n", 8)
	for _, c := range []struct{ text, english, japanese string }{
		// KIF: headers and the diagram.
		{"手合割：八段落ち\n1 ７六歩(77)\n", `KIF: line 1, column 5: "八段落ち" is not a handicap`, `KIF: 1行5文字目: "八段落ち" は手合割（平手、香落ち、`},
		{"先手の持駒：王\n" + board, `column 7: '王' is not a piece in hand`, `7文字目: '王' は持駒（飛 角 金 銀 桂 香 歩）ではありません`},
		{"先手の持駒：金五\n" + board, `column 7: 5 of the kind gold in one hand, but a set has 4`, `7文字目: 持駒の金が5枚あります（一組は4枚）`},
		{"先手の持駒：金〇\n" + board, `"〇" is not a number from 一 to 十八`, `"〇" は一から十八までの数ではありません`},
		{"先手の持駒：残り全部\n後手の持駒：残り全部\n" + board, "both sides hold all other pieces", "双方の持駒が残り全部になっています"},
		{"手番：誰\n|" + whole + "|\n", `手番 "誰", want 先手 or 後手`, `手番 "誰" は先手か後手`},
		{"|" + whole + "|\n先手の持駒：金\n1 ５二金打\n", "the diagram must have 9 rows, and has 1", "盤面図は9段必要ですが、1段です"},
		{diagram("x・ ・ ・ ・v玉 ・ ・ ・ ・"), `KIF: line 2, column 2: 'x', want a space before Black's pieces`, `KIF: 2行2文字目: 'x': 先手の駒と空きマスの前には空白、`},
		{diagram(" ・ ・ ・ ・v玉 ・ ・ ・ "), "want 9 squares of two characters each, got 8", "2文字のマスが9個必要ですが、8個です"},
		{diagram(" Ｑ ・ ・ ・v玉 ・ ・ ・ ・"), `'Ｑ' is not a piece (玉`, `'Ｑ' は駒（玉 `},
		{diagram(whole + " ・"), "' ', want | after nine squares", "' ': 9個のマスの後には | が必要です"},
		// Moves of KIF and KI2.
		{"手合割：平手\n1 ７六歩(77)\n3 ３四歩(33)\n", "KIF: line 3, column 3: move number 3, want 2", "KIF: 3行3文字目: 3手目とありますが、2手目のはずです"},
		{"手合割：平手\n2 ７六歩(77)\n", "the first move has the number 2; want 1 without a diagram", "最初の指し手が2手目です。"},
		{"手合割：平手\n1 投了\n2 ３四歩(33)\n", "a move after the end of the game", "終局の後に指し手があります"},
		{"手合割：平手\n1 ７五歩(77)\n", `move "７五歩(77)": the pawn on 7g cannot go to 7e`, `指し手 "７五歩(77)": 7g の歩は 7e へ動けません`},
		{"手合割：平手\n1 ７六歩(77)x\n", `"x" at the end, want 成, 不成`, `末尾の "x" は 成、不成、`},
		{"手合割：平手\n1 ７六歩(7)\n", `"(7)", want the square the piece comes from, as in (77)`, `"(7)": (77) のような移動元が必要です`},
		{"手合割：平手\n1 同歩(77)\n", "同 (the square of the last move), but this is the first move", "同とありますが、最初の指し手です"},
		{"手合割：平手\n▲７六歩\n▲３四歩\n", "▲, but white is to move", "▲ とありますが、後手の手番です"},
		{"手合割：平手\n▲２六銀\n", "black, who is to move, has no legal move like that with a silver", "手番の先手に、そのような銀の合法手はありません"},
		{"手合割：平手\n▲５八金\n", "this can be 4i5h or 6i5h; say which by 右", "4i5h とも 6i5h とも読めます。右、"},
		{"手合割：平手\n1 ７六歩(77)\n変化：9手\n9 ３四歩(33)\n", "want the number of a move of a line before it", "それより前の手順にある手数が必要です"},
		// CSA.
		{"V2.2\nPI99XX\n+\n", `CSA: line 2, column 3: "XX" is not a piece (FU`, `CSA: 2行3文字目: "XX" は駒（FU `},
		{"V2.2\nPI55FU\n+\n", "no such piece stands there at the start", "平手の開始局面のそのマスに、その駒はありません"},
		{"V2.2\nP1 *  *  *  * \n+\n", "rank 1: want 9 squares, got 4", "1段目: マスが9個必要ですが、4個です"},
		{"V2.2\nP1 *  *  *  *  *  *  *  *  *  * \n+\n", "rank 1 has more than 9 squares", "1段目のマスが9個を超えています"},
		{"V2.2\nP1?OU *  *  *  *  *  *  *  * \n+\n", "want a piece with + or - before it", "+ か - を付けた駒、"},
		{"V2.2\nP-51OU51KI\n+\n", "there is a piece on the square already", "そのマスにはすでに駒があります"},
		{"V2.2\nP-51OU00OU\n+\n", "a king cannot be in hand", "玉は持駒になりません"},
		{"V2.2\nP-51OU00HI00HI00HI\n+\n", "a set has only 2 pieces of the kind rook", "飛は一組に2枚しかありません"},
		{"V2.2\nP-5\n+\n", `"5", want a square and a piece, as in 55OU`, `"5": 55OU のようなマスと駒が必要です`},
		{"V2.2\nPX\n+\n", `"PX", want PI, P1 to P9, P+ or P-`, `"PX" は PI、P1～P9、P+、P- のどれか`},
		{"V2.2\nPI\n+\n+7776FU\n+3334FU\n", `"+3334FU", but white is to move`, `"+3334FU" とありますが、後手の手番です`},
		{"V2.2\nPI\n+\n+7776FUX\n", "want a move as in +7776FU", "+7776FU、打つ手なら +0055FU のような指し手が必要です"},
		{"V2.2\nPI\n+\n+7A76FU\n+7776FU\n-3334FU\n", `"7A" is not a square (11 to 99`, `"7A" はマス（11～99、持駒は 00）ではありません`},
		{"V2.2\nPI\n+\n+7700FU\n", "no move goes to the hand", "移動先が持駒（00）になっています"},
		{"V2.2\nPI\n+\n+7776KI\n", "on 7g stands a pawn, which does not become a gold", "7g の駒は歩で、金にはなりません"},
		{"V2.2\nPI\n+\n+7775FU\n", `move "+7775FU": the pawn on 7g cannot go to 7e`, `指し手 "+7775FU": 7g の歩は 7e へ動けません`},
		{"V2.2\nPI\n+\n-\n+7776FU\n", "the side to move is given twice", "手番が二度指定されています"},
		{"V2.2\nPI\n+\n+7776FU\nhello\n", `"hello" is not a statement of CSA (moves begin with + or -, endings with %`, `"hello" は CSA の文ではありません（指し手は + か -、終局は %`},
		{"V2.2\nPI\n+\n%TORYO\n+7776FU\n", `"+7776FU" after the end of the game`, `終局の後に "+7776FU" があります`},
		// SFEN, and moves in USI.
		{"4k4/9/9/9/9/9/9/9/9 b 2G\tlong", `line 1: declared length "long": want a number of plies`, `1行目: 手数 "long" が数ではありません`},
		{"startpos moves 7g7e", "line 1: after moves, number 1: ", "1行目: moves の1手目: "},
		{"startpos moves hello", "want two squares as in 7g7f", "7g7f や 8h2b+ のようなマス二つ"},
		{"4x4/9/9/9/9/9/9/9/9 b 2G", "is not a piece (P, L, N", "は駒（P L N"},
		{"4k4/9/9/9/9/9/9/9/9 b 2Z", "is not a piece in hand", "は駒（P L N S G B R）でも枚数でもありません"},
		{"", "no problems: want SFEN", "問題がありません（一行一局面の SFEN"},
		{"作品名：無題\n", "KIF: no record: want headers", "KIF: 棋譜がありません。"},
		{"N+someone\n", "CSA: no record: want a position", "CSA: 棋譜がありません。"},
	} {
		t.Run(c.english, func(t *testing.T) {
			err := firstError([]byte(c.text))
			require.ErrorContains(t, err, c.english)
			japanese := bilingual.Japanese(err)
			require.Contains(t, japanese, c.japanese)
			require.NotRegexp(t, englishWord, japanese)
		})
	}
}

// firstError returns why the first problem of a file, or its intended line, cannot be read.
func firstError(data []byte) error {
	set, err := tsume.ParseSet(data, tsume.Reading{})
	if err != nil {
		return err
	}
	return errors.Join(set[0].Err, set[0].MovesErr)
}

// TestBadFlags has errors about flags and arguments of tsume, in both languages.
func TestBadFlags(t *testing.T) {
	const mate = "4k4/9/4P4/9/9/9/9/9/9 b G"
	for _, c := range []struct {
		args              []string
		english, japanese string
	}{
		{nil, "requires at least 1 argument, only received 0; usage: tsume", "引数が1個以上必要ですが、0個です（使い方: tsume"},
		{[]string{""}, "argument 1 is empty", "1番目の引数が空です"},
		{[]string{"--bogus", mate}, "unknown flag: --bogus; see tsume --help", "--bogus というフラグはありません（tsume --help を参照）"},
		{[]string{mate, "--nodes"}, "flag needs an argument: --nodes", "--nodes には値が必要です"},
		{[]string{"--nodes", "x", mate}, `--nodes "x": want a whole number, 0 or more`, `--nodes "x": 0以上の整数が必要です`},
		{[]string{"--time", "x", mate}, `--time "x": want a time, such as 90s or 5m`, `--time "x": 90s や 5m のような時間が必要です`},
		{[]string{"--memory", "x", mate}, `--memory "x": want a number of bytes`, `--memory "x": 12GiB や 512MiB のような大きさが必要です`},
		{[]string{"--memory", "1", mate}, `--memory "1": want at least 1 MiB`, `--memory "1": 1 MiB 以上が必要です`},
		{[]string{"--threads", "-1", mate}, `--threads "-1": want a whole number from 0 to 1024`, `--threads "-1": 0 から 1024 までの整数が必要です`},
		{[]string{"--hands", "x", mate}, `--hands "x": want given or rest`, `--hands "x": given か rest のどちらか`},
		{[]string{"--judge", "--rules", "magazine", mate}, `--rules "magazine": there is no such house`, `--rules "magazine" の規約は原文を読めていない`},
		{[]string{"--proof", "-", mate}, `--proof "-": want the name of a file`, `--proof "-": ファイル名が必要です`},
		{[]string{"--notation", "x", mate}, `--notation "x": want usi or japanese`, `--notation "x": usi か japanese`},
		{[]string{"--attacker", "x", mate}, `--attacker "x": want auto, black or white`, `--attacker "x": auto、black、white のどれか`},
		{[]string{"--composed", mate}, "--composed goes with --shortest", "--composed には --shortest が必要で"},
		{[]string{"--first-fault", mate}, "--first-fault is for --judge", "--first-fault は --judge のためのものです"},
		{[]string{"--judge", "--shortest", mate}, "--judge does not go with --shortest", "--judge と --shortest は併用できません"},
		{[]string{"--helpmate", "0", mate}, "--helpmate 0: want a number of plies from 1 to", "--helpmate 0: 1 から "},
		{[]string{"--helpmate", "1", "--judge", mate}, "--helpmate does not go with --judge", "--helpmate と --judge は併用できません"},
	} {
		for _, lang := range []string{"en", "ja"} {
			t.Run(strings.Join(append(c.args, lang), " "), func(t *testing.T) {
				cmd := newTsume()
				cmd.SilenceErrors, cmd.SilenceUsage = true, true
				cmd.SetArgs(append([]string{"--lang", lang}, c.args...))
				err := cmd.Execute()
				require.Equal(t, ui.ExitUsage, ui.ExitCode(err))
				want := c.english
				if lang == "ja" {
					want = c.japanese
					require.NotRegexp(t, englishWord, err.Error())
				}
				require.Contains(t, ui.Message(err), want)
			})
		}
	}
}
