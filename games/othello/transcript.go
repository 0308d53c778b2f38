package othello

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// transcriptMove is a move in a transcript, perhaps with its number.
var transcriptMove = regexp.MustCompile(`^(?:[0-9]+[.)]\s*)?([A-Ha-h][1-8]|(?i:pass|pa|ps)|--)[\s,]*`)

// transcriptStart is the position before the moves, as Edax writes it.
var transcriptStart = regexp.MustCompile(`^\s*([-.XOxo*]+ ?[XOxo*])\s*;`)

// IsTranscript reports whether a line looks like moves of Othello, one after another, as programs copy them. A first move that
// opens no game is none, unless a position is before it.
func IsTranscript(line string) bool {
	moves := line
	if start := transcriptStart.FindString(line); start != "" {
		moves = line[len(start):]
	}
	words, rest := transcriptWords(moves)
	return rest == "" && len(words) > 0
}

// transcriptWords splits moves, and returns what is left after them.
func transcriptWords(text string) (words []string, rest string) {
	rest = strings.TrimSpace(text)
	for {
		found := transcriptMove.FindStringSubmatch(rest)
		if found == nil {
			return words, rest
		}
		words, rest = append(words, found[1]), rest[len(found[0]):]
	}
}

// ParseTranscript reads a game as programs copy it: moves such as f5d6c3, in small or capital letters, perhaps with blanks,
// commas or numbers between them. Passes may be left out. Before the moves there may be a position and a semicolon. If a move is
// wrong, it returns those before.
func (g *Game) ParseTranscript(line string) (from Position, moves []Move, err error) {
	from = g.Start()
	if start := transcriptStart.FindStringSubmatch(line); start != nil {
		board, side := start[1][:len(start[1])-1], start[1][len(start[1])-1:]
		text := strings.NewReplacer("*", "X", "x", "X", "o", "O").Replace(strings.TrimSpace(board) + " " + side)
		if from, err = g.ParsePosition(text); err != nil {
			return g.Start(), nil, err
		}
		line = line[len(start[0]):]
	}
	words, rest := transcriptWords(line)
	p := from
	for _, word := range words {
		if g.mustPass(p) && !isPass(word) {
			moves, p = append(moves, Pass), g.Play(p, Pass)
		}
		if isPass(word) {
			word = passText
		}
		m, err := games.ParseMove(g, p, word)
		if err != nil {
			return from, moves, fmt.Errorf("move %d: %w", len(moves)+1, err)
		}
		moves, p = append(moves, m), g.Play(p, m)
	}
	if rest != "" {
		return from, moves, fmt.Errorf("after move %d: %.20q: want moves such as f5", len(moves), rest)
	}
	if len(words) == 0 {
		return from, nil, errors.New("want moves such as f5d6c3")
	}
	return from, moves, nil
}

// AppendTranscript appends a game as [Game.ParseTranscript] reads it. Passes are left out.
func (g *Game) AppendTranscript(dst []byte, from Position, moves []Move) []byte {
	if from != g.Start() {
		dst = append(g.AppendPosition(dst, from), ';')
	}
	for i, m := range moves {
		if m != Pass || i == len(moves)-1 { // the last one does not follow from the moves
			dst = g.AppendMove(dst, from, m)
		}
	}
	return dst
}
