package games

import (
	"fmt"
	"strings"
)

// StartPosition stands for the start position in texts that [ReadPosition] reads.
const StartPosition = "startpos"

// ReadPosition reads a position as users write it: [StartPosition], or in the notation of the game, perhaps
// with the word moves and moves after it.
func ReadPosition[P, M comparable](g Game[P, M], text string) (P, error) {
	from, moves, err := readStart(g, text)
	if err != nil {
		return from, err
	}
	return PlayMoves(g, from, moves)
}

// ReadGame reads the same text, and returns the position and the moves after it. If a move cannot be read,
// it returns those before.
func ReadGame[P, M comparable](g Game[P, M], text string) (from P, list []M, err error) {
	from, moves, err := readStart(g, text)
	if err != nil {
		return from, nil, err
	}
	list, _, err = ParseMoves(g, from, moves)
	return from, list, err
}

func readStart[P, M comparable](g Game[P, M], text string) (p P, moves []string, err error) {
	text, rest, _ := strings.Cut(strings.Join(strings.Fields(text), " ")+" ", " moves ")
	if text = strings.TrimSpace(text); text == StartPosition {
		return g.Start(), strings.Fields(rest), nil
	}
	if p, err = g.ParsePosition(text); err != nil {
		err = withoutMoves(g, text, err)
	}
	return p, strings.Fields(rest), err
}

// withoutMoves says how to give moves, if the text is not a position but begins with one.
func withoutMoves[P, M comparable](g Game[P, M], text string, err error) error {
	for at := strings.LastIndexByte(text, ' '); at > 0; at = strings.LastIndexByte(text[:at], ' ') {
		if _, e := g.ParsePosition(text[:at]); e == nil || text[:at] == StartPosition {
			return fmt.Errorf("%w; if moves follow the position, write %s moves %s", err, text[:at], strings.TrimSpace(text[at:]))
		}
	}
	return err
}
