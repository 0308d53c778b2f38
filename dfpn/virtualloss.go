package dfpn

import "sync/atomic"

// virtualLosses counts the workers that are searching each position, indexed by a
// hash of it. A child's number is raised while others search it, so that workers
// spread over the tree (Kaneko, "Parallel depth first proof number search", 2010;
// Pawlewicz & Hayward, "Scalable parallel DFPN search", 2013). Positions with the
// same hash share a count, which only changes the order of the search.
type virtualLosses [1 << virtualLossBits]atomic.Int32

const (
	virtualLossBits  = 14
	virtualLossShift = 2

	// Virtual loss applies to children with this many nodes searched below
	// them. Smaller ones are done before another worker could make use of it,
	// and their counters would only bounce between caches. In larger subtrees
	// virtual loss would push workers away from the critical line; they should
	// diverge deeper down.
	minVirtualLoss, maxVirtualLoss = 1 << 8, 1 << 14
)

func (v *virtualLosses) of(c *Child) *atomic.Int32 {
	return &v[(c.Key^uint64(c.Hand)*0x9e3779b97f4a7c15)>>(64-virtualLossBits)]
}

// applies reports whether workers are counted at a child. v is nil if there is
// only one worker.
func (v *virtualLosses) applies(c *child) bool {
	return v != nil && c.amount >= minVirtualLoss && c.amount <= maxVirtualLoss
}

// raise returns the number of a child with the virtual loss added.
func (v *virtualLosses) raise(number uint32, c *Child) uint32 {
	if n := v.of(c).Load(); n > 0 {
		return min(number+uint32(n)*(1+number>>virtualLossShift), maxNumber)
	}
	return number
}
