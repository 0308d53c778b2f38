//go:build !race

package server_test

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

const (
	ticTacToe   = "?game=tictactoe"
	connectFour = "?game=connect4%3Asize%3D4x4"
	smallAwari  = "?game=awari%3Astones%3D6"
	noChicks    = "?game=dobutsu%3Asize%3D3x3"
	endings     = "?game=checkers%3Asize%3D6x6%2Cpieces%3D4"
)

// TestExplorer uses the page as a user does, in a real browser.
func TestExplorer(t *testing.T) {
	needBrowser(t)
	unjudged := source(t, "awari:stones=3", retro.All)
	unjudged.Evaluation = nil
	handler := newServer(t, server.Config{
		Databases: []server.Database{
			server.NewDatabase(source(t, "tictactoe", retro.Reachable)),
			server.NewDatabase(source(t, "connect4:size=4x4", retro.Reachable)),
			server.NewDatabase(source(t, "awari:stones=6", retro.All)),
			server.NewDatabase(source(t, "checkers:size=6x6,pieces=4", retro.All)),
			server.NewDatabase(unjudged),
			server.NewDatabase(source(t, "dobutsu:size=3x3", retro.Reachable)),
		},
		Searches: []server.Search{fours(t), mates(t)},
		Proofs:   []server.Proof{drawn(t)},
	})
	handler.Check(t.Context())
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	for _, c := range []struct {
		name string
		test func(*testing.T, *httptest.Server)
	}{
		{"Harness", testHarness}, {"MovingPage", testMovingPage}, {"Size", testSize}, {"Home", testHome},
		{"OptimalLine", testOptimalLine}, {"History", testHistory}, {"SecondPage", testSecondPage},
		{"Language", testLanguage}, {"SetUp", testSetUp}, {"Checkers", testCheckers}, {"Errors", testErrors}, {"OneRequest", testOneRequest}, {"Paste", testPaste}, {"Keyboard", testKeyboard},
		{"Opponent", testOpponent}, {"Hints", testHints}, {"Mistakes", testMistakes}, {"KeysAfterClick", testKeysAfterClick}, {"NotHeld", testNotHeld}, {"BestLine", testBestLine},
		{"Threats", testThreats}, {"Mate", testMate}, {"Shortest", testShortest}, {"Limit", testLimit}, {"Promotion", testPromotion}, {"PasteProblem", testPasteProblem}, {"Proof", testProof}, {"Certificate", testCertificate}, {"Menu", testMenu}, {"Marks", testMarks}, {"NarrowSetUp", testNarrowSetUp}, {"Contrast", testContrast}, {"Narrow", testNarrow},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, s) })
	}
}

// testHarness checks that the other tests would see an error on the console, and a request
// to another server, which the page's policy refuses.
func testHarness(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	p.sound()
	js[bool](p, "setTimeout(() => { throw new Error('thrown') }), true")
	js[bool](p, "fetch('http://127.0.0.1:9/elsewhere').catch(() => {}), true")
	js[bool](p, "document.body.setAttribute('style', 'margin: 1px'), true")
	for _, want := range []string{"thrown", "elsewhere", "inline style"} {
		require.Eventually(t, func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return strings.Contains(strings.Join(p.problems, "\n"), want)
		}, patience, 10*time.Millisecond, "the console says nothing of %q", want)
	}
}

// testMovingPage clicks on a square that is elsewhere when it is measured. No other square is chosen.
func testMovingPage(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	js[bool](p, fmt.Sprintf(`(() => {
		const [meant, other] = [%q, %q].map((square) => document.querySelector(square));
		meant.getBoundingClientRect = () => (delete meant.getBoundingClientRect, other.getBoundingClientRect());
		return true;
	})()`, square("b2"), square("a1")))
	p.click(square("b2"))
	p.made(1)
	require.Equal(t, ".../.x./...", p.position())
	p.sound()
}

