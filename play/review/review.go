package review

import (
	"cmp"
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/measure"
)

// Config configures a review.
type Config[P, M comparable] struct {
	// Search returns an engine, for each thread.
	Search func() (play.Engine[P, M], error)
	// Value, if not nil, returns the value of a position for the side to move if it is known, and
	// who knows it, such as "database". Threads share it.
	Value func(p P) (v games.Value, source string, known bool, err error)
	// Leaves is how many leaves the search of each position counts at least; see [measure.Measure]. The engine's
	// deciders may search as many positions before, and several times as many to confirm a mark.
	Leaves uint64
	// Threads is the number of positions judged at the same time; 0 means 1.
	Threads int
	// First is the first ply to go through. The moves before it are only made.
	First int
	// Side is the side whose moves are marked, 1 or 2; 0 means both.
	Side int
	// Thresholds are by how much of the win rate moves lose that are marked by estimates, from [Inaccuracy] to [Blunder];
	// zero means [Thresholds].
	Thresholds [3]float64
	// Calibration is that of the evaluation: nothing is marked below its Doubt, and scores are without its Optimism.
	Calibration games.Calibration
	// Faults says that moves that are marked by estimates are judged again, with several times the effort.
	Faults bool
	// Book is the first ply at which the opening may be over.
	Book int
	// Resignation, if not nil, is the model of when a player resigns.
	Resignation *measure.Resignation
	// Progress, if not nil, is told of positions, perhaps on several goroutines at once.
	Progress games.Progress
}

// Row is a position of the game, and the move that was made there.
type Row struct {
	Ply  int    `json:"ply"`  // from 0
	Side int    `json:"side"` // that is to move: 1 moves first in the game
	Text string `json:"position"`
	// Move is the move made, empty in the last position.
	Move string `json:"move,omitempty"`

	// Value is what is proven of the value for the side to move, by ProvedBy, if that decides it. Otherwise Score is an
	// estimate, and WinRate what follows from it.
	Value    *games.Bounds `json:"value,omitempty"`
	ProvedBy string        `json:"proved_by,omitempty"`
	Score    *play.Score   `json:"score,omitempty"`
	WinRate  *float64      `json:"win_rate,omitempty"`
	Depth    int           `json:"depth,omitempty"` // plies searched

	// Best is the best move, and Line how play may go on after it, if the move made is worse.
	Best string   `json:"best,omitempty"`
	Line []string `json:"line,omitempty"`
	// After is what is proven of the move made, if the mark rests on that. Lost is how much the move gives away: of the
	// win rate by estimates, or Plies of the distance by values. A move that the search would make loses nothing.
	After *games.Bounds `json:"after,omitempty"`
	Lost  float64       `json:"lost,omitempty"`
	Plies int           `json:"plies_lost,omitempty"`
	Mark  Mark          `json:"mark,omitempty"`

	// Up and Down are the branching factors; see [measure.Difficulty].
	Up   float64 `json:"branching,omitempty"`
	Down float64 `json:"branching_other,omitempty"`
	// Resign is the probability that the side to move would resign, by a model of which the share ResignBase of
	// all positions were resignations.
	Resign     *float64 `json:"resign,omitempty"`
	ResignBase float64  `json:"resign_base,omitempty"`
	// Evidence is that of the attacks of sides 1 and 2, in a game that counts them.
	Evidence *[2]measure.Evidence `json:"evidence,omitempty"`
	Phase    string               `json:"phase,omitempty"` // Opening, or empty

	unmarked bool // the move is not judged, since it is one of the other side, or not all is known of it
}

// Mark says how bad a move is.
type Mark string

// The marks. By values, a move that changes the result is a blunder, and one that only wins later or loses
// sooner is inaccurate. By estimates it depends on the win rate.
const (
	Inaccuracy Mark = "?!"
	Mistake    Mark = "?"
	Blunder    Mark = "??"
)

// Thresholds are by how much of the win rate a move loses that is marked by estimates, unless the user wants others.
var Thresholds = [3]float64{0.05, 0.10, 0.20}

// Opening is the phase until the dissonance of a side reaches a threshold. Later phases are not told: the largest drop
// of the dissonance does not mark the endgame (docs/resignation.md).
const Opening = "opening"

// Review is what was found about a game.
type Review struct {
	Rows []Row `json:"-"`
	// OpeningEnds is the ply at which the opening is over, 0 if it is not, or if the game does not count attacks.
	OpeningEnds int `json:"opening_ends,omitempty"`
	// Decided is how many of the rows have a value.
	Decided int `json:"decided"`
	// Marks counts the marks of sides 1 and 2.
	Marks [2]Marks `json:"marks"`
	// MeanLoss is how much of the win rate a move of each side costs on average, over its moves that are
	// judged by estimates, see [Row.Estimated]; 0 if there are none.
	MeanLoss [2]float64 `json:"mean_loss"`
	// Hopeless is the ply from which on a side would more likely resign than not, whenever it is to move,
	// -1 if there is none. Without a model of that it is nil.
	Hopeless *int `json:"hopeless,omitempty"`
}

