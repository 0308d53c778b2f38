package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
)

// Plan estimates the resources of a solve before it begins, from a sample of the
// positions. Sizes are in bytes and meant as upper bounds.
type Plan struct {
	Tiers []tierPlan
	// Peak is the memory needed with everything in memory, and Least with all
	// tiers on disk, the one being solved too.
	Peak, Least uint64
	// Limit is the allowed memory; 0 means no limit.
	Limit uint64
	// Disk is the peak size of database, checkpoints and scratch files together, and
	// Database the size of the database alone.
	Disk, Database uint64
	// Read and Written are the approximate numbers of bytes read and written to solve tiers
	// on disk.
	Read, Written uint64

	base, diskBase uint64 // memory needed at all times, with the forward pass in memory or on disk
	reach          uint64 // additional memory for the forward pass on disk
	settles        bool   // by the game's Settler, in memory
	bucket         uint64 // positions of a bucket of requests for values on disk
	requests       uint64 // that a worker collects before it replies
}

// tierPlan is the part of a plan for one tier. Sizes are in bytes.
type tierPlan struct {
	Name      string
	Positions uint64 // open indices
	Solving   uint64 // memory while the tier is solved
	Kept      uint64 // memory afterwards
	Disk      uint64 // size in the database
	OnDisk    bool   // while it is solved

	stored     uint64 // memory while the tier is solved on disk
	scratch    uint64 // its scratch files
	lookUp     uint64 // memory for reading values on disk while the tier is solved
	later      uint64 // memory needed at all times, for the tiers after this one
	unfinished float64
	// The work of a pass over all positions, and of the levels. The unit is the work for
	// one successor in such a pass; the ratios were measured.
	forward, levels float64
}

const (
	// baseMemory is for the runtime and the writer of the database.
	baseMemory = 16 << 20
	// codeMemory is for the program's code, as measured for the command. The memory limit
	// of the Go runtime does not include it.
	codeMemory = 33 << 20
	// Bits of an unfinished position in a database of distances or of scores, and
	// in the file of a tier, as measured.
	distanceBits, scoreBits, resultBits, tierFileBits = 5.5, 4.5, 1.5, 6.8
	// Bytes read and written for each unfinished position of a tier on disk, as measured
	// for Dōbutsu shōgi and awari.
	distanceRead, distanceWritten = 200, 170
	scoreRead, scoreWritten       = 450, 380
	// storedMemory is the memory per slot of the one partition in memory while its tier is
	// on disk: for its arrays and frontiers, and for a checkpoint of them.
	storedMemory = 9
	// idleWork is the work of a pass for an index without an unfinished position, as measured for Breakthrough: see tierPlan.
	idleWork = 3.0
	// overhead is the size of the files of a database without blocks.
	overhead = 32 << 10
)

