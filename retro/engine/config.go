package engine

import (
	"fmt"
	"runtime"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Positions selects the positions of a game to solve.
type Positions string

const (
	// Reachable are the positions reachable from the start position. Play ends at
	// a finished position.
	Reachable Positions = "reachable"
	// All are all positions with an index.
	All Positions = "all"
)

// Config configures a solve. The zero Config is ready for use. Only Positions changes
// the result.
type Config struct {
	Positions Positions // if empty, All where values are scores and otherwise Reachable

	// Threads is the number of workers; 0 means one for each processor.
	Threads int
	// Partitions is the minimum number of partitions of the largest tier; 0
	// means one that suits the caches.
	Partitions int
	// BatchSize is the maximum number of messages of a batch; 0 means 1024.
	BatchSize int

	// Memory is the memory limit in bytes; 0 means none. Tiers that do not fit are kept on
	// disk, which requires Checkpoint.
	Memory uint64
	// Plan is the plan for this solve by [PlanOf], or nil. Progress reports estimate the
	// time with it, and a memory limit needs it: if Memory is set and Plan is nil, the
	// solve makes one.
	Plan *Plan

	// Checkpoint is the directory for checkpoints; none are kept if it is empty.
	Checkpoint string
	// CheckpointEvery is the time between checkpoints; 0 means only when the
	// solve is interrupted.
	CheckpointEvery time.Duration

	// From, if not nil, is a database of all positions of a smaller part of the game, with the
	// same rules. A solve that begins takes its tiers over; one that goes on has them already.
	From *db.DB

	// Progress, if not nil, is called by a goroutine of its own every
	// ProgressEvery (0 means every second).
	Progress      func(Progress)
	ProgressEvery time.Duration

	FS vfs.FS // vfs.Default if nil

	// For tests; the zero values mean the defaults.
	reverseLimit uint64
	slab         int            // words in a slab
	arrived      func([]*Batch) // is called with the batches that a worker receives
}

// Check returns an error if a field is out of range.
func (c Config) Check() error {
	_, err := c.WithDefaults()
	return err
}

// WithDefaults returns the configuration with the defaults of all fields that do not depend
// on the game, or an error if a field is out of range.
func (c Config) WithDefaults() (Config, error) {
	if c.Positions != "" && c.Positions != Reachable && c.Positions != All {
		return c, fmt.Errorf("positions %q: want %q or %q", c.Positions, Reachable, All)
	}
	if c.FS == nil {
		c.FS = vfs.Default
	}
	if c.Threads == 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	if c.BatchSize == 0 {
		c.BatchSize = 1024
	}
	if c.slab == 0 {
		c.slab = slabWords
	}
	if c.ProgressEvery == 0 {
		c.ProgressEvery = time.Second
	}
	if c.CheckpointEvery < 0 {
		return c, fmt.Errorf("checkpoints every %v: want 0 or more", c.CheckpointEvery)
	}
	if c.Threads < 1 || c.Threads > 1024 {
		return c, fmt.Errorf("%d threads: want 1 to 1024", c.Threads)
	}
	if c.BatchSize < 1 || c.BatchSize > 1<<20 {
		return c, fmt.Errorf("batch size %d: want 1 to %d", c.BatchSize, 1<<20)
	}
	if c.Partitions < 0 || c.Partitions > maxPartitions {
		return c, fmt.Errorf("%d partitions: want 1 to %d", c.Partitions, maxPartitions)
	}
	return c, nil
}

// ChoosePositions sets the default of Positions: all of a game with scores, since a score
// does not depend on how the position was reached.
func (c *Config) ChoosePositions(u *games.Universe) {
	switch {
	case c.Positions != "":
	case u.Order == games.ByScore:
		c.Positions = All
	default:
		c.Positions = Reachable
	}
}

// Counts counts the work of a solve.
type Counts struct {
	Positions uint64 // expanded or retracted
	Moves     uint64 // made or unmade
	Messages  uint64
	Batches   uint64
	Bytes     uint64 // of all messages
	Settled   uint64 // positions settled as won or lost

	// Of tiers that do not fit in memory: partitions loaded, and bytes read and written for
	// them and for messages.
	Loads, Read, Written uint64

	Packets uint64 // sent to other nodes
	Sent    uint64 // bytes of all packets

	// Of nodes: CPU time, and the part of it spent on messages: packing, unpacking,
	// answering, and time in the kernel.
	CPU, Messaging time.Duration
}

// Add adds the counts of other work.
func (c *Counts) Add(d Counts) {
	c.Positions += d.Positions
	c.Moves += d.Moves
	c.Messages += d.Messages
	c.Batches += d.Batches
	c.Bytes += d.Bytes
	c.Settled += d.Settled
	c.Loads += d.Loads
	c.Read += d.Read
	c.Written += d.Written
	c.Packets += d.Packets
	c.Sent += d.Sent
	c.CPU += d.CPU
	c.Messaging += d.Messaging
}

func (c Counts) minus(d Counts) Counts {
	return Counts{
		Positions: c.Positions - d.Positions,
		Moves:     c.Moves - d.Moves,
		Messages:  c.Messages - d.Messages,
		Batches:   c.Batches - d.Batches,
		Bytes:     c.Bytes - d.Bytes,
		Settled:   c.Settled - d.Settled,
		Loads:     c.Loads - d.Loads,
		Read:      c.Read - d.Read,
		Written:   c.Written - d.Written,
		Packets:   c.Packets - d.Packets,
		Sent:      c.Sent - d.Sent,
		CPU:       c.CPU - d.CPU,
		Messaging: c.Messaging - d.Messaging,
	}
}

// Pass is a part of a solve: the forward pass, initialising a tier, the levels of a
// tier, or writing the database.
type Pass struct {
	Name   string
	Tier   int
	Time   time.Duration
	Memory uint64 // resident at the end, in bytes
	Counts Counts

	// Partitions is the number of partitions on disk, and Levels the number of levels done.
	Partitions, Levels int
	level              int // the last level done
}
