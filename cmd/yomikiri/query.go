package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

func newQuery() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "query GAME POSITION [moves MOVE ...]",
		Short: "Look up a position: its value, all moves best first, a best line",
		Long: `Query looks up a position in the database of a game. The position is written in
the game's notation (see yomikiri games) or is startpos; moves may follow.`,
		Example: "  yomikiri query dobutsu startpos\n  yomikiri query dobutsu startpos moves b3b2\n" +
			"  yomikiri query dobutsu 'l1g/E1c/1Ce/G1L b -'",
		Args:              arguments(cobra.MinimumNArgs(2)),
		ValidArgsFunction: completeGames,
	}
	cmd.Flags().StringVar(&dir, "db", "", "directory of the database (default ./GAME.db)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON record")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		g, err := openGame(args[0])
		if err != nil {
			return err
		}
		position, err := parsePosition(g, args[1:])
		if err != nil {
			return usageError{err}
		}
		if dir == "" {
			dir = defaultDB(g)
		}
		a, err := answerFor(g, dir, position)
		if err != nil {
			return err
		}
		if asJSON {
			return record(cmd.OutOrStdout(), a)
		}
		_, err = cmd.OutOrStdout().Write(a.text(g, position))
		return err
	}
	return cmd
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

// answer is what a query finds.
type answer struct {
	Game     string       `json:"game"`
	Position string       `json:"position"`
	Value    games.Value  `json:"value"`
	Finished bool         `json:"finished"`
	Moves    []answerMove `json:"moves"`
	Line     []string     `json:"line"`
}

type answerMove struct {
	Move  string      `json:"move"`
	Value games.Value `json:"value"`
}

func answerFor(g games.Any, dir string, position any) (a *answer, err error) {
	d, err := db.Open(dir, nil)
	if errors.Is(err, db.ErrNoDatabase) {
		return nil, fmt.Errorf("%w; make one with: yomikiri solve %s", err, g.Name())
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	prober, err := db.NewProber(d, g)
	if err != nil {
		return nil, usageError{err}
	}
	a = &answer{Game: g.Name(), Position: string(g.AppendPosition(nil, position)), Moves: []answerMove{}, Line: []string{}}
	if a.Value, err = prober.Probe(position); err != nil {
		if errors.Is(err, db.ErrNotHeld) && d.Manifest().Content.Positions != "all" {
			err = fmt.Errorf("%w: it has those reachable from the start position; solve with --positions all to have every one", err)
		}
		return nil, err
	}
	_, a.Finished = g.Outcome(position)
	moves, err := prober.ProbeMoves(position)
	if err != nil {
		return nil, err
	}
	for _, m := range moves {
		a.Moves = append(a.Moves, answerMove{string(g.AppendMove(nil, position, m.Move)), m.Value})
	}
	line, err := prober.Line(position)
	if err != nil {
		return nil, err
	}
	for _, m := range line {
		a.Line = append(a.Line, string(g.AppendMove(nil, position, m.Move)))
		if _, finished := g.Outcome(position); !finished {
			position = g.Play(position, m.Move)
		}
	}
	return a, nil
}

// text returns the answer for people.
func (a *answer) text(g games.Any, position any) []byte {
	var dst []byte
	if drawer, ok := games.DrawerOf(g); ok {
		dst = drawer.AppendBoard(dst, position)
	}
	dst = fmt.Appendf(dst, "position  %s\nvalue     %v", a.Position, a.Value)
	if a.Finished {
		dst = append(dst, " (finished by the rules)"...)
	}
	dst = append(dst, '\n')
	if len(a.Moves) > 0 {
		dst = append(dst, "moves\n"...)
	}
	for _, m := range a.Moves {
		dst = fmt.Appendf(dst, "  %-6s  %v\n", m.Move, m.Value)
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
