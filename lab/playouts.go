package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/lab/policy"
	"github.com/yomikiri/yomikiri/lab/uct"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/match"
)

// playoutsOptions are the flags of playouts.
type playoutsOptions struct {
	games, random, threads, plies int
	seed                          uint64
	ui.Printing
}

func newPlayouts() *cobra.Command {
	var o playoutsOptions
	cmd := &cobra.Command{
		Use:   "playouts GAME PLAYER PLAYER",
		Short: "Play players by playouts against each other",
		Long: `Playouts repeats a table of docs/policies.md.

It plays games between two players, in pairs with the same opening and sides swapped. A player is a
list of settings, NAME=VALUE with commas between:

  playouts     N: play the game on to its end so often for each move (UCT)
  policy       a file of policy that chooses the moves of playouts
  prior        yes: the policy also says which moves to try first
  exploration  how much moves count that were tried rarely (default 1)
  nodes        instead of all these: a search of so many positions`,
		Example: "  lab playouts connect4 playouts=1000,policy=c4.s playouts=1000 --games 400 --seed 5",
		Args:    ui.ExactArgs(3),
	}
	flags := cmd.Flags()
	ui.NumberFlag(flags, &o.games, "games", 200, 2, 10_000_000, "number of games; they come in pairs")
	ui.NumberFlag(flags, &o.random, "random-plies", 6, 0, 1000, "random moves before each pair")
	ui.ThreadsFlag(flags, &o.threads, "1", "games to play at the same time")
	ui.NumberFlag(flags, &o.plies, "plies", 512, 1, 100_000, "a game is a draw after this number of plies")
	flags.Uint64Var(&o.seed, "seed", 1, "of random numbers")
	o.QuietFlag(flags)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.games%2 != 0 {
			return usage("--games %d: want an even number, since games come in pairs", o.games)
		}
		g, err := open(args[0])
		if err != nil {
			return err
		}
		var players [2]playerMaker
		for i, text := range args[1:] {
			if players[i], err = newPlayer(g, text); err == nil {
				_, err = players[i](cmd.Context())
			}
			if err != nil {
				return usage("player %q: %w", text, err)
			}
		}
		return o.run(cmd, g, players)
	}
	return cmd
}

func (o *playoutsOptions) run(c *cobra.Command, g *app.Game, players [2]playerMaker) error {
	show, shown := status(c, o.Printing)
	defer shown()
	r, err := match.Play(c.Context(), g.Board, match.Config[app.Position, app.Move]{
		Rules: match.Rules[app.Position]{Plies: o.plies, Repetitions: 3}, Players: players,
		Pairs: o.games / 2, Threads: o.threads, RandomPlies: o.random, Seed: o.seed,
		Progress: func(r *match.Result) { show("%d of %d games", r.Games(), o.games) },
	})
	if err != nil {
		return err
	}
	score, half := r.Tally.Interval()
	_, err = fmt.Fprintf(c.OutOrStdout(), "games     %d: %d won, %d drawn, %d lost by the first\nscore     %.3f ± %.3f\nElo       %v\n",
		r.Games(), r.Won, r.Drawn, r.Lost, score, half, r.Elo())
	return err
}

// newPlayer reads the settings of a player, and returns what makes it.
func newPlayer(g *app.Game, text string) (playerMaker, error) {
	var c uct.Config
	nodes, file := 0, ""
	given := map[string]bool{}
	for setting := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(setting, "=")
		if given[name] {
			return nil, fmt.Errorf("%s: it is given twice", setting)
		}
		given[name] = true
		var err error
		switch name {
		case "playouts":
			c.Playouts, err = strconv.Atoi(value)
		case "nodes":
			nodes, err = strconv.Atoi(value)
		case "policy":
			file = value
		case "prior":
			if c.Prior = value == "yes"; !c.Prior {
				err = errors.New("want yes")
			}
		case "exploration":
			c.Exploration, err = strconv.ParseFloat(value, 64)
		default:
			err = errors.New("want playouts, policy, prior, exploration or nodes")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", setting, err)
		}
	}
	switch {
	case given["nodes"] && len(given) > 1:
		return nil, errors.New("nodes excludes the other settings")
	case nodes > 0:
		return func(context.Context) (player, error) {
			s, err := search(g, app.Weights{}, 16<<20, play.AllPruning)
			if err != nil {
				return nil, err
			}
			return match.NewSearcher(s, match.Settings{Limits: play.Limits{Nodes: uint64(nodes)}}), nil
		}, nil
	case c.Playouts <= 0:
		return nil, errors.New("want playouts, or nodes, above 0")
	case given["exploration"] && !(c.Exploration > 0):
		return nil, errors.New("want an exploration above 0")
	case c.Prior && file == "":
		return nil, errors.New("prior needs a policy")
	}
	if file != "" {
		features, err := policy.MoveFeaturesOf(g.Board)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if c.Policy, err = policy.ReadPolicy(data, features.MoveFeatureSet()); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return func(context.Context) (player, error) {
		s, err := uct.New(g.Board, c)
		if err != nil {
			return nil, err
		}
		return uct.NewPlayer(s), nil
	}, nil
}
