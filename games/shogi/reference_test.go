package shogi

// An independent, slow model of the rules: a 9 x 9 array of letters, loops over
// directions, moves made on copies. It shares nothing with the bitboards but
// the notation: positions come in as SFEN, moves go out as USI.

import (
	"strings"
	"unicode"
)

type mailbox struct {
	board [9][9]string // [rank][column from file 9]; SFEN letters, "" empty
	white bool
	hands [128]int // by letter, upper case for Black
}

func newMailbox(sfen string) *mailbox {
	fields := strings.Fields(sfen)
	m := &mailbox{white: fields[1] == "w"}
	for rank, line := range strings.Split(fields[0], "/") {
		column, plus := 0, ""
		for _, letter := range line {
			switch {
			case unicode.IsDigit(letter):
				column += int(letter - '0')
			case letter == '+':
				plus = "+"
			default:
				m.board[rank][column] = plus + string(letter)
				column++
				plus = ""
			}
		}
	}
	number := 0
	for _, letter := range fields[2] {
		if unicode.IsDigit(letter) {
			number = 10*number + int(letter-'0')
		} else if letter != '-' {
			m.hands[letter] += max(number, 1)
			number = 0
		}
	}
	return m
}

func (m *mailbox) clone() *mailbox {
	c := *m
	return &c
}

func isWhite(piece string) bool { return strings.ToLower(piece) == piece }

func bare(piece string) string { return strings.ToUpper(piece) }

// paths returns the steps of a piece as Black moves it, rank upward negative,
// and whether it repeats each.
func paths(piece string) (once, slide [][2]int) {
	diagonal := [][2]int{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}
	straight := [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}
	switch bare(piece) {
	case "P":
		return [][2]int{{-1, 0}}, nil
	case "L":
		return nil, [][2]int{{-1, 0}}
	case "N":
		return [][2]int{{-2, -1}, {-2, 1}}, nil
	case "S":
		return append([][2]int{{-1, 0}}, diagonal...), nil
	case "G", "+P", "+L", "+N", "+S":
		return append([][2]int{{-1, -1}, {-1, 1}}, straight...), nil
	case "B":
		return nil, diagonal
	case "R":
		return nil, straight
	case "+B":
		return straight, diagonal
	case "+R":
		return diagonal, straight
	case "K":
		return append(straight, diagonal...), nil
	}
	panic("no piece " + piece)
}

// destinations returns where the piece on a square can go, its own side's
// pieces being in the way.
func (m *mailbox) destinations(rank, column int) (to [][2]int) {
	piece := m.board[rank][column]
	once, slide := paths(piece)
	walk := func(step [2]int, repeat bool) {
		dr, dc := step[0], step[1]
		if isWhite(piece) {
			dr = -dr
		}
		for r, c := rank+dr, column+dc; r >= 0 && r < 9 && c >= 0 && c < 9; r, c = r+dr, c+dc {
			there := m.board[r][c]
			if there == "" || isWhite(there) != isWhite(piece) {
				to = append(to, [2]int{r, c})
			}
			if there != "" || !repeat {
				return
			}
		}
	}
	for _, s := range once {
		walk(s, false)
	}
	for _, s := range slide {
		walk(s, true)
	}
	return to
}

// inCheck reports whether the king of a side can be taken.
func (m *mailbox) inCheck(white bool) bool {
	for rank := range 9 {
		for column := range 9 {
			if p := m.board[rank][column]; p == "" || isWhite(p) == white {
				continue
			}
			for _, to := range m.destinations(rank, column) {
				if bare(m.board[to[0]][to[1]]) == "K" {
					return true
				}
			}
		}
	}
	return false
}

func squareName(rank, column int) string { return string(rune('9'-column)) + string(rune('a'+rank)) }

// cannotStay reports whether a piece of a kind could never move from a rank.
func cannotStay(piece string, rank int) bool {
	if isWhite(piece) {
		rank = 8 - rank
	}
	switch bare(piece) {
	case "P", "L":
		return rank == 0
	case "N":
		return rank <= 1
	}
	return false
}

func inZone(white bool, rank int) bool { return white && rank >= 6 || !white && rank <= 2 }

// successors returns the positions after the legal moves, by move. Drops of a
// pawn that mate are left out if asked for.
func (m *mailbox) successors(noPawnMate bool) map[string]*mailbox {
	next := map[string]*mailbox{}
	add := func(name string, after *mailbox) {
		if after.inCheck(m.white) {
			return
		}
		after.white = !m.white
		next[name] = after
	}
	for rank := range 9 {
		for column := range 9 {
			piece := m.board[rank][column]
			if piece == "" {
				m.addDrops(rank, column, noPawnMate, add)
				continue
			}
			if isWhite(piece) != m.white {
				continue
			}
			for _, to := range m.destinations(rank, column) {
				after := m.clone()
				if taken := m.board[to[0]][to[1]]; taken != "" {
					letter := strings.TrimPrefix(bare(taken), "+")
					if m.white {
						letter = strings.ToLower(letter)
					}
					after.hands[letter[0]]++
				}
				after.board[rank][column] = ""
				after.board[to[0]][to[1]] = piece
				name := squareName(rank, column) + squareName(to[0], to[1])
				if !cannotStay(piece, to[0]) {
					add(name, after.clone())
				}
				if strings.Contains("PLNSBR", bare(piece)) && (inZone(m.white, rank) || inZone(m.white, to[0])) {
					after.board[to[0]][to[1]] = "+" + piece
					add(name+"+", after)
				}
			}
		}
	}
	return next
}

func (m *mailbox) addDrops(rank, column int, noPawnMate bool, add func(string, *mailbox)) {
	for letter, n := range m.hands {
		piece := string(rune(letter))
		if n == 0 || isWhite(piece) != m.white || cannotStay(piece, rank) {
			continue
		}
		if bare(piece) == "P" && m.pawnOnFile(column) {
			continue
		}
		after := m.clone()
		after.hands[letter]--
		after.board[rank][column] = piece
		if bare(piece) == "P" && noPawnMate && after.inCheck(!m.white) {
			reply := after.clone()
			reply.white = !m.white
			// A mated side's own drops of pawns cannot help it by mating.
			if len(reply.successors(false)) == 0 {
				continue
			}
		}
		add(bare(piece)+"*"+squareName(rank, column), after)
	}
}

func (m *mailbox) pawnOnFile(column int) bool {
	for rank := range 9 {
		if p := m.board[rank][column]; bare(p) == "P" && isWhite(p) == m.white {
			return true
		}
	}
	return false
}
