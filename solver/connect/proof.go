package connect

import (
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// WriteProof writes the proof of what [Search.Solve] has found. It calls check before each node that it must
// search again. describe appends a position to n.Position and, if it is not negative, the move on a square
// to n.Move.
func (s *Search) WriteProof(w *proof.Writer, check func() error, describe func(n *proof.Node, at games.Placement, move int)) error {
	c, root, err := s.prove(s.root, check)
	if err != nil {
		return err
	}
	uses := c.used(root)
	numbers, ranks := make([]uint64, root+1), make([]uint64, root+1)
	var n proof.Node
	for i := uint32(1); i <= root; i++ {
		if uses[i] == 0 {
			continue
		}
		x := &c.carriers[i]
		n.Position, n.Move, n.Children = n.Position[:0], n.Move[:0], n.Children[:0]
		move := -1
		if n.Kind = proof.And; x.toMove {
			n.Kind, move = proof.Or, int(x.move)
		}
		describe(&n, c.placement(x), move)
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
