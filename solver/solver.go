package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver/connect"
)

// Errors that a [Solver] returns, perhaps wrapped.
var (
	// ErrLimit says that a limit was reached before an answer.
	ErrLimit = errLimit
	// ErrUnsuited says that the search cannot handle the game.
	ErrUnsuited = errors.New("proof-number search cannot solve this game")
	// ErrContradiction reports a wrong result of the search, which is a bug.
	ErrContradiction = games.ErrContradiction
	// ErrRepetition says that the search has no proof of the result: that a side holds in a
	// game in which positions may repeat. A proof tree can have one.
	ErrRepetition = errors.New("this search has no proof that a side holds where positions may repeat")
)

// Method is a search algorithm.
type Method uint8

// The methods of proof-number search.
const (
	// BestFirst keeps the tree in memory, expands each position once, and ends
	// when memory runs out. The game must always end, see [games.Layerer]. A game that is a
	// [games.Connection] has a search of its own, which keeps what it has shown.
	BestFirst Method = iota
	// DepthFirst is df-pn. It keeps a table of fixed size, and expands positions
	// again when it returns to them or the table has lost them. Positions may
	// repeat.
	DepthFirst
)

// String returns "best-first" or "df-pn".
func (m Method) String() string { return [...]string{"best-first", "df-pn"}[m] }

// Config configures a search. The zero Config is valid.
type Config struct {
	Method Method
	// Nodes is the number of positions that a question may expand; 0 means no limit.
	Nodes uint64
	// Time is the time limit of a question; 0 means none.
	Time time.Duration
	// Memory is the approximate number of bytes that the search may use.
	//
	// Best first, 0 means 1 GiB. When the tree takes half of it, leaves are evaluated
	// by second-level searches in the other half (PN²). When all of it is used the
	// question ends with [ErrLimit]. Depth first, it is the size of the table, and
	// 0 means 256 MiB. A table that is larger than needed costs time, because entries
	// are spread over all of it.
	Memory uint64
	// Progress, if set, is called about every ProgressEvery, or every second if
	// that is 0.
	Progress      func(Progress)
	ProgressEvery time.Duration
	// Remote, if not nil, helps the best-first searches of [NewBackends].
	Remote *Remote
}

var defaultMemory = [...]uint64{BestFirst: 1 << 30, DepthFirst: 256 << 20}

// Progress is the state of a question that is being searched.
type Progress struct {
	// Attacker is the side that the question is about.
	Attacker proof.Side
	// Proof and Disproof are the numbers of the root. Depth first, and if the game is a
	// [games.Connection], they date from the last time the search returned to the root.
	// Both are 0 if the search has no such numbers.
	Proof, Disproof uint32
	Statistics
}

// Statistics is the cost of a search.
type Statistics struct {
	// Nodes is the number of expansions, including those of second-level
	// searches.
	Nodes uint64
	// Memory is the size of the tree, or the table, in bytes.
	Memory uint64
	Time   time.Duration
}

// Asked is a question that was asked, whether a side can force a win from the root, with its
// outcome and cost.
type Asked struct {
	Attacker proof.Side
	Outcome  Outcome
	Statistics
}

// Result is the result of a search.
type Result struct {
	// Value is the value of the root for the side to move, if Known.
	Value games.Result
	Known bool
	// Claims are the claims of the proof file.
	Claims []proof.Claim
	// Questions are the questions asked: whether the side to move wins and, if
	// not, whether the other side does.
	Questions []Asked
}

// Solver solves one position of a game. It belongs to one goroutine.
type Solver[P, M comparable] struct {
	rules       rules[P, M]
	cfg         Config
	root        P
	newBrancher func() Brancher[P, M]
	solved      [2]*arena[P, M]        // best first, by attacker: the solved nodes
	table       *table                 // depth first
	connection  games.Connection[P, M] // best first, if the game is one
	limits      connect.Limits         // of its search
	carriers    *connection            // its search
	result      Result
}

