package prooffile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// Set are proof files of a game to play by.
type Set struct {
	player  app.ProofPlayer
	names   []string
	Headers []proof.Header
}

// Flag adds the flag for the files, which are used as it says.
func Flag(flags *pflag.FlagSet, files *[]string, usage string) {
	flags.StringArrayVar(files, "proof", nil, "`FILE` with a proof "+usage)
}

// TakeFiles moves arguments that are files to those of the flag, so that --proof *.proof
// works.
func TakeFiles(files *[]string, args []string) []string {
	return slices.DeleteFunc(args, func(arg string) bool {
		info, err := os.Stat(arg)
		isFile := err == nil && !info.IsDir()
		if isFile {
			*files = append(*files, arg)
		}
		return isFile
	})
}

// Open opens proof files and groups them by their game, one of a family. playerOf
// returns the player for a proof, the same for all proofs of a game. It says what was checked.
// The files are closed when the program ends.
func Open(cmd *cobra.Command, files []string, family *games.Info, playerOf func(h *proof.Header) (app.ProofPlayer, error)) (map[string]*Set, error) {
	begin, nodes, bytes := time.Now(), uint64(0), uint64(0)
	byGame := map[string]*Set{}
	if len(files) == 0 {
		return byGame, nil
	}
	for _, name := range files {
		err := func() error {
			f, info, err := OpenFile(name)
			if err != nil {
				return err
			}
			g, err := proof.OpenGraph(cmd.Context(), f, info.Size())
			if err != nil {
				return err
			}
			if r, err := family.Rules(g.Header().Game); err == nil { // else newPlayer says what is wrong
				g.Rename(r.String())
			}
			h := g.Header()
			player, err := playerOf(&h)
			if err != nil {
				return err
			}
			p := byGame[h.Game]
			if p == nil {
				p = &Set{player: player}
				byGame[h.Game] = p
			}
			p.names, p.Headers = append(p.names, name), append(p.Headers, h)
			nodes, bytes = nodes+g.Counts().Nodes, bytes+uint64(info.Size())
			return p.player.Add(cmd.Context(), g)
		}()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s, %s in %s: form and checksums are right (%s); each certificate is checked before the first move by it, %s check checks all\n",
		ui.Counted(uint64(len(files)), "proof"), ui.Counted(nodes, "node"), ui.FileSize(bytes), ui.Seconds(time.Since(begin)), cmd.Root().Name())
	return byGame, nil
}

// OpenFile opens a proof file. It refuses what a program would have to wait for.
func OpenFile(name string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, nil, ui.Usage(errors.New("want a file; this is a pipe, socket or device"))
	}
	f, err := os.Open(name)
	return f, info, err
}

// Reply returns the move that the proofs give, and says which proof has it. The error names
// a proof that turns out to be false.
func (p *Set) Reply(ctx context.Context, position []byte) (move, source string, err error) {
	r, ok, err := p.player.Reply(ctx, string(position))
	switch r.Proof {
	case proof.ByRules:
		source = EndsGame
	case proof.ByAll:
		source = "where all proofs begin"
	case proof.ByDatabase:
		source = "into the database"
	default:
		source = "by " + p.names[r.Proof]
	}
	switch {
	case err != nil:
		return "", "", fmt.Errorf("a move %s: %w", source, err)
	case !ok:
		return "", "", ErrNone
	}
	return r.Move, source, nil
}

// BothSides reports whether a proof tells both sides how to hold.
func (p *Set) BothSides() bool {
	return slices.ContainsFunc(p.Headers, func(h proof.Header) bool { return len(h.Claims) > 1 })
}

// Begins reports whether position is the root of the first proof, and the proof is about
// the side to move there.
func (p *Set) Begins(position string) bool {
	h := p.Headers[0]
	return h.Root == position && h.Claims[0].Side == proof.Mover
}

// EndsGame is the remark about a move that ends the game.
const EndsGame = "which ends the game"

// ErrNone is returned where no proof has the position.
var ErrNone = ui.Unknown("no proof says what to play in this position")
