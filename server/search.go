package server

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// Search looks for something in a position on request, such as a mate, or is a game that is only
// played. It is safe for concurrent use.
type Search interface {
	Playable
	// With returns the same search under other rules: option=value, separated by commas.
	With(rules string) (Search, error)
	// Search searches a position. It is not an error if a limit is reached.
	Search(ctx context.Context, q Query, o app.SearchOptions) (*Found, error)
}

// GivenLimits are the limits of a search in the list of games.
type GivenLimits struct {
	Nodes   uint64  `json:"nodes,omitempty"` // 0 if there is no limit
	Seconds float64 `json:"seconds"`
	Memory  uint64  `json:"memory"`
}

// Found is what a search answers.
type Found struct {
	Place // the position, without moves
	// Line is best play as far as it is known, and Positions are the positions after its moves.
	Line      []string `json:"line"`
	Positions []string `json:"positions"`
	// Result is what the search found, as its command prints it with --json. Nothing else
	// here says it again.
	Result any `json:"result"`
	// Record is the line as a record of the game, if that is asked for.
	Record string `json:"record,omitempty"`
}

// SearchSource is a game and a search in it.
type SearchSource struct {
	Name  string // in paths
	Title string
	Game  *app.Game
	// Evaluation is for an opponent; nil if there is none.
	Evaluation *play.Evaluation
	// Book has moves for the opponent; nil if there is none.
	Book play.Book[app.Position, app.Move]
	// Proofs are what proofs that are served say about positions of the game; nil if there is none.
	Proofs play.Proofs[app.Position]
	// Finder searches a position, which is not finished; nil if the game is only played.
	Finder *app.Finder
	// With opens the same search under other rules.
	With func(spec string) (Search, error)
}

// NewSearch returns a search.
func NewSearch(s SearchSource) Search {
	return &search{s, opponent{game: s.Game, evaluation: s.Evaluation, book: s.Book, proofs: s.Proofs}}
}

type search struct {
	SearchSource
	opponent opponent
}

// Game implements [Playable].
func (s *search) Game() Game {
	g := entryOf(s.SearchSource.Game)
	g.Kind, g.Name, g.Title, g.Game, g.Levels = kindSearch, s.Name, s.Title, g.Name, s.opponent.levels()
	if s.Finder == nil {
		g.Kind = kindGame
		return g
	}
	g.Asks, g.Houses = s.Finder.Asks, s.Finder.Houses
	return g
}

// With implements [Search].
func (s *search) With(rules string) (Search, error) {
	other, err := s.SearchSource.With(s.SearchSource.Game.Family.Name + ":" + rules)
	if err != nil {
		return nil, badRequest("%w", err)
	}
	return other, nil
}

// from reads a position, without the moves after it, and returns how its hands were read.
func (s *search) from(q Query) (p app.Position, hands string, err error) {
	switch {
	case q.Index != nil:
		return p, "", badRequest("index %d: %s has no database, so its positions have no numbers", *q.Index, s.Name)
	case s.Finder != nil && s.Finder.Read != nil:
	case q.Hands != "":
		return p, "", badRequest("hands %q: %s has no mate problems", q.Hands, s.Name)
	default:
		p, err = parse(s.SearchSource.Game, q.Position)
		return p, "", err
	}
	if p, hands, err = s.Finder.Read(q.Position, q.Hands); err != nil {
		err = badPosition(err)
	}
	return p, hands, err
}

func (s *search) position(q Query) (p app.Position, hands string, err error) {
	if p, hands, err = s.from(q); err != nil {
		return p, "", err
	}
	if p, err = games.PlayMoves(s.SearchSource.Game.Board, p, q.Moves); err != nil {
		return p, "", badMove(err)
	}
	return p, hands, nil
}

// Place implements [Playable].
func (s *search) Place(q Query) (*Place, error) {
	p, hands, err := s.position(q)
	if err != nil {
		return nil, err
	}
	x := lookup.NewPlace(s.SearchSource.Game.Board, p, q.Board, s.SearchSource.Game.Japanese)
	x.Hands = hands
	return x, nil
}

