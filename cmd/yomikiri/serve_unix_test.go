//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// server is a serve that runs.
type server struct {
	*exec.Cmd
	lines *bufio.Reader // of stderr, after the first
}

// serve starts serve, and returns what asks it for a path.
func serve(t *testing.T, args ...string) (*server, func(path string) (status int, text string)) {
	c := exec.Command("yomikiri", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	stderr, err := c.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { c.Process.Kill() })
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	for err == nil && strings.Contains(line, ": there is no database ") {
		line, err = lines.ReadString('\n')
	}
	require.NoError(t, err)
	match := regexp.MustCompile(`^serving on (http://127\.0\.0\.1:\d+)\n$`).FindStringSubmatch(line)
	require.NotNil(t, match, line)
	return &server{c, lines}, func(path string) (int, string) {
		r, err := http.Get(match[1] + path)
		require.NoError(t, err)
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return r.StatusCode, string(text)
	}
}

// logged reads the log up to a line with a text.
func (s *server) logged(t *testing.T, text string) {
	t.Helper()
	for {
		line, err := s.lines.ReadString('\n')
		require.NoError(t, err, "the log does not say %q", text)
		if strings.Contains(line, text) {
			return
		}
	}
}

// TestServe serves a database, a proof and the searches, and is interrupted.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	database, proof := filepath.Join(dir, "3x3.db"), filepath.Join(dir, "win.proof")
	require.NoError(t, exec.Command("yomikiri", "solve", "-q", "tictactoe", "--db", database).Run())
	require.NoError(t, exec.Command("yomikiri", "prove", "-q", "gomoku", "--size", "4x7", "--k", "3", "--proof", proof).Run())
	// A proof that rests on a database is served with it.
	ending, rests := filepath.Join(dir, "ending.db"), filepath.Join(dir, "ending.proof")
	require.NoError(t, exec.Command("yomikiri", "solve", "-q", "checkers", "--size", "4x4", "--pieces", "3", "--db", ending).Run())
	require.NoError(t, exec.Command("yomikiri", "prove", "-q", "checkers:size=4x4", "B:WK2,5:BK4,K7", "--method", "df-pn", "--db", ending, "--proof", rests).Run())
	refused, err := exec.Command("yomikiri", "serve", rests).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(refused), "it rests on a database with the checksum ")

	c, get := serve(t, rests, database, proof, ending)
	require.Eventually(t, func() bool {
		status, _ := get("/healthz")
		return status == http.StatusOK
	}, time.Minute, 20*time.Millisecond)

	_, text := get("/api/v1/games")
	var list struct {
		Games []struct{ Name, Kind, Database, Game string }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &list))
	require.Len(t, list.Games, 6)
	require.Equal(t, "3x3.db", list.Games[0].Database)
	for _, c := range []struct{ path, want string }{
		{"/", "<!doctype html>"},
		{"/api/v1/tictactoe?moves=b2,a2", `"category":"win","dtm":5`},
		{"/api/v1/tsume?position=4k4/9/4P4/9/9/9/9/9/9_b_G", `"line":["G*5b"]`},
		{"/api/v1/gomoku?position=15/15/15/15/15/6o8/5o9/6xxx6/7o7/15/15/15/15/15/15_x", `"zone":["e8","f8","j8"]`},
		{"/api/v1/gomoku:size=9x9/board?moves=e5", `"game":"gomoku:size=9x9"`},
		{"/api/v1/proof/win.proof/node", `"proves":"win","kind":"move"`},
		{"/api/v1/proof/ending.proof/node?path=4-1,5-4", `"kind":"next","move_kinds":["database"]`},
	} {
		status, text := get(c.path)
		require.Equal(t, http.StatusOK, status, text)
		require.Contains(t, text, c.want, c.path)
	}
	status, text := get("/api/v1/tsume?position=9/9/9/9/9/9/9/9/9_b_G")
	require.Equal(t, http.StatusBadRequest, status, text)

	require.NoError(t, c.Process.Signal(os.Interrupt))
	rest, err := io.ReadAll(c.lines)
	require.NoError(t, err)
	require.Empty(t, string(rest))
	require.NoError(t, c.Wait(), "an interrupt is how it ends")
}

