package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/plain"
)

// checkOptions are the flags of check.
type checkOptions struct {
	dir       string
	plainly   bool
	positions uint64
	ui.Printing
}

func (o *checkOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.dir, "db", "", "directory of the database that the proof rests on, or its game")
	flags.BoolVar(&o.plainly, "plain", false, "check by the plain checker")
	flags.Uint64Var(&o.positions, "positions", proof.DefaultPositions, "most positions to search")
	o.Printing.Flags(flags)
}

func newCheck(l plugins) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a proof by the rules",
		Long: `Check reads a proof file and checks that it proves what it claims. It generates all
replies of the other side by the rules of the game. It shares no code with the search
that found the proof, and uses a second implementation of the rules if the game has one.
It prints OK and what the file proves, or the first error. It gives up on a file that
takes far more work than proofs of its size do. The file - is standard input.

A proof may rest on a database of the game, or of a part of it. Check compares the database
with its checksums, and trusts the values: the proof is right if they are. It says whether
yomikiri verify has derived the values of this very database.

A proof may leave positions to a search by the checker, and says how many positions that
may have to look at. Check does not begin if these are more than --positions.

With --plain a second checker does it, which is small enough to be read in an hour or two and
shares no code with anything else here. It is slow, and has the rules of all games that
proofs are about.`,
		Example: "  yomikiri prove gomoku --size 7x7 --k 4 --proof win.proof\n  yomikiri check win.proof\n  yomikiri check --plain win.proof",
		Args:    ui.ExactArgs(1),
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return o.run(cmd, l, args[0])
	}
	return cmd
}

func (o *checkOptions) run(cmd *cobra.Command, l plugins, file string) error {
	if o.plainly && cmd.Flags().Changed("positions") {
		return ui.Usage(errors.New("the plain checker has limits of its own: leave --plain or --positions out"))
	}
	in, err := ui.OpenInput(cmd, file)
	if err != nil {
		return err
	}
	defer in.Close()
	p := o.Progress(cmd)
	// Reading from a pipe or terminal may block.
	result, err := ui.Await(cmd.Context(), func() (*checkedProof, error) {
		if o.plainly {
			return l.checkPlainly(cmd, in, o.dir, p)
		}
		return l.checkProof(cmd, in, o.dir, o.positions, p)
	})
	p.Done()
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		return fmt.Errorf("%s: %w", ui.InputName(file), err)
	}
	return o.Result(cmd, result, result.text(cmd.Root().Name(), o.dir, ui.PaintOf(cmd)))
}

// checkedProof describes a correct proof.
type checkedProof struct {
	OK   bool   `json:"ok"`
	Game string `json:"game"`
	// RulesDigest is that of the rules that the proof carries, empty if the rules are part of the program.
	RulesDigest string   `json:"rules_digest,omitempty"`
	Position    string   `json:"position"`
	Value       string   `json:"value"` // for the side to move
	Claims      []string `json:"claims"`
	// LeftOut are rules that the value does without; see [games.Forgetful].
	LeftOut []string `json:"left_out,omitempty"`
	// Database is the checksum of the database that the proof rests on, empty if it rests
	// on none.
	Database string `json:"database,omitempty"`
	// Verification says whether that database was verified. If it was not, the result is
	// conditional: the proof is right if the database is.
	Verification *db.Verification `json:"verification,omitempty"`
	Conditional  bool             `json:"conditional,omitempty"`
	proof.Report
	Seconds float64 `json:"seconds"`
}

