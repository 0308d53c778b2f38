package retro

import (
	"fmt"
	"math/bits"
	"runtime"

	"github.com/yomikiri/yomikiri/games"
)

// Plan is what a solve will take, as far as it can be known before it begins.
type Plan struct {
	Tiers []TierPlan
	// Peak is the memory that the solve takes if all finished tiers stay in
	// memory, and Least what it takes if they leave it, in bytes. Both are
	// estimates from above.
	Peak, Least uint64
	// Limit is the memory that it may take; 0 for any.
	Limit uint64
	// Disk is the most that database and checkpoints take together, in bytes.
	Disk uint64

	base uint64 // memory that is taken all the time
}

// TierPlan is the part of a plan that is about a tier; sizes are in bytes.
type TierPlan struct {
	Name      string
	Positions uint64 // open ones: those that are kept
	Solving   uint64 // memory while it is solved
	Kept      uint64 // memory afterwards
	Disk      uint64 // in the database, at most

	look uint64 // memory for looking up values on disk while it is solved
}

const (
	// Of a position while it is solved: its count and code, and its places in
	// lists of news and of what was settled, which grow by doubling.
	bytesByDistance = 4
	bytesByScore    = 8
	// baseMemory is for what does not depend on the size of the game: outboxes,
	// messages on the way, caches of the database's writer.
	baseMemory = 160 << 20
)

// PlanOf returns what solving a universe will take.
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
		tier := TierPlan{Name: s.Name, Positions: s.Open, Solving: perPosition * s.Open, Kept: s.Open, Disk: s.Open * 9 / 16}
		if kept > 0 {
			tier.look = 64 * min(s.Open, uint64(threads)*roundSize)
		}
		p.Tiers = append(p.Tiers, tier)
		p.Peak = max(p.Peak, p.base+kept+tier.Solving)
		p.Least = max(p.Least, p.least(len(p.Tiers)-1))
		kept += tier.Kept
		largest = max(largest, s.Open)
		p.Disk += tier.Disk
	}
	// Checkpoints have the codes of finished tiers, and twice the state of one:
	// a new one is whole before the old one goes.
	p.Disk += kept + 2*perPosition*largest
	return p
}

// least returns the memory that solving a tier takes if all tiers before it leave
// memory, where that saves any.
func (p *Plan) least(tier int) uint64 {
	kept := uint64(0)
	for _, s := range p.Tiers[:tier] {
		kept += s.Kept
	}
	s := p.Tiers[tier]
	return p.base + s.Solving + min(kept, s.look)
}

// Check returns an error if there is not enough memory for the plan, or if the
// disk with the given number of free bytes is too small.
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

// bytesText writes a number of bytes with three digits or so.
func bytesText(n uint64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	unit := (bits.Len64(n) - 1) / 10
	return fmt.Sprintf("%.3g %ciB", float64(n)/float64(uint64(1)<<(10*unit)), " KMGTPE"[unit])
}

// makeRoom decides before a tier is solved which finished tiers are in memory.
func (e *engine) makeRoom() error { return e.bring(e.plan.firstKept(e.tier)) }

// firstKept returns the first of the finished tiers that stay in memory while the
// given one is solved: all stay, or the latest, as many as fit.
func (p *Plan) firstKept(tier int) int {
	solving := p.Tiers[tier]
	used, all := p.base+solving.Solving, uint64(0)
	for _, s := range p.Tiers[:tier] {
		all += s.Kept
	}
	if p.Limit == 0 || used+all <= p.Limit {
		return 0
	}
	used += solving.look
	first := tier
	for first > 0 && used+p.Tiers[first-1].Kept <= p.Limit {
		first--
		used += p.Tiers[first].Kept
	}
	return first
}

// bring sees to it that the finished tiers from the given one on are in memory,
// and those before on disk.
func (e *engine) bring(first int) error {
	e.someOnDisk = first > 0
	for tier := range e.tier {
		inMemory := e.files[tier] == nil
		switch {
		case tier < first && inMemory:
			if err := e.dropTier(tier); err != nil {
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
