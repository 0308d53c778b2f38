package dfpn

import "sync/atomic"

// activity counts the goroutines that search each position at the moment, by a
// hash of it. Where others search, proof and disproof numbers are raised, so that
// goroutines spread over the tree (virtual proof numbers: Kaneko, "Parallel
// depth first proof number search", 2010; Pawlewicz & Hayward, "Scalable parallel
// DFPN search", 2013). Two positions with one hash share a count, which only
// changes what is searched first.
type activity [1 << activityBits]atomic.Int32

const activityBits = 14

func (a *activity) of(c *Child) *atomic.Int32 {
	return &a[(c.Key^uint64(c.Hand)*0x9e3779b97f4a7c15)>>(64-activityBits)]
}

func (a *activity) enter(c *Child) { a.of(c).Add(1) }

func (a *activity) exit(c *Child) { a.of(c).Add(-1) }

// raise returns the number of a child, raised if somebody is there.
func (a *activity) raise(number uint32, c *Child) uint32 {
	if n := a.of(c).Load(); n > 0 {
		return min(number+uint32(n)*(1+number>>virtualShift), maxNumber)
	}
	return number
}

const (
	virtualShift = 2
	// leastActive and mostActive are how many nodes have been searched below a
	// child where goroutines count. Smaller ones are done before another goroutine
	// could make use of it, and to count there would pass the counts to and fro
	// between the processors' caches. At larger ones a goroutine that is sent away
	// would leave the part of the tree that matters most: better that it parts
	// from the others further down.
	leastActive, mostActive = 1 << 8, 1 << 14
)

// counts reports whether goroutines are counted at a child.
func (a *activity) counts(c *child) bool {
	return a != nil && c.amount >= leastActive && c.amount <= mostActive
}