// New returns a solver of the position root, with a [Brancher] from newBrancher if that is
// not nil. It fails with [ErrUnsuited] if the game has scores, or if the method is
// [BestFirst] and positions may repeat.
func New[P, M comparable](g games.Game[P, M], newBrancher func() Brancher[P, M], root P, cfg Config) (*Solver[P, M], error) {
	s := &Solver[P, M]{cfg: cfg, root: root, newBrancher: newBrancher, limits: connect.DefaultLimits}
	if newBrancher == nil {
		s.newBrancher = func() Brancher[P, M] { return &allMoves[P, M]{game: g} }
	}
	if s.cfg.Memory == 0 {
		s.cfg.Memory = defaultMemory[cfg.Method]
	}
	if s.cfg.ProgressEvery == 0 {
		s.cfg.ProgressEvery = time.Second
	}
	s.rules.game = g
	s.rules.layerer, _ = g.(games.Layerer[P])
	if games.OrderOf(g) != games.ByDistance {
		return nil, fmt.Errorf("%w: %s has scores instead of wins", ErrUnsuited, g.Name())
	}
	if s.rules.layerer == nil && cfg.Method == BestFirst {
		return nil, fmt.Errorf("%w best first: %w", ErrUnsuited, noLayerer(g))
	}
	s.rules.canonicalizer, _ = g.(games.Canonicalizer[P])
	s.rules.brancher = s.newBrancher()
	if cfg.Method == BestFirst && newBrancher == nil {
		s.connection = games.ConnectionOf(g)
	}
	if cfg.Method == DepthFirst {
		t, err := dfpn.NewTable(int64(min(s.cfg.Memory, math.MaxInt64)))
		if err != nil {
			return nil, err
		}
		s.table = &table{Table: t}
	}
	return s, nil
}

// Solve finds the value of the root. If a limit is reached it returns a partial result
// and [ErrLimit]; if the context is done, its error.
func (s *Solver[P, M]) Solve(ctx context.Context) (Result, error) {
	s.result = Result{}
	for _, attacker := range []proof.Side{proof.Mover, proof.Other} {
		q, err := s.ask(ctx, attacker)
		s.result.Questions = append(s.result.Questions, q)
		switch {
		case err != nil:
			return s.result, err
		case q.Outcome == Proven:
			s.result.Known, s.result.Value = true, games.Won
			if attacker == proof.Other {
				s.result.Value = games.Lost
			}
			s.result.Claims = []proof.Claim{{Side: attacker, Goal: proof.Win}}
			return s.result, nil
		case q.Outcome == Disproven:
			s.result.Claims = append(s.result.Claims, proof.Claim{Side: attacker.Opponent(), Goal: proof.Hold})
		default:
			return s.result, nil
		}
	}
	s.result.Known, s.result.Value = true, games.Drawn
	return s.result, nil
}

// ask answers a question.
func (s *Solver[P, M]) ask(ctx context.Context, attacker proof.Side) (Asked, error) {
	q := Asked{Attacker: attacker}
	v, finished := s.rules.game.Outcome(s.root)
	switch {
	case finished:
		if q.Outcome = Disproven; attackerWins(v, attacker == proof.Mover) {
			q.Outcome = Proven
		}
		return q, ctx.Err()
	case s.cfg.Method == DepthFirst:
		return s.askDepthFirst(ctx, q)
	case s.connection != nil:
		if s.carriers == nil || !s.carriers.solved {
			s.carriers = connectionOf(s.rules.game, s.connection, s.root, s.limits)
		}
		return s.carriers.ask(ctx, q, &s.cfg)
	}
	return s.askBestFirst(ctx, q)
}

// noLayerer returns the error for a game that is not a [games.Layerer].
func noLayerer[P, M comparable](g games.Game[P, M]) error {
	return fmt.Errorf("%s does not say that it always ends, so positions may repeat", g.Name())
}
