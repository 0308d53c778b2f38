package solver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// searcher searches positions of a game one after the other, as parts of a larger search.
// Later positions reuse its results: best first it keeps the tree until the memory is used
// up, depth first the table. It belongs to one goroutine, and shares the tree or table
// with the searchers made together with it.
type searcher[P, M comparable] struct {
	solver *Solver[P, M]
	tree   *sharedTree[P, M] // best first
	seat   seat
}

// sharedTree is a tree that is replaced when it has become too large.
type sharedTree[P, M comparable] struct {
	mu    sync.Mutex
	arena *arena[P, M]
}

// newSearchers returns number searchers and, best first, those of cfg.Remote. It uses only the method and the
// memory of cfg; all of them together share that memory. It fails as [New] does.
func newSearchers[P, M comparable](g games.Game[P, M], newBrancher func() Brancher[P, M], cfg Config, number int) (list []*searcher[P, M], err error) {
	first, err := New(g, newBrancher, g.Start(), Config{Method: cfg.Method, Memory: cfg.Memory})
	if err != nil {
		return nil, err
	}
	tree := &sharedTree[P, M]{arena: newArena[P, M]()}
	for range number {
		s := *first
		s.rules.brancher = s.newBrancher()
		list = append(list, &searcher[P, M]{solver: &s, tree: tree})
	}
	if cfg.Remote != nil && cfg.Method == BestFirst {
		for n := range mostRequests {
			s := *first
			s.rules.brancher = &remoteBrancher[P, M]{game: g, remote: cfg.Remote, newLocal: s.newBrancher}
			list = append(list, &searcher[P, M]{&s, tree, seat{cfg.Remote, n + 1}})
		}
	}
	return list, nil
}

// use returns the tree for a search. A tree that has become too large is replaced by one
// with its solved nodes, or by an empty one; searches that use the old tree keep it until
// they end.
func (t *sharedTree[P, M]) use(memory uint64) *arena[P, M] {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.arena
	a.mu.Lock()
	if a.bytes() > memory/2 {
		if t.arena = a.keepSolved(); t.arena.bytes() > memory/4 {
			t.arena = newArena[P, M]()
		}
	}
	a.mu.Unlock()
	return t.arena
}

// finding is what a searcher has found about a position.
type finding[M comparable] struct {
	Outcome Outcome
	// Proof and Disproof are the numbers of the position while it is not solved.
	Proof, Disproof uint32
	// Moves, if not empty, are the moves that the search follows while the position is
	// not solved. The results of other moves are known to the brancher, or decided by the
	// rules. Of several moves to mirror images of one position, Moves may contain only
	// one.
	Moves []moveFinding[M]
	// Incomplete says that the brancher left out moves of the attacker which may win.
	Incomplete bool
	// Nodes is the number of positions that were expanded.
	Nodes uint64
}

// moveFinding is a move and what was found about the position after it.
type moveFinding[M comparable] struct {
	Move            M
	Outcome         Outcome
	Proof, Disproof uint32
}

// Limits say how far a search goes in a position.
type Limits struct {
	// Nodes is about how many positions may be expanded.
	Nodes uint64
	// Proof and Disproof, if not 0, are limits of the position's numbers: a best-first
	// search ends when one of them is exceeded.
	Proof, Disproof uint32
	shared          *shared // state of the searches that share these limits
}

// shared is the common state of searches that share limits.
type shared struct {
	used atomic.Uint64 // positions that they have expanded
	// The arena's lock guards the rest: how many of these positions the leader has reached,
	// and whether one of the searches leads.
	taken uint64
	led   bool
}

// Shared returns the limits for several searches that share one budget of nodes.
func (l Limits) Shared() Limits {
	l.shared = &shared{}
	return l
}

// Used returns the number of positions expanded within shared limits.
func (l Limits) Used() uint64 { return l.shared.used.Load() }

