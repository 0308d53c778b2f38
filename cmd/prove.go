package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// proveOptions are the flags of prove.
type proveOptions struct {
	ui.Printing
	cfg    solver.Config
	method string
	scores bool // --method alpha-beta
	file   string
	db     string
	attack bool
	tree   treeOptions
	// extract is --extract, and leave --leave.
	extract bool
	leave   uint64

	verification *db.Verification // of the database, nil without --db
	interrupted  error            // what an interrupted command returns
}

func newProve(l plugins) *cobra.Command {
	var o proveOptions
	cmd := &cobra.Command{
		Use:   "prove GAME [POSITION [moves MOVE ...]]",
		Short: "Prove who wins a position, by proof-number search",
		Long: `Prove finds the value of one position, by default the start position, by proof-number
search. Can the side to move force a win? If not, can the other side? If neither can, it
is a draw. In a game with scores it asks whether the position is worth at least a number of
points, until only one value is left, and proves both bounds. Before it prints the value it
writes a proof and checks it as yomikiri check does. With --proof the proof becomes a file,
and without an accepted proof no value is printed. Otherwise a value without a proof is
marked as not verified.

The default method, best-first, keeps the search tree in memory. With --method df-pn the
search is depth-first and its memory is a table of fixed size. Games in which positions
can repeat need --method df-pn, or alpha-beta with --tree. With df-pn only their wins have
a proof; that a side holds is not verified. Alpha-beta with --tree proves that too.

With --db the positions of a database, such as one of endings, count as decided. Its
values are trusted: the result says whether yomikiri verify has derived them. A proof then
names the database, and yomikiri check needs it too.

With --extract as well nothing is searched. The proof goes through the values of the database:
where the winner is to move it has one move that wins, with few replies, and elsewhere all
moves. It does not rest on the database, and check does not need it. The game must end whatever
is played, and the database must have all positions that can come. With --leave the proof ends
where the checker can search what is left by looking at so many positions: it is smaller, and
takes longer to check.

With --tree the proof tree is kept in a directory. Workers search its leaves with small
budgets, in this process, and share the memory. Such a proof can be interrupted or
killed at any moment: the same command goes on where it stopped, but the jobs that were
running begin again. See yomikiri tree.

A game with scores may have a search of its own, as Othello has. It is used with and
without --tree, if no --method is named. With --tree the directory keeps its results, and
it goes on in the same way.

With --listen workers of other processes and machines can join, see yomikiri work.`,
		Example: "  yomikiri prove gomoku --size 7x7 --k 4\n  yomikiri prove gomoku:size=6x6 --proof draw.proof\n" +
			"  yomikiri prove gomoku startpos moves h8 a1 --attack --proof a1.proof\n  yomikiri prove tictactoe startpos moves b2 a2\n" +
			"  yomikiri prove dobutsu 'G1l/LGh/2e/E1C b -' --method df-pn\n" +
			"  yomikiri prove connect4 --size 4x4 --db 4x4.db --extract --leave 100 --proof 4x4.proof\n" +
			"  yomikiri prove gomoku:size=4x7,k=4 --tree 4x7 --workers 2 --proof 4x7.proof\n" +
			"  yomikiri prove gomoku --tree g15 --workers 2 --proof g15.proof\n" +
			"  yomikiri prove gomoku:size=4x7,k=4 --tree 4x7 --listen 127.0.0.1:4222",
		Args:              ui.LeastArgs(1),
		ValidArgsFunction: l.completeGames(),
	}
	flags := cmd.Flags()
	ui.FileFlag(flags, &o.file, "proof", true, "write the proof, for yomikiri check")
	if names, how := l.attacks(); names != "" {
		cmd.Long += `

With --attack only wins of the side to move are searched, for positions where a full search
would not end. It never shows that there is no win.
` + how
		flags.BoolVar(&o.attack, "attack", false, "search only wins of the side to move, by attacks ("+names+")")
	}
	flags.StringVar(&o.method, "method", "", "best-first, df-pn or, with --tree, alpha-beta (default best-first; for the tree of a game with an evaluation alpha-beta)")
	flags.StringVar(&o.db, "db", "", "directory of a database of the game, or of a part of it, or the name of the game: the positions that it has are decided")
	flags.BoolVar(&o.extract, "extract", false, "with --db: take the proof from its values; the proof does not rest on them")
	flags.Uint64Var(&o.leave, "leave", 0, "with --extract: `POSITIONS` that a check may look at to search what is left instead of nodes")
	flags.Uint64Var(&o.cfg.Nodes, "nodes", 0, "node limit for each question; 0 for none")
	ui.TimeFlag(flags, &o.cfg.Time, "time", "0", "time limit for each question; 0 for none")
	searchMemoryFlag(flags, &o.cfg.Memory)
	flags.StringVar(&o.tree.dir, "tree", "", "`DIR` to keep the proof tree in, new or that of an earlier run")
	ui.NumberFlag(flags, &o.tree.workers, "workers", 1, 0, ui.MostThreads, "with --tree: number of threads that search; 0 leaves all to other processes, with --listen or --nats")
	flags.Uint64Var(&o.tree.budget, "budget", 0, "with --tree: positions of the first job of a leaf (default 1000, --attack 100, --method alpha-beta 20000)")
	o.tree.addListenFlags(flags, "with --tree: `HOST:PORT` at which workers can join; all but 127.0.0.1 needs a token and TLS", proveToken)
	ui.NumberFlag(flags, &o.tree.replicas, "replicas", 0, 0, 5, "with --nats: on how many servers of a cluster jobs and results are kept; 0 for one")
	o.Flags(flags)
	ui.AddRuleFlags(cmd, l.infos()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		n, err := l.game(flags, args[0], o.db)
		if err != nil {
			return err
		}
		if o.extract || o.leave > 0 {
			return o.proveExtracted(cmd, n, args)
		}
		g, done, err := n.openSearched(cmd)
		if err != nil {
			return err
		}
		defer func() { err = cmp.Or(done(), err) }()
		if err := o.chooseMethod(g.SuitsScores); err != nil {
			return ui.Usage(err)
		}
		if o.attack && flags.Changed("method") {
			return ui.Usage(errors.New("--attack has its own method; omit --method"))
		}
		if err := o.tree.check(flags); err != nil {
			return ui.Usage(err)
		}
		if d := g.Adjudicator; d != nil {
			v, err := d.DB().Verification()
			if err != nil {
				return err
			}
			o.verification = &v
		}
		return o.run(cmd, g, args)
	}
	return cmd
}

