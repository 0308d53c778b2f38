package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/server"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// Plugin is a game as the command offers it. [Game] makes one.
type Plugin struct {
	info     *games.Info
	build    func(rules, asked games.Rules) instance
	commands []func() *cobra.Command // of this game alone
	benches  []func() *cobra.Command // the same, under bench
	attacks  bool                    // prove has --attack for it
	large    bool                    // too large to solve, whatever the rules
}

// Extra is what one game has beyond the others; see [Gomoku], [Tsume] and [Checkers]. All fields
// are optional.
type Extra[G games.Game[P, M], P, M comparable] struct {
	// Commands make commands for this game alone, and Benches the same under bench.
	Commands, Benches []func() *cobra.Command
	// Brancher returns a brancher that sees more in positions than the rules do, such as
	// threats. prove searches with it, and checks the proof of a value before it prints the
	// value.
	Brancher func(g G) solver.Brancher[P, M]
	// Check checks a proof by a second, independent set of rules. It must be able to check
	// the certificates of Brancher.
	Check func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error)

	// player plays by proofs, with the rules of Check.
	player func(name string) (proofPlayer, error)
	// attack looks for a win of the side to move by other means than the general
	// search: prove --attack.
	attack func(c *cobra.Command, g G, position []string, o *proveOptions) error
	// attacksStart reports whether prove does so for the start position by default.
	attacksStart func(g G) bool
	// attackBackends does the same for a proof tree: prove --attack --tree.
	attackBackends func(g G, memory uint64, number int) ([]manager.Backend, error)
	// adapt is the [manager.Adapter] for their proofs.
	adapt func(g G, proof []byte, position string) ([]byte, bool)
	// search looks for something in a position by itself, for serve.
	search *searcher[G, P, M]
	// verify does more than Check before a value is printed.
	verify verifier
	// large says that the game is too large to solve, whatever the rules.
	large bool
}

// searcher is a search that serve offers under a name and a title of its own.
type searcher[G games.Game[P, M], P, M comparable] struct {
	name, title string
	// run returns the position that was searched, a line of play from there, and what was
	// found, as JSON.
	run func(ctx context.Context, g G, p P, l server.SearchLimits) (from P, line []M, found any, err error)
}

// Game returns the plugin of a game. Every command is compiled for the game's own
// types of position and move.
func Game[G games.Game[P, M], P, M comparable](f *games.Family[G], extras ...Extra[G, P, M]) Plugin {
	p := Plugin{info: &f.Info}
	all := Extra[G, P, M]{}
	for _, x := range extras {
		p.commands = append(p.commands, x.Commands...)
		p.benches = append(p.benches, x.Benches...)
		if x.Brancher != nil {
			all.Brancher = x.Brancher
		}
		if x.attack != nil {
			all.attack, all.attacksStart, all.attackBackends, all.adapt, p.attacks = x.attack, x.attacksStart, x.attackBackends, x.adapt, true
		}
		if x.Check != nil {
			all.Check = x.Check
		}
		if x.player != nil {
			all.player = x.player
		}
		if x.verify != nil {
			all.verify = x.verify
		}
		if x.search != nil {
			all.search = x.search
		}
		p.large = p.large || x.large
	}
	p.build = func(r, asked games.Rules) instance {
		g := f.New(r)
		t := &typed[G, P, M]{Game: g, own: g, family: f, chosen: r, asked: asked, extra: all}
		t.indexer, _ = t.Game.(games.Indexer[P])
		return t
	}
	return p
}

// instance is a game under chosen rules. Its methods are the parts of commands that
// handle positions and moves.
type instance interface {
	Name() string
	rules() games.Rules
	byScore() bool   // values are scores
	evaluates() bool // it has an evaluation
	// number numbers the positions if the game does not, using at most half of the memory,
	// and returns how many bytes that takes. The methods after it need the numbering.
	number(c *cobra.Command, memory uint64, p *progress) (uint64, error)
	universe() (*games.Universe, error)
	// positionText returns the position with an index as text, or nothing if there
	// is none.
	positionText(index uint64) string

	database(c *cobra.Command, dir string) (server.Database, error)
	// search returns what serve offers without a database; nil if there is nothing.
	search(l plugins) server.Search
	proof(ctx context.Context, f *os.File, g *proof.Graph, done func() error) (server.Proof, error)
	query(c *cobra.Command, dir string, position []string, q server.Query) (*db.Answer, []byte, error)
	queryBatch(c *cobra.Command, dir, file string) error
	queryValue(c *cobra.Command, dir, value string, limit int, asJSON bool) error
	// over returns the game under the rules asked for, adjudicated by the database in dir,
	// and a function that closes the database. Errors of the database are passed to fail; see
	// [db.Adjudicate].
	over(c *cobra.Command, asked games.Rules, dir string, fail func(error)) (instance, func() error, error)
	play(c *cobra.Command, dir string, position []string, second bool) error
	playProofs(c *cobra.Command, files, position []string, second bool) error
	prove(c *cobra.Command, args []string, o *proveOptions) error
	// textRules returns the rules for a proof tree.
	textRules() manager.Rules
	backends(o *proveOptions) ([]manager.Backend, error)
	check(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error)
	benchRetro(c *cobra.Command, o retroOptions) error
	benchAlphaBeta(c *cobra.Command, o alphaBetaOptions) error
}

