package server

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/review"
)

// Playable is what can be played from any position. It is safe for concurrent use.
type Playable interface {
	// Game describes it.
	Game() Game
	// Place returns a position and its legal moves, without their values.
	Place(q Query) (*Place, error)
	// SetUp returns the position of a board, or an [InputError] that says why there is none.
	SetUp(b games.Board) (string, error)
	// Records reads the games of a text.
	Records(ctx context.Context, text []byte) ([]RecordedGame, error)
	// Annotate writes the record of a game.
	Annotate(ctx context.Context, a Annotation) (*AnnotatedRecord, error)
	// Choose chooses a move, if there is an opponent. It fails with an [InputError] if the game is over.
	Choose(ctx context.Context, q Query, s Strength) (*Chosen, error)
	// Review goes through the moves of a query from ply first on, if there is an evaluation.
	Review(ctx context.Context, q Query, first int) ([]review.Row, error)
}

// Strength says how an opponent searches and chooses a move.
type Strength struct {
	Limits   play.Limits
	Choice   play.Choice
	Database bool // it uses the database and proofs, if there are some
	Lines    int  // the best moves that are wanted, beside the one that is chosen
}

// Chosen is the move of an opponent.
type Chosen struct {
	Game     string `json:"game"`
	Position string `json:"position"` // in which the move is made
	Move     string `json:"move"`
	After    string `json:"after"` // position after the move
	// Verdict is the value of the move for the side that makes it, by the database; nil if it is
	// not known. Then Value is that of the position, if ProvedBy has proven it, or there is an estimate.
	*db.Verdict
	Value    *games.Bounds `json:"value,omitempty"`
	ProvedBy string        `json:"proved_by,omitempty"`
	Estimate *Estimate     `json:"estimate,omitempty"`
	// ChosenBy is ByBook for a move of an opening book, and else empty.
	ChosenBy string `json:"chosen_by,omitempty"`
	// Candidates are the best moves, best first, if they are asked for.
	Candidates []Candidate `json:"candidates,omitempty"`
}

// Candidate is one of the best moves of a position: with its value for the side that makes it, if ProvedBy has proven that,
// or else with an estimate.
type Candidate struct {
	Move     string        `json:"move"`
	After    string        `json:"after"` // position after the move
	Value    *games.Bounds `json:"value,omitempty"`
	ProvedBy string        `json:"proved_by,omitempty"`
	Estimate *Estimate     `json:"estimate,omitempty"`
	// Alike says that the estimate is the best one, or below it by less than estimates can tell.
	Alike bool `json:"alike,omitempty"`
}

// ByBook is the [Chosen.ChosenBy] of a move of an opening book.
const ByBook = "book"

// Estimate is what a search thinks of a move. It proves nothing.
type Estimate struct {
	Score   play.Score `json:"score"` // for the side that makes the move
	WinRate float64    `json:"win_rate"`
	Depth   int        `json:"depth"` // in plies
	Line    []string   `json:"line"`  // how play may go on, from the move on
}

// opponent chooses moves in a game.
type opponent struct {
	game       *app.Game
	evaluation *play.Evaluation // nil if there is none
	database   app.Database     // nil if there is none
	book       play.Book[app.Position, app.Move]
	proofs     play.Proofs[app.Position] // nil if there are none
}

// mostLines is the most candidates of an answer.
const mostLines = 20

// opponentMemory is for the table of a search, in bytes.
const opponentMemory = 8 << 20

// levels returns the number of strengths, 0 if there is no opponent.
func (o *opponent) levels() int {
	if o.evaluation == nil {
		return 0
	}
	return play.Levels
}

// choose chooses a move in the position after some moves. Positions that have occurred before
// count as repeated.
func (o *opponent) choose(ctx context.Context, from app.Position, moves []string, s Strength) (*Chosen, error) {
	g := o.game
	made, p, err := games.ParseMoves(g.Board, from, moves)
	if err != nil {
		return nil, badMove(err)
	}
	if v, finished := g.Outcome(p); finished {
		return nil, isOver(g, p, v)
	}
	cfg := play.Config[app.Position]{Evaluation: o.evaluation, Memory: opponentMemory, Pruning: play.AllPruning}
	query := play.Query[app.Position, app.Move]{From: from, Moves: made, Limits: s.Limits, Choice: s.Choice, Advised: true, Book: o.book, Lines: s.Lines}
	if s.Lines > 0 {
		query.Book = nil // which would leave no other moves
	}
	if s.Database || s.Lines > 0 {
		if cfg.Proofs = o.proofs; o.database != nil {
			cfg.Database = o.database
		}
	}
	search, err := g.Search(cfg)
	if err != nil {
		return nil, err
	}
	var complete play.Result[app.Move] // at the last depth that was
	query.Progress = func(r play.Result[app.Move]) { complete = r }
	r, err := search.Search(ctx, query)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	if s.Lines > 0 && len(complete.Lines) > len(r.Lines) {
		r.Lines, r.Depth = complete.Lines, complete.Depth
	}
	best := o.estimate(p, r.Best(), r.Depth)
	c := &Chosen{Game: g.Name(), Position: g.PositionText(p), Move: best.Move, After: best.After, Estimate: best.Estimate}
	if r.Book != nil {
		if c.ChosenBy = ByBook; !r.Book.Judged {
			c.Estimate = nil
		}
	}
	if a := r.Advice; a.By != play.ByDatabase && a.Decided(games.OrderOf(g.Board)) {
		c.Value, c.ProvedBy, c.Estimate = &a.Bounds, a.By, nil
	}
	if s.Lines > 0 {
		c.Candidates, err = o.candidates(ctx, search, p, &r)
	}
	return c, err
}

