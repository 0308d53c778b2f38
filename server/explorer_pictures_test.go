//go:build !race

package server_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

// TestPictures takes pictures of every game for people to look at: on a wide and on a narrow
// screen, light and dark, in both languages.
func TestPictures(t *testing.T) {
	if *screenshots == "" {
		t.Skip("-screenshots names no directory")
	}
	needBrowser(t)
	handler := newServer(t, server.Config{
		Databases: []server.Database{
			server.NewDatabase(source(t, "tictactoe", retro.Reachable)),
			server.NewDatabase(source(t, "connect4:size=4x4", retro.Reachable)),
			server.NewDatabase(source(t, "awari:stones=6", retro.All)),
			server.NewDatabase(source(t, "checkers:size=6x6,pieces=4", retro.All)),
			server.NewDatabase(source(t, "dobutsu:size=3x3", retro.Reachable)),
		},
		Searches: []server.Search{fours(t), mates(t), played(t, "dobutsu"), played(t, "hex:size=7x7"), played(t, "othello"), played(t, "checkers")},
		Proofs:   []server.Proof{drawn(t), fourProof(t), newProof(t, falseWin(t))},
	})
	handler.Check(t.Context())
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	for _, c := range []struct{ name, query, click string }{
		{"home", "", ""}, {"menu", ticTacToe, ".menu summary"},
		{"tictactoe", ticTacToe + "&moves=b2,a2,b1", ""}, {"connect4", connectFour + "&moves=a1,b1", ""}, {"awari", smallAwari, ""},
		{"checkers4", endings, ""}, {"dobutsu3", noChicks, ""},
		{"gomoku", "?game=gomoku&position=15/15/15/15/15/6o8/5o9/6xxx6/7o7/15/15/15/15/15/15%20x&searched=", ""},
		{"tsume", longProblem + "rb3g3s4n4l17p&searched=shortest,alternatives,variations", ""}, {"dobutsu", "?game=dobutsu", ""}, {"hex", "?game=hex%3Asize%3D7x7", ""},
		{"othello", "?game=othello", ""}, {"checkers", "?game=checkers", ""},
		{"draw", "?proof=draw.proof&moves=b2", ""}, {"fours", "?proof=fours.proof", "#do-proof-line"}, {"refused", "?proof=win.proof", ""},
		{"setup-tictactoe", ticTacToe, "#do-setup"}, {"setup-awari", smallAwari, "#do-setup"}, {"setup-checkers", endings, "#do-setup"}, {"setup-tsume", "?game=tsume", "#do-setup"},
		{"setup-dobutsu", noChicks, "#do-setup"},
	} {
		for _, width := range []int64{1280, 360} {
			for _, theme := range []string{"light", "dark"} {
				for _, language := range []string{"en", "ja"} {
					name := fmt.Sprintf("%s-%d-%s-%s", c.name, width, theme, language)
					t.Run(name, func(t *testing.T) {
						p := open(t, s, "")
						js[bool](p, fmt.Sprintf(`localStorage.setItem('yomikiri.lang', '"%s"'), true`, language))
						if width < 500 {
							p.changed = true
							p.run(chromedp.EmulateViewport(width, 740, chromedp.EmulateMobile))
						} else {
							p.changed = true
							p.run(chromedp.EmulateViewport(width, 900))
						}
						p.changed = true
						_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
							Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
						})
						require.NoError(t, err)
						p.visit(c.query)
						if strings.Contains(c.query, "searched") {
							p.until("document.querySelector('#result') !== null")
						}
						p.until("document.querySelectorAll('main svg').length > 0 && !document.querySelector('.waiting')")
						if c.click != "" {
							p.until(fmt.Sprintf("document.querySelector(%q) !== null", c.click))
							p.click(c.click)
						}
						js[bool](p, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
						p.shoot(name)
					})
				}
			}
		}
	}
}
