package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

var (
	dobutsuDatabase = flag.String("dobutsu", "", "database of dobutsu from which TestProbe takes positions")
	probes          = flag.Int("probes", 100_000, "how many positions it takes from there")
)

// TestProbe compares answers with [db.Prober.Probe] and the game's moves: all positions of
// tic-tac-toe, or random ones of dobutsu.
func TestProbe(t *testing.T) {
	if *dobutsuDatabase == "" {
		src := source(t, "tictactoe", retro.Reachable)
		var indices []uint64
		for i := range src.Database.DB().Manifest().Content.Tiers[0].Size {
			indices = append(indices, i)
		}
		checkProbe(t, src, indices)
		return
	}
	src := opened(t, openGame(t, "dobutsu"), *dobutsuDatabase)
	d := src.Database.DB()
	rng := rand.New(rand.NewPCG(1, 2))
	var indices []uint64
	for len(indices) < *probes {
		i := rng.Uint64N(d.Manifest().Content.Tiers[0].Open)
		if _, held, err := d.Value(i); err == nil && held {
			indices = append(indices, i)
		}
	}
	checkProbe(t, src, indices)
}

func checkProbe(t *testing.T, src server.Source, indices []uint64) {
	s := newServer(t, server.Config{Databases: []server.Database{server.NewDatabase(src)}})
	requireValue := func(want games.Value, got db.Verdict) {
		require.Equal(t, want.Result().String(), got.Category)
		if plies, ok := want.Plies(); ok {
			require.Equal(t, plies, *got.DTM)
		} else {
			require.Nil(t, got.DTM)
		}
	}
	compared := 0
	for _, index := range indices {
		p, err := src.Database.Position(index)
		if err != nil {
			continue
		}
		text := string(src.Game.AppendPosition(nil, p))
		a := get[db.Answer](t, s, "/api/v1/"+src.Game.Name()+"?position="+url.QueryEscape(text))
		v, err := src.Database.Probe(p)
		require.NoError(t, err)
		require.Equal(t, text, a.Position)
		requireValue(v, a.Verdict)
		moves := map[string]app.Move{}
		for _, m := range src.Game.AppendMoves(nil, p) {
			moves[string(src.Game.AppendMove(nil, p, m))] = m
		}
		if !a.Finished {
			require.Len(t, a.Moves, len(moves), text)
		}
		for i, m := range a.Moves {
			move, ok := moves[m.Move]
			if !ok && a.Finished {
				continue // it ends the game
			}
			require.True(t, ok, m.Move)
			q := src.Game.Play(p, move)
			require.Equal(t, string(src.Game.AppendPosition(nil, q)), m.Position)
			after, err := src.Database.Probe(q)
			require.NoError(t, err)
			requireValue(after.Backup(0), m.Verdict)
			require.Equal(t, after.Backup(0) == v, m.Optimal)
			require.Equal(t, after.Backup(0).Result() == v.Result(), m.Preserves)
			require.True(t, i > 0 || m.Optimal, "the best move comes first")
		}
		compared++
	}
	require.Greater(t, compared, min(500, len(indices)/2))
}

