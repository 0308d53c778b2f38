//go:build !race

package server_test

import (
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// testSize checks what loading a game takes: all files together stay below 200 KB without
// compression, and nothing comes from elsewhere.
func testSize(t *testing.T, s *httptest.Server) {
	const most = 200_000
	p := open(t, s, "")
	_, err := chromedp.Call(p.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
	require.NoError(t, err)
	p.visit(ticTacToe)
	p.ready()
	_, err = chromedp.Call(p.ctx, network.SetCacheDisabled, network.SetCacheDisabledParams{})
	require.NoError(t, err)
	size := js[int](p, `performance.getEntries().filter((e) => e.decodedBodySize && !e.name.includes('/api/') && !/\.(png|svg)$/.test(e.name))
		.reduce((sum, e) => sum + e.decodedBodySize, 0)`)
	files := js[int](p, "performance.getEntriesByType('resource').filter((e) => !e.name.includes('/api/')).length")
	first := js[float64](p, "performance.getEntriesByType('resource').find((e) => e.name.includes('/api/v1/tictactoe')).responseEnd")
	answer := js[float64](p, "performance.getEntriesByType('resource').find((e) => e.name.includes('/api/v1/tictactoe')).duration")
	t.Logf("%d bytes in %d files; the first answer came %.0f ms after the click, and took %.1f ms", size, files, first, answer)
	require.Greater(t, size, 10_000)
	require.Less(t, size, most)
	p.sound()

	embedded := int64(0)
	require.NoError(t, fs.WalkDir(os.DirFS("web"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".svg" {
			return err
		}
		info, err := d.Info()
		embedded += info.Size()
		return err
	}))
	require.Less(t, embedded, int64(most), "all files, those of other views too")
}

// testContrast measures the contrast of values with their background.
func testContrast(t *testing.T, s *httptest.Server) {
	const contrast = `(() => {
		const light = (color) => {
			const [r, g, b] = color.match(/\d+/g).map((n) => n / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
			return 0.2126 * r + 0.7152 * g + 0.0722 * b;
		};
		return Math.min(...['win', 'draw', 'loss'].map((css) => {
			const e = document.createElement('span');
			e.className = 'value ' + css;
			document.body.append(e);
			const style = getComputedStyle(e);
			const [a, b] = [light(style.color), light(style.backgroundColor)];
			e.remove();
			return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		}));
	})()`
	p := open(t, s, ticTacToe)
	p.ready()
	for _, theme := range []string{"light", "dark"} {
		p.changed = true
		_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}},
		})
		require.NoError(t, err)
		require.Greater(t, js[float64](p, contrast), 4.5, theme)
	}
	p.sound()
}

// testNarrow checks that nothing is wider than a phone, that the name of the game is in
// sight, and that squares and controls are large enough for a thumb.
func testNarrow(t *testing.T, s *httptest.Server) {
	p := open(t, s, "")
	p.changed = true
	p.run(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
	for _, query := range []string{"", smallAwari + "&moves=F,A", endings, "?game=tsume", "?proof=draw.proof"} {
		p.visit(query)
		p.until("document.querySelector('svg') !== null")
		require.LessOrEqual(t, js[int](p, "document.documentElement.scrollWidth"), 360, query)
		if query != "" {
			p.ready()
			require.Empty(t, js[[]string](p, `[...document.querySelectorAll('a, button, select, input:not([type=checkbox]), label.check, summary, [role=button]')]
				.filter((e) => { const { width, height } = e.getBoundingClientRect(); return width && (width < 24 || height < 24); }).map((e) => e.outerHTML)`), query)
			require.True(t, js[bool](p, `(({ left, width }) => width > 20 && Math.abs(left + width / 2 - 180) < 170)(document.querySelector('nav summary b').getBoundingClientRect())`), query)
			require.Greater(t, js[float64](p, "document.querySelector('#board .cell').getBoundingClientRect().width"), 30.0, query)
		}
		p.sound()
	}
}

// testMenu opens the list of games by mouse and keys, and closes it again.
func testMenu(t *testing.T, s *httptest.Server) {
	p := open(t, s, ticTacToe)
	p.ready()
	require.Equal(t, []string{"Solved", "Search", "Proof"}, js[[]string](p, "[...document.querySelectorAll('.menu h2')].map((e) => e.textContent)"))
	shown := "document.querySelector('.menu').open"
	require.False(t, js[bool](p, shown))
	p.click(".menu summary")
	p.until(shown)
	p.run(chromedp.KeyEvent(kb.Escape))
	p.until("!(" + shown + ")")
	require.Equal(t, "SUMMARY", js[string](p, "document.activeElement.tagName"))
	p.click(".menu summary")
	p.until(shown)
	js[bool](p, "document.querySelector('h1').click(), true") // which the list may cover
	p.until("!(" + shown + ")")
	p.click(".menu summary")
	p.click(".menu a:nth-of-type(2)")
	p.until("document.querySelector('h1')?.innerText.startsWith('Connect Four')")
	require.False(t, js[bool](p, shown))
	p.sound()
}

// testMarks looks for marks on pieces: they cover nothing of them.
func testMarks(t *testing.T, s *httptest.Server) {
	p := open(t, s, noChicks)
	for _, query := range []string{noChicks, endings} {
		p.visit(query)
		p.ready()
		p.until("document.querySelectorAll('#board .mark').length > 0")
		gaps := js[[]float64](p, `(({ height: cell }) => [...document.querySelectorAll('#board .mark')].flatMap((m) => {
			const mark = m.getBoundingClientRect();
			return [...document.querySelectorAll('#board .pieces .drawn')].map((d) => d.getBoundingClientRect())
				.filter((d) => Math.abs(d.x + d.width / 2 - mark.x - mark.width / 2) < 3 && d.y < mark.y && mark.bottom - d.y < 1.1 * cell).map((d) => mark.y - d.bottom);
		}))(document.querySelector('#board .cell').getBoundingClientRect())`)
		require.NotEmpty(t, gaps, query)
		for _, gap := range gaps {
			require.Greater(t, gap, -1.0, query)
		}
	}
	p.sound()
}

// testNarrowSetUp sets up a position on a phone: the board stays in sight beside every piece.
func testNarrowSetUp(t *testing.T, s *httptest.Server) {
	p := open(t, s, "")
	p.changed = true
	p.run(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile))
	for _, query := range []string{"?game=tsume", noChicks, endings} {
		p.visit(query)
		p.ready()
		p.click("#do-setup")
		p.until("document.querySelector('.brush') !== null")
		for _, selector := range []string{".brush", ".palette .row:last-of-type .brush:last-child"} {
			p.click(selector)
			require.True(t, js[bool](p, `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('#board svg').getBoundingClientRect())`), "%s: %s", query, selector)
			require.True(t, js[bool](p, fmt.Sprintf(`(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector(%q).getBoundingClientRect())`, selector)), "%s: %s", query, selector)
			require.LessOrEqual(t, js[int](p, "document.documentElement.scrollWidth"), 360, query)
		}
		p.click("#setup-accept")
		p.until("document.querySelector('#setup-accept') === null")
	}
	p.sound()
}
