package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	ucicmd "github.com/yomikiri/yomikiri/cmd/uci"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
)

func newUCI(l plugins) *cobra.Command {
	var file, openings string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "uci",
		Short: "Play chess and its variants for a GUI over UCI",
		Long: `Uci speaks the Universal Chess Interface on standard input and output. It plays chess, all
variants that "yomikiri games" lists, and those of files of variants. Scores are estimates,
unless a line of info string says what is proven.

Options: UCI_Variant, the game; VariantPath, a file in the form of variants.ini with more
games; UCI_Chess960, for chess with shuffled pieces, whose castlings are moves of the king to
the rook; DatabasePath, directories of databases, which are asked first; Hash and Threads;
MultiPV, the number of lines that are shown; SkillLevel, 1 to 10; BookFile, an opening book, as
train writes it, and OwnBook, whether to play by it; Move Overhead, the milliseconds that are kept
for the way to the GUI.

Beside the commands of the protocol it knows d, which draws the board, and go perft N, which
counts the sequences of N moves.

In a GUI, add an engine with the command "yomikiri uci". Where a GUI takes only the name of a
program, copy or link this one to a name with -uci, such as yomikiri-uci: called so without
arguments, it runs this command.`,
		Example: "  printf 'uci\\nisready\\nquit\\n' | yomikiri uci",
		Args:    ui.NoArgs,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		weights, err := app.ReadWeights(file)
		if err != nil {
			return err
		}
		opening, err := app.ReadBook(openings)
		if err != nil {
			return err
		}
		c := &uciGames{cmd: cmd, list: l}
		e, err := ucicmd.NewEngine(cmd.OutOrStdout(), ucicmd.Config{
			Names: c.names(), Open: c.open, Read: c.read, Database: c.database, Weights: weights, Book: opening, Seed: seed,
		})
		if err != nil {
			return err
		}
		return e.Run(cmd.Context(), cmd.InOrStdin())
	}
	ui.WeightsFlag(cmd.Flags(), &file)
	ui.BookFlag(cmd.Flags(), &openings)
	ui.SeedFlag(cmd.Flags(), &seed)
	return cmd
}

// uciGames are the games that an engine of UCI can play, by the names that GUIs have for them: a variant has its own name,
// also where another game has that.
type uciGames struct {
	cmd  *cobra.Command
	list plugins
}

func uciName(p *Plugin) string { return strings.TrimPrefix(p.Name, games.VariantPrefix) }

// find returns the game with a name, nil if there is none.
func (u *uciGames) find(name string) (found *Plugin) {
	for i := range u.list {
		if p := &u.list[i]; uciName(p) == name && (found == nil || p.Variant) {
			found = p
		}
	}
	return found
}

// names returns the names of the variants, then those of other games.
func (u *uciGames) names() (list []string) {
	for _, variants := range []bool{true, false} {
		for i := range u.list {
			p := &u.list[i]
			if name := uciName(p); p.Variant == variants && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

func (u *uciGames) open(name string) (*app.Game, error) {
	p := u.find(name)
	if p == nil {
		return nil, fmt.Errorf("no game %q", name)
	}
	return p.Open(p.Name)
}

// read adds the variants of a file.
func (u *uciGames) read(file string) (names []string, refused []error, err error) {
	i := slices.IndexFunc(u.list, func(p Plugin) bool { return p.Variants != nil })
	if i < 0 {
		return nil, nil, fmt.Errorf("this program reads no files of variants")
	}
	more, sections, err := u.list[i].Variants([]string{file})
	if err != nil {
		return nil, nil, err
	}
	for _, r := range sections {
		refused = append(refused, r.Err)
	}
	list := slices.Clone(u.list)
	for _, p := range more {
		if !slices.ContainsFunc(list, func(there Plugin) bool { return there.Name == p.Name }) {
			list = append(list, p)
		}
	}
	u.list = list
	return u.names(), refused, nil
}

// database opens a database.
func (u *uciGames) database(dir string) (*app.Game, app.Database, error) {
	g, _, err := u.list.openDirectory(u.cmd, dir)
	if err != nil {
		return nil, nil, err
	}
	d, err := openDatabase(u.cmd, g, dir)
	return g, d, err
}