// TestMalformed sends requests that are wrong in random ways. None is answered with a
// status of 500 or more, and every error says what is wrong.
func TestMalformed(t *testing.T) {
	s := newServer(t, fixture(t))
	s.Check(context.Background()) // so that /healthz does not answer with 503
	rng := rand.New(rand.NewPCG(3, 4))
	seeds := []string{
		"/api/v1/games", "/api/v1/tictactoe", "/api/v1/tictactoe?position=xo./xx./.oo", "/api/v1/tictactoe?moves=b2,a1",
		"/api/v1/awari:stones=4?position=0,0,0,0,0,2,1,1,0,0,0,0&score=1,2", "/api/v1/tictactoe/line?index=17",
		"/api/v1/awari:stones=4/stats", "/api/v1/first?moves=b2&nodes=1&time=1ms", "/api/v1/first/board?board=1", "/api/v1/tictactoe/move?level=2&budget=9&seed=1&moves=b2",
		"/api/v1/proof/draw.proof/node?path=a1,b2&claim=mover_holds", "/healthz", "/metrics", "/index.html", "/api/v1/first:size=3",
	}
	bodies := []string{
		`{"positions":["startpos","xo./xx./.oo"],"moves":true}`, `{"turn":1,"pieces":[{"kind":"mark","side":1,"square":"b2","count":1}]}`,
	}
	const letters = "/?&=,:%._-+*{}[]\"\x00\n0123456789xo "
	mutate := func(text string) string {
		b := []byte(text)
		for range 1 + rng.IntN(4) {
			at := rng.IntN(len(b) + 1)
			switch rng.IntN(4) {
			case 0: // insert
				b = append(b[:at:at], append([]byte{byte(rng.IntN(256))}, b[at:]...)...)
			case 1: // delete
				if at < len(b) {
					b = append(b[:at:at], b[at+1:]...)
				}
			case 2: // change
				if at < len(b) {
					b[at] = letters[rng.IntN(len(letters))]
				}
			default: // repeat
				b = append(b, b[min(at, len(b)):]...)
			}
		}
		return string(b)
	}
	methods := []string{"GET", "GET", "GET", "HEAD", "POST", "POST", "PUT", "OPTIONS", "x"}
	statuses := map[int]int{}
	for n := range 10_000 {
		u := &url.URL{}
		u.Path, u.RawQuery, _ = strings.Cut(seeds[rng.IntN(len(seeds))], "?")
		if n%3 == 0 {
			u.Path = mutate(u.Path)
		} else if u.RawQuery != "" {
			u.RawQuery = mutate(u.RawQuery)
		}
		r := &http.Request{
			Method: methods[rng.IntN(len(methods))], URL: u, Header: http.Header{}, Host: "x",
			Body: io.NopCloser(strings.NewReader(mutate(bodies[rng.IntN(len(bodies))]))),
		}
		w := record(s, r)
		require.Less(t, w.Code, 500, "%s %q %s", r.Method, u, w.Body)
		require.NotEqual(t, 3, w.Code/100, "%s %q", r.Method, u)
		statuses[w.Code]++
		if w.Code >= 400 {
			var e struct{ Error struct{ Message string } }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &e), "%s %q: %s", r.Method, u, w.Body)
			require.NotEmpty(t, e.Error.Message)
		}
	}
	require.Greater(t, statuses[400], 1000, "%v", statuses)
	require.Greater(t, statuses[404], 1000, "%v", statuses)
	require.Greater(t, statuses[405], 100, "%v", statuses)
}

// TestHealth has a server that is healthy only when its databases and proofs are checked.
func TestHealth(t *testing.T) {
	c := fixture(t)
	s := newServer(t, c)
	w := ask(s, "/healthz")
	require.Equal(t, 503, w.Code)
	require.JSONEq(t, `{"status":"checking","games":{"tictactoe":{"state":"checking"},"awari:stones=4":{"state":"checking"},"proof/draw.proof":{"state":"checking"}}}`, w.Body.String())
	require.Contains(t, ask(s, "/metrics").Body.String(), "yomikiri_healthy 0")
	s.Check(context.Background())
	w = ask(s, "/healthz")
	require.Equal(t, 200, w.Code, w.Body)
	require.Contains(t, ask(s, "/metrics").Body.String(), "yomikiri_healthy 1")
}

var errorID = regexp.MustCompile(`"id":"([0-9a-f]{16})"`)

// TestDamaged damages a database that is open. It is not healthy then, and a damaged block
// is an error with an id that the log has, never a value.
func TestDamaged(t *testing.T) {
	src := source(t, "awari:stones=6", retro.All)
	c := server.Config{Databases: []server.Database{server.NewDatabase(src)}}
	log := logged(&c)
	tables, err := filepath.Glob(filepath.Join(src.Name, "store", "*.sst"))
	require.NoError(t, err)
	require.NotEmpty(t, tables)
	for _, table := range tables {
		data, err := os.ReadFile(table)
		require.NoError(t, err)
		for i := range min(len(data), 400) {
			data[i] ^= 0x55
		}
		require.NoError(t, os.WriteFile(table, data, 0o644))
	}
	for _, request := range []string{
		"/api/v1/awari:stones=6", "/api/v1/awari:stones=6/line",
		`POST /api/v1/awari:stones=6 {"positions":["startpos"]}`,
	} {
		s := newServer(t, c)
		w := ask(s, request)
		require.Equal(t, 500, w.Code, "%s: %s", request, w.Body)
		require.NotContains(t, w.Body.String(), "category")
		require.Contains(t, w.Body.String(), `{"error":{"code":"damaged","message":"the database is damaged`)
		id := errorID.FindStringSubmatch(w.Body.String())
		require.NotNil(t, id, w.Body)
		require.Contains(t, log.String(), "id="+id[1])
		require.Contains(t, log.String(), "damaged data")
		require.Contains(t, ask(s, "/healthz").Body.String(), `"state":"damaged"`, "an answer has found the damage")
		w = ask(s, request)
		require.Equal(t, 500, w.Code)
		require.JSONEq(t, `{"error":{"code":"damaged","message":"the database is damaged, so its values are withheld"}}`, w.Body.String())
	}
	s := newServer(t, c)
	s.Check(context.Background())
	w := ask(s, "/healthz")
	require.Equal(t, 503, w.Code)
	require.Contains(t, w.Body.String(), `"state":"damaged"`)
	require.Contains(t, log.String(), "check failed")
}

