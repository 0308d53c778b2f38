package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// Certifier is the capability of a game to check certificates. Without it
// certified nodes are refused.
type Certifier[P comparable] interface {
	// CheckCertificate checks that a certificate proves, by itself, that the
	// claimant reaches the goal from the unfinished position p. It must not
	// trust anything that the certificate says, and must not retain or change it. It counts
	// its work in w, and stops when [Work.Spend] fails. It is called by several goroutines.
	CheckCertificate(w *Work, p P, claimantToMove bool, goal Goal, certificate []byte) error
}

// Unending marks a game in which endless play is not always a draw. There no claim can rest
// on repetition: files with [Header.Repeats] are refused.
type Unending interface {
	Unending()
}

// Database has values of positions. It is safe for concurrent use.
type Database interface {
	// Checksum returns its logical checksum, as in [Header.Database].
	Checksum() string
	// Value returns the value for the side to move of the position with the given text, and
	// whether the database has it.
	Value(position string) (games.Value, bool, error)
}

// CheckOptions are options of [Check].
type CheckOptions struct {
	// Database is the database that [Header.Database] names. It is trusted.
	Database Database
	// Progress, if set, is called often.
	Progress func(Report)
	// Node, if set, is called with each node that is checked, in the order of the file, and its claim. What
	// the nodes say counts only once the check has succeeded: see [Values]. The node must not be retained.
	Node func(Claim, *Node)
	// Positions is the largest number of positions that the file may leave to a search,
	// [Header.Positions]; 0 for [DefaultPositions].
	Positions uint64
	// Assumed, if not empty, is a certificate that is accepted without a check. It is for a
	// file that is only one part of a proof: the file then proves its claims if the nodes
	// with this certificate are proven elsewhere.
	Assumed string
}

// DefaultPositions is the number of positions that a file may leave to a search unless
// [CheckOptions.Positions] says otherwise.
const DefaultPositions = 100_000_000

// maxPositions is the largest number of positions that may be left to a search. The work for them can
// be counted.
const maxPositions = 1 << 48

// Report says what [Check] has checked.
type Report struct {
	Counts
	// Replies is the number of the opponent's replies that were generated.
	Replies uint64 `json:"replies"`
	// Immediate is how many of them needed no node, because the claimant reaches
	// the goal by the reply itself or by the move after it.
	Immediate uint64 `json:"immediate"`
	// Ranks has the rank of each claim's root.
	Ranks []uint64 `json:"ranks"`
	// Bytes is the size of the file or, until all of it is checked, roughly the size of the
	// part that is.
	Bytes uint64 `json:"bytes"`
	// Live is the largest number of nodes that were kept at a time.
	Live uint64 `json:"live"`
}

// Check checks, on all processors, that the file that r reads proves its claims by the rules
// of g and nothing else. It returns its report even if it fails. It fails with [ErrCorrupt]
// if the file is damaged and with [ErrRefused] if it does not prove what it claims; the error
// names the first place. It fails with [ErrLimit] if the check takes more work than is
// allowed for a file of this size.
func Check[P, M comparable](ctx context.Context, r *Reader, g games.Game[P, M], o CheckOptions) (Report, error) {
	if !r.header.scores() {
		return CheckResult(ctx, r, g, o)
	}
	aims, err := games.Aiming(g)
	if err != nil {
		return Report{}, refused("claims about points: %v", err)
	}
	plain := newChecker(r, g, o)
	c := newChecker(r, aims, o)
	c.positionWork, c.quick = plain.positionWork, quick(g)
	c.rootOf = func(claim Claim) (games.Aim[P], error) {
		p, err := plain.parse(r.header.Root)
		points := claim.Points
		if claim.Side == Other { // who prevents that the side to move gets one point more
			points = 1 - points
		}
		return games.Aim[P]{Position: p, Points: int16(points)}, err
	}
	err = c.run(ctx)
	return c.report, err
}

