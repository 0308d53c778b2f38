package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
	"github.com/yomikiri/yomikiri/play/match"
)

// trainOptions are the flags of train.
type trainOptions struct {
	records   []string
	selfPlay  int
	drawn     int
	dir       string
	file      string
	nodes     int
	random    int
	plies     int
	from      string
	begin     app.Weights
	results   float64
	scores    float64
	moves     float64
	every     int
	agreement int
	fit       learn.Config
	threads   int
	out       string
	book      bookOptions
	ui.Printing
}

func (o *trainOptions) addFlags(flags *pflag.FlagSet) {
	d := &learn.Default
	flags.StringSliceVar(&o.records, "records", nil, "`files` of games, or of a match, to learn from")
	ui.NumberFlag(flags, &o.selfPlay, "self-play", 0, 0, 10_000_000, "number of games to play and to learn from")
	flags.StringVar(&o.dir, "db", "", "directory of a database whose values are learned, instead of the results of games if there are any")
	ui.NumberFlag(flags, &o.drawn, "positions", 0, 0, 100_000_000, "number of positions to draw from --db, each with the same chance (default: 100000 without games)")
	ui.FileFlag(flags, &o.file, "file", true, "keep the games of --self-play in a file (default: OUT.games)")
	ui.NumberFlag(flags, &o.nodes, "nodes", 1000, 1, 1_000_000_000, "positions that a player of --self-play looks at for a move")
	ui.NumberFlag(flags, &o.random, "random-plies", 5, 0, 1000, "random moves before each pair of games of --self-play")
	ui.NumberFlag(flags, &o.plies, "plies", 512, 1, 1_000_000, "a game of --self-play is a draw after this number of plies")
	flags.StringVar(&o.from, "from", "", "`file` of weights to begin with, or made for those made by hand (default: those of the game)")
	ui.RealFlag(flags, &o.results, "results", 1, 0, 1000, "weight of the result of each position, beside --moves")
	ui.RealFlag(flags, &o.scores, "scores", 0.5, 0, 1, "share of the score that a search gave in the result, if records have scores")
	ui.RealFlag(flags, &o.moves, "moves", 0, 0, 1000, "weight of each comparison of the move played with another")
	ui.NumberFlag(flags, &o.every, "every", 1, 1, 1000, "compare the moves of one in this number of positions")
	ui.NumberFlag(flags, &o.agreement, "agreement", 1000, 0, 1_000_000, "positions held out in which to compare the best move, also of --nodes, with the one played")
	ui.RealFlag(flags, &o.fit.Rate, "rate", d.Rate, 1e-6, 10, "length of the first steps, in units of 256")
	ui.RealFlag(flags, &o.fit.L1, "l1", d.L1, 0, 1e6, "weight of the sum of all weights, which makes small ones 0")
	ui.NumberFlag(flags, &o.fit.Epochs, "epochs", d.Epochs, 1, 100_000, "the most times to go through all positions")
	flags.Uint64Var(&o.fit.Seed, "seed", d.Seed, "of random numbers")
	ui.ThreadsFlag(flags, &o.threads, "1", "games of --self-play to play at the same time")
	ui.FileFlag(flags, &o.out, "out", true, "write the weights to a file")
	o.book.addFlags(flags)
	o.Printing.Flags(flags)
}

func newTrain(l plugins) *cobra.Command {
	var o trainOptions
	cmd := &cobra.Command{
		Use:   "train GAME --out FILE",
		Short: "Learn weights from games or a database, or make an opening book",
		Long: `Train learns the weights by which positions of a game are judged, and writes them to a
file for match and analyze. It learns from records (--records, more files may follow as
arguments), from games that it plays against itself (--self-play), and from positions drawn
from a database (--db without games, or with --positions).

Each position teaches the result of its game, mixed with the score of the search that
played it if the records have that; with --db, the exact value. One in which captures or
threats alone decide the game teaches nothing: there are fewer examples than positions. With --moves, the move
played is compared with all others too. One game of ten is held out, and training stops
once the loss of its positions no longer falls. How often the best move is the one played
in these games is measured before and after.

With --book it makes an opening book instead, for play, match, usi, uci, gomocup and serve: of
the moves that were played in games, or, without games, one that grows from the start position by
a search of the best moves. With --search, moves are left out that are estimated to be worse than
others; with --db, values are exact. --print shows a book. See docs/opening-book.md.

An interrupted command goes on where it was when it is repeated. The same command always
gives the same weights, and the same book.`,
		Example: "  yomikiri train shogi --self-play 6000 --out shogi.weights\n" +
			"  yomikiri train shogi --out shogi.weights --results 0 --moves 1 --records games/*.csa\n" +
			"  yomikiri train dobutsu --self-play 2000 --db dobutsu.db --out dobutsu.weights\n" +
			"  yomikiri train dobutsu --db dobutsu.db --positions 200000 --out dobutsu.weights\n" +
			"  yomikiri train gomoku --book gomoku.book\n" +
			"  yomikiri train shogi --book shogi.book --search 100000 --records games/*.csa\n" +
			"  yomikiri train shogi --book shogi.book --print",
		Args: ui.LeastArgs(1),
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		read, run := o.read, o.run
		if o.book.file != "" {
			read, run = o.readBook, o.runBook
		}
		if err := read(cmd.Flags(), args[1:]); err != nil {
			return err
		}
		g, err := l.openJudged(cmd, args[0], &o.dir)
		if err != nil {
			return err
		}
		return run(cmd, g)
	}
	return cmd
}

