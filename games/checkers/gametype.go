package checkers

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// algebraic is a board whose squares have names such as c3.
type algebraic struct {
	g *geometry
	// turned says that a1 is in the right corner that Black sees far away.
	turned bool
}

// gameType is the value of the tag GameType of the game with numbers for squares.
func (g *Game) gameType() string { return fmt.Sprintf("21,B,%d,%d,N1,0", g.side, g.side) }

// parseGameType reads the value of the tag GameType: the type of the game, 21, and perhaps the
// side that begins, width and height of the board, the notation with the corner of the first
// square, seen by the side that begins, and 0 if the left corner near it is played on. N2, the
// corner that White sees, is what some programs write for the usual numbers. It
// returns the names of the squares in algebraic notation, nil if squares have numbers.
func (g *Game) parseGameType(value string) (*algebraic, error) {
	side := strconv.Itoa(g.side)
	want := [][]string{{"21", ""}, {"B", ""}, {side, ""}, {side, ""}, {"N1", "N2", "N", "A0", "A3", ""}, {"0", ""}}
	fields := strings.Split(strings.ToUpper(strings.ReplaceAll(value, " ", "")), ",")
	var board *algebraic
	for i, field := range fields {
		if i >= len(want) || !slices.Contains(want[i], field) {
			return nil, fmt.Errorf("GameType %q: want 21 (English draughts) or, in full, %s (A0 or A3 instead of N1 if squares are named as in chess)", value, g.gameType())
		}
		if i == 4 && strings.HasPrefix(field, "A") {
			board = &algebraic{g.geometry, field == "A3"}
		}
	}
	return board, nil
}

// number returns the number of a square that has the rank and the file, counted from 0.
func (a *algebraic) number(file, rank int) (int, error) {
	if file >= a.g.side || rank >= a.g.side || (file+rank)%2 != 0 {
		return 0, fmt.Errorf("no piece stands on the square %c%d", 'a'+file, rank+1)
	}
	if a.turned {
		file, rank = a.g.side-1-file, a.g.side-1-rank
	}
	// Numbers run from right to left.
	perRow := a.g.side / 2
	return rank*perRow + perRow - file/2, nil
}

// numbers returns the numbers of squares that a scanner has read as file and rank.
func (a *algebraic) numbers(squares []int) ([]int, error) {
	list := make([]int, len(squares))
	for i, s := range squares {
		n, err := a.number(s>>8, s&255)
		if err != nil {
			return nil, err
		}
		list[i] = n
	}
	return list, nil
}

var squareName = regexp.MustCompile(`[a-h][1-8]`)

// replaceNames replaces the names of squares in a position by numbers. A square that no piece
// stands on keeps its name.
func (a *algebraic) replaceNames(fen string) string {
	return squareName.ReplaceAllStringFunc(fen, func(name string) string {
		n, err := a.number(int(name[0]-'a'), int(name[1]-'1'))
		if err != nil {
			return name
		}
		return strconv.Itoa(n)
	})
}
