package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// A smaller part of a game has the first tiers of a larger one. So a solve can take the values of
// these tiers from a database of the smaller part, instead of solving them again.

// grow takes over the tiers of the database cfg.From. The engine has not begun.
func (e *Engine) grow(ctx context.Context) error {
	d := e.cfg.From
	if _, err := d.Check(ctx); err != nil {
		if ctx.Err() != nil {
			return ErrStopped
		}
		return err
	}
	c := &d.Manifest().Content
	if err := e.checkFrom(c); err != nil {
		return fmt.Errorf("%s cannot be taken over for %s: %w", c.Game, e.universe.Name, err)
	}
	s := &e.state
	table := make([]uint16, len(c.Values)+1) // codes of the engine, by those of the database
	for i, v := range c.Values {
		table[i+1] = codeDraw
		if v != games.Draw {
			table[i+1] = e.code(v)
		}
	}
	values, err := db.NewResolver(d, e.universe)
	if err != nil {
		return err
	}
	n := min(len(c.Tiers), len(e.universe.Tiers))
	for tier := range n {
		from, to := &c.Tiers[tier], &s.Tiers[tier]
		to.Unfinished, to.Moves = from.Unfinished, from.Moves
		for _, count := range from.Counts {
			if count.Finished > 0 {
				e.assign(Outcomes, count.Value)
				number := slices.Index(s.Outcomes, count.Value) + 1
				to.Finished = grown(to.Finished, number)
				to.Finished[number] = count.Finished
			}
			if at := slices.Index(c.Values, count.Value); at >= 0 && count.Value != games.Draw {
				code := int(table[at+1])
				to.Settled = grown(to.Settled, code)
				to.Settled[code] = count.Positions - count.Finished
			}
		}
		if err := e.takeOver(ctx, d, values, tier, table); err != nil {
			return err
		}
		s.Tier, e.tier = tier+1, min(tier+1, len(e.universe.Tiers)-1)
		if err := e.compareSample(tier); err != nil {
			return fmt.Errorf("%s cannot be taken over for %s: %w", c.Game, e.universe.Name, err)
		}
		if tier+1 < len(e.universe.Tiers) {
			if err := e.makeRoom(); err != nil {
				return err
			}
		}
	}
	if n == len(e.universe.Tiers) {
		s.Stage = stageDone
	}
	return nil
}

// checkFrom returns an error unless the tiers of a database are tiers of this game.
func (e *Engine) checkFrom(c *db.Content) error {
	switch {
	case e.cfg.Positions != All || c.Positions != string(All):
		return fmt.Errorf("only all positions can be taken over, and these are %s for %s", c.Positions, e.cfg.Positions)
	case c.Order != e.universe.Order.String():
		return fmt.Errorf("values are ordered by %s there, and by %s here", c.Order, e.universe.Order)
	case c.Rules != e.universe.Rules:
		return games.CheckRules(c.Game, c.Rules, e.universe.Rules)
	case c.Numbering != e.universe.Numbering:
		return fmt.Errorf("it numbers positions differently")
	}
	for i := range min(len(c.Tiers), len(e.universe.Tiers)) {
		from, to := c.Tiers[i], e.universe.Tiers[i]
		if from.Name != to.Name || from.Start != to.Start || from.Size != to.Size || from.Open != to.Open {
			return fmt.Errorf("tier %d has %d positions from %d on there, and %d from %d on here", i, from.Size, from.Start, to.Size, to.Start)
		}
	}
	return nil
}

// takeOver reads the codes of a tier from a database.
func (e *Engine) takeOver(ctx context.Context, d *db.DB, values *db.Resolver, tier int, table []uint16) error {
	for _, p := range e.held {
		if p.tier == tier && p.open {
			p.allocateCodes(e.codes() > 256)
		}
	}
	c := &d.Manifest().Content
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(e.cfg.Threads)
	for block := range c.Blocks(tier) {
		group.Go(func() error {
			codes, err := values.Block(running, tier, block)
			if err = cmp.Or(running.Err(), err); err != nil {
				return err
			}
			return e.setCodes(tier, block*uint64(c.BlockSize), codes, c.Width(), table)
		})
	}
	if err := group.Wait(); err != nil {
		if ctx.Err() != nil {
			return ErrStopped
		}
		return err
	}
	e.resident[tier] = true
	return nil
}

// setCodes sets the codes of positions of a tier, from an offset that begins a block, to those of a database.
func (e *Engine) setCodes(tier int, offset uint64, codes []byte, width int, table []uint16) error {
	t := e.universe.Tiers[tier]
	var p *partition
	var slot uint32
	for i := range len(codes) / width {
		code, index := db.CodeAt(codes, i, width), t.Start+offset+uint64(i)
		if code >= len(table) {
			return fmt.Errorf("%w: index %d has the unknown code %d", db.ErrCorrupt, index, code)
		}
		if i%db.BlockSize == 0 {
			number, first := e.layout.find(t.Start, &e.layout.regions[0]).locate(index)
			p, slot = e.partitions[number], first
		}
		p.setCode(slot+uint32(i%db.BlockSize), table[code])
	}
	return nil
}

// compared is how many positions of a tier that was taken over are compared with the rules.
const compared = 1 << 10

// compareSample compares the values of some positions of a tier that was taken over with those of
// their successors. So a database of other rules, or of a program with a bug, is noticed before
// hours of work depend on it. [github.com/yomikiri/yomikiri/db/verify] compares them all.
func (e *Engine) compareSample(tier int) error {
	t := e.universe.Tiers[tier]
	if t.Open == 0 {
		return nil
	}
	r := e.layout.find(t.Start, &e.layout.regions[0])
	var list []uint64
	for i := range min(compared, t.Open) {
		list = append(list, t.Start+t.Open/min(compared, t.Open)*i)
	}
	var x games.Expansion
	e.universe.Expander.Expand(list, &x)
	for i, index := range list {
		code, err := e.codeOf(r, index)
		if err != nil {
			return err
		}
		if (code == codeNone) != (x.Status[i] != games.Unfinished) {
			return fmt.Errorf("%s is finished by the rules of one and unfinished by those of the other", e.universe.PositionName(index))
		}
		if code == codeNone {
			continue
		}
		n := newSummary()
		for j, s := range x.Of(i) {
			v := s.Outcome()
			if v == games.Unfinished {
				code, err := e.codeOf(e.layout.find(s.Index(), r), s.Index())
				if err != nil {
					return err
				}
				if code == codeNone {
					return fmt.Errorf("%s leads to a position without a value", e.universe.PositionName(index))
				}
				v = e.valueOf(code)
			}
			gain := 0
			if gains := x.GainsOf(i); len(gains) > 0 {
				gain = int(gains[j])
			}
			n.add(v.Backup(gain))
		}
		if v := e.valueOf(code); n.best != v {
			return fmt.Errorf("%s has the value %v there, and its moves lead to %v", e.universe.PositionName(index), v, n.best)
		}
	}
	return nil
}
