package checkers

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games/pgn"
)

// pdn is Portable Draughts Notation.
var pdn = &pgn.Notation{
	Name: "PDN",
	Move: func(text string) int {
		found := cmp.Or(numericMove.FindString(text), namedMove.FindString(text))
		if squares, _ := squaresOf(found); len(squares) == 0 {
			return 0
		}
		return len(found)
	},
	Mark:    regexp.MustCompile(`^[!?*+=#^]+`),
	Ending:  regexp.MustCompile(`^(?:\*|` + pgn.Half + `|[0-2]\s*-\s*[0-2]\b)`),
	Results: results,
	Begins: func(word string) bool {
		squares, named := squaresOf(word)
		return !named && len(squares) == 1 && squares[0] < 100
	},
}

// squaresOf reads the squares of a move: numbers, or names as in chess, which are file and rank from 0, in a byte each.
// There are none if a number is too large.
func squaresOf(move string) (list []int, named bool) {
	if numericMove.MatchString(move) {
		for _, digits := range digitGroups.FindAllString(move, -1) {
			n, err := strconv.Atoi(digits)
			if err != nil {
				return nil, false
			}
			list = append(list, n)
		}
		return list, false
	}
	for _, name := range nameGroups.FindAllString(strings.ToLower(move), -1) {
		list = append(list, int(name[0]-'a')<<8|int(name[1]-'1'))
	}
	return list, true
}

const separator = `\s*(?:[-xX:×–—−]|--)\s*`

var (
	numericMove = regexp.MustCompile(`^[0-9]+(?:` + separator + `[0-9]+)*`)
	digitGroups = regexp.MustCompile(`[0-9]+`)
	namedMove   = regexp.MustCompile(`^[a-hA-H][1-8](?:(?:` + separator + `)?[a-hA-H][1-8])+`)
	nameGroups  = regexp.MustCompile(`[a-h][1-8]`)
)
