package review

import (
	"cmp"
	"context"
	"math"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// confirmation is how many times the usual effort goes into a position to confirm a mark, unless the game has deciders
// that are worth more.
const confirmation = 4

// confirm lets deciders search more in the positions before and after moves that are marked by estimates, or judges these
// positions again, each once, until no mark is left that was not confirmed: what is found may mark other moves.
func (r *reviewer[P, M]) confirm(ctx context.Context) error {
	nodes := cmp.Or(r.Calibration.Confirm, confirmation) * r.Leaves
	asked := make([]bool, len(r.found))
	for {
		wanted, some := make([]bool, len(r.found)), false
		for i := r.First; i < len(r.moves); i++ {
			if m := r.judged(i); m.Mark == "" || m.After != nil {
				continue
			}
			for _, j := range [2]int{i, i + 1} {
				if !asked[j] && !r.found[j].Decided(r.order) {
					wanted[j], asked[j], some = true, true, true
				}
			}
		}
		if !some {
			return nil
		}
		err := r.each(ctx, len(r.found), nil, func(ctx context.Context, s play.Engine[P, M], i int) error {
			if !wanted[i] {
				return nil
			}
			if r.Faults {
				before := r.found[i]
				err := r.judgeWith(ctx, s, i, nodes, confirmation*r.Leaves)
				if err != nil {
					r.found[i] = before
				}
				return err
			}
			a, err := s.Decide(ctx, r.positions[i], nodes)
			if err == nil && a.Decided(r.order) {
				r.found[i].Advice = a
			}
			return err
		})
		if err := cmp.Or(err, r.carry()); err != nil {
			return err
		}
	}
}

// verdict is what the fields of a [Row] say of the move that was made.
type verdict struct {
	Mark  Mark
	After *games.Bounds
	Lost  float64
	Plies int
}

// judged says what the move made at a ply gives away: by values as far as they tell, otherwise by estimates.
func (r *reviewer[P, M]) judged(i int) (v verdict) {
	if r.Side != 0 && r.rows[i].Side != r.Side {
		return v
	}
	now, next := &r.found[i], &r.found[i+1]
	gain := r.gain(r.positions[i], r.moves[i])
	after := next.Backup(gain)
	if now.Decided(r.order) && after.Decided(r.order) || after.Upper < now.Lower {
		v.After = &after
		was, _ := now.Result()
		is, _ := after.Result()
		switch {
		case after.Upper >= now.Lower: // nothing is shown to be lost
		case r.order == games.ByScore || was != is:
			v.Mark = Blunder
		case now.Exact() && after.Exact():
			v.Mark, v.Plies = Inaccuracy, now.Lower.Size()-after.Lower.Size()
			if was == games.Won {
				v.Plies = -v.Plies
			}
		}
		return v
	}
	best, own := play.WinRate(now.score), play.WinRate(now.own)
	if now.Decided(r.order) { // and the position after the move is not
		best, own = play.WinRate(play.ScoreOf(now.Lower)), play.WinRate(play.Score(gain)*play.Point-next.score)
	} else if after.Decided(r.order) {
		own = play.WinRate(play.ScoreOf(after.Upper))
	}
	v.Lost = math.Max(best-own, 0)
	doubt := r.Calibration.Doubt
	if doubt >= 1 {
		doubt = 0 // the mark is not printed, but asks for a confirmation, and that may be a value
	}
	for n, least := range r.Thresholds {
		if v.Lost >= max(least, doubt) {
			v.Mark = [...]Mark{Inaccuracy, Mistake, Blunder}[n]
		}
	}
	return v
}

// seen reports whether the position at a ply is judged, as all are but in a game that is interrupted, or proven.
func (r *reviewer[P, M]) seen(i int) bool { return r.judgedAt[i] || r.found[i].Decided(r.order) }

// describe fills in the rows.
func (r *reviewer[P, M]) describe() error {
	for i := r.First; i < len(r.rows); i++ {
		row, now := &r.rows[i], &r.found[i]
		if !r.seen(i) {
			continue
		}
		if now.Decided(r.order) {
			row.Value, row.ProvedBy = &now.Bounds, now.By
		} else {
			row.Score = &now.score
			rate := play.WinRate(now.score)
			row.WinRate = &rate
			if _, mate := now.score.Mate(); r.Resignation != nil && !mate {
				probability := r.Resignation.Probability(now.searched)
				row.Resign, row.ResignBase = &probability, r.Resignation.Base
			}
		}
		if i == len(r.moves) {
			break
		}
		if row.unmarked = r.Side != 0 && row.Side != r.Side || !r.seen(i+1); row.unmarked {
			continue
		}
		v := r.judged(i)
		if v.After == nil && r.Calibration.Doubt >= 1 {
			v.Mark = ""
		}
		row.Mark, row.After, row.Lost, row.Plies = v.Mark, v.After, v.Lost, v.Plies
		if v.Mark != "" {
			if err := r.better(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// known returns what Value knows of a position, as [play.Attaining] asks for it.
func (r *reviewer[P, M]) known(p P) (b games.Bounds, rank uint64, err error) {
	b = games.Unbounded
	if r.Value == nil {
		return b, 0, nil
	}
	v, _, known, err := r.Value(p)
	if known {
		b = games.BoundsOf(v)
	}
	return b, 0, err
}

// better names the best move at a ply.
func (r *reviewer[P, M]) better(i int) error {
	p, row, found := r.positions[i], &r.rows[i], &r.found[i]
	line := found.line
	if found.Decided(r.order) {
		line = found.Line
		if len(line) == 0 {
			var err error
			if line, err = play.Attaining(r.game, p, found.Lower, r.known); err != nil {
				return err
			}
		}
	}
	if len(line) == 0 || line[0] == r.moves[i] {
		return nil
	}
	row.Best = string(r.game.AppendMove(nil, p, line[0]))
	for _, m := range line {
		row.Line = append(row.Line, string(r.game.AppendMove(nil, p, m)))
		p = r.game.Play(p, m)
	}
	return nil
}
