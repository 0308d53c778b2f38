package solver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// Errors that a [Solver] returns, perhaps wrapped.
var (
	// ErrLimit says that a limit was reached before the answer was found.
	ErrLimit = errLimit
	// ErrUnsuited says that a game lacks what this search needs.
	ErrUnsuited = errors.New("proof-number search cannot solve this game")
)

// Config says how a search is done. The zero Config is fine.
type Config struct {
	// Nodes is the largest number of positions that a question may expand; 0
	// for no limit.
	Nodes uint64
	// Time is how long a question may take; 0 for no limit.
	Time time.Duration
	// Memory is about how many bytes the search may use; 0 for 1 GiB. When the
	// tree has taken half of it, leaves are judged by searches of their own in
	// the other half (PN²), and when it is used up the question ends with
	// [ErrLimit].
	Memory uint64
	// Progress, if set, is called about every ProgressEvery, or every second if
	// that is 0.
	Progress      func(Progress)
	ProgressEvery time.Duration
}

// Progress says how far a question is.
type Progress struct {
	// Attacker is the side that the question is about.
	Attacker proof.Side
	// Proof and Disproof are the numbers of the root.
	Proof, Disproof uint32
	Statistics
}

// Statistics says what a search has done.
type Statistics struct {
	// Nodes is the number of positions expanded, those included that searches
	// of the second level expanded.
	Nodes uint64
	// Memory is the number of bytes of the tree.
	Memory uint64
	// Time is how long it has taken.
	Time time.Duration
}

// Answer is the answer to the question whether a side can force a win.
type Answer uint8

// The answers. Unknown means that a limit was reached, or that moves which were
// left out of the search may win.
const (
	Unknown Answer = iota
	Yes
	No
)

// String returns "unknown", "yes" or "no".
func (a Answer) String() string { return [...]string{"unknown", "yes", "no"}[a] }

// Question is the question whether a side can force a win from the root, with its
// answer.
type Question struct {
	Attacker proof.Side
	Answer   Answer
	Statistics
}

// Result is what a search has found.
type Result struct {
	// Value is what the root is worth to the side to move, if Known.
	Value games.Result
	Known bool
	// Claims are what is proven, as a proof file has them.
	Claims []proof.Claim
	// Questions are those asked, in order: whether the side to move wins, then,
	// if not, whether the other side does.
	Questions []Question
}

// Solver solves one position of a game. It belongs to one goroutine.
type Solver[P, M comparable] struct {
	rules  rules[P, M]
	cfg    Config
	root   P
	solved [2]*arena[P, M] // by attacker: the solved nodes
	result Result
}

// New returns a solver of the position root. It fails with [ErrUnsuited] if the
// game may go on for ever or has scores.
func New[P, M comparable](g games.Game[P, M], root P, cfg Config) (*Solver[P, M], error) {
	s := &Solver[P, M]{cfg: cfg, root: root}
	if s.cfg.Memory == 0 {
		s.cfg.Memory = 1 << 30
	}
	if s.cfg.ProgressEvery == 0 {
		s.cfg.ProgressEvery = time.Second
	}
	s.rules.game = g
	var ok bool
	if s.rules.layerer, ok = games.LayererOf(g); !ok {
		return nil, fmt.Errorf("%w: positions of %s may come again", ErrUnsuited, g.Name())
	}
	if o, ok := games.Underlying(g).(games.Orderer); ok && o.Order() != games.ByDistance {
		return nil, fmt.Errorf("%w: %s has scores in place of wins", ErrUnsuited, g.Name())
	}
	s.rules.canonicalizer, _ = games.CanonicalizerOf(g)
	if t, ok := games.Underlying(g).(games.Threats[P, M]); ok {
		s.rules.brancher = t.NewBrancher()
	} else {
		s.rules.brancher = &plain[P, M]{game: g}
	}
	return s, nil
}

