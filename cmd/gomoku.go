package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/server"
	"github.com/yomikiri/yomikiri/solver/threat"
)

// Gomoku is what gomoku has beyond other games: searches for threats, the Gomocup
// protocol, and second rules to check proofs by.
var Gomoku = Extra[*gomoku.Game, gomoku.Position, gomoku.Square]{
	Commands: []func() *cobra.Command{newGomoku, newGomocup},
	Benches:  []func() *cobra.Command{newBenchGomoku, newBenchSecondMoves},
	Brancher: threat.NewBrancher,
	Check:    checkBy(gomokurules.Open),
	player:   playerBy(gomokurules.Open),
	attack:   proveAttack,
	// On such boards a full search from the start does not end.
	attacksStart: func(g *gomoku.Game) bool { return g.Rules().Rows*g.Rules().Columns >= 15*15 },

	attackBackends: threat.NewBackends,
	adapt:          threat.AdaptProof,
	search:         &searcher[*gomoku.Game, gomoku.Position, gomoku.Square]{"gomoku", "Gomoku: wins by fours and threes", findThreats},
	verify:         verifyGomoku,
}

// findThreats looks for a forced win of the side to move, and verifies it.
func findThreats(ctx context.Context, g *gomoku.Game, p gomoku.Position, l server.SearchLimits) (gomoku.Position, []gomoku.Square, any, error) {
	a := threatAnswer{game: g, position: p}
	if err := a.search(ctx, l.Nodes, l.Time); err != nil {
		return p, nil, nil, err
	}
	if err := a.verify(ctx); err != nil {
		return p, nil, nil, err
	}
	r := a.record()
	return p, r.Line, r, nil
}

// gomokuOptions are the flags of gomoku.
type gomokuOptions struct {
	printing
	psq, board string // files
	nodes      uint64
	time       time.Duration
}

func newGomoku() *cobra.Command {
	var o gomokuOptions
	cmd := &cobra.Command{
		Use:   "gomoku POSITION [moves MOVE ...]",
		Short: "Find a forced win by fours and threes",
		Long: `Gomoku looks for a forced win of the side to move: first a victory by continuous fours
(VCF), then a victory by continuous threats (VCT), that is, fours and threes. It tries
threat-space search, which is quick but may miss a win, and then df-pn, which finds one
if it exists and --nodes and --time allow. It prints the longest line of defence and
marks the relevance zone of the win with *: a stone of the other side on any other square
changes nothing. Before a win is printed, its proof is checked by plain rules and followed
against all replies. A side without such a win may still win by quiet moves.

The position is startpos, or in the game's notation (see yomikiri games), or in a PSQ
file, or in a file of what the Gomocup protocol sends after BOARD. The file - is
standard input.`,
		Example: "  yomikiri gomoku '15/15/15/15/15/6o8/5o9/6xxx6/7o7/15/15/15/15/15/15 x'\n" +
			"  yomikiri gomoku --size 9x9 --k 4 startpos moves e5 e6 d5\n" +
			"  yomikiri gomoku --rule exact --psq game.psq",
	}
	flags := cmd.Flags()
	flags.StringVar(&o.psq, "psq", "", "PSQ file of a game, whose last position is searched")
	flags.StringVar(&o.board, "board", "", "file with lines x,y,field (field 1: side to move, 2: the other), then DONE")
	flags.Uint64Var(&o.nodes, "nodes", 1_000_000, "node limit of df-pn; a search for continuous fours may take 100 times as many; 0 for none")
	timeFlag(flags, &o.time, "time", "0", "time limit; 0 for none")
	o.jsonFlag(flags)
	addRuleFlags(cmd, &gomoku.Family.Info)
	flags.Lookup("size").Usage += ", or that of the PSQ file"
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if o.psq != "" || o.board != "" {
			return arguments(cobra.NoArgs)(cmd, args)
		}
		return arguments(cobra.MinimumNArgs(1))(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, position, err := o.position(cmd, args)
		if err != nil {
			return err
		}
		a := threatAnswer{game: g, position: position}
		if err := a.search(cmd.Context(), o.nodes, o.time); err != nil {
			return err
		}
		if err := a.verify(cmd.Context()); err != nil {
			return err
		}
		err = o.result(cmd, a.record(), string(a.text()))
		if err == nil && a.verdict == threat.Unknown {
			err = fmt.Errorf("%w: no win by fours and threes found within --nodes and --time, but there may be one", errLimit)
		}
		return err
	}
	return cmd
}

// position returns the game and the position to search.
func (o *gomokuOptions) position(cmd *cobra.Command, args []string) (*gomoku.Game, gomoku.Position, error) {
	var none gomoku.Position
	if o.psq != "" && o.board != "" {
		return nil, none, usageError{errors.New("--psq and --board exclude each other")}
	}
	var psq *gomoku.Record
	spec := "gomoku"
	if o.psq != "" {
		text, err := readInput(cmd, o.psq)
		if err != nil {
			return nil, none, err
		}
		if psq, err = gomoku.ParsePSQ(string(text)); err != nil {
			return nil, none, usageError{fmt.Errorf("%s: %w", o.psq, err)}
		}
		if !cmd.Flags().Changed("size") {
			spec = fmt.Sprintf("gomoku:size=%dx%d", psq.Rows, psq.Columns)
		}
	}
	g, err := gomoku.Family.Open(withRules(cmd.Flags(), spec))
	if err != nil {
		return nil, none, usageError{err}
	}
	var p gomoku.Position
	switch {
	case psq != nil:
		p, err = g.Replay(psq)
		if err != nil {
			err = fmt.Errorf("%s: %w", o.psq, err)
		}
	case o.board != "":
		text, readErr := readInput(cmd, o.board)
		if readErr != nil {
			return nil, none, readErr
		}
		if p, err = g.ParseBoard(string(text)); err != nil {
			err = fmt.Errorf("%s: %w", o.board, err)
		}
	default:
		p, err = parsePosition(g, args)
	}
	if err != nil {
		return nil, none, usageError{err}
	}
	if v, finished := g.Outcome(p); finished {
		return nil, none, usageError{fmt.Errorf("position %q: the game is over (%v)", g.AppendPosition(nil, p), v)}
	}
	return g, p, nil
}

