package app

import (
	"github.com/yomikiri/yomikiri/games"
)

// Position is a position of some game. Two are equal if they are the same position.
type Position struct{ value any }

// Move is a move of some game.
type Move struct{ value any }

// Board is the rules and the notation of a game. Every function that takes a [games.Game] takes it,
// for work that looks at a position now and then; engines work on the types of the game.
//
// A board has the capabilities that [games.As] finds: [games.Scorer], [games.Describer],
// [games.Finisher], [games.Drawer], [games.Influence], [games.Declarer], [games.Layerer],
// [games.MoveFeatures] and [games.Monotone], if the game does. It can always read moves, make cursors, and tell the
// canonical position.
type Board interface {
	games.Game[Position, Move]
	games.MoveParser[Position, Move]
	games.CursorMaker[Position, Move]
	games.Canonicalizer[Position]
	games.Wrapper
	games.Ruled     // with no text if the rules are part of the program
	games.Forgetful // nothing, if values leave out no rule

	// PositionText and MoveText are the texts of AppendPosition and AppendMove.
	PositionText(p Position) string
	MoveText(p Position, m Move) string
	// Drawing draws a position, as lines of text; nil if the game does not draw its boards.
	Drawing(p Position) []byte
}

// ends reports whether the games on a board always end.
func ends(b Board) bool {
	_, ok := games.As[games.Layerer[Position]](b)
	return ok
}

// board is the [Board] of a game with positions P and moves M.
type board[P, M comparable] struct{ game games.Game[P, M] }

// NewBoard returns the board of a game alone. It compiles no engines for the game, as [New] does.
func NewBoard[P, M comparable](g games.Game[P, M]) Board { return board[P, M]{g} }

// typedMoves returns moves of a game.
func typedMoves[M comparable](list []Move) []M {
	if list == nil {
		return nil
	}
	typed := make([]M, len(list))
	for i, m := range list {
		typed[i] = m.value.(M)
	}
	return typed
}

// hidden returns moves as moves of some game.
func hidden[M comparable](list []M) []Move {
	if list == nil {
		return nil
	}
	return appendHidden(make([]Move, 0, len(list)), list)
}

func appendHidden[M comparable](dst []Move, list []M) []Move {
	for _, m := range list {
		dst = append(dst, Move{m})
	}
	return dst
}

func (b board[P, M]) RulesText() string { return games.RulesTextOf(b.game) }
func (b board[P, M]) LeftOut() []string { return games.LeftOutOf(b.game) }

func (b board[P, M]) Name() string    { return b.game.Name() }
func (b board[P, M]) Start() Position { return Position{b.game.Start()} }
func (b board[P, M]) Play(p Position, m Move) Position {
	return Position{b.game.Play(p.value.(P), m.value.(M))}
}
func (b board[P, M]) Outcome(p Position) (games.Value, bool) { return b.game.Outcome(p.value.(P)) }
func (b board[P, M]) AppendMoves(dst []Move, p Position) []Move {
	return appendHidden(dst, b.game.AppendMoves(nil, p.value.(P)))
}
func (b board[P, M]) AppendPosition(dst []byte, p Position) []byte {
	return b.game.AppendPosition(dst, p.value.(P))
}
func (b board[P, M]) AppendMove(dst []byte, p Position, m Move) []byte {
	return b.game.AppendMove(dst, p.value.(P), m.value.(M))
}
func (b board[P, M]) ParsePosition(text string) (Position, error) {
	p, err := b.game.ParsePosition(text)
	return Position{p}, err
}
func (b board[P, M]) ParseMove(p Position, text string) (Move, error) {
	m, err := games.ParseMove(b.game, p.value.(P), text)
	return Move{m}, err
}
func (b board[P, M]) PositionText(p Position) string     { return string(b.AppendPosition(nil, p)) }
func (b board[P, M]) MoveText(p Position, m Move) string { return string(b.AppendMove(nil, p, m)) }

func (b board[P, M]) Drawing(p Position) []byte {
	if d := games.DrawerOf(b.game); d != nil {
		return d.AppendBoard(nil, p.value.(P))
	}
	return nil
}

func (b board[P, M]) Canonical(p Position) Position {
	if c, ok := b.game.(games.Canonicalizer[P]); ok {
		return Position{c.Canonical(p.value.(P))}
	}
	return p
}

func (b board[P, M]) NewCursor(weights []int16) games.Cursor[Position, Move] {
	return &cursor[P, M]{Cursor: games.NewCursor(b.game, weights)}
}