// search searches the unfinished position p for an answer to the question whether the
// attacker can force a win. It returns the error of ctx if that ends. Best first, helpers,
// which were made together with b, expand positions ahead of it. It reaches the same positions
// in the same order as without them if what the brancher says depends on the position alone, but
// not all that they expand is needed.
func (b *searcher[P, M]) search(ctx context.Context, p P, attackerToMove bool, l Limits, helpers ...*searcher[P, M]) (finding[M], error) {
	p = b.solver.rules.canonical(p)
	if b.solver.cfg.Method == DepthFirst {
		return b.searchDepthFirst(ctx, p, attackerToMove, l.Nodes)
	}
	a := b.tree.use(b.solver.cfg.Memory)
	group, ctx := errgroup.WithContext(ctx)
	over, end := context.WithCancel(ctx)
	defer end()
	l = l.Shared()
	var searches []*search[P, M]
	for _, h := range append([]*searcher[P, M]{b}, helpers...) {
		s := h.newSearch(ctx, a, l)
		s.over = over
		if err := s.start(p, attackerToMove); err != nil { // the first evaluates the root
			return finding[M]{}, err
		}
		searches = append(searches, s)
	}
	for _, s := range searches {
		group.Go(func() error {
			defer end()
			defer context.AfterFunc(over, s.wake)()
			defer s.pass()
			err := s.run()
			if errors.Is(err, errLimit) {
				return nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return finding[M]{}, err
	}
	f := searches[0].found()
	f.Nodes = 0
	for _, s := range searches {
		f.Nodes += s.spent()
	}
	return f, nil
}

// newSearch returns a search in a shared tree.
func (b *searcher[P, M]) newSearch(ctx context.Context, a *arena[P, M], l Limits) *search[P, M] {
	s := &search[P, M]{rules: b.solver.rules, arena: a, ctx: ctx, limits: l, seat: b.seat}
	s.check = func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.second != nil && s.spent() >= l.Nodes {
			return errLimit
		}
		if s.seat.far() {
			return nil // a second-level search is for those here
		}
		return s.fit(b.solver.cfg.Memory)
	}
	return s
}

// found returns what is known of the root.
func (s *search[P, M]) found() finding[M] {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.nodes.at(s.root)
	f := finding[M]{Proof: r.proof, Disproof: r.disproof, Incomplete: r.flags&incomplete != 0, Nodes: s.spent()}
	if f.Outcome = r.outcome(); r.solved() {
		return f
	}
	for _, e := range s.edgesOf(r) {
		m := moveFinding[M]{Move: e.move, Proof: e.proof, Disproof: e.disproof}
		if e.child != none {
			m.Outcome = s.nodes.at(e.child).outcome()
		}
		f.Moves = append(f.Moves, m)
	}
	return f
}

// outcome returns what a node says.
func (n *node[P, M]) outcome() Outcome {
	switch {
	case n.proof == 0:
		return Proven
	case n.disproof == 0 && n.flags&unsure != 0:
		return Failed
	case n.disproof == 0:
		return Disproven
	}
	return Unknown
}

// searchDepthFirst is Search by df-pn.
func (b *searcher[P, M]) searchDepthFirst(ctx context.Context, p P, attackerToMove bool, nodes uint64) (finding[M], error) {
	s := b.solver
	c := newCursor(s.rules, s.table.Seed())
	c.set(p, attackerToMove, s.table.newRoot())
	r, err := dfpn.Solve(ctx, s.table.Table, func() dfpn.Cursor { return c }, dfpn.Config{Nodes: wholeChecks(nodes)})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil && r.Outcome == dfpn.Unknown {
		return finding[M]{}, err
	}
	f := finding[M]{Nodes: c.expanded}
	f.Outcome, f.Proof, f.Disproof = readResult(r)
	if f.Outcome != Unknown {
		return f, nil
	}
	var root dfpn.Node
	if c.Expand(&root); root.Status != dfpn.Open {
		return f, nil // the brancher now settles the root, and so will the next search
	}
	f.Incomplete = root.Incomplete
	child := newCursor(s.rules, s.table.Seed())
	for i, q := range c.frames[0].children {
		m := moveFinding[M]{Move: c.frames[0].branches[i].Move}
		child.set(q, !attackerToMove, s.table.newRoot())
		known := dfpn.NewReader(ctx, s.table.Table, child, dfpn.Config{Nodes: 1}).Search(dfpn.Unlimited)
		m.Outcome, m.Proof, m.Disproof = readResult(known)
		f.Moves = append(f.Moves, m)
	}
	return f, nil
}

// readResult returns what a result of df-pn says, with finite numbers while it is
// unknown.
func readResult(r dfpn.Result) (outcome Outcome, proof, disproof uint32) {
	switch {
	case r.Outcome == dfpn.Proven:
		return Proven, 0, unproven
	case r.Outcome == dfpn.Disproven && r.Sure:
		return Disproven, unproven, 0
	case r.Outcome == dfpn.Disproven:
		return Failed, unproven, 0
	}
	return Unknown, min(max(r.Proof, 1), unproven-1), min(max(r.Disproof, 1), unproven-1)
}

// writeProof writes a proof of the answer to the question about the unfinished position p
// to w, whose header has the one claim [Claim], and ends the claim. The answer must be
// right; what the search has lost or left out is searched again. For that, nodes limits the
// positions expanded: best first for each position searched again, depth first in total; 0
// means no limit. writeProof returns the number expanded. If known is not nil, positions for
// which it returns true become nodes with the certificate [Known]. It fails as
// [Solver.WriteProof] does. Best first, helpers, which were made together with b, take part if
// positions cannot repeat; they may call known concurrently.
func (b *searcher[P, M]) writeProof(ctx context.Context, w *proof.Writer, p P, attackerToMove, win bool, nodes uint64,
	known func(p P, attackerToMove bool) bool, helpers ...*searcher[P, M]) (expanded uint64, err error) {
	s := b.solver
	claim := Claim(attackerToMove, win)
	if !win && s.rules.layerer == nil {
		return 0, fmt.Errorf("%s: %w", s.rules.game.Name(), ErrRepetition)
	}
	f := s.rules.newBuilder(ctx, claim.Goal, p, nil)
	f.known = known
	if s.cfg.Method == BestFirst {
		a := b.tree.use(s.cfg.Memory)
		searches := []*search[P, M]{{rules: s.rules, arena: a, limit: nodes, check: ctx.Err}}
		f.resolver = searches[0]
		var scouts sync.WaitGroup
		if s.rules.layerer != nil {
			f.plan.begin(position[P]{f.start, claim.Side == proof.Mover})
			for _, h := range helpers {
				if !h.seat.free() {
					continue
				}
				x := &search[P, M]{rules: h.solver.rules, arena: a, limit: nodes, check: ctx.Err}
				searches = append(searches, x)
				scout := f.finder
				scout.rules, scout.resolver = x.rules, x
				if h.seat.far() {
					scouts.Go(scout.scoutFar)
				} else {
					scouts.Go(scout.scout)
				}
			}
		}
		defer func() {
			f.plan.end()
			scouts.Wait()
			for _, x := range searches {
				expanded += x.earlier + x.expanded
			}
		}()
	} else {
		attacker := proof.Mover
		if !attackerToMove {
			attacker = proof.Other
		}
		s.root = p
		x, err := s.newReader(ctx, attacker, nodes)
		if err != nil {
			return 0, err
		}
		defer func() { expanded = x.cursor.expanded }()
		f.resolver = x
	}
	if err := f.build(claim.Side == proof.Mover); err != nil {
		return 0, err
	}
	return 0, f.write(w)
}

// Claim returns the claim that answers whether the attacker wins: that he does, or that
// the other side holds.
func Claim(attackerToMove, win bool) proof.Claim {
	c := proof.Claim{Side: proof.Other, Goal: proof.Hold}
	if win {
		c.Goal = proof.Win
	}
	if attackerToMove == win {
		c.Side = proof.Mover
	}
	return c
}
