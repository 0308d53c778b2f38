//go:build !race

package server_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	gomokucmd "github.com/yomikiri/yomikiri/cmd/gomoku"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/server"
	"github.com/yomikiri/yomikiri/solver/threat"
)

// fours is a search of gomoku that finds one win, as the command does.
func fours(t *testing.T) server.Search {
	g := openGame(t, "gomoku")
	run := func(_ context.Context, p app.Position, _ app.SearchOptions) (app.Found, error) {
		if !strings.HasSuffix(g.PositionText(p), " x") {
			return app.Found{From: p, Result: map[string]any{"result": "none"}}, nil
		}
		line, _, err := games.ParseMoves(g.Board, p, []string{"f8", "e8", "j8"})
		return app.Found{From: p, Line: line, Result: map[string]any{"result": "win", "by": "fours", "moves": 2, "zone": []string{"e8", "f8", "j8"}}}, err
	}
	return server.NewSearch(server.SearchSource{Name: "gomoku", Title: "Gomoku", Game: g, Finder: &app.Finder{Run: run}})
}

// mates is the search for mates.
func mates(t *testing.T) server.Search {
	g := openGame(t, "shogi")
	return server.NewSearch(server.SearchSource{Name: "tsume", Title: "Shogi: mate problems", Game: g, Finder: g.Finder})
}

func testThreats(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=gomoku&position=15/15/15/15/15/6o8/5o9/6xxx6/7o7/15/15/15/15/15/15%20x")
	p.ready()
	p.click("#do-search")
	p.until("document.querySelector('#result')?.innerText.includes('a forced win by fours in at most 2 moves')")
	p.made(3)
	require.Equal(t, 3, p.nodes("#board .zone"))
	require.Equal(t, 3, p.nodes("#board .number"))
	require.Equal(t, 3, p.nodes("#board .stone.side1"))
	p.click("#do-line")
	p.until("document.querySelector('#verdict-text').innerText.includes('The game is over: Black has won')")
	require.Equal(t, 5, p.nodes("#board .stone.side1"))
	p.click("#do-first")
	p.click(square("a1")) // another move: the line is no longer shown
	p.made(1)
	require.Zero(t, p.nodes("#board .zone"))
	p.click("#do-search")
	p.until("document.querySelector('#result')?.innerText.includes('no win by threats (not verified)')")
	p.sound()
}

// testMate searches a mate, plays it by clicks with a piece from the hand, and has a problem
// refused that was set up by hand.
func testMate(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=tsume&position=4k4/9/4P4/9/9/9/9/9/9%20b%20G%201")
	p.ready()
	p.click("#do-search")
	p.until("document.querySelector('#result')?.innerText.includes('mate in 1')")
	require.NotContains(t, p.text("#result"), "not proven")
	require.Equal(t, 1, p.nodes("#board .arrow"))
	second := open(t, s, strings.TrimPrefix(js[string](p, "location.pathname + location.search"), "/"))
	second.until("document.querySelector('#result')?.innerText.includes('mate in 1')") // the link finds it again
	second.sound()
	p.click(square("1*gold"))
	p.until(`document.querySelector('.cell[data-place="1*gold"]').hasAttribute('aria-pressed')`)
	p.click(square("5b"))
	p.until("document.querySelector('#verdict-text').innerText.includes('The game is over: Black has won')")

	p.click("#do-first")
	p.until("document.querySelector('#do-first').disabled")
	p.click("#do-setup")
	p.click("#brush-1-pawn")
	p.click(square("5d"))
	p.until("document.querySelector('#setup-status').innerText.includes('two unpromoted pawns on file 5')")
	p.click("#brush-erase")
	p.click(square("5d"))
	p.until("!document.querySelector('#setup-accept').disabled")
	p.sound("400")

}

// longProblem is a problem whose first mate is not the shortest.
const longProblem = "?game=tsume&position=9/k8/9/s8/3P5/3B5/9/9/9%20b%20RG"

