package gomoku

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/solver/threat"
)

// Extra is what gomoku has beyond other games: searches for threats, the Gomocup
// protocol, and second rules to check proofs by.
var Extra = app.Extra[*gomoku.Game, gomoku.Position, gomoku.Square]{
	Brancher: threat.NewBrancher,
	Decider:  threat.NewDecider,
	Check:    app.CheckBy(gomokurules.Open),
	Player:   app.PlayBy(gomokurules.Open),
	Verify:   verifyGomoku,

	CertificateLine: certificateLine,

	Search:  &app.Search[*gomoku.Game, gomoku.Position, gomoku.Square]{Name: "gomoku", Title: "Gomoku", Run: findThreats},
	Records: records.Gomoku,
	Instead: "gomoku or prove",
	Attack: &app.Attack[*gomoku.Game, gomoku.Position]{
		Help: "by threats and quiet moves that threaten a win; the default for the empty board of 15x15 or more",
		// On such boards a full search from the start does not end.
		Default:  func(g *gomoku.Game) bool { return g.Rules().Rows*g.Rules().Columns >= 15*15 },
		New:      newGomokuAttack,
		Backends: threat.NewBackends,
		Adapt:    threat.AdaptProof,
	},
}

// Commands are the commands of gomoku alone.
var Commands = []func() *cobra.Command{newGomoku, newGomocup}

// gomokuAttack is the [Attacker] of gomoku.
type gomokuAttack struct {
	*threat.Prover
	root gomoku.Position
	tree *threat.Tree // of the win, once it is found
}

func newGomokuAttack(g *gomoku.Game, root gomoku.Position, memory, nodes uint64) (app.Attacker, error) {
	prover, err := threat.NewProver(g, threat.ProverConfig{Memory: memory, Nodes: nodes})
	return &gomokuAttack{Prover: prover, root: root}, err
}

func (a *gomokuAttack) Search(ctx context.Context, nodes uint64) (won bool, err error) {
	a.tree, err = a.Prove(ctx, a.root, nodes)
	return a.tree != nil, err
}

func (a *gomokuAttack) Numbers() (proof, disproof uint32) { return a.Prover.Numbers(a.root) }

func (a *gomokuAttack) WriteProof(ctx context.Context, w *proof.Writer) error {
	return a.Prover.WriteProof(ctx, w, a.root, a.tree)
}

// gomokuVerification is what was verified of a proof.
type gomokuVerification struct{ gomokurules.Verification }

func (v gomokuVerification) String() string { return prooffile.Checked{Nodes: v.Nodes}.String() }

// verifyGomoku checks a proof by the plain rules, and finds out what a tree shows of the win.
func verifyGomoku(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (fmt.Stringer, error) {
	v, err := gomokurules.Verify(ctx, r, o)
	return gomokuVerification{v}, err
}

// certificateLine returns the line of a winning tree, as the checker finds it.
func certificateLine(ctx context.Context, game, position string, certificate []byte) ([]string, error) {
	header := proof.Header{Game: game, Root: position, Claims: threat.Claims()}
	done, err := prooffile.VerifyUnwritten(ctx, verifyGomoku, header, func(w *proof.Writer) error {
		root, err := w.Add(&proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte(position), Certificate: certificate})
		if err != nil {
			return err
		}
		return w.EndClaim(root)
	}, nil)
	if v, ok := done.(gomokuVerification); ok && v.Win != nil {
		return v.Win.Line, err
	}
	return nil, err
}

// findThreats looks for a forced win of the side to move, and verifies it.
func findThreats(ctx context.Context, g *gomoku.Game, p gomoku.Position, o app.SearchOptions) (found app.SearchResult[gomoku.Position, gomoku.Square], err error) {
	a := threatSearch{game: g, position: p, memory: int64(o.Memory)}
	if err := a.search(ctx, o.Nodes, o.Time); err != nil {
		return found, err
	}
	if err := a.verify(ctx); err != nil {
		return found, err
	}
	r := a.record()
	found.From, found.Result = p, r
	found.Line, err = a.squares(r.Line)
	return found, err
}

