package shogi

import (
	"fmt"

	"github.com/yomikiri/yomikiri/games"
)

// Options of the rules.
const (
	optionChecks = "checks"
	checksFree   = "free"
)

// Family is shogi under all its rules.
var Family = games.NewFamily(games.Info{
	Name:  "shogi",
	Title: "Shogi",
	Notation: "position: startpos, or SFEN: " + startSFEN + "; optionally followed by moves and a list of them\n" +
		"move: 7g7f, 8h2b+ (promotes), P*5e (drop)",
	Options: []games.Option{
		{Name: optionChecks, Values: []string{checksFree, Black.String(), White.String()},
			Help: "black, white: that side must give check with each of its moves, as in a mate problem, and has lost if it cannot"},
	},
}, func(r games.Rules) Game {
	switch r.Get(optionChecks) {
	case Black.String():
		return Checking(Black)
	case White.String():
		return Checking(White)
	}
	return Game{}
})

// Game is shogi as a [games.Game], with positions as values. A position has no
// history, so fourfold repetition and perpetual check are not part of these rules.
// Searches use [Board] or a [games.Cursor], which are much faster.
//
// The zero Game has the usual rules.
type Game struct {
	checking bool // one side must give check with each of its moves
	attacker Color
}

var (
	_ games.Drawer[Position]          = Game{}
	_ games.Describer[Position, Move] = Game{}
)

// Checking returns the game of mate problems: the attacker must give check with every
// move, and has lost if it cannot.
func Checking(attacker Color) Game { return Game{checking: true, attacker: attacker} }

func (g Game) Name() string {
	if g.checking {
		return "shogi:" + optionChecks + "=" + g.attacker.String()
	}
	return "shogi"
}

func (Game) Start() Position           { return Start() }
func (g Game) mustCheck(b *Board) bool { return g.checking && b.Turn() == g.attacker }

// Outcome implements [games.Game]. A side without a legal move has lost.
func (g Game) Outcome(p Position) (games.Value, bool) {
	b := NewBoard(p)
	if g.mustCheck(b) && len(b.AppendChecks(nil)) == 0 || !b.hasMoves() {
		return games.Loss(0), true
	}
	return games.Unfinished, false
}

func (g Game) AppendMoves(dst []Move, p Position) []Move {
	b := NewBoard(p)
	if g.mustCheck(b) {
		return b.AppendChecks(dst)
	}
	return b.AppendMoves(dst)
}

func (Game) Play(p Position, m Move) Position {
	b := NewBoard(p)
	b.Do(m)
	return b.Position()
}

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

func (Game) AppendMove(dst []byte, _ Position, m Move) []byte { return m.AppendUSI(dst) }

func (g Game) ParseMove(p Position, text string) (Move, error) {
	b := NewBoard(p)
	m, err := b.ParseUSI(text)
	if err == nil && g.mustCheck(b) && !b.GivesCheck(m) {
		return NoMove, fmt.Errorf("move %q gives no check, and %s must", text, g.attacker)
	}
	return m, err
}

func (Game) AppendBoard(dst []byte, p Position) []byte { return p.AppendBoard(dst) }
