package db

import "github.com/yomikiri/yomikiri/games"

// Endgame looks up values for searches of a game and for checks of its proofs. The database
// may hold only part of the game, where positions and their values are the same. It is safe
// for concurrent use if the game is.
type Endgame[P comparable] struct {
	db      *DB
	indexer games.Indexer[P]
	value   func(index uint64) (games.Value, bool, error)
}

// NewEndgame returns the values that p looks up.
func NewEndgame[P, M comparable](p *Prober[P, M]) *Endgame[P] {
	return &Endgame[P]{p.db, p.indexer, p.Value}
}

// Checksum returns the logical checksum of the database, 16 hexadecimal digits.
func (e *Endgame[P]) Checksum() string { return e.db.manifest.Checksum }

// Value returns the value of an unfinished position for the side to move, and false if the
// database does not hold it.
func (e *Endgame[P]) Value(p P) (games.Value, bool, error) {
	index, err := e.indexer.Index(p)
	if err != nil {
		return 0, false, nil // the position is outside the part
	}
	return e.value(index)
}

// TextEndgame is an [Endgame] that looks up positions by their texts, as package proof
// needs it.
type TextEndgame[P comparable] struct {
	endgame *Endgame[P]
	parse   func(text string) (P, error)
}

// NewTextEndgame returns an endgame that looks up texts in e. parse is the ParsePosition of
// the whole game.
func NewTextEndgame[P comparable](e *Endgame[P], parse func(text string) (P, error)) *TextEndgame[P] {
	return &TextEndgame[P]{e, parse}
}

// Checksum returns the checksum of the [Endgame].
func (t *TextEndgame[P]) Checksum() string { return t.endgame.Checksum() }

// Value is [Endgame.Value] for a position given as text. It fails if the text is not a position.
func (t *TextEndgame[P]) Value(text string) (games.Value, bool, error) {
	p, err := t.parse(text)
	if err != nil {
		return 0, false, err
	}
	return t.endgame.Value(p)
}
