//go:build !race

package server_test

import (
	"fmt"
	"iter"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

// TestExplorerReview goes through games and databases, and trains.
func TestExplorerReview(t *testing.T) {
	needBrowser(t)
	src := source(t, "tictactoe", retro.Reachable)
	src.Game = recording(src.Game, lines)
	src.Puzzles = []server.Puzzle{{Position: "xx./.o./...", Aim: "save", Rank: 0.1}}
	handler := newServer(t, server.Config{
		Databases: []server.Database{
			server.NewDatabase(src),
			server.NewDatabase(source(t, "dobutsu:size=3x3", retro.Reachable)),
			server.NewDatabase(source(t, "awari:stones=6", retro.All)),
		},
		Searches: []server.Search{played(t, "connect4"), fours(t)},
	})
	handler.Check(t.Context())
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	for _, c := range []struct {
		name string
		test func(*testing.T, *httptest.Server)
	}{
		{"Who", testWho}, {"Hidden", testHidden}, {"Variations", testVariations}, {"Records", testRecords}, {"Guess", testGuess}, {"Puzzle", testPuzzle},
		{"Estimates", testEstimates}, {"Browse", testBrowse}, {"Focus", testFocus}, {"Draft", testDraft},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, s) })
	}
}

// lines reads games of tic-tac-toe: the moves on each line.
func lines(g *app.Game, text []byte) iter.Seq2[app.Recorded, error] {
	return func(yield func(app.Recorded, error) bool) {
		for line := range strings.Lines(string(text)) {
			moves, _, err := games.ParseMoves(g.Board, g.Start(), strings.Fields(line))
			if !yield(app.Recorded{From: g.Start(), Moves: moves}, err) {
				return
			}
		}
	}
}

// testWho compares the colour of a position's value with that of the move that leads there: it says
// who wins, whoever is to move.
func testWho(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe+"&moves=b2,a2")
	p.ready()
	require.Equal(t, "X to move: X wins in 5 plies", strings.TrimSpace(p.text("#verdict-text")))
	require.Equal(t, 1, p.nodes(".verdict.win"))
	require.Equal(t, 1, p.nodes(".chart .point.win"))
	p.click(".move.best")
	p.made(3)
	require.Equal(t, "O to move: X wins in 4 plies", strings.TrimSpace(p.text("#verdict-text")))
	require.Equal(t, 1, p.nodes(".verdict.win"), "X still wins")
	require.Equal(t, 6, p.nodes(".move .value.win"))
	require.Equal(t, "▲ 4", p.text(".move .value [aria-hidden]"))
	require.Equal(t, "X wins in 4 plies", js[string](p, "document.querySelector('.move .value .unseen').textContent"))
	require.Equal(t, 2, p.nodes(".chart .point.win"))
	p.click("#do-language")
	p.until("document.querySelector('#verdict-text').innerText.includes('○の手番: ×が 4 手で勝ち')")
	p.click("#do-language")

	p.visit(smallAwari)
	p.ready()
	for _, at := range []string{"#verdict-text", ".move .unseen"} {
		text := js[string](p, "document.querySelector('"+at+"').textContent")
		require.Regexp(t, `(South|North) gets \d+ points? more|even`, text)
	}
	p.sound()
}

// testHidden hides the values and looks for them in everything that the page says, then on the first page.
func testHidden(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe+"&moves=b2,a2,b1,b3,c3")
	p.ready()
	p.made(5)
	const said = `document.body.innerHTML.replace(/<option.*?<\/option>/g, '')`
	shown := js[string](p, said)
	words := []string{" wins in ", "a draw", ">draw", "draw ", "▲", ">=", "▼", "gives the", "best<", "?, ", "class=\"verdict win", "value win", "mark win"}
	for _, w := range []string{" wins in ", "▲", ">=", "gives the", "?, "} {
		require.Contains(t, shown, w)
	}
	p.run(chromedp.KeyEvent("h"))
	p.until("document.querySelector('.chart') === null")
	for ply := range 6 {
		p.run(chromedp.KeyEvent(kb.Home))
		for range ply {
			p.run(chromedp.KeyEvent(kb.ArrowRight))
		}
		hidden := js[string](p, said)
		for _, w := range words {
			require.NotContains(t, hidden, w, "ply %d", ply)
		}
	}
	p.click(square("a1"))
	p.made(6)
	require.Equal(t, "O: a1. X to move. ", js[string](p, "document.querySelector('#live').textContent"), "a screen reader is told no value")
	p.visit("")
	p.until("document.querySelectorAll('a.card svg').length === 5")
	require.Zero(t, p.nodes("a.card .value:not(:empty)"))
	p.visit(ticTacToe)
	p.ready()
	p.run(chromedp.KeyEvent("h"))
	p.until("document.querySelector('.chart') !== null")
	p.sound()
}

