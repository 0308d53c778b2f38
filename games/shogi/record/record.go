package record

import (
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// Record is a game, or a problem with its solution, without names and times. The parsers also
// skip variations, remarks and comments.
type Record struct {
	// Start is the position before the first move.
	Start shogi.Position
	// Moves are legal moves from Start, in order.
	Moves []shogi.Move
	// Mate says that the record and its variations end with the word for mate.
	Mate bool
	// Remark (備考) is on one line; may be empty.
	Remark string
	// Variations are other lines of play.
	Variations []Variation
}

// Variation is a line of play that leaves the main line.
type Variation struct {
	Ply     int          // number of moves of the main line before it
	Moves   []shogi.Move // at least one
	Comment string       // on the first move, on one line; may be empty
}

// Final returns the position after all moves.
func (r *Record) Final() shogi.Position {
	b := shogi.NewBoard(r.Start)
	for _, m := range r.Moves {
		b.Do(m)
	}
	return b.Position()
}

// The words with which records end, and whether they mean that the side to move is
// mated.
var (
	kifEndings = map[string]bool{
		"詰": true, "詰み": true, "投了": false, "不詰": false, "不詰み": false, "中断": false, "千日手": false, "持将棋": false,
		"入玉勝ち": false, "切れ負け": false, "時間切れ": false, "反則負け": false, "反則勝ち": false, "不戦勝": false, "不戦敗": false,
	}
	csaEndings = map[string]bool{
		"TSUMI": true, "TORYO": false, "FUZUMI": false, "CHUDAN": false, "SENNICHITE": false, "JISHOGI": false, "HIKIWAKE": false, "KACHI": false,
		"TIME_UP": false, "ILLEGAL_MOVE": false, "+ILLEGAL_ACTION": false, "-ILLEGAL_ACTION": false, "MATTA": false, "ERROR": false, "MAX_MOVES": false,
	}
)

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

// lines returns the lines of a text without their ends.
func lines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r", "\n"), "\n"), "\n")
}
