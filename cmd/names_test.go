package cmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/proof"
)

// TestNames has proof files that name their game in other ways than yomikiri does, with
// options in another order and defaults spelled out, read by every command that reads some.
func TestNames(t *testing.T) {
	list := []Plugin{Game("gomoku"), Game("checkers"), Game("shogi"), Game("connect4")}
	const small, three = "gomoku:size=3x3,k=3", "xx1/oo1/3 x"
	for _, c := range []struct{ name, game, root, move, refused string }{
		{"gomoku:k=3,size=3x3", small, three, "c3", ""},
		{"gomoku:rule=free,size=3x3,k=3", small, three, "c3", ""},
		{"gomoku:size=03x003,k=03", small, three, "c3", ""},
		{"gomoku:k=3,rule=exact,size=3x3", "gomoku:size=3x3,k=3,rule=exact", three, "c3", ""},
		{"gomoku:k=5,size=5x5,rule=free", "gomoku:size=5x5", "xxxx1/oooo1/5/5/5 x", "e5", ""},
		{"checkers:pieces=4,size=4x4", "checkers:size=4x4,pieces=4", "B:WK4:BK2", "2x5", ""},
		{"checkers:size=8x8", "checkers", "B:WK6:BK2", "2x9", ""},
		{"shogi:checks=free", "shogi", "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p", "G*1b", ""},
		{"connect4:size=6x7", "connect4", "......./......./......./......./ooo..../xxx....", "d", ""},
		{"gomoku:size=3x3,k=3,size=3x3", "", three, "c3", "rule option size is given twice"},
		{"gomoku:size=3x3,k=3,rule=caro", "", three, "c3", `rule option rule="caro": want one of free, exact`},
		{"gomoku:", "", three, "c3", `rule option "": want option=value`},
		{"go", "", three, "c3", `no game "go"`},
	} {
		path := filepath.Join(t.TempDir(), "named.proof")
		f, err := os.Create(path)
		require.NoError(t, err)
		w, err := proof.NewWriter(f, proof.Header{Game: c.name, Root: c.root, Claims: []proof.Claim{{Side: proof.Mover, Goal: proof.Win}}})
		require.NoError(t, err)
		number, err := w.Add(&proof.Node{Kind: proof.Or, Uses: 1, Rank: 1, Position: []byte(c.root), Move: []byte(c.move)})
		require.NoError(t, err)
		require.NoError(t, w.EndClaim(number))
		require.NoError(t, w.Close())
		require.NoError(t, f.Close())
		code, stdout, stderr := run("check --json "+path, list...)
		if c.refused != "" {
			require.Equal(t, ui.ExitUsage, code, c.name)
			require.Contains(t, stderr, c.refused)
			continue
		}
		require.Equal(t, ui.ExitOK, code, "%s: %s", c.name, stderr)
		require.Contains(t, stdout, `"game":"`+c.game+`"`)
		code, stdout, stderr = run("play "+c.game+" --proof "+path, list...)
		require.Equal(t, ui.ExitOK, code, "%s: %s", c.name, stderr)
		require.Contains(t, stdout, "the proof plays "+c.move)
		command := &cobra.Command{}
		command.SetContext(t.Context())
		p, err := plugins(list).openProof(command, path, nil, &servedFiles{}) // as serve does
		require.NoError(t, err)
		require.Equal(t, c.game, p.Game().Game)
		require.NoError(t, p.Check(t.Context()))
		require.NoError(t, p.Close())
	}
}