// attacks returns the names of the games that have prove --attack, and how they attack.
func (l plugins) attacks() (list, how string) {
	var names []string
	for _, p := range l {
		if p.Attack != "" {
			names = append(names, p.Name)
			how += fmt.Sprintf("\n  %s  %s", p.Name, p.Attack)
		}
	}
	return strings.Join(names, ", "), how
}

// readPosition returns the position that arguments name: the start position unless there is one.
func readPosition(g app.Board, args []string) (app.Position, error) {
	if len(args) == 0 {
		return g.Start(), nil
	}
	p, err := games.ReadPosition(g, strings.Join(args, " "))
	if err != nil {
		err = ui.Usage(err)
	}
	return p, err
}

// searchMemoryFlag adds the flag for the memory of a search; see chooseMemory.
func searchMemoryFlag(flags *pflag.FlagSet, memory *uint64) {
	ui.MemoryFlag(flags, memory, "memory", "", "memory, such as 512MiB (default 2GiB; df-pn 256MiB)")
}

// alphaBeta is the name of the method of back ends that give scores.
const alphaBeta = "alpha-beta"

// chooseMethod sets the method, and the default of the memory; df-pn has its own.
func (o *proveOptions) chooseMethod(evaluates bool) error {
	if o.method == "" {
		if o.method = solver.BestFirst.String(); o.tree.dir != "" && evaluates {
			o.method = alphaBeta
		}
	}
	switch o.method {
	case solver.BestFirst.String():
	case solver.DepthFirst.String():
		o.cfg.Method = solver.DepthFirst
	case alphaBeta:
		if o.tree.dir == "" {
			return fmt.Errorf("--method %s is for --tree", alphaBeta)
		}
		o.scores = true
	default:
		return fmt.Errorf("--method %q: want %v, %v or %s", o.method, solver.BestFirst, solver.DepthFirst, alphaBeta)
	}
	if o.cfg.Memory == 0 && o.cfg.Method == solver.BestFirst {
		o.cfg.Memory = 2 << 30
	}
	return nil
}

