package proof

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// Certifier is the capability of a game to check certificates. Without it
// certified nodes are refused.
type Certifier[P comparable] interface {
	// CheckCertificate checks that a certificate proves, by itself, that the
	// claimant reaches the goal from the unfinished position p. It must not
	// trust anything that the certificate says. It counts its work, and ends
	// when that fails. It is called by several goroutines.
	CheckCertificate(w *Work, p P, claimantToMove bool, goal Goal, certificate []byte) error
}

// Unending is the capability of a game in which play without end is not always a draw. No
// claim can rest on it there: files with [Header.Repeats] are refused.
type Unending interface {
	Unending()
}

// Database has values of positions. It is safe for concurrent use.
type Database interface {
	// Checksum returns its logical checksum, as in [Header.Database].
	Checksum() string
	// Value returns the value of a position, given by its text, for the side to move,
	// and whether the database has it.
	Value(position string) (games.Value, bool, error)
}

// CheckOptions are options of [Check].
type CheckOptions struct {
	// Database is what [Header.Database] names. It is trusted.
	Database Database
	// Progress, if set, is called often.
	Progress func(Report)
	// Assumed, if not empty, is a certificate that is accepted unseen, for a part of a proof
	// whose other parts are proven elsewhere: the file then proves its claims if the nodes
	// with this certificate are proven.
	Assumed string
}

// Report says what [Check] has checked.
type Report struct {
	Counts
	// Replies is the number of replies of the opponent's that were generated.
	Replies uint64 `json:"replies"`
	// Immediate is how many of them needed no node, because the claimant reaches
	// the goal by the reply itself or by the move after it.
	Immediate uint64 `json:"immediate"`
	// Ranks has the rank of each claim's root.
	Ranks []uint64 `json:"ranks"`
	// Bytes is the size of the file, or about how much of it is checked.
	Bytes uint64 `json:"bytes"`
	// Live is the largest number of nodes that were kept at a time.
	Live uint64 `json:"live"`
}

// Check checks that the file which r reads proves its claims, by the rules of g
// and nothing else, on all processors. It returns what it has found even if it fails.
// It fails with [ErrCorrupt] if the file is damaged and with [ErrRefused] if it does
// not prove what it claims; the error names the first place. It fails with [ErrLimit] if
// that takes more work than a file of this size may.
func Check[P, M comparable](ctx context.Context, r *Reader, g games.Game[P, M], o CheckOptions) (Report, error) {
	c := &checker[P, M]{rules: newRules(g, o.Database), r: r, o: o}
	c.assumed = o.Assumed
	err := c.run(ctx)
	return c.report, err
}

// run checks the file, with workers.
func (c *checker[P, M]) run(ctx context.Context) error {
	workers := runtime.GOMAXPROCS(0)
	c.jobs = make(chan *job[P, M], 2*workers)
	var cancel context.CancelFunc
	c.ctx, cancel = context.WithCancel(ctx)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			w := worker[P, M]{rules: c.rules}
			for j := range c.jobs {
				w.check(j)
			}
		})
	}
	defer group.Wait()
	defer close(c.jobs)
	defer cancel()
	return c.check()
}

func (c *checker[P, M]) check() (err error) {
	h := c.r.Header()
	if games.OrderOf(c.g) != games.ByDistance {
		return refused("%s has scores, and claims are to win or to hold", c.g.Name())
	}
	if c.g.Name() != h.Game {
		return refused("it is for the rules %s, and these are %s", h.Game, c.g.Name())
	}
	if _, unending := c.g.(Unending); unending && h.Repeats {
		return refused("in %s play without end is not always a draw, so no claim can rest on positions that come again", c.g.Name())
	}
	if err := c.checkDatabase(h.Database); err != nil {
		return err
	}
	if c.root, err = c.parse(h.Root); err != nil {
		return refused("root: %v", err)
	}
	for i, claim := range h.Claims {
		c.claim = claim
		if err := c.checkClaim(); err != nil {
			if errors.Is(err, ErrRefused) || errors.Is(err, ErrLimit) {
				err = fmt.Errorf("claim %d (%v): %w", i+1, claim, err)
			}
			return err
		}
	}
	if _, _, err = c.r.Next(); errors.Is(err, io.EOF) {
		err = nil
	}
	c.report.Counts, c.report.Bytes = c.r.counts, c.r.bytes
	return err
}

