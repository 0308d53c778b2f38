package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

func newQuery() *cobra.Command {
	var dir, score string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "query GAME POSITION [moves MOVE ...]",
		Short: "Look up a position: its value, all moves best first, a best line",
		Long: `Query looks up a position in the database of a game. The position is written in
the game's notation (see yomikiri games) or is startpos; moves may follow.`,
		Example: "  yomikiri query dobutsu startpos\n  yomikiri query dobutsu startpos moves b3b2\n" +
			"  yomikiri query dobutsu 'l1g/E1c/1Ce/G1L b -'\n" +
			"  yomikiri query awari 1,1,1,1,1,2,4,2,3,0,0,0 --score 17,15",
		Args:              arguments(cobra.MinimumNArgs(2)),
		ValidArgsFunction: completeGames,
	}
	cmd.Flags().StringVar(&dir, "db", "", "directory of the database (default ./GAME.db)")
	cmd.Flags().StringVar(&score, "score", "", "`S,N`: what the side to move and the opponent have won before, where values are scores")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON record")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, dir, err := openSolved(args[0], dir)
		if err != nil {
			return err
		}
		position, err := parsePosition(g, args[1:])
		if err != nil {
			return usageError{err}
		}
		won, err := parseScore(g, position, score)
		if err != nil {
			return usageError{err}
		}
		a, err := answerFor(g, dir, position, won)
		if err != nil {
			return err
		}
		if asJSON {
			return record(cmd.OutOrStdout(), a)
		}
		_, err = cmd.OutOrStdout().Write(answerText(a, g, position))
		return err
	}
	return cmd
}

// openSolved opens the game that the user named as the database in dir, or in its
// usual place, has it: a part of the game may be all that was solved. It returns
// where the database is.
func openSolved(spec, dir string) (games.Any, string, error) {
	g, err := openGame(spec)
	if err != nil {
		return nil, "", err
	}
	if dir == "" {
		dir = defaultDB(g)
	}
	m, err := db.ReadManifest(nil, dir)
	if err != nil {
		return g, dir, nil // whoever opens the database says so
	}
	if same, err := games.Matches(m.Content.Game, spec); err == nil && same {
		g, err = openGame(m.Content.Game)
		return g, dir, err
	}
	return g, dir, nil
}

// parseScore reads what the side to move and the opponent have won before a
// position.
func parseScore(g games.Any, position any, text string) (won [2]int, err error) {
	if text == "" {
		return won, nil
	}
	scorer, ok := games.ScorerOf(g)
	if !ok {
		return won, fmt.Errorf("--score %q: values of %s are no scores", text, g.Name())
	}
	fields := strings.Split(text, ",")
	if len(fields) != 2 {
		return won, fmt.Errorf("--score %q: want S,N: what the side to move and the opponent have won before", text)
	}
	for i, field := range fields {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 0 {
			return won, fmt.Errorf("--score %q: %q is not a number of points, 0 or more", text, field)
		}
		won[i] = n
	}
	remaining, most := scorer.Remaining(position), scorer.Remaining(mostRemaining(g).Start())
	if sum := won[0] + won[1] + remaining; won[0] > most || won[1] > most || sum > most {
		return won, fmt.Errorf("--score %q: with %d on the board that makes more than the %d of the game", text, remaining, most)
	}
	return won, nil
}

// mostRemaining returns the whole game that g may be a part of.
func mostRemaining(g games.Any) games.Any {
	if name, err := games.WithoutExtent(g.Name()); err == nil {
		if whole, err := games.Open(name); err == nil {
			return whole
		}
	}
	return g
}

// parsePosition reads a position, and moves behind it.
func parsePosition(g games.Any, args []string) (any, error) {
	text, moves, _ := strings.Cut(strings.Join(args, " ")+" ", " moves ")
	p := g.Start()
	if text = strings.TrimSpace(text); text != "startpos" {
		var err error
		if p, err = g.ParsePosition(text); err != nil {
			return nil, err
		}
	}
	for i, text := range strings.Fields(moves) {
		m, err := g.ParseMove(p, text)
		if err != nil {
			return nil, fmt.Errorf("move %d: %w in position %q", i+1, err, g.AppendPosition(nil, p))
		}
		p = g.Play(p, m)
	}
	return p, nil
}

// extentFlags returns the flags of solve that say how much of a game to solve, if
// its name leaves that open.
func extentFlags(g games.Any) (flags string) {
	for _, info := range games.List() {
		for _, o := range info.Options {
			if o.Extent && info.Name == g.Name() {
				flags += " --" + o.Name + " " + o.Form
			}
		}
	}
	return flags
}

// openProber opens the database of a game.
func openProber(g games.Any, dir string) (*db.DB, *db.Prober[any, any], error) {
	d, err := db.Open(dir, nil)
	if errors.Is(err, db.ErrNoDatabase) {
		return nil, nil, fmt.Errorf("%w; make one with: yomikiri solve %s%s", err, g.Name(), extentFlags(g))
	}
	if err != nil {
		return nil, nil, err
	}
	prober, err := db.NewProber(d, g)
	if err != nil {
		return nil, nil, errors.Join(usageError{err}, d.Close())
	}
	return d, prober, nil
}

func answerFor(g games.Any, dir string, position any, won [2]int) (a *db.Answer, err error) {
	d, prober, err := openProber(g, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if a, err = prober.Answer(position, won); errors.Is(err, db.ErrNotHeld) && d.Manifest().Content.Positions != "all" {
		err = fmt.Errorf("%w: it has those reachable from the start position; solve with --positions all to have every one", err)
	}
	return a, err
}

// answerText returns an answer for people.
func answerText(a *db.Answer, g games.Any, position any) []byte {
	var dst []byte
	if drawer, ok := games.DrawerOf(g); ok {
		dst = drawer.AppendBoard(dst, position)
	}
	dst = fmt.Appendf(dst, "position  %s\nvalue     %v", a.Position, a.Value)
	if a.Finished {
		dst = append(dst, " (finished by the rules)"...)
	}
	dst = append(dst, '\n')
	if a.FinalScore != nil {
		dst = fmt.Appendf(dst, "score     %v - %v in the end\n", a.FinalScore[0], a.FinalScore[1])
	}
	if len(a.Moves) > 0 {
		dst = append(dst, "moves\n"...)
	}
	for _, m := range a.Moves {
		dst = fmt.Appendf(dst, "  %-6s  %v", m.Move, m.Value)
		if m.FinalScore != nil {
			dst = fmt.Appendf(dst, "\t%v - %v", m.FinalScore[0], m.FinalScore[1])
		}
		dst = append(dst, '\n')
	}
	if len(a.Line) > 0 {
		dst = append(dst, "line      "...)
		column := 10
		for i, m := range a.Line {
			if i > 0 && column+1+len(m) > 78 {
				dst = append(dst, "\n         "...)
				column = 9
			}
			if i > 0 {
				dst = append(dst, ' ')
				column++
			}
			dst = append(dst, m...)
			column += len(m)
		}
		dst = append(dst, '\n')
	}
	return dst
}