// provenValue is the result of prove.
type provenValue struct {
	Game     string `json:"game"`
	Position string `json:"position"`
	// Image is the mirror image of the position that the tree and the proof are about, if that is
	// another.
	Image string `json:"image,omitempty"`
	Value string `json:"value"` // for the side to move
	// LeftOut are rules that the value does without; see [games.Forgetful].
	LeftOut []string `json:"left_out,omitempty"`
	// Line is a line of best play, in games whose search has one, and End the points at its end.
	Line      []string        `json:"line,omitempty"`
	End       string          `json:"end,omitempty"`
	Questions []proveQuestion `json:"questions,omitempty"`
	Tree      *manager.Report `json:"tree,omitempty"` // with --tree
	Proof     *prooffile.File `json:"proof,omitempty"`
	// Database is the checksum of the database that the value rests on, and Verification
	// what is known of its verification; without --db there are none.
	Database     string           `json:"database,omitempty"`
	Verification *db.Verification `json:"verification,omitempty"`
	// Verified says how the value was verified: its proof was written and checked.
	Verified fmt.Stringer `json:"verified,omitempty"`
	// NotVerified says why the value was not verified; empty if it was.
	NotVerified string `json:"not_verified,omitempty"`
}

type proveQuestion struct {
	Attacker string `json:"attacker"`
	AtLeast  *int   `json:"at_least,omitempty"` // points, in a game with scores
	// Forced says that the question is whether the attacker can force an end of the game with these
	// points: "no" leaves open what play without end is worth.
	Forced  bool    `json:"forced_end,omitempty"`
	Wins    string  `json:"wins"`
	Nodes   uint64  `json:"nodes"`
	Memory  uint64  `json:"memory"`
	Seconds float64 `json:"seconds"`
}

// sideNames are the sides of a question in human-readable form.
var sideNames = [...]string{proof.Mover: "the side to move", proof.Other: "the other side"}

// run proves a position, and moves after it.
func (o *proveOptions) run(cmd *cobra.Command, g *app.Game, args []string) error {
	root, err := readPosition(g.Board, args[1:])
	if err != nil {
		return err
	}
	flags := cmd.Flags()
	if g.Attack != nil && g.Attack.Default(root) && !flags.Changed("attack") && !flags.Changed("method") {
		o.attack = true
	}
	if o.interrupted = errSearchLost; o.tree.dir != "" {
		o.interrupted = ui.Interrupted("interrupted; to resume: " + resumeCommand(cmd, args))
	}
	if o.attack && g.Adjudicator != nil {
		return ui.Usage(errors.New("--attack takes no --db"))
	}
	if o.attack && g.Attack == nil {
		return ui.Usage(fmt.Errorf("--attack: %s has no search for attacks", g.Name()))
	}
	if o.attack && o.tree.dir == "" {
		return o.attackRoot(cmd, g, root)
	}
	switch {
	case g.ByScore() && g.Adjudicator != nil:
		return ui.Usage(errors.New("--db: a proof of a score cannot rest on a database; leave --db out"))
	case g.ByScore() && (o.tree.dir != "" || o.hasPoints(cmd, g, root)):
		return o.proveScore(cmd, g, root)
	case o.tree.dir != "":
		return o.proveTree(cmd, g, root)
	}
	p := o.Progress(cmd)
	o.cfg.ProgressEvery = p.Every()
	o.cfg.Progress = func(r solver.Progress) { p.Show(func() string { return proveLine(r) }, proveRecord(r)) }
	s, err := g.Prover(root, o.cfg)
	if err != nil {
		return suggestMethod(g, o, err)
	}
	questions, known, err := s.Solve(cmd.Context())
	p.Done()
	switch {
	case failed(cmd.Context()) != nil:
		return failed(cmd.Context())
	case errors.Is(err, context.Canceled):
		return o.interrupted
	case err != nil && !errors.Is(err, solver.ErrLimit) && !(g.ByScore() && errors.Is(err, solver.ErrRepetition)):
		return err
	}
	out := provenValue{Game: g.Name(), Position: g.PositionText(root)}
	for _, q := range questions {
		out.Questions = append(out.Questions, proveQuestion{
			Attacker: sideNames[q.Attacker], AtLeast: q.AtLeast, Forced: q.AtLeast != nil && !g.Ends(), Wins: wins(q.Outcome), Nodes: q.Nodes, Memory: q.Memory, Seconds: q.Time.Seconds(),
		})
	}
	open := errNotProven
	switch {
	case known:
		open = nil
	case errors.Is(err, solver.ErrRepetition):
		open = errNoEnd
	}
	return o.finish(cmd, g, &out, s.Header(), func(w *proof.Writer) error { return s.WriteProof(cmd.Context(), w) }, unverified, open)
}