// threatAnswer is what a threat search found.
type threatAnswer struct {
	game     *gomoku.Game
	position gomoku.Position
	verdict  threat.Verdict
	by       string // "fours" or "threats"
	tree     *threat.Tree
	zone     gomoku.Set
	verified *gomokurules.Verification // of a win
}

// search looks for a win, within limits of nodes for df-pn and of time; 0 means no limit.
func (a *threatAnswer) search(ctx context.Context, nodes uint64, limit time.Duration) error {
	const tableBits, foursPerNode = 20, 100
	s := threat.NewSearcher(a.game, tableBits)
	b := a.game.NewBoard(a.position)
	side := a.position.ToMove()
	limited := ctx
	if limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	a.by = "fours"
	var err error
	if a.tree, a.verdict, err = s.VCFContext(limited, b, side, threat.AllMoves, nodes*foursPerNode); a.tree == nil && err == nil {
		a.by = "threats"
		if a.tree = s.ThreatSpace(b, side); a.tree != nil {
			a.verdict = threat.Proven
		} else {
			threats, failed := threat.NewVCT(a.game, threat.VCTConfig{Nodes: nodes})
			if failed != nil {
				return failed
			}
			a.tree, a.verdict, err = threats.Search(limited, a.position)
		}
	}
	if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
		return err
	}
	if a.tree != nil {
		a.zone = a.tree.Zone(b, side)
		empty := a.game.EmptySquares(a.position)
		a.zone.Intersect(&empty)
	}
	return nil
}

// verify verifies a win, if one was found.
func (a *threatAnswer) verify(ctx context.Context) (err error) {
	if a.tree == nil {
		return nil
	}
	header := proof.Header{Game: a.game.Name(), Root: string(a.game.AppendPosition(nil, a.position)), Claims: threat.Claims()}
	a.verified, err = verifyUnwritten(ctx, verifyGomoku, header, func(w *proof.Writer) error { return threat.WriteTree(w, a.game, a.position, a.tree) }, nil)
	return err
}

// threatRecord is the answer as JSON.
type threatRecord struct {
	Game     string          `json:"game"`
	Position string          `json:"position"`
	Attacker string          `json:"attacker"`
	Result   string          `json:"result"`          // "win", "none" (by fours and threes) or "unknown"
	By       string          `json:"by,omitempty"`    // "fours" or "threats"
	Moves    int             `json:"moves,omitempty"` // of the attacker
	Line     []gomoku.Square `json:"line"`
	Zone     []gomoku.Square `json:"zone"`
	// Verified says how a win was verified before it was written.
	Verified *gomokurules.Verification `json:"verified,omitempty"`
}

func (a *threatAnswer) record() threatRecord {
	r := threatRecord{
		Game: a.game.Name(), Position: string(a.game.AppendPosition(nil, a.position)),
		Attacker: a.position.ToMove().String(), Result: "none",
		Line: []gomoku.Square{}, Zone: []gomoku.Square{},
	}
	switch {
	case a.verdict == threat.Unknown:
		r.Result = "unknown"
	case a.tree != nil:
		r.Result, r.By, r.Moves, r.Line = "win", a.by, a.tree.Moves(), a.tree.Line()
		r.Verified = a.verified
		for s := range a.zone.All() {
			r.Zone = append(r.Zone, s)
		}
	}
	return r
}

// text returns the answer in human-readable form.
func (a *threatAnswer) text() []byte {
	marks := map[gomoku.Square]byte{}
	for s := range a.zone.All() {
		marks[s] = '*'
	}
	r := a.record()
	dst := a.game.AppendMarked(nil, a.position, marks)
	dst = fmt.Appendf(dst, "position  %s\n", r.Position)
	switch r.Result {
	case "win":
		kind := "continuous fours (VCF)"
		if r.By == "threats" {
			kind = "continuous threats (VCT)"
		}
		dst = fmt.Appendf(dst, "result    %s wins by %s, in at most %s\n", r.Attacker, kind, counted(uint64(r.Moves), "move"))
		dst = append(dst, "line     "...)
		for _, s := range r.Line {
			dst = fmt.Appendf(dst, " %v", s)
		}
		dst = fmt.Appendf(dst, "\nzone      %s (*)\n", counted(uint64(len(r.Zone)), "square"))
		dst = fmt.Appendf(dst, "verified  %s\n", verificationText(r.Verified))
	case "unknown":
		dst = append(dst, "result    unknown\n"...)
	default:
		dst = fmt.Appendf(dst, "result    %s has no win by fours and threes alone\n", r.Attacker)
	}
	return dst
}
