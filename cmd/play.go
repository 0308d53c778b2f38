package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/proof"
)

// gameOptions are the flags of play.
type gameOptions struct {
	dir      string
	files    []string // proofs
	second   bool
	strength int
	weights  string
	book     string
	seed     uint64
}

func (o *gameOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.dir, "db", "", "directory of the database, or its game (default ./GAME.db); with --proof, the one that the proofs rest on")
	flags.BoolVar(&o.second, "second", false, "let the other side move first")
	ui.NumberFlag(flags, &o.strength, "level", 0, 0, play.Levels, "play against a search of this strength; 0 for none")
	ui.WeightsFlag(flags, &o.weights)
	ui.BookFlag(flags, &o.book)
	ui.SeedFlag(flags, &o.seed)
	prooffile.Flag(flags, &o.files, "to play by, or with --level that the search may use; more files may follow it")
}

func newPlay(l plugins) *cobra.Command {
	var o gameOptions
	cmd := &cobra.Command{
		Use:   "play GAME|DATABASE [POSITION [moves MOVE ...]]",
		Short: "Play against the database of a game, a proof, or a search",
		Long: `Play is a game between you and a database, which makes no mistakes. It says what each of
your moves costs. Proofs have no values of moves. With --level you play against a search
instead, from 1 (beginner) to 10 (strong), in any game that has an evaluation; what it says
of a position is an estimate, unless it says what has proven it, or that a move is from the book
of openings (--book). Only levels 9 and 10 and
hints prove values, and only level 10 and hints use a database, named with --db, and proofs, which
are checked first. Type a move, or

  hint     show the best move
  moves    show all moves with their values, best first
  undo     take back your last move
  board    show the board again
  quit     end the game; q and exit do the same

The database is a directory, or that of a game in its default place, ./GAME.db. The game
begins in the start position unless another is given. When a position occurs
for the third time the game is a draw, and the points that are left are shared.

With --proof alone you play against proof files of the game, instead of a database. The program
has the side that the proofs are about; if they are about both sides, it moves second
unless --second is given. It looks its moves up, without a search; where no proof has the
position, the game ends with exit code 3. The game begins where the proof does, or, with
several proofs, in the start position, with the move that all of them share. A proof that
rests on a database needs that too, with --db, and is followed by it.`,
		Example: "  yomikiri play dobutsu --second\n" +
			"  yomikiri play checkers --level 5\n" +
			"  yomikiri play awari 2,2,2,2,2,2,2,2,1,1,1,1\n" +
			"  yomikiri play gomoku --proof proofs/*.proof",
		Args:              ui.LeastArgs(1),
		ValidArgsFunction: l.completeSolvable(),
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.run(cmd, l, args[0], args[1:]) }
	return cmd
}

// run plays the game that spec names, from the position in args, against what the flags name.
func (o *gameOptions) run(cmd *cobra.Command, l plugins, spec string, args []string) error {
	if o.strength > 0 {
		g, err := l.openJudged(cmd, spec, &o.dir)
		if err != nil {
			return err
		}
		return o.playSearch(cmd, l, g, args)
	}
	if err := ui.RefuseIdle(cmd.Flags(), ui.Idle{When: true, Why: "without a search: want --level N", Flags: []string{"weights", "book", "seed"}}); err != nil {
		return err
	}
	if len(o.files) > 0 && o.dir == "" {
		g, err := l.open(ui.WithRules(cmd.Flags(), spec))
		if err != nil {
			return err
		}
		return playByProofs(cmd, g, "", o.files, args, o.second)
	}
	n, err := l.database(cmd.Flags(), spec, o.dir)
	if err != nil {
		return err
	}
	g, err := n.open(cmd)
	switch {
	case err != nil:
		return err
	case len(o.files) > 0:
		return playByProofs(cmd, g, n.dir, o.files, args, o.second)
	}
	return playDatabase(cmd, g, n.dir, args, o.second)
}

