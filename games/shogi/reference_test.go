package shogi

// An independent, slow model of the rules: a 9 x 9 array of letters, loops over
// directions, moves made on copies. It shares nothing with the bitboards but
// the notation: positions come in as SFEN, moves go out as USI.

import "strings"

// A mailbox holds pieces as the letters of SFEN, promoted ones with the bit plus.
type mailbox struct {
	board [9][9]byte // [rank][column from file 9]; 0 is empty
	white bool
	hands [128]int // by letter, upper case for Black
}

const plus = 128

func newMailbox(sfen string) *mailbox {
	fields := strings.Fields(sfen)
	m := &mailbox{white: fields[1] == "w"}
	for rank, line := range strings.Split(fields[0], "/") {
		column, bit := 0, byte(0)
		for _, letter := range line {
			switch {
			case letter >= '0' && letter <= '9':
				column += int(letter - '0')
			case letter == '+':
				bit = plus
			default:
				m.board[rank][column] = byte(letter) | bit
				column++
				bit = 0
			}
		}
	}
	number := 0
	for _, letter := range fields[2] {
		if letter >= '0' && letter <= '9' {
			number = 10*number + int(letter-'0')
		} else if letter != '-' {
			m.hands[letter] += max(number, 1)
			number = 0
		}
	}
	return m
}

func isWhite(piece byte) bool { return piece&32 != 0 }

func bare(piece byte) byte { return piece &^ 32 }

// paths are the steps of a piece as Black moves it, ranks upward negative: those
// made once and those repeated.
type paths struct{ once, slide [][2]int }

var pathsOf = func() (table [256]paths) {
	diagonal := [][2]int{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
	straight := [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}
	gold := [][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}}
	table['P'].once = [][2]int{{-1, 0}}
	table['L'].slide = [][2]int{{-1, 0}}
	table['N'].once = [][2]int{{-2, -1}, {-2, 1}}
	table['S'].once = append([][2]int{{-1, 0}}, diagonal...)
	for _, piece := range []byte{'G', 'P' | plus, 'L' | plus, 'N' | plus, 'S' | plus} {
		table[piece].once = gold
	}
	table['B'].slide = diagonal
	table['R'].slide = straight
	table['B'|plus] = paths{straight, diagonal}
	table['R'|plus] = paths{diagonal, straight}
	table['K'].once = append(append([][2]int{}, straight...), diagonal...)
	return table
}()

// visit calls f with where the piece on a square can go, its own side's pieces
// being in the way, until f returns false.
func (m *mailbox) visit(rank, column int, f func(rank, column int) bool) {
	piece := m.board[rank][column]
	walk := func(step [2]int, repeat bool) bool {
		dr, dc := step[0], step[1]
		if isWhite(piece) {
			dr = -dr
		}
		for r, c := rank+dr, column+dc; r >= 0 && r < 9 && c >= 0 && c < 9; r, c = r+dr, c+dc {
			there := m.board[r][c]
			if (there == 0 || isWhite(there) != isWhite(piece)) && !f(r, c) {
				return false
			}
			if there != 0 || !repeat {
				break
			}
		}
		return true
	}
	for _, s := range pathsOf[bare(piece)].once {
		if !walk(s, false) {
			return
		}
	}
	for _, s := range pathsOf[bare(piece)].slide {
		if !walk(s, true) {
			return
		}
	}
}

// inCheck reports whether the king of a side can be taken.
func (m *mailbox) inCheck(white bool) (check bool) {
	for rank := range 9 {
		for column := range 9 {
			if p := m.board[rank][column]; p == 0 || isWhite(p) == white {
				continue
			}
			m.visit(rank, column, func(r, c int) bool {
				check = bare(m.board[r][c]) == 'K'
				return !check
			})
			if check {
				return true
			}
		}
	}
	return false
}

func squareName(rank, column int) string { return string(rune('9'-column)) + string(rune('a'+rank)) }

// cannotStay reports whether a piece of a kind could never move from a rank.
func cannotStay(piece byte, rank int) bool {
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

func inZone(white bool, rank int) bool { return white && rank >= 6 || !white && rank <= 2 }

// successors returns the positions after the legal moves, by move. Drops of a
// pawn that mate are left out if asked for.
func (m *mailbox) successors(noPawnMate bool) map[string]*mailbox {
	next := map[string]*mailbox{}
	add := func(name string, after mailbox) {
		if after.inCheck(m.white) {
			return
		}
		after.white = !m.white
		next[name] = &after
	}
	for rank := range 9 {
		for column := range 9 {
			piece := m.board[rank][column]
			if piece == 0 {
				m.addDrops(rank, column, noPawnMate, add)
			} else if isWhite(piece) == m.white {
				m.visit(rank, column, func(r, c int) bool {
					m.addMoves(rank, column, r, c, add)
					return true
				})
			}
		}
	}
	return next
}

// addMoves adds a move and its promotion.
func (m *mailbox) addMoves(rank, column, r, c int, add func(string, mailbox)) {
	piece := m.board[rank][column]
	after := *m
	if taken := m.board[r][c]; taken != 0 {
		letter := bare(taken) &^ plus
		if m.white {
			letter |= 32
		}
		after.hands[letter]++
	}
	after.board[rank][column] = 0
	after.board[r][c] = piece
	name := squareName(rank, column) + squareName(r, c)
	if !cannotStay(piece, r) {
		add(name, after)
	}
	if strings.ContainsRune("PLNSBR", rune(bare(piece))) && (inZone(m.white, rank) || inZone(m.white, r)) {
		after.board[r][c] = piece | plus
		add(name+"+", after)
	}
}

func (m *mailbox) addDrops(rank, column int, noPawnMate bool, add func(string, mailbox)) {
	for letter, n := range m.hands {
		piece := byte(letter)
		if n == 0 || isWhite(piece) != m.white || cannotStay(piece, rank) {
			continue
		}
		if bare(piece) == 'P' && m.pawnOnFile(column) {
			continue
		}
		after := *m
		after.hands[piece]--
		after.board[rank][column] = piece
		if bare(piece) == 'P' && noPawnMate && after.inCheck(!m.white) {
			reply := after
			reply.white = !m.white
			// A mated side cannot reply by a drop of a pawn, mating or not:
			// the check comes from the neighbouring square.
			if len(reply.successors(false)) == 0 {
				continue
			}
		}
		add(string(rune(bare(piece)))+"*"+squareName(rank, column), after)
	}
}

func (m *mailbox) pawnOnFile(column int) bool {
	for rank := range 9 {
		if p := m.board[rank][column]; bare(p) == 'P' && isWhite(p) == m.white {
			return true
		}
	}
	return false
}
