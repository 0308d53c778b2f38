package app

import (
	"context"

	"github.com/yomikiri/yomikiri/games"
)

// sequences is that of [Playing].
func (t *typed[G, P, M]) sequences(ctx context.Context, p Position, depth int, each func(first Move, n uint64)) error {
	c := games.NewCursor(t.game, nil)
	c.Set(p.value.(P))
	s := counter[P, M]{ctx: ctx, cursor: c, lists: make([][]M, depth)}
	for _, m := range c.AppendMoves(nil) {
		n := uint64(1)
		if depth > 1 {
			c.Do(m)
			n = s.count(depth - 1)
			c.Undo()
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		each(Move{m}, n)
	}
	return nil
}

// counter counts sequences of moves. The last ones are counted, not made.
type counter[P, M comparable] struct {
	ctx    context.Context
	cursor games.Cursor[P, M]
	lists  [][]M // a buffer for each depth
	made   int
	ended  bool // the context has: what is counted from now on is of no use
}

func (s *counter[P, M]) count(depth int) (n uint64) {
	moves := s.cursor.AppendMoves(s.lists[depth][:0])
	if s.lists[depth] = moves; depth == 1 {
		return uint64(len(moves))
	}
	if s.made++; s.made%1024 == 0 {
		s.ended = s.ctx.Err() != nil
	}
	for _, m := range moves {
		if s.ended {
			break
		}
		s.cursor.Do(m)
		n += s.count(depth - 1)
		s.cursor.Undo()
	}
	return n
}
