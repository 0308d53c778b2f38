package tsume

import (
	"context"
	"fmt"
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/proof"
)

// ProofHeader returns the header of a file with the proof that a problem is mate:
// the game is shogi in which the attacker must give check with each of its moves.
func ProofHeader(p Problem) proof.Header {
	claim := proof.Claim{Side: proof.Mover, Goal: proof.Win}
	if p.Defends {
		claim.Side = proof.Other
	}
	return proof.Header{Game: shogi.Checking(p.Attacker()).Name(), Root: p.Position.SFEN(), Claims: []proof.Claim{claim}}
}

// WriteProof writes to w, which has the header of [ProofHeader], the proof that a
// problem is mate. It reads it from a table in which [Solve] has proven that with
// the same options, and searches again what the table has lost; of the options
// only Nodes, as a limit of that, and CountFutile matter. It returns how many nodes
// were searched again. It does not close w.
//
// The proof has every position that can be reached, with both hands as they are:
// a position with more in hand is proven on its own. Every interposition is
// answered, futile or not.
func WriteProof(ctx context.Context, w *proof.Writer, p Problem, table *dfpn.Table, options Options) (nodes uint64, err error) {
	c := newCursor(p, options.CountFutile)
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
// The positions are collected first, each with a length within which it is known
// to be mate. What a position leads to is known to be mate in less. If a position
// comes back with less time than it was recorded with, it is searched again and
// recorded anew. So in the end lengths fall from each position to the next, and
// there is no circle, whatever the table knew of them on the way. Positions that
// the cursor takes for mate because all that is left are futile interpositions
// have no length; there each interposition takes a piece from the defender's hand
// that does not come back.
type proofBuilder struct {
	cursor  *cursor
	reader  *dfpn.Reader
	nodes   map[shogi.Position]*proofNode
	pending []proofTask
	moves   []shogi.Move
	order   []*proofNode // children first
}

// proofTask is a position that has to be mate in at most limit plies.
type proofTask struct {
	position shogi.Position
	limit    uint16
}

// proofNode is a node of the proof.
type proofNode struct {
	position shogi.Position
	length   uint16
	move     shogi.Move // the attacker's
	number   uint32     // 0 until it has one
	uses     uint32
	rank     uint32
	children []uint32
}

// anyLength is the limit of a position that the cursor takes for mate.
const anyLength = dfpn.Unlimited

// collect records a position, which is not mate by the rules, and all that its
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

// record finds out in how many plies a position is mate, and how, and what has to
// be recorded because of that.
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
		return fmt.Errorf("tsume: %q was taken for mate, and is not", n.position.SFEN())
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

// add puts a position's node behind those of all that it leads to and returns its
// number, 0 if the position is mate, or mate in one, and needs no node.
func (b *proofBuilder) add(p shogi.Position) (uint32, error) {
	n := b.nodes[p]
	switch {
	case n == nil:
		return 0, nil
	case n.number > 0:
		return n.number, nil
	case n.rank > 0:
		return 0, fmt.Errorf("tsume: the proof goes round in a circle at %q", p.SFEN())
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

// record returns the node as it is written.
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
