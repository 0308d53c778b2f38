package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/lab/policy"
	"github.com/yomikiri/yomikiri/lab/weigh"
	"github.com/yomikiri/yomikiri/play/learn"
	"github.com/yomikiri/yomikiri/play/match"
)

// weighOptions are the flags of weigh.
type weighOptions struct {
	by, model              string
	from, dir, out         string
	results, scores, moves float64
	every                  int
	fit                    learn.Config
	nodes, random, threads int
	playouts               int
	search                 weigh.Config
	final                  int
	ui.Printing
}

func (o *weighOptions) addFlags(flags *pflag.FlagSet) {
	d := &weigh.Default
	flags.StringVar(&o.by, "by", learn.ByProgress.String(), "what to weigh: positions by `progress`, or games")
	flags.StringVar(&o.model, "model", evaluations, "what to learn: an `evaluation`, or strengths or realization, which are policies as of the command policy")
	flags.StringVar(&o.out, "out", "", "write the weights of the best evaluation, or the best policy, to a `file`")
	ui.NumberFlag(flags, &o.search.Individuals, "individuals", d.Individuals, 2, 10_000, "evaluations or policies that play each other")
	ui.NumberFlag(flags, &o.search.Steps, "steps", d.Steps, 1, 1_000_000, "individuals to replace, one after the other; a search goes on if there are more than before")
	ui.RealFlag(flags, &o.search.Deviation, "sigma", d.Deviation, 1e-6, 10, "standard deviation of the first weights of the data")
	ui.RealFlag(flags, &o.search.Share, "alpha", d.Share, 1e-6, 1, "by how much each step changes the distribution of the weights")
	ui.NumberFlag(flags, &o.search.Best, "best", d.Best, 1, 10_000, "individuals whose deviation counts for it")
	ui.NumberFlag(flags, &o.search.FirstGames, "first-games", d.FirstGames, 2, 1_000_000, "games of each of the first individuals")
	ui.NumberFlag(flags, &o.search.Games, "step-games", d.Games, 2, 1_000_000, "games of each of the others; half of them if it is the last then")
	ui.NumberFlag(flags, &o.final, "final-games", 2000, 0, 10_000_000, "games against what learned from the same data without weights")
	ui.NumberFlag(flags, &o.nodes, "nodes", 1000, 1, 1_000_000_000, "positions that a player looks at for a move")
	ui.NumberFlag(flags, &o.playouts, "playouts", 200, 1, 1_000_000, "playouts of a player for a move, whose moves a policy chooses")
	ui.NumberFlag(flags, &o.random, "random-plies", 5, 0, 1000, "random moves before each pair of games")
	ui.ThreadsFlag(flags, &o.threads, "0", "games to play at the same time")
	// What an evaluation learns is as in train.
	flags.StringVar(&o.dir, "db", "", "directory of a database whose values are learned, instead of the results of games")
	flags.StringVar(&o.from, "from", "", "`file` of weights to begin with, or made for those made by hand (default: those of the game)")
	ui.RealFlag(flags, &o.results, "results", 1, 0, 1000, "weight of the result of each position, beside --moves")
	ui.RealFlag(flags, &o.scores, "scores", 0.5, 0, 1, "share of the score that a search gave in the result, if records have scores")
	ui.RealFlag(flags, &o.moves, "moves", 0, 0, 1000, "weight of each comparison of the move played with another")
	ui.NumberFlag(flags, &o.every, "every", 1, 1, 1000, "learn the moves of one in this number of positions")
	fitFlags(flags, &o.fit)
	recordFlag(flags, &o.Printing)
	o.QuietFlag(flags)
}

// fitFlags adds the flags of a fit, as train has them.
func fitFlags(flags *pflag.FlagSet, c *learn.Config) {
	d := &learn.Default
	c.HeldOut = d.HeldOut
	ui.RealFlag(flags, &c.Rate, "rate", d.Rate, 1e-6, 10, "length of the first steps, in units of 256")
	ui.RealFlag(flags, &c.L1, "l1", d.L1, 0, 1e6, "weight of the sum of all weights, which makes small ones 0")
	ui.NumberFlag(flags, &c.Epochs, "epochs", d.Epochs, 1, 100_000, "the most times to go through all positions")
	flags.Uint64Var(&c.Seed, "seed", d.Seed, "of random numbers")
}

