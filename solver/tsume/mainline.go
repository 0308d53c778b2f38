package tsume

import (
	"sync"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// mainLine finds the line of play that composers would give for the mate in the table,
// and shortens the mate along that line.
//
// The attacker plays the moves in the table. The defender plays the reply that leaves the
// attacker the fewest pieces in hand at the end, and among equals the one that holds out
// longest. A sound problem uses up all pieces, and a futile interposition leaves one
// over.
//
// The first mate that df-pn finds is usually longer than necessary. So the attacker's
// positions on the line are searched for shorter mates, the last ones first since those
// are the cheapest. When one is found, the line is chosen again. Several goroutines search
// different positions.
type mainLine struct {
	solving *solving
	// cursor and reader are those of the first searcher.
	cursor    *cursor
	reader    *dfpn.Reader
	searchers []*searcher
	left      int64 // nodes that may be spent
	visited   int
	known     map[place]ending
	lengths   map[place]mateLength
	line      []shogi.Move // empty until there is one
	places    []place      // before the moves of line
}

// shorteningShare limits the nodes spent on the main line to one in shorteningShare of
// those of the search for the mate.
const shorteningShare = 4

// Searches for a shorter mate begin with a small part of the nodes, at least minTrial,
// and are repeated with trialGrowth times as many.
const (
	firstTrial  = 256 // the first trial gets one in firstTrial of all nodes
	trialGrowth = 4
	minTrial    = 50
)

// maxVisited limits the positions with the defender to move that are remembered. After
// every checkInterval of them, the context is checked.
const (
	maxVisited    = 200_000
	checkInterval = 256
)

// place identifies a position as the table does.
type place struct {
	key  uint64
	hand shogi.Hand
}

// ending is how the main line from a position ends.
type ending struct {
	plies  uint16 // to the end
	inHand uint8  // pieces that the attacker has left
	bound  uint16 // of the mate in plies
	move   shogi.Move
}

// mateLength is what is known about the mate in a position with the attacker to move.
type mateLength struct {
	plies   uint16
	minimal bool // there is none in fewer
}

// findMainLine searches for the main line with a share of the nodes spent so far.
func (s *solving) findMainLine() []shogi.Move {
	budget := s.solution.Nodes / shorteningShare
	if s.options.Nodes > 0 {
		budget = min(budget, s.options.Nodes-min(s.solution.Nodes, s.options.Nodes))
	}
	l := &mainLine{solving: s, left: int64(budget), known: map[place]ending{}, lengths: map[place]mateLength{}}
	l.searchers = s.newSearchers(func() *cursor { return s.cursor() }, budget+1)
	l.cursor, l.reader = l.searchers[0].cursor, l.searchers[0].reader
	l.improve(int64(budget))
	s.solution.Nodes += uint64(l.visited)
	for _, r := range l.searchers {
		s.solution.Nodes += r.reader.Nodes()
	}
	return l.line
}

// improve chooses the line, shortens the mate and chooses again until the nodes are
// spent.
func (l *mainLine) improve(budget int64) {
	more := l.choose()
	for trial := budget / firstTrial; more && trial <= budget; trial = max(trial, 1) * trialGrowth {
		for more && l.shorten(uint64(max(trial, minTrial))) {
			more = l.choose()
		}
	}
}

// choose chooses the line. It returns false if the nodes do not suffice.
func (l *mainLine) choose() bool {
	searched := l.reader.Nodes()
	root, ok := l.evaluate(dfpn.Unlimited)
	l.left -= int64(l.reader.Nodes() - searched)
	if !ok {
		return false
	}
	l.solving.solution.Length = min(l.solving.solution.Length, int(root.bound))
	l.line, l.places = l.line[:0], l.places[:0]
	b := l.cursor.board
	// An ending from before shorten found a shorter mate may lead back to a position of the
	// line. Then there is no line.
	for m := root.move; m != shogi.NoMove && len(l.line) <= int(root.bound); m = l.known[l.place()].move {
		l.line, l.places = append(l.line, m), append(l.places, l.place())
		b.Do(m)
	}
	for range l.line {
		b.Undo()
	}
	if ok = len(l.line) <= int(root.bound); !ok {
		l.line = nil
	}
	return ok
}

func (l *mainLine) place() place {
	return place{l.cursor.board.Key(), l.cursor.board.Hand(l.cursor.attacker)}
}

// shorten searches the attacker's positions on the line for a shorter mate, each with at
// most trial nodes, until one is found.
func (l *mainLine) shorten(trial uint64) (shorter bool) {
	next := len(l.line) - 1
	var mu sync.Mutex
	search := func(s *searcher) {
		mu.Lock()
		defer mu.Unlock()
		for next >= 0 && !shorter {
			i, at := next, l.places[next]
			next--
			bound := l.known[at].bound
			// The last move is the attacker's.
			if (len(l.line)-i)%2 == 0 || bound <= 2 || l.lengths[at] == (mateLength{bound, true}) || l.left <= 0 || l.solving.ctx.Err() != nil {
				continue
			}
			nodes := min(trial, uint64(l.left))
			l.left -= int64(nodes)
			mu.Unlock()
			r := s.searchAfter(l.line[:i], bound-2, nodes)
			mu.Lock()
			l.left += int64(nodes) - int64(r.Nodes)
			shorter = l.shortened(i, bound, r) || shorter
		}
	}
	var group sync.WaitGroup
	for _, s := range l.searchers[1:] {
		group.Go(func() { search(s) })
	}
	search(l.searchers[0])
	group.Wait()
	return shorter
}

// shortened takes the result of the search for a shorter mate than bound before move i of the
// line. It reports whether there is one.
func (l *mainLine) shortened(i int, bound uint16, r dfpn.Result) bool {
	switch r.Outcome {
	case dfpn.Disproven:
		l.lengths[l.places[i]] = mateLength{bound, true}
	case dfpn.Proven:
		l.lengths[l.places[i]] = mateLength{plies: r.Length}
		for _, before := range l.places[:i+1] {
			delete(l.known, before)
		}
		return true
	}
	return false
}

// evaluate returns how the line from the position on the board ends, which is mate in at
// most limit plies. It returns false if the nodes do not suffice.
func (l *mainLine) evaluate(limit uint16) (ending, bool) {
	at := l.place()
	e, ok := l.known[at]
	if ok {
		return e, true
	}
	if l.cursor.board.Turn() == l.cursor.attacker {
		if known, ok := l.lengths[at]; ok {
			limit = min(limit, known.plies)
		}
		e, ok = l.attack(limit)
	} else {
		e, ok = l.defend(limit)
	}
	if ok {
		// A mate that goes through its own position again goes on from there in fewer plies.
		if below, again := l.known[at]; again && below.bound <= e.bound {
			return below, true
		}
		l.known[at] = e
	}
	return e, ok
}

// attack is evaluate with the attacker to move.
func (l *mainLine) attack(limit uint16) (ending, bool) {
	b := l.cursor.board
	r := l.reader.Search(limit)
	if r.Outcome != dfpn.Proven {
		return ending{}, false
	}
	m := shogi.Move(r.Move)
	b.Do(m)
	defer b.Undo()
	next, ok := ending{inHand: uint8(b.Hand(l.cursor.attacker).Len())}, true
	if r.Length > 1 {
		next, ok = l.evaluate(r.Length - 1)
	}
	return ending{next.plies + 1, next.inHand, r.Length, m}, ok
}

// defend is evaluate with the defender to move.
func (l *mainLine) defend(limit uint16) (ending, bool) {
	l.left--
	if l.visited++; l.left < 0 || l.visited > maxVisited || l.visited%checkInterval == 0 && l.solving.ctx.Err() != nil {
		return ending{}, false
	}
	b := l.cursor.board
	var n dfpn.Node
	l.cursor.Expand(&n)
	if n.Status == dfpn.Won {
		return ending{inHand: uint8(b.Hand(l.cursor.attacker).Len())}, true
	}
	r := l.reader.Search(limit)
	if r.Outcome != dfpn.Proven {
		return ending{}, false
	}
	var best ending
	for i := range n.Children {
		m := shogi.Move(n.Children[i].Move)
		b.Do(m)
		e, ok := l.evaluate(r.Length - 1)
		b.Undo()
		if !ok {
			return e, false
		}
		e = ending{e.plies + 1, e.inHand, r.Length, m}
		if i == 0 || l.prefers(e, best) {
			best = e
		}
	}
	return best, true
}

// prefers reports whether the defender prefers one reply to another. If futile
// interpositions count, it holds out as long as it can.
func (l *mainLine) prefers(e, other ending) bool {
	if e.inHand != other.inHand && !l.cursor.countAll {
		return e.inHand < other.inHand
	}
	return e.plies > other.plies
}