// typed is an instance of a game with positions P and moves M.
type typed[G games.Game[P, M], P, M comparable] struct {
	games.Game[P, M]
	own     G // the same game
	family  *games.Family[G]
	chosen  games.Rules
	asked   games.Rules // by the user, perhaps for a game that is only solved in part
	extra   Extra[G, P, M]
	indexer games.Indexer[P] // nil until number if the game has none

	// For a game adjudicated by a database; see over.
	endgame *db.Endgame[P]
	trusted proof.Database
}

func (t *typed[G, P, M]) rules() games.Rules { return t.chosen }

func (t *typed[G, P, M]) byScore() bool { return games.OrderOf(t.Game) == games.ByScore }

func (t *typed[G, P, M]) evaluates() bool {
	_, ok := any(t.own).(games.Evaluator[P])
	return ok
}

func (t *typed[G, P, M]) over(c *cobra.Command, asked games.Rules, dir string, fail func(error)) (instance, func() error, error) {
	d, prober, err := t.openProber(c, dir)
	if err != nil {
		return nil, nil, err
	}
	whole := t.family.New(asked)
	x := &typed[G, P, M]{own: whole, family: t.family, chosen: asked, asked: asked, extra: t.extra, endgame: db.NewEndgame(prober)}
	adjudicated, err := db.Adjudicate(games.Game[P, M](whole), x.endgame, fail)
	if err != nil {
		return nil, nil, errors.Join(usageError{err}, d.Close())
	}
	x.Game, x.trusted = adjudicated, db.NewTextEndgame(x.endgame, whole.ParsePosition)
	return x, d.Close, nil
}