// TestServeGames serves games without a database, under rules of their own, beside one with.
func TestServeGames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "part.db")
	require.NoError(t, exec.Command("yomikiri", "solve", "-q", "checkers", "--size", "4x4", "--pieces", "3", "--db", dir).Run())
	_, get := serve(t, "shogi", "gomoku:size=9x9", "checkers:size=6x6", dir)
	_, text := get("/api/v1/games")
	var list struct {
		Games []struct {
			Name, Kind string
			Levels     int
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &list))
	var names []string
	for _, g := range list.Games {
		names = append(names, fmt.Sprintf("%s %s %d", g.Name, g.Kind, g.Levels))
	}
	require.Equal(t, []string{"checkers:size=4x4,pieces=3 database 10", "shogi game 10", "gomoku:size=9x9 search 10", "checkers:size=6x6 game 10",
		"gomoku search 10", "tsume search 0"}, names)
	for _, c := range []struct{ path, want string }{
		{"/api/v1/shogi/move?position=4k4/9/4P4/9/9/9/9/9/4K4_b_G&level=10", `"move":"G*5b","after":"4k4/4G4/4P4/9/9/9/9/9/4K4 w -","value":"win in 1","proved_by":"mate search"}`},
		{"/api/v1/checkers:size=6x6/move?level=4", `"position":"B:W13,14,15,16,17,18:B1,2,3,4,5,6","move":"`},
		{"/api/v1/gomoku:size=9x9/move?moves=e5", `"position":"9/9/9/9/4x4/9/9/9/9 o","move":"`},
		{"/api/v1/gomoku:size=9x9?position=9/9/9/3xxx3/9/9/o3oo3/9/9_x", `"result":"win"`},
		{"/api/v1/gomoku:size=11x11/move", `"move":"f6"`},
		{"/api/v1/checkers:size=4x4,pieces=3/move?position=B:WK2,K8:BK1", `"category":"draw","dtm":null,"score":null}`},
		{"/api/v1/checkers:size=4x4,pieces=3/move?position=B:WK2,5:BK4,K7&level=5", `"estimate":{`}, // of four pieces
	} {
		status, text := get(c.path)
		require.Equal(t, http.StatusOK, status, text)
		require.Contains(t, text, c.want, c.path)
	}
}

// TestServeWhole names a game of which only the endings are solved. It can be played from its start as before,
// and has values in the endings.
func TestServeWhole(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, exec.Command("yomikiri", "solve", "-q", "checkers", "--size", "4x4", "--pieces", "3").Run())
	for _, arg := range []string{"checkers:size=4x4", "checkers-size-4x4.db"} {
		_, get := serve(t, arg)
		_, text := get("/api/v1/games")
		named := arg == "checkers:size=4x4"
		require.Equal(t, named, strings.Contains(text, `"whole":{"name":"checkers:size=4x4","rules_text":"size=4x4","start":"`), text)
		_, text = get("/api/v1/checkers:size=4x4/move?level=1")
		require.Equal(t, named, strings.Contains(text, `"position":"B:W7,8:B1,2","move":"`), text)
		status, text := get("/api/v1/checkers:size=4x4?position=B:WK2,K8:BK1")
		require.Equal(t, http.StatusOK, status, text)
		require.Contains(t, text, `"category":"draw"`)
	}
}

// TestServeRefused serves a proof with a false certificate.
func TestServeRefused(t *testing.T) {
	c, get := serve(t, "../../proof/testdata/false-6x9.proof")
	require.Eventually(t, func() bool {
		_, text := get("/healthz")
		return strings.Contains(text, `"status":"failed"`)
	}, time.Minute, 20*time.Millisecond)
	_, text := get("/healthz")
	require.Contains(t, text, `"proof/false-6x9.proof":{"state":"refused","reason":"claim 1 (mover wins): node 1, `)
	for _, path := range []string{"/api/v1/games", "/api/v1/proof/false-6x9.proof/node"} {
		_, text = get(path)
		require.Contains(t, text, `"state":"refused"`)
		require.NotContains(t, text, `"proves"`)
	}
	c.logged(t, "state=refused")
	require.NoError(t, c.Process.Signal(os.Interrupt))
	require.NoError(t, c.Wait())
}