// testVariations leaves a game twice and comes back to it.
func testVariations(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe+"&moves=b2,a1,c3,a3")
	p.ready()
	p.made(4)
	p.click("#do-first")
	p.run(chromedp.KeyEvent(kb.ArrowRight))
	p.click(square("a2"))
	p.made(2)
	require.Equal(t, 1, p.nodes(".variation"))
	require.Equal(t, "2 a1", p.text(".record .variation li button"))
	p.click(square("b1"))
	p.made(3)
	require.Contains(t, js[string](p, "location.search"), "moves=b2,a2,b1")
	p.click("#do-main")
	p.made(4)
	require.Equal(t, "2 a1", p.text(".record [aria-current]"))
	require.Contains(t, p.text(".record .variation"), "2 a2")
	require.Contains(t, p.text(".record .variation"), "3 b1")
	require.Contains(t, js[string](p, "location.search"), "moves=b2,a1,c3,a3&ply=2")
	p.click(".record .variation li:nth-child(2) button")
	p.made(3)
	p.until("document.querySelector('.record [aria-current]').innerText.startsWith('3 b1')")
	require.NotEqual(t, "BODY", js[string](p, "document.activeElement.tagName"))
	p.run(chromedp.NavigateBack())
	p.run(chromedp.NavigateBack())
	p.until("!location.search.includes('b1')")
	p.until("document.querySelector('.variation') !== null")
	p.sound()
}

// testRecords pastes two games, opens one of them, and finds where it was lost.
func testRecords(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	p.click("#records summary")
	p.run(chromedp.SetValue(chromedp.ID("record-text"), "b2 a1\nb2 a2 b1 b3 c3 z9\n"))
	js[bool](p, "document.querySelector('#record-text').dispatchEvent(new Event('input')), true")
	p.click("#do-open")
	p.until("document.querySelector('#record-told').innerText === '2 games'")
	p.click("#record-2")
	p.made(5)
	require.Contains(t, p.text("#alert"), `move "z9"`)
	require.Equal(t, "b2 a1\nb2 a2 b1 b3 c3 z9\n", js[string](p, "document.querySelector('#record-text').value"), "the text stays")
	require.True(t, js[bool](p, "document.querySelector('#do-back').disabled"), "the game begins at its start")
	require.Contains(t, p.text("#mistakes"), "X 1, O 1")
	p.click("#do-mistake")
	p.until("document.querySelector('.record [aria-current]')?.innerText === '2 a2 ?, draw → loss'")
	require.Regexp(t, `^Instead of a2: ([ac][13](, )?){4}$`, p.text("#instead"))
	p.click("#do-mistake")
	p.until("document.querySelector('.record [aria-current]').innerText.startsWith('5 c3')")

	// The record with its mistakes, and of a game that was opened whole what else it says.
	js[bool](p, "URL.createObjectURL = (blob) => (blob.text().then((text) => (window.saved = text)), 'about:blank#'), HTMLAnchorElement.prototype.click = function () { window.savedAs = this.download }, true")
	p.click("#do-annotated-pgn")
	p.until("window.saved !== undefined")
	require.Equal(t, "game.pgn", js[string](p, "window.savedAs"))
	require.Contains(t, js[string](p, "window.saved.replaceAll('\\n', ' ')"), "1. b2 a2? {yomikiri: ? Proven by database: draw; draw → loss} ({yomikiri} 1... ")
	require.NotContains(t, js[string](p, "window.saved"), "[Site")
	const notation = "[Game \"tictactoe\"]\n[Round \"1\"]\n[Position \".../.../...\"]\n[Site \"here\"]\n1. b2 {the centre} a2 *\n"
	p.run(chromedp.SetValue(chromedp.ID("record-text"), notation))
	js[bool](p, "document.querySelector('#record-text').dispatchEvent(new Event('input')), delete window.saved")
	p.click("#do-open")
	p.made(2)
	p.click("#do-annotated-pgn")
	p.until("window.saved !== undefined")
	require.Contains(t, js[string](p, "window.saved"), "[Site \"here\"]\n1. b2 {the centre} 1... a2? {yomikiri: ? Proven by database")

	p.visit("?game=dobutsu%3Asize%3D3x3")
	p.ready()
	p.click("#records summary")
	p.click("#do-open")
	p.until("document.querySelector('#record-told').className === 'alert'")
	p.sound("400", "404")
}