// checkDatabase checks that the database is the one that the file names.
func (c *checker[P, M]) checkDatabase(checksum string) error {
	switch {
	case checksum == "" && c.database != nil:
		return refused("it names no database, and there is one")
	case checksum != "" && c.database == nil:
		return refused("it rests on a database of checksum %s, and there is none", checksum)
	case checksum != "" && c.database.Checksum() != checksum:
		return refused("it rests on a database of checksum %s, and this one has %s", checksum, c.database.Checksum())
	}
	return nil
}

// checker reads nodes and follows their references, in the order of the file. Workers
// check the rest.
type checker[P, M comparable] struct {
	*rules[P, M]
	ctx    context.Context
	r      *Reader
	o      CheckOptions
	root   P
	report Report
	steps  int // of work, in the jobs that are settled

	claim   Claim
	live    map[uint64]*liveNode[P]
	maxLive uint64 // how many nodes were live at a time

	next    *job[P, M]      // is being put together
	jobs    chan *job[P, M] // to be done; has room for all
	pending []*job[P, M]    // not settled, in the order of the file
	size    int             // of those that are pending
}

// liveNode is a node that has been read and that references will come to.
type liveNode[P comparable] struct {
	position       P // canonical
	claimantToMove bool
	uses           uint64
	rank           uint64
	ahead          bool
}

func refused(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRefused, fmt.Sprintf(format, args...))
}

// Limits of memory. A job has nodes of at least jobSize bytes, but for the last.
const (
	jobSize     = 1 << 12
	pendingSize = 1 << 20
	// liveNodes is how many nodes a small file may have kept at a time; a large one may
	// have one for every liveBytes bytes of its size.
	liveNodes = 1 << 17
	liveBytes = 8
)

func (c *checker[P, M]) checkClaim() error {
	c.live = map[uint64]*liveNode[P]{}
	for {
		n, root, err := c.r.Next()
		number := c.r.number
		if n != nil {
			if err = c.add(n, number); err == nil {
				if c.next.size >= jobSize {
					if err := c.start(); err != nil {
						return err
					}
				}
				continue
			}
			err = fmt.Errorf("node %d, position %q: %w", number, n.Position, err)
		}
		// What is wrong before this comes first.
		if err := c.finish(); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		return c.checkRoot(root)
	}
}

// add follows the references of a node and gives the rest of it to a worker.
func (c *checker[P, M]) add(n *Node, number uint64) error {
	if n.Kind == Keeps {
		return c.keep(n)
	}
	t := task[P]{Node: *n, number: number}
	var err error
	if t.p, err = c.parse(string(n.Position)); err != nil {
		return refused("%v", err)
	}
	for _, number := range n.Children {
		child, err := c.child(n, number)
		if err != nil {
			return err
		}
		t.children = append(t.children, child.position)
	}
	c.live[number] = &liveNode[P]{c.canonicalizer.Canonical(t.p), n.Kind.claimantToMove(), n.Uses, n.Rank, n.Kind.ahead()}
	c.maxLive = max(c.maxLive, uint64(len(c.live)))
	if most := max(liveNodes, c.r.bytes/liveBytes); uint64(len(c.live)) > most {
		return fmt.Errorf("%w: more than %d nodes have to be kept, which is too much for a file of this size", ErrLimit, most)
	}
	size := len(n.Position) + len(n.Move) + len(n.Certificate) + 8*len(n.Children)
	t.Position, t.Move, t.Certificate = slices.Clone(n.Position), slices.Clone(n.Move), slices.Clone(n.Certificate)
	t.Children = nil
	c.prepare()
	c.next.tasks = append(c.next.tasks, t)
	c.next.steps += size + nodeWork + 3*c.positionWork
	c.next.size += size
	return nil
}

// prepare sees that there is a job that is being put together.
func (c *checker[P, M]) prepare() {
	if c.next == nil {
		c.next = &job[P, M]{claim: c.claim, version: c.r.version, done: make(chan struct{})}
	}
	c.next.last = c.r.number
}

// keep checks that a node proves what an earlier one stands for.
func (c *checker[P, M]) keep(n *Node) error {
	c.prepare()
	c.next.steps += nodeWork
	ahead, ok := c.live[n.Children[0]]
	if !ok || !ahead.ahead {
		return refused("node %d is to be kept, which is not ahead, or was kept already", n.Children[0])
	}
	if ahead.uses != 1 {
		return refused("node %d is kept, but %d more references to it are to come", n.Children[0], ahead.uses-1)
	}
	delete(c.live, n.Children[0])
	node, err := c.use(n.Children[1])
	switch {
	case err != nil:
		return err
	case node.ahead:
		return refused("node %d is ahead itself", n.Children[1])
	case node.position != ahead.position || node.claimantToMove != ahead.claimantToMove:
		return refused("node %d, ahead, is position %q, and node %d, which is to keep it, %q, or another side is to move",
			n.Children[0], c.text(ahead.position), n.Children[1], c.text(node.position))
	}
	return nil
}

