package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// Extra is what one game has beyond the others: see [app.Extra], which has the same fields, and commands.
type Extra[G games.Game[P, M], P, M comparable] struct {
	// Commands make commands for this game alone, and Benches the same under bench.
	Commands, Benches []func() *cobra.Command

	Brancher        func(g G) solver.Brancher[P, M]
	Attack          *Attack[G, P]
	Points          func(g G, root P, o PointOptions) (PointSearch, error)
	Check           func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error)
	Verify          func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (fmt.Stringer, error)
	Player          func(game string, database proof.Database) (ProofPlayer, error)
	Japanese        func(p P, m M) string
	CertificateLine func(ctx context.Context, game, position string, certificate []byte) ([]string, error)
	Search          *Search[G, P, M]
	Records         *Records[G, P, M]
	Large           bool
	Instead         string
}

func (x *Extra[G, P, M]) app() app.Extra[G, P, M] {
	return app.Extra[G, P, M]{
		Brancher: x.Brancher, Attack: x.Attack, Points: x.Points, Check: x.Check, Verify: x.Verify, Player: x.Player,
		Japanese: x.Japanese, CertificateLine: x.CertificateLine, Search: x.Search, Records: x.Records, Large: x.Large, Instead: x.Instead,
	}
}

type (
	Attack[G, P any]                             = app.Attack[G, P]
	Attacker                                     = app.Attacker
	PointSearch                                  = app.PointSearch
	PointOptions                                 = app.PointOptions
	ProofPlayer                                  = app.ProofPlayer
	Search[G games.Game[P, M], P, M comparable]  = app.Search[G, P, M]
	Records[G games.Game[P, M], P, M comparable] = app.RecordReader[G, P, M]
	Recorded[P, M comparable]                    = app.Played[P, M]
)

// CheckBy and PlayBy are those of package app.
func CheckBy[G games.Game[P, M], P, M comparable](open func(name string) (G, bool)) func(context.Context, *proof.Reader, proof.CheckOptions) (proof.Report, error) {
	return app.CheckBy(open)
}

func PlayBy[G games.Game[P, M], P, M comparable](open func(name string) (G, bool)) func(game string, database proof.Database) (ProofPlayer, error) {
	return app.PlayBy(open)
}
