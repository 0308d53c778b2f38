package book

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// lines is how many moves of a position a book has at most that grows by itself.
const lines = 6

// candidate is a move that a book may have. What is proven or estimated of it is for the side that makes it.
type candidate[P, M comparable] struct {
	Move
	move   M
	to     after[P]
	score  play.Score // if judged
	known  bool       // its value is proven
	judged bool       // there is a score, by the value or an estimate
}

// study returns the moves of an unfinished position that are good enough, those with the most weight first. x is what
// was played there, nil if the book grows by itself.
func (b *builder[P, M]) study(ctx context.Context, p P, x *played[P]) ([]Move, error) {
	list := b.candidates(p, x)
	unknown := false
	for i := range list {
		if err := b.lookUp(&list[i]); err != nil {
			return nil, err
		}
		unknown = unknown || !list[i].known
	}
	if b.Search != nil && b.Nodes > 0 && unknown && !b.won(list) {
		b.Search.Clear()
		if err := b.search(ctx, p, list, x != nil); err != nil {
			return nil, err
		}
	}
	return b.choose(list, x != nil), nil
}

// candidates returns the moves of a position, those once that are the same but for symmetry, with what was played.
func (b *builder[P, M]) candidates(p P, x *played[P]) (list []candidate[P, M]) {
	seen := map[after[P]]bool{}
	for _, m := range b.game.AppendMoves(nil, p) {
		to := b.after(p, m)
		if seen[to] {
			continue
		}
		seen[to] = true
		c := candidate[P, M]{move: m, to: to}
		if x != nil && x.moves[to] != nil {
			c.Move = *x.moves[to]
		}
		c.Move.Move = string(b.game.AppendMove(nil, p, m))
		list = append(list, c)
	}
	return list
}

// lookUp finds the value of a move by the rules and the database.
func (b *builder[P, M]) lookUp(c *candidate[P, M]) error {
	if v, finished := b.game.Outcome(c.to.p); finished {
		b.prove(c, games.BoundsOf(v).Backup(c.to.gain), play.ByRules)
	} else if b.Database != nil {
		v, known, err := b.Database.Value(c.to.p)
		if err != nil {
			return err
		}
		if known {
			b.prove(c, games.BoundsOf(v).Backup(c.to.gain), play.ByDatabase)
		}
	}
	return nil
}

// prove sets the value of a move if the bounds decide it.
func (b *builder[P, M]) prove(c *candidate[P, M], v games.Bounds, by string) {
	if c.known || !v.Decided(b.order) {
		return
	}
	c.Value, c.ProvedBy, c.Estimate, c.known = &v, by, nil, true
	c.score, c.judged = c.Move.score()
}

// won reports whether a move is proven to win, in a game without scores.
func (b *builder[P, M]) won(list []candidate[P, M]) bool {
	return b.order != games.ByScore && slices.ContainsFunc(list, func(c candidate[P, M]) bool { return c.result() == games.Won })
}

// result returns what is proven of the result, a draw if that is nothing.
func (c *candidate[P, M]) result() games.Result {
	if !c.known {
		return games.Drawn
	}
	r, _ := c.Value.Result()
	return r
}

// search estimates moves, and proves what it can. Of a book of games it judges the moves that were played, beside the one
// that it prefers; else the best ones.
func (b *builder[P, M]) search(ctx context.Context, p P, list []candidate[P, M], played bool) error {
	const share = 4 // as a search leaves those that prove
	advice, err := b.Search.Decide(ctx, p, b.Nodes/share)
	if err != nil {
		return err
	}
	if advice.Decided(b.order) && len(advice.Line) > 0 {
		to := b.after(p, advice.Line[0])
		for i := range list {
			if list[i].to == to {
				b.prove(&list[i], advice.Bounds, advice.By)
			}
		}
		if b.won(list) {
			return nil
		}
	}
	only := make([]M, len(list))
	for i := range list {
		only[i] = list[i].move
	}
	most := min(lines, len(list))
	if played {
		most = 1
	}
	r, err := b.estimate(ctx, p, list, only, most)
	if err != nil {
		return err
	}
	if played {
		only = slices.DeleteFunc(only, func(m M) bool {
			i := slices.IndexFunc(list, func(c candidate[P, M]) bool { return c.move == m })
			return list[i].Played < b.Least && m != r.Best().Moves[0]
		})
		if _, err = b.estimate(ctx, p, list, only, len(only)); err != nil {
			return err
		}
	}
	for i := range list {
		if c := &list[i]; c.judged && !c.known {
			a, err := b.Search.Decide(ctx, c.to.p, b.Nodes/share)
			if err != nil {
				return err
			}
			b.prove(c, a.Bounds.Backup(c.to.gain), a.By)
		}
	}
	return nil
}

// estimate searches some moves at one depth, and sets the scores of the best that are not proven.
func (b *builder[P, M]) estimate(ctx context.Context, p P, list []candidate[P, M], only []M, most int) (play.Result[M], error) {
	r, err := b.Search.Search(ctx, play.Query[P, M]{From: p, Only: only, Lines: most, Limits: play.Limits{Nodes: b.Nodes * uint64(most)}})
	if err != nil {
		return r, err
	}
	for _, line := range r.Lines {
		i := slices.IndexFunc(list, func(c candidate[P, M]) bool { return c.move == line.Moves[0] })
		if c := &list[i]; !c.known {
			score := line.Score
			c.Estimate, c.score, c.judged = &score, score, true
		}
	}
	return r, nil
}

// choose returns the moves that are good enough, with their weights. A value counts for more than an estimate: only moves
// with the best value that is known are left of those that have one, none that is proven to lose, and no other beside
// one that is proven to win.
func (b *builder[P, M]) choose(list []candidate[P, M], played bool) (moves []Move) {
	var proven, best *candidate[P, M] // the best of those with a value, and of those with a score
	for i := range list {
		c := &list[i]
		if c.known && (proven == nil || c.Value.Lower > proven.Value.Lower) {
			proven = c
		}
		if c.judged && (best == nil || c.score > best.score) {
			best = c
		}
	}
	wins := b.won(list)
	for i := range list {
		c := &list[i]
		switch {
		case played && c.Played < b.Least && !(wins && c.known):
		case c.known && (c.Value.Lower != proven.Value.Lower || b.order != games.ByScore && c.result() == games.Lost):
		case wins && !c.known:
		case c.judged && c.score < best.score-b.Margin:
		case !c.judged && !played:
		default:
			if c.Weight = b.weight(c, best, played); c.Weight > 0 {
				moves = append(moves, c.Move)
			}
		}
	}
	slices.SortStableFunc(moves, func(x, y Move) int { return cmp.Compare(y.Weight, x.Weight) })
	return moves
}

// weight returns how often a move that is good enough is chosen: by the results of games, of which a value needs none,
// or else by how far its score is below the best.
func (b *builder[P, M]) weight(c, best *candidate[P, M], played bool) int {
	switch {
	case played && c.known:
		return max(c.points(), 1)
	case played:
		return c.points()
	}
	const most = 100
	if b.Margin == 0 {
		return most
	}
	return max(int(math.Round(most*math.Exp(-2*float64(best.score-c.score)/float64(b.Margin)))), 1)
}
