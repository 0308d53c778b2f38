//go:build !race

package server_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

// TestExplorerOpponent plays against searches: with a database, with one of a part of the game, and
// without.
func TestExplorerOpponent(t *testing.T) {
	needBrowser(t)
	begun, end := make(chan bool), make(chan bool)
	plain, err := app.New(games.NewFamily(tictactoe.Family.Info, func(games.Rules) text { return text{tictactoe.Game{}, tictactoe.Game{}} })).Open("tictactoe")
	require.NoError(t, err)
	e, err := plain.Evaluation()
	require.NoError(t, err)
	handler := newServer(t, server.Config{
		Databases: []server.Database{
			server.NewDatabase(source(t, "tictactoe", retro.Reachable)),
			server.NewDatabase(source(t, "awari:stones=3", retro.All)),
		},
		Searches: []server.Search{
			fours(t), mates(t), played(t, "connect4"), played(t, "checkers:size=6x6"), played(t, "shogi"), played(t, "hex:size=4x4"),
			server.NewSearch(server.SearchSource{
				Name: "text", Title: "Text", Game: plain, Evaluation: e,
			}),
			firstMoves(t, func(context.Context) error {
				begun <- true
				<-end
				return nil
			}),
		},
		Limits: server.Limits{Searches: 1, Wait: time.Millisecond},
	})
	handler.Check(t.Context())
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)

	t.Run("Home", func(t *testing.T) {
		p := open(t, s, "")
		p.until("document.querySelectorAll('a.card svg').length === 9")
		require.Contains(t, p.text("a.card[href*=connect4]"), "To play")
		p.click("a.card[href*=shogi]")
		p.ready()
		p.sound()
	})
	t.Run("Keyboard", func(t *testing.T) {
		p := open(t, s, "?game=connect4")
		p.ready()
		require.Zero(t, p.nodes(".moves, .chart, #strength, #hints"))
		require.Equal(t, "Red you computer", js[string](p, "document.querySelector('label:has(#player2)').innerText.split(/\\s+/).join(' ')"))
		js[bool](p, "document.querySelector('#player2').focus(), true")
		p.run(chromedp.KeyEvent("c")) // computer
		p.until("document.querySelector('#strength') !== null && document.activeElement.id === 'player2'")
		require.Equal(t, "level5", js[string](p, "document.querySelector('#strength').value"))
		require.Equal(t, 10, p.nodes("#strength option"))
		p.run(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Home))
		p.until("document.querySelector('#strength').value === 'level1' && document.activeElement.id === 'strength'")
		require.Equal(t, "level 1 (beginner)", js[string](p, "document.querySelector('#strength').selectedOptions[0].textContent"))
		js[bool](p, "document.querySelector('.cell[data-place=d6]').focus(), true")
		p.run(chromedp.KeyEvent(kb.Enter))
		p.made(2)
		require.Regexp(t, `^Estimate of a search, not a value: ((Yellow|Red) wins ~\d+\x{a0}%|about equal)$`, p.text("#estimate"))
		require.Regexp(t, `Red: [a-g]\. Yellow to move\. Estimate of a search, not a value: `, p.text("#live"))
		require.Equal(t, "Yellow to move", strings.TrimSpace(p.text("#verdict-text")), "an estimate is no value")
		p.click("#do-back")
		p.until("document.querySelector('#estimate') === null")
		p.click("#do-language")
		p.until("document.querySelector('#strength').selectedOptions[0].textContent === 'レベル 1（初心者）'")
		p.click("#do-language")
		p.sound()
	})
	t.Run("Hexagons", func(t *testing.T) {
		p := open(t, s, "?game=hex%3Asize%3D4x4")
		p.ready()
		require.Equal(t, 16, p.nodes("#board .ground .hexagon"))
		require.Equal(t, "ABCDABCD1234", js[string](p, "[...document.querySelectorAll('#board .label')].map((e) => getComputedStyle(e).textTransform === 'uppercase' ? e.textContent.toUpperCase() : '').join('')"))
		require.Equal(t, "Red to move ×0 top to bottom|Blue ×0 left to right", js[string](p, "[...document.querySelectorAll('#sides p')].map((e) => e.textContent.replace('stone', '').replace('×0', '×0 ').replace(/ +/g, ' ').trim()).join('|')"))
		require.Equal(t, 8, p.nodes("#board .ground .edge.side1"))
		require.Equal(t, 8, p.nodes("#board .ground .edge.side2"))
		js[bool](p, "document.querySelector('.cell[data-place=b1]').focus(), true")
		for _, step := range [][2]string{{kb.ArrowDown, "b2"}, {kb.ArrowRight, "c2"}, {kb.ArrowDown, "c3"}, {kb.ArrowUp, "c2"}, {kb.ArrowUp, "c1"}} {
			p.run(chromedp.KeyEvent(step[0]))
			require.Equal(t, step[1], js[string](p, "document.activeElement.dataset.place"), "up and down keep to the column")
		}
		p.click(square("c1"))
		p.made(1)
		p.run(chromedp.KeyEvent("f"))
		left := func(name string) int {
			return js[int](p, fmt.Sprintf("Math.round(document.querySelector('.cell[data-place=%s]').getBoundingClientRect().left)", name))
		}
		require.Less(t, left("d4"), left("a4"), "the board is turned")
		require.Less(t, left("a4"), left("a1"))
		p.sound()
	})
	t.Run("Both", func(t *testing.T) { // to the end, by itself
		p := open(t, s, "?game=checkers%3Asize%3D6x6&position=B:W12:BK2,K3")
		p.ready()
		computer(p, 1, "level10")
		computer(p, 2, "level10")
		p.until("document.querySelector('#verdict-text').innerText.includes('The game is over: Black has won')")
		require.Greater(t, p.nodes(".record li"), 2)
		person(p, 1)
		person(p, 2)
		p.sound()
	})
	t.Run("Text", func(t *testing.T) {
		p := open(t, s, "?game=text")
		p.ready()
		require.Equal(t, 9, p.nodes(".move"))
		require.Zero(t, p.nodes("#hints"))
		computer(p, 2, "level10")
		p.click(".move[data-move=a1]")
		p.made(2)
		require.Equal(t, ".../.o./x..", p.position())
		require.Equal(t, "Proven by full search: draw", p.text("#estimate"))
		person(p, 2)
		p.sound()
	})
	t.Run("Database", func(t *testing.T) {
		p := open(t, s, ticTacToe)
		p.ready()
		computer(p, 2, "level10")
		require.Equal(t, 7+10, p.nodes("#strength option"))
		p.click(square("a1"))
		p.made(2)
		require.Equal(t, "2 b2", js[string](p, "document.querySelector('.record li:nth-child(2)').innerText"))
		require.Zero(t, p.nodes("#estimate"), "the value is known")
		p.sound()

		// The database of three stones does not hold this position.
		p.visit("?game=awari%3Astones%3D3&position=1,1,1,1,1,1,1,1,1,1,1,1")
		p.until("document.querySelector('#verdict')?.innerText.includes('the database does not hold the position')")
		p.click(square("A"))
		p.made(2)
		require.Contains(t, p.text("#estimate"), "not a value: ")
		require.NotContains(t, p.text(".moves"), "gives")
		person(p, 2)
		p.sound("404")
	})
	t.Run("Searches", func(t *testing.T) {
		p := open(t, s, "?game=tsume")
		p.ready()
		require.Zero(t, p.nodes("#players select"), "a problem is not played")
		p.sound()
	})
	t.Run("Busy", func(t *testing.T) {
		code := make(chan int)
		go func() { code <- ask(handler, "/api/v1/first").Code }()
		<-begun
		p := open(t, s, "?game=connect4")
		p.ready()
		computer(p, 1, "level1")
		p.until("document.querySelector('#alert').innerText.includes('too many requests at a time')")
		close(end)
		p.made(1)
		require.Equal(t, 200, <-code)
		p.until("document.querySelector('#alert').hidden")
		p.sound("503")
	})
}

// computer gives a side to the computer, of some strength.
func computer(p *tab, side int, strength string) {
	choose(p, "player"+string(rune('0'+side)), "1")
	p.until("document.querySelector('#strength') !== null")
	choose(p, "strength", strength)
}

func person(p *tab, side int) { choose(p, "player"+string(rune('0'+side)), "0") }

func choose(p *tab, id, value string) {
	p.run(chromedp.SetValue(chromedp.ID(id), value))
	js[bool](p, "document.querySelector('#"+id+"').dispatchEvent(new Event('change')), true")
}
