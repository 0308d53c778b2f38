package othello

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// Config says how a [Solver] works.
type Config struct {
	// Dir is the directory for results; the search keeps none if it is empty.
	Dir string
	// FS is the file system of Dir, that of the machine if nil.
	FS vfs.FS
	// Memory is how many bytes the table, the results that are kept and the proofs may take; 0
	// means [DefaultMemory]. If what cannot be forgotten takes more, the solver fails with
	// [solver.ErrLimit].
	Memory uint64
	// Nodes is how many positions [Solver.Solve] may search for one question, 0 for no limit. Then it fails with
	// [solver.ErrLimit].
	Nodes uint64
	// Settle is the search by which a checker settles positions that a proof leaves to it.
	Settle Settle
	// Positions is how many positions that search may look at for one node.
	Positions uint64
	// Progress, if set, is called now and then, but not before the interval Every is over.
	Progress func(Progress)
	Every    time.Duration
}

// Progress says how far a [Solver] is.
type Progress struct {
	// Points is the question: does the side to move in the root get this many points?
	Points int
	// Nodes is the number of positions searched in this run, and Kept how many have results
	// that the next run finds.
	Nodes, Kept uint64
	// Path says at which move of each position the search is, from the root on. It is empty
	// while proofs are made.
	Path []Step
	// Written and Positions are the nodes of the proofs so far, and the positions left to the
	// checker.
	Written, Positions uint64
	Time               time.Duration
}

// Solver finds the score of a position and writes its proof. It belongs to one goroutine.
type Solver struct {
	search *search
	store  *store // nil without a directory
	root   othello.Position
	cfg    Config
	begin  time.Time
	last   time.Time // of the progress

	least        int // possible score
	lower, upper int
	trees        []*tree
	points       int
}

// Defaults of [Config.Positions], for those who have no better number, and of [Config.Memory].
const (
	DefaultPositions = 50000
	DefaultMemory    = 1 << 30
)

// New returns a solver for an unfinished position. Call [Solver.Close] at the end.
func New(g *othello.Game, root othello.Position, cfg Config) (*Solver, error) {
	rows, columns := g.Size()
	s := &Solver{root: root, cfg: cfg, search: newSearch(newBoard(g), cmp.Or(cfg.Memory, DefaultMemory))}
	s.least = -rows * columns
	s.lower, s.upper = s.least, -s.least
	s.begin, s.last = time.Now(), time.Now()
	if cfg.Progress != nil {
		s.search.report = s.report
	}
	if cfg.Dir == "" {
		return s, nil
	}
	fs := cfg.FS
	if fs == nil {
		fs = vfs.Default
	}
	var err error
	if s.store, err = openStore(fs, cfg.Dir, g.Name()); err != nil {
		return nil, err
	}
	s.search.keep = s.store.keep
	if err := s.store.load(s.search.kept, s.search.fit); err != nil {
		return nil, errors.Join(err, s.store.close())
	}
	return s, nil
}

// Close closes the directory.
func (s *Solver) Close() error {
	if s.store == nil {
		return nil
	}
	return s.store.close()
}

// Nodes returns how many positions were searched.
func (s *Solver) Nodes() uint64 { return s.search.nodes }

// Memory returns the size of the table, of the results that are kept, and of the proofs.
func (s *Solver) Memory() uint64 { return s.search.bytes() }

func (s *Solver) report(empties int) {
	if time.Since(s.last) < s.cfg.Every {
		return
	}
	s.last = time.Now()
	p := Progress{Points: s.points, Nodes: s.search.nodes, Kept: uint64(len(s.search.kept)), Time: time.Since(s.begin)}
	for _, t := range s.trees {
		p.Written, p.Positions = p.Written+uint64(len(t.nodes)), p.Positions+t.positions
	}
	if len(s.trees) == 0 {
		own, opposite := s.root.Sets()
		p.Path = s.search.steps(own, opposite, empties)
	}
	s.cfg.Progress(p)
}