// SetUp implements [Playable].
func (s *search) SetUp(b games.Board) (string, error) { return lookup.SetUp(s.SearchSource.Game, b) }

// Choose implements [Playable].
func (s *search) Choose(ctx context.Context, q Query, st Strength) (*Chosen, error) {
	p, _, err := s.from(q)
	if err != nil {
		return nil, err
	}
	return s.opponent.choose(ctx, p, q.Moves, st)
}

// Search implements [Search].
func (s *search) Search(ctx context.Context, q Query, o app.SearchOptions) (*Found, error) {
	if s.Finder == nil {
		return nil, notFound("%[1]s has no database and no search: there are %[1]s/board and %[1]s/move", s.Name)
	}
	p, hands, err := s.position(q)
	if err != nil {
		return nil, err
	}
	o.Hands = hands
	g := s.SearchSource.Game
	if v, finished := g.Outcome(p); finished {
		return nil, isOver(g, p, v)
	}
	for _, what := range o.Ask {
		if !slices.Contains(s.Finder.Asks, what) {
			return nil, badRequest("ask %q: %s", what, s.canAsk())
		}
	}
	if o.Asked(app.AskJudge) && len(o.Ask) > 1 {
		return nil, badRequest("ask %q: judge is asked alone", strings.Join(o.Ask, ","))
	}
	if len(o.Intended) > 0 && !o.Asked(app.AskJudge) {
		return nil, badRequest("intended: it goes with ask=judge only")
	}
	if o.Rules != "" && !o.Asked(app.AskJudge) {
		return nil, badRequest("rules: they go with ask=judge only")
	}
	r, err := s.Finder.Run(ctx, p, o)
	if input := (app.InputError{}); errors.As(err, &input) {
		return nil, badPosition(input.Err) // one that cannot be searched
	}
	if err != nil {
		return nil, err
	}
	p = r.From
	f := &Found{Place: *lookup.PlaceOf(g, p), Line: []string{}, Positions: []string{}, Result: r.Result, Record: r.Record}
	if q.Board {
		lookup.AddBoard(&f.Place, g, p)
	}
	for _, m := range r.Line {
		f.Line = append(f.Line, g.MoveText(p, m))
		p = g.Play(p, m)
		f.Positions = append(f.Positions, g.PositionText(p))
	}
	return f, nil
}

// canAsk says what the search can be asked for.
func (s *search) canAsk() string {
	if len(s.Finder.Asks) == 0 {
		return "this search can be asked for nothing more"
	}
	return "want some of " + strings.Join(s.Finder.Asks, ", ")
}

// find answers with a search.
func (s *Server) find(r *request) (reply, error) {
	q, err := r.query()
	if err != nil {
		return reply{}, err
	}
	values := r.values
	l := app.SearchOptions{Nodes: s.Limits.SearchNodes, Time: s.Limits.SearchTime, Memory: s.Limits.SearchMemory}
	l.Ask, l.Intended, l.Rules = lookup.MoveList(values["ask"]), lookup.MoveList(values["intended"]), values["rules"]
	if text, given := values["nodes"]; given {
		if l.Nodes, err = strconv.ParseUint(text, 10, 64); err != nil || l.Nodes == 0 || l.Nodes > s.Limits.SearchNodes {
			return reply{}, badRequest("nodes %q: want 1 to %d", text, s.Limits.SearchNodes)
		}
	}
	if text, given := values["time"]; given {
		if l.Time, err = time.ParseDuration(text); err != nil || l.Time <= 0 || l.Time > s.Limits.SearchTime {
			return reply{}, badRequest("time %q: want a time such as 500ms, at most %v", text, s.Limits.SearchTime)
		}
	}
	if l.Nodes == unlimited {
		l.Nodes = 0
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		found, err := r.search.Search(ctx, q, l)
		return reply{body: found}, err
	})
}
