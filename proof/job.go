package proof

import (
	"errors"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// rules has the rules of a game, and its other capabilities.
type rules[P, M comparable] struct {
	g             games.Game[P, M]
	canonicalizer games.Canonicalizer[P]
	certifier     Certifier[P]
	monotone      games.Monotone[P] // nil if the file is not
	database      Database          // may be nil
	positionWork  int
	assumed       string                                                                // see CheckOptions
	quick         func(p P, most uint64) (reached bool, positions uint64, settled bool) // may be nil
}

// PositionWorker is the capability of a game to state the work for a position: making a move,
// finding out whether the game is over, and finding the canonical image.
type PositionWorker interface {
	// PositionWork returns a number of steps, as [Work] counts them.
	PositionWork() int
}

// positionWork is the work for a position of a game that is not a [PositionWorker];
// databaseWork is the work for looking a position up in a database.
const (
	positionWork = 100
	databaseWork = 500
)

func newRules[P, M comparable](g games.Game[P, M], database Database) *rules[P, M] {
	r := &rules[P, M]{g: g, database: database, positionWork: positionWork}
	if r.canonicalizer, _ = g.(games.Canonicalizer[P]); r.canonicalizer == nil {
		r.canonicalizer = itself[P]{}
	}
	r.certifier, _ = g.(Certifier[P])
	if w, ok := g.(PositionWorker); ok {
		r.positionWork = w.PositionWork()
	}
	if database != nil {
		r.positionWork += databaseWork
	}
	return r
}

// decided returns the value of a position for the side to move if the game is over there
// or the database has it.
func (r *rules[P, M]) decided(p P) (games.Value, bool, error) {
	v, finished := r.g.Outcome(p)
	if finished || r.database == nil {
		return v, finished, nil
	}
	return r.database.Value(string(r.text(p)))
}

// itself is the [games.Canonicalizer] of a game without symmetry.
type itself[P comparable] struct{}

func (itself[P]) Canonical(p P) P { return p }

func (r *rules[P, M]) text(p P) []byte { return r.g.AppendPosition(make([]byte, 0, 64), p) }

// parse reads a position. It accepts only the spelling that the game itself writes.
func (r *rules[P, M]) parse(text string) (P, error) {
	p, err := r.g.ParsePosition(text)
	if err != nil {
		return p, err
	}
	if again := r.g.AppendPosition(make([]byte, 0, len(text)), p); string(again) != text {
		err = fmt.Errorf("position %q: want it written as %q", text, again)
	}
	return p, err
}

// job is a run of consecutive nodes. A worker parses them, the linker adds the positions of
// their children, and then a worker checks them without access to any others.
type job[P, M comparable] struct {
	claim Claim
	tasks []task[P]
	size  int           // in bytes, of what is read
	done  chan struct{} // gets a value each time a worker has done its part
	work  *Work         // of the check; nil before

	// Memory that the tasks share.
	texts     []byte
	numbers   []uint64
	positions []P

	err                error // of the first node that is wrong
	replies, immediate uint64

	// Of the file, up to the last node.
	last   uint64 // its number
	counts Counts
	live   uint64 // the most nodes kept at a time
	offset uint64
	bytes  uint64 // that were read
	limit  int64  // of the work
	cut    bool   // it ends before a node that is wrong
	steps  int64  // of work for reading the nodes
}

// task is a node to be checked.
type task[P comparable] struct {
	Node
	number   uint64
	steps    int   // of work for reading it
	p, image P     // image is canonical
	err      error // in parsing it
	children []P   // canonical
}

// reset empties the job. It keeps the memory, but nothing that is in it.
func (j *job[P, M]) reset() {
	clear(j.tasks)
	clear(j.positions)
	*j = job[P, M]{done: j.done, tasks: j.tasks[:0], texts: j.texts[:0], numbers: j.numbers[:0], positions: j.positions[:0]}
}

// add adds n. The number is that of n or, for a [Keeps] record, of the node before it. add
// does not retain n.
func (j *job[P, M]) add(n *Node, number uint64, positionWork int) {
	size := len(n.Position) + len(n.Move) + len(n.Certificate) + 8*len(n.Children)
	t := task[P]{Node: *n, number: number, steps: size + nodeWork + 3*positionWork}
	if n.Kind == Keeps {
		t.steps = nodeWork
	}
	t.Position, t.Move, t.Certificate = j.clone(n.Position), j.clone(n.Move), j.clone(n.Certificate)
	first := len(j.numbers)
	j.numbers = append(j.numbers, n.Children...)
	t.Children = j.numbers[first:]
	j.tasks = append(j.tasks, t)
	j.size += size + nodeSize
}

func (j *job[P, M]) clone(text []byte) []byte {
	first := len(j.texts)
	j.texts = append(j.texts, text...)
	return j.texts[first:]
}

// worker does jobs.
type worker[P, M comparable] struct {
	*rules[P, M]
	*job[P, M]
	reached    map[P]bool        // by child of the current node: whether a reply leads to it
	placements []games.Placement // of these children in a file that is monotone
	moves      []M
	replies    []M
	finisher   M // the claimant's last move that ended a game
	searcher   Searcher[P, M]
}

// do parses a job or, once it is linked, checks it.
func (w *worker[P, M]) do(j *job[P, M]) {
	if w.job = j; j.work == nil {
		w.parse()
	} else {
		w.check()
	}
	j.done <- struct{}{}
}

// parse parses the positions of a job.
func (w *worker[P, M]) parse() {
	for i := range w.tasks {
		t := &w.tasks[i]
		if t.Kind == Keeps {
			continue
		}
		if t.p, t.err = w.rules.parse(string(t.Position)); t.err == nil {
			t.image = w.canonicalizer.Canonical(t.p)
		}
	}
}

// check checks a job that is linked.
func (w *worker[P, M]) check() {
	j := w.job
	for i := range j.tasks {
		t := &j.tasks[i]
		if t.Kind == Keeps {
			continue
		}
		if err := w.checkNode(t); err != nil {
			j.err = fmt.Errorf("node %d, position %q: %w", t.number, t.Position, err)
			return
		}
	}
}

func (w *worker[P, M]) checkNode(t *task[P]) error {
	v, decided, err := w.decided(t.p)
	switch {
	case err != nil:
		return err
	case decided:
		return refused("the game is decided there (%v), so there can be no node", v)
	case t.Kind == Or:
		return w.checkOr(t)
	case t.Kind == And:
		return w.checkAnd(t)
	case t.Kind.ahead():
		return nil
	case t.Kind.searched():
		return w.checkSearched(t)
	}
	if w.assumed != "" && string(t.Certificate) == w.assumed {
		return nil
	}
	if w.certifier == nil {
		return refused("the rules of %s know no certificates", w.g.Name())
	}
	if err := w.certifier.CheckCertificate(w.work, t.p, t.Kind.claimantToMove(), w.claim.Goal, t.Certificate); err != nil {
		return refused("certificate %.60q: %v", t.Certificate, err)
	}
	return nil
}

// play makes a move.
func (w *worker[P, M]) play(p P, m M) (q P, v games.Value, decided bool, err error) {
	if err = w.work.Spend(w.positionWork); err == nil {
		q = w.g.Play(p, m)
		v, decided, err = w.decided(q)
	}
	return q, v, decided, err
}

// checkSearched checks by a search that the claim holds.
func (w *worker[P, M]) checkSearched(t *task[P]) error {
	if w.quick != nil {
		return w.checkQuickly(t)
	}
	s := &w.searcher
	s.rules, s.claim, s.work = w.rules, w.claim, w.work
	holds, _, err := s.Search(t.p, t.Kind.claimantToMove(), t.Positions)
	switch {
	case errors.Is(err, ErrUnsettled):
		return refused("the search does not settle it with %d positions", t.Positions)
	case err != nil:
		return err
	case !holds:
		return refused("the search finds that the claim does not hold")
	}
	return nil
}

// checkOr checks that the claimant's move leads to a position where the claim holds.
func (w *worker[P, M]) checkOr(t *task[P]) error {
	m, err := games.ParseMove(w.g, t.p, string(t.Move))
	if err != nil {
		return refused("%v", err)
	}
	if text := w.g.AppendMove(nil, t.p, m); string(text) != string(t.Move) {
		return refused("move %q: want it written as %q", t.Move, text)
	}
	q, v, decided, err := w.play(t.p, m)
	switch {
	case err != nil:
		return err
	case decided && !w.claim.Reached(v, false):
		return refused("move %q decides the game, a %v for the opponent", t.Move, v)
	case decided && len(t.children) > 0:
		return refused("move %q decides the game, but there is a reference to %q", t.Move, w.text(t.children[0]))
	case decided:
		return nil
	case len(t.children) == 0:
		return refused("move %q does not decide the game, and there is no reference to a node behind it", t.Move)
	case !w.leads(q, t.children[0], false):
		return refused("move %q leads to %q, but the node referred to is %q", t.Move, w.text(q), w.text(t.children[0]))
	}
	return nil
}

// checkAnd checks that all replies are answered.
func (w *worker[P, M]) checkAnd(t *task[P]) error {
	w.reached = make(map[P]bool, len(t.children))
	for _, child := range t.children {
		if _, twice := w.reached[child]; twice {
			return refused("two children are the same position %q", w.text(child))
		}
		w.reached[child] = false
	}
	if err := w.findChildren(t); err != nil {
		return err
	}
	w.replies = w.g.AppendMoves(w.replies[:0], t.p)
	if len(w.replies) == 0 {
		return refused("the opponent has no move, and yet the game is not over")
	}
	var none M
	w.finisher = none // so that the work does not depend on the node before
	for _, m := range w.replies {
		w.job.replies++
		q, v, decided, err := w.play(t.p, m)
		if err != nil {
			return err
		}
		if decided {
			if !w.claim.Reached(v, true) {
				return refused("the reply %q decides the game, a %v for the claimant", w.g.AppendMove(nil, t.p, m), v)
			}
			w.immediate++
			continue
		}
		if answered, err := w.answered(t, q); err != nil {
			return err
		} else if answered {
			continue
		}
		finishes := false
		if t.Rank >= 2 {
			if finishes, err = w.finishes(q); err != nil {
				return err
			}
		}
		if !finishes {
			return refused("the reply %q is not answered", w.g.AppendMove(nil, t.p, m))
		}
		w.immediate++
	}
	for _, child := range t.children {
		if !w.reached[child] {
			return refused("no reply leads to the child %q", w.text(child))
		}
	}
	return nil
}

// finishes reports whether the claimant has a move in p that ends the game as he
// claims.
func (w *worker[P, M]) finishes(p P) (bool, error) {
	if err := w.work.Spend(w.positionWork); err != nil {
		return false, err
	}
	w.moves = w.g.AppendMoves(w.moves[:0], p)
	ends := func(m M) (bool, error) {
		_, v, decided, err := w.play(p, m)
		return decided && w.claim.Reached(v, false), err
	}
	// The move that ended the game after another reply often does so after this one.
	if slices.Contains(w.moves, w.finisher) {
		if ends, err := ends(w.finisher); ends || err != nil {
			return ends, err
		}
	}
	for _, m := range w.moves {
		if ends, err := ends(m); ends || err != nil {
			w.finisher = m
			return ends, err
		}
	}
	return false, nil
}
