package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/lab/policy"
	"github.com/yomikiri/yomikiri/play/learn"
)

// policyOptions are the flags of policy.
type policyOptions struct {
	model string
	out   string
	every int
	fit   learn.Config
	ui.Printing
}

func (o *policyOptions) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.model, "model", string(policy.Strengths), "what to learn: `strengths` or realization")
	flags.StringVar(&o.out, "out", "", "write the policy to a `file`")
	ui.NumberFlag(flags, &o.every, "every", 1, 1, 1000, "learn from one in this number of positions")
	fitFlags(flags, &o.fit)
	recordFlag(flags, &o.Printing)
	o.QuietFlag(flags)
}

func newPolicy() *cobra.Command {
	var o policyOptions
	cmd := &cobra.Command{
		Use:   "policy GAME FILE ... --out OUT",
		Short: "Learn how probable moves are",
		Long: `Policy repeats tables of docs/policies.md.

It learns from the moves of games, in files as train reads and writes them: realization, the
probability that a move is played whatever the others (logistic regression), or strengths of the
features of moves, by which they compete (Bradley-Terry). How often the move played in the games
held out is among the first one, three or five is compared with what chance alone would give.
Playouts plays by the result.

An interrupted command goes on where it was when it is repeated.`,
		Example: "  lab policy connect4 c4.games --model strengths --out c4.s",
		Args:    ui.LeastArgs(2),
	}
	o.addFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.out == "" {
			return usage("want --out FILE for the policy")
		}
		if err := ui.RefuseIdle(cmd.Flags(),
			ui.Idle{When: o.model == string(policy.Strengths), Why: "with --model strengths: want --model realization", Flags: []string{"l1", "rate", "epochs"}},
		); err != nil {
			return err
		}
		return o.run(cmd, args[0], args[1:])
	}
	return cmd
}

func (o *policyOptions) run(c *cobra.Command, spec string, files []string) error {
	ctx := c.Context()
	g, err := open(spec)
	if err != nil {
		return err
	}
	features, err := policy.MoveFeaturesOf(g.Board)
	if err != nil {
		return app.InputError{Err: err}
	}
	list, unread, err := lessons(g, files, c.PrintErrln)
	if err != nil {
		return err
	}
	x := policy.NewChoices(features.MoveFeatureSet())
	show, shown := status(c, o.Printing)
	defer shown()
	for i := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		policy.AddGame(x, g.Board, features, i, &list[i], o.every, learn.Whole)
		show("%d of %d games", i+1, len(list))
	}
	p, err := o.learn(ctx, x, func(e learn.Epoch) { show("pass %d, loss %.5f", e.Number, e.Train) })
	if errors.Is(err, learn.ErrExamples) || errors.Is(err, learn.ErrState) {
		err = app.InputError{Err: err}
	}
	if err != nil {
		return err
	}
	r := trainedPolicy{Games: len(list), Unread: unread, Positions: x.Len(), Moves: x.Moves(), File: o.out}
	r.Uniform, r.Held = policy.Predict(x, nil, o.fit.HeldOut, o.fit.Seed)
	r.Policy, _ = policy.Predict(x, p, o.fit.HeldOut, o.fit.Seed)
	if r.Held == 0 {
		return usage("%w: none of the %d games is held out", learn.ErrExamples, len(list))
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
	if err := ui.WriteFile(o.out, file.Bytes()); err != nil {
		return err
	}
	if err := os.Remove(o.state()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return o.Result(c, &r, r.text())
}

// state is the file from which a fit goes on.
func (o *policyOptions) state() string { return o.out + ".state" }

func (o *policyOptions) learn(ctx context.Context, x *policy.Choices, progress func(learn.Epoch)) (*policy.Policy, error) {
	fit := o.fit
	fit.File, fit.Progress = o.state(), progress
	p, err := policy.Fit(ctx, x, policy.Model(o.model), fit)
	if errors.Is(err, policy.ErrModel) {
		err = usage("--model: %w", err)
	}
	return p, err
}

// trainedPolicy is the result of policy.
type trainedPolicy struct {
	Games     int `json:"games"`
	Unread    int `json:"unread"`
	Positions int `json:"positions"` // with a choice
	Held      int `json:"held_out"`  // of these
	Moves     int `json:"moves"`     // of all positions
	// Uniform and Policy are how well moves held out are predicted.
	Uniform *policy.Prediction `json:"uniform"`
	Policy  *policy.Prediction `json:"policy"`
	Zero    int                `json:"zero"`
	All     int                `json:"all"`
	File    string             `json:"weights"`
}

// origin says how a policy was made, for its file.
func (r *trainedPolicy) origin(o *policyOptions) string {
	text := fmt.Sprintf("%d games; one of every %d positions, seed %d", r.Games, o.every, o.fit.Seed)
	if o.model == string(policy.Realization) {
		text += fmt.Sprintf(", rate %g, l1 %g", o.fit.Rate, o.fit.L1)
	}
	return fmt.Sprintf("%s; log-likelihood of the games held out %.5f", text, r.Policy.LogLikelihood.Value)
}

func (r *trainedPolicy) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "games      %d, %d not read whole\n", r.Games, r.Unread)
	fmt.Fprintf(&b, "positions  %d, %d of them held out; %d moves\n\n", r.Positions, r.Held, r.Moves)
	fmt.Fprintf(&b, "held out         chance                   policy\n")
	for _, line := range []struct {
		name string
		of   func(p *policy.Prediction) fmt.Stringer
	}{
		{"first", func(p *policy.Prediction) fmt.Stringer { return p.First }},
		{"first 3", func(p *policy.Prediction) fmt.Stringer { return p.Three }},
		{"first 5", func(p *policy.Prediction) fmt.Stringer { return p.Five }},
		{"log-likelihood", func(p *policy.Prediction) fmt.Stringer { return p.LogLikelihood }},
	} {
		fmt.Fprintf(&b, "%-15s  %-23v  %v\n", line.name, line.of(r.Uniform), line.of(r.Policy))
	}
	fmt.Fprintf(&b, "\nweights    %s: %d, %d of them 0\n", r.File, r.All, r.Zero)
	return b.String()
}
