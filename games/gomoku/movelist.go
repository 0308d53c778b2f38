package gomoku

import (
	"fmt"
	"regexp"
	"strings"
)

// listMove is a move of a list, perhaps with its number.
var listMove = regexp.MustCompile(`^([0-9]+[.)]\s*)?([A-Ta-t][1-9][0-9]?)(?:[\s,;]+|$|[A-Ta-t])`)

// IsMoveList reports whether a line looks like moves of gomoku, one after another. Where numbers count pairs of moves, as in
// 1. e4 e5, it is a game of chess.
func IsMoveList(line string) bool {
	words, numbers, rest := listWords(line)
	return rest == "" && len(words) > 0 && (numbers == 0 || numbers == len(words))
}

// listWords splits moves, and returns how many have numbers, and what is left after them.
func listWords(text string) (words []string, numbers int, rest string) {
	rest = strings.TrimSpace(text)
	for {
		at := listMove.FindStringSubmatchIndex(rest)
		if at == nil {
			return words, numbers, rest
		}
		if at[2] >= 0 {
			numbers++
		}
		words, rest = append(words, rest[at[4]:at[5]]), strings.TrimLeft(rest[at[5]:], " \t,;")
	}
}

// ParseMoveList reads a game as a list of its moves, such as h8i9g7 or 1. h8 2. i9: with or without blanks, commas and numbers
// between them. If a move is wrong, it returns those before.
func (g *Game) ParseMoveList(line string) (moves []Square, err error) {
	words, _, rest := listWords(line)
	p := g.Start()
	for i, word := range words {
		m, err := g.ParseMove(p, word)
		if err != nil {
			return moves, fmt.Errorf("move %d: %w", i+1, err)
		}
		moves, p = append(moves, m), g.Play(p, m)
	}
	if rest != "" {
		return moves, fmt.Errorf("after move %d: %.20q: want moves such as h8", len(words), rest)
	}
	return moves, nil
}

// AppendMoveList appends a game from the start position as [Game.ParseMoveList] reads it.
func AppendMoveList(dst []byte, moves []Square) []byte {
	for _, m := range moves {
		dst = m.appendText(dst)
	}
	return dst
}
