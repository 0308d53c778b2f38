package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/app"
	gomokucmd "github.com/yomikiri/yomikiri/cmd/gomoku"
	ucicmd "github.com/yomikiri/yomikiri/cmd/uci"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/match"
)

// playerSpec is a player as users write it: settings with commas between, and for another program
// @PROTOCOL COMMAND after them.
type playerSpec struct {
	text     string
	settings match.Settings
	pruning  play.Pruning
	memory   uint64
	threads  int
	weights  string
	book     string
	protocol string   // empty for a search of ours
	command  string   //
	options  []string // that the program gets
}

// playerHelp describes players for help texts.
const playerHelp = `A player is a list of settings, NAME=VALUE with commas between:

  nodes, depth, time  limits of a search, such as nodes=3000 or time=100ms
  level               1 to 10 instead of these: from beginner to strong
  threads, memory     of the search (default 1 and 16MiB)
  weights             a file of weights instead of those of the game; made for those
                      that the game has before anything is learned, or material for
                      the pieces alone
  book                a file of an opening book to play by
  pruning             all (default) or none
  jitter              J: prefer a worse move at random if it loses less than J
  drift               yes: J can be lost several times over, as in the original
  budget              B: choose at random among moves that lose at most B
  advice              yes (default), or no: do not ask first what can be proven of the
                      position; with jitter, budget and levels below 9 it never is
  resign              S: resign after three moves in a row with a score of -S or less

Another program plays if @uci COMMAND, @usi COMMAND or @gomocup COMMAND comes after the settings,
such as 'time=100ms,USI_Hash=64@usi ./engine'. It gets the settings that are not listed here as
options.`

func parsePlayer(text string) (*playerSpec, error) {
	p := &playerSpec{text: text, pruning: play.AllPruning, memory: 16 << 20, threads: 1}
	p.settings.Advised = true
	settings, program, external := strings.Cut(text, "@")
	if external {
		p.protocol, p.command, _ = strings.Cut(program, " ")
		if p.command = strings.TrimSpace(p.command); p.command == "" || !slices.Contains(protocols, p.protocol) {
			return nil, fmt.Errorf("player %q: want @uci COMMAND, @usi COMMAND or @gomocup COMMAND", text)
		}
	}
	given := map[string]bool{}
	for setting := range strings.SplitSeq(settings, ",") {
		if setting = strings.TrimSpace(setting); setting == "" {
			continue
		}
		name, value, ok := strings.Cut(setting, "=")
		err := errors.New("want NAME=VALUE")
		switch {
		case given[name]:
			err = fmt.Errorf("%s is given twice", name)
		case ok:
			err = p.set(name, value, external)
		}
		given[name] = true
		if err != nil {
			return nil, fmt.Errorf("player %q: %s: %w", text, setting, err)
		}
	}
	switch choice := p.settings.Choice; {
	case external: // its options may be called so
	case given["level"] && (given["nodes"] || given["depth"] || given["time"]):
		return nil, fmt.Errorf("player %q: level excludes nodes, depth and time, which it sets", text)
	case given["jitter"] && choice.Budget > 0:
		return nil, fmt.Errorf("player %q: jitter excludes budget, and levels below 9, which have one", text)
	case given["drift"] && choice.Jitter == 0:
		return nil, fmt.Errorf("player %q: drift is for jitter: want that too", text)
	}
	l := p.settings.Limits
	if l.Nodes == 0 && l.Depth == 0 && l.Time == 0 && !external {
		p.settings.Nodes = defaultNodes
	}
	return p, nil
}

// protocols are those in which other programs play.
var protocols = []string{"uci", "usi", "gomocup"}

// defaultNodes is how many positions a player looks at for a move if nothing else is said.
const defaultNodes = 100_000

// settingNames are the names of the settings of a player that is no other program.
var settingNames = []string{
	"nodes", "depth", "time", "level", "threads", "memory", "weights", "book", "pruning", "jitter", "drift", "budget", "advice", "resign",
}