// testGuess guesses the moves of a game, and then the only moves of a position that keep a draw.
func testGuess(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe+"&moves=b2,a1,c3,a3,a2&ply=0")
	p.ready()
	p.made(5)
	choose(p, "guess", "2") // the moves of O
	p.made(1)               // that of X is made
	require.Zero(t, p.nodes(".chart, .mark, .move .value"), "nothing is told")
	require.True(t, js[bool](p, "document.querySelector('#do-line').disabled"))
	p.click(square("b1"))
	p.until("document.querySelector('#guess-told').innerText.startsWith('b1 is wrong (gives the draw away)')")
	p.made(1)
	p.click("#do-hint")
	p.until("document.querySelector('#guess-told').innerText === '4 of 8 moves are right'")
	p.click("#do-hint")
	p.until("document.querySelector('#guess-told').innerText === 'It is a1'")
	require.Equal(t, "do-hint", js[string](p, "document.activeElement.id"))
	p.click(square("c1"))
	p.until("document.querySelector('#guess-told').innerText.startsWith('c1 is right')")
	require.Contains(t, p.text("#guess-told"), "in the game: a1")
	p.made(3)
	require.Equal(t, "Right at the first try: 0 of 1", p.text("#guess-count"))
	p.click(square("a3"))
	p.made(5)
	require.Equal(t, "Right at the first try: 1 of 2", p.text("#guess-count"))
	choose(p, "guess", "0")
	p.until("document.querySelector('.chart') !== null")

	p.visit(ticTacToe + "&position=xx./.o./...")
	p.ready()
	choose(p, "guess", "3")
	p.click("#do-hint")
	p.until("document.querySelector('#guess-told').innerText === '1 of 6 moves are right'")
	p.click(square("a1"))
	p.until("document.querySelector('#guess-told').innerText.startsWith('a1 is wrong (gives the draw away)')")
	p.click(square("c3"))
	p.made(1)
	require.Contains(t, p.text("#guess-told"), "c3 is right")
	p.sound()
}

// testPuzzle asks for puzzles, and counts them.
func testPuzzle(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	for n, level := range []string{"", "5"} {
		choose(p, "puzzle-level", level)
		p.click("#do-puzzle")
		p.until("document.querySelector('#guess-told')?.innerText === 'One move saves the draw: which?'")
		require.Equal(t, "do-puzzle", js[string](p, "document.activeElement.id"))
		require.Zero(t, p.nodes(".chart, .mark, .move .value"), "nothing is told")
		p.click(square("c3"))
		p.made(1)
		require.Contains(t, p.text("#guess-told"), "c3 is right")
		require.Equal(t, fmt.Sprintf("Right at the first try: %d of %[1]d", n+1), p.text("#guess-count"))
	}
	p.sound()
	p = open(t, s, "?game=dobutsu:size%3D3x3")
	p.ready()
	require.Zero(t, p.nodes("#do-puzzle"), "there are none")
}

// testEstimates has a game without a database judged: by estimates that look like none, and by what is proven.
func testEstimates(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=connect4&moves=d,a,d,a,d,a,g,g,b,b")
	p.ready()
	p.made(10)
	require.Zero(t, p.nodes(".chart, #estimate"))
	p.click("#estimates")
	p.until("document.querySelectorAll('.chart .point.estimate, .chart .point.win, .chart .point.loss').length === 11")
	require.Equal(t, "Proven by full search: Yellow wins in 1 ply", p.text("#estimate"))
	require.Zero(t, p.nodes(".verdict.win, .verdict.loss"), "the page has no value")
	require.Contains(t, p.text(".record"), "7 g ??, win 1 → loss 2")
	p.click(".record li:nth-child(1) button")
	p.until("document.querySelector('#estimate')?.innerText.startsWith('Estimate of a search, not a value: ')")
	p.click("#do-mistake")
	p.until("document.querySelector('#instead') !== null")
	require.Equal(t, "do-mistake", js[string](p, "document.activeElement.id"))
	p.click("#estimates")
	p.until("document.querySelector('.chart') === null")
	require.NotContains(t, p.text("main"), "Estimate of")
	p.sound()
}

