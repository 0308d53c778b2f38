//go:build !race

package server_test

import (
	"context"
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

var screenshots = flag.String("screenshots", "", "directory for pictures of the page, which TestExplorerStatus and TestPictures take")

// TestExplorerStatus has the page show what is found out while it is open: a proof that is
// refused, one that is right if a database is, a database that was verified and one that was
// not.
func TestExplorerStatus(t *testing.T) {
	needBrowser(t)
	src := source(t, "tictactoe", retro.Reachable)
	verified(t, src.Name)
	other := server.NewDatabase(source(t, "awari:stones=3", retro.All))
	handler := newServer(t, server.Config{
		Databases: []server.Database{server.NewDatabase(src), other},
		Proofs:    []server.Proof{newProof(t, falseWin(t)), restsOn{drawn(t), other.Game().Checksum}},
	})
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	home := open(t, s, "")
	home.until("document.querySelectorAll('a.card .status.checking').length === 4")
	require.NotContains(t, home.text("main"), "proven")
	wrong, right := open(t, s, "?proof=win.proof"), open(t, s, "?proof=draw.proof")
	for _, p := range []*tab{wrong, right} {
		p.ready()
		require.Equal(t, "the proof is being checked", p.text("#status"))
		require.NotContains(t, p.text("main"), "proven")
		require.Zero(t, p.nodes("#proof-kind"))
	}
	wrong.click(".move")
	wrong.made(1)

	handler.Check(context.Background())
	wrong.until("document.querySelector('#status').className === 'status refused'")
	right.until("document.querySelector('#verdict-text').innerText.includes(': draw, proven if the database is right')")
	require.Contains(t, wrong.text("#status"), "refused: the proof is wrong")
	require.Contains(t, wrong.text("#status"), "proof refused")
	require.Equal(t, 1, wrong.nodes(".record li"), "the move is still made")
	require.Equal(t, "O to move", wrong.text("#verdict"))
	require.NotContains(t, wrong.text("main"), "proven")
	require.Zero(t, wrong.nodes("#proof-kind, .move .kind"))
	require.Equal(t, "the proof was checked, it is right if the database is", right.text("#status"))

	home.until("document.querySelectorAll('a.card .status.checking').length === 0 && document.querySelectorAll('a.card .value.draw').length > 1")
	require.Equal(t, []string{
		"checksums are right, verified on 1970-01-01 by yomikiri 1", "checksums are right, not verified", "refused: the proof is wrong", "the proof was checked, it is right if the database is",
	}, js[[]string](home, "[...document.querySelectorAll('a.card .status')].map((e) => e.innerText)"))
	require.Equal(t, 0, home.nodes("a.card:nth-child(3) .value:not(:empty)"))
	require.Contains(t, home.text("a.card:nth-child(4) .value"), "draw")
	require.NotContains(t, home.text("a.card:nth-child(4) .value"), "loss or draw")
	home.visit(ticTacToe)
	home.ready()
	require.Contains(t, home.text("#status"), "verified on 1970-01-01 by yomikiri 1")
	for name, p := range map[string]*tab{"refused": wrong, "checked": right, "database": home} {
		p.shoot(name)
	}
	home.visit("")
	home.until("document.querySelectorAll('a.card svg').length === 4")
	home.shoot("cards")
	for _, p := range []*tab{home, wrong, right} {
		p.sound()
	}
}

// TestExplorerDamaged has the check of a database find damage while the page shows its values: they are taken
// back, and the game can be played on. What cannot be opened says so. A whole game has a page beside that of
// the part that is solved.
func TestExplorerDamaged(t *testing.T) {
	needBrowser(t)
	part := source(t, "awari:stones=3", retro.All)
	part.Named = true
	handler := newServer(t, server.Config{
		Databases: []server.Database{
			failing{server.NewDatabase(source(t, "tictactoe", retro.Reachable)), db.ErrCorrupt},
			server.NewDatabase(part),
		},
		Unopened: []server.Unopened{{Kind: "database", Name: "cut.db", Err: db.ErrCorrupt}, {Kind: "proof", Name: "cut.proof", Err: proof.ErrCorrupt}},
	})
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	home := open(t, s, "")
	home.until("document.querySelectorAll('a.card svg').length === 2")
	require.Equal(t, 4, home.nodes("a.card"))
	require.Equal(t, 1, home.nodes(".group li a"), "the part of a whole game")
	require.Equal(t, 2, home.nodes("a.card .status.damaged, a.card .status.refused"))
	require.NotContains(t, home.text("main"), "NaN")
	page := open(t, s, ticTacToe)
	page.ready()
	require.Contains(t, page.text("#verdict-text"), "draw")
	page.click(".move")
	page.made(1)

	handler.Check(t.Context())
	page.until("document.querySelector('#status').className === 'status damaged' && document.querySelector('#verdict-text').innerText.includes('withheld')")
	require.Equal(t, 1, page.nodes(".record li"), "the move is still made")
	require.Zero(t, page.nodes(".verdict.win, .verdict.draw, .verdict.loss, .move .win, .move .draw, .move .loss"))
	page.click(".move")
	page.made(2)

	whole := open(t, s, "?game=awari")
	whole.ready()
	require.Equal(t, "4,4,4,4,4,4,4,4,4,4,4,4", js[string](whole, "document.querySelector('#position').value"))
	whole.click("#do-setup")
	whole.until("document.querySelector('#setup-accept') !== null")
	endings := open(t, s, "?game=awari%3Astones%3D3")
	endings.ready()
	require.Contains(t, endings.text("#verdict-text"), "gets 3 points more")
	endings.sound()
	for _, link := range []string{"?game=cut.db", "?proof=cut.proof"} {
		cut := open(t, s, link)
		cut.until("document.querySelector('main [role=alert]') !== null")
	}
}

// shoot takes a picture of the page, if that is wanted.
func (p *tab) shoot(name string) {
	p.t.Helper()
	if *screenshots == "" {
		return
	}
	picture, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	require.NoError(p.t, err)
	require.NoError(p.t, os.WriteFile(filepath.Join(*screenshots, name+".png"), picture, 0o644))
}
