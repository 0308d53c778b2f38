package shogi

import "bytes"

// The letters of pieces are those of SFEN, upper case for Black. A promoted piece
// has the letter of the unpromoted one with this bit.
const promoted = 128

// handLetters are the pieces that can be in hand, in the order in which SFEN
// writes them, and inAll how many of each a set has.
const handLetters = "RBGSNLP"

var inAll = [len(handLetters)]int{2, 2, 4, 4, 4, 4, 18}

// Position is a position.
type Position struct {
	board [81]byte // rank by rank from a, each from file 9; 0 is empty
	hands [2][len(handLetters)]uint8
	white bool // White is to move
}

func isWhite(piece byte) bool { return piece&32 != 0 }

// bare is the piece as Black has it.
func bare(piece byte) byte { return piece &^ 32 }

// owned is the piece as one side has it.
func owned(piece byte, white bool) byte {
	if white {
		return piece | 32
	}
	return piece &^ 32
}

// inHand returns the index in hands of a piece once it is captured.
func inHand(piece byte) int {
	for i := range handLetters {
		if handLetters[i] == bare(piece)&^promoted {
			return i
		}
	}
	return -1
}

func side(white bool) int {
	if white {
		return 1
	}
	return 0
}

// steps are the steps of Black's pieces, as ranks and columns: those made once and
// those repeated.
type steps struct{ once, slide [][2]int }

var stepsOf = func() (table [256]steps) {
	diagonal := [][2]int{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
	straight := [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}
	gold := [][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}}
	table['P'].once = [][2]int{{-1, 0}}
	table['L'].slide = [][2]int{{-1, 0}}
	table['N'].once = [][2]int{{-2, -1}, {-2, 1}}
	table['S'].once = [][2]int{{-1, 0}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
	table['B'].slide = diagonal
	table['R'].slide = straight
	table['K'].once = [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
	for _, piece := range []byte{'G', 'P' | promoted, 'L' | promoted, 'N' | promoted, 'S' | promoted} {
		table[piece].once = gold
	}
	table['B'|promoted] = steps{straight, diagonal}
	table['R'|promoted] = steps{diagonal, straight}
	return table
}()

// walk calls f with each square that the piece on a square can move to, until f
// returns false.
func (p *Position) walk(rank, column int, f func(rank, column int) bool) bool {
	piece := p.board[9*rank+column]
	forward := 1
	if isWhite(piece) {
		forward = -1
	}
	line := func(step [2]int, repeat bool) bool {
		dr, dc := forward*step[0], step[1]
		for r, c := rank+dr, column+dc; r >= 0 && r < 9 && c >= 0 && c < 9; r, c = r+dr, c+dc {
			there := p.board[9*r+c]
			if (there == 0 || isWhite(there) != isWhite(piece)) && !f(r, c) {
				return false
			}
			if there != 0 || !repeat {
				break
			}
		}
		return true
	}
	for _, step := range stepsOf[bare(piece)].once {
		if !line(step, false) {
			return false
		}
	}
	for _, step := range stepsOf[bare(piece)].slide {
		if !line(step, true) {
			return false
		}
	}
	return true
}

// How a piece reaches a square that lies a step away.
const (
	byStep  = 1 // the step once
	bySlide = 2 // the step any number of times
)

// reaches says how each piece makes the step of some ranks, from 2 ranks up at
// index 0, and some columns, from 1 to the left at index 0.
var reaches = func() (table [256][5][3]uint8) {
	for black, steps := range stepsOf {
		for _, white := range []bool{false, true} {
			piece, forward := owned(byte(black), white), 1
			if white {
				forward = -1
			}
			for _, step := range steps.once {
				table[piece][2+forward*step[0]][1+step[1]] |= byStep
			}
			for _, step := range steps.slide {
				table[piece][2+forward*step[0]][1+step[1]] |= byStep | bySlide
			}
		}
	}
	return table
}()

// inCheck reports whether the king of a side can be captured. It looks from the king
// for the first piece on each line. A side without a king is never in check.
func (p *Position) inCheck(white bool) bool {
	king := bytes.IndexByte(p.board[:], owned('K', white))
	if king < 0 {
		return false
	}
	rank, column := king/9, king%9
	for dr := -2; dr <= 2; dr++ {
		for dc := -1; dc <= 1; dc++ {
			how := uint8(byStep)
			for r, c := rank-dr, column-dc; dr|dc != 0 && r >= 0 && r < 9 && c >= 0 && c < 9; r, c = r-dr, c-dc {
				if piece := p.board[9*r+c]; piece != 0 {
					if isWhite(piece) != white && reaches[piece][2+dr][1+dc]&how != 0 {
						return true
					}
					break
				}
				how = bySlide
			}
		}
	}
	return false
}

// stuck reports whether a piece could never move from a rank.
func stuck(piece byte, rank int) bool {
	if isWhite(piece) {
		rank = 8 - rank
	}
	switch bare(piece) {
	case 'P', 'L':
		return rank == 0
	case 'N':
		return rank <= 1
	}
	return false
}

// inZone reports whether pieces of a side promote on a rank.
func inZone(white bool, rank int) bool { return white && rank >= 6 || !white && rank <= 2 }

// hasPawn reports whether a side has an unpromoted pawn on a file.
func (p *Position) hasPawn(white bool, column int) bool {
	for rank := range 9 {
		if p.board[9*rank+column] == owned('P', white) {
			return true
		}
	}
	return false
}
