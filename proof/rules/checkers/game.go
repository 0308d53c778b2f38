package checkers

import (
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// Game is checkers on a board of some size. It implements [games.Game] and
// [games.Canonicalizer].
type Game struct {
	name    string
	side    int // rows and columns
	squares int
	army    int // the most pieces of a side
	pieces  int // the most on the board
	next    [32][4]uint8
}

var (
	_ games.Game[Position, Move]    = (*Game)(nil)
	_ games.Canonicalizer[Position] = (*Game)(nil)
)

// Open returns the game with the given name, or false if it is another game.
func Open(name string) (*Game, bool) {
	const most = 24
	for _, whole := range []struct {
		name, separator string
		side            int
	}{{"checkers", ":", 8}, {"checkers:size=6x6", ",", 6}, {"checkers:size=4x4", ",", 4}} {
		pieces := most
		if text, limited := strings.CutPrefix(name, whole.name+whole.separator+"pieces="); limited {
			n, err := strconv.Atoi(text)
			if err != nil || strconv.Itoa(n) != text || n < 2 || n > most {
				return nil, false
			}
			pieces = n
		} else if name != whole.name {
			continue
		}
		side := whole.side
		army := (side/2 - 1) * side / 2
		return &Game{name, side, side * side / 2, army, min(pieces, 2*army), steps(side)}, true
	}
	return nil, false
}

// Name implements [games.Game].
func (g *Game) Name() string { return g.name }

// PositionWork implements proof's PositionWorker. Most of the work is parsing a move, since
// its text is compared with the texts of all legal moves.
func (g *Game) PositionWork() int { return 150 }

// Start implements [games.Game]. With fewer pieces each side fills its first rows first.
func (g *Game) Start() Position {
	var p Position
	for n := range g.pieces {
		if n%2 == 0 {
			p.board[n/2] = black
		} else {
			p.board[g.squares-1-n/2] = white
		}
	}
	return p
}

// Outcome implements [games.Game]: a side that cannot move has lost.
func (g *Game) Outcome(p Position) (games.Value, bool) {
	_, other := p.sides()
	for square, piece := range p.board {
		if piece == 0 || piece|crown == other {
			continue
		}
		for d, end := directionsOf(piece); d < end; d++ {
			next := g.next[square][d]
			if next != off && (p.board[next] == 0 || g.landing(&p, next, d) != off) {
				return games.Unfinished, false
			}
		}
	}
	return games.Loss(0), true
}

// Canonical implements [games.Canonicalizer]: Black is to move, as colours do not matter.
func (g *Game) Canonical(p Position) Position {
	if !p.white {
		return p
	}
	var turned Position
	for square, piece := range p.board {
		if piece != 0 {
			turned.board[g.squares-1-square] = piece ^ black ^ white
		}
	}
	return turned
}