// PlanOf returns the plan for solving a universe. It expands a sample of the positions.
func PlanOf(u *games.Universe, cfg Config) *Plan {
	cfg.ChoosePositions(u)
	cfg, _ = cfg.WithDefaults() // Solve reports what is wrong
	p := &Plan{Limit: cfg.Memory, base: baseMemory, settles: settles(u, cfg)}
	threads, batch := uint64(cfg.Threads), uint64(4*cfg.BatchSize)
	size := partitionSize(u, cfg.Partitions)
	partitions, largest := uint64(0), uint64(0)
	var samples []sample
	for i, t := range u.Tiers {
		samples = append(samples, sampleTier(u, i, cfg.Positions))
		partitions += 1<<partitionBits(t.Open, size) + 1<<partitionBits(t.Size-t.Open, closedSize(size))
		largest = max(largest, t.Open)
	}
	// Outboxes, and the slots of a partition with a deferred value.
	pairs := func(open uint64) uint64 { // wins and decrements of scores have their own
		if u.Order == games.ByDistance {
			return 0
		}
		return 1 << partitionBits(open, size)
	}
	boxes := partitions + pairs(largest)
	p.base += threads*boxes*batch + 4*threads*min(size, largest)
	// Batches in flight.
	p.diskBase = p.base + min(threads*throttleOnDisk*batch, 4*largest)
	p.base += min(threads*throttleAt*batch, 4*largest)
	frames := storedMemory * threads * min(size, largest)
	// At this size a buffer for one bucket takes about as much memory as a slab for each bucket.
	p.bucket = max(uint64(math.Sqrt(float64(u.Size()*4*slabWords/2)))/pieceSize, 1) * pieceSize
	p.requests = max(largest/(requestWords*threads), chunk)
	bits := 0.0 // the bits of reached positions in a checkpoint
	if cfg.Positions == Reachable {
		p.reach = frames + partitions*4*slabWords
		all := 0.0
		for i, t := range u.Tiers {
			// Until all positions are known, any partition may have messages.
			p.base += inboxes(t.Open, size) + inboxes(t.Size-t.Open, closedSize(size))
			p.base += t.Open/4 + (t.Size-t.Open)/8
			bits += samples[i].openBits * float64(t.Open)
			all += samples[i].closedBits * float64(t.Size-t.Open)
		}
		if all += bits; len(u.Tiers) == 1 {
			all += samples[0].bytes * float64(u.Tiers[0].Open)
		}
		p.Disk = uint64(2 * all)
	}
	valueBits, levelWork := distanceBits, 1.0
	switch u.Order {
	case games.ByScore:
		valueBits, levelWork = scoreBits, 2.0
	case games.ByResult:
		valueBits = resultBits
	}
	kept, files, soFar := uint64(0), uint64(0), uint64(0)
	largest = 0 // of the tiers so far
	for i, t := range u.Tiers {
		s, open := samples[i], float64(t.Open)
		unfinished := s.unfinished * open
		tier := tierPlan{Name: t.Name, Positions: t.Open, unfinished: unfinished}
		soFar += 1<<partitionBits(t.Open, size) + 1<<partitionBits(t.Size-t.Open, closedSize(size))
		largest = max(largest, t.Open)
		tier.later = threads * batch * (boxes - soFar - pairs(largest))
		tier.forward, tier.levels = s.moves*open, levelWork*s.edges*open
		if cfg.Positions == All {
			tier.forward += idleWork * (1 - s.unfinished) * open
		}
		tier.Disk = uint64(unfinished * valueBits / 8)
		tier.Kept = slotsOf(t.Open, size)
		// Counts and codes, frontiers, and an inbox for each partition.
		tier.Solving = 2*tier.Kept + uint64(unfinished/2) + inboxes(t.Open, size)
		if u.Retractor == nil && s.edges > 0 {
			tier.Solving += 8*t.Open + uint64(4*s.edges*open)
		}
		if kept > 0 {
			tier.lookUp = threads * (2*min(p.bucket, kept) + kept/p.bucket*4*slabWords)
		}
		if p.settles { // codes, and a bit for each position of the tier and of that before
			tier.Solving, tier.lookUp = tier.Kept+t.Open/8, 0
			if i > 0 {
				tier.Solving += u.Tiers[i-1].Open / 8
			}
		}
		p.planStored(&tier, min(frames, storedMemory*threads*t.Open), 1<<partitionBits(t.Open, size), s.edges*open)
		p.Tiers = append(p.Tiers, tier)
		p.Peak = max(p.Peak, process(p.base+kept+tier.Solving))
		kept += tier.Kept

		// A new checkpoint is completed before the old one is removed.
		checkpoint := uint64(s.bytes*open + bits + unfinished/3) // with frontiers
		p.Database += tier.Disk
		p.Disk = max(p.Disk, files+2*checkpoint, files+checkpoint+p.Database)
		files += uint64(unfinished * tierFileBits / 8)
		bits -= s.openBits * open
	}
	p.Database += overhead
	scratch := uint64(0)
	for i := range p.Tiers {
		t := &p.Tiers[i]
		if t.OnDisk = p.onDisk(i); t.OnDisk {
			scratch = max(scratch, t.scratch)
			read, written := float64(distanceRead), float64(distanceWritten)
			if u.Order == games.ByScore {
				read, written = scoreRead, scoreWritten
			}
			p.Read += uint64(read * t.unfinished)
			p.Written += uint64(written * t.unfinished)
		}
		p.Least = max(p.Least, min(p.inMemory(i), p.stored(i)))
	}
	p.Disk += p.Disk/20 + overhead + scratch
	return p
}

// planStored plans to solve a tier on disk; partitions counts its partitions, and edges the
// moves that stay in the tier.
func (p *Plan) planStored(t *tierPlan, frames, partitions uint64, edges float64) {
	// Lists of messages and frontiers, or of replies.
	t.stored = frames + min(4*partitions*4*slabWords, 8*t.Positions)
	if p.settles {
		t.stored = t.Solving
	}
	t.scratch = 2*t.Kept + max(4*t.Positions, uint64(2*edges))
}

// inMemory returns the memory needed to solve a tier in memory, with all earlier tiers on
// disk if that takes less.
func (p *Plan) inMemory(tier int) uint64 {
	s := p.Tiers[tier]
	kept := uint64(0)
	for _, s := range p.Tiers[:tier] {
		kept += s.Kept
	}
	return process(p.base + s.Solving + min(kept, s.lookUp))
}

// stored returns the memory needed to solve a tier on disk.
func (p *Plan) stored(tier int) uint64 {
	s := p.Tiers[tier]
	return process(p.diskBase + max(s.stored+s.lookUp, p.reach))
}

// onDisk reports whether a tier has to be solved on disk.
func (p *Plan) onDisk(tier int) bool {
	return p != nil && p.Limit > 0 && !p.settles && p.inMemory(tier) > p.Limit
}

