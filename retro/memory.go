package retro

import (
	"fmt"
	"math/bits"
	"runtime"

	"github.com/yomikiri/yomikiri/games"
)

// Plan estimates the resources of a solve before it begins.
type Plan struct {
	Tiers []tierPlan
	// Peak is the memory needed with all finished tiers in memory, and Least
	// with all of them on disk, in bytes. Both are meant as upper bounds.
	Peak, Least uint64
	// Limit is the allowed memory in bytes; 0 means no limit.
	Limit uint64
	// Disk is an upper bound of the size of database and checkpoints together,
	// in bytes.
	Disk uint64

	base uint64 // memory needed at all times
}

// tierPlan is the part of a plan for one tier. Sizes are in bytes.
type tierPlan struct {
	Name      string
	Positions uint64 // open indices
	Solving   uint64 // memory while the tier is solved
	Kept      uint64 // memory afterwards
	Disk      uint64 // upper bound of its size in the database

	lookUp uint64 // memory for reading values on disk while the tier is solved
}

const (
	// For each position of the tier being solved: count and code, and entries
	// in deferred updates and frontiers, which grow by doubling.
	bytesByDistance = 4
	bytesByScore    = 8
	// baseMemory is for outboxes, messages on the way, and the writer of the
	// database.
	baseMemory = 160 << 20
)

// PlanOf returns the plan for solving a universe.
func PlanOf(u *games.Universe, cfg Config) *Plan {
	cfg.choosePositions(u)
	threads := cfg.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	p := &Plan{Limit: cfg.Memory, base: baseMemory}
	perPosition := uint64(bytesByDistance)
	if u.Order == games.ByScore {
		perPosition = bytesByScore
	}
	if cfg.Positions == Reachable {
		for _, s := range u.Tiers {
			p.base += s.Open/4 + (s.Size-s.Open)/8
		}
	}
	kept, largest := uint64(0), uint64(0)
	for _, s := range u.Tiers {
		tier := tierPlan{Name: s.Name, Positions: s.Open, Solving: perPosition * s.Open, Kept: s.Open, Disk: s.Open * 9 / 16}
		if kept > 0 {
			tier.lookUp = 64 * min(s.Open, uint64(threads)*roundSize)
		}
		p.Tiers = append(p.Tiers, tier)
		p.Peak = max(p.Peak, p.base+kept+tier.Solving)
		p.Least = max(p.Least, p.least(len(p.Tiers)-1))
		kept += tier.Kept
		largest = max(largest, s.Open)
		p.Disk += tier.Disk
	}
	// Tier files hold the codes of finished tiers. There can be two checkpoints
	// of a tier being solved, since a new one is completed before the old one is
	// removed.
	p.Disk += kept + 2*perPosition*largest
	return p
}

// least returns the memory needed to solve a tier with all earlier tiers on disk, if
// that saves any.
func (p *Plan) least(tier int) uint64 {
	kept := uint64(0)
	for _, s := range p.Tiers[:tier] {
		kept += s.Kept
	}
	s := p.Tiers[tier]
	return p.base + s.Solving + min(kept, s.lookUp)
}

// Check returns an error if the plan exceeds the memory limit or the given number of
// free bytes on disk.
func (p *Plan) Check(free uint64) error {
	if p.Limit > 0 && p.Least > p.Limit {
		fits := -1
		for i := range p.Tiers {
			if p.least(i) > p.Limit {
				break
			}
			fits = i
		}
		hint := ""
		if fits >= 0 && len(p.Tiers) > 1 {
			hint = fmt.Sprintf("; tiers up to %s fit", p.Tiers[fits].Name)
		}
		return fmt.Errorf("retro: solving needs at least %s of memory, and %s is allowed%s", bytesText(p.Least), bytesText(p.Limit), hint)
	}
	if p.Disk > free {
		return fmt.Errorf("retro: solving takes up to %s of disk, and %s is free", bytesText(p.Disk), bytesText(free))
	}
	return nil
}

// bytesText formats a number of bytes with three significant digits.
func bytesText(n uint64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	unit := (bits.Len64(n) - 1) / 10
	return fmt.Sprintf("%.3g %ciB", float64(n)/float64(uint64(1)<<(10*unit)), " KMGTPE"[unit])
}

// makeRoom decides, before a tier is solved, which finished tiers are in memory.
func (e *engine) makeRoom() error { return e.setResident(e.plan.firstResident(e.tier)) }

// firstResident returns the first finished tier that stays in memory while the given
// one is solved: all stay, or as many of the latest as fit.
func (p *Plan) firstResident(tier int) int {
	solving := p.Tiers[tier]
	used, all := p.base+solving.Solving, uint64(0)
	for _, s := range p.Tiers[:tier] {
		all += s.Kept
	}
	if p.Limit == 0 || used+all <= p.Limit {
		return 0
	}
	used += solving.lookUp
	first := tier
	for first > 0 && used+p.Tiers[first-1].Kept <= p.Limit {
		first--
		used += p.Tiers[first].Kept
	}
	return first
}

// setResident loads the finished tiers from first on and evicts the earlier ones.
func (e *engine) setResident(first int) error {
	e.someOnDisk = first > 0
	for tier := range e.tier {
		inMemory := e.files[tier] == nil
		switch {
		case tier < first && inMemory:
			if err := e.evictTier(tier); err != nil {
				return err
			}
		case tier >= first && !inMemory:
			if err := e.loadTier(tier); err != nil {
				return err
			}
		}
	}
	return nil
}
