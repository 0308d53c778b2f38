package gomoku

// Win says how the side to move, the attacker, wins a position, as its winning tree shows.
// Squares are the names of moves.
type Win struct {
	// Moves is an upper bound: whatever the defender does, an attacker who follows the tree
	// makes his line by his Moves-th move at the latest. It is the length of the longest path
	// in the tree, through answers to all other replies too.
	Moves int
	// Order says what the attacker threatens by his moves: it is 0 if the first makes a line,
	// 1 if each would make a line after a pass (continuous fours), and n+1 if each wins by
	// moves of order n after a pass (2: continuous threats, which are fours and threes).
	Order int
	// Line is a game by the tree, the attacker's moves first, up to his line. After each move
	// the reply is one for which the bound on the moves that are left is largest.
	Line []string
	// Zone has the empty squares where a stone may matter. If the defender had one stone more,
	// on any other empty square, he would have no line, and the attacker, to move, would win
	// by the same tree within the same number of moves. Of two stones more it says nothing.
	Zone []string
}

// win returns what a right tree shows. Its root is a node on a board without the stones that
// the root's own board has besides: their squares are ghosts there.
func (w *follower) win(root int, start *board) (*Win, error) {
	n := &w.nodes[root]
	win := &Win{Moves: n.moves, Order: n.order}
	var zone set
	// The tree knows nothing of lines that are there before its first move.
	w.addWindows(&zone, &start.defender, &start.attacker, 1)
	w.zoned = map[zoned]bool{} // unlike those of a check, this is a zone of the whole tree
	if err := w.zone(&zone, root, start, 0, -1); err != nil {
		return nil, err
	}
	for m, bit := range w.grid.bits {
		if zone.has(bit) && start.open(bit) {
			win.Zone = append(win.Zone, string(w.name(Move(m))))
		}
	}
	line, err := w.line(root, *start)
	for _, m := range line {
		win.Line = append(win.Line, string(w.name(m)))
	}
	return win, err
}

// line returns a game in which the defender chooses replies that promise to last. Of equal
// ones those with an answer of their own come first.
func (w *follower) line(node int, b board) (line []Move, err error) {
	for {
		won, err := w.move(node, &b)
		line = append(line, w.nodes[node].move)
		if won || err != nil {
			return line, err
		}
		var replies []Move
		for i := range w.nodes[node].answers {
			replies = append(replies, w.nodes[node].answers[i].replies...)
		}
		for m := range w.grid.bits {
			replies = append(replies, Move(m))
		}
		var best Move
		var after board
		then := -1
		for _, m := range replies {
			if !b.open(w.grid.bits[m]) {
				continue
			}
			next := b
			answer, err := w.reply(node, &next, m)
			if err != nil {
				return nil, err
			}
			if then < 0 || w.nodes[answer].moves > w.nodes[then].moves {
				best, after, then = m, next, answer
			}
		}
		if then < 0 {
			return nil, w.fails(&b, "the board is full")
		}
		line, node, b = append(line, best), then, after
	}
}