func newWeigh() *cobra.Command {
	var o weighOptions
	cmd := &cobra.Command{
		Use:   "weigh GAME FILE ... --out OUT",
		Short: "Learn how much parts of the data should count, by what wins games",
		Long: `Weigh repeats tables of docs/weighing.md and docs/policies.md.

The files have games to learn from, as train reads and writes them. Positions or games get weights
that say how much they count. Evaluations that learned with different weights play each other, and
an evolution moves the weights towards those that win. Weighed shows the state, OUT.weigh. With
--model strengths or realization policies learn the moves of the games, and choose those of
playouts; see policy and playouts.

An interrupted command goes on where it was when it is repeated.`,
		Example: "  lab weigh dobutsu plain.w.games --from made --nodes 100 --out w.w\n" +
			"  lab weigh connect4 c4.games --model strengths --playouts 100 --out c4.s",
		Args: ui.LeastArgs(2),
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.out == "" {
			return usage("want --out FILE for the weights")
		}
		policies := o.model != evaluations
		if !policies && o.results == 0 && o.moves == 0 {
			return usage("--results and --moves are both 0: there is nothing to learn")
		}
		if best := o.search.Best; cmd.Flags().Changed("best") && best > o.search.Individuals {
			return usage("--best %d: there are only %d --individuals", best, o.search.Individuals)
		}
		if err := ui.RefuseIdle(cmd.Flags(),
			ui.Idle{When: policies, Why: "with --model " + o.model + ": it is for evaluations", Flags: []string{"from", "db", "results", "scores", "moves", "nodes"}},
			ui.Idle{When: !policies, Why: "on evaluations: want --model strengths or realization", Flags: []string{"playouts"}},
			ui.Idle{When: o.model == string(policy.Strengths), Why: "with --model strengths: want --model realization", Flags: []string{"l1", "rate", "epochs"}},
			ui.Idle{When: !policies && o.moves == 0, Why: "without moves to compare: want --moves", Flags: []string{"every"}},
			ui.Idle{When: o.dir != "", Why: "with --db, whose values are learned instead", Flags: []string{"scores"}},
			ui.Idle{When: o.results == 0, Why: "with --results 0: no results are learned", Flags: []string{"scores", "db"}},
		); err != nil {
			return err
		}
		return o.run(cmd, args[0], args[1:])
	}
	return cmd
}

// The files of a search for weights are beside the one with the weights.
const (
	stateSuffix       = ".weigh"
	individualsSuffix = ".individuals"
)