// testShortest searches a mate, then the shortest with all other lines, goes through them, judges the
// problem, and saves it.
func testShortest(t *testing.T, s *httptest.Server) {
	p := open(t, s, longProblem)
	p.ready()
	p.click("#do-search")
	p.until("document.querySelector('#result')?.innerText.includes('mate in at most 9, this line 7, not proven shortest')")
	p.made(7)
	p.click("#do-shortest")
	p.until("document.querySelector('#result')?.innerText.includes('mate in 5')")
	p.made(5)
	require.NotContains(t, p.text("#result"), "not proven shortest")
	require.Zero(t, p.nodes("#alternatives li"))
	second := open(t, s, strings.TrimPrefix(js[string](p, "location.pathname + location.search"), "/"))
	second.until("document.querySelector('#result')?.innerText.includes('mate in 5')") // the link finds it again
	second.made(5)
	second.visit(strings.Split(strings.TrimPrefix(js[string](p, "location.pathname + location.search"), "/"), "&moves=")[0] + "&searched=shortest")
	second.until("document.querySelector('#result')?.innerText.includes('mate in 5')")
	second.made(5) // the line too
	second.sound()

	p.click("#ask-shortest")
	p.click("#ask-alternatives")
	p.click("#do-search")
	p.until("document.querySelectorAll('#variations li').length > 0")
	require.Contains(t, p.text("#result"), "mate in 5")
	line := js[[]string](p, "[...document.querySelectorAll('.record li')].map((e) => e.innerText)")
	js[bool](p, "document.querySelector('#variations').closest('details').open = true")
	p.click("#variations button")
	p.until("document.querySelector('#do-found') !== null")
	require.NotEqual(t, line, js[[]string](p, "[...document.querySelectorAll('.record li')].map((e) => e.innerText)"))
	require.Equal(t, 1, p.nodes("#board .arrow"))
	p.click("#do-found")
	p.until("document.querySelector('#do-found') === null")
	require.Equal(t, line, js[[]string](p, "[...document.querySelectorAll('.record li')].map((e) => e.innerText)"))

	p.click("#do-language")
	p.until("document.querySelector('.record li')?.innerText.includes('▲')")
	require.Equal(t, []string{"一", "二", "三"}, js[[]string](p, "[...document.querySelectorAll('#board .label')].map((e) => e.textContent).filter((x) => '一二三'.includes(x))"))
	require.Contains(t, p.text("#result"), "5 手詰")
	require.NotRegexp(t, "[a-z]", p.text(".record")+p.text("#result"), "the Japanese page is Japanese")
	p.click("#do-language")

	js[bool](p, "URL.createObjectURL = (blob) => { window.saved = blob; return '#'; }, true")
	p.click("#do-record")
	p.until("window.saved !== undefined")
	kif := js[string](p, "window.saved.text()")
	require.True(t, strings.HasPrefix(kif, "#KIF version=2.0 encoding=UTF-8\n"), kif)
	require.Contains(t, kif, "\n手合割：その他\n")
	require.Contains(t, kif, "\n変化：2手\n")

	p.click("#do-judge")
	p.until("document.querySelector('#faults') !== null")
	require.Contains(t, p.text("#result"), "sound")
	js[bool](p, "(() => { const e = document.querySelector('#house'); e.value = 'phone'; return e.dispatchEvent(new Event('change')) })()")
	p.click("#do-judge")
	p.until("document.querySelector('#result')?.innerText.includes('sound (phone)')")
	p.sound()
}

// testLimit has a search that reaches its limit, and one that is stopped.
func testLimit(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=tsume&position=9/4k4/9/7S1/4nN3/7G1/9/9/9%20b%20RBG")
	p.ready()
	for _, what := range []string{"shortest", "alternatives"} {
		if !js[bool](p, "document.querySelector('#ask-"+what+"').checked") {
			p.click("#ask-" + what)
		}
	}
	p.click("#do-search")
	p.until("document.querySelector('#do-stop') !== null")
	p.click("#do-stop")
	p.until("document.querySelector('#do-search') !== null")
	require.Equal(t, 0, p.nodes("#result"))
	p.sound()
}

