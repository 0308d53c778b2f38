package manager

import (
	"context"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// Policy says how a front end hands out work. It may differ each time that a tree is
// opened.
type Policy struct {
	// Budget is the budget of the first job of a leaf; 0 means 1000. It doubles with each
	// job that leaves the leaf open.
	Budget uint64
	// Tries is how many jobs may leave a leaf open before it is expanded. 0 means 2, provided
	// that the leaf has had its share of all positions searched: an eighth of them divided by
	// the number of jobs that should be out and, if that number is one, at least a hundred
	// times Budget. Workers that help each other count as one.
	Tries int
	// Nodes is how many nodes the tree may have; 0 means 10 million. When it is full,
	// leaves are no longer expanded; only their budgets grow.
	Nodes int
	// Likely is how far from 0 the score of a leaf must be to count as likely settled: it is
	// not searched as long as the root may be settled that way. Then the threshold rises by
	// Rise (0 means 1), until no leaf counts as likely and the root is really settled
	// (Schaeffer et al., "Checkers is solved", 2007). 0 means that scores do not count.
	Likely, Rise int32
	// Help says that workers without a job help the others with theirs. Then a further job is
	// handed out only where the proof needs it in addition to those that are out: for another
	// reply to a move of the attacker, not for another move of his.
	Help bool
	// Holds says that the back ends prove that the defender holds, also where positions can
	// repeat: [solver.Unverified] is refused as an outcome, and what was so in the tree is open again.
	Holds bool
}

func (p Policy) withDefaults() Policy {
	if p.Budget == 0 {
		p.Budget = 1000
	}
	if p.Nodes == 0 {
		p.Nodes = 10_000_000
	}
	p.Rise = max(p.Rise, 1)
	return p
}

// maxDoublings bounds the growth of budgets.
const maxDoublings = 30

// Checker checks a proof file by the rules of a game, as [proof.Check] does.
type Checker func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error)

// Adapter makes a proof that the side to move wins a position from the proof of a similar
// position. It returns false if it cannot. The result is checked.
type Adapter func(proof []byte, position string) ([]byte, bool)

// FrontEnd is the state of the proof tree. It does nothing by itself: [FrontEnd.Step]
// takes an event and returns what has to be done. The same events lead to the same
// actions. It belongs to one goroutine.
type FrontEnd struct {
	rules    Rules
	checker  Checker // nil if proofs are believed
	adapter  Adapter // nil if the game has none
	policy   Policy
	manifest Manifest
	root     *node // of the current question; nil when all are answered
	nodes    map[solver.Question]*node
	jobs     map[cluster.ID]*running
	// fragments holds the nodes with fragments, by number from 1. index holds the positions of
	// these fragments; it is nil where positions can repeat.
	fragments []*node
	index     *solver.Index
	closing   []*node // that need a closing job
	dirty     []*node // whose numbers may have changed
	changed   []*node // that have to be stored
	round     uint64  // of walks
	slots     int     // how many jobs should be out
	// threshold is the least absolute score that counts, see [Policy]; 0 if scores do not
	// count.
	threshold int64
	stats     Stats
	points    []Point
	now       time.Duration
	actions   Actions
	// Where positions can repeat: how many nodes the last renumberAll numbered, and how many
	// were numbered one by one since.
	numbered, passed int
	full             bool   // the tree is full, and this has been reported
	begun            bool   // what was not proven in earlier runs is open again
	free             string // the memory of the back end that sent the last result
	// refused is how many results of a worker were refused since one was accepted, see refuse.
	refused map[string]int
}

// running is a job that has been handed out.
type running struct {
	node    *node
	id      cluster.ID
	job     solver.Job
	since   time.Duration
	offered time.Duration // last
	number  uint64
}

// Stats counts what has happened to a tree since it was made.
type Stats struct {
	Handed   uint64        `json:"handed"`           // jobs
	Jobs     uint64        `json:"jobs"`             // jobs that were answered
	Nodes    uint64        `json:"nodes"`            // positions expanded for them
	Written  uint64        `json:"written"`          // and to write their fragments
	Work     time.Duration `json:"work_nanoseconds"` // spent on them by workers
	Settled  uint64        `json:"settled"`          // leaves that were settled by jobs
	Expanded uint64        `json:"expanded"`         // leaves
	Closed   uint64        `json:"closed"`           // nodes by closing jobs
	Recalled uint64        `json:"recalled"`         // jobs
	Raised   uint64        `json:"raised"`           // the threshold of scores, see [Policy]
	Dropped  uint64        `json:"dropped"`          // results that came too late, or twice
	Refused  uint64        `json:"refused"`          // results: they made no sense, or a proof was false
	Adapted  uint64        `json:"adapted"`          // proofs of replies, for another reply
	Answered uint64        `json:"answered"`         // replies settled by an adapted proof
	Rested   uint64        `json:"rested"`           // fragments that rest on others
	Missing  uint64        `json:"missing"`          // fragments that rest on others that are missing
	Numbered uint64        `json:"numbered"`         // nodes, each time that their numbers were derived
	// Elapsed is how long the manager has been running.
	Elapsed time.Duration `json:"elapsed_nanoseconds"`
}

