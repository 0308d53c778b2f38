package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// In a compact tier
//
//	value = max(stored, best move that ends the game or leaves the tier)
//
// so where such a move is best, the stored value is free: anything from the worst value up to the
// value itself. Package store chooses what compresses best. Nothing of it depends on the game.

// ErrCompact is returned where a compact database would need the rules of its game.
var ErrCompact = errors.New("the database is compact: its values need the rules of the game")

// Compaction says what looking up a position of a compact database costs.
type Compaction struct {
	// Depth is the largest number of compact tiers on a line in which every move leaves its tier: how
	// deep a lookup recurses.
	Depth int `json:"depth"`
}

// Resolver finds the values of a database, of compact tiers too. It is safe for concurrent use if the game is.
type Resolver struct {
	db         *DB
	expander   games.Expander
	expansions sync.Pool // of *games.Expansion
}

// NewResolver returns the resolver of a database whose game has the given universe.
func NewResolver(d *DB, u *games.Universe) (*Resolver, error) {
	r := &Resolver{db: d}
	r.expansions.New = func() any { return new(games.Expansion) }
	var err error
	if d.manifest.Content.Order == games.ByResult.String() {
		if u, err = u.Results(); err != nil {
			return nil, err
		}
	}
	r.expander = u.Expander
	return r, nil
}

// Value is [DB.Value], of compact tiers too.
func (r *Resolver) Value(index uint64) (games.Value, bool, error) {
	c := &r.db.manifest.Content
	tier := r.db.tierOf(index)
	if tier < 0 || !c.Tiers[tier].Compact {
		return r.db.stored(index)
	}
	t, v := &c.Tiers[tier], games.Unfinished // which is less than any value
	all := c.Positions == "all"
	if !all {
		var ok bool
		var err error
		if v, ok, err = r.db.stored(index); err != nil || !ok || v == c.Values[0] {
			return v, ok, err
		}
	}
	x := r.expansions.Get().(*games.Expansion)
	defer r.expansions.Put(x)
	r.expander.Expand([]uint64{index}, x)
	if x.Status[0] != games.Unfinished {
		return 0, false, nil
	}
	stays := func(s games.Successor) bool { return s.Outcome() == games.Unfinished && s.Index()-t.Start < t.Size }
	// Where every move leaves the tier, as captures do, what is stored is free, and so it is not read.
	if all && slices.ContainsFunc(x.Of(0), stays) {
		var ok bool
		var err error
		if v, ok, err = r.db.stored(index); err != nil || !ok {
			return v, ok, err
		}
	}
	gains := x.GainsOf(0)
	for i, s := range x.Of(0) {
		if v == c.Values[0] {
			break // nothing is better
		}
		if stays(s) {
			continue
		}
		w := s.Outcome()
		if w == games.Unfinished {
			var ok bool
			var err error
			if w, ok, err = r.Value(s.Index()); err != nil {
				return 0, false, err
			}
			if !ok {
				return 0, false, fmt.Errorf("%s: %w: index %d has a move to index %d, which has no value", r.db.name, ErrCorrupt, index, s.Index())
			}
		}
		gain := 0
		if len(gains) > 0 {
			gain = int(gains[i])
		}
		v = max(v, w.Backup(gain))
	}
	return v, true, nil
}

// Block is [DB.Block] with the codes of the values, in compact tiers too, where it takes much longer.
func (r *Resolver) Block(ctx context.Context, tier int, block uint64) ([]byte, error) {
	return r.Codes(ctx, tier, block, 0, r.db.manifest.Content.BlockLength(tier, block))
}

// Codes is like Block for the positions of a block from first to last, last excluded.
func (r *Resolver) Codes(ctx context.Context, tier int, block uint64, first, last int) ([]byte, error) {
	codes, err := r.db.Block(tier, block)
	if err != nil {
		return nil, err
	}
	c, width := &r.db.manifest.Content, r.db.width
	codes = codes[first*width : last*width]
	if !c.Tiers[tier].Compact {
		return codes, nil
	}
	begin := c.Tiers[tier].Start + block*uint64(c.BlockSize) + uint64(first)
	for i := range last - first {
		v, ok, err := r.Value(begin + uint64(i))
		if err = cmp.Or(err, ctx.Err()); err != nil { // a block can take long
			return nil, err
		}
		code := 0
		if ok {
			code = slices.Index(c.Values, v) + 1
		}
		SetCode(codes, i, width, code)
	}
	return codes, nil
}
