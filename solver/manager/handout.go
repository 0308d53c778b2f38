package manager

import (
	"cmp"
	"encoding/binary"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/solver"
)

// fill hands out jobs until the given number are out: first those that complete the proof
// of a node, then the most-proving leaves.
func (f *FrontEnd) fill(jobs int) error {
	for f.root != nil && len(f.jobs) < jobs {
		if len(f.closing) > 0 {
			n := f.closing[0]
			f.closing = f.closing[1:]
			if n.outcome == solver.Unknown && n.job == nil && f.wanted(n) {
				f.hand(n, f.closingJob(n))
			}
			continue
		}
		if err := f.advance(); err != nil || f.root == nil {
			return err
		}
		n, most := f.pick()
		if n == nil && f.passed > 0 && f.rules.Repeats() {
			f.passed = f.numbered // numbers that support each other may hide a leaf
			f.touch(f.root)
			continue
		}
		if n == nil {
			if p, d := f.root.number(f.threshold); (p == 0 || d == 0 || len(f.jobs) == 0) && f.raise() {
				continue
			}
			return nil
		}
		budget := f.budget(n)
		f.hand(n, solver.Job{
			Question: n.Question, Budget: budget, Proof: most.proof, Disproof: most.disproof,
			Expand: f.ready(n.jobs+1, n.spent+budget, f.stats.Nodes+budget),
		})
	}
	return nil
}

// budget returns the budget of the next job of a node.
func (f *FrontEnd) budget(n *node) uint64 { return f.policy.Budget << min(n.jobs, maxDoublings) }

// closingJob returns the job that completes the proof of a node whose children are all
// settled.
func (f *FrontEnd) closingJob(n *node) solver.Job {
	j := solver.Job{Question: n.Question, Budget: f.budget(n), Close: n.children[0].outcome}
	for _, c := range n.children {
		j.Known = append(j.Known, c.Position)
	}
	return j
}

// hand hands out a job.
func (f *FrontEnd) hand(n *node, j solver.Job) {
	j.Whole = n.whole || f.index != nil && f.index.Full()
	out := &running{node: n, id: jobID(f.manifest.Game, &j), job: j, since: f.now, offered: f.now, number: f.stats.Handed}
	f.stats.Handed++
	f.jobs[out.id] = out
	n.job = out
	f.touch(n)
	f.actions.Offer = append(f.actions.Offer, out.offer())
}

// offer returns the job for the carrier.
func (r *running) offer() cluster.Job { return cluster.Job{ID: r.id, Body: &r.job} }

// sortedJobs returns the jobs that are out, the oldest first.
func (f *FrontEnd) sortedJobs() (list []*running) {
	for _, out := range f.jobs {
		list = append(list, out)
	}
	slices.SortFunc(list, func(a, b *running) int { return cmp.Compare(a.number, b.number) })
	return list
}

// offerAgain offers a job again if the time after has passed since its last offer.
func (f *FrontEnd) offerAgain(after time.Duration) {
	for _, out := range f.sortedJobs() {
		if f.now-out.offered >= after {
			out.offered = f.now
			f.actions.Offer = append(f.actions.Offer, out.offer())
		}
	}
}

// jobID returns the ID of a job.
func jobID(game string, j *solver.Job) cluster.ID {
	numbers := binary.LittleEndian.AppendUint64(nil, j.Budget)
	numbers = binary.LittleEndian.AppendUint32(numbers, j.Proof)
	numbers = binary.LittleEndian.AppendUint32(numbers, j.Disproof)
	numbers = append(numbers, byte(j.Close))
	for _, set := range []bool{j.Attacker, j.Expand, j.Whole} {
		if set {
			numbers = append(numbers, 1)
		}
		numbers = append(numbers, 0)
	}
	parts := [][]byte{[]byte(game), []byte(j.Position), numbers}
	for _, position := range j.Known {
		parts = append(parts, []byte(position))
	}
	return cluster.NewID(parts...)
}
