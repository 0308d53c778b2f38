package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// Ending is how a game ended.
type Ending uint8

// The endings. Some have no word of their own in one of the formats.
const (
	NoEnding    Ending = iota // the record does not say
	Mated                     // 詰み: the side to move is mated, or has nothing but a mate before it
	Resigned                  // 投了
	TimeUp                    // 切れ負け
	Illegal                   // 反則: an illegal move, or another act against the rules
	Declared                  // 入玉勝ち: a win by declaration, with the king in the enemy camp
	Forfeited                 // 不戦敗: a side did not appear
	Repetition                // 千日手
	Impasse                   // 持将棋
	Agreed                    // 引き分け: a draw for no other reason in this list
	MoveLimit                 // 最大手数
	Interrupted               // 中断
	Sealed                    // 封じ手: the next move is sealed
	NoMate                    // 不詰: of a problem
	Other                     // a word that is not known
)

// Result is who won.
type Result uint8

// The results.
const (
	NoResult Result = iota
	BlackWins
	WhiteWins
	Drawn
)

// winOf returns the result of a win.
func winOf(c shogi.Color) Result { return BlackWins + Result(c) }

// What an ending means for the side to move.
const (
	undecided = iota
	loses
	wins
	draws
)

// endings are the words for the endings, in KIF and in CSA, "" if there is none. Of words
// with the same meaning the first is written.
var endings = []struct {
	kif, csa string
	ending   Ending
	means    int
}{
	{"詰み", "TSUMI", Mated, loses},
	{"詰", "", Mated, loses},
	{"詰まし", "", Mated, loses},
	{"投了", "TORYO", Resigned, loses},
	{"切れ負け", "TIME_UP", TimeUp, loses},
	{"時間切れ", "", TimeUp, loses},
	{"時間切れ負け", "", TimeUp, loses},
	{"時間切", "", TimeUp, loses},
	{"Time-up", "", TimeUp, loses},
	{"切れ勝ち", "", TimeUp, wins},
	{"時間切れ勝ち", "", TimeUp, wins},
	{"反則負け", "ILLEGAL_MOVE", Illegal, loses},
	{"反則勝ち", "", Illegal, wins},
	{"反則", "OUTE_SENNICHITE", Illegal, undecided},
	{"連続王手の千日手", "", Illegal, undecided},
	{"入玉勝ち", "KACHI", Declared, wins},
	{"入玉宣言勝ち", "", Declared, wins},
	{"入玉宣言", "", Declared, wins},
	{"宣言勝ち", "", Declared, wins},
	{"入玉", "", Declared, wins},
	{"不戦敗", "", Forfeited, loses},
	{"不戦勝", "", Forfeited, wins},
	{"千日手", "SENNICHITE", Repetition, draws},
	{"持将棋", "JISHOGI", Impasse, draws},
	{"引き分け", "HIKIWAKE", Agreed, draws},
	{"引分け", "", Agreed, draws},
	{"引分", "", Agreed, draws},
	{"最大手数", "MAX_MOVES", MoveLimit, draws},
	{"手数制限", "", MoveLimit, draws},
	{"中断", "CHUDAN", Interrupted, undecided},
	{"待った", "MATTA", Interrupted, undecided},
	{"封じ手", "", Sealed, undecided},
	{"不詰", "FUZUMI", NoMate, undecided},
	{"不詰み", "", NoMate, undecided},
	{"終了", "ERROR", Other, undecided},
}

// resultOf returns the result of an ending with a side to move.
func resultOf(means int, turn shogi.Color) Result {
	return [...]Result{NoResult, winOf(turn.Other()), winOf(turn), Drawn}[means]
}

// endOfKIF returns what a word of KIF says of the end, if it is known.
func endOfKIF(word string, turn shogi.Color) (Ending, Result, bool) {
	for _, e := range endings {
		if e.kif == word {
			return e.ending, resultOf(e.means, turn), true
		}
	}
	return NoEnding, NoResult, false
}

// endCSA sets the ending by its word in CSA, without %.
func (r *Record) endCSA(word string, turn shogi.Color) {
	r.Ending, r.Result = Other, NoResult
	switch word {
	case "+ILLEGAL_ACTION":
		r.Ending, r.Result = Illegal, WhiteWins
	case "-ILLEGAL_ACTION":
		r.Ending, r.Result = Illegal, BlackWins
	}
	for _, e := range endings {
		if e.csa == word && word != "" {
			r.Ending, r.Result = e.ending, resultOf(e.means, turn)
			return
		}
	}
}

// summaries are what a line with まで calls the endings.
var summaries = []struct {
	text   string
	ending Ending
}{
	{"不詰", NoMate}, {"詰", Mated}, {"連続王手", Illegal}, {"千日手", Repetition}, {"持将棋", Impasse}, {"反則", Illegal}, {"切れ", TimeUp},
	{"入玉", Declared}, {"宣言", Declared}, {"不戦", Forfeited}, {"中断", Interrupted}, {"封じ", Sealed}, {"最大手数", MoveLimit}, {"引き分け", Agreed}, {"引分", Agreed},
}

// summarise reads a line such as まで87手で先手の勝ち. It says who won, and how if the
// moves do not.
func (r *Record) summarise(text string, turn shogi.Color) {
	ending := NoEnding
	for _, s := range summaries {
		if strings.Contains(text, s.text) {
			ending = s.ending
			break
		}
	}
	result := NoResult
	for c, names := range [2][2]string{{"先手", "下手"}, {"後手", "上手"}} {
		for _, name := range names {
			if _, rest, ok := strings.Cut(text, name); ok && strings.Contains(rest, "勝") {
				result = winOf(shogi.Color(c))
			} else if ok && (strings.Contains(rest, "負") || strings.Contains(rest, "敗")) {
				result = winOf(shogi.Color(c).Other())
			}
		}
	}
	switch {
	case result != NoResult && ending == NoEnding && result == winOf(turn.Other()):
		ending = Resigned
	case result != NoResult && ending == NoEnding:
		ending = Other
	case result == NoResult && ending != Illegal:
		for _, e := range slices.Backward(endings) {
			if e.ending == ending {
				result = resultOf(e.means, turn)
			}
		}
	}
	if r.Ending == NoEnding {
		r.Ending = ending
	}
	if result != NoResult {
		r.Result = result
	}
}

// appendKIFEnding appends the ending after ply moves, with a side to move. It returns the result that this says.
func appendKIFEnding(dst []byte, ending Ending, wanted Result, ply int, turn shogi.Color) ([]byte, Result) {
	word, result := "", NoResult
	for _, e := range endings {
		if e.ending != ending {
			continue
		}
		if is := resultOf(e.means, turn); word == "" || result != wanted && is == wanted {
			word, result = e.kif, is
		}
	}
	if word != "" {
		dst = fmt.Appendf(dst, "%4d %s\n", ply+1, word)
	}
	return dst, result
}

// appendKIFEnding appends the ending after ply moves, with a side to move, and the line with
// まで if it says more.
func (r *Record) appendKIFEnding(dst []byte, ply int, turn shogi.Color) []byte {
	dst, result := appendKIFEnding(dst, r.Ending, r.Result, ply, turn)
	if r.Result != NoResult && r.Result != result {
		dst = fmt.Appendf(dst, "まで%d手で%s\n", ply, [...]string{BlackWins: "先手の勝ち", WhiteWins: "後手の勝ち", Drawn: "引き分け"}[r.Result])
	}
	return dst
}
