//go:build !race

package server_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

// TestExplorerUnsolved plays on boards that no database has.
func TestExplorerUnsolved(t *testing.T) {
	needBrowser(t)
	part := source(t, "awari:stones=4", retro.All)
	part.Named = true
	handler := newServer(t, server.Config{
		Databases: []server.Database{server.NewDatabase(part), server.NewDatabase(source(t, "awari:stones=3", retro.All))},
		Searches: []server.Search{
			fours(t), played(t, "othello"), played(t, "checkers"), played(t, "dobutsu"), played(t, "shogi"), played(t, "connect4"),
			played(t, "hex:size=5x5,swap=yes"), played(t, "gomoku:size=19x19"),
		},
	})
	handler.Check(t.Context())
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	for _, c := range []struct {
		name string
		test func(*testing.T, *httptest.Server)
	}{
		{"Targets", testTargets}, {"Counts", testCounts}, {"Candidates", testCandidates}, {"Unplaced", testUnplaced}, {"Tiny", testTiny},
		{"Beside", testBeside}, {"Opened", testOpened}, {"Parts", testParts}, {"KeysAlone", testKeysAlone},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, s) })
	}
}

// testTargets looks for the dots and rings of legal moves, and for why a tap makes none.
func testTargets(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=othello")
	goals := func(n, taken int) {
		t.Helper()
		p.until(fmt.Sprintf("document.querySelectorAll('#board .goal').length === %d", n))
		require.Equal(t, taken, p.nodes("#board .goal.taken"))
	}
	tap := func(name, says string) {
		t.Helper()
		p.click(square(name))
		p.until(fmt.Sprintf("document.querySelector('#tap').textContent === %q", says))
	}
	p.ready()
	goals(4, 0)
	tap("a1", "Not a legal move: a1")
	require.Equal(t, "status", js[string](p, "document.querySelector('#tap').getAttribute('role')"))
	p.click("#do-language")
	p.until("document.querySelector('#tap').textContent === '指せない手です: a1'")
	p.click("#do-language")
	p.click(square("f5"))
	p.made(1)
	require.Empty(t, p.text("#tap"))
	p.sound()

	p.visit("?game=dobutsu")
	p.ready()
	goals(0, 0)
	p.click(square("b3"))
	goals(1, 1)
	tap("a3", "Not a legal move: b3 → a3")
	tap("a1", "Sente to move")
	p.click(square("b3"))
	p.click(square("b2"))
	p.made(1)
	p.click(square("b1")) // takes the piece back
	p.click(square("b2"))
	p.made(2)
	p.click(square("1*chick"))
	goals(6, 0)
	p.click(square("1*chick"))
	goals(0, 0)
	require.Empty(t, p.text("#tap"), "the hand was put back")

	p.visit("?game=checkers")
	p.ready()
	tap("1", "1: no legal move from here")
	p.visit("?game=hex%3Asize%3D5x5%2Cswap%3Dyes")
	p.ready()
	goals(0, 0)
	p.sound()
}

// testCounts reads how many discs, pieces and pieces in hand there are.
func testCounts(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=othello&moves=f5")
	sides := func(one, two string) {
		t.Helper()
		p.ready()
		for i, want := range []string{one, two} {
			require.Equal(t, want, js[string](p, fmt.Sprintf("document.querySelector('#sides .side%d').textContent.trim()", i+1)))
		}
	}
	sides("Black disc×4", "White to move disc×1")
	require.Equal(t, 1, p.nodes("#sides .turn.side2"))
	require.Equal(t, 1, p.nodes("#do-line[hidden]"), "there is no line")
	p.visit("?game=checkers&position=B:WK5,11:BK1,2,3")
	sides("Black to move man×2 king×1", "White man×1 king×1")
	p.visit("?game=dobutsu&moves=b3b2,b1b2")
	sides("Sente to move 3 pieces + chick×1", "Gote 3 pieces + chick×1")
	p.visit("?game=awari")
	p.ready()
	require.Equal(t, "South to move", p.text("#sides"), "the stores are on the board")
	p.sound("404")
}

