//go:build !race

package server_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// chromium is the browser of all tests, once one has asked for it. Pages of different tests share a profile: they have different
// origins.
var chromium struct {
	once sync.Once
	ctx  context.Context
	err  error
	end  func()

	mu   sync.Mutex
	free []window // that tests have left: a new one takes several times as long as a page
}

// window is a tab of the browser.
type window struct {
	ctx   context.Context
	close func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.end != nil {
		chromium.end()
	}
	os.Exit(code)
}

// launch starts a headless Chromium.
func launch(path string) {
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		chromium.err = err
		return
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(1280, 900), chromedp.UserDataDir(dir),
		chromedp.Flag("lang", "en-US"), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(time.Minute))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	browser, stop := chromedp.NewContext(allocator)
	chromium.ctx, chromium.err = browser, chromedp.Do(browser)
	chromium.end = func() {
		stop()
		cancel()
		os.RemoveAll(dir)
	}
}

// needBrowser starts a headless Chromium for the first test that needs it, or skips the test if there is none.
func needBrowser(t *testing.T) {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	path := ""
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skipf("no Chromium is installed (none of %s); on Debian: apt-get install chromium", strings.Join(names, ", "))
	}
	chromium.once.Do(func() { launch(path) })
	require.NoError(t, chromium.err)
}

// newWindow returns a window that a test has left, or a new one.
func newWindow(t *testing.T) window {
	t.Helper()
	chromium.mu.Lock()
	defer chromium.mu.Unlock()
	if n := len(chromium.free); n > 0 {
		w := chromium.free[n-1]
		chromium.free = chromium.free[:n-1]
		return w
	}
	ctx, stop := chromedp.NewContext(chromium.ctx)
	require.NoError(t, chromedp.Do(ctx))
	return window{ctx, stop}
}

// tab is a page of the browser, with what went wrong in it and what it asked for.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string // of the server
	// changed says that the tab has another size or look, and is not for another test.
	changed bool

	mu       sync.Mutex
	problems []string
	requests []string
}

// open opens a page of the server in a tab, and leaves that to others when the test is over. The test fails if anything is
// written to its console.
func open(t *testing.T, s *httptest.Server, query string) *tab {
	t.Helper()
	w := newWindow(t)
	ctx, cancel := context.WithCancel(w.ctx) // which ends what listens
	p := &tab{t: t, ctx: ctx, url: s.URL}
	t.Cleanup(func() {
		cancel()
		if t.Failed() || p.changed {
			w.close()
			return
		}
		// The page goes there by itself, and so stays in its process. The browser would begin another one.
		blank, cancel := context.WithTimeout(w.ctx, patience)
		defer cancel()
		_, err := chromedp.RunResponse(blank, chromedp.Evaluate[chromedp.Void]("location.replace('about:blank')"))
		require.NoError(t, err)
		chromium.mu.Lock()
		defer chromium.mu.Unlock()
		chromium.free = append(chromium.free, w)
	})
	require.NoError(t, chromedp.Listen(ctx, p.note))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	require.NoError(t, err)
	p.visit(query)
	return p
}

// visit goes to another page of the server.
func (p *tab) visit(query string) {
	p.t.Helper()
	p.run(chromedp.Navigate(p.url + "/" + query))
}

// note takes down what the browser reports.
func (p *tab) note(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	case *runtime.EventConsoleAPICalled:
		p.problems = append(p.problems, fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		p.problems = append(p.problems, e.Entry.Text+" "+e.Entry.URL)
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	}
}

func (p *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	require.NoError(p.t, chromedp.Do(ctx, actions...))
}

// patience is how long to wait for something that takes a moment: so long that it never
// comes only if it is broken.
const patience = 30 * time.Second

// sound checks that the console is empty, but for failed requests that are meant, and that
// no request went elsewhere.
func (p *tab) sound(meant ...string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	require.NotEmpty(p.t, p.requests)
	for _, text := range p.problems {
		require.True(p.t, slices.ContainsFunc(meant, func(m string) bool { return strings.Contains(text, m) }), "console: %s", text)
	}
	for _, url := range p.requests {
		require.True(p.t, strings.HasPrefix(url, p.url+"/") || strings.HasPrefix(url, "data:"), "a request to %s", url)
	}
}

// js returns what an expression of the page is, or the promise that it is.
func js[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		page, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string]("document.body.innerText"))
		require.NoError(p.t, err, "%s; the page says: %s; console: %v", expression, strings.Join(strings.Fields(page), " "), p.problems)
	}
	return v
}

// until waits for an expression to become true.
func (p *tab) until(expression string) {
	p.t.Helper()
	js[bool](p, fmt.Sprintf("new Promise((done) => { const look = () => (%s) ? done(true) : setTimeout(look, 20); look(); })", expression))
}

// click clicks with the mouse in the middle of an element. The page may move between the measurement and the click,
// as while it scrolls. Then the page does not see what would hit another element, and click tries again.
func (p *tab) click(selector string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	for hit := false; !hit; hit = js[bool](p, "window.clicked !== false") { // another page has no such variable
		require.NoError(p.t, ctx.Err(), "%s cannot be clicked", selector)
		at := js[[]float64](p, fmt.Sprintf(`(() => {
			const selector = %q;
			const e = document.querySelector(selector);
			e.scrollIntoView({ block: 'nearest', behavior: 'instant' });
			const box = e.getBoundingClientRect();
			window.unarm?.();
			window.clicked = false;
			const events = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
			const guard = (event) => {
				if (!document.querySelector(selector)?.contains(event.target)) {
					event.preventDefault();
					event.stopImmediatePropagation();
				} else if (event.type === 'click') {
					window.clicked = true;
					window.unarm();
				}
			};
			for (const name of events) window.addEventListener(name, guard, true);
			window.unarm = () => events.forEach((name) => window.removeEventListener(name, guard, true));
			return [box.x + box.width / 2, box.y + box.height / 2];
		})()`, selector))
		p.run(chromedp.MouseClickXY(at[0], at[1]))
	}
}

// square is the selector of a square of the board, or of a piece in hand such as 1*chick.
func square(name string) string { return fmt.Sprintf(`#board .cell[data-place=%q] > *`, name) }

func (p *tab) text(selector string) string {
	p.t.Helper()
	return js[string](p, fmt.Sprintf("document.querySelector(%q).innerText", selector))
}

func (p *tab) position() string {
	p.t.Helper()
	return js[string](p, "document.querySelector('#position').value")
}

// made waits until the record of the game has n moves.
func (p *tab) made(n int) {
	p.t.Helper()
	p.until(fmt.Sprintf("document.querySelectorAll('.record > li').length === %d && !document.querySelector('.waiting')", n))
}

// ready waits until the page shows a game.
func (p *tab) ready() { p.t.Helper(); p.until("document.querySelector('#verdict-text') !== null") }

// nodes counts the elements of a selector.
func (p *tab) nodes(selector string) int {
	p.t.Helper()
	return js[int](p, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
}
