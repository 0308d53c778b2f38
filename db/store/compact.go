package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// A lookup follows all lines in which every move leaves its tier. mostDepth limits how many compact
// tiers such a line can go through.
const mostDepth = 4

// A tier with at most one in leastShare of all positions is stored in full: it would save little, and
// lines end there.
const leastShare = 1024

// A model is learned from at most about mostSamples samples of a tier.
const (
	sampleSize  = db.BlockSize
	mostSamples = 512
)

// Compact writes into dir, which must exist and not hold a database, a smaller database with the
// values of another one. u is the universe of the game. With results, values have no distances. If it
// ends early, dir is empty, or has finished tables with which the next call goes on.
func Compact(ctx context.Context, dir string, from *db.DB, u *games.Universe, results bool, o WriteOptions) (*db.Manifest, error) {
	source := &from.Manifest().Content
	if err := source.FitsTiers(u.Tiers, u.Numbering); err != nil {
		return nil, fmt.Errorf("%s: %w", from.Name(), err)
	}
	m := &db.Manifest{Content: *source}
	c := &m.Content
	c.Tiers, c.BlockSize, c.Codec, c.UnitSize = slices.Clone(c.Tiers), db.MediumBlock, db.UnitsCodec, db.LargeUnit
	if c.Order == games.ByScore.String() {
		c.UnitSize = db.SmallUnit // scores differ more often, and take longer to decode
	}
	values, err := db.NewResolver(from, u)
	if err != nil {
		return nil, err
	}
	if results || c.Order == games.ByResult.String() {
		if u, err = u.Results(); err != nil {
			return nil, err
		}
		dropDistances(c)
		c.BlockSize = db.LargeBlock
	}
	p := &compactor{ctx: ctx, from: from, values: values, u: u, models: make([]func() (*db.Model, error), len(c.Tiers)), content: c, results: c.Order == games.ByResult.String()}
	for _, v := range source.Values {
		p.table = append(p.table, uint16(slices.Index(c.Values, p.convert(v))+1))
	}
	p.expansions.New = func() any { return new(games.Expansion) }
	p.edges = make([]atomic.Bool, len(c.Tiers)*len(c.Tiers))
	p.choose()
	for tier := range c.Tiers {
		p.models[tier] = sync.OnceValues(func() (*db.Model, error) { return p.learn(tier) })
	}
	built := o.Built
	o.Built = func() db.Built {
		if c.IsCompact() {
			m.Compaction = &db.Compaction{Depth: slices.Max(p.depths())}
		}
		if built != nil {
			return built()
		}
		return from.Manifest().Built
	}
	if o.FS == nil {
		o.FS = vfs.Default
	}
	keep, err := newKeeper(o.FS, dir, p)
	if err != nil {
		return nil, err
	}
	return m, keep.close(write(ctx, dir, m, o, keep, func() encoder { return p.encode }))
}