// testPasteProblem pastes a record into the field of the position, and finds its shortest mate. The
// record says that the defender has nothing in hand, so nothing can be put between.
func testPasteProblem(t *testing.T, s *httptest.Server) {
	kif := "手合割：詰将棋\n後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"
	for _, rank := range []string{" ・ ・ ・ ・ ・ ・ ・ ・ ・|一", "v玉 ・ ・ ・ ・ ・ ・ ・ ・|二", " ・ ・ ・ ・ ・ ・ ・ ・ ・|三", "v銀 ・ ・ ・ ・ ・ ・ ・ ・|四", " ・ ・ ・ 歩 ・ ・ ・ ・ ・|五",
		" ・ ・ ・ 角 ・ ・ ・ ・ ・|六", " ・ ・ ・ ・ ・ ・ ・ ・ ・|七", " ・ ・ ・ ・ ・ ・ ・ ・ ・|八", " ・ ・ ・ ・ ・ ・ ・ ・ ・|九"} {
		kif += "|" + rank + "\n"
	}
	kif += "+---------------------------+\n先手の持駒：飛　金\n手数----指手---------消費時間--\n"
	p := open(t, s, "?game=tsume")
	p.ready()
	js[bool](p, fmt.Sprintf(`(() => { const d = new DataTransfer(); d.setData('text', %q);
		document.querySelector('#position').dispatchEvent(new ClipboardEvent('paste', { clipboardData: d, bubbles: true, cancelable: true })); return true })()`, kif))
	p.until("document.querySelector('#position').value === '9/k8/9/s8/3P5/3B5/9/9/9 b RG'")
	if !js[bool](p, "document.querySelector('#ask-shortest').checked") {
		p.click("#ask-shortest")
	}
	p.click("#do-search")
	p.until("document.querySelector('#result')?.innerText.includes('mate in 3')")
	p.sound()
}

// testPromotion chooses at the square whether a piece promotes.
func testPromotion(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?game=tsume&position=4k4/9/9/9/9/9/9/9/3R5_b_-")
	p.ready()
	for _, c := range []struct{ button, move string }{{"1", "6i6b+"}, {"2", "6i6b"}} {
		p.click(square("6i"))
		p.click(square("6b"))
		p.until("document.querySelectorAll('#board .offer button').length === 2")
		p.click("#board .offer button:nth-child(" + c.button + ")")
		p.made(1)
		require.Equal(t, "1 "+c.move, p.text(".record > li > button"))
		require.Zero(t, p.nodes("#board .offer"))
		p.click("#do-first")
		p.until("document.querySelector('#do-first').disabled")
	}
	p.sound()
}

// fourProof is a proof of a win by fours, a certificate.
func fourProof(t *testing.T) server.Proof {
	rules, err := gomoku.Family.Rules("gomoku")
	require.NoError(t, err)
	g := gomoku.Family.New(rules)
	p, err := g.ParsePosition("15/15/15/15/15/6o8/5o9/6xxx6/7o7/15/15/15/15/15/15 x")
	require.NoError(t, err)
	tree, _ := threat.NewSearcher(g, 16).VCF(g.NewBoard(p), gomoku.Black, threat.AllMoves, 100_000)
	require.NotNil(t, tree)
	f, err := os.Create(filepath.Join(t.TempDir(), "fours.proof"))
	require.NoError(t, err)
	header := proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, p)), Claims: threat.Claims()}
	w, err := proof.NewWriter(f, header)
	require.NoError(t, err)
	require.NoError(t, threat.WriteTree(t.Context(), w, g, p, tree))
	require.NoError(t, w.Close())
	info, err := f.Stat()
	require.NoError(t, err)
	graph, err := proof.OpenGraph(t.Context(), f, info.Size())
	require.NoError(t, err)
	x, err := server.NewProof(server.ProofSource{
		Name: "fours.proof", File: f, Graph: graph, Game: openGame(t, "gomoku"),
		Check: func(ctx context.Context, r *proof.Reader) error {
			_, err := gomokucmd.Extra.Check(ctx, r, proof.CheckOptions{})
			return err
		},
		CertificateLine: func(ctx context.Context, position string, certificate []byte) ([]string, error) {
			return gomokucmd.Extra.CertificateLine(ctx, header.Game, position, certificate)
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, x.Close()) })
	return x
}