// inboxes returns the size of the messages that may wait for the partitions of a region.
func inboxes(indices, partitionSize uint64) uint64 {
	return 4 * min(applyAt<<partitionBits(indices, partitionSize), 2*indices)
}

// Share returns the plan for one of several nodes, which keep all solved tiers in memory.
func (p *Plan) Share(nodes int) *Plan {
	n := uint64(nodes)
	q := &Plan{Limit: p.Limit, Disk: p.Disk / n, Database: p.Database / n, base: p.base + 2*n*congestedBytes}
	kept := uint64(0)
	for _, t := range p.Tiers {
		t.Solving, t.Kept, t.lookUp = t.Solving/n, t.Kept/n, 0
		q.Tiers = append(q.Tiers, t)
		q.Peak = max(q.Peak, process(q.base+kept+t.Solving))
		kept += t.Kept
	}
	q.Least = q.Peak
	return q
}

// congestedBytes limits the bytes that wait to be sent to a node, and likewise those in
// flight to it.
const congestedBytes = 2 << 20

// GoLimit returns the memory limit of the Go runtime that keeps a solve within the
// plan; see SetMemoryLimit of runtime/debug. For a small solve it is 64 MiB if as much is allowed, since
// the program may have other things in memory, and would only collect garbage.
func (p *Plan) GoLimit() int64 {
	most := max(p.Peak, codeMemory+64<<20)
	if p.Limit > 0 {
		most = max(min(most, p.Limit), p.Least)
	}
	limit := most - codeMemory
	if p.anyOnDisk() {
		limit -= limit / 16 // the limit is soft, and a solve on disk runs at it all the time
	}
	return int64(limit)
}

// withGarbage adds the garbage collector's headroom to the memory in use.
func withGarbage(bytes uint64) uint64 { return bytes + bytes/10 }

// process returns the memory of the process when bytes are in use.
func process(bytes uint64) uint64 { return codeMemory + withGarbage(bytes) }

// Check returns an error if the plan exceeds the memory limit or the given number of
// free bytes on disk.
func (p *Plan) Check(free uint64) error {
	if p.Limit > 0 && p.Least > p.Limit {
		fits := -1
		for i := range p.Tiers {
			if min(p.inMemory(i), p.stored(i))-withGarbage(p.Tiers[i].later) > p.Limit {
				break
			}
			fits = i
		}
		hint := ""
		if fits >= 0 && len(p.Tiers) > 1 {
			hint = fmt.Sprintf("; tiers up to %s fit", p.Tiers[fits].Name)
		}
		return fmt.Errorf("solving needs at least %s of memory, and %s is allowed%s", memory.Text(p.Least), memory.Text(p.Limit), hint)
	}
	if p.Disk > free {
		return fmt.Errorf("solving takes up to %s of disk, and %s is free", memory.Disk(p.Disk), memory.Disk(free))
	}
	return nil
}

// makeRoom decides, before a tier is solved, which solved tiers are in memory: those that it does
// not need are the first to leave it.
func (e *Engine) makeRoom() error {
	needed := e.universe.Children(e.tier)
	var list []int
	for tier, resident := range e.resident {
		if _, needs := slices.BinarySearch(needed, tier); resident && !needs {
			list = append(list, tier)
		}
	}
	list = append(list, needed...)
	if err := e.setResident(e.plan.firstResident(e.tier, list), list); err != nil {
		return err
	}
	e.someOnDisk = slices.ContainsFunc(needed, func(tier int) bool { return !e.resident[tier] })
	return nil
}

// anyOnDisk reports whether any tier has to be solved on disk. If so, the forward pass is
// done on disk too.
func (p *Plan) anyOnDisk() bool {
	if p == nil {
		return false
	}
	for i := range p.Tiers {
		if p.onDisk(i) {
			return true
		}
	}
	return false
}

// firstResident returns the first one of a list of solved tiers that is in memory while the given
// tier is solved: all are if they fit, otherwise only the last ones.
func (p *Plan) firstResident(tier int, list []int) int {
	if p == nil || p.Limit == 0 {
		return 0
	}
	solving := p.Tiers[tier]
	used := p.base + solving.Solving
	kept := uint64(0)
	for _, n := range list {
		kept += p.Tiers[n].Kept
	}
	switch {
	case process(used+kept) <= p.Limit:
		return 0
	case p.onDisk(tier):
		return len(list)
	}
	used += solving.lookUp
	first := len(list)
	for first > 0 && process(used+p.Tiers[list[first-1]].Kept) <= p.Limit {
		first--
		used += p.Tiers[list[first]].Kept
	}
	return first
}

// setResident loads the tiers of a list from first on and evicts the earlier ones.
func (e *Engine) setResident(first int, list []int) error {
	for i, tier := range list {
		switch {
		case i < first && e.resident[tier]:
			if err := e.evictTier(tier); err != nil {
				return err
			}
		case i >= first && !e.resident[tier]:
			if err := e.loadTier(tier); err != nil {
				return err
			}
		}
	}
	return nil
}
