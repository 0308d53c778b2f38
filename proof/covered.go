package proof

import (
	"cmp"
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// covered are the wins of a game that is [games.Monotone]: whoever wins a position wins all that are no worse for it.
type covered[P comparable] struct {
	games.Monotone[P]
	images func(at games.Placement) []games.Placement
	board  games.Squares
	wins   [2][2]games.Carriers // by who wins, and who is to move
	ranks  []uint64             // by number, ascending
}

// coveredOf returns the wins of a game, none yet, or nil if it is not [games.Monotone].
func coveredOf[P, M comparable](g games.Game[P, M]) *covered[P] {
	m := games.MonotoneOf(g)
	if m == nil {
		return nil
	}
	c := &covered[P]{Monotone: m, images: func(at games.Placement) []games.Placement { return []games.Placement{at} }}
	if s, ok := games.As[games.Symmetric](g); ok {
		c.images = s.Images
	}
	start := g.Start()
	for _, move := range g.AppendMoves(nil, start) {
		at := m.Placement(g.Play(start, move))
		c.board = c.board.Or(at.Stones[0]).Or(at.Stones[1])
	}
	return c
}

// with returns the wins among statements instead of those before. It fails with [games.ErrContradiction] if there is a
// position that both sides win.
func (c *covered[P]) with(known map[P]statement) (*covered[P], error) {
	type win struct {
		at   games.Placement
		side int
		rank uint64
	}
	var list []win
	for p, s := range known {
		x := win{c.Placement(p), 0, s.rank}
		switch s.Bounds {
		case games.BoundsOf(games.Won.Value()):
			x.side = x.at.ToMove
		case games.BoundsOf(games.Lost.Value()):
			x.side = 1 - x.at.ToMove
		default:
			continue
		}
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b win) int { return cmp.Compare(a.rank, b.rank) })
	all := &covered[P]{Monotone: c.Monotone, images: c.images, board: c.board, ranks: make([]uint64, 1, 1+len(list))}
	for i := range list {
		x := &list[i]
		if all.find(&x.at, 1-x.side) != 0 {
			return nil, games.ErrContradiction
		}
		all.wins[x.side][x.at.ToMove].Add(x.at.Stones[x.side], c.board.Minus(x.at.Stones[1-x.side]), uint32(len(all.ranks)))
		all.ranks = append(all.ranks, x.rank)
	}
	return all, nil
}

// find returns the lowest number of a win of a side than which a position, or an image of it, is no worse; 0 if there is
// none.
func (c *covered[P]) find(at *games.Placement, side int) (least uint32) {
	for _, image := range c.images(*at) {
		c.wins[side][at.ToMove].All(image.Stones[side], image.Stones[1-side], func(number uint32) bool {
			if least == 0 || number < least {
				least = number
			}
			return true
		})
	}
	return least
}

// statement returns what is known of a position.
func (c *covered[P]) statement(p P) (s statement, ok bool) {
	at := c.Placement(p)
	for side := range c.wins {
		if number := c.find(&at, side); number != 0 {
			result := games.Lost
			if side == at.ToMove {
				result = games.Won
			}
			return statement{games.BoundsOf(result.Value()), c.ranks[number]}, true
		}
	}
	return s, false
}
