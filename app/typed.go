package app

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/alphabeta"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// typed is a game with positions P and moves M, and the engines for it.
type typed[G games.Game[P, M], P, M comparable] struct {
	game    games.Game[P, M]
	own     G // the same game, without a database
	family  *games.Family[G]
	extra   Extra[G, P, M]
	indexer games.Indexer[P] // nil until number if the game has none
	points  *points[P, M]    // nil if the game has no scores

	// For a game adjudicated by a database; see over.
	endgame     *db.Endgame[P]
	adjudicator Database
}

// hide returns the game without its types.
func (t *typed[G, P, M]) hide(f *Family, r games.Rules) *Game {
	x := &t.extra
	g := &Game{
		Board: NewBoard(t.game), Plain: NewBoard(games.Game[P, M](t.own)), Family: f, Rules: r,
		Analysis: Analysis{
			Numbered: func() bool { return t.indexer != nil }, Number: t.number,
			CheckNumber: func(ctx context.Context, o games.NumberOptions) error { return games.CheckNumber(ctx, t.game, o) },
			Universe:    func() (*games.Universe, error) { return games.UniverseWith(t.game, t.indexer) },
			At: func(index uint64) (Position, bool) {
				p, ok := t.indexer.Position(index)
				return Position{p}, ok
			},
			Adjudicator: t.adjudicator,
		},
		Proofs: Proofs{
			Prover: t.prover, Extract: t.extract, Attack: t.attacks(),
			TreeRules: func() manager.Rules { return manager.NewRules(t.game) },
			Backends: func(c solver.Config, number int) ([]solver.Backend, error) {
				return solver.NewBackends(t.game, t.brancher(), c, number)
			},
			ScoreBackends: func(memory uint64, number int) ([]solver.Backend, error) {
				return alphabeta.NewBackends(games.Game[P, M](t.own), t.game, alphabeta.Config[P]{Database: t.endgame}, memory, number)
			},
			SuitsScores: t.suitsScores(), Check: t.check, Verify: x.Verify, Guesses: x.Brancher != nil,
			Player: func(d proof.Database) (ProofPlayer, error) {
				if x.Player != nil {
					return x.Player(t.own.Name(), d)
				}
				return proof.NewPlayer(games.Game[P, M](t.own), d), nil
			},
			Proven:          func() Proven { return proven[P]{proof.NewValues(games.Game[P, M](t.own))} },
			CertificateLine: x.CertificateLine,
		},
		Playing: Playing{
			Evaluation: func() (*play.Evaluation, error) { return play.EvaluationOf(games.Game[P, M](t.own)) },
			Search:     t.search,
			Sequences:  t.sequences,
		},
		Learning: Learning{
			Teacher: t.teacher, Agree: t.agree,
		},
		promises: func() error { return games.CheckPlay(t.game) },
	}
	if b := t.brancher(); b != nil {
		g.Evaluator = func() solver.Evaluator { return solver.NewEvaluator(t.game, b()) }
	}
	g.Asked = g
	g.Database = func(d *db.DB) (Database, error) { return t.database(g, d) }
	g.Over = func(d Database, fail func(error)) (*Game, error) { return t.over(g, d, fail) }
	if x.Points != nil {
		g.Points = func(root Position, o PointOptions) (PointSearch, error) { return x.Points(t.own, root.value.(P), o) }
	}
	g.Records = formatsUnder(t.own, x.Records, f.Records)
	if x.Japanese != nil {
		g.Japanese = func(p Position, m Move) string { return x.Japanese(p.value.(P), m.value.(M)) }
	}
	if s := x.Search; s != nil {
		g.Finder = &Finder{Name: s.Name, Title: s.Title, Asks: s.Asks, Houses: s.Houses}
		g.Finder.Run = func(ctx context.Context, p Position, o SearchOptions) (Found, error) {
			r, err := s.Run(ctx, t.own, p.value.(P), o)
			return Found{Position{r.From}, hidden(r.Line), r.Result, r.Record}, err
		}
		if s.Read != nil {
			g.Finder.Read = func(position, hands string) (Position, string, error) {
				p, used, err := s.Read(position, hands)
				return Position{p}, used, err
			}
		}
	}
	return g
}