// testBrowse lists the longest wins, all positions of a value, and zugzwangs, and goes to some.
func testBrowse(t *testing.T, s *httptest.Server) {
	p := open(t, s, noChicks)
	p.ready()
	p.click("#browse summary")
	p.until("document.querySelector('.bars') !== null")
	require.Regexp(t, `^side to move wins: [\d,]+, draw: [\d,]+, side to move loses: [\d,]+$`, js[string](p, "document.querySelector('.bars').getAttribute('aria-label')"))
	require.Equal(t, p.nodes(".bars rect"), p.nodes("#browse tbody tr"))
	p.click("#longestWins")
	p.until("document.querySelector('#browse-told').innerText.startsWith('side to move wins in 33: ')")
	p.click("#browse-found button")
	p.until("document.querySelector('#verdict-text').innerText.includes('wins in 33 plies')")
	require.Positive(t, p.nodes("#browse[open] #browse-found button"), "the list stays")
	choose(p, "browse-value", "loss in 2")
	p.click("#zugzwang")
	p.click("#do-browse")
	p.until("document.querySelector('#browse-told').innerText.startsWith('side to move loses in 2: ')")
	before := p.position()
	p.click("#randomPosition")
	p.until("document.querySelector('#position').value !== '" + before + "'")
	p.click("#do-language")
	p.until("document.querySelector('#browse-told').innerText.startsWith('手番側が 2 手で負け')")
	p.click("#do-language")
	p.visit("?game=connect4")
	p.ready()
	require.Zero(t, p.nodes("#browse"), "there is no database")
	p.sound()
}

// testFocus uses what makes other elements disappear. The focus never drops to the body.
func testFocus(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	held := func(what string) {
		t.Helper()
		p.until("!document.querySelector('[aria-busy=true]')")
		require.NotEqual(t, "BODY", js[string](p, "document.activeElement.tagName"), what)
	}
	for i, m := range []string{"b2", "a1", "c3"} {
		js[bool](p, "document.querySelector('[data-move="+m+"]').focus(), true")
		p.run(chromedp.KeyEvent(kb.Enter))
		p.made(i + 1)
		held("a move of the list")
	}
	for _, id := range []string{"#do-first", "#do-forward", "#do-last", "#do-back", "#do-flip", "#do-restart", "#do-line", "#hints", "#hints"} {
		p.click(id)
		held(id)
	}
	p.click("#do-setup")
	held("set up")
	for _, id := range []string{"#setup-clear", "#brush-2-mark", "#setup-reset"} {
		p.click(id)
		held(id)
	}
	p.until("!document.querySelector('#setup-accept').disabled")
	p.click("#setup-accept")
	p.until("document.querySelector('#setup-accept') === null")
	held("explore")
	p.until("document.activeElement.id === 'do-setup'")
	p.click("#browse summary")
	p.until("document.querySelector('#randomPosition') !== null")
	p.click("#randomPosition")
	p.until("document.querySelector('#position').value !== '.../.../...' && location.search.includes('position')")
	p.until("document.activeElement.id === 'randomPosition'")
	p.click("#do-language")
	held("language")
	p.click("#do-language")
	p.run(chromedp.NavigateBack())
	held("back")
	p.visit("")
	p.until("document.querySelectorAll('a.card').length === 5")
	p.click("a.card")
	p.ready()
	held("a card")
	p.run(chromedp.NavigateBack())
	p.until("document.querySelectorAll('a.card').length === 5")
	held("home")
	p.sound()
}

// testDraft leaves Set up in all ways. What was set up is there when it is opened again.
func testDraft(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe+"&moves=b2")
	p.ready()
	p.click("#do-setup")
	p.click("#brush-1-mark")
	p.click(square("a1"))
	p.click("#brush-2-mark")
	p.click(square("c1"))
	const pieces = "document.querySelectorAll('#board .pieces > *').length"
	p.until(pieces + " === 3")
	p.click("#do-language")
	p.until("document.documentElement.lang === 'ja' && document.querySelector('#setup-accept') !== null")
	p.until(pieces + " === 3")
	p.click("#do-language")
	p.until("document.documentElement.lang === 'en'")
	p.run(chromedp.KeyEvent(kb.Escape))
	p.until("document.querySelector('#setup-accept') === null && " + pieces + " === 1")
	p.click("#do-setup")
	p.until(pieces + " === 3")
	p.click("#setup-reset")
	p.until(pieces + " === 1")
	p.run(chromedp.KeyEvent(kb.Escape))
	p.until("document.activeElement.id === 'do-setup'")
	p.made(1)
	p.sound("400")
}
