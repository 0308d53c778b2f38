package alphabeta

import (
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Database is an endgame database of the searched game, or of a part of it.
type Database[P comparable] struct {
	db      *db.DB
	indexer games.Indexer[P]
}

// NewDatabase returns the database of g, which may be a part of the game that is searched:
// its positions must be the same, and have the same moves. It fails if the database is of
// another game.
func NewDatabase[P, M comparable](d *db.DB, g games.Game[P, M], indexer games.Indexer[P]) (*Database[P], error) {
	if _, err := db.NewProberWith(d, g, indexer); err != nil {
		return nil, err
	}
	return &Database[P]{d, indexer}, nil
}

// probe returns the value of an unfinished position, and false if the database does not
// reach it.
func (d *Database[P]) probe(p P) (games.Value, bool, error) {
	index, err := d.indexer.Index(p)
	if err != nil {
		return 0, false, nil // the position is outside of the part
	}
	return d.db.Value(index)
}