// read checks flags and arguments together, and reads the weights to begin with.
func (o *trainOptions) read(flags *pflag.FlagSet, files []string) (err error) {
	switch {
	case o.out == "":
		return ui.Usage(errors.New("want --out FILE for the weights, or --book FILE for an opening book"))
	case len(files) > 0 && len(o.records) == 0:
		return ui.Usage(fmt.Errorf("unexpected argument %q; want --records before files", files[0]))
	case o.drawn > 0 && o.dir == "":
		return ui.Usage(errors.New("--positions draws from a database: want --db DIR"))
	case len(o.records) == 0 && o.selfPlay == 0 && o.dir == "":
		return ui.Usage(errors.New("want something to learn from: --records FILES, --self-play N or --db DIR"))
	case len(o.records) == 0 && o.selfPlay == 0 && o.results == 0:
		return ui.Usage(errors.New("--results is 0, and there are no games: there is nothing to learn"))
	case o.results == 0 && o.moves == 0:
		return ui.Usage(errors.New("--results and --moves are both 0: there is nothing to learn"))
	}
	if err := o.idle(flags); err != nil {
		return err
	}
	o.fit.HeldOut = learn.Default.HeldOut
	o.records = append(o.records, files...)
	if len(o.records) == 0 && o.selfPlay == 0 && o.drawn == 0 {
		o.drawn = drawnPositions
	}
	if o.file == "" {
		o.file = o.out + ".games"
	}
	o.begin, err = app.ReadWeights(o.from)
	return err
}

// idle refuses flags without effect.
func (o *trainOptions) idle(flags *pflag.FlagSet) error {
	played := o.selfPlay > 0
	some := played || len(o.records) > 0
	return ui.RefuseIdle(flags,
		ui.Idle{When: true, Why: "without a book: want --book FILE", Flags: bookFlags},
		ui.Idle{When: !played, Why: "without games to play: want --self-play N", Flags: []string{"file", "random-plies", "plies", "threads"}},
		ui.Idle{When: !some, Why: "without games: want --records FILES or --self-play N", Flags: []string{"moves", "every", "nodes"}},
		ui.Idle{When: !some && o.agreement > 0, Why: "without games: want --records FILES or --self-play N", Flags: []string{"agreement"}},
		ui.Idle{When: !played && o.agreement == 0, Why: "with --agreement 0 and without games to play: want --self-play N", Flags: []string{"nodes"}},
		ui.Idle{When: o.moves == 0, Why: "without moves to compare: want --moves", Flags: []string{"every"}},
		ui.Idle{When: o.dir != "", Why: "with --db, whose values are learned instead", Flags: []string{"scores"}},
		ui.Idle{When: o.results == 0, Why: "with --results 0: no results are learned", Flags: []string{"scores", "positions"}},
		ui.Idle{When: o.results == 0 && !played, Why: "with --results 0: its values are results, and no games are played", Flags: []string{"db"}},
	)
}

