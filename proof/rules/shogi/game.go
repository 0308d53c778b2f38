package shogi

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// Game is shogi, or shogi in which one side must give check with each of its
// moves. It implements [games.Game].
type Game struct {
	name     string
	checking [2]bool // by side
}

var _ games.Game[Position, Move] = (*Game)(nil)

// Open returns the game with the given name, or false if it is another game.
func Open(spec string) (*Game, bool) {
	switch spec {
	case "shogi":
		return &Game{name: spec}, true
	case "shogi:checks=black":
		return &Game{name: spec, checking: [2]bool{true, false}}, true
	case "shogi:checks=white":
		return &Game{name: spec, checking: [2]bool{false, true}}, true
	}
	return nil, false
}

// Name implements [games.Game].
func (g *Game) Name() string { return g.name }

// PositionWork implements proof's PositionWorker. Positions with hundreds of moves are rare
// in honest proofs and take some times longer than others.
func (g *Game) PositionWork() int { return 300 }

// Unending implements proof's Unending: perpetual check loses.
func (g *Game) Unending() {}

// Start implements [games.Game].
func (g *Game) Start() Position {
	p, err := parse("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -")
	if err != nil {
		panic(err)
	}
	return p
}

// moves calls f with each move of the game, until f returns false.
func (g *Game) moves(p *Position, f func(m Move) bool) {
	p.legal(g.checking[side(p.white)], f)
}

// Outcome implements [games.Game]. A side without a move has lost.
func (g *Game) Outcome(p Position) (games.Value, bool) {
	lost := true
	g.moves(&p, func(Move) bool {
		lost = false
		return false
	})
	if lost {
		return games.Loss(0), true
	}
	return games.Unfinished, false
}

// AppendMoves implements [games.Game].
func (g *Game) AppendMoves(dst []Move, p Position) []Move {
	g.moves(&p, func(m Move) bool {
		dst = append(dst, m)
		return true
	})
	return dst
}

// Play implements [games.Game].
func (g *Game) Play(p Position, m Move) Position { return p.play(m) }

// AppendMove implements [games.Game].
func (g *Game) AppendMove(dst []byte, _ Position, m Move) []byte {
	if m.drop != 0 {
		return appendSquare(append(dst, m.drop, '*'), m.to)
	}
	dst = appendSquare(appendSquare(dst, m.from), m.to)
	if m.promotes {
		dst = append(dst, '+')
	}
	return dst
}

func appendSquare(dst []byte, square uint8) []byte {
	return append(dst, '9'-square%9, 'a'+square/9)
}

// ParseMove implements [games.Game].
func (g *Game) ParseMove(p Position, text string) (Move, error) {
	var found Move
	err := fmt.Errorf("%q is not a legal move here", text)
	var name [5]byte
	g.moves(&p, func(m Move) bool {
		if string(g.AppendMove(name[:0], p, m)) == text {
			found, err = m, nil
		}
		return err != nil
	})
	return found, err
}

// AppendPosition implements [games.Game].
func (g *Game) AppendPosition(dst []byte, p Position) []byte { return p.append(dst) }

// ParsePosition implements [games.Game].
func (g *Game) ParsePosition(text string) (Position, error) {
	p, err := parse(text)
	if err != nil {
		return Position{}, fmt.Errorf("position %q: %w", text, err)
	}
	return p, nil
}
