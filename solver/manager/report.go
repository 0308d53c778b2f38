package manager

import (
	"cmp"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// Point is the state of a tree at one time.
type Point struct {
	Elapsed  time.Duration `json:"elapsed_nanoseconds"`
	Question int           `json:"question"` // the current one, from 0
	Proof    solver.Number `json:"proof"`    // of the root
	Disproof solver.Number `json:"disproof"`
	Settled  uint64        `json:"settled"` // leaves
	Jobs     uint64        `json:"jobs"`
	Nodes    uint64        `json:"nodes"`
	// Raised, if not nil, says that the threshold of scores has just risen.
	Raised *Raised `json:"raised,omitempty"`
}

// Raised describes the end of a search with a threshold of scores, see [Policy].
type Raised struct {
	Threshold int64 `json:"threshold"` // so far
	Leaves    int   `json:"leaves"`    // that are open
	Likely    int   `json:"likely"`    // of these: counted as likely settled
}

// pointsPerHistory is about how many points a history has, however long it is.
const pointsPerHistory = 500

// notePoint adds a point to the history if one is due.
func (f *FrontEnd) notePoint() {
	if f.root == nil && len(f.points) > 0 && f.points[len(f.points)-1].Jobs == f.stats.Jobs {
		return
	}
	if last := len(f.points) - 1; f.root != nil && last >= 0 && f.now-f.points[last].Elapsed < f.now/pointsPerHistory {
		return
	}
	f.addPoint(nil)
}

// addPoint adds a point to the history.
func (f *FrontEnd) addPoint(r *Raised) {
	p := Point{Raised: r, Elapsed: f.now, Settled: f.stats.Settled, Jobs: f.stats.Jobs, Nodes: f.stats.Nodes}
	for i, q := range f.questions() {
		if n := f.nodes[q]; n != nil {
			p.Question = i
			p.Proof, p.Disproof = n.report(f.threshold)
		}
	}
	key := pointKey(len(f.points))
	f.points = append(f.points, p)
	f.actions.Writes = append(f.actions.Writes, Write{key, encode(p)})
}

// Report describes the progress of a tree.
type Report struct {
	Game     string `json:"game"`
	Position string `json:"position"`
	Question string `json:"question"`
	// AtLeast and AtMost bound the value of the root for the side to move, by proofs: "loss",
	// "draw" or "win".
	AtLeast string `json:"at_least"`
	AtMost  string `json:"at_most"`
	// Unverified, if not empty, is what is known of the value only if what workers say without
	// a proof is true, as [proof.Value] words it.
	Unverified string `json:"not_verified,omitempty"`
	// Questions are those asked so far.
	Questions []QuestionReport `json:"questions"`
	Nodes     NodeCounts       `json:"nodes"`
	Out       int              `json:"out"`                // jobs that wait for a worker or run
	Oldest    time.Duration    `json:"oldest_nanoseconds"` // of them: how long it has been out
	Stats     Stats            `json:"stats"`
	Leaves    []LeafReport     `json:"leaves,omitempty"` // the hardest open ones
	// Rate is the number of jobs answered per second over the last tenth of the running
	// time.
	Rate float64 `json:"rate"`
	// Estimate is how long the current question will take if leaves are settled as fast as in
	// that time and no more are added: the smaller of the root's numbers says how many have to
	// be settled. It is 0 if there is no estimate.
	Estimate time.Duration `json:"estimate_nanoseconds"`
	History  []Point       `json:"history,omitempty"`
}

// report returns the numbers of a node for a report.
func (n *node) report(threshold int64) (proof, disproof solver.Number) {
	p, d := n.number(threshold)
	return solver.Number(p), solver.Number(d)
}

// QuestionReport is the state of a question about the root.
type QuestionReport struct {
	Attacker string         `json:"attacker"` // "mover" or "other"
	Outcome  solver.Outcome `json:"outcome"`
	Proof    solver.Number  `json:"proof"`
	Disproof solver.Number  `json:"disproof"`
}

// NodeCounts counts the nodes of a tree.
type NodeCounts struct {
	All       int `json:"all"`
	Inner     int `json:"inner"` // open, with children
	Leaves    int `json:"leaves"`
	Proven    int `json:"proven"`
	Disproven int `json:"disproven"`
	Failed    int `json:"failed"`
	// Unverified are those at which the defender holds without a proof.
	Unverified int `json:"unverified"`
	Detached   int `json:"detached"` // open, and no longer wanted
}

// LeafReport is an open leaf.
type LeafReport struct {
	solver.Question
	Proof    solver.Number `json:"proof"`
	Disproof solver.Number `json:"disproof"`
	Jobs     int           `json:"jobs"`
	Spent    uint64        `json:"spent"`
	Out      bool          `json:"out"` // a job is, as in [Report]
}

// hardest is how many open leaves a report lists.
const hardest = 10

// Report returns a report.
func (f *FrontEnd) Report() *Report {
	r := &Report{
		Game: f.manifest.Game, Position: f.manifest.Root, Question: f.manifest.Question,
		Out: len(f.jobs), Stats: f.stats, History: f.points,
	}
	low, high := games.Lost, games.Won
	for i, q := range f.questions() {
		n := f.nodes[q]
		if n == nil {
			continue
		}
		x := QuestionReport{Attacker: [...]string{"mover", "other"}[i], Outcome: n.outcome}
		x.Proof, x.Disproof = n.report(f.threshold)
		r.Questions = append(r.Questions, x)
		switch {
		case n.outcome == solver.Proven && n.Attacker:
			low = games.Won
		case n.outcome == solver.Proven:
			high = games.Lost
		case n.outcome == solver.Disproven && n.Attacker:
			high = min(high, games.Drawn)
		case n.outcome == solver.Disproven:
			low = max(low, games.Drawn)
		}
	}
	r.AtLeast, r.AtMost = low.String(), high.String()
	if claims, _ := f.Claims(); !f.Verified() {
		r.Unverified, _ = proof.Value(claims)
	}
	r.pace()
	wanted := map[*node]bool{}
	if f.root != nil {
		for _, n := range f.reachable() {
			wanted[n] = true
		}
	}
	for _, n := range f.nodes {
		r.count(n, wanted[n])
	}
	slices.SortFunc(r.Leaves, func(a, b LeafReport) int {
		return cmp.Or(cmp.Compare(b.Spent, a.Spent), cmp.Compare(a.Position, b.Position))
	})
	r.Leaves = slices.Clip(r.Leaves[:min(len(r.Leaves), hardest)])
	for _, out := range f.jobs {
		r.Oldest = max(r.Oldest, f.now-out.since)
	}
	return r
}

// count counts a node, and lists it if it is an open leaf that is still wanted.
func (r *Report) count(n *node, wanted bool) {
	c := &r.Nodes
	c.All++
	switch {
	case n.outcome == solver.Proven:
		c.Proven++
	case n.outcome == solver.Disproven:
		c.Disproven++
	case n.outcome == solver.Failed:
		c.Failed++
	case n.outcome == solver.Unverified:
		c.Unverified++
	case !wanted:
		c.Detached++
	case n.leaf():
		c.Leaves++
		r.Leaves = append(r.Leaves, LeafReport{n.Question, solver.Number(n.proof), solver.Number(n.disproof), n.jobs, n.spent, n.job != nil})
	default:
		c.Inner++
	}
}

// pace fills in the rate and the estimate.
func (r *Report) pace() {
	if len(r.History) == 0 {
		return
	}
	since := r.History[0]
	for _, p := range r.History {
		if p.Elapsed <= r.Stats.Elapsed*9/10 {
			since = p
		}
	}
	seconds := (r.Stats.Elapsed - since.Elapsed).Seconds()
	if seconds <= 0 {
		return
	}
	r.Rate = float64(r.Stats.Jobs-since.Jobs) / seconds
	settled := float64(r.Stats.Settled-since.Settled) / seconds
	if last := r.Questions[len(r.Questions)-1]; last.Outcome == solver.Unknown && settled > 0 {
		r.Estimate = time.Duration(float64(min(last.Proof, last.Disproof)) / settled * float64(time.Second))
	}
}

// Brief returns the report without the lists of leaves and of the history.
func (r *Report) Brief() *Report {
	brief := *r
	brief.Leaves, brief.History = nil, nil
	return &brief
}
