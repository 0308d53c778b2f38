package solver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
	"unsafe"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// connection searches a game that is a [games.Connection], depth first. What it has shown for one
// position it uses in all that are no worse for the winner: see docs/monotone.md.
type connection[P, M comparable] struct {
	game     games.Game[P, M]
	rules    games.Connection[P, M]
	carriers []carrier[M] // shown so far, numbered from 1
	children []uint32     // of all carriers
	trees    [2][2]carrierTree
	nodes    uint64
	check    func() error // called every checkEvery nodes
}

// carrier is a win of a side: it has the stones, and the other side none on the squares, stones
// included.
type carrier[M comparable] struct {
	stones, squares games.Squares
	// At carriers with the winner to move, the move and the carrier after it, 0 if it ends the game;
	// at others, carriers of which each reply is outside one.
	move         M
	first, count uint32 // in children
	winner       uint8
	toMove       bool // the winner is
}

func (c *connection[P, M]) bytes() uint64 {
	var one carrier[M]
	return uint64(cap(c.carriers))*uint64(unsafe.Sizeof(one)) + 4*uint64(cap(c.children)) + uint64(len(c.carriers))*16
}

// newConnection returns a search of a game.
func newConnection[P, M comparable](g games.Game[P, M], rules games.Connection[P, M], check func() error) *connection[P, M] {
	return &connection[P, M]{game: g, rules: rules, carriers: make([]carrier[M], 1), check: check}
}

// known returns the number of a carrier of a position's winner, and the carrier. The number is 0 if
// the game is over.
func (c *connection[P, M]) known(p P) (number uint32, found carrier[M], ok bool) {
	at := c.rules.Placement(p)
	if _, finished := c.game.Outcome(p); finished {
		chain := c.rules.Winning(p)
		return 0, carrier[M]{stones: chain, squares: chain, winner: uint8(1 - at.ToMove)}, true
	}
	if number, ok = c.find(&at, at.ToMove, true); !ok {
		number, ok = c.find(&at, 1-at.ToMove, false)
	}
	return number, c.carriers[number], ok
}

// find returns a carrier of a side.
func (c *connection[P, M]) find(at *games.Placement, winner int, toMove bool) (uint32, bool) {
	number := find(c.tree(winner, toMove), c.carriers, at.Stones[winner], at.Stones[1-winner])
	return number, number != 0
}

func (c *connection[P, M]) tree(winner int, toMove bool) *carrierTree {
	if toMove {
		return &c.trees[winner][1]
	}
	return &c.trees[winner][0]
}

// solve finds out who wins a position, and by which carrier.
func (c *connection[P, M]) solve(p P) (uint32, carrier[M], error) {
	if number, found, ok := c.known(p); ok {
		return number, found, nil
	}
	if c.nodes++; c.nodes%checkEvery == 0 {
		if err := c.check(); err != nil {
			return 0, carrier[M]{}, err
		}
	}
	return c.search(p)
}

// search tries the moves of a position. It looks only at those in the carriers of what it has found
// about the others: elsewhere the other side wins in the same way.
func (c *connection[P, M]) search(p P) (uint32, carrier[M], error) {
	at := c.rules.Placement(p)
	side, other := at.ToMove, 1-at.ToMove
	var left games.Squares // where the side may still win
	moves := c.ranked(p, &at)
	for _, m := range moves {
		left = left.With(c.rules.Square(m))
	}
	empty := left
	var answers []uint32
	learn := func(number uint32) {
		answers = append(answers, number)
		left = left.And(c.carriers[number].squares)
	}
	if number, ok := c.find(&at, other, true); ok {
		learn(number) // what the other side wins by after a pass
	}
	for _, m := range moves {
		if !left.Has(c.rules.Square(m)) {
			continue
		}
		number, found, err := c.solve(c.game.Play(p, m))
		if err != nil {
			return 0, found, err
		}
		if int(found.winner) == side {
			square := games.Squares{}.With(c.rules.Square(m))
			number = c.add(carrier[M]{stones: found.stones.Minus(square), squares: found.squares.Or(square), move: m, winner: uint8(side), toMove: true}, number)
			return number, c.carriers[number], nil
		}
		learn(number)
	}
	answers = c.needed(answers, empty)
	lost, all := carrier[M]{winner: uint8(other)}, c.carriers[answers[0]].squares
	for _, number := range answers {
		answer := &c.carriers[number]
		lost.stones, lost.squares = lost.stones.Or(answer.stones), lost.squares.Or(answer.squares)
		all = all.And(answer.squares)
	}
	lost.stones = lost.stones.Or(all) // where no answer allows a reply, the winner has a stone
	number := c.add(lost, answers...)
	return number, c.carriers[number], nil
}

// needed leaves out answers that others make superfluous: each reply must be outside one.
func (c *connection[P, M]) needed(answers []uint32, replies games.Squares) []uint32 {
	slices.Sort(answers)
	answers = slices.Compact(answers)
	for i := 0; i < len(answers); {
		left := replies
		for j, number := range answers {
			if j != i {
				left = left.And(c.carriers[number].squares)
			}
		}
		if left.Empty() {
			answers = slices.Delete(answers, i, i+1)
		} else {
			i++
		}
	}
	return answers
}

