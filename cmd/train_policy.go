package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
)

const policyHelp = `With --policy it learns instead how probable moves are, from the moves played, for playouts
(see match --help): realization, the probability that a move is played whatever the others
(logistic regression), or strengths of the features of moves, by which they compete
(Bradley-Terry). How often the move played in the games held out is among the first one,
three or five is compared with what chance alone would give.`

// policyFlag adds the flag for what is learned of moves.
func policyFlag(flags *pflag.FlagSet, m *play.Model) {
	checkedFlag(flags, "policy", "model", "", "learn how probable moves are: realization or strengths", func(text string) error {
		if *m = play.Model(text); *m != play.Realization && *m != play.Strengths {
			return fmt.Errorf("%q: want realization or strengths", text)
		}
		return nil
	})
}

// checkPolicy refuses flags that do not go together with --policy.
func (o *trainOptions) checkPolicy(flags *pflag.FlagSet) error {
	if o.policy == "" {
		return nil
	}
	others := []string{"results", "scores", "moves", "positions", "agreement"}
	if o.policy == play.Strengths {
		others = append(others, "l1", "rate", "epochs")
	}
	for _, name := range others {
		if flags.Changed(name) {
			return usageError{fmt.Errorf("--%s does not go with --policy %s", name, o.policy)}
		}
	}
	if len(o.records) == 0 && o.selfPlay == 0 {
		return usageError{errors.New("--policy learns from games: want --records FILES or --self-play N")}
	}
	return nil
}

func (o *trainOptions) runPolicy(c *cobra.Command, part *app.Game) (err error) {
	ctx := c.Context()
	g, d, done, err := judgedGame(c, part, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	features, err := g.MoveFeatures()
	if err != nil {
		return usageError{err}
	}
	var read trained
	list, err := readGames(c, g, o.records, &read)
	if err == nil && o.selfPlay > 0 {
		var e *play.Evaluation
		var more []app.LearnedGame
		if e, err = evaluationOf(g, o.begin); err == nil {
			more, err = o.playItself(c, g, e, d)
		}
		list = joined(list, more)
	}
	if err != nil {
		return ended(ctx, err)
	}
	x := learn.NewChoices(features)
	shown, begin := o.progress(c), time.Now()
	defer shown.done()
	for i := range list {
		if ctx.Err() != nil {
			return interruptedError{"interrupted; the same command goes on"}
		}
		if err := g.AddChoices(x, &list[i], o.every); err != nil {
			return err
		}
		shown.showDone(begin, "games", uint64(i+1), uint64(len(list)))
	}
	r := trainedPolicy{Games: len(list), Unread: read.Unread, Positions: x.Len(), Moves: x.Moves(), File: o.out}
	progress := func(e learn.Epoch) {
		shown.show(func() string {
			return fmt.Sprintf("%s  pass %d, loss %.5f", seconds(time.Since(begin)), e.Number, e.Train)
		}, e)
	}
	var p *play.Policy
	cfg := o.fit
	cfg.File, cfg.Progress = o.out+".state", progress
	if o.policy == play.Strengths {
		p, err = learn.FitStrengths(ctx, x, learn.Strengths{HeldOut: cfg.HeldOut, Progress: progress})
	} else {
		p, _, err = learn.FitRealization(ctx, x, cfg)
	}
	shown.done()
	switch {
	case ctx.Err() != nil:
		return interruptedError{"interrupted; the same command goes on"}
	case errors.Is(err, learn.ErrExamples) || errors.Is(err, learn.ErrState):
		return usageError{err}
	case err != nil:
		return err
	}
	r.Uniform, r.Held = learn.Predict(x, nil, cfg.HeldOut, cfg.Seed)
	r.Policy, _ = learn.Predict(x, p, cfg.HeldOut, cfg.Seed)
	if r.Held == 0 {
		return usageError{fmt.Errorf("%w: none of %s is held out", learn.ErrExamples, counted(uint64(len(list)), "game"))}
	}
	for _, w := range p.Weights {
		if w == 0 {
			r.Zero++
		}
	}
	r.All = len(p.Weights)
	var file bytes.Buffer
	if err := p.Write(&file, r.origin(o)); err != nil {
		return err
	}
	if err := writeFile(o.out, file.Bytes()); err != nil {
		return err
	}
	if err := os.Remove(cfg.File); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return o.result(c, &r, r.text())
}

// trainedPolicy is the result of train --policy.
type trainedPolicy struct {
	Games     int `json:"games"`
	Unread    int `json:"unread"`
	Positions int `json:"positions"` // with a choice
	Held      int `json:"held_out"`  // of these
	Moves     int `json:"moves"`     // of all positions
	// Uniform and Policy are how well moves held out are predicted.
	Uniform *learn.Prediction `json:"uniform"`
	Policy  *learn.Prediction `json:"policy"`
	Zero    int               `json:"zero"`
	All     int               `json:"all"`
	File    string            `json:"weights"`
}

// origin says how a policy was made, for its file.
func (r *trainedPolicy) origin(o *trainOptions) string {
	text := counted(uint64(r.Games), "game")
	if o.selfPlay > 0 {
		text += fmt.Sprintf(", %d of them of self-play at %d nodes a move", o.selfPlay, o.nodes)
	}
	text += fmt.Sprintf("; one of every %d positions, seed %d", o.every, o.fit.Seed)
	if o.policy == play.Realization {
		text += fmt.Sprintf(", rate %g, l1 %g", o.fit.Rate, o.fit.L1)
	}
	return fmt.Sprintf("%s; log-likelihood of the games held out %.5f", text, r.Policy.LogLikelihood.Value)
}

func (r *trainedPolicy) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "games      %s, %s not read whole\n", grouped(uint64(r.Games)), grouped(uint64(r.Unread)))
	fmt.Fprintf(&b, "positions  %s, %s of them held out; %s\n\n", grouped(uint64(r.Positions)), grouped(uint64(r.Held)), counted(uint64(r.Moves), "move"))
	fmt.Fprintf(&b, "held out         chance                   policy\n")
	for _, line := range []struct {
		name string
		of   func(p *learn.Prediction) fmt.Stringer
	}{
		{"first", func(p *learn.Prediction) fmt.Stringer { return p.First }},
		{"first 3", func(p *learn.Prediction) fmt.Stringer { return p.Three }},
		{"first 5", func(p *learn.Prediction) fmt.Stringer { return p.Five }},
		{"log-likelihood", func(p *learn.Prediction) fmt.Stringer { return p.LogLikelihood }},
	} {
		fmt.Fprintf(&b, "%-15s  %-23v  %v\n", line.name, line.of(r.Uniform), line.of(r.Policy))
	}
	fmt.Fprintf(&b, "\nweights    %s: %s, %s of them 0\n", r.File, grouped(uint64(r.All)), grouped(uint64(r.Zero)))
	return b.String()
}