func testHome(t *testing.T, s *httptest.Server) {
	p := open(t, s, "")
	p.until("document.querySelectorAll('a.card :is(.value.draw, .value.win)').length === 6 && document.querySelectorAll('a.card svg').length === 8")
	names := js[[]string](p, "[...document.querySelectorAll('nav a')].map((a) => a.textContent)")
	require.Len(t, names, 9)
	require.Equal(t, []string{"Awari (oware) 6 stones", "Checkers (English draughts) 6×6, 4 pieces", "Awari (oware) 3 stones"}, names[2:5], "databases of a game have different names")
	p.click("a.card:nth-child(2)")
	p.ready()
	require.Contains(t, js[string](p, "location.search"), "connect4")
	p.run(chromedp.NavigateBack())
	p.until("document.querySelectorAll('a.card').length === 8")
	p.sound()
}

// testOptimalLine plays best moves with the mouse until the game is over.
func testOptimalLine(t *testing.T, s *httptest.Server) {
	p := open(t, s, "")
	for _, c := range []struct {
		query  string
		square func(move string) string
		plies  int
		end    string
	}{
		{ticTacToe, func(m string) string { return m }, 9, "The game is over: a draw"},
		{connectFour + "&position=oo../xx../oo../xx..", func(m string) string { return m + "4" }, 8, "The game is over: a draw"},
		{smallAwari + "&position=0,0,0,0,0,2,0,1,0,0,0,0", func(m string) string { return m[:1] }, 0, "The game is over: "},
	} {
		p.visit(c.query)
		p.ready()
		plies := 0
		for ; p.nodes(".move") > 0; plies++ {
			require.Less(t, plies, 30)
			require.Contains(t, p.text(".move.best .cost"), "best")
			p.click(square(c.square(p.text(".move.best .name"))))
			p.made(plies + 1)
		}
		if c.plies > 0 {
			require.Equal(t, c.plies, plies)
		}
		require.Positive(t, plies)
		require.Contains(t, p.text("#verdict-text"), c.end)
		require.Equal(t, plies+1, p.nodes(".chart .point"))

		p.click("#do-first")
		p.until("document.querySelector('#do-first').disabled")
		require.Contains(t, p.text("#verdict-text"), "to move")
		p.made(plies) // they can be made again
		p.click("#do-forward")
		p.until("!document.querySelector('#do-back').disabled")
		p.click("#do-last")
		p.until("document.querySelector('#do-last').disabled")
		require.Contains(t, p.text("#verdict-text"), c.end)
		p.sound()
	}
}

// testHistory goes back and forward in the browser's history.
func testHistory(t *testing.T, s *httptest.Server) {
	p := open(t, s, connectFour)
	p.ready()
	start := p.position()
	p.click(square("b4"))
	p.made(1)
	one := p.position()
	p.click(square("c1"))
	p.made(2)
	require.Equal(t, "?game=connect4%3Asize%3D4x4&moves=b,c", js[string](p, "location.search"))
	p.run(chromedp.NavigateBack())
	p.made(1)
	require.Equal(t, one, p.position())
	p.run(chromedp.NavigateBack())
	p.made(0)
	require.Equal(t, start, p.position())
	p.run(chromedp.NavigateForward())
	p.made(1)
	require.Equal(t, one, p.position())
	p.sound()
}

// testSecondPage opens the link of a game in a second page.
func testSecondPage(t *testing.T, s *httptest.Server) {
	for _, query := range []string{ticTacToe, smallAwari + "&position=1,0,1,0,1,1,0,0,1,0,1,0"} {
		const moves = 3
		p := open(t, s, query)
		p.ready()
		for i := range moves {
			name, _, _ := strings.Cut(p.text(".moves li:last-child .name"), "×")
			p.click(square(name))
			p.made(i + 1)
		}
		p.click("#do-back")
		p.until("!document.querySelector('#do-forward').disabled")
		second := open(t, s, strings.TrimPrefix(js[string](p, "location.pathname + location.search"), "/"))
		second.ready()
		second.made(moves)
		require.Equal(t, p.position(), second.position())
		require.Equal(t, p.text("#verdict-text"), second.text("#verdict-text"))
		require.Equal(t, js[string](p, "document.querySelector('#board').innerHTML"), js[string](second, "document.querySelector('#board').innerHTML"))
		p.sound()
		second.sound()
	}
	p := open(t, s, ticTacToe+"&moves=b2,b2,a1")
	p.until("document.querySelector('#alert')?.innerText.includes('b2')")
	p.made(1)
	p.sound("400")
}

