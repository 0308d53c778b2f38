package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	ByCrash      Ending = "crash" // a player has ended, failed or panicked, or was not ready for the game
)

// Forfeits reports whether a game that ended so says nothing about its positions.
func (e Ending) Forfeits() bool { return e == ByTime || e == ByCrash || e == ByIllegal }

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
	// Forfeit is the player of the match, 1 or 2, who has lost by time, a crash or an illegal move, 0 if none has.
	Forfeit int `json:"forfeit,omitempty"`
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
	points float64 // of the side that moved first
	ending Ending
	remark string
}

// table is where games are played.
type table[P, M comparable] struct {
	game   games.Game[P, M]
	rules  Rules[P]
	limits Patience
	board  *board[P, M] // nil if the last was left behind with a call
}

func newTable[P, M comparable](g games.Game[P, M], r Rules[P], limits Patience) *table[P, M] {
	if r.Plies == 0 {
		r.Plies = 512
	}
	if r.Repetitions == 0 {
		r.Repetitions = 3
	}
	return &table[P, M]{game: g, rules: r, limits: limits}
}

// board is the game that is played. A call that does not return keeps it.
type board[P, M comparable] struct {
	game     games.Game[P, M]
	rules    Rules[P]
	cursor   games.Cursor[P, M]
	scorer   games.Scorer[P, M] // these are nil if the game has none
	declared games.Declarer[P]  //
	from     P
	moves    []M
	keys     []P
	gains    [2]int // points won by the side that moved first, and by the other
}

func newBoard[P, M comparable](g games.Game[P, M], r Rules[P]) *board[P, M] {
	b := &board[P, M]{game: g, rules: r, cursor: games.NewCursor(g, nil)}
	b.scorer, _ = games.As[games.Scorer[P, M]](g)
	b.declared, _ = games.As[games.Declarer[P]](g)
	return b
}

// turn is what comes of a move.
type turn struct {
	text   string // of the move, or of the position in which a game begins
	score  play.Score
	judged bool
	took   time.Duration
	end    *over // nil if the game goes on
}

// play plays a game from a position between the player who moves first and the other. The
// points are those of the first, and a forfeit is that of player 1, who moves first, or 2.
func (t *table[P, M]) play(ctx context.Context, from P, seats [2]*seat[P, M], seed uint64) (Record, error) {
	r := Record{Moves: []string{}}
	first, err := t.attempt(ctx, t.limits.Start, nil, func(_ context.Context, b *board[P, M], _ Player[P, M]) (turn, error) { return b.begin(from) })
	if fatal, ok := errors.AsType[fatalError](err); ok {
		return r, fatal.error
	}
	if err != nil {
		return r, fmt.Errorf("the rules of %s: %w", t.game.Name(), err)
	}
	r.From = first.text
	for i, s := range seats {
		err := s.begin(ctx, seed+uint64(i))
		if err != nil {
			return r, t.forfeit(ctx, &r, seats, i, ByCrash, err)
		}
	}
	clocks := [2]play.Clock{t.rules.Clock, t.rules.Clock}
	end := first.end
	for end == nil {
		mover := len(r.Moves) % 2
		s, clock := seats[mover], &clocks[mover]
		limit := s.move
		if *clock != (play.Clock{}) {
			limit = max(clock.Left+clock.Byoyomi, 1)
		}
		// What the rules make of the move is on the clock too: it may not return.
		both := [2]play.Clock{clocks[mover], clocks[1-mover]}
		made, err := t.attempt(ctx, limit, s, func(ctx context.Context, b *board[P, M], p Player[P, M]) (turn, error) {
			return b.move(ctx, p, both)
		})
		_, illegal := errors.AsType[*IllegalError](err)
		switch {
		case illegal:
			return r, t.forfeit(ctx, &r, seats, mover, ByIllegal, err)
		case errors.Is(err, errLate):
			return r, t.forfeit(ctx, &r, seats, mover, ByTime, err)
		case err != nil:
			return r, t.forfeit(ctx, &r, seats, mover, ByCrash, err)
		case !spend(clock, made.took):
			return r, t.forfeit(ctx, &r, seats, mover, ByTime, errors.New("a late answer"))
		}
		if made.text != "" {
			r.Moves = append(r.Moves, made.text)
		}
		if made.judged && made.text != "" {
			r.Scores = append(r.Scores, made.score)
		}
		end = made.end
	}
	for _, s := range seats {
		s.crashes = 0
	}
	r.Ending, r.Remark, r.Points = end.ending, end.remark, end.points
	r.keepScores()
	return r, nil
}

// attempt has f work on the board with the player of a seat, or with the rules alone. A call that does not return keeps
// the board and the player.
func (t *table[P, M]) attempt(ctx context.Context, limit time.Duration, s *seat[P, M], f func(context.Context, *board[P, M], Player[P, M]) (turn, error)) (turn, error) {
	if t.board == nil {
		t.board = newBoard(t.game, t.rules)
	}
	b, giveUp := t.board, func() {}
	var p Player[P, M]
	if s != nil {
		p, giveUp = s.player, s.giveUp
	}
	var out turn
	left, err := guard(ctx, limit, giveUp, func(ctx context.Context) (err error) {
		out, err = f(ctx, b, p)
		return err
	})
	if err != nil {
		t.board = nil // it is still in use, or not as it should be
	}
	if left == nil {
		return out, err
	}
	if s != nil {
		s.leave(left, func() Player[P, M] { return p })
		s.player = nil
	}
	return turn{}, err
}