// CheckResult is [Check], but refuses claims about points. Less is compiled for a game that has none.
func CheckResult[P, M comparable](ctx context.Context, r *Reader, g games.Game[P, M], o CheckOptions) (Report, error) {
	if r.header.scores() {
		return Report{}, refused("claims about points: %s: %v", g.Name(), games.ErrNoScores)
	}
	c := newChecker(r, g, o)
	err := c.run(ctx)
	return c.report, err
}

func newChecker[P, M comparable](r *Reader, g games.Game[P, M], o CheckOptions) *checker[P, M] {
	rules := newRules(g, o.Database)
	rules.assumed = o.Assumed
	root := func(Claim) (P, error) { return rules.parse(r.header.Root) }
	return &checker[P, M]{rules: rules, r: r, o: o, rootOf: root, links: linker[P, M]{rules: rules, live: map[uint64]liveNode[P]{}}}
}

// run checks the file, with workers.
func (c *checker[P, M]) run(ctx context.Context) error {
	workers := runtime.GOMAXPROCS(0)
	c.jobs = make(chan *job[P, M], 4*workers)
	var cancel context.CancelFunc
	c.ctx, cancel = context.WithCancel(ctx)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			w := worker[P, M]{rules: c.rules}
			for j := range c.jobs {
				w.do(j)
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
	if err := games.CheckRules(h.Game, h.Rules, games.RulesTextOf(c.g)); err != nil {
		return refused("%v", err)
	}
	if _, unending := c.g.(Unending); unending && h.Repeats {
		return refused("in %s play without end is not always a draw, so no claim can rest on positions that come again", c.g.Name())
	}
	if err := c.checkDatabase(h.Database); err != nil {
		return err
	}
	if most := min(cmp.Or(c.o.Positions, DefaultPositions), maxPositions); h.Positions > most {
		return fmt.Errorf("%w: %d positions are to be searched, and at most %d are allowed", ErrLimit, h.Positions, most)
	}
	if h.Monotone {
		if c.monotone = games.MonotoneOf(c.g); c.monotone == nil {
			return refused("it is monotone, and the rules of %s are not", h.Game)
		}
		c.canonicalizer = itself[P]{}
	}
	for i, claim := range h.Claims {
		c.claim = claim
		if c.root, err = c.rootOf(claim); err != nil {
			return refused("root: %v", err)
		}
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

// checker reads nodes and cuts them into jobs. Workers parse a job, the linker follows its
// references, in the order of the file, and workers check the rest.
type checker[P, M comparable] struct {
	*rules[P, M]
	ctx    context.Context
	r      *Reader
	o      CheckOptions
	rootOf func(Claim) (P, error)
	root   P // of the claim
	report Report
	steps  int64 // of work, in the jobs that are settled

	claim    Claim
	links    linker[P, M]
	next     *job[P, M]      // is being put together
	jobs     chan *job[P, M] // for the workers; half its room is for parsing, half for checking
	parsing  []*job[P, M]    // in the order of the file
	checking []*job[P, M]    // in the order of the file, before those that are being parsed
	size     int             // of the jobs that are not settled
	free     []*job[P, M]    // empty again, to be reused
}

func refused(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRefused, fmt.Sprintf(format, args...))
}

// Limits of memory. A job has nodes of at least jobSize bytes, except for the last job of a
// claim. A node counts as nodeSize more than its bytes, because it takes about 200 bytes
// besides.
const (
	nodeSize    = 32
	jobSize     = 1 << 14
	pendingSize = 1 << 20
)

func (c *checker[P, M]) checkClaim() error {
	for {
		n, root, err := c.r.Next()
		if n != nil {
			if err := c.add(n); err != nil {
				return err
			}
			continue
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

// add adds a node to the next job, and starts that if it is full.
func (c *checker[P, M]) add(n *Node) error {
	if c.next == nil {
		c.next = c.newJob()
	}
	if c.next.add(n, c.r.number, c.positionWork); c.next.size < jobSize {
		return nil
	}
	return c.start()
}

// newJob returns an empty job.
func (c *checker[P, M]) newJob() *job[P, M] {
	var j *job[P, M]
	if last := len(c.free) - 1; last >= 0 {
		j, c.free = c.free[last], c.free[:last]
	} else {
		j = &job[P, M]{done: make(chan struct{}, 1), texts: make([]byte, 0, 2*jobSize)}
	}
	j.claim = c.claim
	return j
}

// start hands the next job to a worker for parsing, as soon as there is room for it.
func (c *checker[P, M]) start() error {
	j := c.next
	c.next = nil
	j.counts, j.offset, j.bytes = c.r.counts, c.r.offset(), c.r.bytes
	for len(c.parsing)+len(c.checking) > 0 && c.size+j.size > pendingSize {
		step := c.settle
		if len(c.checking) == 0 {
			step = c.link
		}
		if err := step(); err != nil {
			return err
		}
	}
	if len(c.parsing) == cap(c.jobs)/2 {
		if err := c.link(); err != nil {
			return err
		}
	}
	c.parsing = append(c.parsing, j)
	c.size += j.size
	c.jobs <- j
	return nil
}

// link waits until the first job in parsing is parsed, follows its references, and hands it
// to a worker for checking.
func (c *checker[P, M]) link() error {
	j := c.parsing[0]
	<-j.done
	c.parsing = c.parsing[1:]
	wrong := c.links.link(j)
	if len(c.checking) == cap(c.jobs)/2 {
		if err := c.settle(); err != nil {
			return err
		}
	}
	j.cut, j.limit = wrong != nil, allowedWork(j.bytes)+int64(c.r.header.Positions)*int64(c.positionWork)
	j.work = NewWork(c.ctx, j.limit-c.steps)
	c.checking = append(c.checking, j)
	c.jobs <- j
	if wrong == nil {
		return nil
	}
	// What is wrong before this comes first.
	if err := c.settleAll(); err != nil {
		return err
	}
	return wrong
}

// settle waits until the first job in checking is checked, and adds its results to the
// report.
func (c *checker[P, M]) settle() error {
	j := c.checking[0]
	<-j.done
	c.checking = c.checking[1:]
	c.size -= j.size
	if err := c.ctx.Err(); err != nil {
		return err
	}
	// A worker cannot tell how much work the earlier jobs take, so the limit is enforced
	// here.
	if c.steps += j.steps + j.work.done; c.steps > j.limit {
		return fmt.Errorf("%w: node %d: up to here it takes more than %d steps, which is too much for a file of this size",
			ErrLimit, j.last, j.limit)
	}
	if j.err != nil || j.cut {
		return j.err
	}
	c.report.Counts, c.report.Live, c.report.Bytes = j.counts, j.live, j.offset
	c.report.Replies += j.replies
	c.report.Immediate += j.immediate
	if c.o.Node != nil {
		for i := range j.tasks {
			if n := &j.tasks[i].Node; n.Kind != Keeps {
				c.o.Node(j.claim, n)
			}
		}
	}
	if j.size < 2*jobSize { // else it has much memory
		j.reset()
		c.free = append(c.free, j)
	}
	if c.o.Progress != nil {
		c.o.Progress(c.report)
	}
	return nil
}

// finish links and settles all jobs.
func (c *checker[P, M]) finish() error {
	if c.next != nil {
		if err := c.start(); err != nil {
			return err
		}
	}
	for len(c.parsing) > 0 {
		if err := c.link(); err != nil {
			return err
		}
	}
	return c.settleAll()
}

// settleAll settles all jobs that are being checked.
func (c *checker[P, M]) settleAll() error {
	for len(c.checking) > 0 {
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
		node, err := c.links.use(number)
		switch {
		case err != nil:
			return fmt.Errorf("root: %w", err)
		case !c.leads(c.root, node.position, claimantToMove):
			return refused("the root is node %d, position %q, but the file is about %q", number, c.text(node.position), c.r.header.Root)
		case node.claimantToMove != claimantToMove:
			return refused("the root is node %d, which has the wrong side as the claimant", number)
		}
		c.report.Ranks = append(c.report.Ranks, node.rank)
	}
	return c.links.end()
}