func (l plugins) checkProof(cmd *cobra.Command, in io.Reader, dir string, positions uint64, p *ui.Progress) (result *checkedProof, err error) {
	begin, ctx := time.Now(), cmd.Context()
	r, err := proof.NewReader(in)
	if err != nil {
		return nil, err
	}
	h := r.Header()
	if positions > 0 && h.Positions > positions {
		return nil, fmt.Errorf("%w: %d positions are to be searched: allow that with --positions %d", proof.ErrLimit, h.Positions, h.Positions)
	}
	options := proof.CheckOptions{Positions: positions, Progress: checkProgress(in, p)}
	g, done, err := l.openProven(cmd, &h, dir, func(error) {}) // the checker asks the database itself
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	r.Rename(g.Name())
	report, err := g.Check(ctx, r, options)
	if err != nil {
		return nil, err
	}
	result = &checkedProof{OK: true, Game: g.Name(), RulesDigest: games.RulesDigest(h.Rules), Position: h.Root, Database: h.Database, LeftOut: g.LeftOut(), Report: report}
	for _, c := range h.Claims {
		result.Claims = append(result.Claims, c.String())
	}
	return result, result.finish(ctx, g, h.Claims, begin)
}

// checkProgress returns a function that shows how far the check of in is.
func checkProgress(in io.Reader, p *ui.Progress) func(proof.Report) {
	begin := time.Now()
	var of int64 // bytes; 0 if it is not known
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			of = info.Size()
		}
	}
	return func(report proof.Report) {
		p.Show(func() string {
			text := fmt.Sprintf("%s  %s nodes, %s replies", ui.Seconds(time.Since(begin)), ui.Grouped(report.Nodes), ui.Grouped(report.Replies))
			if of > 0 {
				text += fmt.Sprintf(", %d %% of the file", 100*report.Bytes/uint64(of))
			}
			return text
		}, report)
	}
}

// checkPlainly has the plain checker check a proof. The record is that of the other one.
func (l plugins) checkPlainly(cmd *cobra.Command, in io.Reader, dir string, p *ui.Progress) (result *checkedProof, err error) {
	begin, show := time.Now(), checkProgress(in, p)
	var g *app.Game // over the database, nil if the proof rests on none
	done := func() error { return nil }
	defer func() { err = errors.Join(err, done()) }()
	r, err := plain.Check(cmd.Context(), in, plain.Options{
		Progress: func(r plain.Report) { show(plainReport(r)) },
		Database: func(game, rules, checksum string) (func(string) (int, bool, error), error) {
			if _, err := l.carrying(game, rules); err != nil {
				return nil, err
			}
			var err error
			if checksum == "" {
				return nil, wrongDatabase("the proof", checksum, dir, "")
			}
			if g, done, err = l.openProven(cmd, &proof.Header{Game: game, Rules: rules, Database: checksum}, dir, func(error) {}); err != nil {
				done = func() error { return nil }
				return nil, err
			}
			return func(position string) (int, bool, error) {
				v, ok, err := g.Adjudicator.Texts().Value(position)
				return int(v.Result()), ok, err
			}, nil
		},
	})
	if err != nil {
		return nil, err
	}
	claims := make([]proof.Claim, len(r.Claims))
	for i, text := range r.Claims {
		if err := claims[i].UnmarshalText([]byte(text)); err != nil {
			return nil, err
		}
	}
	rules, err := l.leftOut(r.Game, r.Rules)
	if err != nil {
		return nil, err
	}
	result = &checkedProof{OK: true, Game: r.Game, LeftOut: rules, RulesDigest: games.RulesDigest(r.Rules), Position: r.Root, Claims: r.Claims, Database: r.Database, Report: plainReport(r)}
	return result, result.finish(cmd.Context(), g, claims, begin)
}

// finish says what the claims say together, and whether the database of g was verified that the
// proof rests on.
func (r *checkedProof) finish(ctx context.Context, g *app.Game, claims []proof.Claim, begin time.Time) (err error) {
	if r.Database != "" {
		v, err := g.Adjudicator.DB().Check(ctx)
		if err != nil {
			return err
		}
		r.Verification, r.Conditional = &v, v.State != db.Verified
	}
	r.Seconds = time.Since(begin).Seconds()
	r.Value, err = proof.Value(claims)
	return err
}

