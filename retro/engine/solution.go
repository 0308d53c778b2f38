package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Solution holds the values of all solved positions.
type Solution struct {
	Universe  *games.Universe
	Positions Positions
	Tiers     []TierCounts
	Passes    []Pass
	Time      time.Duration
	Resumed   int // number of continuations from a checkpoint

	e *Engine
}

// TierCounts counts the positions of a tier.
type TierCounts struct {
	Unfinished uint64
	Moves      uint64 // of unfinished positions
	Values     map[games.Value]uint64
	// Finished counts those positions in Values that the rules decide.
	Finished map[games.Value]uint64
}

// Solution returns what has been found. All tiers must be solved.
func (e *Engine) Solution() *Solution {
	s := &Solution{
		Universe:  e.universe,
		Positions: e.cfg.Positions,
		Passes:    e.state.Passes,
		Time:      e.Elapsed(),
		Resumed:   e.state.Resumed,
		e:         e,
	}
	for _, counted := range e.state.Tiers {
		c := TierCounts{
			Unfinished: counted.Unfinished, Moves: counted.Moves,
			Values: map[games.Value]uint64{}, Finished: map[games.Value]uint64{},
		}
		draws := counted.Unfinished
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
	if number, _ := r.locate(index); s.e.partitions[number].remote {
		return 0, false
	}
	code, err := s.e.codeOf(r, index)
	if err != nil || code == codeNone {
		return 0, false
	}
	return s.e.valueOf(code), true
}

// First returns the smallest index of an unfinished position with the value v.
func (s *Solution) First(v games.Value) uint64 {
	for tier, c := range s.Tiers {
		if c.Values[v] > c.Finished[v] {
			if index, ok := s.FirstOf(tier, v); ok {
				return index
			}
		}
	}
	return ^uint64(0)
}

// FirstOf returns the smallest index of an unfinished position of a tier that has the value v and
// belongs to this process.
func (s *Solution) FirstOf(tier int, v games.Value) (index uint64, ok bool) {
	e := s.e
	t, r := e.universe.Tiers[tier], e.layout.openOf(tier)
	source := s.Source([]games.Value{v}) // in which v has the code 1
	codes := make([]byte, db.BlockSize)
	for at := uint64(0); at < t.Open; at += db.BlockSize {
		if number, _ := r.locate(t.Start + at); e.partitions[number].remote {
			continue
		}
		codes = codes[:min(db.BlockSize, t.Open-at)]
		if err := source(tier, at/db.BlockSize, codes); err != nil {
			e.fail(err)
			return 0, false
		}
		if n := bytes.IndexByte(codes, 1); n >= 0 {
			return t.Start + at + uint64(n), true
		}
	}
	return 0, false
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
func (e *Engine) codeTable(values []games.Value) []uint16 {
	table := make([]uint16, e.codes())
	for i, v := range values {
		if v == games.Draw {
			table[codeDraw] = uint16(i + 1)
		}
		for j, known := range e.state.Codes {
			if known == v {
				table[j+firstCode] = uint16(i + 1)
			}
		}
	}
	return table
}

// Source returns the blocks of the open parts for a database with the given values.
func (s *Solution) Source(values []games.Value) db.Source {
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

// Outline returns an engine without partitions that has a state, for a process that only
// coordinates others.
func Outline(u *games.Universe, cfg Config, s *State) (*Engine, error) {
	l, err := newLayout(u, cfg.Partitions)
	return &Engine{universe: u, cfg: cfg, layout: l, plan: cfg.Plan, state: *s, processes: 1, start: time.Now()}, err
}

// Process returns which of count processes has the value of an index; ok is false if no process
// has, since the position is finished.
func (e *Engine) Process(index uint64, count int) (process int, ok bool) {
	r := e.layout.find(index, &e.layout.regions[0])
	number, _ := r.locate(index)
	return number % count, r.open
}

// State returns the state of the engine between phases. It must not be changed.
func (e *Engine) State() *State { return &e.state }

// Fingerprint returns a hash of the numbering of a game and of its rules, as far as a
// sample of its positions shows them.
func Fingerprint(u *games.Universe) (string, error) {
	l, err := newLayout(u, 0)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, u.Name, u.Order, u.Tiers, u.Start, u.Numbering, db.BlockSize, l.fingerprint())
	if u.Rules != "" {
		fmt.Fprintln(h, u.Rules)
	}
	const perTier = 64
	var x games.Expansion
	for _, t := range u.Tiers {
		var list []uint64
		for i := range min(perTier, t.Size) {
			list = append(list, t.Start+t.Size/min(perTier, t.Size)*i)
		}
		u.Expander.Expand(list, &x)
		for i := range list {
			fmt.Fprintln(h, x.Status[i], x.Of(i), x.GainsOf(i))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
