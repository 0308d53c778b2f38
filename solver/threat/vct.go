package threat

import (
	"context"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

// VCTConfig limits a [VCT].
type VCTConfig struct {
	// Nodes is the largest number of nodes of a search; 0 for no limit.
	Nodes uint64
	// TableSize is the size of the table in bytes; 0 means 64 MiB.
	TableSize int64
}

const (
	defaultTableSize = 64 << 20
	// mostFourNodes limits each search for continuous fours.
	mostFourNodes = 200_000
	// fourTableBits is the size of its table, 4 MiB.
	fourTableBits = 18
)

// VCT searches positions of one game for victories by continuous threats, with
// df-pn. Unlike threat-space search it is complete. Its results stay in its table for
// later searches. It belongs to one goroutine.
type VCT struct {
	config VCTConfig
	table  *dfpn.Table
	cursor *vctCursor
	nodes  uint64               // of this search
	trees  map[gomoku.Key]*Tree // of positions with the attacker to move
}

// NewVCT returns a VCT. It fails if the table is too small.
func NewVCT(g *gomoku.Game, config VCTConfig) (*VCT, error) {
	size := config.TableSize
	if size == 0 {
		size = defaultTableSize
	}
	table, err := dfpn.NewTable(size)
	if err != nil {
		return nil, err
	}
	return &VCT{config: config, table: table, cursor: newVCTCursor(g, table.Seed())}, nil
}

// share returns a VCT with the same table, for another goroutine.
func (s *VCT) share() *VCT {
	return &VCT{config: s.config, table: s.table, cursor: newVCTCursor(s.cursor.game, s.table.Seed())}
}

// Reset clears the table.
func (s *VCT) Reset() { s.table.Clear() }

// Search searches for a victory by continuous threats of the side to move in p, an
// unfinished position. Refuted says that there is none. It fails only if ctx ends.
func (s *VCT) Search(ctx context.Context, p gomoku.Position) (tree *Tree, verdict Verdict, err error) {
	s.cursor.set(p)
	s.nodes, s.trees = 0, map[gomoku.Key]*Tree{}
	r, err := s.solve(ctx)
	switch {
	case err != nil:
	case r.Outcome == dfpn.Proven:
		if tree, err = s.build(ctx); tree != nil {
			verdict = Proven
		}
	case r.Outcome == dfpn.Disproven && r.Sure:
		verdict = Refuted
	}
	claimWin(s.cursor.board, p.ToMove(), tree, "continuous threats")
	return tree, verdict, err
}

// finder looks for wins by threat-space search and, where that finds none, with vct unless
// it is nil.
type finder struct {
	searcher *Searcher
	vct      *VCT
}

// win returns a win of a side that is to move, or nil if it finds none.
func (f *finder) win(ctx context.Context, b *gomoku.Board, side gomoku.Side) *Tree {
	tree := f.searcher.ThreatSpace(b, side)
	if tree == nil && f.vct != nil {
		tree, _, _ = f.vct.Search(ctx, b.Position(side)) // it fails only with its context
	}
	return tree
}

func (s *VCT) solve(ctx context.Context) (dfpn.Result, error) {
	config := dfpn.Config{}
	if s.config.Nodes > 0 {
		// The remaining nodes, and at least enough to probe the table.
		config.Nodes = max(s.config.Nodes, s.nodes+1) - s.nodes
	}
	r, err := dfpn.Solve(ctx, s.table, func() dfpn.Cursor { return s.cursor }, config)
	s.nodes += r.Nodes
	if err == nil {
		err = ctx.Err()
	}
	return r, err
}

// build returns the tree of the win in the position of the cursor, with the attacker to
// move, or nil if it cannot be found again.
func (s *VCT) build(ctx context.Context) (*Tree, error) {
	c := s.cursor
	key := c.board.Key()
	if tree, ok := s.trees[key]; ok {
		return tree, nil
	}
	tree, _ := c.fours()
	if tree == nil {
		r, err := s.solve(ctx)
		if err != nil || r.Outcome != dfpn.Proven {
			return nil, err
		}
		c.Do(r.Move)
		tree, err = s.buildReplies(ctx, gomoku.Square(r.Move))
		c.Undo(r.Move)
		if err != nil || tree == nil {
			return nil, err
		}
	}
	s.trees[key] = tree
	return tree, nil
}

// buildReplies returns the tree of the win by a move that is on the board.
func (s *VCT) buildReplies(ctx context.Context, move gomoku.Square) (*Tree, error) {
	c := s.cursor
	replies, otherwise := c.replies()
	if otherwise == nil {
		return nil, nil
	}
	tree := &Tree{Move: move, Otherwise: otherwise}
	for reply := range replies.All() {
		c.Do(dfpn.Move(reply))
		then, err := s.build(ctx)
		c.Undo(dfpn.Move(reply))
		if err != nil || then == nil {
			return nil, err
		}
		tree.Replies = append(tree.Replies, Reply{Move: reply, Then: then})
	}
	return tree, nil
}
