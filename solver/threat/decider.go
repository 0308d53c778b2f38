package threat

import (
	"context"
	"slices"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver/alphabeta"
)

// Shares of the positions that a [games.Decider] may search.
const (
	// foursPerNode is how many positions a search for continuous fours may look at for each of them, and all such
	// searches together.
	foursPerNode = 10
	// nodesPerThreat is how many of them are worth a position of a search for continuous threats.
	nodesPerThreat = 5
	// deciderFourNodes limits each search for continuous fours within a search for continuous threats.
	deciderFourNodes = 1000
	// deciderTableBits is the size of the table of fours, 256 KiB, which is emptied for each position.
	deciderTableBits = 14
	// plainSquares is how many empty squares are few enough to search all moves.
	plainSquares = 20
)

// Who has proven the values of a decider.
const (
	byThreats = "threats"
	byPairing = "pairing"
)

// decider is a [games.Decider] by threats of both sides.
type decider struct {
	finder
	board  *gomoku.Board
	holder holder
	plain  games.Decider[gomoku.Position, gomoku.Square]
	limit  uint64 // of positions of all searches for fours
}

// NewDecider returns a decider that looks for wins by threats of the side to move, and of the other side after
// every move that matters. Every victory by continuous fours is found if the number of positions allows. On small boards
// all moves are searched if threats decide nothing. memory is how many bytes it may take.
func NewDecider(g *gomoku.Game, memory uint64) (games.Decider[gomoku.Position, gomoku.Square], error) {
	plain, err := alphabeta.NewDecider(games.Game[gomoku.Position, gomoku.Square](g), memory/2)
	if err != nil {
		return nil, err
	}
	table, err := dfpn.NewFixedTable(int64(memory / 2))
	if err != nil {
		return nil, err
	}
	s := NewSearcher(g, deciderTableBits)
	vct := &VCT{table: table, cursor: newVCTCursor(g, table.Seed())}
	vct.cursor.searcher, vct.cursor.fourNodes = s, deciderFourNodes
	return &decider{finder: finder{s, vct}, board: g.NewBoard(g.Start()), plain: plain}, nil
}

func (d *decider) Decide(ctx context.Context, p gomoku.Position, nodes uint64) (games.Advice[gomoku.Square], error) {
	a, err := d.threats(ctx, p, nodes)
	if empty := d.board.EmptySquares(); err != nil || a.Decided(games.ByDistance) || empty.Len() > plainSquares || a.Nodes >= nodes {
		return a, err
	}
	all, err := d.plain.Decide(ctx, p, nodes-a.Nodes)
	if all.Nodes += a.Nodes; err != nil || all.Bounds == games.Unbounded {
		a.Nodes = all.Nodes
		return a, err
	}
	if a.Lower > all.Lower {
		all.Line = nil
	}
	all.Bounds, err = all.Meet(a.Bounds)
	return all, err
}

// threats decides a position by threats alone.
func (d *decider) threats(ctx context.Context, p gomoku.Position, nodes uint64) (games.Advice[gomoku.Square], error) {
	a := games.Advice[gomoku.Square]{Bounds: games.Unbounded}
	if err := ctx.Err(); err != nil {
		return a, err
	}
	d.board.Set(p)
	d.searcher.Reset()
	d.vct.Reset()
	begin := d.searcher.nodes
	d.limit = begin + foursPerNode*max(nodes, 1)
	d.vct.config.Nodes = nodes/nodesPerThreat + 1
	err := d.decide(ctx, p, &a)
	a.Nodes = (d.searcher.nodes-begin)/foursPerNode + 1
	return a, err
}