// gomokuOptions are the flags of gomoku.
type gomokuOptions struct {
	ui.Printing
	psq, board string // files
	ply        int
	nodes      uint64
	time       time.Duration
}

func (o *gomokuOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.psq, "psq", "", "PSQ file of a game, whose last position is searched")
	ui.NumberFlag(flags, &o.ply, "ply", 0, 0, math.MaxInt32, "number of moves of the game to play first (default all)")
	flags.StringVar(&o.board, "board", "", "file with lines x,y,field (field 1: side to move, 2: the other), then DONE")
	flags.Uint64Var(&o.nodes, "nodes", 1_000_000, "node limit of df-pn; a search for continuous fours may take 100 times as many; 0 for none")
	ui.TimeFlag(flags, &o.time, "time", "0", "time limit; 0 for none")
	o.JSONFlag(flags)
}

func newGomoku() *cobra.Command {
	var o gomokuOptions
	cmd := &cobra.Command{
		Use:   "gomoku POSITION [moves MOVE ...] | FILE",
		Short: "Find a forced win by fours and threes",
		Long: `Gomoku looks for a forced win of the side to move: first a victory by continuous fours
(VCF), then a victory by continuous threats (VCT), that is, fours and threes. It tries
threat-space search, which is quick but may miss a win, and then df-pn, which finds one
if it exists and --nodes and --time allow.

Before a win is printed, its proof is checked by plain rules. What is printed of the win is what the checker found in the proof:

  moves  a bound: whatever the other side does, the attacker, by the proof, makes his line
         by this move of his at the latest. The shortest win may be shorter
  line   a game by the proof, with replies that make the win last
  zone   marked with *: with one more stone of the other side on any other empty square,
         the attacker, to move, still wins by the same proof within as many moves

That a side has no such win is the search's word: it is not verified. Such a side may
still win by quiet moves.

The position is startpos, or in the game's notation (see yomikiri games); or the last
one of a game in a PSQ file, as the Piskvork manager writes it; or, with --board, in a
file of what the Gomocup protocol sends after BOARD. The file - is standard input. With
--ply N it is the position after N moves. If the game is over, gomoku says how.`,
		Example: "  yomikiri gomoku '15/15/15/15/15/6o8/5o9/6xxx6/7o7/15/15/15/15/15/15 x'\n" +
			"  yomikiri gomoku --size 9x9 --k 4 startpos moves e5 e6 d5 a1\n" +
			"  yomikiri gomoku --rule exact --ply 20 game.psq",
	}
	o.addFlags(cmd.Flags())
	ui.AddRuleFlags(cmd, &gomoku.Family.Info)
	cmd.Flags().Lookup("size").Usage += ", or that of the PSQ file"
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if o.psq != "" || o.board != "" {
			return ui.NoArgs(cmd, args)
		}
		return ui.LeastArgs(1)(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) }
	return cmd
}

func (o *gomokuOptions) run(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && ui.IsFile(args[0]) {
		o.psq, args = args[0], nil
	}
	a, played, err := o.position(cmd, args)
	if err != nil {
		return err
	}
	if a.over = newGomokuEnd(a.game, a.position); a.over != nil && played > 0 && o.ply == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "the game has %s: --ply N searches the position after N of them\n", ui.Counted(uint64(played), "move"))
	}
	if err := a.search(cmd.Context(), o.nodes, o.time); err != nil {
		return err
	}
	if err := a.verify(cmd.Context()); err != nil {
		return err
	}
	text, err := a.text(ui.PaintOf(cmd))
	if err != nil {
		return err
	}
	err = o.Result(cmd, a.record(), text)
	if err == nil && a.over == nil && a.verdict == threat.Unknown {
		err = fmt.Errorf("%w: no win by fours and threes found within --nodes and --time, but there may be one", ui.ErrLimit)
	}
	return err
}