// Event is what a front end reacts to.
type Event struct {
	// Now is how long the manager has been running since the tree was made.
	Now time.Duration
	// Jobs is how many jobs should be out. The front end never hands out more.
	Jobs int
	// Lease, if not 0, is the time after which an unanswered job is offered again, since
	// the carrier may have lost it.
	Lease time.Duration
	// Result is a result that was received; nil if there is none.
	Result *cluster.Result
}

// Actions are what has to be done after an event. If the writes cannot be committed, the
// front end is ahead of its storage and must be loaded again.
type Actions struct {
	// Writes are to be committed together, durably, before the result is acknowledged.
	Writes []Write
	// Offer and Recall are for the carrier, in this order, before or after the commit.
	Offer  []cluster.Job
	Recall []cluster.ID
	// Warnings are for the user: results that were refused, and that the tree is full.
	Warnings []error
	// Done says that the questions are answered as far as they can be.
	Done bool
}

// Write is a key and its new value.
type Write struct{ Key, Value []byte }

// newFrontEnd returns a front end with an empty tree.
func newFrontEnd(rules Rules, checker Checker, m Manifest, policy Policy) *FrontEnd {
	f := &FrontEnd{
		rules: rules, checker: checker, policy: policy.withDefaults(), manifest: m,
		nodes: map[solver.Question]*node{}, jobs: map[cluster.ID]*running{}, refused: map[string]int{},
	}
	if !rules.Repeats() {
		f.index = solver.NewIndex(solver.MaxIndexed)
	}
	return f
}

// Step reacts to an event. It fails with [solver.ErrContradiction] if two results
// contradict each other, with [ErrRefused] if too many results of a worker were refused, and
// with the error of ctx if that ends while a proof is checked.
func (f *FrontEnd) Step(ctx context.Context, e Event) (Actions, error) {
	f.actions = Actions{}
	f.now, f.slots = max(e.Now, f.now), e.Jobs
	if err := f.begin(); err != nil {
		return Actions{}, err
	}
	if e.Result != nil {
		if err := f.result(ctx, e.Result); err != nil {
			return Actions{}, err
		}
	}
	if err := f.advance(); err != nil {
		return Actions{}, err
	}
	if err := f.fill(e.Jobs); err != nil {
		return Actions{}, err
	}
	if e.Lease > 0 {
		f.offerAgain(e.Lease)
	}
	f.stats.Elapsed = f.now
	if f.root == nil {
		f.recallAll()
		f.actions.Done = true
	} else if len(f.jobs) == 0 && e.Jobs > 0 {
		return Actions{}, fmt.Errorf("%w: no leaf is left, and the root is open", solver.ErrContradiction)
	}
	if e.Result != nil || len(f.changed) > 0 {
		f.flush()
	}
	return f.actions, nil
}

// node returns the node of a question, and makes it if there is none.
func (f *FrontEnd) node(q solver.Question) *node {
	n := f.nodes[q]
	if n == nil {
		n = &node{Question: q, proof: 1, disproof: 1}
		f.nodes[q] = n
		f.change(n)
	}
	return n
}

// change records that a node has to be stored.
func (f *FrontEnd) change(n *node) {
	if !n.changed {
		n.changed = true
		f.changed = append(f.changed, n)
	}
}

// questions returns the questions about the root, in their order.
func (f *FrontEnd) questions() []solver.Question {
	list := []solver.Question{{Position: f.manifest.Root, Attacker: true}}
	if f.manifest.Question == AskValue {
		list = append(list, solver.Question{Position: f.manifest.Root, Attacker: false})
	}
	return list
}

// advance makes the first open question the current one, and brings all numbers up to
// date.
func (f *FrontEnd) advance() error {
	for {
		before := f.root
		f.root = nil
		for _, q := range f.questions() {
			n, err := f.question(q)
			if err != nil {
				return err
			}
			if n.outcome == solver.Unknown {
				f.root = n
			}
			if n.outcome != solver.Disproven && n.outcome != solver.Unverified {
				break
			}
		}
		if f.root == nil {
			return nil
		}
		if f.root != before {
			f.threshold = int64(f.policy.Likely)
			f.adopt(f.root)
		}
		if f.renumber(); f.root.outcome == solver.Unknown {
			return nil
		}
	}
}

// question returns the node of a question about the root.
func (f *FrontEnd) question(q solver.Question) (*node, error) {
	n := f.node(q)
	if n.outcome != solver.Unknown {
		return n, nil
	}
	r, finished, err := f.rules.Outcome(q.Position)
	if finished {
		n.basis, n.outcome = byRules, solver.Disproven
		if q.Attacker && r == games.Won || !q.Attacker && r == games.Lost {
			n.outcome = solver.Proven
		}
		f.change(n)
	}
	return n, err
}
