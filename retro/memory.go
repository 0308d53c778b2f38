package retro

import (
	"fmt"
	"math/bits"
	"runtime"

	"github.com/yomikiri/yomikiri/games"
)

// Plan is what a solve will take, as far as it can be known before it begins.
type Plan struct {
	Slices []SlicePlan
	// Peak is the memory that the solve takes if all finished slices stay in
	// memory, and Least what it takes if they leave it, in bytes. Both are
	// estimates from above.
	Peak, Least uint64
	// Limit is the memory that it may take; 0 for any.
	Limit uint64
	// Disk is the most that database and checkpoints take together, in bytes.
	Disk uint64

	base uint64 // memory that is taken all the time
}

// SlicePlan is the part of a plan that is about a slice; sizes are in bytes.
type SlicePlan struct {
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
		for _, s := range u.Slices {
			p.base += s.Open/4 + (s.Size-s.Open)/8
		}
	}
	kept, largest := uint64(0), uint64(0)
	for _, s := range u.Slices {
		slice := SlicePlan{Name: s.Name, Positions: s.Open, Solving: perPosition * s.Open, Kept: s.Open, Disk: s.Open * 9 / 16}
		if kept > 0 {
			slice.look = 64 * min(s.Open, uint64(threads)*roundSize)
		}
		p.Slices = append(p.Slices, slice)
		p.Peak = max(p.Peak, p.base+kept+slice.Solving)
		p.Least = max(p.Least, p.least(len(p.Slices)-1))
		kept += slice.Kept
		largest = max(largest, s.Open)
		p.Disk += slice.Disk
	}
	// Checkpoints have the codes of finished slices, and twice the state of one:
	// a new one is whole before the old one goes.
	p.Disk += kept + 2*perPosition*largest
	return p
}

// least returns the memory that solving a slice takes if all slices before it leave
// memory, where that saves any.
func (p *Plan) least(slice int) uint64 {
	kept := uint64(0)
	for _, s := range p.Slices[:slice] {
		kept += s.Kept
	}
	s := p.Slices[slice]
	return p.base + s.Solving + min(kept, s.look)
}

// Check returns an error if there is not enough memory for the plan, or if the
// disk with the given number of free bytes is too small.
func (p *Plan) Check(free uint64) error {
	if p.Limit > 0 && p.Least > p.Limit {
		fits := -1
		for i := range p.Slices {
			if p.least(i) > p.Limit {
				break
			}
			fits = i
		}
		hint := ""
		if fits >= 0 && len(p.Slices) > 1 {
			hint = fmt.Sprintf("; slices up to %s fit", p.Slices[fits].Name)
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

// makeRoom decides before a slice is solved which finished slices are in memory.
func (e *engine) makeRoom() error { return e.bring(e.plan.firstKept(e.slice)) }

// firstKept returns the first of the finished slices that stay in memory while the
// given one is solved: all stay, or the latest, as many as fit.
func (p *Plan) firstKept(slice int) int {
	solving := p.Slices[slice]
	used, all := p.base+solving.Solving, uint64(0)
	for _, s := range p.Slices[:slice] {
		all += s.Kept
	}
	if p.Limit == 0 || used+all <= p.Limit {
		return 0
	}
	used += solving.look
	first := slice
	for first > 0 && used+p.Slices[first-1].Kept <= p.Limit {
		first--
		used += p.Slices[first].Kept
	}
	return first
}

// bring sees to it that the finished slices from the given one on are in memory,
// and those before on disk.
func (e *engine) bring(first int) error {
	e.someOnDisk = first > 0
	for slice := range e.slice {
		inMemory := e.files[slice] == nil
		switch {
		case slice < first && inMemory:
			if err := e.dropSlice(slice); err != nil {
				return err
			}
		case slice >= first && !inMemory:
			if err := e.loadSlice(slice); err != nil {
				return err
			}
		}
	}
	return nil
}
