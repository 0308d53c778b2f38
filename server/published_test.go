//go:build !race

package server_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
	"github.com/yomikiri/yomikiri/server/static"
)

var (
	publishedDB = flag.String("published", "", "database of dobutsu to compare the reader with, instead of that of 3x3")
	lookups     = flag.Int("lookups", 2000, "positions that TestReader looks up")
)

// readers are built once for all tests.
var readers = sync.OnceValues(func() (static.Readers, error) {
	return static.BuildReaders(context.Background(), "..")
})

func needReaders(t *testing.T) static.Readers {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes half a minute to build the reader the first time")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command to build the reader")
	}
	r, err := readers()
	require.NoError(t, err)
	return r
}

// published writes the site of some databases, in parts of a size unless it is 0.
func published(t *testing.T, part int64, sources ...server.Source) string {
	t.Helper()
	readers := needReaders(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "data"), 0o755))
	var list []static.Database
	for _, s := range sources {
		s.Evaluation = nil
		d := static.Database{Game: server.NewDatabase(s).Game(), Part: part}
		d.Game.Formats, d.Game.Status = nil, &server.Status{State: server.Intact}
		path := filepath.Join(dir, filepath.FromSlash(static.PackedName(d.Game)))
		require.NoError(t, store.Pack(t.Context(), s.Database.DB(), path, store.PackOptions{}))
		info, err := os.Stat(path)
		require.NoError(t, err)
		d.Size = info.Size()
		list = append(list, d)
	}
	require.NoError(t, static.Write(dir, list, readers))
	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, err := filepath.Rel(dir, path)
			require.NoError(t, err)
			require.True(t, static.Belongs(filepath.ToSlash(name)), name)
		}
		return err
	}))
	require.False(t, static.Belongs("data/notes"))
	require.False(t, static.Belongs("notes.txt"))
	return dir
}

// site serves files, without ranges if that is said.
type site struct {
	files    http.Handler
	noRanges bool
	whole    atomic.Int64 // answers that are whole files of data
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/data/") {
		if s.noRanges {
			r.Header.Del("Range")
		}
		if r.Header.Get("Range") == "" {
			s.whole.Add(1)
		}
	}
	s.files.ServeHTTP(w, r)
}

func serveSite(t *testing.T, dir string, noRanges bool) (*site, *httptest.Server) {
	x := &site{files: http.FileServer(http.Dir(dir)), noRanges: noRanges}
	s := httptest.NewServer(x)
	t.Cleanup(s.Close)
	return x, s
}