// playDatabase is play from a position, or the start position if none is given, against a database.
func playDatabase(cmd *cobra.Command, g *app.Game, dir string, args []string, second bool) (err error) {
	position := g.Start()
	if len(args) > 0 {
		if position, err = parseHeld(g, args); err != nil {
			return err
		}
	}
	d, err := openDatabase(cmd, g, dir)
	if _, e := g.Evaluation(); e == nil && errors.Is(err, db.ErrNoDatabase) {
		err = fmt.Errorf("%w; or play against a search, with --level", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if _, err := d.Probe(position); err != nil {
		return err
	}
	_, line, err := judgedBy(dir)
	if err != nil {
		return err
	}
	p := beginPlay(cmd, g, "the database", position, second)
	p.database = d
	p.best = p.byDatabase
	fmt.Fprint(p.out, line)
	if len(args) == 0 && !g.Rules.IsWhole() {
		fmt.Fprintf(p.out, "%s is a part of the game: play begins in a position of it, not in the start position\n", g.Name())
	}
	return p.run()
}

// playByProofs is play against proofs. If dir is not empty, they rest on the database there.
func playByProofs(cmd *cobra.Command, part *app.Game, dir string, files, args []string, second bool) (err error) {
	g := part.Asked // whole, even if the database is of a part of it
	var d app.Database
	var trusted proof.Database
	if dir != "" {
		if d, err = openDatabase(cmd, part, dir); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.Close()) }()
		trusted = d.Texts()
	}
	args = prooffile.TakeFiles(&files, args)
	player, err := g.Player(trusted)
	if err != nil {
		return err
	}
	byGame, err := prooffile.Open(cmd, files, g.Family.Info, func(h *proof.Header) (app.ProofPlayer, error) {
		if h.Game != g.Name() {
			return nil, ui.Usage(fmt.Errorf("the proof is about %s, not %s", h.Game, g.Name()))
		}
		has := ""
		if trusted != nil {
			has = trusted.Checksum()
		}
		return player, wrongDatabase("the proof", h.Database, dir, has)
	})
	if err != nil {
		return err
	}
	proofs := byGame[g.Name()]
	if len(args) == 0 && len(files) == 1 {
		args = []string{proofs.Headers[0].Root}
	}
	position := g.Start()
	if len(args) > 0 {
		if position, err = games.ReadPosition(g.Board, strings.Join(args, " ")); err != nil {
			return ui.Usage(fmt.Errorf("neither a position nor files: %w", err))
		}
	}
	best := func(position app.Position) (m app.Move, source string, err error) {
		text, source, err := proofs.Reply(cmd.Context(), g.AppendPosition(nil, position))
		if err == nil {
			m, err = g.ParseMove(position, text)
		}
		return m, source, err
	}
	if !second && !proofs.BothSides() {
		// A side that can end the game need not be the side that the proofs are for.
		switch _, source, err := best(position); {
		case err == nil:
			second = source != prooffile.EndsGame || len(files) == 1 && proofs.Begins(g.PositionText(position))
		case !errors.Is(err, prooffile.ErrNone):
			return err
		}
	}
	_, line, err := judgedBy(dir)
	if err != nil {
		return err
	}
	fmt.Fprint(cmd.OutOrStdout(), line)
	p := beginPlay(cmd, g, "the proof", position, second)
	p.database = d
	p.best = func(position app.Position, whose string) (app.Move, string, error) {
		m, source, err := best(position)
		if errors.Is(err, prooffile.ErrNone) {
			switch held, e := p.held(position); {
			case e != nil:
				return m, "", e
			case held:
				m, value, err := p.byDatabase(position, whose)
				return m, value + ", by the database", err
			}
		}
		return m, source, err
	}
	return p.run()
}

