package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/match"
	"github.com/yomikiri/yomikiri/play/uct"
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
	protocol string   // empty for a search of ours
	command  string   //
	options  []string // that the program gets
	playouts uct.Config
	policy   string // file
}

// playerHelp describes players for help texts.
const playerHelp = `A player is a list of settings, NAME=VALUE with commas between:

  nodes, depth, time  limits of a search, such as nodes=3000 or time=100ms
  level               1 to 10 instead of these: from beginner to strong
  threads, memory     of the search (default 1 and 16MiB)
  weights             a file of weights instead of those of the game; made for those
                      that the game has before anything is learned, or material for
                      the pieces alone
  pruning             all (default) or none
  jitter              J: prefer a worse move at random if it loses less than J
  drift               yes: J can be lost several times over, as in the original
  budget              B: choose at random among moves that lose at most B
  resign              S: resign after three moves in a row with a score of -S or less

  playouts            N: play the game on to its end so often for each move (UCT), instead
                      of searching
  policy              a file of train --policy that chooses the moves of playouts
  prior               yes: the policy also says which moves to try first
  exploration         how much moves count that were tried rarely (default 1)

Another program plays if @usi COMMAND or @gomocup COMMAND comes after the settings, such as
'time=100ms,USI_Hash=64@usi ./engine'. It gets the settings that are not listed here as
options.`