// TestWithheld has a database whose check finds damage that no lookup meets. It answers without values
// from then on.
func TestWithheld(t *testing.T) {
	c := fixture(t)
	c.Databases[0] = struct {
		failing
		server.Browser
	}{failing{c.Databases[0], fmt.Errorf("x.db: %w", db.ErrCorrupt)}, c.Databases[0].(server.Browser)}
	log := logged(&c)
	s := newServer(t, c)
	values := []string{
		"/api/v1/tictactoe", "/api/v1/tictactoe?moves=b2&board=1", "/api/v1/tictactoe?index=7", "/api/v1/tictactoe/line", "/api/v1/tictactoe/stats",
		"/api/v1/tictactoe/random", "/api/v1/tictactoe/positions?value=win_in_5",
		`POST /api/v1/tictactoe {"positions":["startpos"]}`, `POST /api/v1/tictactoe {"line":{"position":"startpos","moves":["b2"]}}`,
	}
	const move, review = "/api/v1/tictactoe/move?position=xo./xx./.oo&level=10", "/api/v1/tictactoe/review?moves=b2,a2"
	for _, request := range values {
		require.Equal(t, 200, ask(s, request).Code, request)
	}
	require.Contains(t, ask(s, move).Body.String(), `"category":"win"`)
	require.Contains(t, ask(s, review).Body.String(), `"proved_by":"database"`)

	s.Check(t.Context())
	logs := log.String()
	for _, request := range values {
		w := ask(s, request)
		require.Equal(t, 500, w.Code, request)
		require.JSONEq(t, `{"error":{"code":"damaged","message":"the database is damaged, so its values are withheld"}}`, w.Body.String(), request)
	}
	for _, request := range []string{move, review, "/api/v1/tictactoe/board?board=1", "/api/v1/tictactoe/board?index=7"} {
		w := ask(s, request)
		require.Equal(t, 200, w.Code, request)
		require.NotRegexp(t, `"(category|dtm|preserves_result|optimal)":|database`, w.Body.String(), "%s: the game can be played", request)
	}
	require.Equal(t, logs, log.String(), "it is known already")
	require.Equal(t, 200, ask(s, "/api/v1/awari:stones=4").Code, "the other database is intact")
}

// blind is a database with a damaged block that its check does not see, as if it had been damaged since.
type blind struct{ server.Database }

func (blind) Answer(server.Query) (*db.Answer, error) {
	return nil, fmt.Errorf("x.db: %w", db.ErrCorrupt)
}

// TestStaysDamaged has a lookup meet damage before the check of the database ends well.
func TestStaysDamaged(t *testing.T) {
	c := fixture(t)
	c.Databases[0] = blind{c.Databases[0]}
	logged(&c)
	s := newServer(t, c)
	require.Equal(t, 500, ask(s, "/api/v1/tictactoe").Code)
	s.Check(t.Context())
	require.Contains(t, ask(s, "/healthz").Body.String(), `"tictactoe":{"state":"damaged"}`)
	require.Contains(t, ask(s, "/api/v1/tictactoe/stats").Body.String(), "its values are withheld")
}

// broken is a database of a game with a bug.
type broken struct{ server.Database }

func (broken) Answer(server.Query) (*db.Answer, error) { panic("a bug") }

func TestPanic(t *testing.T) {
	c := fixture(t)
	c.Databases[0] = broken{c.Databases[0]}
	log := logged(&c)
	w := ask(newServer(t, c), "/api/v1/tictactoe")
	require.Equal(t, 500, w.Code)
	id := errorID.FindStringSubmatch(w.Body.String())
	require.NotNil(t, id)
	require.NotContains(t, w.Body.String(), "a bug")
	require.Contains(t, w.Body.String(), `"code":"internal"`)
	require.Contains(t, log.String(), "panic: a bug")
	require.Contains(t, log.String(), "id="+id[1])
}