// As implements [games.Wrapper].
func (b board[P, M]) As(target any) (ok bool) {
	switch to := target.(type) {
	case *games.Scorer[Position, Move]:
		var s games.Scorer[P, M]
		if s, ok = b.game.(games.Scorer[P, M]); ok {
			*to = scorer[P, M]{s}
		}
	case *games.Describer[Position, Move]:
		var d games.Describer[P, M]
		if d, ok = b.game.(games.Describer[P, M]); ok {
			*to = describer[P, M]{d}
		}
	case *games.Finisher[Position, Move]:
		var f games.Finisher[P, M]
		if f, ok = b.game.(games.Finisher[P, M]); ok {
			*to = finisher[P, M]{f}
		}
	case *games.Drawer[Position]:
		var d games.Drawer[P]
		if d, ok = b.game.(games.Drawer[P]); ok {
			*to = drawer[P]{d}
		}
	case *games.Influence[Position]:
		var i games.Influence[P]
		if i, ok = b.game.(games.Influence[P]); ok {
			*to = influence[P]{i}
		}
	case *games.Declarer[Position]:
		var d games.Declarer[P]
		if d, ok = b.game.(games.Declarer[P]); ok {
			*to = declarer[P]{d}
		}
	case *games.Layerer[Position]:
		var l games.Layerer[P]
		if l, ok = b.game.(games.Layerer[P]); ok {
			*to = layerer[P]{l}
		}
	case *games.MoveFeatures[Position, Move]:
		var f games.MoveFeatures[P, M]
		if f, ok = b.game.(games.MoveFeatures[P, M]); ok {
			*to = moveFeatures[P, M]{f}
		}
	case *games.Monotone[Position]:
		var m games.Monotone[P]
		if m, ok = b.game.(games.Monotone[P]); ok {
			*to = monotone[P]{m}
		}
	}
	return ok
}

type scorer[P, M comparable] struct{ typed games.Scorer[P, M] }

func (s scorer[P, M]) Gain(p Position, m Move) int { return s.typed.Gain(p.value.(P), m.value.(M)) }
func (s scorer[P, M]) Remaining(p Position) int    { return s.typed.Remaining(p.value.(P)) }

type describer[P, M comparable] struct{ typed games.Describer[P, M] }

func (d describer[P, M]) Layout() games.Layout         { return d.typed.Layout() }
func (d describer[P, M]) Board(p Position) games.Board { return d.typed.Board(p.value.(P)) }
func (d describer[P, M]) Trace(p Position, m Move) games.Trace {
	return d.typed.Trace(p.value.(P), m.value.(M))
}
func (d describer[P, M]) SetUp(b games.Board) (Position, error) {
	p, err := d.typed.SetUp(b)
	return Position{p}, err
}

type finisher[P, M comparable] struct{ typed games.Finisher[P, M] }

func (f finisher[P, M]) AppendFinishing(dst []Move, p Position) []Move {
	return appendHidden(dst, f.typed.AppendFinishing(nil, p.value.(P)))
}

type drawer[P comparable] struct{ typed games.Drawer[P] }

func (d drawer[P]) AppendBoard(dst []byte, p Position) []byte {
	return d.typed.AppendBoard(dst, p.value.(P))
}

type influence[P comparable] struct{ typed games.Influence[P] }

func (i influence[P]) Influence(p Position) (own, opposite []uint8) {
	return i.typed.Influence(p.value.(P))
}
func (i influence[P]) Columns() int { return i.typed.Columns() }

type declarer[P comparable] struct{ typed games.Declarer[P] }

func (d declarer[P]) Declares(p Position) bool { return d.typed.Declares(p.value.(P)) }

type layerer[P comparable] struct{ typed games.Layerer[P] }

func (l layerer[P]) Layer(p Position) int { return l.typed.Layer(p.value.(P)) }

type monotone[P comparable] struct{ typed games.Monotone[P] }

func (m monotone[P]) Monotone() bool                       { return m.typed.Monotone() }
func (m monotone[P]) Placement(p Position) games.Placement { return m.typed.Placement(p.value.(P)) }

type moveFeatures[P, M comparable] struct{ typed games.MoveFeatures[P, M] }

func (f moveFeatures[P, M]) MoveFeatureSet() *games.MoveFeatureSet { return f.typed.MoveFeatureSet() }
func (f moveFeatures[P, M]) AppendMoveFeatures(dst []int32, p Position, last *Move, moves []Move) []int32 {
	var before *M
	if last != nil {
		m := last.value.(M)
		before = &m
	}
	return f.typed.AppendMoveFeatures(dst, p.value.(P), before, typedMoves[M](moves))
}

// cursor is a cursor of the game; what does not mention positions and moves is the same.
type cursor[P, M comparable] struct {
	games.Cursor[P, M]
	moves []M // buffer
}

func (c *cursor[P, M]) Set(p Position)     { c.Cursor.Set(p.value.(P)) }
func (c *cursor[P, M]) Position() Position { return Position{c.Cursor.Position()} }
func (c *cursor[P, M]) Do(m Move) int      { return c.Cursor.Do(m.value.(M)) }

func (c *cursor[P, M]) AppendMoves(dst []Move) []Move {
	c.moves = c.Cursor.AppendMoves(c.moves[:0])
	return appendHidden(dst, c.moves)
}

func (c *cursor[P, M]) AppendTactical(moves []Move, ranks []int32) ([]Move, []int32) {
	c.moves, ranks = c.Cursor.AppendTactical(c.moves[:0], ranks)
	return appendHidden(moves, c.moves), ranks
}

func (c *cursor[P, M]) AppendRanks(dst []int32, moves []Move) []int32 {
	return c.Cursor.AppendRanks(dst, typedMoves[M](moves))
}