// playSearch is play against a search, over a database if there is one, and with what proofs know.
func (o *gameOptions) playSearch(cmd *cobra.Command, l plugins, part *app.Game, args []string) (err error) {
	weights, err := app.ReadWeights(o.weights)
	if err != nil {
		return err
	}
	read, err := app.ReadBook(o.book)
	if err != nil {
		return err
	}
	g, d, done, err := judgedGame(cmd, part, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	if len(o.files) > 0 {
		args = prooffile.TakeFiles(&o.files, args)
	}
	position := g.Start()
	if len(args) > 0 {
		if position, err = games.ReadPosition(g.Board, strings.Join(args, " ")); err != nil {
			return ui.Usage(err)
		}
	}
	known, err := l.proven(cmd, g, o.dir, o.files, ui.NewProgress(cmd.ErrOrStderr(), false, false))
	if err != nil {
		return err
	}
	e, err := weights.Of(g)
	if err != nil {
		return err
	}
	opening, err := app.BookOf(read, g.Board)
	if err != nil {
		return err
	}
	_, line, err := judgedBy(o.dir)
	if err != nil {
		return err
	}
	fmt.Fprint(cmd.OutOrStdout(), line)
	p := beginPlay(cmd, g, "the search", position, o.second)
	seed := cmp.Or(o.seed, rand.Uint64())
	p.best = func(at app.Position, whose string) (app.Move, string, error) {
		n := o.strength
		if whose == "you" { // a hint is as good as it gets
			n = play.Levels
		}
		limits, choice, database := play.Level(n)
		choice.Seed = seed + uint64(len(p.turns))
		cfg := play.Config[app.Position]{Evaluation: e, Memory: 64 << 20, Pruning: play.AllPruning}
		if database {
			cfg.Database, cfg.Proofs = d, known
		}
		search, err := g.Search(cfg)
		if err != nil {
			return app.Move{}, "", err
		}
		r, err := search.Search(p.ctx, play.Query[app.Position, app.Move]{From: position, Moves: p.moves, Limits: limits, Choice: choice, Advised: true, Book: opening})
		if err = cmp.Or(err, p.ctx.Err()); err != nil {
			return app.Move{}, "", err
		}
		best := r.Best()
		say := fmt.Sprintf("%s for %s, an estimate", scoreText(best.Score), whose)
		if r.Book != nil {
			return best.Moves[0], "by the book", nil
		}
		if a := r.Advice; a.Decided(games.OrderOf(g.Board)) {
			say = fmt.Sprintf("%s for %s, by %s", p.paint.Bounds(a.Bounds), whose, a.By)
		}
		return best.Moves[0], say, nil
	}
	return p.run()
}

// sitting is a game between a person and a database, proofs, or a search.
type sitting struct {
	*app.Game
	who      string       // what the person plays against
	database app.Database // nil with proofs that rest on no database
	// best returns the move that the person's opponent plays in a position where the game
	// is not over, and a remark about it: for "it", or for "you" if the person asks for a hint.
	best   func(position app.Position, whose string) (app.Move, string, error)
	out    io.Writer
	paint  ui.Paint // of out
	ctx    context.Context
	in     *ui.Lines
	person int        // 0 if the person moves first, 1 if second
	turns  []turn     // so far; the last one is to be made
	moves  []app.Move // so far
}

func beginPlay(cmd *cobra.Command, g *app.Game, who string, position app.Position, second bool) *sitting {
	p := &sitting{Game: g, who: who, out: cmd.OutOrStdout(), paint: ui.PaintOf(cmd), ctx: cmd.Context(), turns: []turn{{position: position}}}
	p.in = ui.NewLines(cmd.InOrStdin(), p.out, "your move: ")
	if second {
		p.person = 1
	}
	return p
}

// turn is a position of the game and the points that the first and the second player
// have won before.
type turn struct {
	position app.Position
	won      [2]int
}

func (p *sitting) now() *turn { return &p.turns[len(p.turns)-1] }

// mover returns whose turn it is: 0 for the player who moves first.
func (p *sitting) mover() int { return (len(p.turns) - 1) % 2 }

// run plays until the game is over or the person quits.
func (p *sitting) run() error {
	p.board()
	for {
		if p.over() {
			return nil
		}
		if p.mover() == p.person {
			if goOn, err := p.ask(); !goOn || err != nil {
				return err
			}
			continue
		}
		m, say, err := p.best(p.now().position, "it")
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "%s plays %s (%s)\n", p.who, p.name(m), say)
		p.make(m)
		p.board()
	}
}

func (p *sitting) board() {
	t := p.now()
	dst := []byte{'\n'}
	if board := p.Drawing(t.position); board != nil {
		dst = append(dst, board...)
	} else {
		dst = append(p.AppendPosition(dst, t.position), '\n')
	}
	if d, ok := games.As[games.Describer[app.Position, app.Move]](p.Board); ok && d.Layout().Relative {
		whose := "yours"
		if p.mover() != p.person {
			whose = p.who + "'s"
		}
		dst = fmt.Appendf(dst, "the row below is %s\n", whose)
	}
	if p.ByScore() {
		dst = fmt.Appendf(dst, "won: you %d, %s %d\n", t.won[p.person], p.who, t.won[1-p.person])
	}
	p.out.Write(dst)
}

func (p *sitting) name(m app.Move) string { return p.MoveText(p.now().position, m) }

// make makes a move.
func (p *sitting) make(m app.Move) {
	t := *p.now()
	if scorer, ok := games.As[games.Scorer[app.Position, app.Move]](p.Board); ok {
		t.won[p.mover()] += scorer.Gain(t.position, m)
	}
	t.position = p.Play(t.position, m)
	p.moves = append(p.moves, m)
	p.turns = append(p.turns, t)
}