// testCandidates shows the best moves, which are estimated or proven.
func testCandidates(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=connect4&moves=d,a,d,a,d")
	p.ready()
	require.Zero(t, p.nodes("#candidates"))
	p.click("#estimates")
	p.until("document.querySelectorAll('#candidates li').length === 5 && !document.querySelector('.waiting')")
	require.Equal(t, "d", p.text("#candidates li:first-child .name"), "best first")
	require.Equal(t, "Estimate of a search, not a value: Yellow wins ~80\u00a0%", p.text("#estimate"), "what the best move says")
	require.Equal(t, "Red wins ~20\u00a0%", p.text("#candidates .estimated .cost"))
	require.Equal(t, 1, p.nodes("#candidates .estimated .rate"))
	require.Zero(t, p.nodes("#candidates .estimated .value"), "an estimate is no value")
	require.Equal(t, 4, p.nodes("#candidates .value.win"), "Yellow wins")
	require.Contains(t, p.text("#candidates li:last-child"), "proven by full search")
	require.Equal(t, "Red to move", p.text("#verdict-text"))
	p.click("#candidates .move[data-move=d]")
	p.made(6)
	p.until("document.querySelector('#candidates .move') !== null")
	p.click("#do-language")
	p.until("/の勝率 ～|明確な差なし/.test(document.querySelector('#candidates .estimated .cost')?.textContent)")
	p.click("#do-language")
	p.click("#estimates")
	p.until("document.querySelector('#candidates') === null")
	p.sound()
}

// testUnplaced makes a move that is on no empty square.
func testUnplaced(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=hex%3Asize%3D5x5%2Cswap%3Dyes")
	p.ready()
	p.click(square("c3"))
	p.made(1)
	p.click("#tap button[data-move=swap]")
	p.made(2)
	p.sound()
}