// finish prints the value by the claims of a header, after it has proven them as
// [provenValue.prove] does. open is the error that it returns if the value is not known.
func (o *proveOptions) finish(cmd *cobra.Command, g *app.Game, r *provenValue, header proof.Header, write func(w *proof.Writer) error, unverified func(g *app.Game, err error) string, open error) (err error) {
	r.LeftOut = g.LeftOut()
	if r.Value = "unknown"; len(header.Claims) == 0 {
		err = o.Result(cmd, r, r.text(ui.PaintOf(cmd)))
	} else if r.Value, err = proof.Value(header.Claims); err == nil {
		err = r.prove(cmd, g, o, header, write, unverified)
	}
	if errors.Is(err, context.Canceled) {
		err = o.interrupted
	}
	return cmp.Or(err, open)
}

// suggestMethod adds to an error that the game needs another method, if it does.
func suggestMethod(g *app.Game, o *proveOptions, err error) error {
	if !g.Ends() && errors.Is(err, solver.ErrUnsuited) && o.cfg.Method == solver.BestFirst {
		err = fmt.Errorf("%w: use --method %v", err, solver.DepthFirst)
		if o.tree.dir != "" {
			err = fmt.Errorf("%w, or %v, which can also prove that a side holds", err, alphaBeta)
		}
	}
	return err
}

var (
	errSearchLost = ui.Interrupted("interrupted; a search cannot be resumed, begin again")
	errNotProven  = fmt.Errorf("%w: the value is not known; raise --nodes, --time or --memory", solver.ErrLimit)
	errNoEnd      = ui.Unknown("the value is not known: neither side can force an end with more, and this search does not count play without end; solve and query can tell")
	errTreeOpen   = fmt.Errorf("%w: the value is not known; the same command goes on with the tree", solver.ErrLimit)
)

// prove verifies the proof of the result and then prints the result. If the user wants a file
// with the proof, it writes that first, and prints the result also if the disk fails. If there
// is no proof and the user wants none, unverified may return the reason why the result is
// printed all the same, as one that is not verified.
func (r *provenValue) prove(cmd *cobra.Command, g *app.Game, o *proveOptions, header proof.Header, write func(w *proof.Writer) error, unverified func(g *app.Game, err error) string) error {
	v := prooffile.VerifierOf(g)
	r.Database, r.Verification = header.Database, o.verification
	var unwritten, err error
	p, begin := o.Progress(cmd), time.Now()
	defer p.Done()
	report := func(done, total uint64) { p.ShowDone(begin, "nodes verified", done, total) }
	if o.file != "" {
		r.Proof, unwritten = prooffile.Write(o.file, header, p, write, func(path string, nodes uint64) error {
			r.Verified, err = prooffile.VerifyFile(cmd.Context(), v, path, nodes, report)
			return err
		})
		switch {
		case err != nil:
			return unwritten
		case errors.Is(unwritten, solver.ErrRepetition), errors.Is(unwritten, solver.ErrLimit):
			err, unwritten = unwritten, nil // there is no proof
		}
	}
	if r.Verified == nil && err == nil {
		r.Verified, err = prooffile.VerifyUnwritten(cmd.Context(), v, header, write, report)
	}
	p.Done()
	switch {
	case errors.Is(err, solver.ErrRepetition) && o.file != "":
		return errHoldsUnproven
	case (errors.Is(err, solver.ErrRepetition) || errors.Is(err, solver.ErrLimit)) && o.file == "" && unverified != nil:
		if r.NotVerified = unverified(g, err); r.NotVerified != "" {
			err = nil
		}
	}
	switch {
	case err == nil:
		err = o.Result(cmd, r, r.text(ui.PaintOf(cmd)))
	case errors.Is(err, solver.ErrLimit):
		return fmt.Errorf("the value was found, but not its proof: %w", err)
	}
	return errors.Join(err, unwritten)
}