func (o *weighOptions) run(c *cobra.Command, spec string, files []string) (err error) {
	ctx := c.Context()
	var parts learn.Parts
	switch o.by {
	case learn.ByProgress.String():
		parts = learn.ByProgress
	case learn.ByGame.String():
		parts = learn.ByGame
	default:
		return usage("--by %q: want %v or %v", o.by, learn.ByProgress, learn.ByGame)
	}
	switch policy.Model(o.model) {
	case evaluations, policy.Strengths, policy.Realization:
	default:
		return usage("--model %q: want %s, %s or %s", o.model, evaluations, policy.Strengths, policy.Realization)
	}
	g, d, done, err := openOver(ctx, spec, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	list, _, err := lessons(g, files, c.PrintErrln)
	if err != nil {
		return err
	}
	show, shown := status(c, o.Printing)
	defer shown()
	read := func(i int) error {
		show("%d of %d games read", i+1, len(list))
		return ctx.Err()
	}
	arena := match.Arena[app.Position, app.Move]{Game: g.Board, RandomPlies: o.random, Seed: o.fit.Seed, Threads: o.threads}
	var field *players
	var all int // parts
	if o.model == evaluations {
		field, all, err = o.evaluations(g, d, parts, list, arena, read)
	} else {
		field, all, err = o.policies(g, parts, list, arena, read)
	}
	var w *weighed
	var best []float32
	if err == nil {
		if parts == learn.ByProgress {
			all = learn.ProgressParts
		}
		w, best, err = o.weigh(c, g, field, parts, all)
	}
	if errors.Is(err, learn.ErrExamples) || errors.Is(err, weigh.ErrState) || errors.Is(err, match.ErrFile) {
		err = app.InputError{Err: err}
	}
	if err != nil {
		return err
	}
	var file bytes.Buffer
	origin := fmt.Sprintf("%d games, weighed by %s in %d steps and %d games; %s of every %d; rate %g, l1 %g, seed %d",
		len(list), w.By, w.Step, w.Games, o.learned(), o.every, o.fit.Rate, o.fit.L1, o.fit.Seed)
	if err := games.WriteWeights(&file, field.Set, best, origin); err != nil {
		return err
	}
	if err := ui.WriteFile(o.out, file.Bytes()); err != nil {
		return err
	}
	return o.Result(c, w, w.text())
}

type players = weigh.Players[app.Position, app.Move]

// evaluations is the model of evaluations; other models are those of policies.
const evaluations = "evaluation"

// learned says what is learned.
func (o *weighOptions) learned() string {
	if o.model == evaluations {
		return fmt.Sprintf("results %g, scores %g, moves %g", o.results, o.scores, o.moves)
	}
	return o.model
}

// evaluations returns evaluations that learn from games, and the number of parts of these. read is told of each game.
func (o *weighOptions) evaluations(g *app.Game, d app.Database, parts learn.Parts, list []app.LearnedGame, arena match.Arena[app.Position, app.Move],
	read func(i int) error) (*players, int, error) {
	from, err := app.ReadWeights(o.from)
	if err != nil {
		return nil, 0, err
	}
	e, err := from.Of(g)
	if err != nil {
		return nil, 0, err
	}
	x, err := learn.NewExamples(e.Set)
	if err != nil {
		return nil, 0, app.InputError{Err: err}
	}
	teacher, err := g.Teacher(e, learn.Lessons[app.Position]{
		Results: o.results, Scores: o.scores, Moves: o.moves, Every: o.every, Parts: parts, Database: d,
	}, x)
	if err != nil {
		return nil, 0, err
	}
	for i := range list {
		if err := errors.Join(teacher.Add(&list[i]), read(i)); err != nil {
			return nil, 0, err
		}
	}
	fit := o.fit
	fit.From = e.Weights
	return weigh.Evaluations(arena, e.Set, x, fit, uint64(o.nodes), g.Search), x.Parts(), nil
}

// policies returns policies that learn from games, and the number of parts of these. read is told of each game.
func (o *weighOptions) policies(g *app.Game, parts learn.Parts, list []app.LearnedGame, arena match.Arena[app.Position, app.Move],
	read func(i int) error) (*players, int, error) {
	features, err := policy.MoveFeaturesOf(g.Board)
	if err != nil {
		return nil, 0, app.InputError{Err: err}
	}
	set := features.MoveFeatureSet()
	x := policy.NewChoices(set)
	for i := range list {
		policy.AddGame(x, g.Board, features, i, &list[i], o.every, parts)
		if err := read(i); err != nil {
			return nil, 0, err
		}
	}
	return weigh.Policies(arena, set, policy.Model(o.model), x, o.fit, o.playouts), x.Parts(), nil
}

// weighed is the result of a search for weights of the data.
type weighed struct {
	weighing
	// Final are matches against the evaluation without weights, and one against the best of the first individuals.
	Final []finalMatch `json:"final"`
}

// bestAgainstFirst is a match that is not against the evaluation without weights.
const bestAgainstFirst = "best, against the best of the first"

type finalMatch struct {
	Of    string  `json:"of"`
	Games int     `json:"games"`
	Won   int     `json:"won"`
	Drawn int     `json:"drawn"`
	Lost  int     `json:"lost"`
	Score float64 `json:"score"`
	Error float64 `json:"error"` // half of the interval of 95 %
}

// weigh searches for weights of the data, and returns the weights of the features of the best individual. all is the number of
// parts of the data.
func (o *weighOptions) weigh(c *cobra.Command, g *app.Game, field *players, parts learn.Parts, all int) (*weighed, []float32, error) {
	ctx := c.Context()
	show, shown := status(c, o.Printing)
	defer shown()
	field.Dir, field.Made = o.out+individualsSuffix, func(done, all int) { show("%d of %d individuals made", done, all) }
	plain, err := field.Learn(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	cfg := o.search
	cfg.Game, cfg.Division = g.Name(), parts.String()
	cfg.Parts, cfg.Seed, cfg.Signature, cfg.File = all, o.fit.Seed, field.Signature(), o.out+stateSuffix
	cfg.Progress = func(s *weigh.State) {
		show("step %d of %d, %d of at most %d games", s.Step, s.Settings.Steps, 2*s.Pairs, s.Most())
	}
	s, err := weigh.Search(ctx, field, cfg)
	if err != nil {
		return nil, nil, err
	}
	w := &weighed{weighing: newWeighing(s), Final: []finalMatch{}}
	best, first := s.Ranked()[0], s.BestFirst()
	if err := field.Make(ctx, s, []int{best, first}); err != nil {
		return nil, nil, err
	}
	mean, err := field.Learn(ctx, s.Distribution.Mean)
	if err != nil {
		return nil, nil, err
	}
	for _, of := range []struct {
		name       string
		w, against []float32
	}{
		{"best", field.Weights(best), plain}, {"best of the first", field.Weights(first), plain}, {"mean weights", mean, plain},
		{bestAgainstFirst, field.Weights(best), field.Weights(first)},
	} {
		if o.final == 0 {
			break
		}
		// The openings are others than those of the search.
		cfg := match.Config[app.Position, app.Move]{
			Players: [2]playerMaker{field.Player(of.w), field.Player(of.against)},
			Pairs:   (o.final + 1) / 2, Threads: o.threads, RandomPlies: o.random, Seed: o.fit.Seed + 1,
			File:     fmt.Sprintf("%s.final-%d-%s", o.out, s.Step, strings.NewReplacer(" ", "-", ",", "").Replace(of.name)),
			Settings: fmt.Sprintf("final match of the %s, search %016x", of.name, s.Signature),
		}
		cfg.Progress = func(r *match.Result) { show("%d of %d final games of the %s", r.Games(), 2*cfg.Pairs, of.name) }
		r, err := match.Play(ctx, g.Board, cfg)
		if err != nil {
			return nil, nil, err
		}
		score, half := r.Tally.Interval()
		w.Final = append(w.Final, finalMatch{of.name, r.Games(), r.Won, r.Drawn, r.Lost, score, half})
	}
	return w, field.Weights(best), nil
}

func (w *weighed) text() string {
	var b strings.Builder
	b.WriteString(w.weighing.text())
	if len(w.Final) > 0 {
		fmt.Fprintf(&b, "\nagainst what learned without weights\n")
	}
	for _, m := range w.Final {
		if m.Of == bestAgainstFirst {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%-34s %.3f ± %.3f in %d games\n", m.Of, m.Score, m.Error, m.Games)
	}
	return b.String()
}
