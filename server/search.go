package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Search looks for something in a position on request, such as a mate. It is safe for
// concurrent use.
type Search interface {
	// Game describes the search.
	Game() Game
	// With returns the same search under other rules: option=value, separated by commas.
	With(rules string) (Search, error)
	// Answer answers for a position without a search: its legal moves, not their values.
	Answer(q Query) (*db.Answer, error)
	// SetUp returns the position of a board, or an [InputError] that says why there is none.
	SetUp(b games.Board) (string, error)
	// Search searches a position. It is not an error if a limit is reached.
	Search(ctx context.Context, q Query, l SearchLimits) (*Found, error)
}

// SearchLimits are the limits of a search.
type SearchLimits struct {
	Nodes uint64
	Time  time.Duration
}

// Found is what a search answers.
type Found struct {
	db.Answer // for the position, with unknown value
	// Line is best play as far as it is known, and Positions are the positions after its moves.
	Line      []string `json:"line"`
	Positions []string `json:"positions"`
	// Result is what the search found, as its command prints it with --json.
	Result any `json:"result"`
}

// SearchSource is a game and a search in it.
type SearchSource[P, M comparable] struct {
	Name  string // in paths
	Title string
	Game  games.Game[P, M]
	Info  *games.Info
	Rules games.Rules
	// Run searches a position, which is not finished. It returns the position that was
	// searched, which may say more than p, and a line of play from there.
	Run func(ctx context.Context, p P, l SearchLimits) (from P, line []M, result any, err error)
	// With opens the same search under other rules.
	With func(spec string) (Search, error)
}

// NewSearch returns a search.
func NewSearch[P, M comparable](s SearchSource[P, M]) Search { return &search[P, M]{s} }

type search[P, M comparable] struct{ SearchSource[P, M] }

// Game implements [Search].
func (s *search[P, M]) Game() Game {
	g := entryOf(s.SearchSource.Game, s.Info, s.Rules)
	g.Kind, g.Name, g.Title, g.Game = kindSearch, s.Name, s.Title, g.Name
	return g
}

// With implements [Search].
func (s *search[P, M]) With(rules string) (Search, error) {
	other, err := s.SearchSource.With(s.Info.Name + ":" + rules)
	if err != nil {
		return nil, badRequest("%w", err)
	}
	return other, nil
}

func (s *search[P, M]) position(q Query) (P, error) {
	p, err := parse(s.SearchSource.Game, q.Position)
	if err != nil {
		return p, err
	}
	if p, err = games.PlayMoves(s.SearchSource.Game, p, q.Moves); err != nil {
		return p, badMove(err)
	}
	return p, nil
}

// Answer implements [Search].
func (s *search[P, M]) Answer(q Query) (*db.Answer, error) {
	p, err := s.position(q)
	if err != nil {
		return nil, err
	}
	a := unvalued(s.SearchSource.Game, p)
	for _, m := range s.SearchSource.Game.AppendMoves(nil, p) {
		a.Moves = append(a.Moves, unvaluedMove(s.SearchSource.Game, p, m))
	}
	if q.Board {
		describe(s.SearchSource.Game, p, a)
	}
	return a, nil
}

// SetUp implements [Search].
func (s *search[P, M]) SetUp(b games.Board) (string, error) { return setUp(s.SearchSource.Game, b) }

// Search implements [Search].
func (s *search[P, M]) Search(ctx context.Context, q Query, l SearchLimits) (*Found, error) {
	p, err := s.position(q)
	if err != nil {
		return nil, err
	}
	g := s.SearchSource.Game
	if v, finished := g.Outcome(p); finished {
		return nil, badPosition(fmt.Errorf("position %q: the game is over (%v)", g.AppendPosition(nil, p), v))
	}
	p, line, result, err := s.Run(ctx, p, l)
	if input := (InputError{}); errors.As(err, &input) {
		return nil, badPosition(input.Err) // one that cannot be searched
	}
	if err != nil {
		return nil, err
	}
	f := &Found{Answer: *unvalued(g, p), Line: []string{}, Positions: []string{}, Result: result}
	if q.Board {
		describe(g, p, &f.Answer)
	}
	for _, m := range line {
		f.Line = append(f.Line, string(g.AppendMove(nil, p, m)))
		p = g.Play(p, m)
		f.Positions = append(f.Positions, string(g.AppendPosition(nil, p)))
	}
	return f, nil
}

// unvalued returns an answer for a position whose value is not known, without moves.
func unvalued[P, M comparable](g games.Game[P, M], p P) *db.Answer {
	a := &db.Answer{
		Game: g.Name(), Position: string(g.AppendPosition(nil, p)),
		Verdict: db.Verdict{Category: db.Unknown}, Moves: []db.AnswerMove{},
	}
	var v games.Value
	if v, a.Finished = g.Outcome(p); a.Finished {
		a.Verdict = db.NewVerdict(v)
	}
	return a
}

// unvaluedMove returns a move whose value is not known.
func unvaluedMove[P, M comparable](g games.Game[P, M], p P, m M) db.AnswerMove {
	return db.AnswerMove{
		Move: string(g.AppendMove(nil, p, m)), Position: string(g.AppendPosition(nil, g.Play(p, m))),
		Verdict: db.Verdict{Category: db.Unknown},
	}
}

// searcher returns the search that a path names: its name, and perhaps rule options.
func (s *Server) searcher(r *http.Request) (Search, error) {
	name, rules, hasRules := strings.Cut(r.PathValue("game"), ":")
	f, ok := s.searchers[name]
	if !ok {
		return nil, notFound("no game %q; there %s", r.PathValue("game"), s.names(kindDatabase, kindSearch))
	}
	if hasRules {
		return f.With(rules)
	}
	return f, nil
}

// find answers with a search.
func (s *Server) find(r *http.Request) (reply, error) {
	f, err := s.searcher(r)
	if err != nil {
		return reply{}, err
	}
	q, values, err := queryOf(r, "position", "moves", "board", "nodes", "time")
	if err != nil {
		return reply{}, err
	}
	l := SearchLimits{s.Limits.SearchNodes, s.Limits.SearchTime}
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
	return s.limited(r, s.searches, func() (reply, error) {
		found, err := f.Search(r.Context(), q, l)
		return reply{body: found}, err
	})
}

// board answers with a position of a search, without searching it.
func (s *Server) board(r *http.Request) (reply, error) {
	f, err := s.searcher(r)
	if err != nil {
		return reply{}, err
	}
	q, _, err := queryOf(r, "position", "moves", "board")
	if err != nil {
		return reply{}, err
	}
	a, err := f.Answer(q)
	return reply{body: a}, err
}