// position returns the position to search, and how many moves the game has that leads to it.
func (o *gomokuOptions) position(cmd *cobra.Command, args []string) (*threatSearch, int, error) {
	if o.psq != "" && o.board != "" {
		return nil, 0, ui.Usage(errors.New("--psq and --board exclude each other"))
	}
	name := ui.InputName(cmp.Or(o.psq, o.board))
	named := func(err error) error {
		if err != nil && name != "" {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return err
	}
	spec, text := "gomoku", []byte(nil)
	if name != "" {
		var err error
		if text, err = ui.ReadInput(cmd, cmp.Or(o.psq, o.board)); err != nil {
			return nil, 0, err
		}
		if !ui.IsText(text) {
			return nil, 0, ui.Usage(named(ui.ErrNotText))
		}
	}
	if o.psq != "" {
		spec = ui.WithRecordRules(cmd.Flags(), spec, records.PSQ.Rules(text))
	}
	g, err := gomoku.Family.Open(ui.WithRules(cmd.Flags(), spec))
	if err != nil {
		return nil, 0, ui.Usage(err)
	}
	p, moves := g.Start(), []gomoku.Square(nil)
	switch {
	case o.psq != "":
		moves, err = records.ParsePSQ(g, text)
		var unread records.UnreadError
		if errors.As(err, &unread) {
			fmt.Fprintf(cmd.ErrOrStderr(), "%v\n", named(err))
			err = nil
		}
	case o.board != "":
		p, err = g.ParseBoard(string(text))
	default:
		p, moves, err = games.ReadGame(g, strings.Join(args, " "))
	}
	if cmd.Flags().Changed("ply") {
		switch {
		case o.ply > len(moves) && err == nil:
			err = fmt.Errorf("--ply %d: the game has only %s", o.ply, ui.Counted(uint64(len(moves)), "move"))
		case o.ply <= len(moves):
			moves, err = moves[:o.ply], nil
		}
	}
	if err != nil {
		return nil, 0, ui.Usage(named(err))
	}
	for _, m := range moves {
		p = g.Play(p, m)
	}
	return &threatSearch{game: g, position: p}, len(moves), nil
}

// threatSearch looks for a win of the side to move, and has what it found.
type threatSearch struct {
	game     *gomoku.Game
	position gomoku.Position
	over     *gomokuEnd // nil if the game goes on
	memory   int64      // for the table of the search; 0 for the default
	verdict  threat.Verdict
	tree     *threat.Tree        // of a win, as the search found it
	verified *gomokuVerification // of its proof
}

// gomokuEnd says how a game has ended.
type gomokuEnd struct {
	winner string // empty for a draw
	line   []string
}

// newGomokuEnd returns how the game has ended in a position, nil if it goes on.
func newGomokuEnd(g *gomoku.Game, p gomoku.Position) *gomokuEnd {
	v, finished := g.Outcome(p)
	if !finished {
		return nil
	}
	var e gomokuEnd
	if v.Result() == games.Lost {
		winner := p.ToMove().Opponent()
		e.winner = winner.String()
		for _, s := range g.NewBoard(p).Line(winner) {
			e.line = append(e.line, s.String())
		}
	}
	return &e
}

func (e *gomokuEnd) String() string {
	if e.winner == "" {
		return "the game is over, a draw: the board is full"
	}
	return fmt.Sprintf("the game is over: %s has won with %d in a row, %s", e.winner, len(e.line), strings.Join(e.line, " "))
}

// search looks for a win, within limits of nodes for df-pn and of time; 0 means no limit.
func (a *threatSearch) search(ctx context.Context, nodes uint64, limit time.Duration) error {
	if a.over != nil {
		return nil
	}
	const tableBits, foursPerNode = 20, 100
	s := threat.NewSearcher(a.game, tableBits)
	b := a.game.NewBoard(a.position)
	side := a.position.ToMove()
	limited, cancel := ui.WithTimeLimit(ctx, limit, nil)
	defer cancel()
	var err error
	if a.tree, a.verdict, err = s.VCFContext(limited, b, side, threat.AllMoves, nodes*foursPerNode); a.tree == nil && err == nil {
		if a.tree = s.ThreatSpace(b, side); a.tree != nil {
			a.verdict = threat.Proven
		} else {
			threats, failed := threat.NewVCT(a.game, threat.VCTConfig{Nodes: nodes, TableSize: a.memory})
			if failed != nil {
				return failed
			}
			a.tree, a.verdict, err = threats.Search(limited, a.position)
		}
	}
	if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
		return err
	}
	return nil
}