// TestServeDamaged serves what is too damaged to be opened beside a database, and a proof that rests on what
// is damaged. They are listed, and everything else is served.
func TestServeDamaged(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, exec.Command("yomikiri", "solve", "-q", "tictactoe", "--db", in("there.db")).Run())
	require.NoError(t, exec.Command("yomikiri", "prove", "-q", "tictactoe", "--proof", in("cut.proof")).Run())
	require.NoError(t, exec.Command("yomikiri", "solve", "-q", "checkers", "--size", "4x4", "--pieces", "3", "--db", in("ending.db")).Run())
	require.NoError(t, exec.Command("yomikiri", "prove", "-q", "checkers:size=4x4", "B:WK2,5:BK4,K7", "--method", "df-pn", "--db", in("ending.db"), "--proof", in("rests.proof")).Run())
	require.NoError(t, os.CopyFS(in("cut.db"), os.DirFS(in("there.db"))))
	require.NoError(t, os.Truncate(filepath.Join(in("cut.db"), "yomikiri.manifest"), 100))
	tables, err := filepath.Glob(filepath.Join(in("ending.db"), "store", "*.sst"))
	require.NoError(t, err)
	require.NoError(t, os.Truncate(tables[0], 100))
	info, err := os.Stat(in("cut.proof"))
	require.NoError(t, err)
	require.NoError(t, os.Truncate(in("cut.proof"), info.Size()-9))

	require.NoError(t, os.WriteFile(in("empty.proof"), nil, 0o600))

	c, get := serve(t, in("empty.proof"), in("cut.proof"), in("rests.proof"), in("cut.db"), in("ending.db"), in("there.db"))
	_, text := get("/api/v1/games")
	for name, state := range map[string]string{
		"cut.db": "damaged", "checkers:size=4x4,pieces=3": "damaged", "cut.proof": `refused","reason":"damaged proof file: `, "rests.proof": "unchecked",
		"empty.proof": `refused","reason":"proof refused: it does not begin like a proof file`,
	} {
		require.Regexp(t, `"name":"`+name+`",[^}]*\},[^}]*"state":"`+state, text)
	}
	require.NotContains(t, text, dir)
	for path, want := range map[string]int{
		"/api/v1/tictactoe": 200, "/api/v1/cut.db": 500, "/api/v1/checkers": 500, "/api/v1/proof/cut.proof/node": 409, "/api/v1/proof/cut.proof/line": 409,
		"/api/v1/proof/rests.proof/node": 500, "/healthz": 503, "/": 200,
	} {
		status, text := get(path)
		require.Equal(t, want, status, "%s: %s", path, text)
	}
	c.logged(t, "name=proof/cut.proof state=refused")
	require.NoError(t, c.Process.Signal(os.Interrupt))
	require.NoError(t, c.Wait())
}

// TestServePoints serves a proof about points. It is checked, and has no positions to walk through.
func TestServePoints(t *testing.T) {
	file := filepath.Join(t.TempDir(), "points.proof")
	out, err := exec.Command("yomikiri", "prove", "-q", "othello:size=4x4", "--proof", file).CombinedOutput()
	require.NoError(t, err, string(out))
	c, get := serve(t, file)
	for {
		if _, text := get("/healthz"); !strings.Contains(text, `"checking"`) {
			require.Contains(t, text, `"proof/points.proof":{"state":"checked"`)
			break
		}
	}
	_, text := get("/api/v1/games")
	require.Regexp(t, `"claims":\["mover at least -?\d+","other at least -?\d+"\]`, text)
	for _, path := range []string{"node", "line"} {
		status, text := get("/api/v1/proof/points.proof/" + path)
		require.Equal(t, 404, status)
		require.Contains(t, text, "about points")
	}
	require.NoError(t, c.Process.Signal(os.Interrupt))
	require.NoError(t, c.Wait())
}

// TestServeOverDamage serves a proof whose database is damaged: where the proof rests on that
// the answer is an error, and the server goes on.
func TestServeOverDamage(t *testing.T) {
	dir := t.TempDir()
	ending, rests := filepath.Join(dir, "ending.db"), filepath.Join(dir, "ending.proof")
	require.NoError(t, exec.Command("yomikiri", "solve", "-q", "checkers", "--size", "4x4", "--pieces", "3", "--db", ending).Run())
	require.NoError(t, exec.Command("yomikiri", "prove", "-q", "checkers:size=4x4", "B:WK2,5:BK4,K7", "--method", "df-pn", "--db", ending, "--proof", rests).Run())
	tables, err := filepath.Glob(filepath.Join(ending, "store", "*.sst"))
	require.NoError(t, err)
	require.NotEmpty(t, tables)
	for _, name := range tables {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		data[20] ^= 1
		require.NoError(t, os.WriteFile(name, data, 0o600))
	}
	_, get := serve(t, rests, ending)
	for range 2 {
		status, text := get("/api/v1/proof/ending.proof/node?path=4-1,5-4")
		require.Equal(t, http.StatusInternalServerError, status, text)
		require.NotContains(t, text, "next")
	}
	_, text := get("/healthz")
	require.Contains(t, text, `"checkers:size=4x4,pieces=3":{"state":"damaged"}`)
	status, text := get("/api/v1/games")
	require.Equal(t, http.StatusOK, status, text)
}