// decide looks for wins of both sides, and for a pairing against each.
func (d *decider) decide(ctx context.Context, p gomoku.Position, a *games.Advice[gomoku.Square]) error {
	side := p.ToMove()
	tree, _, err := d.searcher.VCFContext(ctx, d.board, side, AllMoves, d.left())
	if tree == nil && err == nil {
		tree, err = d.attack(ctx, side)
	}
	if err != nil {
		return err
	}
	if tree != nil {
		a.Lower, a.By, a.Line = games.Win(2*tree.Moves()-1), byThreats, tree.line(d.board, side)
		return nil
	}
	moves, line, left, err := d.lost(ctx, p)
	if err != nil {
		return err
	}
	a.Left = left
	if moves > 0 {
		a.Upper, a.By, a.Line = games.Loss(2*moves), byThreats, line
		return nil
	}
	if d.holder.holds(d.board, side.Opponent(), false) {
		a.Lower, a.By = games.Draw, byPairing
	}
	if d.holder.holds(d.board, side, true) {
		a.Upper, a.By = games.Draw, byPairing
	}
	return nil
}

// left returns how many positions a search for fours may still look at.
func (d *decider) left() uint64 { return max(d.limit, d.searcher.nodes+1) - d.searcher.nodes }

// ended reports whether the searches have come to the limit.
func (d *decider) ended() bool { return d.searcher.nodes >= d.limit }

// attack returns a win of a side that is to move by threats, or nil. It fails if ctx ends.
func (d *decider) attack(ctx context.Context, side gomoku.Side) (*Tree, error) {
	if d.ended() {
		return nil, ctx.Err()
	}
	tree := d.win(ctx, d.board, side)
	return tree, ctx.Err()
}

// lost returns how many moves at most the opponent makes to win if the side to move in p loses by the opponent's
// threats, and a line of that. The number is 0 if it is not shown that every move loses: each is answered by the
// opponent's win after a null move, whose zone it is not in, or by a win of its own. The moves of which that is not shown are left, if there are
// others.
func (d *decider) lost(ctx context.Context, p gomoku.Position) (moves int, line, unanswered []gomoku.Square, err error) {
	b, side, other := d.board, p.ToMove(), p.ToMove().Opponent()
	otherwise, err := d.attack(ctx, other)
	if otherwise == nil || err != nil {
		return 0, nil, nil, err
	}
	left, open := otherwise.relevant(b, other, "a null move of a side that may be lost"), false
	var replies []Reply
	for _, m := range bestMoves(b, &left, side, left.Len()) {
		if !left.Has(m) {
			continue
		}
		b.Place(m, side)
		var tree *Tree
		if !b.HasWon(side) {
			tree, err = d.attack(ctx, other)
		}
		if tree != nil {
			replies = tree.answer(b, other, m, &left, replies)
		}
		b.Remove(m, side)
		if err != nil {
			return 0, nil, nil, err
		}
		if open = open || tree == nil; open && d.ended() {
			break
		}
	}
	if open {
		return 0, nil, slices.Collect(left.All()), nil
	}
	longest := Reply{Then: otherwise}
	for i, r := range replies {
		if i == 0 || r.Then.Moves() > longest.Then.Moves() {
			longest = r
		}
	}
	if len(replies) > 0 {
		b.Place(longest.Move, side)
		line = append([]gomoku.Square{longest.Move}, longest.Then.line(b, other)...)
		b.Remove(longest.Move, side)
	}
	return max(otherwise.Moves(), longest.Then.Moves()), line, nil, nil
}

// line returns a line of play by the tree of a side that is to move: replies that make the win last.
func (t *Tree) line(b *gomoku.Board, attacker gomoku.Side) (line []gomoku.Square) {
	known := map[*Tree]int{}
	put := func(s gomoku.Square, side gomoku.Side) {
		b.Place(s, side)
		line = append(line, s)
	}
	for put(t.Move, attacker); !t.Wins; put(t.Move, attacker) {
		var best *Reply
		for i := range t.Replies {
			if r := &t.Replies[i]; b.IsEmpty(r.Move) && (best == nil || r.Then.moves(known) > best.Then.moves(known)) {
				best = r
			}
		}
		if best == nil { // any reply will do
			break
		}
		put(best.Move, attacker.Opponent())
		t = best.Then
	}
	for i := len(line) - 1; i >= 0; i-- {
		side := attacker
		if i%2 != 0 {
			side = attacker.Opponent()
		}
		b.Remove(line[i], side)
	}
	return line
}
