package book

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/sealed"
	"github.com/yomikiri/yomikiri/play"
)

// ErrBook is returned for a file that is not a book, or not one of the game.
var ErrBook = errors.New("bad opening book")

// Book is what is known of the first positions of a game.
type Book struct {
	Origin
	// Positions are different; the first ones matter most.
	Positions []Position
}

// Origin says of what a book is.
type Origin struct {
	Game string `json:"game"`
	// Rules is [games.RulesDigest] of the rules of a game from a file.
	Rules string `json:"rules,omitempty"`
	// Made says how the book was made.
	Made string `json:"made"`
}

// Position is a position of a book.
type Position struct {
	Position string `json:"position"`
	Moves    []Move `json:"moves"`
}

// Move is a move of a book. All is for the side that makes it.
type Move struct {
	Move string `json:"move"`
	// Weight says how often the move is chosen, from 1 to [MostWeight]: its share of all weights.
	Weight int `json:"weight"`
	// Played is in how many games it was, and Won, Drawn and Lost in how many with such a result.
	Played int `json:"played,omitempty"`
	Won    int `json:"won,omitempty"`
	Drawn  int `json:"drawn,omitempty"`
	Lost   int `json:"lost,omitempty"`
	// Value is proven by ProvedBy. Estimate is what a search says where nothing is proven.
	Value    *games.Bounds `json:"value,omitempty"`
	ProvedBy string        `json:"proved_by,omitempty"`
	Estimate *play.Score   `json:"estimate,omitempty"`
}

// MostWeight is the largest weight of a move.
const MostWeight = 1 << 30

var (
	bookKind  = sealed.Kind{Name: "an opening book", Version: 1}
	stateKind = sealed.Kind{Name: "the state of an opening book", Version: 1}
)

// Read reads a book. The error is [ErrBook] for another kind of file, and [sealed.ErrDamaged] for one that is not as
// it was written.
func Read(fs vfs.FS, name string) (*Book, error) {
	b := new(Book)
	err := readLines(fs, name, bookKind, &b.Origin, &b.Positions)
	if errors.Is(err, sealed.ErrKind) {
		err = fmt.Errorf("%w: %w", ErrBook, err)
	}
	return b, err
}

// Write creates or replaces the file of the book, whole or not at all.
func (b *Book) Write(fs vfs.FS, name string) error {
	return writeLines(fs, name, bookKind, b.Origin, b.Positions)
}

// readLines reads positions, and what they belong to into of.
func readLines(fs vfs.FS, name string, kind sealed.Kind, of any, list *[]Position) (err error) {
	f, err := sealed.Open(fs, name, kind, of)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for i := range f.Chunks() {
		data, _, err := f.Chunk(i, nil, nil)
		if err != nil {
			return err
		}
		more, err := parseLines(data)
		if err != nil {
			return fmt.Errorf("%s: %w: position %d: %w", name, sealed.ErrDamaged, len(*list)+len(more)+1, err)
		}
		*list = append(*list, more...)
	}
	return nil
}

// parseLines reads the lines of a chunk. After an error it returns those before.
func parseLines(data []byte) (list []Position, err error) {
	for line := range bytes.Lines(data) {
		var p Position
		d := json.NewDecoder(bytes.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&p); err != nil {
			return list, err
		}
		for _, m := range p.Moves {
			if err := m.check(); err != nil {
				return list, fmt.Errorf("move %q: %w", m.Move, err)
			}
		}
		list = append(list, p)
	}
	return list, nil
}

// check refuses what no book can say of a move.
func (m *Move) check() error {
	switch {
	case m.Weight < 1 || m.Weight > MostWeight:
		return fmt.Errorf("the weight is %d, want 1 to %d", m.Weight, MostWeight)
	case min(m.Played, m.Won, m.Drawn, m.Lost) < 0 || m.Won > m.Played || m.Drawn > m.Played || m.Lost > m.Played || m.Won+m.Drawn+m.Lost > m.Played:
		return fmt.Errorf("it was played in %d games, of which %d won, %d drawn and %d lost", m.Played, m.Won, m.Drawn, m.Lost)
	case m.Estimate != nil && (*m.Estimate > play.Infinity || *m.Estimate < -play.Infinity):
		return fmt.Errorf("the estimate is %d, want %d to %d", *m.Estimate, -play.Infinity, play.Infinity)
	}
	return nil
}

// writeLines writes positions, and what they belong to.
func writeLines(fs vfs.FS, name string, kind sealed.Kind, of any, list []Position) error {
	return sealed.Write(fs, name, kind, of, func(w *sealed.Writer) error {
		const full = 1 << 20
		var chunk bytes.Buffer
		lines := json.NewEncoder(&chunk)
		lines.SetEscapeHTML(false)
		for i := range list {
			if err := lines.Encode(&list[i]); err != nil {
				return err
			}
			if chunk.Len() >= full || i == len(list)-1 {
				if err := w.Append(chunk.Bytes()); err != nil {
					return err
				}
				chunk.Reset()
			}
		}
		return nil
	})
}