func (p *playerSpec) set(name, value string, external bool) (err error) {
	score := func(s *play.Score) error {
		n, err := ui.WholeNumber(value, 1, 100_000)
		*s = play.Score(n)
		return err
	}
	switch name {
	case "nodes":
		if p.settings.Nodes, err = strconv.ParseUint(value, 10, 62); err != nil || p.settings.Nodes == 0 {
			err = errors.New("want a whole number, 1 or more")
		}
	case "depth":
		p.settings.Depth, err = ui.WholeNumber(value, 1, play.MaxDepth)
	case "time":
		if p.settings.Time, err = time.ParseDuration(value); err != nil || p.settings.Time <= 0 {
			err = errors.New("want a time, such as 100ms")
		}
	default:
		if external {
			p.options = append(p.options, name+"="+value)
			return nil
		}
		switch name {
		case "level":
			var n int
			if n, err = ui.WholeNumber(value, 1, play.Levels); err == nil {
				p.settings.Limits, p.settings.Choice, _ = play.Level(n)
			}
		case "threads":
			p.threads, err = ui.WholeNumber(value, 1, ui.MostThreads)
		case "memory":
			p.memory, err = ui.ParseBytes(value)
		case "weights":
			p.weights = value
		case "book":
			p.book = value
		case "pruning":
			switch value {
			case "all":
				p.pruning = play.AllPruning
			case "none":
				p.pruning = play.Pruning{}
			default:
				err = errors.New("want all or none")
			}
		case "jitter":
			err = score(&p.settings.Choice.Jitter)
		case "drift":
			p.settings.Choice.Drift, err = yes(value)
		case "advice":
			p.settings.Advised, err = yes(value)
		case "budget":
			err = score(&p.settings.Choice.Budget)
		case "resign":
			if err = score(&p.settings.Resign); err == nil {
				p.settings.Resign, p.settings.ResignMoves = -p.settings.Resign, 3
			}
		default:
			err = fmt.Errorf("there is no such setting%s; there are: %s", games.DidYouMean(name, settingNames), strings.Join(settingNames, ", "))
		}
	}
	return err
}

func yes(value string) (bool, error) {
	if value != "yes" && value != "no" {
		return false, errors.New("want yes or no")
	}
	return value == "yes", nil
}

// playConfig is a player with its files, if it has some.
type playConfig struct {
	*playerSpec
	app.Weights
	opening *app.Book
}

// read reads the files of weights and of openings.
func (p *playerSpec) read() (c playConfig, err error) {
	c.playerSpec = p
	if c.Weights, err = app.ReadWeights(p.weights); err != nil {
		return c, err
	}
	c.opening, err = app.ReadBook(p.book)
	return c, err
}

// searchOf returns the search of a player, who knows some proofs unless these are nil.
func searchOf(g *app.Game, c playConfig, known play.Proofs[app.Position]) (play.Engine[app.Position, app.Move], error) {
	e, err := c.Of(g)
	if err != nil {
		return nil, err
	}
	return g.Search(play.Config[app.Position]{Evaluation: e, Memory: c.memory, Threads: c.threads, Pruning: c.pruning, Proofs: known})
}

// player is a player of a game without types, and playerMaker makes one.
type (
	player      = match.Player[app.Position, app.Move]
	playerMaker = match.Maker[app.Position, app.Move]
)

// playerOf returns a function that makes players.
func playerOf(g *app.Game, c playConfig) (playerMaker, error) {
	opening, err := app.BookOf(c.opening, g.Board)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (player, error) {
		switch c.protocol {
		case "uci":
			return ucicmd.UCI.StartClient(ctx, g.Board, c.command, c.options, c.settings.Limits)
		case "usi":
			return ucicmd.USI.StartClient(ctx, g.Board, c.command, c.options, c.settings.Limits)
		case "gomocup":
			return gomokucmd.StartClient(ctx, g.Board, c.command, slices.Clone(c.options), c.settings.Limits)
		}
		s, err := searchOf(g, c, nil)
		if err != nil {
			return nil, err
		}
		p := match.NewSearcher(s, c.settings)
		p.Book = opening
		return p, nil
	}, nil
}
