package record

import (
	"slices"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// Record is a game, or a problem with its solution.
type Record struct {
	// Start is the position before the first move, and Hands says how its hands were read if the
	// record does not show a whole set.
	Start shogi.Position
	Hands shogi.Hands
	// Moves are legal moves from Start, in order.
	Moves []shogi.Move
	// Times are the times that the moves took, 0 where that is not known; nil if the record
	// gives none.
	Times []time.Duration
	// Names are the players by color; may be empty.
	Names [2]string
	// Ending says how the game ended, and Result who won.
	Ending Ending
	Result Result
	// Tags are the headers that say nothing about the moves, such as 作品名 and 作者, in their
	// order.
	Tags []Tag
	// Comments[i] are the lines of the comment after i moves. There may be fewer comments than
	// moves.
	Comments [][]string
	// Variations are other lines of play. A line comes before those that leave it, and of lines
	// that leave the same one, those that leave it last come first.
	Variations []Variation
	// Err says where and why reading ended before the end of the record, or what of its
	// variations could not be read. It is nil if all was read. Where the start position could
	// not be read, Start is the zero Position.
	Err error
}

// Tag is a header (name：value), on one line.
type Tag struct{ Name, Value string }

// Variation is a line of play that leaves another one.
type Variation struct {
	Leaves   int          // the number of the variation that it leaves, from 1; 0 for the main line
	Ply      int          // number of moves before it, from the start position
	Moves    []shogi.Move // at least one
	Comments [][]string   // as those of a [Record]: the first one is before the first move
	// Ending says how play ends, and Result who wins then.
	Ending Ending
	Result Result
}

// Final returns the position after all moves.
func (r *Record) Final() shogi.Position { return r.after(len(r.Moves)) }

func (r *Record) after(ply int) shogi.Position {
	b := shogi.NewBoard(r.Start)
	for _, m := range r.Moves[:ply] {
		b.Do(m)
	}
	return b.Position()
}

// At returns the position after ply moves. It fails if the record could not be read so far,
// or has fewer moves.
func (r *Record) At(ply int) (shogi.Position, error) {
	switch {
	case r.Err != nil && (ply > len(r.Moves) || r.Start == shogi.Position{}):
		return shogi.Position{}, r.Err
	case ply < 0 || ply > len(r.Moves):
		return shogi.Position{}, errNoPly.Error(ply, len(r.Moves))
	}
	return r.after(ply), nil
}

// addComment adds a line to the comment after a number of moves.
func addComment(comments [][]string, moves int, text string) [][]string {
	if missing := moves + 1 - len(comments); missing > 0 {
		comments = append(comments, make([][]string, missing)...)
	}
	comments[moves] = append(comments[moves], text)
	return comments
}

// commentAt returns the comment after a number of moves.
func commentAt(comments [][]string, moves int) []string {
	if moves >= len(comments) {
		return nil
	}
	return comments[moves]
}

// ordered returns variations in the order of [Record.Variations].
func ordered(variations []Variation) []Variation {
	leaving := make([][]int, len(variations)+1) // the line, by number
	for i, v := range variations {
		leaving[v.Leaves] = append(leaving[v.Leaves], i)
	}
	var list []Variation
	var add func(line, number int)
	add = func(line, number int) {
		slices.SortStableFunc(leaving[line], func(i, j int) int { return variations[j].Ply - variations[i].Ply })
		for _, i := range leaving[line] {
			v := variations[i]
			v.Leaves = number
			list = append(list, v)
			add(i+1, len(list))
		}
	}
	add(0, 0)
	return list
}

// setTime sets the time of the last move.
func (r *Record) setTime(d time.Duration) {
	if n := len(r.Moves); n > 0 {
		r.Times = append(r.Times, make([]time.Duration, n-len(r.Times))...)
		r.Times[n-1] = d
	}
}

// finish makes the times complete.
func (r *Record) finish() {
	if r.Times != nil {
		r.Times = append(r.Times, make([]time.Duration, len(r.Moves)-len(r.Times))...)
	}
}

// SyntaxError says where a file cannot be read, and why.
type SyntaxError struct {
	Line   int // from 1
	Column int // in characters, from 1; 0 for the whole line
	Err    error
}

// Error returns the place and the reason.
func (e *SyntaxError) Error() string {
	return e.in(false)
}

// Japanese returns the place and the reason in Japanese, as far as the reason has one.
func (e *SyntaxError) Japanese() string { return e.in(true) }

func (e *SyntaxError) in(japanese bool) string {
	if e.Column == 0 {
		return errLine.In(japanese, e.Line, e.Err)
	}
	return errColumn.In(japanese, e.Line, e.Column, e.Err)
}

// Unwrap returns the reason.
func (e *SyntaxError) Unwrap() error { return e.Err }

// setup is a position while it is read, piece by piece.
type setup struct {
	board   [81]shogi.Piece
	hands   [2]shogi.Hand
	turn    shogi.Color
	written shogi.Written
}

func setupOf(p shogi.Position) setup {
	board, hands, turn := p.Parts()
	return setup{board: board, hands: hands, turn: turn}
}

// withoutExcess returns s with no more in the hand of the side not to move than the rest of a
// set.
func (s setup) withoutExcess() *setup {
	var used [shogi.King + 1]int
	for _, piece := range s.board {
		used[piece.Kind().Unpromoted()]++
	}
	for k := shogi.Pawn; k < shogi.King; k++ {
		hand := &s.hands[s.turn.Other()]
		for hand.Has(k) && used[k]+s.hands[s.turn].Count(k)+hand.Count(k) > k.InSet() {
			*hand = hand.Without(k)
		}
	}
	return &s
}

// position returns the position with the hands that are meant, unless it is illegal, and how they
// were read.
func (s *setup) position(h shogi.Hands) (shogi.Position, shogi.Hands, error) {
	p, err := shogi.NewPosition(s.board, s.hands, s.turn)
	if err != nil {
		return p, shogi.UsualHands, err
	}
	p, used := h.Read(p, s.written)
	return p, used, nil
}

// lines returns the lines of a text without their ends.
func lines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r", "\n"), "\n"), "\n")
}
