package threat

import (
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
)

// vctCursor implements [dfpn.Cursor]: a board on which the attacker makes threats.
type vctCursor struct {
	game     *gomoku.Game
	board    *gomoku.Board
	searcher *Searcher
	keyer    *games.Keyer[gomoku.Position]
	attacker gomoku.Side
	toMove   gomoku.Side
	// fourNodes limits each search for continuous fours; limited says that a search for
	// the attacker's fours reached this limit in the current expansion.
	fourNodes uint64
	limited   bool
}

// newVCTCursor returns a cursor with the keys of a seed.
func newVCTCursor(g *gomoku.Game, seed games.Seed) *vctCursor {
	return &vctCursor{
		game: g, board: g.NewBoard(g.Start()), searcher: NewSearcher(g, fourTableBits),
		keyer: games.NewKeyer(games.Game[gomoku.Position, gomoku.Square](g), seed), fourNodes: mostFourNodes,
	}
}

// set puts the cursor on a position with the attacker to move.
func (c *vctCursor) set(p gomoku.Position) {
	c.board.Set(p)
	c.attacker, c.toMove = p.ToMove(), p.ToMove()
}

// key returns the hash of the stones, the attacker and the side to move. One
// table serves both sides.
func (c *vctCursor) key() uint64 {
	p := c.board.Position(c.toMove)
	key := c.keyer.Key(&p)
	if c.attacker == gomoku.White {
		key = ^key
	}
	return key
}

func (c *vctCursor) Root() uint64 { return c.key() }

func (c *vctCursor) Do(m dfpn.Move) {
	c.board.Place(gomoku.Square(m), c.toMove)
	c.toMove = c.toMove.Opponent()
}

func (c *vctCursor) Undo(m dfpn.Move) {
	c.toMove = c.toMove.Opponent()
	c.board.Remove(gomoku.Square(m), c.toMove)
}

func (c *vctCursor) Expand(node *dfpn.Node) {
	node.Or, c.limited = c.toMove == c.attacker, false
	var moves gomoku.Set
	if node.Or {
		tree, forced := c.fours()
		if tree != nil {
			node.Status, node.Length = dfpn.Won, uint16(2*tree.Moves()-1)
			node.Move = dfpn.Move(tree.Move)
			return
		}
		moves = c.threats(forced)
	} else {
		moves, _ = c.replies()
	}
	node.Incomplete = c.limited
	if moves.Empty() {
		node.Status = dfpn.Lost
		return
	}
	for s := range moves.All() {
		child := dfpn.Child{Move: dfpn.Move(s), Proof: 1, Disproof: 1}
		if node.Or {
			child.Proof = threatProof(worth(c.board, s, c.attacker))
		}
		c.Do(child.Move)
		child.Key = c.key()
		c.Undo(child.Move)
		node.Children = append(node.Children, child)
	}
}

// threatProof is the initial proof number of a threat of this worth. With the same number
// for all, wins take eight times as many nodes.
func threatProof(worth int64) uint16 { return uint16(1 + max(0, 500-worth)/20) }

// fours returns a victory by continuous fours of the attacker, to move, or nil and the
// squares where he has to stop a line of the defender.
func (c *vctCursor) fours() (tree *Tree, forced gomoku.Set) {
	tree, verdict := c.searcher.VCF(c.board, c.attacker, AllMoves, c.fourNodes)
	c.limited = c.limited || verdict == Unknown
	return tree, c.board.Fives(c.attacker.Opponent())
}

// threats returns the attacker's moves where he has no victory by continuous fours:
// his threats, or the square that stops the defender.
func (c *vctCursor) threats(forced gomoku.Set) gomoku.Set {
	switch forced.Len() {
	case 0:
		return c.board.Gains(c.attacker)
	case 1:
		return forced
	}
	return gomoku.Set{} // one move cannot stop two lines
}

// replies returns the relevant replies of the defender, to move, and the attacker's win
// after all others, or nil if there is none.
func (c *vctCursor) replies() (replies gomoku.Set, otherwise *Tree) {
	defender := c.attacker.Opponent()
	if fives := c.board.Fives(defender); !fives.Empty() {
		return replies, nil
	}
	otherwise, _ = c.fours()
	if otherwise == nil {
		return replies, nil
	}
	if otherwise.Wins {
		replies.Add(otherwise.Move)
		return replies, otherwise
	}
	if _, verdict := c.searcher.VCF(c.board, defender, AllMoves, c.fourNodes); verdict == Proven {
		return replies, nil
	}
	return otherwise.relevant(c.board, c.attacker, "a null move in a search for continuous threats"), otherwise
}