// errHoldsUnproven is returned with --proof if a search has found that a side holds, and has no
// proof of it.
var errHoldsUnproven = fmt.Errorf("%w, so no value is printed: --method %s with --tree can prove it; without --proof the value is printed as not verified",
	solver.ErrRepetition, alphaBeta)

// unverified returns why a result of a search without a proof is printed all the same; empty if
// it must not be.
func unverified(g *app.Game, err error) string {
	switch {
	case errors.Is(err, solver.ErrRepetition):
		return "positions can repeat, and this search has no proof that a side holds; --method " + alphaBeta + " with --tree can have one"
	case !g.Guesses:
		return "its proof was not found within the limits"
	}
	return ""
}

// wins returns the answer to the question whether a side wins.
func wins(o solver.Outcome) string {
	switch o {
	case solver.Proven:
		return "yes"
	case solver.Disproven:
		return "no"
	}
	return "unknown"
}

func proveLine(r solver.Progress) string {
	numbers := ""
	if r.Proof > 0 || r.Disproof > 0 {
		numbers = fmt.Sprintf(" proof %s, disproof %s:", groupedNumber(solver.Number(r.Proof)), groupedNumber(solver.Number(r.Disproof)))
	}
	return fmt.Sprintf("%s  can %s win?%s %s, %s", ui.Seconds(r.Time), sideNames[r.Attacker], numbers, ui.Counted(r.Nodes, "position"), ui.Size(r.Memory))
}

// proveRecord is the progress of a proof as a record.
func proveRecord(r solver.Progress) any {
	return struct {
		Seconds  float64       `json:"seconds"`
		Attacker string        `json:"attacker"`
		Proof    solver.Number `json:"proof,omitempty"`
		Disproof solver.Number `json:"disproof,omitempty"`
		Nodes    uint64        `json:"nodes"`
		Memory   uint64        `json:"memory"`
	}{r.Time.Seconds(), sideNames[r.Attacker], solver.Number(r.Proof), solver.Number(r.Disproof), r.Nodes, r.Memory}
}

// text returns the result in human-readable form.
func (r *provenValue) text(paint ui.Paint) string {
	var b ui.Table
	b.Line("game", "%s", r.Game)
	b.Line("position", "%s", r.Position)
	if r.Image != "" {
		b.Line("as", "%s, its mirror image, which the tree and the proof name", r.Image)
	}
	value, doubt := paint.ValueText(r.Value), ""
	if r.NotVerified != "" {
		value, doubt = r.Value, ", not verified"
	}
	b.Line("value", "%s%s", value, doubt)
	if len(r.LeftOut) > 0 {
		b.Prose("left out", "%s", strings.Join(r.LeftOut, ", "))
	}
	if len(r.Line) > 0 {
		b.Prose("line", "%s, to %s", strings.Join(r.Line, " "), r.End)
	}
	if r.Database != "" {
		b.Prose("database", "%s, trusted; %v", r.Database, r.Verification)
	}
	for _, q := range r.Questions {
		answer := q.Wins
		if answer == wins(solver.Disproven) {
			answer += doubt
		}
		goal := "win"
		if q.AtLeast != nil {
			goal = fmt.Sprintf("get at least %d", *q.AtLeast)
			if q.Forced {
				goal = fmt.Sprintf("force an end with at least %d", *q.AtLeast)
			}
		}
		b.Line("question", "can %s %s? %s: %s, %s, %.1f s", q.Attacker, goal, answer, ui.Counted(q.Nodes, "position"), ui.Size(q.Memory), q.Seconds)
	}
	if r.Tree != nil {
		s := r.Tree.Stats
		b.Line("jobs", "%s: %s, and %s to write proofs, %.1f s", ui.Grouped(s.Jobs), ui.Counted(s.Nodes, "position"), ui.Grouped(s.Written), s.Elapsed.Seconds())
	}
	if f := r.Proof; f != nil {
		b.Line("proof", "%s", f)
	}
	if r.Verified != nil {
		b.Prose("verified", "%v", r.Verified)
	}
	if r.NotVerified != "" {
		b.Prose("not verified", "%s", r.NotVerified)
	}
	return b.String()
}