func testLanguage(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe+"&moves=b2")
	p.ready()
	require.Contains(t, p.text("h1"), "Tic-tac-toe")
	require.Equal(t, "O to move: a draw with best play", strings.TrimSpace(p.text("#verdict-text")))
	p.click("#do-language")
	p.until("document.documentElement.lang === 'ja' && document.querySelector('h1').innerText === '三目並べ'")
	p.until("document.querySelector('#verdict-text').innerText.includes('○の手番: 最善で引き分け')")
	p.made(1)
	p.run(chromedp.Reload())
	p.until("document.querySelector('h1')?.innerText === '三目並べ'")
	p.click("#do-language")
	p.until("document.documentElement.lang === 'en' && document.querySelector('h1').innerText === 'Tic-tac-toe'")
	p.sound()
}

// testSetUp sets up positions by hand: one that cannot be, which is refused with the reason,
// and then one that can.
func testSetUp(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	p.click("#do-setup")
	p.click("#setup-clear")
	p.click("#brush-1-mark")
	p.click(square("a1"))
	p.click(square("b2"))
	p.until("document.querySelector('#setup-status').innerText === '2 x and 0 o, want equal numbers, or one x more'")
	require.True(t, js[bool](p, "document.querySelector('#setup-accept').disabled"))
	p.click("#brush-2-mark")
	p.click(square("c1"))
	p.until("!document.querySelector('#setup-accept').disabled")
	p.click("#setup-accept")
	p.until("document.querySelector('#setup-accept') === null && document.querySelector('#position').value === '.../.x./x.o'")
	require.Contains(t, js[string](p, "location.search"), "position=")
	require.Contains(t, p.text("#verdict-text"), "O to move")
	p.click(square("c3"))
	p.made(1)
	p.sound("400")

	p.visit(connectFour)
	p.ready()
	p.click("#do-setup")
	p.click("#brush-1-disc")
	p.click(square("a2"))
	p.until("document.querySelector('#setup-status').innerText === 'column a: a disc has none below it'")

	p.visit(smallAwari)
	p.ready()
	p.click("#do-setup")
	p.click(square("A"))
	p.until("document.querySelector('#setup-accept').disabled === false")
	p.click("#setup-accept")
	p.until("document.querySelector('#verdict')?.innerText.includes('7 stones')")
}

