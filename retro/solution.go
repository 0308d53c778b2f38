package retro

import (
	"context"
	"errors"
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

	// Progress, if not nil, is called by a goroutine of its own every
	// ProgressEvery (0 means every second).
	Progress      func(Progress)
	ProgressEvery time.Duration

	FS vfs.FS // vfs.Default if nil

	// For tests; the zero values mean the defaults.
	transport    transport
	reverseLimit uint64
	slab         int // words in a slab

	member *member // of a solve by several nodes
}

// Check returns an error if a field is out of range.
func (c Config) Check() error {
	_, err := c.withDefaults()
	return err
}

func (c Config) withDefaults() (Config, error) {
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

// choosePositions sets the default of Positions: all of a game with scores, since a score
// does not depend on how the position was reached.
func (c *Config) choosePositions(u *games.Universe) {
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
	return Counts{c.Positions - d.Positions, c.Moves - d.Moves, c.Messages - d.Messages,
		c.Batches - d.Batches, c.Bytes - d.Bytes, c.Settled - d.Settled, c.Loads - d.Loads, c.Read - d.Read, c.Written - d.Written,
		c.Packets - d.Packets, c.Sent - d.Sent, c.CPU - d.CPU, c.Messaging - d.Messaging}
}

// Pass is a part of a solve: the forward pass, initialising a tier, the levels of a
// tier, or writing the database.
type Pass struct {
	Name   string
	Tier   int `json:"Slice"`
	Time   time.Duration
	Memory uint64 // resident at the end, in bytes
	Counts Counts

	// Partitions is the number of partitions on disk, and Levels the number of levels done.
	Partitions, Levels int
	level              int // the last level done
}

// Solution holds the values of all solved positions.
type Solution struct {
	Universe  *games.Universe
	Positions Positions
	Tiers     []tierCounts
	Passes    []Pass
	Time      time.Duration
	Resumed   int // number of continuations from a checkpoint

	e *engine
}

// tierCounts counts the positions of a tier.
type tierCounts struct {
	Open   uint64 // unfinished positions
	Moves  uint64 // of unfinished positions
	Values map[games.Value]uint64
	// Finished counts those positions in Values that the rules decide.
	Finished map[games.Value]uint64
}

// ErrInterrupted is returned when the context ends before the solve does.
var ErrInterrupted = errors.New("interrupted")

// Analyze solves a universe in memory. If the context ends first it writes a
// checkpoint, if cfg.Checkpoint is set, and returns an error that is
// [ErrInterrupted]. It resumes from an existing checkpoint.
func Analyze(ctx context.Context, u *games.Universe, cfg Config) (*Solution, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.Memory > 0 && cfg.Checkpoint == "" {
		return nil, errors.New("a memory limit needs a directory for the tiers that do not fit (Config.Checkpoint)")
	}
	cfg.choosePositions(u)
	file, r, header, err := openCheckpoint(&cfg)
	if err != nil {
		return nil, err
	}
	if header != nil {
		cfg.Partitions = header.Partitions
	}
	e, err := newEngine(u, cfg)
	if err == nil && header != nil {
		err = e.load(ctx, r, header)
	}
	if file != nil {
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return nil, err
	}
	err = e.run(ctx)
	if errors.Is(err, errStopped) {
		err = e.leave()
	}
	if err = errors.Join(err, e.closeAllScratch()); err != nil {
		return nil, err
	}
	return e.solution(), nil
}

// leave writes a last checkpoint and returns the error of an interrupted solve.
func (e *engine) leave() error {
	if e.quit.Load() {
		return fmt.Errorf("%w after %v; the work since the last checkpoint is lost, since another would take about %v",
			ErrInterrupted, e.elapsed().Round(time.Second), time.Duration(e.slow.Load()).Round(time.Second))
	}
	if err := e.save(); err != nil {
		return fmt.Errorf("stopped; the work since the last checkpoint is lost: %w", err)
	}
	return fmt.Errorf("%w after %v", ErrInterrupted, e.elapsed().Round(time.Second))
}

func (e *engine) solution() *Solution {
	s := &Solution{
		Universe:  e.universe,
		Positions: e.cfg.Positions,
		Passes:    e.state.Passes,
		Time:      e.elapsed(),
		Resumed:   e.state.Resumed,
		e:         e,
	}
	for _, counted := range e.state.Tiers {
		c := tierCounts{
			Open: counted.Open, Moves: counted.Moves,
			Values: map[games.Value]uint64{}, Finished: map[games.Value]uint64{},
		}
		draws := counted.Open
		for code, n := range counted.Settled {
			if n > 0 {
				c.Values[e.valueOf(uint16(code))] += n
				draws -= n
			}
		}
		if draws > 0 {
			c.Values[games.Draw] += draws
		}
		for number, n := range counted.Finished {
			if n > 0 {
				v := e.state.Outcomes[number-1]
				c.Finished[v] += n
				c.Values[v] += n
			}
		}
		s.Tiers = append(s.Tiers, c)
	}
	return s
}

// Value returns the value of the unfinished position with the given index, and false
// if it was not solved or its value cannot be read from disk.
func (s *Solution) Value(index uint64) (games.Value, bool) {
	r := s.e.layout.find(index, &s.e.layout.regions[0])
	if !r.open {
		return 0, false
	}
	code, err := s.e.codeOf(r, index)
	if err != nil || code == codeNone {
		return 0, false
	}
	return s.e.valueOf(code), true
}

// first returns the smallest index of an unfinished position with the value v.
func (s *Solution) first(v games.Value) uint64 {
	e := s.e
	for tier, c := range s.Tiers {
		if c.Values[v] == c.Finished[v] {
			continue
		}
		open := e.universe.Tiers[tier]
		r := e.layout.find(open.Start, &e.layout.regions[0])
		for index := open.Start; index < open.Start+open.Open; index++ {
			if code, err := e.codeOf(r, index); err == nil && code != codeNone && e.valueOf(code) == v {
				return index
			}
		}
	}
	return ^uint64(0)
}

// StartValue returns the value of the start position.
func (s *Solution) StartValue() games.Value {
	if v, ok := s.Value(s.Universe.Start); ok {
		return v
	}
	var x games.Expansion
	s.Universe.Expander.Expand([]uint64{s.Universe.Start}, &x)
	return x.Status[0]
}

// codeTable returns the code in a database with the given values for each code of e.
func (e *engine) codeTable(values []games.Value) []uint16 {
	table := make([]uint16, len(e.state.Codes)+codes)
	for i, v := range values {
		if v == games.Draw {
			table[codeDraw] = uint16(i + 1)
		}
		for j, known := range e.state.Codes {
			if known == v {
				table[j+codes] = uint16(i + 1)
			}
		}
	}
	return table
}

// source returns the blocks of the open parts for a database with the given values.
func (s *Solution) source(values []games.Value) db.Source {
	table := s.e.codeTable(values)
	width := (&db.Content{Values: values}).Width()
	return func(tier int, block uint64, dst []byte) error {
		if f := s.e.files[tier]; f != nil {
			return f.block(block, table, width, dst)
		}
		index := s.Universe.Tiers[tier].Start + block*db.BlockSize
		r := s.e.layout.find(index, &s.e.layout.regions[0])
		number, slot := r.locate(index)
		s.e.partitions[number].block(slot, table, width, dst)
		return nil
	}
}