// TestBusy has as many searches as may run at a time, and one more.
func TestBusy(t *testing.T) {
	c := fixture(t)
	begun, end := make(chan bool), make(chan bool)
	c.Searches[0] = firstMoves(t, func(ctx context.Context) error {
		begun <- true
		<-end
		return nil
	})
	c.Limits = server.Limits{Searches: 2, Wait: time.Millisecond}
	s := newServer(t, c)
	codes := make(chan int)
	for range 2 {
		go func() { codes <- ask(s, "/api/v1/first").Code }()
		<-begun
	}
	w := ask(s, "/api/v1/first")
	require.Equal(t, 503, w.Code)
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.Contains(t, w.Body.String(), `"code":"busy"`)
	require.Equal(t, 200, ask(s, "/api/v1/tictactoe").Code, "lookups do not wait for searches")
	require.Contains(t, ask(s, "/metrics").Body.String(), "yomikiri_searches 2")
	close(end)
	require.Equal(t, 200, <-codes)
	require.Equal(t, 200, <-codes)
}

// TestLimit has requests that would take longer than a request may, or that go on after their client has
// gone. Reading the text of games ends with them.
func TestLimit(t *testing.T) {
	for _, gone := range []bool{false, true} {
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		ended := 0
		search := server.NewSearch(server.SearchSource{
			Name: "tictactoe",
			Game: recording(openGame(t, "tictactoe"), func(g *app.Game, _ []byte) iter.Seq2[app.Recorded, error] {
				return func(yield func(app.Recorded, error) bool) {
					if gone {
						leave()
					}
					for yield(app.Recorded{From: g.Start()}, nil) { // as many games as are read
					}
					ended++
				}
			}),
			Finder: &app.Finder{Run: func(ctx context.Context, p app.Position, _ app.SearchOptions) (r app.Found, err error) {
				if gone {
					leave()
				}
				<-ctx.Done()
				ended++
				return r, ctx.Err()
			}},
		})
		c := server.Config{Searches: []server.Search{search}}
		if !gone {
			c.Limits.Time = time.Nanosecond
		}
		s := newServer(t, c)
		for _, r := range []*http.Request{
			httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/v1/tictactoe/records", strings.NewReader("b2")),
			httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/v1/tictactoe", nil),
		} {
			w := record(s, r)
			require.Equal(t, 503, w.Code, w.Body)
			require.Contains(t, w.Body.String(), `"code":"cut_off"`)
		}
		require.Positive(t, ended)
	}
}

// TestBodyLate has a body that does not arrive within the limit of a request.
func TestBodyLate(t *testing.T) {
	c := fixture(t)
	c.Limits.Time = 20 * time.Millisecond
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- newServer(t, c).Serve(ctx, l) }()
	conn, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "POST /api/v1/first/records HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nb")
	require.NoError(t, err)
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestTimeout, r.StatusCode)
	stop()
	require.NoError(t, <-served)
}

// TestGone has a client that goes while a line is looked up.
func TestGone(t *testing.T) {
	s := newServer(t, fixture(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, path := range []string{"/api/v1/tictactoe/line", "/api/v1/awari:stones=4/line"} {
		w := record(s, httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
		require.Equal(t, 503, w.Code, path)
		require.Contains(t, w.Body.String(), `"code":"cut_off"`)
	}
}

// TestServe stops a server that is at work. A search ends; its client gets an answer, and
// so does a lookup that runs.
func TestServe(t *testing.T) {
	c := fixture(t)
	begun := make(chan bool)
	c.Searches[0] = firstMoves(t, func(ctx context.Context) error {
		begun <- true
		<-ctx.Done()
		return ctx.Err()
	})
	s := newServer(t, c)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- s.Serve(ctx, l) }()
	address := "http://" + l.Addr().String()
	require.Eventually(t, func() bool {
		r, err := http.Get(address + "/healthz")
		return err == nil && r.Body.Close() == nil && r.StatusCode == 200
	}, time.Minute, 10*time.Millisecond)
	codes := make(chan int)
	go func() {
		r, err := http.Get(address + "/api/v1/first")
		if err != nil {
			t.Error(err)
			codes <- 0
			return
		}
		defer r.Body.Close()
		codes <- r.StatusCode
	}()
	<-begun
	stop()
	require.Equal(t, 503, <-codes)
	require.NoError(t, <-served)
	_, err = http.Get(address + "/healthz")
	require.Error(t, err)
}

// TestCutOff has a request that does not end.
func TestCutOff(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for seconds")
	}
	c := fixture(t)
	begun, end := make(chan bool), make(chan bool)
	defer close(end)
	c.Searches[0] = firstMoves(t, func(ctx context.Context) error {
		begun <- true
		<-end
		return nil
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error)
	s := newServer(t, c)
	go func() { served <- s.Serve(ctx, l) }()
	go http.Get(fmt.Sprintf("http://%s/api/v1/first", l.Addr()))
	<-begun
	stop()
	require.ErrorIs(t, <-served, server.ErrCutOff)
}
