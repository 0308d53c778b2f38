package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// plainCheckers is checkers on a plain array, by the words of the rules: an oracle that
// shares nothing with package checkers. Black is always to move: after each move the
// board is turned, and the colours are swapped.
type plainCheckers struct{ side int }

// plainBoard has the squares row by row from Black's side, light ones too.
type plainBoard [64]int8

const (
	noPiece int8 = iota
	blackMan
	blackKing
	whiteMan
	whiteKing
)

func (c plainCheckers) at(row, column int) int { return row*c.side + column }

func (c plainCheckers) inside(row, column int) bool {
	return row >= 0 && row < c.side && column >= 0 && column < c.side
}

// key packs the pieces of a board, at most six, with their squares.
func (c plainCheckers) key(b *plainBoard) (key uint64) {
	for i, piece := range b[:c.side*c.side] {
		if piece != noPiece {
			key = key<<10 | uint64(i)<<3 | uint64(piece)
		}
	}
	return key
}

// text writes a board as in PDN.
func (c plainCheckers) text(b *plainBoard) string {
	number := 0
	var white, black []string
	for row := range c.side {
		for column := range c.side {
			if (row+column)%2 == 0 {
				continue
			}
			number++
			switch b[c.at(row, column)] {
			case blackMan:
				black = append(black, fmt.Sprint(number))
			case blackKing:
				black = append(black, fmt.Sprint("K", number))
			case whiteMan:
				white = append(white, fmt.Sprint(number))
			case whiteKing:
				white = append(white, fmt.Sprint("K", number))
			}
		}
	}
	return "B:W" + strings.Join(white, ",") + ":B" + strings.Join(black, ",")
}

// turned returns the board as the other side sees it.
func (c plainCheckers) turned(b plainBoard) (t plainBoard) {
	last := c.side*c.side - 1
	for i := range last + 1 {
		switch b[i] {
		case blackMan, blackKing:
			t[last-i] = b[i] + 2
		case whiteMan, whiteKing:
			t[last-i] = b[i] - 2
		}
	}
	return t
}

// moves returns the boards after all moves of Black, turned.
func (c plainCheckers) moves(b plainBoard) (after []plainBoard) {
	for _, jumping := range []bool{true, false} {
		for row := range c.side {
			for column := range c.side {
				piece := b[c.at(row, column)]
				if piece != blackMan && piece != blackKing {
					continue
				}
				if jumping {
					after = c.jumps(after, b, row, column, piece, false)
				} else {
					after = c.steps(after, b, row, column, piece)
				}
			}
		}
		if len(after) > 0 {
			break // a capture must be made
		}
	}
	for i := range after {
		after[i] = c.turned(after[i])
	}
	return after
}

func (c plainCheckers) steps(after []plainBoard, b plainBoard, row, column int, piece int8) []plainBoard {
	for _, down := range []int{1, -1} {
		for _, right := range []int{1, -1} {
			r, k := row+down, column+right
			if down < 0 && piece == blackMan || !c.inside(r, k) || b[c.at(r, k)] != noPiece {
				continue
			}
			next := b
			next[c.at(row, column)] = noPiece
			next[c.at(r, k)] = piece
			if r == c.side-1 {
				next[c.at(r, k)] = blackKing
			}
			after = append(after, next)
		}
	}
	return after
}

func (c plainCheckers) jumps(after []plainBoard, b plainBoard, row, column int, piece int8, jumped bool) []plainBoard {
	ended := true
	for _, down := range []int{1, -1} {
		for _, right := range []int{1, -1} {
			r, k := row+2*down, column+2*right
			if down < 0 && piece == blackMan || !c.inside(r, k) || b[c.at(r, k)] != noPiece {
				continue
			}
			if over := b[c.at(row+down, column+right)]; over != whiteMan && over != whiteKing {
				continue
			}
			ended = false
			next := b
			next[c.at(row, column)] = noPiece
			next[c.at(row+down, column+right)] = noPiece
			next[c.at(r, k)] = piece
			if piece == blackMan && r == c.side-1 {
				next[c.at(r, k)] = blackKing
				after = append(after, next)
			} else {
				after = c.jumps(after, next, r, k, piece, true)
			}
		}
	}
	if ended && jumped {
		after = append(after, b)
	}
	return after
}

// solve finds the value of all positions of up to some number of pieces, each side having
// at least one, by plain iteration: a position is won in n plies if a move leads to one
// lost in n-1, and lost in n if all moves lead to positions won in n-1 or less. The first
// position is Black without a piece.
func (c plainCheckers) solve(pieces int) ([]plainBoard, []games.Value) {
	list := []plainBoard{{}}
	c.place(&list, plainBoard{}, 0, pieces)
	numbers := make(map[uint64]int32, len(list))
	for i := range list {
		numbers[c.key(&list[i])] = int32(i)
	}
	after := make([][]int32, len(list)) // positions after the moves
	for i, b := range list {
		for _, b := range c.moves(b) {
			at := int32(0)
			if slices.ContainsFunc(b[:], func(x int8) bool { return x == blackMan || x == blackKing }) {
				at = numbers[c.key(&b)]
			}
			after[i] = append(after[i], at)
		}
	}
	values := make([]games.Value, len(list)) // a draw until the contrary is known
	unsettled := make([]int32, len(list))
	for i := range unsettled {
		unsettled[i] = int32(i)
	}
	for n, before := 0, -1; len(unsettled) != before; n++ {
		before = len(unsettled)
		unsettled = slices.DeleteFunc(unsettled, func(i int32) bool {
			lost := true
			for _, j := range after[i] {
				v := values[j]
				if plies, known := v.Plies(); !known || plies == n {
					lost = false // or not known before this iteration
				} else if v < games.Draw {
					values[i] = games.Win(n)
					return true
				}
			}
			if lost {
				values[i] = games.Loss(n)
			}
			return lost
		})
	}
	return list, values
}

// place appends the boards with pieces on the squares from a number on.
func (c plainCheckers) place(list *[]plainBoard, b plainBoard, from, pieces int) {
	army := (c.side - 2) * c.side / 4
	for i := from; i < c.side*c.side; i++ {
		row, column := i/c.side, i%c.side
		if (row+column)%2 == 0 {
			continue
		}
		for piece := blackMan; piece <= whiteKing; piece++ {
			if piece == blackMan && row == c.side-1 || piece == whiteMan && row == 0 {
				continue
			}
			b[i] = piece
			black, white := 0, 0
			for _, x := range b {
				switch {
				case x > blackKing:
					white++
				case x > noPiece:
					black++
				}
			}
			if max(black, white) <= army {
				if black > 0 && white > 0 {
					*list = append(*list, b)
				}
				if black+white < pieces {
					c.place(list, b, i+1, pieces)
				}
			}
			b[i] = noPiece
		}
	}
}
