//go:build !race

package server_test

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/shogi"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/internal/bilingual"
	"github.com/yomikiri/yomikiri/server"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// refusal returns why text is not a position of a game.
func refusal[G games.Game[P, M], P, M comparable](family *games.Family[G], spec string) func(t *testing.T, text string) error {
	return func(t *testing.T, text string) error {
		g, err := family.Open(spec)
		require.NoError(t, err)
		_, err = g.ParsePosition(text)
		return err
	}
}

// variantRefusal returns why text is not a position of a variant.
func variantRefusal(name string) func(t *testing.T, text string) error {
	return func(t *testing.T, text string) error {
		list, _, err := standard.Variants.Variants(nil)
		require.NoError(t, err)
		g, err := list[slices.IndexFunc(list, func(p ui.Plugin) bool { return p.Name == name })].Open(name)
		require.NoError(t, err)
		_, err = g.ParsePosition(text)
		return err
	}
}

// TestReasons has the page know in Japanese why a board that is set up is not a position.
func TestReasons(t *testing.T) {
	script, err := os.ReadFile("web/text.js")
	require.NoError(t, err)
	var known []*regexp.Regexp
	for _, line := range regexp.MustCompile(`(?m)^  \[/(.+)/, '.+'\],$`).FindAllSubmatch(script, -1) {
		known = append(known, regexp.MustCompile(string(line[1])))
	}
	met := map[*regexp.Regexp]bool{}
	for _, c := range []struct {
		refusal func(t *testing.T, text string) error
		texts   []string
	}{
		{refusal(tictactoe.Family, "tictactoe"), []string{"xx./.../...", "xxx/ooo/...", "ooo/xx./xx."}},
		{refusal(connect4.Family, "connect4:size=4x4"), []string{"x.../..../..../....", "..../..../..../xx..", "x.../x.../xooo/xooo"}},
		{refusal(dobutsu.Family, "dobutsu"), []string{"gle/1c1/1C1/E1G b -", "glc/1c1/1C1/ELG b -", "gle/1c1/1c1/ELG b C", "gLe/1c1/1Cl/E1G b -"}},
		{refusal(dobutsu.Family, "dobutsu:drops=none"), []string{"gCe/1l1/1c1/ELG b -"}},
		{refusal(awari.Family, "awari:stones=3"), []string{"1,1,1,1,0,0,0,0,0,0,0,0"}},
		{refusal(checkers.Family, "checkers:size=4x4"), []string{"B:W1:B2", "B:W3,4,5:B2", "B:W:B1", "B:W1:B2x"}},
		{refusal(gomoku.Family, "gomoku:size=5x5"), []string{"foo", "xxxxx/oooo1/5/5/5 x", "xx3/5/5/5/5", "5/5/5/5/5 z", "5/5 x"}},
		{refusal(othello.Family, "othello:size=6x6"), []string{strings.Repeat("-", 36) + " X", strings.Repeat("@", 36) + " X", "X-------------OX----XO-------------- X"}},
		{variantRefusal("hexapawn"), []string{"foo"}},
		{variantRefusal("3check"), []string{
			"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1 x", "4k3/8/8/8/8/8/8/4K3 w H - 3+3 0 1", "4k3/4R3/8/8/8/8/8/4K3 w - - 3+3 0 1", "3kk3/8/8/8/8/8/8/4K3 w - - 3+3 0 1",
		}},
		{func(t *testing.T, text string) error {
			_, err := records.Read(t.Context(), openGame(t, "gomoku"), "the text", []byte(text))
			return err
		}, []string{"garbage", " \n", "(;GM[4]FF[4]SZ[8];B[aa])"}},
		{refusal(shogi.Family, "shogi"), []string{"P3k4/9/9/9/9/9/9/9/9 b -", "k7k/9/9/9/9/9/9/9/9 b -", "k8/9/P8/P8/9/9/9/9/9 b -", "9/9/9/9/9/9/9/9/9 b -", "k8/9/9/9/9/9/9/9/9 b 3R", "kR7/9/9/9/9/9/9/9/9 b 2R", "k8/G8/9/9/9/9/9/9/9 b -", "9/9 b -", "8/9/9/9/9/9/9/9/9 b -"}},
		{func(t *testing.T, text string) error {
			p, err := shogi.ParseSFEN(text)
			require.NoError(t, err)
			_, err = tsume.NewProblem(p, tsume.Natural)
			return err
		}, []string{"K8/9/9/9/9/9/9/9/9 b G"}},
		{func(t *testing.T, text string) error {
			r := shogirecord.ParseUSI(text, shogi.UsualHands)
			require.NoError(t, r.Err)
			problem, err := tsume.NewProblem(r.Start, tsume.Natural)
			require.NoError(t, err)
			table, err := dfpn.NewFixedTable(1 << 20)
			require.NoError(t, err)
			_, err = tsume.Judge(t.Context(), problem, r.Moves, table, tsume.JudgeOptions{Nodes: 10})
			return err
		}, []string{"4k4/4G4/4P4/9/9/9/9/9/9 w -", "4k4/9/4P4/9/9/9/9/9/9 b 2G moves G*9i"}},
		{func(t *testing.T, text string) error {
			return errors.New(ask(newServer(t, server.Config{Searches: []server.Search{firstMoves(t, quick)}}), "/api/v1/first?"+text).Body.String())
		}, []string{"position=xxx/oo./...", "position=x../.../...&moves=a3"}},
		{func(_ *testing.T, text string) error {
			_, err := games.ParseMove(games.Game[tictactoe.Position, tictactoe.Move](tictactoe.Game{}), tictactoe.Game{}.Start(), text)
			return err
		}, []string{"z9"}},
	} {
	texts:
		for _, text := range c.texts {
			err := c.refusal(t, text)
			require.Error(t, err, text)
			if bilingual.Translation(err) != "" { // which the server sends
				continue
			}
			for _, r := range known {
				if r.MatchString(err.Error()) {
					met[r] = true
					continue texts
				}
			}
			require.Fail(t, "not in Japanese", "%s: %v", text, err)
		}
	}
	require.Len(t, met, len(known), "each reason is given")
}
