package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/mnk"
	shogirules "github.com/yomikiri/yomikiri/proof/rules/shogi"
)

func newCheck() *cobra.Command {
	var asJSON, quiet bool
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a proof by the rules of the game alone",
		Long: `Check reads a proof file and checks that it proves what it claims. It generates
all replies of the side that the claim is against, and uses nothing but the rules
of the game: no code of the search that found the proof, and for gomoku and shogi
not even their boards. It writes OK and what the file proves, or the first error.`,
		Example: "  yomikiri prove gomoku --size 7x7 --k 4 --proof win.proof\n  yomikiri check win.proof",
		Args:    arguments(cobra.ExactArgs(1)),
	}
	flags := cmd.Flags()
	flags.BoolVar(&asJSON, "json", false, "write progress and result as JSON records")
	flags.BoolVarP(&quiet, "quiet", "q", false, "show nothing but errors")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f, err := os.Open(args[0])
		if err != nil {
			return err
		}
		defer f.Close()
		p := newProgress(cmd.ErrOrStderr(), asJSON, quiet)
		result, err := checkProof(cmd.Context(), f, p)
		p.done()
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		if quiet {
			return nil
		}
		if asJSON {
			return record(cmd.OutOrStdout(), result)
		}
		_, err = io.WriteString(cmd.OutOrStdout(), result.text())
		return err
	}
	return cmd
}

// checkResult is what check has found in a file that is right.
type checkResult struct {
	OK       bool     `json:"ok"`
	Game     string   `json:"game"`
	Position string   `json:"position"`
	Value    string   `json:"value"` // for the side to move
	Claims   []string `json:"claims"`
	proof.Report
	Seconds float64 `json:"seconds"`
}

func checkProof(ctx context.Context, f io.Reader, p *progress) (*checkResult, error) {
	begin := time.Now()
	r, err := proof.NewReader(f)
	if err != nil {
		return nil, err
	}
	h := r.Header()
	options := proof.CheckOptions{Progress: func(report proof.Report) {
		p.show(func() string {
			return fmt.Sprintf("%s  %s nodes, %s replies", seconds(time.Since(begin)), grouped(report.Nodes), grouped(report.Replies))
		}, report)
	}}
	var report proof.Report
	if plain, ok := mnk.Open(h.Game); ok {
		report, err = proof.Check(ctx, r, plain, options)
	} else if plain, ok := shogirules.Open(h.Game); ok {
		report, err = proof.Check(ctx, r, plain, options)
	} else {
		var g games.Any
		if g, err = games.Open(h.Game); err == nil {
			report, err = proof.Check(ctx, r, g, options)
		}
	}
	if err != nil {
		return nil, err
	}
	result := &checkResult{OK: true, Game: h.Game, Position: h.Root, Report: report, Seconds: time.Since(begin).Seconds()}
	for _, c := range h.Claims {
		result.Claims = append(result.Claims, c.String())
	}
	result.Value, err = proof.Value(h.Claims)
	return result, err
}

func (r *checkResult) text() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-16s "+format+"\n", append([]any{name}, args...)...)
	}
	fmt.Fprintf(&b, "OK: %s\n", r.Value)
	line("game", "%s", r.Game)
	line("position", "%s", r.Position)
	for i, claim := range r.Claims {
		line("claim", "%s, rank %d", claim, r.Ranks[i])
	}
	line("nodes", "%s: %s with a move, %s with all replies, %s with a certificate", grouped(r.Nodes), grouped(r.Or), grouped(r.And), grouped(r.Certified))
	line("replies", "%s, of which %s need no node", grouped(r.Replies), grouped(r.Immediate))
	line("references", "%s; at most %s nodes kept", grouped(r.References), grouped(r.Live))
	line("size", "%s, %.1f s", size(r.Bytes), r.Seconds)
	return b.String()
}
