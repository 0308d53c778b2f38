package record

import (
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// Record is a game, or a problem with its solution. Times are left out. Readers read
// the main line only, without comments.
type Record struct {
	// Headers are what the file says about the game, in order, under the
	// Japanese names that KIF uses, such as 先手 and 後手 (the players), 棋戦 (the
	// event) or 作者 (the author). The handicap (手合割) is in Start.
	Headers []Header
	// Start is the position before the first move.
	Start shogi.Position
	// Moves are legal moves from Start, in order.
	Moves []shogi.Move
	// End is how the record ends.
	End Ending
	// Variations are other lines of play.
	Variations []Variation
}

// Variation is a line of play that leaves the main line.
type Variation struct {
	Ply     int          // number of moves of the main line before it
	Moves   []shogi.Move // at least one
	End     Ending
	Comment string // on the first move, on one line; may be empty
}

// Header is a name and a value.
type Header struct{ Name, Value string }

// Final returns the position after all moves.
func (r *Record) Final() shogi.Position {
	b := shogi.NewBoard(r.Start)
	for _, m := range r.Moves {
		b.Do(m)
	}
	return b.Position()
}

// Ending is how a record ends, from the point of view of the side to move after
// the last move.
type Ending uint8

// The endings.
const (
	Open               Ending = iota // the record just stops
	Resignation                      // the side to move resigns
	Mate                             // the side to move is mated
	NoMate                           // a problem without a solution
	Interruption                     // the game is not finished
	FourfoldRepetition               // the fourth repetition of a position
	Impasse                          // both kings have entered: a draw
	Declaration                      // the side to move wins by declaring its entered king
	TimeUp                           // the side to move has run out of time
	IllegalMove                      // the side to move makes an illegal move and loses
	IllegalMoveBefore                // the last move was illegal: the side to move wins
	WinByAbsence                     // the opponent is absent
	LossByAbsence                    // the side to move is absent
	endings
)

// endingNames are the endings in KIF and CSA. CSA has no word for absence; the sign
// of its ILLEGAL_ACTION says whose it is.
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

// SyntaxError says where a file cannot be read, and why.
type SyntaxError struct {
	Line   int // from 1
	Column int // in characters, from 1; 0 for the whole line
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

// setup is a position while it is read, piece by piece.
type setup struct {
	board  [81]shogi.Piece
	hands  [2]shogi.Hand
	turn   shogi.Color
	rest   bool // all other pieces of a set are in the hand of restOf
	restOf shogi.Color
}

func setupOf(p shogi.Position) setup {
	s := setup{hands: [2]shogi.Hand{p.Hand(shogi.Black), p.Hand(shogi.White)}, turn: p.Turn()}
	for i := range s.board {
		s.board[i] = p.At(shogi.Square(i))
	}
	return s
}

// position returns the position, unless it is illegal.
func (s *setup) position() (shogi.Position, error) {
	p, err := shogi.NewPosition(s.board, s.hands, s.turn)
	if err == nil && s.rest {
		p = p.WithRest(s.restOf)
	}
	return p, err
}

// playerNames are the players in the headers of KIF.
var playerNames = [2]string{"先手", "後手"}

// lines returns the lines of a text without their ends.
func lines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r", "\n"), "\n"), "\n")
}
