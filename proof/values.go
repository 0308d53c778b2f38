package proof

import (
	"cmp"
	"strconv"
	"strings"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// Values are what checked proofs say about the values of the positions that they have. They are safe for concurrent
// use.
//
// A node of a checked proof is a statement about its position alone, however a game came to it: its claimant reaches the
// goal from there. That follows by induction over the ranks. Where a claim to hold rests on positions that come again,
// the claimant can follow the nodes for ever. A certificate, a search or a database settles a position by itself. Symmetry
// changes no value, so a node also speaks for the images of its position, even if [Header.Monotone] lets none answer.
//
// In a game that is [games.Monotone] a node that says who wins speaks for all positions that are no worse for the winner, and
// for their images.
//
// Values say no more than that: nothing of other positions, and nothing of the distance to the end. A rank
// bounds the plies to a position that the rules decide, and the game may go on there.
type Values[P comparable] struct {
	parse     func(text string) (P, error)
	canonical func(p P) P
	remaining func(p P) int // points

	mu      sync.RWMutex
	known   map[P]statement // by canonical position
	covered *covered[P]     // nil if the game is not [games.Monotone]
}

// statement is what is proven of a position, for the side to move, and the rank of the node that says it.
type statement struct {
	games.Bounds
	rank uint64
}

// NewValues returns the values of positions of a game, of which nothing is known yet.
func NewValues[P, M comparable](g games.Game[P, M]) *Values[P] {
	r := newRules(g, nil)
	v := &Values[P]{parse: r.parse, canonical: r.canonicalizer.Canonical, known: map[P]statement{}, covered: coveredOf(g)}
	if scorer, ok := games.As[games.Scorer[P, M]](g); ok {
		v.remaining = scorer.Remaining
	}
	return v
}

// Add adds a proof of the game if check, which checks it, succeeds. It has to pass node on as [CheckOptions.Node]. Add
// fails with [games.ErrContradiction] if the proof and others exclude each other.
func (v *Values[P]) Add(check func(node func(Claim, *Node)) error) error {
	read := map[P]statement{}
	var wrong error
	err := check(func(c Claim, n *Node) {
		if wrong == nil {
			wrong = v.read(read, c, n)
		}
	})
	if err = cmp.Or(err, wrong); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for p, s := range read {
		if err := join(v.known, p, s); err != nil {
			return err
		}
	}
	if v.covered == nil {
		return nil
	}
	covered, err := v.covered.with(v.known)
	if err == nil {
		v.covered = covered
	}
	return err
}

// read adds what a node of a claim says.
func (v *Values[P]) read(to map[P]statement, c Claim, n *Node) error {
	if n.Kind.ahead() {
		return nil // the node that keeps it says the same
	}
	text, aim, _ := strings.Cut(string(n.Position), " >=") // there only in a claim about points
	p, err := v.parse(text)
	if err != nil {
		return err
	}
	points := 0
	if c.Goal == AtLeast {
		if points, err = strconv.Atoi(aim); err != nil {
			return err
		}
	}
	b := c.Goal.bounds(n.Kind.claimantToMove(), points)
	if c.Goal == AtLeast { // a proof of all points needs no other claim
		all := v.remaining(p)
		if b, err = b.Meet(games.Bounds{Lower: games.Score(-all), Upper: games.Score(all)}); err != nil {
			return err
		}
	}
	return join(to, v.canonical(p), statement{b, n.Rank})
}

// bounds returns what is proven for the side to move where a claimant reaches the goal. For [AtLeast] the points are those
// that the side to move aims at.
func (g Goal) bounds(claimantToMove bool, points int) games.Bounds {
	b := games.Unbounded
	switch {
	case g == AtLeast && claimantToMove:
		b.Lower = games.Score(points)
	case g == AtLeast:
		b.Upper = games.Score(points - 1)
	case g == Win && claimantToMove:
		b = games.BoundsOf(games.Won.Value())
	case g == Win:
		b = games.BoundsOf(games.Lost.Value())
	case claimantToMove:
		b.Lower = games.Draw
	default:
		b.Upper = games.Draw
	}
	return b
}

// join adds a statement to what is known. The rank is that of the node that says most, the least of those that say as much.
func join[P comparable](known map[P]statement, p P, s statement) error {
	before, ok := known[p]
	if !ok {
		known[p] = s
		return nil
	}
	both, err := before.Meet(s.Bounds)
	switch {
	case err != nil:
		return err
	case both != before.Bounds:
		known[p] = statement{both, s.rank}
	case both == s.Bounds:
		known[p] = statement{both, min(before.rank, s.rank)}
	}
	return nil
}

// Bounds returns what is proven of the value of p for the side to move, [games.Unbounded] if that is nothing, and a
// rank. Whoever wins comes nearer to the end by a move to a position of less rank.
func (v *Values[P]) Bounds(p P) (games.Bounds, uint64) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.covered != nil {
		if s, ok := v.covered.statement(p); ok {
			return s.Bounds, s.rank
		}
	}
	s, ok := v.known[v.canonical(p)]
	if !ok {
		return games.Unbounded, 0
	}
	return s.Bounds, s.rank
}
