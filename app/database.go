package app

import (
	"context"
	"math/rand/v2"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/proof"
)

// Database looks up positions in a database of the game; see [db.Prober] and [db.Endgame]. It is
// safe for concurrent use.
type Database interface {
	play.Database[Position]
	// DB is the database.
	DB() *db.DB
	Close() error

	Position(index uint64) (Position, error)
	Probe(p Position) (games.Value, error)
	ProbeMoves(p Position) ([]db.MoveValue[Move], error)
	Best(ctx context.Context, p Position) (db.MoveValue[Move], bool, error)
	Evaluate(p Position, won [2]int) (*db.Answer, error)
	Answer(p Position, won [2]int) (*db.Answer, error)
	AnswerLine(ctx context.Context, p Position) (*db.LineAnswer, error)
	Find(ctx context.Context, v games.Value, limit int, found func(index uint64, a *db.Answer) error) error
	Block(ctx context.Context, tier int, block uint64) ([]byte, error)
	Draw(ctx context.Context, rng *rand.Rand) (Position, uint64, error)
	// Texts looks up the texts of positions of the game that was asked for.
	Texts() proof.Database
}

// database is the [Database] of a game with positions P and moves M.
type database[P, M comparable] struct {
	db      *db.DB
	prober  *db.Prober[P, M]
	endgame *db.Endgame[P]
	parse   func(text string) (P, error) // of the game that was asked for
}

func (d *database[P, M]) DB() *db.DB   { return d.db }
func (d *database[P, M]) Close() error { return d.db.Close() }

func (d *database[P, M]) Value(p Position) (games.Value, bool, error) {
	return d.endgame.Value(p.value.(P))
}

func (d *database[P, M]) Position(index uint64) (Position, error) {
	p, err := d.prober.Position(index)
	return Position{p}, err
}

func (d *database[P, M]) Probe(p Position) (games.Value, error) { return d.prober.Probe(p.value.(P)) }

func hiddenValue[M comparable](v db.MoveValue[M]) db.MoveValue[Move] {
	return db.MoveValue[Move]{Move: Move{v.Move}, Value: v.Value}
}

func (d *database[P, M]) ProbeMoves(p Position) (list []db.MoveValue[Move], err error) {
	moves, err := d.prober.ProbeMoves(p.value.(P))
	for _, m := range moves {
		list = append(list, hiddenValue(m))
	}
	return list, err
}

func (d *database[P, M]) Best(ctx context.Context, p Position) (db.MoveValue[Move], bool, error) {
	m, ok, err := d.prober.Best(ctx, p.value.(P))
	return hiddenValue(m), ok, err
}

func (d *database[P, M]) Evaluate(p Position, won [2]int) (*db.Answer, error) {
	return d.prober.Evaluate(p.value.(P), won)
}

func (d *database[P, M]) Answer(p Position, won [2]int) (*db.Answer, error) {
	return d.prober.Answer(p.value.(P), won)
}

func (d *database[P, M]) AnswerLine(ctx context.Context, p Position) (*db.LineAnswer, error) {
	return d.prober.AnswerLine(ctx, p.value.(P))
}

func (d *database[P, M]) Find(ctx context.Context, v games.Value, limit int, found func(index uint64, a *db.Answer) error) error {
	return d.prober.Find(ctx, v, limit, found)
}

func (d *database[P, M]) Block(ctx context.Context, tier int, block uint64) ([]byte, error) {
	return d.prober.Block(ctx, tier, block)
}

func (d *database[P, M]) Draw(ctx context.Context, rng *rand.Rand) (Position, uint64, error) {
	p, index, err := d.endgame.Draw(ctx, rng)
	return Position{p}, index, err
}

func (d *database[P, M]) Texts() proof.Database { return db.NewTextEndgame(d.endgame, d.parse) }

// endgameOf returns what engines look up in a database; nil if d is nil.
func endgameOf[P comparable](d play.Database[Position]) play.Database[P] {
	switch d := d.(type) {
	case nil:
		return nil
	case interface{ typed() any }:
		return d.typed().(*db.Endgame[P])
	}
	return values[P]{d}
}

func (d *database[P, M]) typed() any { return d.endgame }

// values are values that something else than a [Database] knows.
type values[P comparable] struct{ of play.Database[Position] }

func (v values[P]) Value(p P) (games.Value, bool, error) { return v.of.Value(Position{p}) }