// forfeit ends a game that the player of a seat has lost by an error, and gives the player up. It returns an error if
// the match ends by it too.
func (t *table[P, M]) forfeit(ctx context.Context, r *Record, seats [2]*seat[P, M], loser int, e Ending, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if fatal, ok := errors.AsType[fatalError](err); ok {
		return fatal.error
	}
	r.Ending, r.Remark, r.Forfeit, r.Points = e, brief(err.Error()), 1+loser, float64(loser)
	r.keepScores()
	_ = seats[loser].end(ctx, true) // it has failed already
	seats[1-loser].crashes = 0
	if e != ByCrash {
		seats[loser].crashes = 0
		return nil
	}
	return seats[loser].crashed(err)
}

// brief shortens what a program may have written at length.
func brief(text string) string {
	const most = 200
	text, _, _ = strings.Cut(text, "\n") // the stack of a panic may follow
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}

// keepScores drops the scores of a game in which a player did not judge each of its moves.
func (r *Record) keepScores() {
	if len(r.Scores) != len(r.Moves) {
		r.Scores = nil
	}
}

// begin begins a game in a position.
func (b *board[P, M]) begin(from P) (turn, error) {
	b.from, b.moves, b.keys, b.gains = from, b.moves[:0], b.keys[:0], [2]int{}
	b.cursor.Set(from)
	end, err := b.over()
	return turn{text: string(b.game.AppendPosition(nil, from)), end: end}, err
}

// move asks a player for a move, and makes it.
func (b *board[P, M]) move(ctx context.Context, p Player[P, M], clocks [2]play.Clock) (turn, error) {
	position, mover := b.cursor.Position(), len(b.moves)%2
	begin := time.Now()
	d, err := p.Move(ctx, State[P, M]{b.from, b.moves, position, clocks})
	made := turn{score: d.Score, judged: d.Judged, took: time.Since(begin)}
	switch {
	case err != nil:
		return made, err
	case d.Resign:
		v := games.Loss(0)
		if b.scorer != nil {
			v = games.Score(-b.scorer.Remaining(position))
		}
		made.end = b.ended(v, ByResigning, "")
		return made, nil
	case d.Declare && b.declared == nil:
		return made, &IllegalError{"win", "a declaration, but the game has none"}
	case d.Declare && !b.declared.Declares(position):
		return made, &IllegalError{"win", "a declaration without what it needs"}
	case d.Declare:
		made.end = b.ended(games.Win(0), ByDeclaring, "")
		return made, nil
	case !slices.Contains(b.game.AppendMoves(nil, position), d.Move):
		return made, &IllegalError{fmt.Sprint(d.Move), "not a legal move"}
	}
	made.text = string(b.game.AppendMove(nil, position, d.Move))
	b.keys = append(b.keys, position)
	b.gains[mover] += b.cursor.Do(d.Move)
	b.moves = append(b.moves, d.Move)
	made.end, err = b.over()
	return made, err
}

// spend takes time from a player's clock, and reports whether there was enough.
func spend(c *play.Clock, d time.Duration) bool {
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
func (b *board[P, M]) over() (*over, error) {
	p := b.cursor.Position()
	if v, finished := b.cursor.Outcome(); finished {
		return b.ended(v, ByRules, ""), nil
	}
	same, last := 1, 0
	for i := len(b.keys) - 2; i >= 0; i -= 2 {
		if b.keys[i] == p {
			if same++; last == 0 {
				last = len(b.keys) - i
			}
		}
	}
	if same >= b.rules.Repetitions {
		return b.ended(b.cursor.Repetition(last), ByRepetition, ""), nil
	}
	if b.rules.Database != nil && len(b.moves) > 0 {
		v, known, err := b.rules.Database.Value(p)
		if err != nil {
			return nil, fatalError{err}
		}
		if known {
			return b.ended(v, ByDatabase, v.String()), nil
		}
	}
	if len(b.moves) >= b.rules.Plies {
		return b.ended(games.Draw, ByLength, ""), nil
	}
	return nil, nil
}

// ended is a game that has ended with a value for the side to move.
func (b *board[P, M]) ended(v games.Value, e Ending, remark string) *over {
	return &over{b.points(v), e, remark}
}

// points returns the points of the side that moved first, from the value of the last position
// for the side to move.
func (b *board[P, M]) points(v games.Value) float64 {
	sign := 1
	if len(b.moves)%2 == 1 {
		sign = -1
	}
	net := sign * int(v)
	if b.scorer != nil {
		net += b.gains[0] - b.gains[1]
	}
	switch {
	case net > 0:
		return 1
	case net < 0:
		return 0
	}
	return 0.5
}

// IllegalError is returned by a player that has answered with something that is not a legal move: it has lost.
type IllegalError struct{ Move, Why string }

func (e *IllegalError) Error() string { return fmt.Sprintf("%q: %s", e.Move, e.Why) }