// estimate returns what a search thinks of a line in the position p.
func (o *opponent) estimate(p app.Position, l play.Line[app.Move], depth int) Candidate {
	c := Candidate{Estimate: &Estimate{Score: l.Score, WinRate: play.WinRate(l.Score), Depth: depth}}
	for _, m := range l.Moves {
		c.Estimate.Line = append(c.Estimate.Line, o.game.MoveText(p, m))
		p = o.game.Play(p, m)
		if c.After == "" {
			c.Move, c.After = c.Estimate.Line[0], o.game.PositionText(p)
		}
	}
	return c
}

// Efforts for candidates, in positions: of the search, unless a level is asked for, and to prove the value of each.
const (
	candidateNodes = 50_000
	decisionNodes  = 2_000
)

// candidates returns the moves of the lines that a search has found in the position p, best first, with what is proven
// of them.
func (o *opponent) candidates(ctx context.Context, search play.Engine[app.Position, app.Move], p app.Position, r *play.Result[app.Move]) ([]Candidate, error) {
	g := o.game
	scorer, _ := games.As[games.Scorer[app.Position, app.Move]](g.Board)
	list := make([]Candidate, len(r.Lines))
	scores := map[string]play.Score{}
	for i, l := range r.Lines {
		c := o.estimate(p, l, r.Depth)
		a, err := search.Decide(ctx, g.Play(p, l.Moves[0]), decisionNodes)
		if err != nil {
			return nil, err
		}
		gain := 0
		if scorer != nil {
			gain = scorer.Gain(p, l.Moves[0])
		}
		b, by := games.Unbounded, a.By
		if a.By != "" {
			b = a.Bounds.Backup(gain)
		}
		// No move is worth more than the position, and the line that was proven attains its value.
		if r.Advice.Upper < b.Upper {
			b.Upper, by = r.Advice.Upper, r.Advice.By
		}
		if i == 0 && len(r.Advice.Line) > 0 && r.Advice.Line[0] == l.Moves[0] && r.Advice.Lower > b.Lower {
			b.Lower, by = r.Advice.Lower, r.Advice.By
		}
		scores[c.Move] = l.Score
		if result, known := b.Result(); known && b.Decided(games.OrderOf(g.Board)) {
			c.Value, c.ProvedBy, c.Estimate = &b, by, nil
			scores[c.Move] = play.ScoreOf(b.Lower)
			if result == games.Lost {
				scores[c.Move] = play.ScoreOf(b.Upper)
			}
		}
		list[i] = c
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(scores[b.Move], scores[a.Move]) })
	markAlike(list, max(o.evaluation.Set.Calibration.Doubt, review.Thresholds[0]))
	return list, nil
}

// markAlike marks the candidates, best first, that no estimate tells from the best one: they differ from it by less than doubt. A
// candidate alone has no mark.
func markAlike(list []Candidate, doubt float64) {
	alike := func(c Candidate) bool {
		return list[0].Estimate != nil && c.Estimate != nil && list[0].Estimate.WinRate-c.Estimate.WinRate < doubt
	}
	if len(list) < 2 || !slices.ContainsFunc(list[1:], alike) {
		return
	}
	for i := range list {
		list[i].Alike = alike(list[i])
	}
}

// isOver is the error for a position in which there is nothing to search.
func isOver(g app.Board, p app.Position, v games.Value) error {
	return badPosition(fmt.Errorf("position %q: the game is over (%v)", g.AppendPosition(nil, p), v))
}

// choose answers with a move.
func (s *Server) choose(r *request) (reply, error) {
	if r.played.Game().Levels == 0 {
		return reply{}, notFound("%s has no opponent, since there is no evaluation of its positions", r.played.Game().Name)
	}
	q, err := r.query()
	if err != nil {
		return reply{}, err
	}
	strength, err := s.strength(r.values)
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		c, err := r.played.Choose(ctx, q, strength)
		return reply{body: c}, err
	})
}

// strength reads how an opponent plays: a level, perhaps with another way to choose. The
// limits of searches hold for it too.
func (s *Server) strength(values map[string]string) (o Strength, err error) {
	number := func(name string, otherwise, most int) int {
		text, given := values[name]
		if !given {
			return otherwise
		}
		n, e := strconv.Atoi(text)
		if e != nil || n < 1 || n > most {
			err = cmp.Or(err, badRequest("%s %q: want 1 to %d", name, text, most))
		}
		return n
	}
	level := number("level", play.Levels, play.Levels)
	lines := number("lines", 0, mostLines)
	const most = 100_000
	jitter, budget := number("jitter", 0, most), number("budget", 0, most)
	if err != nil {
		return o, err
	}
	if jitter > 0 && budget > 0 {
		return o, badRequest("jitter and budget are given: want one of them")
	}
	o.Limits, o.Choice, o.Database = play.Level(level)
	if o.Lines = lines; lines > 0 && values["level"] == "" {
		o.Limits.Nodes = candidateNodes
	}
	o.Limits.Nodes, o.Limits.Time = min(o.Limits.Nodes, s.Limits.SearchNodes), s.Limits.SearchTime
	if jitter > 0 || budget > 0 {
		o.Choice = play.Choice{Jitter: play.Score(jitter), Budget: play.Score(budget)}
	}
	o.Choice.Seed = rand.Uint64()
	if text, given := values["seed"]; given {
		if o.Choice.Seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return o, badRequest("seed %q: want a whole number", text)
		}
	}
	return o, nil
}
