package shogi

import (
	"fmt"
	"strings"
)

// Record is a game or a problem with its solution, as KIF and CSA files have it:
// the main line only, without times and comments.
type Record struct {
	// Headers are what the file says about the game, in its order, under the
	// Japanese names that KIF uses, such as 先手, 後手 (the players), 棋戦 (the
	// event) or 作者 (the author). The handicap (手合割) is in Start.
	Headers []Header
	// Start is the position before the first move.
	Start Position
	// Moves are legal moves, one after the other from Start.
	Moves []Move
	// End is how the record ends.
	End Ending
}

// Header is a name and a value.
type Header struct{ Name, Value string }

// Header returns the value of the first header with the given name, "" if there
// is none.
func (r *Record) Header(name string) string {
	for _, h := range r.Headers {
		if h.Name == name {
			return h.Value
		}
	}
	return ""
}

// Final returns the position after all moves.
func (r *Record) Final() Position {
	b := NewBoard(r.Start)
	for _, m := range r.Moves {
		b.Do(m)
	}
	return b.Position()
}

// Ending is how a record ends. It concerns the side to move after the last move.
type Ending uint8

// The endings.
const (
	Open               Ending = iota // the record just ends
	Resignation                      // the side to move resigns
	Mate                             // the side to move is mated
	NoMate                           // a problem without a solution
	Interruption                     // the game is not finished
	FourfoldRepetition               // the fourth repetition of a position
	Impasse                          // both kings have entered: a draw
	Declaration                      // the side to move declares a win by its entered king
	TimeUp                           // the side to move is out of time
	IllegalMove                      // the side to move makes an illegal move and loses
	IllegalMoveBefore                // the move before was illegal, the side to move wins
	WinByAbsence                     // the opponent is absent
	LossByAbsence                    // the side to move is absent
	endings
)

// endingNames are the endings in KIF and in CSA. CSA has no word for absence; the
// sign of its ILLEGAL_ACTION tells whose it is.
var endingNames = [endings]struct{ kif, csa string }{
	Resignation:        {"投了", "TORYO"},
	Mate:               {"詰み", "TSUMI"},
	NoMate:             {"不詰", "FUZUMI"},
	Interruption:       {"中断", "CHUDAN"},
	FourfoldRepetition: {"千日手", "SENNICHITE"},
	Impasse:            {"持将棋", "JISHOGI"},
	Declaration:        {"入玉勝ち", "KACHI"},
	TimeUp:             {"切れ負け", "TIME_UP"},
	IllegalMove:        {"反則負け", "ILLEGAL_MOVE"},
	IllegalMoveBefore:  {"反則勝ち", ""},
	WinByAbsence:       {"不戦勝", ""},
	LossByAbsence:      {"不戦敗", ""},
}

// String returns the ending as KIF writes it, "" for [Open].
func (e Ending) String() string {
	if e >= endings {
		return fmt.Sprintf("Ending(%d)", uint8(e))
	}
	return endingNames[e].kif
}

// kifEnding reads an ending of KIF.
func kifEnding(text string) (Ending, bool) {
	switch text {
	case "詰", "詰み":
		return Mate, true
	case "不詰", "不詰み":
		return NoMate, true
	case "時間切れ":
		return TimeUp, true
	}
	for e := Resignation; e < endings; e++ {
		if endingNames[e].kif == text {
			return e, true
		}
	}
	return Open, false
}

// SyntaxError tells where a record cannot be read, and why.
type SyntaxError struct {
	Line   int // from 1
	Column int // in characters, from 1; 0 if the whole line is meant
	Err    error
}

// Error returns the place and the reason.
func (e *SyntaxError) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap returns the reason.
func (e *SyntaxError) Unwrap() error { return e.Err }

// lines returns the lines of a text without their ends.
func lines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r", "\n"), "\n"), "\n")
}