// verify verifies a win, if one was found.
func (a *threatSearch) verify(ctx context.Context) error {
	if a.tree == nil {
		return nil
	}
	header := proof.Header{Game: a.game.Name(), Root: string(a.game.AppendPosition(nil, a.position)), Claims: threat.Claims()}
	verified, err := prooffile.VerifyUnwritten(ctx, verifyGomoku, header, func(w *proof.Writer) error { return threat.WriteTree(ctx, w, a.game, a.position, a.tree) }, nil)
	if v, ok := verified.(gomokuVerification); ok {
		a.verified = &v
	}
	return err
}

// threatsFound is what was found, as JSON. Of a win it has what the checker found in its proof.
type threatsFound struct {
	Game     string   `json:"game"`
	Position string   `json:"position"`
	Attacker string   `json:"attacker"`
	Result   string   `json:"result"`           // "win", "none" (by fours and threes; not verified), "unknown" or "over"
	Winner   string   `json:"winner,omitempty"` // of a game that is over
	By       string   `json:"by,omitempty"`     // "fours" or "threats"
	Moves    int      `json:"moves,omitempty"`  // of the attacker, at most
	Line     []string `json:"line"`
	Zone     []string `json:"zone"`
	// Verified says how a win was verified before it was written.
	Verified *gomokuVerification `json:"verified,omitempty"`
}

func (a *threatSearch) record() threatsFound {
	r := threatsFound{
		Game: a.game.Name(), Position: string(a.game.AppendPosition(nil, a.position)),
		Attacker: a.position.ToMove().String(), Result: "none", Line: []string{}, Zone: []string{},
	}
	switch {
	case a.over != nil:
		r.Result, r.Winner, r.Line = "over", a.over.winner, append(r.Line, a.over.line...)
	case a.verdict == threat.Unknown:
		r.Result = "unknown"
	case a.verified != nil:
		r.Result, r.Verified = "win", a.verified
		if win := a.verified.Win; win != nil {
			r.By, r.Moves, r.Line, r.Zone = threatKind(win.Order), win.Moves, win.Line, win.Zone
		}
	}
	return r
}

// threatKind says by what a win of some order wins.
func threatKind(order int) string {
	switch order {
	case 0, 1:
		return "fours"
	case 2:
		return "threats"
	}
	return ""
}

// squares returns the squares with these names.
func (a *threatSearch) squares(names []string) (list []gomoku.Square, err error) {
	for _, name := range names {
		s, err := a.game.ParseMove(a.position, name)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// text returns the answer in human-readable form.
func (a *threatSearch) text(paint ui.Paint) (string, error) {
	r := a.record()
	zone, err := a.squares(r.Zone)
	if err != nil {
		return "", err
	}
	marks := map[gomoku.Square]byte{}
	for _, s := range zone {
		marks[s] = '*'
	}
	dst := a.game.AppendMarked(nil, a.position, marks)
	dst = fmt.Appendf(dst, "position  %s\n", r.Position)
	switch r.Result {
	case "win":
		dst = fmt.Appendf(dst, "result    %s", paint.Result(games.Won, r.Attacker+" wins"))
		switch r.By {
		case "fours":
			dst = append(dst, " by continuous fours (VCF)"...)
		case "threats":
			dst = append(dst, " by continuous threats (VCT)"...)
		}
		if r.Moves > 0 {
			dst = fmt.Appendf(dst, ", in at most %s\nline      %s\nzone      %s (*)",
				ui.Counted(uint64(r.Moves), "move"), strings.Join(r.Line, " "), ui.Counted(uint64(len(r.Zone)), "square"))
		}
		dst = fmt.Appendf(dst, "\n%s\n", ui.Wrapped(fmt.Sprintf("verified  %v", r.Verified), 10))
	case "over":
		dst = fmt.Appendf(dst, "result    %v\n", a.over)
	case "unknown":
		dst = append(dst, "result    unknown\n"...)
	default:
		dst = fmt.Appendf(dst, "result    %s has no win by fours and threes alone\nverified  no: only the search says so\n", r.Attacker)
	}
	return string(dst), nil
}