// dropDistances makes the content that of a database with results.
func dropDistances(c *db.Content) {
	merge := func(list []games.Value) []games.Value {
		var out []games.Value
		for _, v := range list {
			if r := v.Result().Value(); !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
		return out
	}
	c.Order, c.Longest, c.Values, c.StartValue = games.ByResult.String(), nil, merge(c.Values), c.StartValue.Result().Value()
	for i := range c.Tiers {
		t := &c.Tiers[i]
		var counts []db.Count
		for _, n := range t.Counts {
			r := n.Value.Result().Value()
			at := slices.IndexFunc(counts, func(m db.Count) bool { return m.Value == r })
			if at < 0 {
				at = len(counts)
				counts = append(counts, db.Count{Value: r})
			}
			counts[at].Positions += n.Positions
			counts[at].Finished += n.Finished
		}
		t.Counts = counts
	}
}

// compactor makes the blocks of a compact database.
type compactor struct {
	ctx        context.Context
	from       *db.DB
	values     *db.Resolver // of from
	u          *games.Universe
	content    *db.Content
	results    bool
	table      []uint16      // new codes, by the old ones from 1 on
	edges      []atomic.Bool // whether a move leads from a tier to an earlier one, by both
	expansions sync.Pool     // of *games.Expansion
	models     []func() (*db.Model, error)
}

func (p *compactor) convert(v games.Value) games.Value {
	if p.results {
		return v.Result().Value()
	}
	return v
}

// depths returns the [db.Compaction.Depth] of lines from each tier, as far as edges are known.
func (p *compactor) depths() []int {
	n := len(p.content.Tiers)
	depths := make([]int, n)
	for tier := range n {
		if !p.content.Tiers[tier].Compact {
			continue
		}
		depths[tier] = 1
		for to := range tier {
			if p.edges[tier*n+to].Load() {
				depths[tier] = max(depths[tier], depths[to]+1)
			}
		}
	}
	return depths
}

// choose decides which tiers are compact: the largest for which lines do not become too deep. Where
// moves lead is estimated from a sample.
func (p *compactor) choose() {
	const sample = 256
	total, tiers := p.content.Total().Open, p.content.Tiers
	for tier := range tiers {
		tiers[tier].Compact = false // of the database from which this one is made
	}
	var bySize []int
	var x games.Expansion
	for tier, t := range tiers {
		if t.Open <= total/leastShare {
			continue
		}
		bySize = append(bySize, tier)
		var list []uint64
		for i := range min(sample, t.Open) {
			list = append(list, t.Start+t.Open/min(sample, t.Open)*i)
		}
		p.u.Expander.Expand(list, &x)
		for _, s := range x.Successors {
			p.leads(tier, s)
		}
	}
	slices.SortStableFunc(bySize, func(a, b int) int { return cmp.Compare(tiers[b].Open, tiers[a].Open) })
	for _, tier := range bySize {
		tiers[tier].Compact = true
		tiers[tier].Compact = slices.Max(p.depths()) <= mostDepth
	}
}

// leads records where a move from a tier leads. It returns false if that is the tier itself.
func (p *compactor) leads(tier int, s games.Successor) bool {
	if s.Outcome() != games.Unfinished {
		return true
	}
	to := tier
	for s.Index() < p.content.Tiers[to].Start {
		to--
	}
	if to == tier {
		return false
	}
	if edge := &p.edges[tier*len(p.content.Tiers)+to]; !edge.Load() {
		edge.Store(true)
	}
	return true
}

// encode is an [encoder].
func (p *compactor) encode(dst []byte, tier int, block uint64) ([]byte, uint64, error) {
	c := p.content
	var m *db.Model
	if c.HasModel(tier) {
		var err error
		if m, err = p.models[tier](); err != nil {
			return nil, 0, err
		}
		if block == c.Blocks(tier) {
			return m.Append(dst, tier, block), 0, nil
		}
	}
	s, err := p.read(tier, block*uint64(c.BlockSize), c.BlockLength(tier, block))
	if err != nil {
		return nil, 0, err
	}
	return c.AppendModelled(dst, tier, block, m, s.Codes, s.Free)
}

// learn returns the model of a tier.
func (p *compactor) learn(tier int) (*db.Model, error) {
	t := &p.content.Tiers[tier]
	pieces := (t.Open + sampleSize - 1) / sampleSize
	step := max(1, pieces/mostSamples)
	var samples []db.Sample
	for i := uint64(0); i < pieces; i += step {
		s, err := p.read(tier, i*sampleSize, int(min(sampleSize, t.Open-i*sampleSize)))
		if err != nil {
			return nil, err
		}
		samples = append(samples, s)
	}
	return p.content.LearnModel(tier, samples)
}

// read returns the codes of some positions of a tier, from an offset on, and which are free.
func (p *compactor) read(tier int, offset uint64, n int) (s db.Sample, err error) {
	old, t := &p.from.Manifest().Content, &p.content.Tiers[tier]
	width := old.Width()
	for size := uint64(old.BlockSize); len(s.Codes) < n; {
		at := offset + uint64(len(s.Codes))
		first := int(at % size)
		codes, err := p.values.Codes(p.ctx, tier, at/size, first, min(first+n-len(s.Codes), int(size)))
		if err != nil {
			return s, err
		}
		for i := range len(codes) / width {
			code := db.CodeAt(codes, i, width)
			if code > len(p.table) {
				return s, fmt.Errorf("%s: %w: unknown code %d", p.from.Name(), db.ErrCorrupt, code)
			}
			if code > 0 {
				code = int(p.table[code-1])
			}
			s.Codes = append(s.Codes, uint16(code))
		}
	}
	if t.Compact {
		s.Free, err = p.free(tier, t.Start+offset, s.Codes)
	}
	return s, err
}

// free returns which codes of a block are free: they can be larger, or anything if they are 0.
func (p *compactor) free(tier int, first uint64, codes []uint16) ([]bool, error) {
	const batch = 256
	all := p.content.Positions == "all"
	free := make([]bool, len(codes))
	x := p.expansions.Get().(*games.Expansion)
	defer p.expansions.Put(x)
	var indices []uint64
	for i := 0; i < len(codes); {
		if err := p.ctx.Err(); err != nil {
			return nil, err // a block can take long
		}
		indices = indices[:0]
		for ; i < len(codes) && len(indices) < batch; i++ {
			if codes[i] > 0 {
				indices = append(indices, first+uint64(i))
			} else if all {
				free[i] = true // a hole or a finished position, which the rules tell
			}
		}
		p.u.Expander.Expand(indices, x)
		for j, index := range indices {
			at := index - first
			value, gains := p.content.Values[codes[at]-1], x.GainsOf(j)
			for k, s := range x.Of(j) {
				if !p.leads(tier, s) {
					continue
				}
				v := s.Outcome()
				if v == games.Unfinished {
					stored, ok, err := p.values.Value(s.Index())
					if err != nil {
						return nil, err
					}
					if !ok {
						return nil, fmt.Errorf("%s: %w: %s has a move to %s, which has no value", p.from.Name(), db.ErrCorrupt,
							p.u.PositionName(index), p.u.PositionName(s.Index()))
					}
					v = p.convert(stored)
				}
				gain := 0
				if len(gains) > 0 {
					gain = int(gains[k])
				}
				free[at] = free[at] || v.Backup(gain) == value
			}
		}
	}
	return free, nil
}
