package match

import (
	"context"
	"time"

	"github.com/yomikiri/yomikiri/play"
)

// Player chooses moves. A player plays one game at a time.
type Player[P, M comparable] interface {
	// Begin prepares for a new game. Random choices depend on the seed.
	Begin(ctx context.Context, seed uint64) error

	// Move chooses a move in an unfinished position.
	Move(ctx context.Context, s State[P, M]) (Decision[M], error)

	// Close ends the player.
	Close() error
}

// State is a game that is being played.
type State[P, M comparable] struct {
	From  P   // where the game began
	Moves []M // since then
	// Position is that after the moves.
	Position P
	// Clocks are those of the side to move and of its opponent; zero if no time is measured.
	Clocks [2]play.Clock
}

// Decision is what a player answers.
type Decision[M comparable] struct {
	Move M
	// Resign says that the player gives up instead, and Declare that it claims a win by a
	// rule of the game.
	Resign, Declare bool
	// Score is how good the player takes its position to be, if Judged is true.
	Score  play.Score
	Judged bool
	Nodes  uint64
	Depth  int
	Time   time.Duration
}

// Settings say how a [Searcher] plays.
type Settings struct {
	play.Limits
	Choice play.Choice
	// Advised says that what is proven is asked for first, as in [play.Query].
	Advised bool
	// Resign, if not 0, is the score at or below which the player resigns after ResignMoves
	// moves of its own in a row with such a score.
	Resign      play.Score
	ResignMoves int
}

// Searcher is a player that searches.
type Searcher[P, M comparable] struct {
	// Book, if not nil, has moves for openings.
	Book play.Book[P, M]

	search   play.Engine[P, M]
	settings Settings
	seed     uint64
	hopeless int // moves in a row
}

// NewSearcher returns a player that searches with s.
func NewSearcher[P, M comparable](s play.Engine[P, M], settings Settings) *Searcher[P, M] {
	return &Searcher[P, M]{search: s, settings: settings}
}

// Begin implements [Player]. The search forgets earlier games.
func (p *Searcher[P, M]) Begin(_ context.Context, seed uint64) error {
	p.search.Clear()
	p.seed, p.hopeless = seed, 0
	return nil
}

// Move implements [Player].
func (p *Searcher[P, M]) Move(ctx context.Context, s State[P, M]) (Decision[M], error) {
	q := play.Query[P, M]{From: s.From, Moves: s.Moves, Limits: p.settings.Limits, Choice: p.settings.Choice, Advised: p.settings.Advised, Book: p.Book}
	q.Choice.Seed = p.settings.Choice.Seed ^ p.seed*0x9e3779b97f4a7c15 + uint64(len(s.Moves))
	if q.Clock == (play.Clock{}) {
		q.Clock = s.Clocks[0]
	}
	r, err := p.search.Search(ctx, q)
	if err != nil {
		return Decision[M]{}, err
	}
	best := r.Best()
	d := Decision[M]{Move: best.Moves[0], Score: best.Score, Judged: r.Book == nil || r.Book.Judged, Nodes: r.Nodes, Depth: r.Depth, Time: r.Time}
	if p.settings.Resign != 0 && best.Score <= p.settings.Resign {
		p.hopeless++
		d.Resign = p.hopeless >= max(p.settings.ResignMoves, 1)
	} else {
		p.hopeless = 0
	}
	return d, nil
}

// Close implements [Player].
func (p *Searcher[P, M]) Close() error { return nil }
