package alphabeta

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// ErrUnsuited is returned for a game that the search cannot handle.
var ErrUnsuited = errors.New("alpha-beta search cannot search this game")

// MaxDepth is the largest depth of a search.
const MaxDepth = 100

// Config configures a search. The zero Config searches to [MaxDepth].
type Config[P comparable] struct {
	// Depth is the number of plies to search, 0 for MaxDepth. Nodes limits the
	// positions visited and Time the duration, if not 0. The result is then that of
	// the last completed depth.
	Depth int
	Nodes uint64
	Time  time.Duration
	// Memory is the approximate size in bytes to which the table may grow; 0 means 64 MiB. While it
	// grows to that, it takes a quarter more.
	Memory uint64
	// Database, if set, is probed at every unfinished position.
	Database *db.Endgame[P]
	// Ordered orders moves by the evaluation of the positions that they lead to, where at least
	// three plies are left. It pays where the evaluation sees more than killer moves do.
	Ordered bool
}

// Result is the result of a search.
type Result[M comparable] struct {
	// Lower and Upper are proven bounds of the value for the side to move.
	Lower, Upper games.Result
	// Score is the score for the side to move: [WinScore], -WinScore or 0 if the
	// value is proven, otherwise an evaluation.
	Score int
	// Move is the best move, if Moved is true. There is none in a terminal position and
	// before the first depth is complete.
	Move  M
	Moved bool
	// Depth is the depth that was completed.
	Depth int
	Statistics
}

// WinScore is the score of a proven win.
const WinScore = games.MaxScore + 1

// Known reports whether the value is proven.
func (r *Result[M]) Known() bool { return r.Lower == r.Upper }

// Statistics is the cost of a search.
type Statistics struct {
	Nodes  uint64 // positions visited
	Probes uint64 // of them found in the database
	Time   time.Duration
}

// Searcher searches positions of a game. It keeps its table from search to search, and
// belongs to one goroutine.
type Searcher[P, M comparable] struct {
	game      games.Game[P, M]
	canonical func(P) P
	cursor    games.Cursor[P, M] // evaluates; its moves are not used
	hash      func(*P) uint64
	cfg       Config[P]
	table     table[P, M]
	search    search[P, M]
}

// New returns a searcher. It fails with [ErrUnsuited] if the values of the game are
// scores.
func New[P, M comparable](g games.Game[P, M], cfg Config[P]) (*Searcher[P, M], error) {
	if games.OrderOf(g) != games.ByDistance {
		return nil, fmt.Errorf("%w: %s has scores instead of wins", ErrUnsuited, g.Name())
	}
	if cfg.Depth < 0 || cfg.Depth > MaxDepth {
		return nil, fmt.Errorf("depth %d: want 1 to %d", cfg.Depth, MaxDepth)
	}
	if cfg.Depth == 0 {
		cfg.Depth = MaxDepth
	}
	if cfg.Memory == 0 {
		cfg.Memory = 64 << 20
	}
	s := &Searcher[P, M]{game: g, canonical: func(p P) P { return p }, hash: games.NewHasher(g).Hash, cfg: cfg}
	if c, ok := g.(games.Canonicalizer[P]); ok {
		s.canonical = c.Canonical
	}
	var weights []int16
	if f, ok := g.(games.Features[P]); ok {
		weights = f.FeatureSet().Folded(f.FeatureSet().Weights)
	}
	s.cursor = games.NewCursor(g, weights)
	s.table.init(cfg.Memory, s.hash)
	return s, nil
}

// SetNodes sets the node limit of later searches; 0 means none.
func (s *Searcher[P, M]) SetNodes(nodes uint64) { s.cfg.Nodes = nodes }

// Score returns the score of an unfinished position for the side to move: the one in the table,
// if there is one, otherwise that of the evaluation.
func (s *Searcher[P, M]) Score(p P) int {
	p = s.canonical(p)
	if e := s.table.find(s.hash(&p), &p); e != nil && e.kind != 0 {
		return int(e.score)
	}
	return s.evaluate(p)
}

// evaluate returns the estimate of an unfinished position for the side to move, 0 if the game has
// no [games.Features].
func (s *Searcher[P, M]) evaluate(p P) int {
	s.cursor.Set(p)
	return min(max(s.cursor.Evaluate(), -games.MaxScore), games.MaxScore)
}

// Search searches a position. If a limit is reached, it returns the result of the last
// complete depth, without an error. If the context ends, Search returns its error too. It
// fails with [solver.ErrContradiction] if proven bounds exclude each other: a bug, or a
// database for other rules.
func (s *Searcher[P, M]) Search(ctx context.Context, p P) (Result[M], error) {
	begin := time.Now()
	r := Result[M]{Lower: games.Lost, Upper: games.Won}
	s.search = search[P, M]{Searcher: s, ctx: ctx, begin: begin, history: map[M]uint64{}}
	s.table.age++
	root := s.canonical(p)
	for depth := 1; depth <= s.cfg.Depth; depth++ {
		f := s.search.visit(root, 0, depth, -WinScore, WinScore)
		if s.search.stopped {
			break
		}
		f.tighten(r.Lower, r.Upper)
		r.Depth, r.Score, r.Lower, r.Upper = depth, f.score, f.lower, f.upper
		if r.Known() {
			break
		}
	}
	r.Move, r.Moved = s.best(p, root)
	r.Statistics = Statistics{s.search.nodes, s.search.probes, time.Since(begin)}
	return r, errors.Join(s.search.err, ctx.Err())
}

// best returns the move in p that corresponds to the best move of root, its canonical
// position.
func (s *Searcher[P, M]) best(p, root P) (M, bool) {
	var none M
	if !s.search.rooted {
		return none, false
	}
	best := s.canonical(s.game.Play(root, s.search.rootMove))
	for _, m := range s.game.AppendMoves(nil, p) {
		if s.canonical(s.game.Play(p, m)) == best {
			return m, true
		}
	}
	return none, false
}