// testCheckers captures along several squares by clicks, and sets up kings.
func testCheckers(t *testing.T, s *httptest.Server) {
	p := open(t, s, endings+"&position=B:WK5,K6,K11:BK1")
	p.ready()
	require.Equal(t, 18, p.nodes("#board .cell"), "only dark squares can be chosen")
	js[bool](p, "document.querySelector('.cell[data-place=\"18\"]').focus(), true")
	p.run(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	require.Equal(t, "11", js[string](p, "document.activeElement.dataset.place"), "two rows down")
	require.Equal(t, 1, p.nodes("#board .crown.side1"))
	require.Equal(t, 3, p.nodes("#board .crown.side2"))
	p.click(square("1"))
	p.until("document.querySelectorAll('#board .mark').length === 3") // the next square, and the last of each way
	p.click(square("8"))
	p.until("document.querySelectorAll('#board .chosen').length === 2 && document.querySelectorAll('#board .mark').length === 2")
	p.made(0)
	p.click(square("13"))
	p.made(1)
	require.Equal(t, "1 1x8x13", p.text(".record li"))
	require.Equal(t, "W:WK6:BK13", p.position())
	p.click("#do-first")
	p.until("document.querySelector('#do-first').disabled")
	p.click(square("1"))
	p.click(square("3")) // the last square will do
	p.until("document.querySelector('#position').value === 'W:WK11:BK3'")
	require.Equal(t, "3: Black king", js[string](p, "document.querySelector('.cell[data-place=\"3\"]').getAttribute('aria-label')"))
	p.click("#do-first")
	p.until("document.querySelector('#do-first').disabled")
	p.click(square("1"))
	p.click(square("1"))
	p.until("document.querySelectorAll('#board .chosen').length === 0")

	p.click("#do-setup")
	p.click("#setup-clear")
	p.click("#brush-2-man")
	p.click(square("9"))
	p.click("#brush-1-man")
	p.click(square("16"))
	p.until("document.querySelector('#setup-status').innerText.includes('Black has a man in the last row')")
	p.click("#brush-1-king")
	p.click(square("16"))
	p.until("!document.querySelector('#setup-accept').disabled")
	p.click("#setup-accept")
	p.until("document.querySelector('#position').value === 'B:W9:BK16' && document.querySelector('#setup-accept') === null")
	p.sound("400")
}

// testErrors has errors in both languages, by their code, and a link to a game that is not
// served.
func testErrors(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=nim")
	p.until("document.querySelector('[role=alert]')?.innerText === 'The link names a game that is not served: nim'")
	p.sound()
	for _, c := range []struct{ query, english, japanese string }{
		{ticTacToe + "&position=xx./.../...", `position "xx./.../...": 2 x and 0 o, want equal numbers`, "この局面は使えません (先手が 2 個、後手が 0 個です。"},
		{"?game=awari%3Astones%3D3&position=7,0,0,0,0,0,0,0,0,0,0,0", "the database does not hold the position", "この局面はデータベースにありません。"},
	} {
		p.visit(c.query)
		p.until("document.querySelector('[role=alert]')?.innerText.includes(" + strconv.Quote(c.english) + ")")
		p.click("#do-language")
		p.until("document.querySelector('[role=alert]')?.innerText.startsWith(" + strconv.Quote(c.japanese) + ")")
		p.click("#do-language")
	}
	p.sound("400", "404")
}

// testOneRequest opens the link of a game. All its positions are asked for at once.
func testOneRequest(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe+"&moves=b2,a1,c3,a3,a2,c2")
	p.ready()
	p.made(6)
	require.Equal(t, 7, p.nodes(".chart .point"))
	p.mu.Lock()
	asked := slices.DeleteFunc(slices.Clone(p.requests), func(url string) bool { return !strings.Contains(url, "/api/v1/tictactoe") })
	p.mu.Unlock()
	require.Equal(t, []string{s.URL + "/api/v1/tictactoe"}, asked)
	p.sound()
}

func testPaste(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	for _, c := range []struct{ text, want string }{
		{"xxx/ooo/...", "three in a row"},
		{"xx./oo./...", ""},
	} {
		p.run(chromedp.SetValue(chromedp.ID("position"), c.text), chromedp.SendKeys(chromedp.ID("position"), kb.Enter))
		if c.want != "" {
			p.until(fmt.Sprintf("document.querySelector('#alert').innerText.includes(%q)", c.want))
			continue
		}
		p.until("document.querySelector('#verdict-text').innerText.includes('X wins in 1 ply')")
		require.Equal(t, c.text, p.position())
	}
	p.sound("400")
}