// Solve finds the value of the root. If a limit is reached it returns what is
// known, and [ErrLimit]; if the context is done, its error.
func (s *Solver[P, M]) Solve(ctx context.Context) (Result, error) {
	s.result = Result{}
	for _, attacker := range []proof.Side{proof.Mover, proof.Other} {
		q, err := s.ask(ctx, attacker)
		s.result.Questions = append(s.result.Questions, q)
		switch {
		case err != nil:
			return s.result, err
		case q.Answer == Yes:
			s.result.Known, s.result.Value = true, games.Won
			if attacker == proof.Other {
				s.result.Value = games.Lost
			}
			s.result.Claims = []proof.Claim{{Side: attacker, Goal: proof.Win}}
			return s.result, nil
		case q.Answer == No:
			s.result.Claims = append(s.result.Claims, proof.Claim{Side: attacker.Opponent(), Goal: proof.Hold})
		default:
			return s.result, nil
		}
	}
	s.result.Known, s.result.Value = true, games.Drawn
	return s.result, nil
}

// newSearch returns a search in an arena with the limits of the configuration.
func (s *Solver[P, M]) newSearch(ctx context.Context, a *arena[P, M], attacker proof.Side, stats *Statistics) *search[P, M] {
	x := &search[P, M]{rules: s.rules, arena: a, limit: s.cfg.Nodes}
	begin, shown := time.Now(), time.Now()
	x.check = deadline(ctx, s.cfg.Time, func() error {
		stats.Time = time.Since(begin)
		stats.Nodes = x.expanded + x.visited
		stats.Memory = x.bytes()
		if x.second != nil {
			stats.Nodes += x.second.expanded
			stats.Memory += x.second.bytes()
		}
		if s.cfg.Nodes > 0 && stats.Nodes >= s.cfg.Nodes {
			return errLimit
		}
		if err := x.fit(s.cfg.Memory); err != nil {
			return err
		}
		if s.cfg.Progress != nil && time.Since(shown) >= s.cfg.ProgressEvery {
			shown = time.Now()
			r := x.nodes.at(x.root)
			s.cfg.Progress(Progress{attacker, r.proof, r.disproof, *stats})
		}
		return nil
	})
	return x
}

// secondShare is the part of the first level's nodes that a search of the second
// level may have: large searches judge better, small ones waste less.
const secondShare = 64

// fit keeps a search within a number of bytes: from half of them on leaves are
// judged by searches of the second level.
func (s *search[P, M]) fit(memory uint64) error {
	used := s.bytes()
	if s.second == nil && used > memory/2 {
		s.second = &search[P, M]{rules: s.rules, arena: newArena[P, M]()}
	}
	if s.second == nil {
		return nil
	}
	if used+s.second.bytes() > memory {
		return fmt.Errorf("%w: the tree needs more than %d MiB", errLimit, memory>>20)
	}
	s.second.limit = max(uint64(s.nodeCount)/secondShare, 1000)
	return nil
}

// ask answers a question.
func (s *Solver[P, M]) ask(ctx context.Context, attacker proof.Side) (Question, error) {
	q := Question{Attacker: attacker}
	toMove := attacker == proof.Mover
	if v, finished := s.rules.game.Outcome(s.root); finished {
		if q.Answer = No; attackerWins(v, toMove) {
			q.Answer = Yes
		}
		return q, ctx.Err()
	}
	x := s.newSearch(ctx, newArena[P, M](), attacker, &q.Statistics)
	err := x.start(s.rules.canonical(s.root), toMove)
	if err == nil {
		if err = x.run(); err == nil {
			err = x.check() // for the statistics
		}
	}
	r := x.nodes.at(x.root)
	if !r.solved() {
		return q, err
	}
	if q.Answer = Yes; r.disproof == 0 {
		if q.Answer = No; r.flags&unsure != 0 {
			q.Answer = Unknown
		}
	}
	s.solved[attacker] = x.keepSolved()
	return q, nil
}
