package tsume

import (
	"context"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// byMates is who has proven what a decider says.
const byMates = "mate search"

// decider is a [games.Decider] that looks for mates by checks alone, of either side. A proof says nothing of the moves
// before a position, and a side that is in check at each of its turns cannot declare a win, so a mate is a
// value by the rules of the game. Futile interpositions count, as they do in a game.
type decider struct {
	memory uint64
	// small is for searches of up to smallNodes nodes, and stays in the cache of a core; large is made when it is
	// first wanted.
	small, large *dfpn.Table
	cursor       *cursor
}

const (
	smallNodes = 1 << 13
	smallTable = 1 << 20 // bytes

	// threatShare is the share of the nodes, one in threatShare, for whether the opponent threatens mate.
	threatShare = 16
	// A reply to a threat may take replyFactor times the nodes of the threat, and minReply more.
	replyFactor = 2
	minReply    = 64

	// maxDelays is how often a side may give check before it is mated.
	maxDelays = 3
)

// NewDecider returns a decider for shogi, whose tables take up to about memory bytes.
func NewDecider(memory uint64) (games.Decider[shogi.Position, shogi.Move], error) {
	small, err := dfpn.NewFixedTable(int64(min(memory, smallTable)))
	if err != nil {
		return nil, err
	}
	board := shogi.NewBoardWithKeys(shogi.Start(), shogi.KeysOf(small.Seed()))
	return &decider{memory: memory, small: small, cursor: &cursor{board: board, countAll: true}}, nil
}

// Decide implements [games.Decider].
func (d *decider) Decide(ctx context.Context, p shogi.Position, nodes uint64) (games.Advice[shogi.Move], error) {
	a := games.Advice[shogi.Move]{Bounds: games.Unbounded}
	table, err := d.table(nodes)
	if err != nil {
		return a, err
	}
	s := mateSearch{decider: d, reader: dfpn.NewReader(ctx, table, d.cursor, dfpn.Config{Nodes: nodes + proofNodes}), nodes: nodes}
	m, wins := s.either(p)
	a.Nodes = s.reader.Nodes()
	if m.length == 0 {
		return a, ctx.Err()
	}
	a.By, a.Line = byMates, m.line
	// The position is not finished, so there is no end nearer than one or two plies.
	if a.Bounds.Upper = games.Loss(m.length); m.length == 2 {
		a.Lower = a.Upper
	}
	if wins {
		if a.Bounds = (games.Bounds{Lower: games.Win(m.length), Upper: games.Won.Value()}); m.length == 1 {
			a.Upper = a.Lower
		}
	}
	return a, nil
}

// table returns an empty table for so many nodes.
func (d *decider) table(nodes uint64) (*dfpn.Table, error) {
	t := d.small
	if nodes > smallNodes && d.memory > smallTable {
		if d.large == nil {
			var err error
			if d.large, err = dfpn.NewFixedTable(int64(d.memory)); err != nil {
				return nil, err
			}
		}
		t = d.large
	}
	t.Clear()
	return t, nil
}

// mate is a mate in at most so many plies, and a line of play. The length is 0 if none was found.
type mate struct {
	length int
	line   []shogi.Move
}

// mateSearch is the work of a decider on one position.
type mateSearch struct {
	*decider
	reader *dfpn.Reader
	nodes  uint64 // that may be searched
}

// either looks for a mate by the side to move, which then wins, and for one by its opponent.
func (s *mateSearch) either(p shogi.Position) (m mate, wins bool) {
	b := s.cursor.board
	own := s.nodes
	if b.Set(p); b.InCheck() {
		own = (own + 1) / 2
	}
	if m = s.find(Problem{p, false}, own); m.length > 0 {
		return m, true
	}
	return s.lost(p, maxDelays), false
}

// find searches a problem with at most about a number of nodes.
func (s *mateSearch) find(p Problem, nodes uint64) mate {
	c, r := s.cursor, s.reader
	c.board.Set(p.Position)
	c.attacker, c.salt = p.Attacker(), saltOf(p, true)
	nodes = min(nodes, s.left())
	if !p.Defends && nodes > 0 {
		if c.moves = c.board.AppendChecks(c.moves[:0]); len(c.moves) == 0 {
			return mate{}
		}
	}
	if nodes == 0 {
		return mate{}
	}
	begin := r.Nodes()
	found := r.SearchWithin(dfpn.Unlimited, nodes)
	if found.Outcome != dfpn.Proven {
		return mate{}
	}
	// As many nodes again are for a shorter mate.
	for end := min(begin+nodes, 2*r.Nodes()-begin); found.Length > 2 && r.Nodes() < end; {
		if found = r.SearchWithin(found.Length-2, end-r.Nodes()); found.Outcome != dfpn.Proven {
			break
		}
	}
	if found = r.Search(dfpn.Unlimited); found.Outcome != dfpn.Proven {
		return mate{} // a limit was reached
	}
	line, err := r.Line(false)
	m := mate{int(found.Length), moves(line)}
	if err != nil && len(line) == 0 { // likewise
		m.line = []shogi.Move{shogi.Move(found.Move)}
	}
	return m
}

// lost looks for mates by the opponent of the side to move, whatever that does: by checks if it is in check, and
// otherwise after each of its moves. It may have given check up to delays times before it is mated.
func (s *mateSearch) lost(p shogi.Position, delays int) (m mate) {
	b := s.cursor.board
	if b.Set(p); b.InCheck() {
		return s.find(Problem{p, true}, s.left())
	}
	if (shogi.Game{}).Declares(p) {
		return mate{}
	}
	// If no mate is threatened there is none after some move, or nearly always.
	begin := s.reader.Nodes()
	b.Pass()
	if s.find(Problem{b.Position(), false}, s.left()/threatShare+1).length == 0 {
		return mate{}
	}
	most := replyFactor*(s.reader.Nodes()-begin) + minReply
	b.Set(p)
	for _, reply := range b.AppendMoves(nil) {
		b.Set(p)
		b.Do(reply)
		q := b.Position()
		after := s.find(Problem{q, false}, most)
		if after.length == 0 && delays > 0 {
			after = s.evaded(q, delays-1)
		}
		if after.length == 0 {
			return mate{}
		}
		if after.length >= m.length {
			m = mate{after.length + 1, append([]shogi.Move{reply}, after.line...)}
		}
	}
	return m
}

// evaded looks for a reply to a check after which the opponent is lost.
func (s *mateSearch) evaded(p shogi.Position, delays int) mate {
	b := s.cursor.board
	if b.Set(p); !b.InCheck() {
		return mate{}
	}
	for _, m := range b.AppendEvasions(nil) {
		b.Set(p)
		b.Do(m)
		if after := s.lost(b.Position(), delays); after.length > 0 {
			return mate{after.length + 1, append([]shogi.Move{m}, after.line...)}
		}
	}
	return mate{}
}

// left returns how many nodes may still be searched.
func (s *mateSearch) left() uint64 { return max(s.nodes, s.reader.Nodes()) - s.reader.Nodes() }