// TestReader compares what the reader answers in Node with what the server answers: every byte.
func TestReader(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node to run the reader")
	}
	src := source(t, "dobutsu:size=3x3", retro.Reachable)
	if *publishedDB != "" {
		src = opened(t, openGame(t, "dobutsu"), *publishedDB)
	}
	dir := published(t, 0, src)
	packed, err := filepath.Glob(filepath.Join(dir, "data", "*"))
	require.NoError(t, err)
	require.Len(t, packed, 1)
	want := newServer(t, server.Config{Databases: []server.Database{server.NewDatabase(opened(t, src.Game, packed[0]))}})
	_, s := serveSite(t, dir, false)
	text, err := os.ReadFile(filepath.Join(dir, "reader", "databases.json"))
	require.NoError(t, err)
	var files []map[string]any
	require.NoError(t, json.Unmarshal(text, &files))
	files[0]["parts"] = []string{s.URL + strings.TrimPrefix(files[0]["parts"].([]any)[0].(string), "..")}
	file, err := json.Marshal(files[0])
	require.NoError(t, err)

	name := src.Game.Name()
	escaped := strings.ReplaceAll(strings.ReplaceAll(name, ":", "%3A"), "=", "%3D")
	questions := [][4]string{
		{"GET", "", "", ""}, {"GET", "", "board=1", ""}, {"GET", "/line", "", ""}, {"GET", "/board", "board=1", ""}, {"GET", "/stats", "", ""},
		{"GET", "/positions", "value=loss_in_2&limit=3", ""}, {"GET", "", "position=nonsense", ""}, {"GET", "", "moves=a1a9", ""},
		{"GET", "", "size=3", ""}, {"GET", "/positions", "value=win_in_999", ""}, {"POST", "", "", "{}"},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	type drawn struct {
		index uint64
		text  string
	}
	var positions []drawn // by index, so that each block is fetched once
	for range *lookups {
		p, index, err := src.Database.Draw(t.Context(), rng)
		require.NoError(t, err)
		positions = append(positions, drawn{index, src.Game.PositionText(p)})
	}
	slices.SortFunc(positions, func(a, b drawn) int { return cmp.Compare(a.index, b.index) })
	for list := range slices.Chunk(positions, 1000) {
		var body struct {
			Positions []string `json:"positions"`
			Moves     bool     `json:"moves"`
		}
		body.Moves = len(questions)%16 == 0
		for _, p := range list {
			body.Positions = append(body.Positions, p.text)
		}
		text, err := json.Marshal(body)
		require.NoError(t, err)
		questions = append(questions, [4]string{"POST", "", "", string(text)})
	}
	var in bytes.Buffer
	for _, q := range questions {
		text, err := json.Marshal([4]string{q[0], escaped + q[1], q[2], q[3]})
		require.NoError(t, err)
		fmt.Fprintf(&in, "%s\n", text)
	}
	cmd := exec.CommandContext(t.Context(), node, "testdata/reader.js", filepath.Join(dir, "reader", "wasm_exec.js"), filepath.Join(dir, "reader", "reader.bin"), string(file))
	cmd.Stdin = &in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	begin := time.Now()
	out, err := cmd.Output()
	require.NoError(t, err, "%s", &stderr)
	t.Logf("%d lookups and %d other requests in %v", *lookups, len(questions), time.Since(begin))
	answers := bufio.NewReader(bytes.NewReader(out))
	for _, q := range questions {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(q[0], "/api/v1/"+escaped+q[1]+"?"+q[2], strings.NewReader(q[3]))
		want.ServeHTTP(w, r)
		got, err := answers.ReadString('\n')
		require.NoError(t, err)
		if fmt.Sprintf("%d %s", w.Code, w.Body) != got {
			require.Equal(t, fmt.Sprintf("%d %s", w.Code, w.Body), got, "%s %s?%s", q[0], q[1], q[2])
		}
	}
}

// TestPublished uses a static site in a real browser, from one file, in parts, and from hosts without ranges.
func TestPublished(t *testing.T) {
	needBrowser(t)
	src := source(t, "dobutsu:size=3x3", retro.Reachable)
	for _, c := range []struct {
		name     string
		part     int64
		noRanges bool
	}{{"one file", 0, false}, {"parts", 5000, false}, {"parts without ranges", 5000, true}} {
		t.Run(c.name, func(t *testing.T) {
			x, s := serveSite(t, published(t, c.part, src, source(t, "tictactoe", retro.Reachable)), c.noRanges)
			p := open(t, s, noChicks)
			p.ready()
			require.Contains(t, p.text("#verdict-text"), "9")
			before := js[string](p, "document.querySelector('#verdict-text').innerText")
			p.click(square("c3"))
			p.click(square("c2"))
			p.made(1)
			p.until(fmt.Sprintf("document.querySelector('#verdict-text').innerText !== %q", before))
			require.Equal(t, c.noRanges, x.whole.Load() > 0, "whole files are asked for where there are no ranges")

			// Without the network, positions whose blocks have been read still have their values.
			s.CloseClientConnections()
			s.Close()
			require.Equal(t, 200, js[int](p, "fetch('api/v1/dobutsu%3Asize%3D3x3?position=startpos').then((answer) => answer.status)"))
			require.Contains(t, js[string](p, "fetch('api/v1/tictactoe').then((answer) => answer.text())"), `"not_loaded","message":"tictactoe cannot be fetched`)
			p.run(chromedp.KeyEvent(kb.ArrowLeft))
			p.until(fmt.Sprintf("document.querySelector('#verdict-text').innerText === %q", before))
			p.sound("ERR_")
		})
	}
	t.Run("no ranges", func(t *testing.T) {
		large := source(t, "checkers:size=6x6,pieces=4", retro.All)
		_, s := serveSite(t, published(t, 0, large), true)
		p := open(t, s, endings)
		p.until("document.body.innerText.includes('this web host does not serve parts of files (HTTP ranges)')")
		p.sound("500")
	})
}