// over reports whether the game is over, and prints how it ended.
func (p *sitting) over() bool {
	t := p.now()
	v, finished := p.Outcome(t.position)
	same := 0
	// The same side is to move in every second turn.
	for i := len(p.turns) - 1; i >= 0; i -= 2 {
		if p.turns[i].position == t.position {
			same++
		}
	}
	switch {
	case finished:
	case same >= 3:
		v = games.Draw
		fmt.Fprintln(p.out, "the position occurs for the third time")
	default:
		return false
	}
	mine, theirs := p.person, 1-p.person
	result := v.Result()
	if p.mover() != p.person {
		result = -result
	}
	if p.mover() == 1 {
		v = -v
	}
	if end := games.FinalScore(p.Board, t.position, v, t.won); end != nil {
		result = games.Draw.Result()
		if end[mine] != end[theirs] {
			result = games.Score(int(2 * (end[mine] - end[theirs]))).Result()
		}
		fmt.Fprintf(p.out, "the score is %v for you, %v for %s\n", end[mine], end[theirs], p.who)
	}
	end := map[games.Result]string{games.Won: "you have won", games.Lost: "you have lost", games.Drawn: "the game is a draw"}[result]
	fmt.Fprintln(p.out, p.paint.Result(result, end))
	return true
}

// ask reads a move or a command. It returns false when the person quits.
func (p *sitting) ask() (bool, error) {
	line, err := p.in.Read(p.ctx)
	if err != nil {
		fmt.Fprintln(p.out)
		if err == io.EOF {
			err = nil
		}
		return false, err
	}
	switch text := strings.TrimSpace(line); text {
	case "":
	case "quit", "exit", "q":
		return false, nil
	case "board":
		p.board()
	case "help", "?":
		fmt.Fprintln(p.out, "type a move, hint, moves, undo, board or quit")
	case "hint":
		m, say, err := p.best(p.now().position, "you")
		switch {
		case errors.Is(err, prooffile.ErrNone):
			say = err.Error()
		case err != nil:
			return false, err
		default:
			say = fmt.Sprintf("%s (%s)", p.name(m), say)
		}
		fmt.Fprintln(p.out, say)
	case "moves":
		moves, err := p.values()
		if err != nil {
			return false, err
		}
		if moves == nil {
			fmt.Fprintf(p.out, "%s has no values of moves\n", p.who)
		}
		for _, m := range moves {
			fmt.Fprintf(p.out, "  %-6s  %s%s\n", p.name(m.Move), p.paint.Value(m.Value), p.cost(moves[0].Value, m.Value))
		}
	case "undo":
		if len(p.turns) < 3 {
			fmt.Fprintln(p.out, "there is no move to take back")
			break
		}
		p.turns, p.moves = p.turns[:len(p.turns)-2], p.moves[:len(p.moves)-2]
		p.board()
	default:
		return true, p.try(text)
	}
	return true, nil
}

// values returns the moves in the position with their values, nil if they are not known.
func (p *sitting) values() ([]db.MoveValue[app.Move], error) {
	if held, err := p.held(p.now().position); !held || err != nil {
		return nil, err
	}
	return p.database.ProbeMoves(p.now().position)
}

// held reports whether there is a database that holds a position. Proofs that rest on one
// begin before it does.
func (p *sitting) held(position app.Position) (held bool, err error) {
	if p.database != nil {
		_, held, err = p.database.Value(position)
	}
	return held, err
}

// byDatabase is a value for best: the best move by the database.
func (p *sitting) byDatabase(position app.Position, whose string) (app.Move, string, error) {
	m, _, err := p.database.Best(p.ctx, position)
	return m.Move, fmt.Sprintf("%s for %s", p.paint.Value(m.Value), whose), err
}

// try makes the move that the person typed, if it is one.
func (p *sitting) try(text string) error {
	m, err := p.ParseMove(p.now().position, text)
	if err != nil {
		fmt.Fprintf(p.out, "%s; or type help\n", ui.Brief(err.Error()))
		return nil
	}
	moves, err := p.values()
	if err != nil {
		return err
	}
	for _, known := range moves {
		if known.Move == m {
			fmt.Fprintf(p.out, "%s: %s for you%s\n", p.name(m), p.paint.Value(known.Value), p.cost(moves[0].Value, known.Value))
		}
	}
	p.make(m)
	return nil
}

// cost says how much worse a move is than the best one.
func (p *sitting) cost(best, v games.Value) string {
	switch {
	case best == v:
		return ", the best"
	case p.ByScore():
		return fmt.Sprintf(", costs %d", int(best)-int(v))
	case best == games.Draw:
		return ", gives away a draw"
	case best.Result() != v.Result():
		return fmt.Sprintf(", gives away a %v", best)
	}
	before, _ := best.Plies()
	after, _ := v.Plies()
	if v.Result() == games.Won {
		return fmt.Sprintf(", wins %s later", ui.Plies(after-before))
	}
	return fmt.Sprintf(", loses %s sooner", ui.Plies(before-after))
}
