package shogi

import (
	"github.com/yomikiri/yomikiri/games"
)

func init() {
	games.Register(games.Info{
		Name:  "shogi",
		Title: "Shogi",
		Notation: "position: startpos, or SFEN: " + startSFEN + "; perhaps moves and a list of them behind it\n" +
			"move: 7g7f, 8h2b+ (promotes), P*5e (drop)",
	}, func(games.Rules) games.Game[Position, Move] { return Game{} })
}

// Game is shogi as a [games.Game], with positions as values. A position has no
// history, so repetition is not part of it: a line of play that comes back to a
// position just goes on, and who gives perpetual check, and loses by it, is for
// an engine to find out. Searches use [Board], which is much faster.
type Game struct{}

var _ games.Drawer[Position] = Game{}

// Name implements [games.Game].
func (Game) Name() string { return "shogi" }

// Start implements [games.Game].
func (Game) Start() Position { return Start() }

// Outcome implements [games.Game]. A side without a legal move has lost.
func (Game) Outcome(p Position) (games.Value, bool) {
	var b Board
	b.Set(p)
	if !b.HasMoves() {
		return games.Loss(0), true
	}
	return games.Unfinished, false
}

// AppendMoves implements [games.Game].
func (Game) AppendMoves(dst []Move, p Position) []Move {
	var b Board
	b.Set(p)
	return b.AppendMoves(dst)
}

// Play implements [games.Game].
func (Game) Play(p Position, m Move) Position {
	var b Board
	b.Set(p)
	b.Do(m)
	return b.Position()
}

// AppendPosition implements [games.Game].
func (Game) AppendPosition(dst []byte, p Position) []byte { return p.AppendSFEN(dst) }

// ParsePosition implements [games.Game]. It reads what the function
// [ParsePosition] reads and returns the position after the moves.
func (Game) ParsePosition(text string) (Position, error) {
	p, moves, err := ParsePosition(text)
	if err != nil {
		return Position{}, err
	}
	b := NewBoard(p)
	for _, m := range moves {
		b.Do(m)
	}
	return b.Position(), nil
}

// AppendMove implements [games.Game].
func (Game) AppendMove(dst []byte, _ Position, m Move) []byte { return m.AppendUSI(dst) }

// ParseMove implements [games.Game].
func (Game) ParseMove(p Position, text string) (Move, error) {
	var b Board
	b.Set(p)
	return b.ParseUSI(text)
}

// AppendBoard implements [games.Drawer].
func (Game) AppendBoard(dst []byte, p Position) []byte { return p.AppendBoard(dst) }