// failed returns the error of a database that has ended a context.
func failed(ctx context.Context) error {
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// newBrancher returns a function that makes branchers for the game, nil if there are none.
func (t *typed[G, P, M]) newBrancher() func() solver.Brancher[P, M] {
	if t.extra.Brancher == nil {
		return nil
	}
	return func() solver.Brancher[P, M] { return t.extra.Brancher(t.own) }
}

// verifier returns the check for the proof of a value before the value is printed; nil if
// values rest on the rules alone.
func (t *typed[G, P, M]) verifier() verifier {
	if t.extra.verify != nil || t.extra.Brancher == nil {
		return t.extra.verify
	}
	return func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (gomokurules.Verification, error) {
		report, err := t.check(ctx, r, o)
		return gomokurules.Verification{Nodes: report.Nodes}, err
	}
}

// plugins is the list of games.
type plugins []Plugin

// check refuses a list in which a name comes twice.
func (l plugins) check() error {
	for i, p := range l {
		if slices.ContainsFunc(l[:i], func(q Plugin) bool { return q.info.Name == p.info.Name }) {
			return fmt.Errorf("the game %s is listed twice", p.info.Name)
		}
	}
	return nil
}

// infos returns the descriptions of the games, sorted by name.
func (l plugins) infos() []*games.Info {
	var list []*games.Info
	for _, p := range l {
		list = append(list, p.info)
	}
	slices.SortFunc(list, func(a, b *games.Info) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// rules returns the plugin and the rules that spec names.
func (l plugins) rules(spec string) (*Plugin, games.Rules, error) {
	name, _, _ := strings.Cut(spec, ":")
	for i := range l {
		if l[i].info.Name == name {
			r, err := l[i].info.Rules(spec)
			if err != nil {
				err = usageError{err}
			}
			return &l[i], r, err
		}
	}
	var names []string
	for _, info := range l.infos() {
		names = append(names, info.Name)
	}
	there := "this program has none"
	if len(names) > 0 {
		there = "there are: " + strings.Join(names, ", ")
	}
	return nil, games.Rules{}, usageError{fmt.Errorf("no game %q; %s", name, there)}
}

// open opens the game that spec names.
func (l plugins) open(spec string) (instance, error) {
	p, r, err := l.rules(spec)
	if err != nil {
		return nil, err
	}
	return p.open(r, r)
}

// open returns the game under some rules. It fails if the game's name differs from that of
// the rules, since databases of different rules could then not be told apart.
func (p *Plugin) open(r, asked games.Rules) (instance, error) {
	g := p.build(r, asked)
	if g.Name() != r.String() {
		return nil, fmt.Errorf("the game %s calls itself %q: its Name must return Rules.String()", r, g.Name())
	}
	return g, nil
}

// openArgument opens the game that the user named: an argument, with rule options as
// flags.
func (l plugins) openArgument(flags *pflag.FlagSet, spec string) (instance, error) {
	return l.open(withRules(flags, spec))
}

// openSolved opens the game that the user named, under the rules of the database in dir or
// in the default place: perhaps only part of the game is solved. It returns the directory
// of the database.
func (l plugins) openSolved(flags *pflag.FlagSet, spec, dir string) (instance, string, error) {
	p, asked, err := l.rules(withRules(flags, spec))
	if err != nil {
		return nil, "", err
	}
	return p.openSolved(asked, dir)
}

// openSolved opens the game under the rules of the database in dir or in the default place.
func (p *Plugin) openSolved(asked games.Rules, dir string) (instance, string, error) {
	if dir == "" {
		dir = defaultDB(asked)
	}
	if m, err := db.ReadManifest(nil, dir); err == nil {
		if held, err := p.info.Rules(m.Content.Game); err == nil && held.Match(asked) {
			g, err := p.open(held, asked)
			return g, dir, err
		}
	}
	g, err := p.open(asked, asked) // whoever opens the database reports what is wrong with it
	return g, dir, err
}

// databaseOf returns the directory of the database that the user named: either the
// directory itself, or a game whose database is in the default place.
func (l plugins) databaseOf(flags *pflag.FlagSet, name string) (string, error) {
	spec := withRules(flags, name)
	if _, err := os.Stat(name); err == nil && spec == name {
		return name, nil
	}
	_, asked, err := l.rules(spec)
	if err != nil {
		return "", fmt.Errorf("there is no directory %s: %w", name, err)
	}
	return defaultDB(asked), nil
}

// ownExamples removes examples of games that are not in the list. A command left without
// examples gets one for the first game.
func (l plugins) ownExamples(root *cobra.Command) {
	for _, c := range root.Commands() {
		lines := strings.Split(c.Example, "\n")
		lines = slices.DeleteFunc(lines, func(line string) bool {
			words := append(strings.Fields(line), "", "", "")
			used, _, err := root.Find(words[1:2])
			if err != nil || !takesGame.MatchString(used.Use) {
				return false
			}
			name, _, _ := strings.Cut(words[2], ":")
			name = strings.TrimSuffix(name, ".db")
			return !slices.ContainsFunc(l, func(p Plugin) bool { return p.info.Name == name })
		})
		if len(lines) == 0 && len(l) > 0 {
			use, _, _ := strings.Cut(c.Use, " [")
			name := l[0].info.Name
			lines = []string{"  yomikiri " + strings.NewReplacer("GAME", name, "DATABASE", name+".db", "POSITION", "startpos").Replace(use)}
		}
		c.Example = strings.Join(lines, "\n")
	}
}

var takesGame = regexp.MustCompile(` (GAME|DATABASE)`)

// completion completes the first argument of a command.
type completion = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// completeSolvable completes the names of games that can be solved.
func (l plugins) completeSolvable() completion {
	return l.complete(func(p *Plugin) bool { return !p.large })
}

// completeProvable completes the names of games whose values can be proven.
func (l plugins) completeProvable() completion {
	return l.complete(func(p *Plugin) bool {
		g, err := l.open(p.info.Name)
		return err != nil || !g.byScore()
	})
}

// complete completes the names of the games to keep.
func (l plugins) complete(keep func(*Plugin) bool) completion {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for i := range l {
			if p := &l[i]; len(args) == 0 && keep(p) {
				names = append(names, p.info.Name+"\t"+p.info.Title)
			}
		}
		slices.Sort(names)
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// defaultDB returns the default directory for the database of a game. It does not depend on
// how much of the game is to be solved.
func defaultDB(r games.Rules) string {
	return strings.NewReplacer(":", "-", "=", "-", ",", "-").Replace(r.Whole().String()) + ".db"
}