// Solve finds the score. If the context is done, it returns its error and what is known by then.
func (s *Solver) Solve(ctx context.Context) (lower, upper int, err error) {
	s.search.ctx, s.search.err, s.search.fixed = ctx, nil, false
	own, opposite := s.root.Sets()
	k := key{}
	k.own, k.opposite = s.search.canonical(own, opposite)
	if known, held := s.search.kept[k]; held {
		s.lower, s.upper = max(s.lower, int(known.lower)), min(s.upper, int(known.upper))
	}
	moves := s.search.moves(own, opposite)
	for s.points = s.search.guess(own, opposite, moves, guessDepth, s.lower, s.upper); s.lower < s.upper; {
		if s.search.limit = 0; s.cfg.Nodes > 0 {
			s.search.limit = s.search.nodes + s.cfg.Nodes
		}
		score := s.search.visit(own, opposite, moves, s.points-1)
		if s.search.err != nil {
			return s.lower, s.upper, s.search.err
		}
		if score >= s.points {
			s.lower, s.points = score, score+1
		} else {
			s.upper, s.points = score, score
		}
	}
	s.search.limit = 0
	return s.lower, s.upper, nil
}

// Line returns a line of best play after [Solver.Solve].
func (s *Solver) Line(ctx context.Context) ([]othello.Move, error) {
	s.search.ctx, s.search.err, s.search.fixed = ctx, nil, true
	var line []othello.Move
	own, opposite := s.root.Sets()
	for score := s.lower; ; score = -score {
		if err := ctx.Err(); err != nil {
			return line, err
		}
		moves := s.search.moves(own, opposite)
		if moves == 0 {
			if s.search.moves(opposite, own) == 0 {
				return line, nil
			}
			line = append(line, othello.Pass)
			own, opposite = opposite, own
			continue
		}
		at := key{}
		at.own, at.opposite = s.search.canonical(own, opposite)
		move, found, err := s.search.winning(at, s.search.moves(at.own, at.opposite), score)
		if err == nil && !found {
			err = fmt.Errorf("%w: no move of %s is worth %d", solver.ErrContradiction, s.search.game.AppendPosition(nil, s.search.game.Position(own, opposite)), score)
		}
		if err != nil {
			return line, err
		}
		turned := s.search.flips(at.own, at.opposite, int(move))
		at.own, at.opposite = s.search.canonical(at.opposite&^turned, at.own|turned|1<<move)
		list := s.search.choices(nil, own, opposite, moves)
		same := slices.IndexFunc(list, func(c choice) bool {
			after := key{}
			after.own, after.opposite = s.search.canonical(c.own, c.opposite)
			return after == at
		})
		line = append(line, othello.Move(list[same].square))
		own, opposite = list[same].own, list[same].opposite
	}
}

// Prove makes the proofs of both bounds after [Solver.Solve], and returns the header of their file.
// What takes time is in the directory too: a run after one that was interrupted goes on there, and
// makes the same proofs.
func (s *Solver) Prove(ctx context.Context) (proof.Header, error) {
	s.search.ctx, s.search.err, s.search.fixed, s.search.proof = ctx, nil, true, 0
	s.trees = nil
	h := proof.Header{Game: s.search.game.Name(), Root: string(s.search.game.AppendPosition(nil, s.root)), Claims: []proof.Claim{
		{Side: proof.Mover, Goal: proof.AtLeast, Points: s.lower}, {Side: proof.Other, Goal: proof.AtLeast, Points: -s.upper},
	}}
	own, opposite := s.root.Sets()
	for _, c := range h.Claims {
		t := &tree{search: s.search, settle: s.cfg.Settle, store: s.store, points: c.Points, most: s.cfg.Positions, report: s.search.report, numbers: map[place]uint32{}}
		s.trees = append(s.trees, t)
		if c.Points <= s.least {
			continue // the side has that in any case, and the file no node for it
		}
		var err error
		if t.store != nil {
			if t.known, err = t.store.decides(t); err != nil {
				return h, err
			}
		}
		at := place{claimant: c.Side == proof.Mover}
		at.own, at.opposite = s.search.canonical(own, opposite)
		if _, err = t.prove(at); err != nil {
			return h, err
		}
		s.search.proof -= numberSize * uint64(len(t.numbers))
		t.numbers = nil
		h.Positions += t.positions
	}
	return h, nil
}

// WriteProof writes the proofs that [Solver.Prove] made.
func (s *Solver) WriteProof(ctx context.Context, w *proof.Writer) error {
	for _, t := range s.trees {
		if err := t.write(ctx, w); err != nil {
			return err
		}
	}
	return nil
}