func plainReport(r plain.Report) proof.Report {
	return proof.Report{
		Counts: proof.Counts(r.Counts), Replies: r.Replies, Immediate: r.Immediate, Ranks: r.Ranks, Bytes: r.Bytes, Live: r.Live,
	}
}

// openProven opens the game that a proof is about, over the database that
// the proof rests on.
func (l plugins) openProven(cmd *cobra.Command, h *proof.Header, dir string, fail func(error)) (*app.Game, func() error, error) {
	l, err := l.carrying(h.Game, h.Rules)
	if err != nil {
		return nil, nil, err
	}
	if h.Database == "" && dir == "" {
		g, err := l.open(h.Game)
		return g, func() error { return nil }, err
	}
	if err := wrongDatabase("the proof", h.Database, dir, ""); err != nil {
		return nil, nil, err
	}
	n, err := l.game(&pflag.FlagSet{}, h.Game, dir) // flags may have the rules of the game that the user named
	if err != nil {
		return nil, nil, err
	}
	g, done, err := n.openOver(cmd, fail)
	if err == nil {
		if err = wrongDatabase("the proof", h.Database, dir, g.Adjudicator.DB().Manifest().Checksum); err != nil {
			err = errors.Join(err, done())
		}
	}
	return g, done, err
}

// wrongDatabase returns an error if the user has not given the database that who rests on.
// want is its checksum, empty if who rests on no database. dir is the directory that the
// user has given, and has is the checksum of the database there.
func wrongDatabase(who, want, dir, has string) error {
	switch {
	case want == "" && dir != "":
		return ui.Usage(fmt.Errorf("%s rests on no database: leave --db out", who))
	case want != "" && dir == "":
		return ui.Usage(fmt.Errorf("%s rests on a database with the checksum %s: give its directory with --db", who, want))
	case has != "" && has != want:
		return ui.Usage(fmt.Errorf("%s rests on a database with the checksum %s, and %s has %s", who, want, dir, has))
	}
	return nil
}

// text returns the result in human-readable form. program is the name of the command, dir the directory of the
// database.
func (r *checkedProof) text(program, dir string, paint ui.Paint) string {
	var b ui.Table
	ok := paint.Good("OK")
	if r.Conditional {
		ok = paint.Doubtful("OK, if the database is right") + fmt.Sprintf(" (%s verify %s)", program, ui.ShellQuoted(dir))
	} else if r.Database != "" {
		ok += ", the database was verified"
	}
	fmt.Fprintf(&b, "%s: %s\n", ok, paint.ValueText(r.Value))
	b.Line("game", "%s", r.Game)
	if r.RulesDigest != "" {
		b.Line("rules", "%s", r.RulesDigest)
	}
	if len(r.LeftOut) > 0 {
		b.Prose("left out", "%s", strings.Join(r.LeftOut, ", "))
	}
	b.Line("position", "%s", r.Position)
	for i, claim := range r.Claims {
		b.Line("claim", "%s, rank %d", claim, r.Ranks[i])
	}
	more := ""
	if r.Ahead > 0 {
		more = fmt.Sprintf(", %s ahead", ui.Grouped(r.Ahead))
	}
	if r.Searched > 0 {
		more += fmt.Sprintf(", %s searched", ui.Grouped(r.Searched))
	}
	if r.Database != "" {
		b.Prose("database", "%s, %v", r.Database, r.Verification)
	}
	b.Line("nodes", "%s: %s with a move, %s with all replies, %s with a certificate%s", ui.Grouped(r.Nodes), ui.Grouped(r.Or), ui.Grouped(r.And), ui.Grouped(r.Certified), more)
	b.Line("replies", "%s, of which %s need no node", ui.Grouped(r.Replies), ui.Grouped(r.Immediate))
	b.Line("references", "%s; at most %s nodes kept", ui.Grouped(r.References), ui.Grouped(r.Live))
	b.Line("size", "%s, %.1f s", ui.FileSize(r.Bytes), r.Seconds)
	return b.String()
}