// add adds a carrier.
func (c *connection[P, M]) add(x carrier[M], children ...uint32) uint32 {
	number := uint32(len(c.carriers))
	x.first, x.count = uint32(len(c.children)), uint32(len(children))
	c.children = append(c.children, children...)
	c.carriers = append(c.carriers, x)
	add(c.tree(int(x.winner), x.toMove), c.carriers, number)
	return number
}

// mobilityWeight is what a reply less is worth, beside the weight of a square.
const mobilityWeight = 0.02

// ranked returns the moves, those first that look best: on squares that matter, and those after which
// the other side has few replies that are not known to lose.
func (c *connection[P, M]) ranked(p P, at *games.Placement) []M {
	moves := c.game.AppendMoves(nil, p)
	var weights [games.MaxSquares]float64
	c.rules.Weigh(p, &weights)
	var empty games.Squares
	for _, m := range moves {
		empty = empty.With(c.rules.Square(m))
	}
	for _, m := range moves {
		square := c.rules.Square(m)
		after := *at
		after.Stones[at.ToMove] = after.Stones[at.ToMove].With(square)
		replies := empty
		if number, ok := c.find(&after, at.ToMove, true); ok {
			replies = replies.And(c.carriers[number].squares)
		}
		weights[square] -= mobilityWeight * float64(replies.Len())
	}
	slices.SortStableFunc(moves, func(a, b M) int {
		return cmp.Compare(weights[c.rules.Square(b)], weights[c.rules.Square(a)])
	})
	return moves
}

// askConnection answers a question by a search for carriers. It answers that of the other side too.
func (s *Solver[P, M]) askConnection(ctx context.Context, q Asked) (Asked, error) {
	if s.carriers == nil {
		begin, shown := time.Now(), time.Now()
		c := newConnection(s.rules.game, s.connection, nil)
		statistics := func() Statistics { return Statistics{c.nodes, c.bytes(), time.Since(begin)} }
		c.check = func() error {
			q.Statistics = statistics()
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case s.cfg.Time > 0 && q.Time > s.cfg.Time, s.cfg.Nodes > 0 && q.Nodes >= s.cfg.Nodes:
				return errLimit
			case q.Memory > s.cfg.Memory:
				return fmt.Errorf("%w: the carriers need more than %d MiB", errLimit, s.cfg.Memory>>20)
			}
			if s.cfg.Progress != nil && time.Since(shown) >= s.cfg.ProgressEvery {
				shown = time.Now()
				s.cfg.Progress(Progress{Attacker: q.Attacker, Statistics: q.Statistics})
			}
			return nil
		}
		number, found, err := c.solve(s.root)
		q.Statistics = statistics()
		if err != nil {
			return q, err
		}
		s.carriers, s.carrier, s.winner = c, number, int(found.winner)
	}
	attacker := s.connection.Placement(s.root).ToMove
	if q.Attacker == proof.Other {
		attacker = 1 - attacker
	}
	if q.Outcome = Disproven; attacker == s.winner {
		q.Outcome = Proven
	}
	return q, nil
}

// writeCarriers writes the proof of the result.
func (s *Solver[P, M]) writeCarriers(w *proof.Writer) error {
	var board games.Squares
	for _, m := range s.rules.game.AppendMoves(nil, s.rules.game.Start()) {
		board = board.With(s.connection.Square(m))
	}
	return s.carriers.write(w, s.carrier, board)
}

// write writes the proof of a carrier. In the position of a node the winner has the carrier's stones,
// and the other side all squares that are not in it: every position that has the carrier is no worse.
func (c *connection[P, M]) write(w *proof.Writer, root uint32, board games.Squares) error {
	uses := make([]uint64, root+1)
	uses[root] = 1
	for i := root; i > 0; i-- {
		if x := &c.carriers[i]; uses[i] > 0 {
			for _, child := range c.children[x.first:][:x.count] {
				uses[child]++
			}
		}
	}
	numbers, ranks := make([]uint64, root+1), make([]uint64, root+1)
	var n proof.Node
	for i := uint32(1); i <= root; i++ {
		if uses[i] == 0 {
			continue
		}
		x := &c.carriers[i]
		at := games.Placement{ToMove: int(x.winner)}
		if n.Kind = proof.Or; !x.toMove {
			n.Kind, at.ToMove = proof.And, 1-at.ToMove
		}
		at.Stones[x.winner], at.Stones[1-x.winner] = x.stones, board.Minus(x.squares)
		p := c.rules.Place(at)
		n.Position, n.Move, n.Children = c.game.AppendPosition(n.Position[:0], p), n.Move[:0], n.Children[:0]
		if x.toMove {
			n.Move = c.game.AppendMove(n.Move, p, x.move)
		}
		n.Uses, ranks[i] = uses[i], 1
		for _, child := range c.children[x.first:][:x.count] {
			if child != 0 {
				n.Children = append(n.Children, numbers[child])
				ranks[i] = max(ranks[i], ranks[child]+1)
			}
		}
		n.Rank = ranks[i]
		var err error
		if numbers[i], err = w.Add(&n); err != nil {
			return err
		}
	}
	return w.EndClaim(numbers[root])
}