// testKeyboard plays without a mouse.
func testKeyboard(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	js[bool](p, "document.querySelector('.cell[data-place=a3]').focus(), true")
	p.run(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowDown))
	require.Equal(t, "b2", js[string](p, "document.activeElement.dataset.place"))
	require.Equal(t, "b2: empty, draw", js[string](p, "document.activeElement.getAttribute('aria-label')"))
	p.run(chromedp.KeyEvent(kb.Enter))
	p.made(1)
	require.Equal(t, "b2: X mark", js[string](p, "document.querySelector('.cell[data-place=b2]').getAttribute('aria-label')"))
	require.Contains(t, p.text("#live"), "X: b2.")
	require.Equal(t, "b2", js[string](p, "document.activeElement.dataset.place"), "the focus stays")
	js[bool](p, "document.activeElement.blur(), true")
	p.run(chromedp.KeyEvent(kb.ArrowLeft))
	p.until("document.querySelector('#do-back').disabled")
	p.run(chromedp.KeyEvent(kb.ArrowRight))
	p.until("!document.querySelector('#do-back').disabled")
	p.sound()
}

func testOpponent(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	p.run(chromedp.SetValue(chromedp.ID("player2"), "1"))
	js[bool](p, "document.querySelector('#player2').dispatchEvent(new Event('change')), true")
	p.until("document.querySelector('#strength') !== null")
	p.click(square("a1"))
	p.made(2)
	require.Equal(t, "2 b2", js[string](p, "document.querySelector('.record li:nth-child(2)').innerText"), "the only move that holds")
	p.run(chromedp.SetValue(chromedp.ID("player2"), "0"))
	js[bool](p, "document.querySelector('#player2').dispatchEvent(new Event('change')), true")
	p.sound()
}

// testHints hides the values and shows them again; they stay as they are after moves.
func testHints(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	require.Equal(t, 9, p.nodes("#board .mark"))
	p.click(square("a1"))
	p.made(1)
	require.Equal(t, 8, p.nodes("#board .mark"))
	p.click("#hints")
	p.until("document.querySelectorAll('#board .mark').length === 0")
	p.click(square("b2"))
	p.made(2)
	require.Zero(t, p.nodes("#board .mark"))
	p.click("#hints")
	p.until("document.querySelectorAll('#board .mark').length === 7")

	js[bool](p, "document.querySelector('.move').dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' })), true")
	p.until("document.querySelectorAll('#board.ghost .pieces > *').length === 3")
	js[bool](p, "document.querySelector('.move').dispatchEvent(new PointerEvent('pointerleave', { pointerType: 'mouse' })), true")
	p.until("document.querySelectorAll('#board:not(.ghost) .pieces > *').length === 2")
	p.sound()
}

// testMistakes throws a win away, goes there from the count of mistakes, and hides the values.
func testMistakes(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe+"&moves=b2,a2,b1,b3,c3")
	p.ready()
	p.made(5)
	require.Equal(t, "2 a2 ?, draw → loss", p.text(".record li:nth-child(2)"))
	require.Equal(t, "5 c3 ?, win → draw", p.text(".record li:nth-child(5)"))
	require.Contains(t, p.text("#mistakes"), "X 1, O 1")
	require.Equal(t, 2, p.nodes(".chart text.mistake"))
	require.Contains(t, js[string](p, "document.querySelector('.chart .point:nth-of-type(3)').getAttribute('aria-label')"), "X to move: X wins in 5 plies")
	p.click("#do-mistake")
	p.until("document.querySelector('.record [aria-current]').innerText.startsWith('2 a2')")
	require.Equal(t, "do-mistake", js[string](p, "document.activeElement.id"), "the focus stays")
	p.click("#hints")
	p.until("document.querySelector('.chart') === null")
	require.Equal(t, "X to move", strings.TrimSpace(p.text("#verdict-text")))
	require.Equal(t, "2 a2", p.text(".record li:nth-child(2)"))
	require.NotContains(t, js[string](p, "document.body.innerHTML"), "wins in")
	p.click("#hints")
	p.until("document.querySelector('.chart') !== null")
	p.sound()
}

