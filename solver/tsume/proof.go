package tsume

import (
	"context"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/proof"
)

// ProofHeader returns the header of a proof file that claims a mate. The game is shogi
// in which the attacker must give check with every move.
func ProofHeader(p Problem) proof.Header {
	claim := proof.Claim{Side: proof.Mover, Goal: proof.Win}
	if p.Defends {
		claim.Side = proof.Other
	}
	return proof.Header{Game: shogi.Checking(p.Attacker()).Name(), Root: p.Position.SFEN(), Claims: []proof.Claim{claim}}
}

// WriteProof writes the proof of a mate to w, which has the header of [ProofHeader].
// [Solve] must have proven the mate in the same table with the same CountFutile and Futile, or [Judge] with rules that have that Futile. What
// the table has lost is searched again, with at most options.Nodes nodes; WriteProof
// returns their number. Other options do not matter. It does not close w.
//
// The proof has a node for every position that can be reached, hands included. Every
// interposition is answered, futile or not.
func WriteProof(ctx context.Context, w *proof.Writer, p Problem, table *dfpn.Table, options Options) (nodes uint64, err error) {
	c := newCursor(p, options.CountFutile, table)
	if options.Futile != 0 {
		c = newCursorOf(p, options.Futile, table)
	}
	if p.Defends && c.board.Mated() {
		return 0, w.EndClaim(0)
	}
	b := &proofBuilder{
		cursor: c, reader: dfpn.NewReader(ctx, table, c, dfpn.Config{Nodes: options.Nodes}),
		nodes: map[shogi.Position]*proofNode{},
	}
	if err := b.collect(p.Position); err != nil {
		return b.reader.Nodes(), err
	}
	root, err := b.add(p.Position)
	if err != nil {
		return b.reader.Nodes(), err
	}
	b.order[root-1].uses++
	for _, n := range b.order {
		if _, err := w.Add(n.record()); err != nil {
			return b.reader.Nodes(), err
		}
	}
	return b.reader.Nodes(), w.EndClaim(uint64(root))
}

// proofBuilder collects the nodes of a proof.
//
// It collects the positions first, each with a bound of the mate. The bounds of a
// position's successors are lower. A position that is reached again with fewer plies
// left is searched and recorded again. So bounds fall along every line, and the proof
// has no cycle, whatever the table held on the way. Positions that the cursor considers
// mate because only futile interpositions are left have no bound; there each
// interposition takes a piece from the defender for good.
type proofBuilder struct {
	cursor  *cursor
	reader  *dfpn.Reader
	nodes   map[shogi.Position]*proofNode
	pending []proofTask
	moves   []shogi.Move
	order   []*proofNode // children first
}

// proofTask is a position that must be mate in at most limit plies.
type proofTask struct {
	position shogi.Position
	limit    uint16
}

// proofNode is a node of the proof.
type proofNode struct {
	position shogi.Position
	length   uint16
	move     shogi.Move // the attacker's
	number   uint32     // from 1 in the file; 0 until it is known
	uses     uint32
	rank     uint32
	children []uint32
}

// anyLength is the limit after a position that the cursor considers mate.
const anyLength = dfpn.Unlimited

// collect records a position that is not mate by the rules, and all positions that its
// proof needs.
func (b *proofBuilder) collect(root shogi.Position) error {
	b.pending = append(b.pending, proofTask{root, dfpn.Unlimited})
	for len(b.pending) > 0 {
		task := b.pending[len(b.pending)-1]
		b.pending = b.pending[:len(b.pending)-1]
		n := b.nodes[task.position]
		if n != nil && n.length <= task.limit {
			continue
		}
		if n == nil {
			n = &proofNode{position: task.position}
			b.nodes[task.position] = n
		}
		if err := b.record(n, task.limit); err != nil {
			return err
		}
	}
	return nil
}

// record finds the move and the bound of a position, and adds the positions that its
// proof needs to those pending.
func (b *proofBuilder) record(n *proofNode, limit uint16) error {
	board := b.cursor.board
	board.Set(n.position)
	if board.Turn() == b.cursor.attacker {
		if m, mates := board.MateInOne(); mates {
			n.length, n.move = 1, m
			return nil
		}
	}
	var node dfpn.Node
	b.cursor.Expand(&node)
	next := uint16(anyLength)
	switch node.Status {
	case dfpn.Won:
		n.length, n.move = node.Length, shogi.Move(node.Move)
	case dfpn.Open:
		r := b.reader.Search(limit)
		if r.Outcome != dfpn.Proven {
			return fmt.Errorf("tsume: a limit was reached after %d nodes of the proof", len(b.nodes))
		}
		n.length, n.move = r.Length, shogi.Move(r.Move)
		next = r.Length - 1
	default:
		return fmt.Errorf("tsume: %q was taken for mate but is not", n.position.SFEN())
	}
	if node.Or {
		board.Do(n.move)
		if !board.Mated() {
			b.pending = append(b.pending, proofTask{board.Position(), next})
		}
		board.Undo()
		return nil
	}
	b.moves = board.AppendEvasions(b.moves[:0])
	for _, m := range b.moves {
		board.Do(m)
		if _, mates := board.MateInOne(); !mates {
			b.pending = append(b.pending, proofTask{board.Position(), next})
		}
		board.Undo()
	}
	return nil
}

// add adds the node of a position after the nodes of its successors and returns its
// number, 0 if the position is mate, or mate in one, and needs no node.
func (b *proofBuilder) add(p shogi.Position) (uint32, error) {
	n := b.nodes[p]
	switch {
	case n == nil:
		return 0, nil
	case n.number > 0:
		return n.number, nil
	case n.rank > 0:
		return 0, fmt.Errorf("tsume: the proof has a cycle at %q", p.SFEN())
	}
	moves := []shogi.Move{n.move}
	board := shogi.NewBoard(p)
	n.rank = 1
	if board.Turn() != b.cursor.attacker {
		moves = board.AppendEvasions(nil)
		n.rank = 2
	}
	for _, m := range moves {
		board.Do(m)
		child, err := b.add(board.Position())
		if err != nil {
			return 0, err
		}
		if child > 0 {
			n.children = append(n.children, child)
			c := b.order[child-1]
			c.uses++
			n.rank = max(n.rank, c.rank+1)
		}
		board.Undo()
	}
	b.order = append(b.order, n)
	n.number = uint32(len(b.order))
	return n.number, nil
}

// record returns the node in the form of a proof file.
func (n *proofNode) record() *proof.Node {
	r := &proof.Node{Kind: proof.And, Uses: uint64(n.uses), Rank: uint64(n.rank), Position: n.position.AppendSFEN(nil)}
	if n.move != shogi.NoMove {
		r.Kind, r.Move = proof.Or, n.move.AppendUSI(nil)
	}
	slices.Sort(n.children)
	for _, child := range n.children {
		r.Children = append(r.Children, uint64(child))
	}
	return r
}
