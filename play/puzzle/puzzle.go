package puzzle

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Puzzle is a position in which exactly one move keeps the result, a win or a draw.
type Puzzle[P, M comparable] struct {
	Index    uint64 // of the position
	Position P
	Move     M
	// Value is that of the position and of the move, and Second that of the best other move.
	Value, Second games.Value
	Legal         int // number of moves
	Difficulty
}

// Win reports whether the move wins. Otherwise it saves a draw.
func (p *Puzzle[P, M]) Win() bool { return p.Value.Result() == games.Won }

// Plies returns the distance to the end with best play: of the win, or else of the loss by the best other move. It
// returns false if the database does not say.
func (p *Puzzle[P, M]) Plies() (int, bool) {
	if p.Win() {
		return p.Value.Plies()
	}
	return p.Second.Plies()
}

// Database has the exact values of positions. [db.Prober] and [db.Endgame] have its methods.
type Database[P, M comparable] interface {
	Draw(ctx context.Context, rng *rand.Rand) (p P, index uint64, err error)
	ProbeMoves(p P) ([]db.MoveValue[M], error)
}

// Finder finds puzzles among the positions of a database.
type Finder[P, M comparable] struct {
	Game     games.Game[P, M]
	Database Database[P, M]
	// Wins and Saves say which puzzles are wanted: those with one winning move, those with one that saves a draw.
	Wins, Saves bool
	// Progress, if not nil, is told of the puzzles found.
	Progress games.Progress
}

// ErrFew is returned if a database has hardly any puzzles, or fewer than are wanted.
var ErrFew = errors.New("the database has hardly any more")

// mostDrawn is how many positions are drawn without a new puzzle among them before a finder gives up.
const mostDrawn = 200_000

// Find draws positions, each with the same chance, until it has found a number of puzzles, all different. It also returns how many
// positions were drawn. It fails with [ErrFew] if the database seems to have fewer.
func (f *Finder[P, M]) Find(ctx context.Context, count int, seed uint64) (list []Puzzle[P, M], drawn int, err error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	seen := map[uint64]bool{}
	for last := 0; len(list) < count; drawn++ {
		if drawn-last == mostDrawn {
			return list, drawn, fmt.Errorf("found %d of %d puzzles in %d positions drawn: %w", len(list), count, drawn, ErrFew)
		}
		p, index, err := f.Database.Draw(ctx, rng)
		if err != nil {
			return list, drawn, err
		}
		if seen[index] {
			continue
		}
		seen[index] = true
		x, ok, err := f.Judge(p)
		if err != nil {
			return list, drawn, err
		}
		if !ok {
			continue
		}
		x.Index, last = index, drawn
		list = append(list, x)
		if f.Progress != nil {
			f.Progress("puzzles found", uint64(len(list)), uint64(count))
		}
	}
	return list, drawn, nil
}

// Judge returns the puzzle that an unfinished position is, and false if it is none of those wanted. All moves are told
// apart: two that lead to the same position, or to mirror images of each other, are two solutions. A position in which
// the move is the only one, or wins at once, is no puzzle.
func (f *Finder[P, M]) Judge(p P) (x Puzzle[P, M], ok bool, err error) {
	moves, err := f.Database.ProbeMoves(p)
	if err != nil || len(moves) < 2 {
		return x, false, err
	}
	best, second := moves[0], moves[1]
	result := best.Value.Result()
	wanted := result == games.Won && f.Wins || result == games.Drawn && f.Saves
	if !wanted || second.Value.Result() == result {
		return x, false, nil
	}
	if _, finished := f.Game.Outcome(f.Game.Play(p, best.Move)); finished && result == games.Won {
		return x, false, nil
	}
	return Puzzle[P, M]{Position: p, Move: best.Move, Value: best.Value, Second: second.Value, Legal: len(moves)}, true, nil
}