// testKeysAfterClick presses keys after a click on the board, and lets a line play that Back ends.
func testKeysAfterClick(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	p.click(square("b2"))
	p.made(1)
	p.click(square("a1"))
	p.made(2)
	p.run(chromedp.KeyEvent(kb.ArrowLeft))
	p.until("document.querySelector('.record [aria-current]')?.innerText.startsWith('1 ')")
	p.run(chromedp.KeyEvent(kb.Home))
	p.until("document.querySelector('#do-back').disabled")
	p.run(chromedp.KeyEvent(kb.ArrowRight))
	p.until("!document.querySelector('#do-back').disabled")
	p.run(chromedp.KeyEvent("h"))
	p.until("document.querySelectorAll('#board .mark').length === 0")
	p.run(chromedp.KeyEvent("h"))
	p.until("document.querySelectorAll('#board .mark').length > 0")
	require.NotEqual(t, "BODY", js[string](p, "document.activeElement.tagName"))

	p.click("#do-back") // which is disabled then
	p.until("document.querySelector('#do-back').disabled")
	require.NotEqual(t, "BODY", js[string](p, "document.activeElement.tagName"))
	p.click("#do-setup")
	p.until("document.querySelector('#setup-accept') !== null")
	p.run(chromedp.KeyEvent(kb.Escape))
	p.until("document.querySelector('#setup-accept') === null")
	require.Equal(t, "do-setup", js[string](p, "document.activeElement.id"))

	p.visit(ticTacToe + "&position=xx./oo./...")
	p.ready()
	p.click("#do-line")
	p.until("document.querySelector('#verdict-text').innerText.includes('The game is over')")
	p.run(chromedp.NavigateBack())
	p.made(0)
	require.Equal(t, "xx./oo./...", p.position())
	p.sound()
}

// testNotHeld sets up a position that is possible, but not in the database.
func testNotHeld(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=awari%3Astones%3D3")
	p.ready()
	p.click("#do-setup")
	for range 2 {
		p.click(square("A"))
	}
	p.until("document.querySelector('#setup-status').innerText.includes('the database does not have it')")
	require.True(t, js[bool](p, "document.querySelector('#setup-accept').disabled"), "nothing is lost")
	p.click("#setup-clear")
	p.click(square("A"))
	p.until("!document.querySelector('#setup-accept').disabled")
	p.sound("404")
}

func testBestLine(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe+"&position=xx./oo./...")
	p.ready()
	p.click("#do-line")
	p.made(1)
	p.until("document.querySelector('#verdict-text').innerText.includes('The game is over: X has won')")

	// Of moves with the same score, the first ones would lead around in circles.
	p.visit(smallAwari + "&position=1,0,0,0,3,0,0,1,0,0,0,1")
	p.ready()
	p.click("#do-line")
	p.until("document.querySelector('#verdict-text').innerText.includes('The game is over')")
	p.made(3)

	// The last move takes the lion, after which there is no position.
	p.visit("?game=tsume&position=4k4/9/9/9/9/9/9/9/3R5_b_-&moves=6i6b+") // the + is not escaped
	p.made(1)
	require.NotContains(t, p.text("#alert"), "not legal")

	p.visit(noChicks)
	p.ready()
	line := js[[]string](p, "fetch('api/v1/dobutsu:size=3x3/line').then((r) => r.json()).then((line) => line.moves)")
	plies := len(line)
	p.visit(noChicks + "&moves=" + strings.Join(line[:plies-1], ","))
	p.ready()
	require.Equal(t, "Sente to move: Sente wins in 1 ply", strings.TrimSpace(p.text("#verdict-text")))
	p.click("#do-line")
	p.until("document.querySelector('#verdict-text').innerText.includes('The game is over: Sente has won')")
	p.made(plies)
	second := open(t, s, strings.TrimPrefix(js[string](p, "location.pathname + location.search"), "/"))
	second.ready()
	second.made(plies)
	require.Equal(t, p.text("#verdict-text"), second.text("#verdict-text"))
	p.sound()
	second.sound()
}