// TestProofLine follows lines of proofs to the end.
func TestProofLine(t *testing.T) {
	c := fixture(t)
	c.Proofs = append(c.Proofs, fourProof(t))
	s := newServer(t, c)
	require.Equal(t, "checking", get[server.ProofLine](t, s, "/api/v1/proof/draw/line").State)
	s.Check(t.Context())
	for _, path := range []string{"draw/line", "draw/line?claim=mover_holds", "draw/line?path=a1", "fours/line"} {
		l := get[server.ProofLine](t, s, "/api/v1/proof/"+path)
		require.Equal(t, "checked", l.State)
		require.NotEmpty(t, l.Line, path)
		require.Len(t, l.Positions, len(l.Line))
		if strings.HasPrefix(path, "draw") { // what it says is what the nodes say
			n := get[server.ProofNode](t, s, "/api/v1/proof/"+strings.Replace(path, "line", "node", 1))
			require.Equal(t, n.Position, l.Position)
			require.Contains(t, fmt.Sprint(n.Moves), l.Line[0])
			continue
		}
		last := get[server.Place](t, newServer(t, server.Config{Searches: []server.Search{fours(t)}}),
			"/api/v1/gomoku/board?position="+strings.ReplaceAll(l.Position, " ", "_")+"&moves="+strings.Join(l.Line, ","))
		require.True(t, last.Finished)
		require.Equal(t, "loss", last.Category, "the attacker has made his line")
	}
	require.Equal(t, 400, ask(s, "/api/v1/proof/draw/line?path=z9").Code)
}

// testCertificate shows the line of a certificate.
func testCertificate(t *testing.T, _ *httptest.Server) {
	handler := newServer(t, server.Config{Proofs: []server.Proof{fourProof(t)}})
	handler.Check(t.Context())
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	p := open(t, s, "?proof=fours.proof")
	p.ready()
	require.Contains(t, p.text("#verdict-text"), "Black to move: Black wins, proven")
	require.Contains(t, p.text("#panel"), "Claim: Black wins")
	require.Zero(t, p.nodes("#board .number"))
	p.click("#do-proof-line")
	p.until("document.querySelectorAll('#board .number').length > 2")
	require.Contains(t, p.text("#proof-line"), "1 ")
	p.visit("")
	p.until("document.querySelector('a.card .value')?.innerText === '▲ Black wins'")
	require.Equal(t, "the proof was checked", p.text("a.card .status"))
	p.sound()
}

func testProof(t *testing.T, s *httptest.Server) {
	p := open(t, s, "?proof=draw.proof")
	p.ready()
	require.Contains(t, p.text("#verdict-text"), ", proven")
	require.Equal(t, "the proof was checked", p.text("#status"))
	kind := p.text("#proof-kind")
	plies := 0
	for ; p.nodes(".move") > 0; plies++ {
		require.Less(t, plies, 10)
		replies := p.nodes(".move")
		switch p.text("#proof-kind") {
		case "one move is enough":
			require.Equal(t, 1, replies)
			require.Contains(t, p.text(".moves h2"), "The answer of the proof")
			require.Equal(t, 1, p.nodes("#board .number"), "the answer is on the board")
		case "all replies of this side are answered":
			require.Equal(t, 9-plies, replies)
		}
		p.click(square(p.text(".move .name")))
		p.made(plies + 1)
	}
	require.Greater(t, plies, 5)
	second := open(t, s, "?"+js[string](p, "location.search.slice(1)"))
	second.ready()
	second.made(plies)
	require.Equal(t, p.text("#verdict-text"), second.text("#verdict-text"))

	js[bool](p, "(() => { const e = document.querySelector('#claim'); e.selectedIndex = 1; e.dispatchEvent(new Event('change')); return true })()")
	p.made(0)
	require.NotEqual(t, kind, p.text("#proof-kind"))
	p.sound()
}
