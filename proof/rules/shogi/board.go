package shogi

import (
	"bytes"
	"slices"
)

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

// inHand returns the index in hands of a piece once it is captured, -1 for a king or no piece.
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

// directions are the ranks and columns of steps, each next to its opposite. From index jumps
// on they are the jumps of knights, in which nothing slides.
var directions = [...][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, 1}, {-1, 1}, {1, -1}, {-2, -1}, {2, 1}, {-2, 1}, {2, -1}}

const jumps = 8

// opposite returns the direction opposite to one.
func opposite(direction int) int { return direction ^ 1 }

// How a piece moves in a direction.
const (
	byStep  = 1 // a step
	bySlide = 2 // any number of steps more
)

// reach says how each piece moves in each direction.
var reach = func() (table [256][len(directions)]uint8) {
	for black, steps := range stepsOf {
		for _, white := range []bool{false, true} {
			forward := 1
			if white {
				forward = -1
			}
			add := func(list [][2]int, how uint8) {
				for _, step := range list {
					direction := slices.Index(directions[:], [2]int{forward * step[0], step[1]})
					table[owned(byte(black), white)][direction] |= how
				}
			}
			add(steps.once, byStep)
			add(steps.slide, byStep|bySlide)
		}
	}
	return table
}()

// lines has the squares in each direction from each square, up to the edge. toward has, for
// each two squares, the direction from the first to the second plus 1, or 0 if there is none.
var lines, toward = func() (lines [81][len(directions)][]uint8, toward [81][81]uint8) {
	for square := range lines {
		for direction, step := range directions {
			for r, c := square/9+step[0], square%9+step[1]; r >= 0 && r < 9 && c >= 0 && c < 9; r, c = r+step[0], c+step[1] {
				at := uint8(9*r + c)
				lines[square][direction] = append(lines[square][direction], at)
				toward[square][at] = uint8(direction + 1)
				if direction >= jumps {
					break
				}
			}
		}
	}
	return lines, toward
}()

// attacked reports whether a side could capture on a square, if the square lifted were empty.
// It searches each line from the square for the first piece.
func (p *Position) attacked(square int, by bool, lifted int) bool {
	for direction := range directions {
		how := uint8(byStep)
		for _, at := range lines[square][direction] {
			if piece := p.board[at]; piece != 0 && int(at) != lifted {
				if isWhite(piece) == by && reach[piece][opposite(direction)]&how != 0 {
					return true
				}
				break
			}
			how = bySlide
		}
	}
	return false
}

// king returns the square of a side's king, -1 if it has none.
func (p *Position) king(white bool) int { return bytes.IndexByte(p.board[:], owned('K', white)) }

// inCheck reports whether the king of a side can be captured. A side without a king is
// never in check.
func (p *Position) inCheck(white bool) bool {
	king := p.king(white)
	return king >= 0 && p.attacked(king, !white, king)
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

// canPromote reports whether a piece can promote at all.
func canPromote(piece byte) bool {
	switch bare(piece) {
	case 'P', 'L', 'N', 'S', 'B', 'R':
		return true
	}
	return false
}

// inZone reports whether pieces of a side promote on a rank.
func inZone(white bool, rank int) bool { return white && rank >= 6 || !white && rank <= 2 }

// pawns returns the files on which a side has an unpromoted pawn.
func (p *Position) pawns(white bool) (on [9]bool) {
	for square, piece := range &p.board {
		if piece == owned('P', white) {
			on[square%9] = true
		}
	}
	return on
}
