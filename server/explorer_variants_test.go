//go:build !race

package server_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/server"
)

// TestExplorerVariants looks at the boards and the words of games from files.
func TestExplorerVariants(t *testing.T) {
	needBrowser(t)
	list, _, err := standard.Variants.Variants(nil)
	require.NoError(t, err)
	var games []server.Search
	for _, name := range []string{"crazyhouse", "spartan", "xiangqi", "minishogi", "hexapawn", "variant:shogi"} {
		g, err := list[slices.IndexFunc(list, func(p ui.Plugin) bool { return p.Name == name })].Open(name)
		require.NoError(t, err)
		games = append(games, server.NewSearch(server.SearchSource{Name: g.Name(), Title: g.Family.Title, Game: g}))
	}
	s := httptest.NewServer(newServer(t, server.Config{Searches: games}))
	t.Cleanup(s.Close)
	p := open(t, s, "")
	for _, c := range []struct {
		name, english, japanese string // the game, and its title, its side to move and what values leave out
		selector                string // of what is drawn
		count                   int
	}{
		{"crazyhouse", "Crazyhouse, White to move, the draw after 50 moves without progress", "クレイジーハウス, 白の手番, 50 手ずつ進展がないときの引き分け", "#board .dark", 32},
		{"spartan", "Spartan, White to move, the draw after 50 moves without progress", "Spartan, 白の手番, 50 手ずつ進展がないときの引き分け", "#board .letter", 12},
		{"xiangqi", "Xiangqi, Red to move, the ban on perpetual chases", "シャンチー, 赤の手番, 駒を追い続ける手の禁止", "#board .river", 2},
		{"minishogi", "Minishogi, Sente to move, the result of a position that comes 4 times", "5五将棋, 先手の手番, 同一局面 4 回の裁定", "#board .koma", 12},
		{"hexapawn", "Hexapawn, White to move, ", "Hexapawn, 白の手番, ", "#board .figure .inner", 6},
		{"variant:shogi", "Shogi (variant), Sente to move, the ban on perpetual check", "将棋, 先手の手番, 連続王手の禁止", "#board .koma", 40},
	} {
		p.visit("?game=" + c.name)
		for _, words := range []string{c.english, c.japanese} {
			p.ready()
			says := strings.Split(words, ", ")
			require.Equal(t, says[:2], []string{p.text("h1"), p.text("#verdict-text")})
			require.Contains(t, p.text("h1 + p"), says[2])
			require.NotContains(t, p.text("h1 + p"), "=")
			p.click("#do-language")
		}
		require.Equal(t, c.count, p.nodes(c.selector), c.name)
		require.Empty(t, js[[]string](p, "[...document.querySelectorAll('#board text')].map((e) => e.textContent).filter((text) => text === 'undefined')"), c.name)
	}
	// What is drawn is there, and hands are only as large as what is in them.
	tray := func(i int) float64 {
		return js[float64](p, fmt.Sprintf("document.querySelectorAll('#board .tray')[%d].getBoundingClientRect().height / document.querySelector('#board .cell').getBoundingClientRect().height", i))
	}
	p.visit("?game=crazyhouse&moves=e2e4,d7d5,e4d5")
	p.ready()
	p.until("[...document.querySelectorAll('#board .figure use')].every((e) => e.getBBox().height > 20)")
	require.Less(t, tray(0), 0.4)
	require.Greater(t, tray(1), 0.9)
	p.click(square("1*pawn"))
	p.click("#do-setup")
	p.until("document.querySelectorAll('#board .cell[data-place*=\"*\"]').length === 12")
	p.sound()
}
