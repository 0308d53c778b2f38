package engine

import (
	"encoding/binary"
	"runtime"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/memory"
)

// Manifest describes the database of a solution, with the value of the start position. First
// returns the smallest index of an unfinished position with a value.
func (s *Solution) Manifest(start games.Value, first func(games.Value) uint64) *db.Manifest {
	c := db.Content{
		Game:       s.Universe.Name,
		Order:      s.Universe.Order.String(),
		Positions:  string(s.Positions),
		Start:      s.Universe.Start,
		StartValue: start,
		Numbering:  s.Universe.Numbering,

		Rules: s.Universe.Rules, RulesDigest: games.RulesDigest(s.Universe.Rules),
	}
	for i, tier := range s.Universe.Tiers {
		counted := s.Tiers[i]
		d := db.Tier{
			Name: tier.Name, Start: tier.Start, Size: tier.Size, Open: tier.Open,
			Unfinished: counted.Unfinished, Moves: counted.Moves,
		}
		for v, n := range counted.Values {
			d.Counts = append(d.Counts, db.Count{Value: v, Positions: n, Finished: counted.Finished[v]})
			if n > counted.Finished[v] && !slices.Contains(c.Values, v) {
				c.Values = append(c.Values, v)
			}
		}
		db.SortCounts(d.Counts)
		c.Tiers = append(c.Tiers, d)
	}
	slices.Sort(c.Values)
	slices.Reverse(c.Values)
	if len(c.Values) > 0 && s.Universe.Order != games.ByResult {
		longest := slices.MaxFunc(c.Values, func(a, b games.Value) int { return a.Size() - b.Size() })
		c.Longest = &db.Example{Value: longest, Index: first(longest)}
	}
	return &db.Manifest{Content: c}
}

// WriteProgress returns a function that reports the progress of writing the database, every
// ProgressEvery. Writing began at begin, and the solve took the time before until then.
func WriteProgress(cfg Config, effort *Effort, before time.Duration, begin time.Time) games.Progress {
	if cfg.Progress == nil {
		return nil
	}
	turn := make(chan time.Time, 1)
	turn <- begin
	return func(_ string, done, total uint64) {
		select {
		case last := <-turn:
			if elapsed := time.Since(begin); time.Since(last) >= cfg.ProgressEvery {
				last = time.Now()
				work := effort.Done("write", len(effort.tiers), done*db.BlockSize, total*db.BlockSize)
				cfg.Progress(Progress{
					Pass: "write", Done: done * db.BlockSize, Total: total * db.BlockSize, Time: before + elapsed,
					Elapsed: elapsed, Left: effort.Left(work), Memory: memory.Resident(),
				})
			}
			turn <- last
		default:
		}
	}
}

// Built says how a database was built, for its manifest.
func Built(t time.Duration, threads int, memory uint64) db.Built {
	return db.Built{
		By: "yomikiri " + yomikiri.Version + ", " + runtime.Version(), At: time.Now().UTC().Truncate(time.Second),
		Time: t, Threads: threads, Memory: memory,
	}
}

// RunBlocks is the number of blocks of a [Run].
const RunBlocks = 256

// Run is a run of blocks of a tier.
type Run struct {
	Tier  int
	First uint64
}

// Blocks calls do with those blocks of a run that a process has; there are count processes.
func (e *Engine) Blocks(run Run, process, count int, do func(block uint64)) {
	t := e.universe.Tiers[run.Tier]
	for block := run.First; block < run.First+RunBlocks && block*db.BlockSize < t.Open; block++ {
		r := e.layout.find(t.Start, &e.layout.regions[0])
		if number, _ := r.locate(t.Start + block*db.BlockSize); number%count == process {
			do(block)
		}
	}
}

// Encode appends the blocks of a run that this process has, for a database with the given
// values. The length of each precedes it, with 32 bits. The run must be in the game.
func (s *Solution) Encode(dst []byte, run Run, values []games.Value) ([]byte, error) {
	e := s.e
	content := db.Content{Values: values}
	source := s.Source(values)
	codes := make([]byte, db.BlockSize*content.Width())
	var failed error
	e.Blocks(run, e.self, e.processes, func(block uint64) {
		n := int(min(db.BlockSize, e.universe.Tiers[run.Tier].Open-block*db.BlockSize)) * content.Width()
		if err := source(run.Tier, block, codes[:n]); err != nil {
			failed = err
		}
		at := len(dst)
		dst = content.AppendBlock(append(dst, 0, 0, 0, 0), run.Tier, block, codes[:n])
		binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	})
	return dst, failed
}
