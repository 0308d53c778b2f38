package threat

import (
	"context"
	"math/bits"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// Verdict is the outcome of a search.
type Verdict uint8

// The verdicts.
const (
	// Unknown says that the search ended at a limit.
	Unknown Verdict = iota
	// Proven says that there is a win.
	Proven
	// Refuted says that there is no win of the kind searched for. The attacker
	// may win in another way.
	Refuted
)

// String returns "unknown", "proven" or "refuted".
func (v Verdict) String() string { return [...]string{"unknown", "proven", "refuted"}[v] }

// Searcher searches for wins by continuous fours and by threat-space search on boards of
// one game. All searches share its table of positions without a victory by continuous
// fours. It belongs to one goroutine.
type Searcher struct {
	game  *gomoku.Game
	board *gomoku.Board
	table []vcfEntry

	attacker, defender gomoku.Side
	path               []gomoku.Square // the attacker's moves and the defender's replies
	moves              []four          // of all nodes on the path
	stamp              uint64
	stamps             [gomoku.MaxSquares]uint64
	costs              [gomoku.MaxSquares]gomoku.Square // valid where the stamp is that of the node
	nodes, limit       uint64
	ctx                context.Context // of VCFContext, or nil
	cut                bool            // some node was not searched to the end

	space space
	left  int // how many more moves a check may search
}

// four is a move that makes a four, and the only reply to it.
type four struct{ gain, cost gomoku.Square }

// vcfEntry is an entry of the table:
//
//	+----------------------+-------------------------------+
//	| check: 64 bits       | moves: 8 bits                 |
//	| second half of key   | no win within this many moves |
//	+----------------------+-------------------------------+
//
// The first half of the key is the place in the table.
type vcfEntry struct {
	check uint64
	moves uint8
}

// AllMoves is more moves than any search makes.
const AllMoves = 255

// NewSearcher returns a searcher for boards of g. Its table has 2^tableBits
// entries of 16 bytes.
func NewSearcher(g *gomoku.Game, tableBits int) *Searcher {
	return &Searcher{game: g, table: make([]vcfEntry, 1<<tableBits)}
}

// Reset empties the table.
func (s *Searcher) Reset() { clear(s.table) }

// VCF searches for the shortest victory by continuous fours: the attacker, to move, makes
// fours, each leaving the defender one reply, until a line of k, in at most maxMoves of
// his moves. The search is complete: Refuted says that there is no such win. It ends with
// Unknown after maxNodes positions, if that is not 0. It restores the board.
func (s *Searcher) VCF(b *gomoku.Board, attacker gomoku.Side, maxMoves int, maxNodes uint64) (*Tree, Verdict) {
	s.begin(b, attacker, maxNodes)
	for moves := 1; moves <= maxMoves; moves++ {
		s.cut = false
		if s.vcf(moves) {
			tree := s.lineTree(s.path)
			claimWin(b, attacker, tree, "continuous fours")
			return tree, Proven
		}
		if s.limit != 0 && s.nodes >= s.limit {
			return nil, Unknown
		}
		if !s.cut {
			break
		}
	}
	return nil, Refuted
}

// VCFContext is [Searcher.VCF] until ctx ends. It fails if ctx cut it short.
func (s *Searcher) VCFContext(ctx context.Context, b *gomoku.Board, attacker gomoku.Side, maxMoves int, maxNodes uint64) (*Tree, Verdict, error) {
	s.ctx = ctx
	tree, verdict := s.VCF(b, attacker, maxMoves, maxNodes)
	s.ctx = nil
	if verdict == Unknown {
		return nil, Unknown, ctx.Err()
	}
	return tree, verdict, nil
}

// checkEvery is the number of positions between checks of the context: a few
// milliseconds.
const checkEvery = 1 << 12

func (s *Searcher) begin(b *gomoku.Board, attacker gomoku.Side, maxNodes uint64) {
	s.board, s.attacker, s.defender = b, attacker, attacker.Opponent()
	s.path, s.moves = s.path[:0], s.moves[:0]
	s.limit = 0
	if maxNodes > 0 {
		s.limit = s.nodes + maxNodes
	}
}

// vcf searches for a win in at most the given number of moves, at least one, and leaves it
// on the path.
func (s *Searcher) vcf(moves int) bool {
	if s.nodes++; s.nodes%checkEvery == 0 && s.ctx != nil && s.ctx.Err() != nil {
		s.limit = s.nodes
	}
	b := s.board
	if five, _ := b.OnlyFive(s.attacker); five != gomoku.NoSquare {
		s.path = append(s.path, five)
		return true
	}
	forced, ok := b.OnlyFive(s.defender)
	if !ok {
		return false
	}
	if moves == 1 {
		s.cut = true
		return false
	}
	if s.limit != 0 && s.nodes >= s.limit {
		s.cut = true
		return false
	}
	base := len(s.moves)
	if s.fours(forced) {
		return true
	}
	if len(s.moves) == base {
		return false
	}
	if moves == 2 {
		s.cut = true
		s.moves = s.moves[:base]
		return false
	}
	entry, check := s.entry()
	if entry.check == check && int(entry.moves) >= moves {
		s.moves = s.moves[:base]
		if entry.moves < AllMoves {
			s.cut = true
		}
		return false
	}
	cutBefore := s.cut
	s.cut = false
	for i := base; i < len(s.moves); i++ {
		m := s.moves[i]
		s.path = append(s.path, m.gain, m.cost)
		b.Place(m.gain, s.attacker)
		b.Place(m.cost, s.defender)
		won := s.vcf(moves - 1)
		b.Remove(m.cost, s.defender)
		b.Remove(m.gain, s.attacker)
		if won {
			return true
		}
		s.path = s.path[:len(s.path)-2]
	}
	s.moves = s.moves[:base]
	if s.limit == 0 || s.nodes < s.limit {
		*entry = vcfEntry{check, AllMoves}
		if s.cut {
			entry.moves = uint8(moves)
		}
	}
	s.cut = s.cut || cutBefore
	return false
}

// entry returns the table entry of the position, and its check.
func (s *Searcher) entry() (*vcfEntry, uint64) {
	key := s.board.Key()
	if s.attacker == gomoku.White {
		key[0], key[1] = ^key[0], ^key[1]
	}
	return &s.table[key[0]&uint64(len(s.table)-1)], key[1]
}

// fours appends the attacker's moves that make a four, only on the forced square if there
// is one. If a move leaves the defender several squares to block, it wins: fours puts it
// and its replies on the path and returns true.
func (s *Searcher) fours(forced gomoku.Square) bool {
	b := s.board
	s.stamp++
	for i, w := range b.Windows(s.attacker, b.K()-2) {
		for ; w != 0; w &= w - 1 {
			window := 64*i + bits.TrailingZeros64(w)
			first, second := b.Gaps(window)
			if s.four(first, second, forced) || s.four(second, first, forced) {
				return true
			}
		}
	}
	return false
}

func (s *Searcher) four(gain, cost, forced gomoku.Square) bool {
	if forced != gomoku.NoSquare && forced != gain {
		return false
	}
	if s.stamps[gain] != s.stamp {
		s.stamps[gain] = s.stamp
		s.costs[gain] = cost
		s.moves = append(s.moves, four{gain, cost})
		return false
	}
	if s.costs[gain] == cost {
		return false
	}
	s.path = append(s.path, gain, s.costs[gain], cost)
	return true
}

// lineTree returns the tree of a line of fours with their replies.
func (s *Searcher) lineTree(line []gomoku.Square) *Tree {
	last := len(line) - 1
	t := &Tree{Move: line[last], Wins: true}
	for i := last - 1; i > 0; i -= 2 {
		var four struct { // one allocation takes less memory
			tree, five Tree
			replies    [1]Reply
		}
		cost := line[i]
		four.five, four.replies[0] = Tree{Move: cost, Wins: true}, Reply{cost, t}
		four.tree = Tree{Move: line[i-1], Replies: four.replies[:], Otherwise: &four.five}
		t = &four.tree
	}
	return t
}
