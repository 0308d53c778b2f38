package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// Ending says why a game ended.
type Ending string

// The endings.
const (
	ByRules      Ending = "rules"
	ByResigning  Ending = "resignation"
	ByRepetition Ending = "repetition"
	ByLength     Ending = "length" // it had the most plies that were allowed
	ByDatabase   Ending = "database"
	ByTime       Ending = "time"
	ByIllegal    Ending = "illegal move"
	ByDeclaring  Ending = "declaration"
)

// Record is a game that was played.
type Record struct {
	Pair int `json:"pair"`
	// Second says that the second player of the match moved first.
	Second bool `json:"second,omitempty"`
	// From is the position after the opening, as text, and Moves are the moves from there.
	From  string   `json:"from"`
	Moves []string `json:"moves"`
	// Points are those of the first player of the match: 0, 0.5 or 1.
	Points float64 `json:"points"`
	Ending Ending  `json:"ending"`
	// Remark says more about the ending, such as what was illegal.
	Remark string `json:"remark,omitempty"`
	// Scores are what the player who moved thought of each position, if it said so.
	Scores []play.Score `json:"scores,omitempty"`
}

// Rules are how a match is played.
type Rules[P comparable] struct {
	// Plies ends a game as a draw after that many plies; 0 means 512.
	Plies int
	// Repetitions ends a game when a position occurs that often; 0 means as often as the
	// rules of the game say, or 3.
	Repetitions int
	// Database, if not nil, ends a game in a position of which it knows the value.
	Database play.Database[P]
	// Clock is what each player has for the game; zero if no time is measured.
	Clock play.Clock
}

// over is how a game has ended.
type over struct {
	value  games.Value // for the side to move
	ending Ending
	remark string
}

// table is where a game is played.
type table[P, M comparable] struct {
	game     games.Game[P, M]
	rules    Rules[P]
	cursor   games.Cursor[P, M]
	scorer   games.Scorer[P, M] // these are nil if the game has none
	declared games.Declarer[P]  //
	from     P
	moves    []M
	keys     []P
	gains    [2]int // points won by the side that moved first, and by the other
	clocks   [2]play.Clock
}

func newTable[P, M comparable](g games.Game[P, M], r Rules[P]) *table[P, M] {
	if r.Plies == 0 {
		r.Plies = 512
	}
	if r.Repetitions == 0 {
		r.Repetitions = 3
	}
	t := &table[P, M]{game: g, rules: r, cursor: games.NewCursor(g, nil)}
	t.scorer, _ = games.As[games.Scorer[P, M]](g)
	t.declared, _ = games.As[games.Declarer[P]](g)
	return t
}

// play plays a game from a position between the player who moves first and the other. The
// points are those of the first.
func (t *table[P, M]) play(ctx context.Context, from P, players [2]Player[P, M], seed uint64) (Record, error) {
	t.from, t.moves, t.keys, t.gains = from, t.moves[:0], t.keys[:0], [2]int{}
	t.clocks = [2]play.Clock{t.rules.Clock, t.rules.Clock}
	t.cursor.Set(from)
	r := Record{From: string(t.game.AppendPosition(nil, from)), Moves: []string{}}
	for i, p := range players {
		if err := p.Begin(ctx, seed+uint64(i)); err != nil {
			return r, err
		}
	}
	for {
		mover := len(t.moves) % 2
		end, err := t.over()
		if err != nil {
			return r, err
		}
		if end == nil {
			var d Decision[M]
			if d, end, err = t.ask(ctx, players[mover], mover); err != nil {
				return r, err
			}
			if end == nil {
				r.Moves = append(r.Moves, string(t.game.AppendMove(nil, t.cursor.Position(), d.Move)))
				if d.Judged {
					r.Scores = append(r.Scores, d.Score)
				}
				t.keys = append(t.keys, t.cursor.Position())
				t.gains[mover] += t.cursor.Do(d.Move)
				t.moves = append(t.moves, d.Move)
				continue
			}
		}
		r.Ending, r.Remark = end.ending, end.remark
		r.Points = t.points(end.value, mover)
		if len(r.Scores) != len(r.Moves) {
			r.Scores = nil
		}
		return r, nil
	}
}

// ask asks a player for a move, and ends the game if there is none.
func (t *table[P, M]) ask(ctx context.Context, p Player[P, M], mover int) (Decision[M], *over, error) {
	lost := func(e Ending, remark string) *over { return &over{games.Loss(0), e, remark} }
	if t.scorer != nil {
		lost = func(e Ending, remark string) *over {
			return &over{games.Score(-t.scorer.Remaining(t.cursor.Position())), e, remark}
		}
	}
	begin := time.Now()
	d, err := p.Move(ctx, State[P, M]{t.from, t.moves, t.cursor.Position(), [2]play.Clock{t.clocks[mover], t.clocks[1-mover]}})
	var illegal *IllegalError
	switch {
	case errors.As(err, &illegal):
		return d, lost(ByIllegal, illegal.Error()), nil
	case err != nil:
		return d, nil, err
	case !t.spend(mover, time.Since(begin)):
		return d, lost(ByTime, ""), nil
	case d.Resign:
		return d, lost(ByResigning, ""), nil
	case d.Declare && t.declared == nil:
		return d, lost(ByIllegal, "a declaration, but the game has none"), nil
	case d.Declare && !t.declared.Declares(t.cursor.Position()):
		return d, lost(ByIllegal, "a declaration without what it needs"), nil
	case d.Declare:
		return d, &over{games.Win(0), ByDeclaring, ""}, nil
	}
	return d, nil, nil
}

// spend takes time from a player's clock, and reports whether there was enough.
func (t *table[P, M]) spend(mover int, d time.Duration) bool {
	c := &t.clocks[mover]
	if *c == (play.Clock{}) {
		return true
	}
	c.Left -= d
	if c.Left < 0 {
		if -c.Left > c.Byoyomi {
			return false
		}
		c.Left = 0
	}
	c.Left += c.Increment
	return true
}

// over returns how the game has ended, nil if it goes on.
func (t *table[P, M]) over() (*over, error) {
	p := t.cursor.Position()
	if v, finished := t.cursor.Outcome(); finished {
		return &over{v, ByRules, ""}, nil
	}
	same, last := 1, 0
	for i := len(t.keys) - 2; i >= 0; i -= 2 {
		if t.keys[i] == p {
			if same++; last == 0 {
				last = len(t.keys) - i
			}
		}
	}
	if same >= t.rules.Repetitions {
		return &over{t.cursor.Repetition(last), ByRepetition, ""}, nil
	}
	if t.rules.Database != nil && len(t.moves) > 0 {
		v, known, err := t.rules.Database.Value(p)
		if err != nil {
			return nil, err
		}
		if known {
			return &over{v, ByDatabase, v.String()}, nil
		}
	}
	if len(t.moves) >= t.rules.Plies {
		return &over{games.Draw, ByLength, ""}, nil
	}
	return nil, nil
}

// points returns the points of the side that moved first, from the value of the last position
// for the side to move.
func (t *table[P, M]) points(v games.Value, mover int) float64 {
	sign := 1
	if mover == 1 {
		sign = -1
	}
	net := sign * int(v)
	if t.scorer != nil {
		net += t.gains[0] - t.gains[1]
	}
	switch {
	case net > 0:
		return 1
	case net < 0:
		return 0
	}
	return 0.5
}

// IllegalError is returned by a player of another program that has answered with something that
// is not a legal move: it has lost.
type IllegalError struct{ Move, Why string }

func (e *IllegalError) Error() string { return fmt.Sprintf("%q: %s", e.Move, e.Why) }
