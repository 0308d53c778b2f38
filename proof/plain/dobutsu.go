package plain

import (
	"slices"
	"strings"
)

// Dōbutsu shōgi. A board has the letters of animals, sente's in upper case. A move is where an
// animal goes to and, 32 times, where it comes from, or 20 and its number in the hand.
type dobutsu struct {
	grid
	drops    string
	try      bool
	chicks   int
	mirrored image
}

const kindsOfDobutsu = "EGC" // those in hand

func newDobutsu(o map[string]string) (*dobutsu, bool) {
	g := &dobutsu{drops: o["drops"], try: o["try"] == "win", chicks: 2}
	if g.rows, g.cols = size(o["size"]); g.rows == 3 {
		g.chicks = 0
	}
	if !slices.Contains([]string{"3x3", "4x3", "5x3", "6x3"}, o["size"]) || !g.try && o["try"] != "no" ||
		!slices.Contains([]string{"any", "near-chick", "none"}, g.drops) {
		return nil, false
	}
	g.mirrored = g.images()[1]
	return g, true
}

// stepsOf are the rows and columns of sente's steps.
var stepsOf = map[byte][][2]int{
	'L': eight[:],
	'E': {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}},
	'G': {{-1, 0}, {0, -1}, {0, 1}, {1, 0}},
	'C': {{-1, 0}},
	'H': {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}},
}

// homeOf returns the first row of a side, as it sees the board.
func (g *dobutsu) homeOf(mover byte) int {
	if mover == 'b' {
		return g.rows - 1
	}
	return 0
}

// farOf returns the last row of a side.
func (g *dobutsu) farOf(mover byte) int { return g.rows - 1 - g.homeOf(mover) }

// targets returns the squares to which the animal on a square can step.
func (g *dobutsu) targets(p Position, from int) (list []int) {
	forward := 1
	if p.mover == 'w' {
		forward = -1
	}
	for _, d := range stepsOf[p.board[from]&^32] {
		for _, to := range g.line(from, forward*d[0], d[1], 1) {
			if !own(p.board[to], p.mover) {
				list = append(list, to)
			}
		}
	}
	return list
}

// lion returns the square of a side's lion.
func lion(board string, mover byte) int { return strings.IndexByte(board, owned('L', mover)) }

func (g *dobutsu) Result(p Position) (result int, over bool) {
	theirs := lion(p.board, opponent(p.mover))
	for s := range len(p.board) {
		if own(p.board[s], p.mover) && slices.Contains(g.targets(p, s), theirs) {
			return 1, true
		}
	}
	if g.try && theirs/g.cols == g.homeOf(p.mover) {
		return -1, true
	}
	return 0, len(g.Moves(p)) == 0
}

func (g *dobutsu) Moves(p Position) (moves []Move) {
	for from := range len(p.board) {
		if own(p.board[from], p.mover) {
			for _, to := range g.targets(p, from) {
				moves = append(moves, Move(32*from+to))
			}
		}
	}
	for i, kind := range []byte(kindsOfDobutsu) {
		for to := range len(p.board) {
			near := kind != 'C' || to/g.cols != g.farOf(p.mover)
			if p.hands[handOf(p, 3)+i] > 0 && p.board[to] == empty && (g.drops == "any" || g.drops == "near-chick" && near) {
				moves = append(moves, Move(32*(20+i)+to))
			}
		}
	}
	return moves
}

// becomes returns whether a move makes a chick a hen.
func (g *dobutsu) becomes(p Position, from, to int) bool {
	return p.board[from]&^32 == 'C' && to/g.cols == g.farOf(p.mover)
}

func (g *dobutsu) Text(p Position, m Move) string {
	from, to := int(m/32), int(m%32)
	switch {
	case from >= 20:
		return kindsOfDobutsu[from-20:from-19] + "*" + g.name(to)
	case g.becomes(p, from, to):
		return g.name(from) + g.name(to) + "+"
	}
	return g.name(from) + g.name(to)
}

func (g *dobutsu) Play(p Position, m Move) Position {
	from, to, hand := int(m/32), int(m%32), handOf(p, 3)
	animal := byte('H')
	if from >= 20 {
		i := hand + from - 20
		animal, p.hands = kindsOfDobutsu[from-20], with(p.hands, p.hands[i]-1, i)
	} else {
		if !g.becomes(p, from, to) {
			animal = p.board[from]
		}
		if taken := p.board[to]; taken != empty {
			i := hand + min(strings.IndexByte("EGCH", taken&^32), 2) // a hen as a chick
			p.hands = with(p.hands, p.hands[i]+1, i)
		}
		p.board = with(p.board, empty, from)
	}
	p.board, p.mover = with(p.board, owned(animal&^32, p.mover), to), opponent(p.mover)
	return p
}

func (g *dobutsu) Canonical(p Position) Position {
	if p.mover == 'w' {
		board := []byte(exchanged(p.board))
		slices.Reverse(board)
		p.board, p.hands, p.mover = string(board), p.hands[3:]+p.hands[:3], 'b'
	}
	p.board = min(p.board, g.mirrored.of(p.board))
	return p
}

func (g *dobutsu) Format(p Position) string {
	return numbers.Replace(g.slashed(p.board)) + " " + string(p.mover) + " " + handText(p.hands, kindsOfDobutsu)
}

func (g *dobutsu) parse(text string) Position {
	fields := strings.Split(text, " ")
	must(len(fields) == 3, "%.1000q is no position", text)
	p := Position{board: strings.ReplaceAll(squares.Replace(fields[0]), "/", ""), hands: parseHands(fields[2], kindsOfDobutsu), mover: 'b'}
	if fields[1] == "w" {
		p.mover = 'w'
	}
	must(len(p.board) == g.rows*g.cols && strings.Trim(strings.ToUpper(p.board), "LEGCH.") == "", "%.1000q is no position", text)
	spelled(g, p, text)
	must(strings.Count(p.board, "L") == 1 && strings.Count(p.board, "l") == 1, "%.1000q: a side has no lion, or two", text)
	for i, letters := range []string{"Ee", "Gg", "CcHh"} {
		n := int(p.hands[i]) + int(p.hands[3+i])
		for _, letter := range letters {
			n += strings.Count(p.board, string(letter))
		}
		must(n == []int{2, 2, g.chicks}[i], "%.1000q has %d animals %s", text, n, letters)
	}
	must(!g.try || lion(p.board, p.mover)/g.cols != g.farOf(p.mover), "%.1000q: the game was over before", text)
	last := len(p.board) - g.cols
	must(g.drops == "any" || !strings.Contains(p.board[:g.cols], "C") && !strings.Contains(p.board[last:], "c"), "%.1000q: a chick in its last row", text)
	return p
}