// Marks counts marks.
type Marks struct {
	Inaccuracies int `json:"inaccuracies"`
	Mistakes     int `json:"mistakes"`
	Blunders     int `json:"blunders"`
}

// Game reviews the game of some moves from a position. A finished last position is judged by the rules.
// The rows begin with that of ply First; the opening needs all of them. If ctx ends, the review that comes with the error has
// the rows that are judged by then, and marks that are not confirmed; it is nil if there are none.
func Game[P, M comparable](ctx context.Context, g games.Game[P, M], from P, moves []M, c Config[P, M]) (*Review, error) {
	r := &reviewer[P, M]{Config: c, game: g, order: games.OrderOf(g), from: from, moves: moves, rows: make([]Row, len(moves)+1), found: make([]judgement[M], len(moves)+1), judgedAt: make([]bool, len(moves)+1)}
	if r.Thresholds == [3]float64{} {
		r.Thresholds = Thresholds
	}
	p := from
	for i := range r.rows {
		r.positions = append(r.positions, p)
		r.found[i] = nothing[M]()
		r.rows[i] = Row{Ply: i, Side: 1 + i%2, Text: string(g.AppendPosition(nil, p))}
		if i < len(moves) {
			r.rows[i].Move = string(g.AppendMove(nil, p, moves[i]))
			p = g.Play(p, moves[i])
		}
	}
	err := r.each(ctx, len(r.rows), c.Progress, r.judge)
	if err = cmp.Or(err, r.carry()); err == nil {
		err = r.confirm(ctx)
	}
	if err != nil {
		if ctx.Err() != nil {
			return r.partly(), err
		}
		return nil, err
	}
	if err := r.describe(); err != nil {
		return nil, err
	}
	review := &Review{Rows: r.rows[c.First:], OpeningEnds: r.opening()}
	review.count()
	if c.Resignation != nil {
		ply := review.hopeless()
		review.Hopeless = &ply
	}
	return review, nil
}

// partly returns a review of the positions that are judged, nil if there are none.
func (r *reviewer[P, M]) partly() *Review {
	if r.carry() != nil || r.describe() != nil {
		return nil
	}
	v := new(Review)
	for i := r.First; i < len(r.rows); i++ {
		if r.seen(i) {
			v.Rows = append(v.Rows, r.rows[i])
		}
	}
	if v.Rows == nil {
		return nil
	}
	v.count()
	return v
}

// reviewer goes through a game.
type reviewer[P, M comparable] struct {
	Config[P, M]
	game      games.Game[P, M]
	order     games.Order
	from      P
	moves     []M
	positions []P
	rows      []Row
	found     []judgement[M]
	judgedAt  []bool // the plies whose positions are judged
}

// opening sets the phase of the rows of the opening, and returns the ply at which it is over, 0 if it is not. Only a
// game from the start position has one.
func (r *reviewer[P, M]) opening() int {
	influence, ok := games.As[games.Influence[P]](r.game)
	if !ok || r.First > 0 || r.from != r.game.Start() {
		return 0
	}
	var list [][2]float64
	for i := range r.rows {
		e := r.rows[i].Evidence
		list = append(list, [2]float64{e[0].E, e[1].E})
	}
	own, _ := influence.Influence(r.from)
	over := measure.PhasesOf(list, measure.OpeningEnds(influence.Columns(), len(own)/influence.Columns()), r.Book).Middle
	for i := range r.rows {
		if over == 0 || i < over {
			r.rows[i].Phase = Opening
		}
	}
	return over
}

// count fills in what sums up the rows.
func (v *Review) count() {
	var judged [2]int
	for i := range v.Rows {
		row := &v.Rows[i]
		m := &v.Marks[row.Side-1]
		switch row.Mark {
		case Inaccuracy:
			m.Inaccuracies++
		case Mistake:
			m.Mistakes++
		case Blunder:
			m.Blunders++
		}
		if row.Value != nil {
			v.Decided++
		}
		if row.Estimated() {
			judged[row.Side-1]++
			v.MeanLoss[row.Side-1] += row.Lost
		}
	}
	for side := range 2 {
		v.MeanLoss[side] /= float64(max(judged[side], 1))
	}
}

// hopeless returns the ply from which on a side would more likely resign than not, -1 if there is none.
func (v *Review) hopeless() int {
	ply := -1
	for side := range 2 {
		for i := len(v.Rows) - 1; i >= 0; i-- {
			p := v.Rows[i].Resign
			if p == nil || v.Rows[i].Side != side+1 {
				continue
			}
			if *p < 0.5 {
				break
			}
			ply = v.Rows[i].Ply
		}
	}
	return ply
}

// Estimated reports whether the move of the row is judged by estimates: values do not tell what it gives away.
func (row *Row) Estimated() bool { return row.Move != "" && row.After == nil && !row.unmarked }

// Title names a row as players do, such as "12. 7g7f".
func (row *Row) Title() string { return fmt.Sprintf("%d. %s", row.Ply+1, row.Move) }
