package solver

import (
	"context"

	"github.com/yomikiri/yomikiri/proof"
)

// writeCarriers writes the proof of the result.
func (s *Solver[P, M]) writeCarriers(ctx context.Context, w *proof.Writer) error {
	c, root, err := s.carriers.prove(s.carrier, ctx.Err)
	if err != nil {
		return err
	}
	g := s.rules.game
	var moves [256]M
	for _, m := range g.AppendMoves(nil, g.Start()) {
		moves[s.connection.Square(m)] = m
	}
	uses := c.used(root)
	numbers, ranks := make([]uint64, root+1), make([]uint64, root+1)
	var n proof.Node
	for i := uint32(1); i <= root; i++ {
		if uses[i] == 0 {
			continue
		}
		x := &c.carriers[i]
		p := c.rules.Place(c.placement(x))
		n.Position, n.Move, n.Children = g.AppendPosition(n.Position[:0], p), n.Move[:0], n.Children[:0]
		if n.Kind = proof.And; x.toMove {
			n.Kind, n.Move = proof.Or, g.AppendMove(n.Move, p, moves[x.move])
		}
		n.Uses, ranks[i] = uses[i], 1
		for _, child := range c.children[x.first:][:x.count] {
			if child != 0 {
				n.Children = append(n.Children, numbers[child])
				ranks[i] = max(ranks[i], ranks[child]+1)
			}
		}
		n.Rank = ranks[i]
		if numbers[i], err = w.Add(&n); err != nil {
			return err
		}
	}
	return w.EndClaim(numbers[root])
}