// testTiny taps squares that are too small for a finger: one tap marks, and another one or a button confirms.
func testTiny(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=othello")
	p.changed = true
	p.run(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
	p.visit("?game=gomoku%3Asize%3D19x19")
	p.ready()
	p.click(square("k10"))
	p.until("document.querySelector('#do-confirm') !== null")
	require.Contains(t, p.text("#tap"), "K10: tap it again, or")
	p.made(0)
	p.click(square("l11"))
	p.until("document.querySelector('#tap').textContent.startsWith('L11')")
	require.Equal(t, 1, p.nodes("#board .chosen"))
	p.click(square("l11"))
	p.made(1)
	p.click(square("k10"))
	p.click("#do-confirm")
	p.made(2)
	js[bool](p, `document.querySelector('.cell[data-place="a1"]').focus(), true`)
	p.run(chromedp.KeyEvent(kb.Enter)) // a key means what it says
	p.made(3)
	p.sound()
}

// testBeside searches in the middle of a game, which stays.
func testBeside(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=gomoku&position=15/15/15/15/15/6o8/5o9/6xxx6/7o7/15/15/15/15/15/15%20x&moves=a1,a2,a3,a4&ply=2")
	p.ready()
	p.click("#do-search")
	p.until("document.querySelector('#result')?.innerText.includes('a forced win by fours in at most 2 moves')")
	p.made(5)
	require.Equal(t, 3, p.nodes("#board .zone"))
	require.Equal(t, []string{"F8", "E8", "J8"}, js[[]string](p, "[...document.querySelectorAll('.record > li > button')].slice(2).map((e) => e.textContent.split(' ')[1])"))
	second := open(t, s, "?"+js[string](p, "location.search.slice(1)"))
	second.until("document.querySelector('#result') !== null") // the link finds it again
	second.made(5)
	second.sound()
	p.click("#do-main")
	p.made(4)
	require.Zero(t, p.nodes("#board .zone"))
	p.click("#do-found")
	p.made(5)
	p.click("#do-search")
	p.until("document.querySelector('#do-search') !== null && document.querySelector('#result') !== null")
	p.made(5)
	p.sound()
}

// testOpened opens a record with players and a result.
func testOpened(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=connect4")
	p.ready()
	p.click("#records summary")
	const record = "[Game \"connect4\"]\n[Round \"1\"]\n[First \"Ada\"]\n[Second \"Bob\"]\n[Position \"%s\"]\n[Result \"1-0\"]\n1. d c 1-0\n"
	p.run(chromedp.SetValue(chromedp.ID("record-text"), fmt.Sprintf(record, p.position())))
	p.click("#do-open")
	p.made(2)
	require.Equal(t, "Ada - Bob · result: Yellow has won", p.text("#opened"))
	p.click("#do-restart")
	p.made(0)

	p.visit("?game=checkers")
	p.ready()
	p.click("#records summary")
	p.run(chromedp.SetValue(chromedp.ID("record-text"), "[Event \"x\"]\n[Black \"Ada\"]\n[White \"Bob\"]\n[TimeControl \"60\"]\n[Result \"0-1\"]\n1. 11-15 {[%clk 0:00:55]} 23-19 {[%clk 0:00:50]} 0-1\n"))
	p.click("#do-open")
	p.made(2)
	require.Equal(t, "Ada - Bob · result: White has won", p.text("#opened"))
	p.click("#do-last")
	p.until("document.querySelector('#do-last').disabled")
	require.Equal(t, []string{" 0:05", " 0:10"}, js[[]string](p, "[...document.querySelectorAll('#sides .clock')].map((e) => e.textContent)"))

	p.visit("?game=shogi")
	p.ready()
	p.click("#records summary")
	p.run(chromedp.SetValue(chromedp.ID("record-text"), "先手：羽\n後手：藤\n手数----指手---------消費時間--\n1 ７六歩(77) ( 0:12/00:00:12)\n2 ３四歩(33) ( 1:05/00:01:05)\n3 投了\n"))
	p.click("#do-open")
	p.made(2)
	require.Equal(t, "羽 - 藤 · result: White has won (resignation)", p.text("#opened"))
	p.click("#do-last")
	p.until("document.querySelector('#do-last').disabled")
	require.Equal(t, []string{" 0:12", " 1:05"}, js[[]string](p, "[...document.querySelectorAll('#sides .clock')].map((e) => e.textContent)"))
	p.sound()
}

// testParts has one card for a game and the databases of its parts.
func testParts(t *testing.T, s *httptest.Server) {
	p := open(t, s, "")
	p.until("document.querySelectorAll('.cards > *').length === 9 && document.querySelectorAll('a.card svg').length === 9")
	require.Equal(t, 1, p.nodes(".group"))
	require.Equal(t, "?game=awari", js[string](p, "document.querySelector('.group a.card').getAttribute('href')"))
	require.Equal(t, []string{"4 stones", "3 stones"}, js[[]string](p, "[...document.querySelectorAll('.group li a')].map((e) => e.textContent)"))
	p.click(".group a.card h2")
	p.until("document.querySelector('#player2') !== null") // the whole game has an opponent
	p.sound("404")
}

// testKeysAlone plays a move with a piece from the hand, by keys alone.
func testKeysAlone(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=dobutsu&moves=b3b2,b1b2")
	p.ready()
	at := "document.activeElement.dataset?.place"
	for range 40 {
		if js[string](p, at+" ?? ''") != "" {
			break
		}
		p.run(chromedp.KeyEvent(kb.Tab))
	}
	for range 5 {
		p.run(chromedp.KeyEvent(kb.ArrowDown))
	}
	require.Equal(t, "1*chick", js[string](p, at))
	p.run(chromedp.KeyEvent(kb.Enter))
	p.until("document.querySelectorAll('#board .goal').length === 6")
	p.run(chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp))
	p.run(chromedp.KeyEvent(kb.Enter))
	p.made(3)
	p.sound()
}