// start has a worker begin with the next job, when there is room for it.
func (c *checker[P, M]) start() error {
	j := c.next
	c.next = nil
	for len(c.pending) > 0 && (len(c.pending) == cap(c.jobs) || c.size+j.size > pendingSize) {
		if err := c.settle(); err != nil {
			return err
		}
	}
	j.counts, j.live, j.offset, j.limit = c.r.counts, c.maxLive, c.r.offset(), allowedWork(c.r.bytes)
	j.work = NewWork(c.ctx, j.limit-c.steps)
	c.pending = append(c.pending, j)
	c.size += j.size
	c.jobs <- j
	return nil
}

// settle waits for the first of the pending jobs.
func (c *checker[P, M]) settle() error {
	j := c.pending[0]
	<-j.done
	c.pending = c.pending[1:]
	c.size -= j.size
	if err := c.ctx.Err(); err != nil {
		return err
	}
	// A worker does not know how much the jobs before take, so that the limit counts here.
	if c.steps += j.steps + j.work.done; c.steps > j.limit {
		return fmt.Errorf("%w: node %d: up to here it takes more than %d steps, which is too much for a file of this size",
			ErrLimit, j.last, j.limit)
	}
	if j.err != nil {
		return j.err
	}
	c.report.Counts, c.report.Live, c.report.Bytes = j.counts, j.live, j.offset
	c.report.Replies += j.replies
	c.report.Immediate += j.immediate
	if c.o.Progress != nil {
		c.o.Progress(c.report)
	}
	return nil
}

// finish waits for all jobs.
func (c *checker[P, M]) finish() error {
	if c.next != nil {
		if err := c.start(); err != nil {
			return err
		}
	}
	for len(c.pending) > 0 {
		if err := c.settle(); err != nil {
			return err
		}
	}
	return nil
}

// checkRoot checks that the root of the claim is proven.
func (c *checker[P, M]) checkRoot(number uint64) error {
	claimantToMove := c.claim.Side == Mover
	v, decided, err := c.decided(c.root)
	if err != nil {
		return err
	}
	if decided {
		switch {
		case number != 0:
			return refused("the root position is decided, but has node %d", number)
		case !c.claim.Reached(v, claimantToMove):
			return refused("the root position is decided, %v for the side to move", v)
		}
		c.report.Ranks = append(c.report.Ranks, 0)
	} else {
		node, err := c.use(number)
		switch {
		case err != nil:
			return fmt.Errorf("root: %w", err)
		case node.position != c.canonicalizer.Canonical(c.root):
			return refused("the root is node %d, position %q, but the file is about %q", number, c.text(node.position), c.r.header.Root)
		case node.claimantToMove != claimantToMove:
			return refused("the root is node %d, which has the wrong side as the claimant", number)
		}
		c.report.Ranks = append(c.report.Ranks, node.rank)
	}
	if len(c.live) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(c.live)))
		return refused("%d nodes are referred to less often than they say, such as node %d, position %q",
			len(c.live), first, c.text(c.live[first].position))
	}
	return nil
}

// use follows a reference.
func (c *checker[P, M]) use(number uint64) (*liveNode[P], error) {
	node, ok := c.live[number]
	if !ok {
		return nil, refused("a reference to node %d, which is not there or was referred to as often as it says already", number)
	}
	if node.ahead && node.uses == 1 {
		return nil, refused("the last reference to node %d, which is ahead, does not keep it", number)
	}
	if node.uses--; node.uses == 0 {
		delete(c.live, number)
	}
	return node, nil
}

// child follows a reference to a child and checks what does not depend on the
// position.
func (c *checker[P, M]) child(n *Node, number uint64) (*liveNode[P], error) {
	child, err := c.use(number)
	switch {
	case err != nil:
		return nil, err
	case child.claimantToMove == n.Kind.claimantToMove():
		return nil, refused("in it and in node %d, a child, the same side is the claimant to move", number)
	case child.rank >= n.Rank:
		return nil, refused("rank %d is not above that of node %d, a child, %d", n.Rank, number, child.rank)
	}
	return child, nil
}