func (o *trainOptions) run(c *cobra.Command, part *app.Game) (err error) {
	ctx := c.Context()
	g, d, done, err := judgedGame(c, part, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	e, err := o.begin.Of(g)
	if err != nil {
		return err
	}
	x, err := learn.NewExamples(e.Set)
	if err != nil {
		return ui.Usage(err)
	}
	lessons := learn.Lessons[app.Position]{Results: o.results, Scores: o.scores, Moves: o.moves, Every: o.every, Database: d}
	teacher, err := g.Teacher(e, lessons, x)
	if err != nil {
		return err
	}
	r := trained{Weights: o.out}
	list, err := readGames(c, g, o.records, &r)
	if err == nil && o.selfPlay > 0 {
		var more []app.LearnedGame
		more, err = o.playItself(c, g, e, d)
		list = records.Joined(list, more)
	}
	if err != nil {
		return ended(ctx, err)
	}
	r.Games = len(list)
	if o.agreement > 0 {
		r.Agreement = new(agreed)
		if r.Agreement.Before, err = o.agree(c, g, e, list); err != nil {
			return err
		}
	}
	shown, begin := o.Progress(c), time.Now()
	defer shown.Done()
	for i := range list {
		if ctx.Err() != nil {
			return ui.Interrupted("interrupted; the same command goes on")
		}
		if err := teacher.Add(&list[i]); err != nil {
			return err
		}
		shown.ShowDone(begin, "games", uint64(i+1), uint64(len(list)))
	}
	r.Drawn = o.drawn
	if err := o.draw(c, d, teacher, len(list)); err != nil {
		return err
	}
	cfg := o.fit
	cfg.From, cfg.File = e.Weights, o.out+".state"
	cfg.Progress = func(e learn.Epoch) {
		shown.Show(func() string {
			return fmt.Sprintf("%s  epoch %d, loss %.5f, held out %.5f", ui.Seconds(time.Since(begin)), e.Number, e.Train, e.Held)
		}, e)
	}
	fitted, err := learn.Fit(ctx, x, cfg)
	switch {
	case ctx.Err() != nil:
		return ui.Interrupted("interrupted; the same command goes on")
	case errors.Is(err, learn.ErrExamples) || errors.Is(err, learn.ErrState):
		return ui.Usage(err)
	case err != nil:
		return err
	}
	shown.Done()
	r.add(fitted)
	learned := &play.Evaluation{Set: e.Set, Weights: fitted.Weights}
	var file bytes.Buffer
	if err := games.WriteWeights(&file, e.Set, learned.Weights, r.origin(o)); err != nil {
		return err
	}
	if err := ui.WriteFile(o.out, file.Bytes()); err != nil {
		return err
	}
	r.Bytes = file.Len()
	if o.agreement > 0 {
		if r.Agreement.After, err = o.agree(c, g, learned, list); err != nil {
			return err
		}
	}
	if err := os.Remove(cfg.File); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return o.Result(c, &r, r.text())
}

// playItself plays games against itself, or reads those that it has played.
func (o *trainOptions) playItself(c *cobra.Command, g *app.Game, e *play.Evaluation, d app.Database) ([]app.LearnedGame, error) {
	// The players differ a little, or the two games of a pair would be the same.
	selfPlayer := func(nodes int) playerMaker {
		s := match.Settings{Limits: play.Limits{Nodes: uint64(nodes)}}
		if !g.ByScore() {
			s.Resign, s.ResignMoves = -hopelessScore, 3
		}
		return func(context.Context) (player, error) {
			// A small table stays in the processor's caches, and is cleared for each game.
			memory := min(uint64(nodes)*64, 16<<20)
			search, err := g.Search(play.Config[app.Position]{Evaluation: e, Memory: memory, Pruning: play.AllPruning})
			if err != nil {
				return nil, err
			}
			return match.NewSearcher(search, s), nil
		}
	}
	cfg := match.Config[app.Position, app.Move]{
		Rules:   match.Rules[app.Position]{Plies: o.plies, Database: d},
		Players: [2]playerMaker{selfPlayer(o.nodes), selfPlayer(o.nodes + (o.nodes+4)/5)},
		Pairs:   (o.selfPlay + 1) / 2, Threads: o.threads, RandomPlies: o.random, Seed: o.fit.Seed, File: o.file,
		Settings: fmt.Sprintf("train: nodes %d, random %d, plies %d, seed %d, db %q, weights %08x", o.nodes, o.random, o.plies, o.fit.Seed, o.dir, checksum(e.Weights)),
	}
	shown, begin := o.Progress(c), time.Now()
	cfg.Progress = func(r *match.Result) {
		shown.ShowDone(begin, "games played", uint64(r.Games()), uint64(2*cfg.Pairs))
	}
	_, err := match.Play(c.Context(), g.Board, cfg)
	shown.Done()
	switch {
	case c.Context().Err() != nil:
		return nil, ui.Interrupted("interrupted; the same command goes on")
	case errors.Is(err, match.ErrFile):
		return nil, ui.Usage(err)
	case err != nil:
		return nil, err
	}
	list, bad, err := records.ReadMatch(g, o.file)
	if err == nil && len(bad) > 0 {
		err = bad[0]
	}
	return list[:min(len(list), o.selfPlay)], err
}

// hopelessScore is a score at which a player of --self-play resigns.
const hopelessScore = 2000

func checksum(weights []float32) uint32 {
	h := crc32.NewIEEE()
	fmt.Fprint(h, weights)
	return h.Sum32()
}

// readGames reads files of records or of matches. It names those that cannot be read, and counts them.
func readGames(c *cobra.Command, g *app.Game, names []string, r *trained) ([]app.LearnedGame, error) {
	list := records.Lessons(g, names, func(err error) {
		r.Unread++
		fmt.Fprintln(c.ErrOrStderr(), ui.Message(err))
	})
	if len(names) > 0 && len(list) == 0 {
		return nil, ui.Usage(fmt.Errorf("none of %s has a game that could be read", ui.Counted(uint64(len(names)), "file")))
	}
	return list, nil
}

// trained is the result of a training.
type trained struct {
	Games    int           `json:"games"`
	Drawn    int           `json:"positions_drawn"`
	Unread   int           `json:"unread"`
	Examples int           `json:"examples"`
	Held     int           `json:"held_out"`
	Epochs   []learn.Epoch `json:"epochs"`
	Best     int           `json:"best"`
	Zero     int           `json:"zero"` // weights
	All      int           `json:"all"`
	Weights  string        `json:"weights"`
	Bytes    int           `json:"bytes"`
	// Agreement is nil if it was not measured.
	Agreement *agreed `json:"agreement,omitempty"`
}

func (r *trained) add(f *learn.Fitted) {
	r.Examples, r.Held, r.Epochs, r.Best, r.All = f.Examples, f.Held, f.Epochs, f.Best, len(f.Weights)
	for _, w := range f.Weights {
		if w == 0 {
			r.Zero++
		}
	}
}

// origin says how weights were made, for their file.
func (r *trained) origin(o *trainOptions) string {
	text := ui.Counted(uint64(r.Games), "game")
	if r.Drawn > 0 {
		text += fmt.Sprintf(", %d positions drawn from a database", r.Drawn)
	}
	if o.selfPlay > 0 {
		text += fmt.Sprintf(", %d of them of self-play at %d nodes a move", o.selfPlay, o.nodes)
	}
	if o.dir != "" {
		text += ", values of a database"
	}
	return fmt.Sprintf("%s; results %g, scores %g, moves %g of every %d; rate %g, l1 %g, seed %d; epoch %d, loss of the games held out %.5f",
		text, o.results, o.scores, o.moves, o.every, o.fit.Rate, o.fit.L1, o.fit.Seed, r.Best, r.Epochs[r.Best].Held)
}

func (r *trained) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "games     %s, %s not read whole\n", ui.Grouped(uint64(r.Games)), ui.Grouped(uint64(r.Unread)))
	if r.Drawn > 0 {
		fmt.Fprintf(&b, "drawn     %s\n", ui.Counted(uint64(r.Drawn), "position"))
	}
	fmt.Fprintf(&b, "examples  %s, and %s held out\n\n", ui.Grouped(uint64(r.Examples)), ui.Grouped(uint64(r.Held)))
	fmt.Fprintf(&b, "epoch      loss  held out\n")
	for _, e := range r.Epochs {
		train := "        "
		if e.Number > 0 {
			train = fmt.Sprintf("%8.5f", e.Train)
		}
		mark := ""
		if e.Number == r.Best {
			mark = "  best"
		}
		fmt.Fprintf(&b, "%5d  %s  %8.5f%s\n", e.Number, train, e.Held, mark)
	}
	if text := r.Agreement.text(); text != "" {
		fmt.Fprintf(&b, "\n%s", text)
	}
	fmt.Fprintf(&b, "\nweights   %s: %s, %s of them 0, in %s\n", r.Weights, ui.Grouped(uint64(r.All)), ui.Grouped(uint64(r.Zero)), ui.FileSize(uint64(r.Bytes)))
	return b.String()
}