func parsePlayer(text string) (*playerSpec, error) {
	p := &playerSpec{text: text, pruning: play.AllPruning, memory: 16 << 20, threads: 1}
	settings, program, external := strings.Cut(text, "@")
	if external {
		p.protocol, p.command, _ = strings.Cut(program, " ")
		if p.command = strings.TrimSpace(p.command); p.command == "" || p.protocol != "usi" && p.protocol != "gomocup" {
			return nil, fmt.Errorf("player %q: want @usi COMMAND or @gomocup COMMAND", text)
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
	if err := p.checkPlayouts(); err != nil {
		return nil, fmt.Errorf("player %q: %w", text, err)
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

// checkPlayouts refuses settings of a search together with those of playouts.
func (p *playerSpec) checkPlayouts() error {
	plain := playerSpec{text: p.text, pruning: play.AllPruning, memory: p.memory, threads: p.threads}
	switch {
	case p.playouts.Playouts == 0 && (p.policy != "" || p.playouts != uct.Config{}):
		return errors.New("policy, prior and exploration need playouts")
	case p.playouts.Prior && p.policy == "":
		return errors.New("prior needs a policy")
	case p.playouts.Playouts > 0 && (p.settings != plain.settings || p.weights != "" || p.pruning != plain.pruning || p.protocol != ""):
		return errors.New("playouts go only with policy, prior and exploration")
	}
	return nil
}

// defaultNodes is how many positions a player looks at for a move if nothing else is said.
const defaultNodes = 100_000

// settingNames are the names of the settings of a player that is no other program.
var settingNames = []string{
	"nodes", "depth", "time", "level", "threads", "memory", "weights", "pruning", "jitter", "drift", "budget", "resign",
	"playouts", "policy", "prior", "exploration",
}

func (p *playerSpec) set(name, value string, external bool) (err error) {
	score := func(s *play.Score) error {
		n, err := wholeNumber(value, 1, 100_000)
		*s = play.Score(n)
		return err
	}
	switch name {
	case "nodes":
		if p.settings.Nodes, err = strconv.ParseUint(value, 10, 62); err != nil || p.settings.Nodes == 0 {
			err = errors.New("want a whole number, 1 or more")
		}
	case "depth":
		p.settings.Depth, err = wholeNumber(value, 1, play.MaxDepth)
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
		case "playouts":
			p.playouts.Playouts, err = wholeNumber(value, 1, 100_000_000)
		case "policy":
			p.policy = value
		case "prior":
			p.playouts.Prior, err = yes(value)
		case "exploration":
			if p.playouts.Exploration, err = strconv.ParseFloat(value, 64); err != nil || !(p.playouts.Exploration > 0 && p.playouts.Exploration <= 100) {
				err = errors.New("want a number above 0, at most 100")
			}
		case "level":
			var n int
			if n, err = wholeNumber(value, 1, play.Levels); err == nil {
				p.settings.Limits, p.settings.Choice, _ = play.Level(n)
			}
		case "threads":
			p.threads, err = wholeNumber(value, 1, mostThreads)
		case "memory":
			p.memory, err = parseBytes(value)
		case "weights":
			p.weights = value
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

// playConfig is a player with its files of weights, if it has some.
type playConfig struct {
	*playerSpec
	weightsFile
	policyFile []byte
}

// read reads the files of weights.
func (p *playerSpec) read() (c playConfig, err error) {
	c.playerSpec = p
	if p.policy != "" {
		if c.policyFile, err = os.ReadFile(p.policy); err != nil {
			return c, usageError{fmt.Errorf("policy: %w", err)}
		}
	}
	c.weightsFile, err = readWeightsFile(p.weights)
	return c, err
}

// weightsFile is a file of weights, as bytes, since the features are known only later. Without a name it
// stands for the weights that a game comes with.
type weightsFile struct {
	name string
	data []byte
}

// madeWeights is the name of the weights made by hand.
const madeWeights = "made"

// materialWeights is the name of the weights of the pieces alone.
const materialWeights = "material"

func readWeightsFile(name string) (f weightsFile, err error) {
	f.name = name
	if name == "" || name == madeWeights || name == materialWeights {
		return f, nil
	}
	if f.data, err = os.ReadFile(name); err != nil {
		return f, usageError{fmt.Errorf("weights: %w", err)}
	}
	return f, nil
}

// evaluationOf returns the evaluation of a game with the weights of a file.
func evaluationOf(g *app.Game, f weightsFile) (*play.Evaluation, error) {
	e, err := g.Evaluation()
	switch {
	case err != nil:
		return nil, usageError{err}
	case f.name == madeWeights:
		e.Weights = slices.Clone(e.Set.ByHand())
	case f.name == materialWeights:
		if e.Weights = slices.Clone(e.Set.Material); e.Weights == nil {
			return nil, usageError{fmt.Errorf("%s has no material: want weights=made, or a file", g.Name())}
		}
	case f.name != "":
		if e.Weights, _, err = games.ReadWeights(bytes.NewReader(f.data), e.Set); err != nil {
			return nil, usageError{fmt.Errorf("%s: %w", f.name, err)}
		}
	}
	return e, nil
}

// searchOf returns the search of a player.
func searchOf(g *app.Game, c playConfig) (play.Engine[app.Position, app.Move], error) {
	e, err := evaluationOf(g, c.weightsFile)
	if err != nil {
		return nil, err
	}
	return g.Search(play.Config[app.Position]{Evaluation: e, Memory: c.memory, Threads: c.threads, Pruning: c.pruning})
}

// playoutsOf returns a player that plays by playouts.
func playoutsOf(g *app.Game, c playConfig) (player, error) {
	cfg := c.playouts
	if c.policy != "" {
		f, err := g.MoveFeatures()
		if err != nil {
			return nil, usageError{err}
		}
		if cfg.Policy, err = play.ReadPolicy(c.policyFile, f); err != nil {
			return nil, usageError{fmt.Errorf("%s: %w", c.policy, err)}
		}
	}
	p, err := g.Playouts(cfg)
	if err != nil {
		return nil, usageError{err}
	}
	return p, nil
}

// player is a player of a game without types.
type player = match.Player[app.Position, app.Move]

// playerOf returns a function that makes players.
func playerOf(ctx context.Context, g *app.Game, c playConfig) func() (player, error) {
	return func() (player, error) {
		switch c.protocol {
		case "usi":
			return match.StartUSI(ctx, g.Board, c.command, c.options, c.settings.Limits)
		case "gomocup":
			return match.StartGomocup(ctx, g.Board, c.command, slices.Clone(c.options), c.settings.Limits)
		}
		if c.playouts.Playouts > 0 {
			return playoutsOf(g, c)
		}
		s, err := searchOf(g, c)
		if err != nil {
			return nil, err
		}
		return match.NewSearcher(s, c.settings), nil
	}
}