func (t *typed[G, P, M]) number(ctx context.Context, o games.NumberOptions) (uint64, error) {
	if t.indexer != nil {
		return 0, nil
	}
	n, err := games.Number(ctx, t.game, o)
	if err != nil {
		return 0, err
	}
	t.indexer = n
	return n.Memory(), nil
}

func (t *typed[G, P, M]) database(g *Game, d *db.DB) (Database, error) {
	prober, err := db.NewProberWith(d, t.game, t.indexer)
	if err != nil {
		return nil, err
	}
	return &database[P, M]{d, prober, db.NewEndgame(prober), t.family.New(g.Asked.Rules).ParsePosition}, nil
}

func (t *typed[G, P, M]) over(g *Game, d Database, fail func(error)) (*Game, error) {
	whole := t.family.New(g.Asked.Rules)
	x := &typed[G, P, M]{own: whole, points: t.points, family: t.family, extra: t.extra, endgame: d.(*database[P, M]).endgame, adjudicator: d}
	var err error
	if x.game, err = db.Adjudicate(games.Game[P, M](whole), x.endgame, fail); err != nil {
		return nil, InputError{err}
	}
	return x.hide(g.Family, g.Asked.Rules), nil
}

// suitsScores reports whether the game has an evaluation, and alpha-beta suits it best.
func (t *typed[G, P, M]) suitsScores() bool {
	_, judged := any(t.own).(games.Features[P])
	_, ends := any(t.own).(games.Layerer[P])
	_, indexed := any(t.own).(games.Indexer[P]) // so databases of endings are possible
	return judged && !ends && indexed
}

// brancher returns a function that makes branchers for the game, nil if there are none.
func (t *typed[G, P, M]) brancher() func() solver.Brancher[P, M] {
	if t.extra.Brancher == nil {
		return nil
	}
	return func() solver.Brancher[P, M] { return t.extra.Brancher(t.own) }
}

func (t *typed[G, P, M]) prover(root Position, c solver.Config) (Prover, error) {
	if games.OrderOf(t.game) == games.ByScore {
		if t.points == nil {
			return nil, t.unscored()
		}
		return t.points.prover(t.game, root.value.(P), c)
	}
	s, err := solver.New(t.game, t.brancher(), root.value.(P), c)
	if err != nil {
		return nil, err
	}
	return &resultProver[P, M]{s, t.endgame}, nil
}

func (t *typed[G, P, M]) extract(ctx context.Context, root Position, d Database, c solver.ExtractConfig) (Extracted, error) {
	e, err := solver.Extract(ctx, games.Game[P, M](t.own), d.(*database[P, M]).endgame, root.value.(P), c)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// resultProver finds who wins.
type resultProver[P, M comparable] struct {
	*solver.Solver[P, M]
	endgame *db.Endgame[P] // nil without a database
}

func (s *resultProver[P, M]) Solve(ctx context.Context) (list []Asked, known bool, err error) {
	r, err := s.Solver.Solve(ctx)
	for _, q := range r.Questions {
		list = append(list, Asked{Asked: q})
	}
	return list, r.Known, err
}

func (s *resultProver[P, M]) Header() proof.Header {
	h := s.Solver.Header()
	if s.endgame != nil {
		h.Database = s.endgame.Checksum()
	}
	return h
}

// points are the engines that ask who gets at least so many points. They are compiled only for games with scores.
type points[P, M comparable] struct {
	prover func(g games.Game[P, M], root P, c solver.Config) (Prover, error)
	check  func(ctx context.Context, r *proof.Reader, g games.Game[P, M], o proof.CheckOptions) (proof.Report, error)
}

// unscored is the error for a game whose values are scores, but for which [New] was called.
func (t *typed[G, P, M]) unscored() error {
	return fmt.Errorf("%s has scores: the program must list it by app.NewScored", t.game.Name())
}

func newScoreProver[P, M comparable](g games.Game[P, M], root P, c solver.Config) (Prover, error) {
	s, err := solver.NewScore(g, root, c)
	if err != nil {
		return nil, err
	}
	return &scoreProver[P, M]{s, guessScore(g, root)}, nil
}

// scoreProver finds a score, by questions whether the position is worth at least so much. It begins with what
// the evaluation guesses.
type scoreProver[P, M comparable] struct {
	*solver.ScoreSolver[P, M]
	guess int
}

func (s *scoreProver[P, M]) Solve(ctx context.Context) (list []Asked, known bool, err error) {
	r, err := s.ScoreSolver.Solve(ctx, s.guess)
	for _, q := range r.Questions {
		points := q.Points
		if q.Attacker == proof.Other { // who needs one point more than what would deny them
			points = 1 - points
		}
		list = append(list, Asked{q.Asked, &points})
	}
	return list, r.Known(), err
}

// guessScore returns what the evaluation of an unfinished position says, 0 if there is none.
func guessScore[P, M comparable](g games.Game[P, M], p P) int {
	f, ok := g.(games.Features[P])
	if _, finished := g.Outcome(p); finished || !ok {
		return 0
	}
	c := games.NewCursor(g, f.FeatureSet().Folded(f.FeatureSet().Weights))
	c.Set(p)
	return int(math.Round(float64(c.Evaluate()) / float64(play.Point)))
}

func (t *typed[G, P, M]) attacks() *Attacks {
	x := t.extra.Attack
	if x == nil {
		return nil
	}
	a := &Attacks{
		Default: func(root Position) bool {
			return x.Default != nil && x.Default(t.own) && root.value.(P) == t.own.Start() && t.endgame == nil
		},
		New: func(root Position, memory, nodes uint64) (Attacker, error) {
			return x.New(t.own, root.value.(P), memory, nodes)
		},
	}
	if x.Backends != nil {
		a.Backends = func(memory uint64, number int) ([]solver.Backend, error) { return x.Backends(t.own, memory, number) }
	}
	if x.Adapt != nil {
		a.Adapt = func(proof []byte, position string) ([]byte, bool) { return x.Adapt(t.own, proof, position) }
	}
	return a
}

func (t *typed[G, P, M]) check(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
	if t.adjudicator != nil {
		o.Database = t.adjudicator.Texts()
	}
	if t.extra.Check != nil {
		return t.extra.Check(ctx, r, o)
	}
	switch {
	case t.points != nil:
		return t.points.check(ctx, r, t.game, o)
	case games.OrderOf(t.game) == games.ByScore:
		return proof.Report{}, t.unscored()
	}
	return proof.CheckResult(ctx, r, t.game, o)
}

func (t *typed[G, P, M]) search(c play.Config[Position]) (play.Engine[Position, Move], error) {
	var deciders []games.Decider[P, M]
	switch d, err := t.decider(); {
	case err != nil:
		return nil, err
	case d != nil:
		deciders = append(deciders, d)
	}
	s, err := play.New(games.Game[P, M](t.own), play.Config[P]{
		Evaluation: c.Evaluation, Memory: c.Memory, Threads: c.Threads, Pruning: c.Pruning, Database: endgameOf[P](c.Database), Proofs: provenOf[P](c.Proofs),
	}, deciders...)
	if err != nil {
		return nil, err
	}
	return &engine[P, M]{s}, nil
}

// engine is a [play.Searcher] of a game.
type engine[P, M comparable] struct{ *play.Searcher[P, M] }

func (e *engine[P, M]) Search(ctx context.Context, q play.Query[Position, Move]) (play.Result[Move], error) {
	r, err := e.Searcher.Search(ctx, typedQuery[P, M](q))
	return hiddenResult(r), err
}

// Decide implements [play.Engine].
func (e *engine[P, M]) Decide(ctx context.Context, p Position, nodes uint64) (games.Advice[Move], error) {
	a, err := e.Searcher.Decide(ctx, p.value.(P), nodes)
	return hiddenAdvice(a), err
}

// deciderMemory is for the tables of deciders, in bytes.
const deciderMemory = 32 << 20

// decider returns what decides positions of the game, nil if nothing does: its own, or a search of all there is.
func (t *typed[G, P, M]) decider() (games.Decider[P, M], error) {
	if t.extra.Decider != nil {
		return t.extra.Decider(t.own, deciderMemory)
	}
	d, err := alphabeta.NewDecider(games.Game[P, M](t.own), deciderMemory)
	if errors.Is(err, alphabeta.ErrUnsuited) {
		return nil, nil
	}
	return d, err
}

func typedQuery[P, M comparable](q play.Query[Position, Move]) play.Query[P, M] {
	typed := play.Query[P, M]{
		From: q.From.value.(P), Moves: typedMoves[M](q.Moves), Only: typedMoves[M](q.Only),
		Limits: q.Limits, Without: q.Without, Window: q.Window, Lines: q.Lines, Choice: q.Choice,
	}
	typed.Advised = q.Advised
	if q.Book != nil {
		typed.Book = typedBook[P, M]{q.Book}
	}
	if q.Progress != nil {
		typed.Progress = func(r play.Result[M]) { q.Progress(hiddenResult(r)) }
	}
	return typed
}

// typedBook is the book of a query for the types of its game.
type typedBook[P, M comparable] struct{ book play.Book[Position, Move] }

func (b typedBook[P, M]) Moves(p P) (list []play.BookMove[M]) {
	for _, m := range b.book.Moves(Position{p}) {
		list = append(list, play.BookMove[M]{Move: m.Move.value.(M), Weight: m.Weight, Score: m.Score, Judged: m.Judged})
	}
	return list
}

func hiddenAdvice[M comparable](a games.Advice[M]) games.Advice[Move] {
	return games.Advice[Move]{Bounds: a.Bounds, By: a.By, Line: hidden(a.Line), Left: hidden(a.Left), Nodes: a.Nodes}
}

func hiddenResult[M comparable](r play.Result[M]) play.Result[Move] {
	x := play.Result[Move]{Advice: hiddenAdvice(r.Advice), Depth: r.Depth, Nodes: r.Nodes, Leaves: r.Leaves, Time: r.Time, Full: r.Full}
	if m := r.Book; m != nil {
		x.Book = &play.BookMove[Move]{Move: Move{m.Move}, Weight: m.Weight, Score: m.Score, Judged: m.Judged}
	}
	for _, l := range r.Lines {
		x.Lines = append(x.Lines, play.Line[Move]{Score: l.Score, Moves: hidden(l.Moves)})
	}
	return x
}

// typedGame returns a game to learn from with its types.
func typedGame[P, M comparable](g *LearnedGame) *learn.Game[P, M] {
	return &learn.Game[P, M]{
		Group: g.Group, From: g.From.value.(P), Moves: typedMoves[M](g.Moves), Points: g.Points, Decided: g.Decided, Scores: g.Scores,
	}
}

func (t *typed[G, P, M]) teacher(e *play.Evaluation, l learn.Lessons[Position], x *learn.Examples) (Teacher, error) {
	s, err := learn.NewTeacher(games.Game[P, M](t.own), e, typedLessons[P](l), x)
	if err != nil {
		return nil, err
	}
	return teacher[P, M]{s}, nil
}

func typedLessons[P comparable](l learn.Lessons[Position]) learn.Lessons[P] {
	return learn.Lessons[P]{
		Results: l.Results, Scores: l.Scores, Moves: l.Moves, Every: l.Every, Parts: l.Parts, Database: endgameOf[P](l.Database),
	}
}

// teacher is a [learn.Teacher] of a game.
type teacher[P, M comparable] struct{ *learn.Teacher[P, M] }

func (t teacher[P, M]) Add(g *LearnedGame) error { return t.Teacher.Add(typedGame[P, M](g)) }

func (t *typed[G, P, M]) agree(ctx context.Context, e *play.Evaluation, list []LearnedGame, heldOut, most int, nodes uint64, progress games.Progress) (*learn.Agreement, error) {
	typed := make([]learn.Game[P, M], len(list))
	for i := range list {
		typed[i] = *typedGame[P, M](&list[i])
	}
	return learn.Agree(ctx, games.Game[P, M](t.own), e, typed, heldOut, most, nodes, progress)
}
