package server_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/server"
)

// TestHosts has a server for this machine only, which a web page could reach under a name of its own.
func TestHosts(t *testing.T) {
	c := fixture(t)
	c.Loopback, c.Hosts = true, []string{"Games.example.com"}
	s := newServer(t, c)
	c.Loopback = false
	public := newServer(t, c)
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:8080": 200, "app.localhost:8080": 200, "localhost.": 200, "127.0.0.1": 200, "127.0.0.1:8080": 200,
		"127.9.9.9:1": 200, "[::1]:8080": 200, "[::1]": 200, "games.example.com": 200, "games.example.com:443": 200,
		"attacker.example": 421, "attacker.example:8080": 421, "127.0.0.1.attacker.example": 421, "localhost.attacker.example": 421,
		"notlocalhost": 421, "192.168.1.1:8080": 421, "0.0.0.0:8080": 421, "": 421,
	} {
		for _, path := range []string{"/", "/api/v1/games", "/metrics", "/healthz", "/nowhere"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Host = host
			w := record(s, r)
			if want == 421 {
				require.Equal(t, want, w.Code, "%s %s", host, path)
				require.Contains(t, w.Body.String(), `"code":"forbidden"`)
				require.Contains(t, w.Body.String(), "localhost or 127.0.0.1")
			} else {
				require.NotEqual(t, 421, w.Code, "%s %s", host, path)
			}
			require.NotEqual(t, 421, record(public, r).Code, "%s %s", host, path)
		}
	}
}

// TestOtherOrigins posts from web pages.
func TestOtherOrigins(t *testing.T) {
	config := fixture(t)
	for _, c := range []struct {
		cors, origin, site string
		want               int
	}{
		{"", "", "", 200}, // no browser
		{"", "http://localhost:8080", "same-origin", 200},
		{"", "http://localhost:8080", "", 200},
		{"", "https://attacker.example", "cross-site", 403},
		{"", "https://attacker.example", "", 403},
		{"", "null", "", 403},
		{"", "http://localhost:3000", "same-site", 403},
		{"https://friend.example", "https://friend.example", "cross-site", 200},
		{"https://friend.example", "https://attacker.example", "cross-site", 403},
		{"*", "https://attacker.example", "cross-site", 200},
	} {
		config.Origin = c.cors
		s := newServer(t, config)
		for path, body := range map[string]string{"/api/v1/tictactoe": `{"positions":["startpos"]}`, "/api/v1/tictactoe/board": `{"turn":1,"pieces":[]}`} {
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
			r.Host = "localhost:8080"
			for name, value := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site} {
				if value != "" {
					r.Header.Set(name, value)
				}
			}
			w := record(s, r)
			require.Equal(t, c.want, w.Code, "%+v %s", c, w.Body)
			if c.want == 403 {
				require.Contains(t, w.Body.String(), `"code":"forbidden"`)
				require.Contains(t, w.Body.String(), "--cors")
			}
		}
	}
	config.Origin = "nonsense"
	_, err := server.New(config)
	require.Error(t, err)
}

// TestCostlyFromElsewhere has web pages elsewhere ask for what takes the slot of a search, as by an image, and
// for what does not.
func TestCostlyFromElsewhere(t *testing.T) {
	costly := []string{
		"/api/v1/first?position=.../.../...", "/api/v1/tictactoe/move?level=1", "/api/v1/tictactoe/review?moves=b2", "/api/v1/tictactoe/positions?value=win_in_5",
		"/api/v1/proof/draw.proof/line",
	}
	config := fixture(t)
	cheap := []string{"/", "/api/v1/games", "/api/v1/tictactoe", "/api/v1/tictactoe/line", "/api/v1/first/board", "/api/v1/proof/draw.proof/node"}
	for _, c := range []struct {
		cors, origin, site string
		want               int
	}{
		{"", "", "", 200}, // no browser
		{"", "", "same-origin", 200},
		{"", "", "none", 200}, // typed by the user
		{"", "", "cross-site", 403},
		{"", "", "same-site", 403}, // another port
		{"", "https://attacker.example", "", 403},
		{"https://friend.example", "https://friend.example", "cross-site", 200},
		{"https://friend.example", "", "cross-site", 403},
		{"*", "", "cross-site", 200},
	} {
		config.Origin = c.cors
		s := newServer(t, config)
		var headers []string
		for name, value := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site} {
			if value != "" {
				headers = append(headers, name, value)
			}
		}
		for _, path := range costly {
			w := ask(s, path, headers...)
			require.Equal(t, c.want, w.Code, "%+v %s %s", c, path, w.Body)
			if c.want == 403 {
				require.Contains(t, w.Body.String(), `"code":"forbidden"`)
				require.Contains(t, w.Body.String(), "--cors")
				require.Equal(t, 403, ask(s, "HEAD "+path, headers...).Code)
			}
		}
		for _, path := range cheap {
			require.Equal(t, 200, ask(s, path, headers...).Code, "%+v %s", c, path)
		}
	}
}

// late is a body that does not arrive in time.
type late struct{}

func (late) Read([]byte) (int, error) {
	return 0, &net.OpError{Op: "read", Net: "tcp", Source: &net.TCPAddr{IP: net.IPv4(10, 9, 8, 7), Port: 8080}, Err: os.ErrDeadlineExceeded}
}

// TestLate has a body that does not arrive. The answer says so, and nothing of the network behind.
func TestLate(t *testing.T) {
	s := newServer(t, fixture(t))
	for _, path := range []string{"/api/v1/tictactoe", "/api/v1/tictactoe/board"} {
		w := record(s, httptest.NewRequest(http.MethodPost, path, late{}))
		require.Equal(t, http.StatusRequestTimeout, w.Code, w.Body)
		require.Contains(t, w.Body.String(), `"code":"timeout"`)
		require.NotContains(t, w.Body.String(), "10.9.8.7")
	}
}

// TestSlots has all slots of searches taken. Lookups and lines do not wait for them.
func TestSlots(t *testing.T) {
	c := fixture(t)
	begun, end := make(chan bool), make(chan bool)
	c.Searches[0] = firstMoves(t, func(context.Context) error {
		begun <- true
		<-end
		return nil
	})
	c.Limits = server.Limits{Searches: 1, Lookups: 1, Wait: time.Nanosecond}
	s := newServer(t, c)
	code := make(chan int)
	go func() { code <- ask(s, "/api/v1/first").Code }()
	<-begun
	require.Equal(t, 503, ask(s, "/api/v1/first").Code)
	for _, path := range []string{"/api/v1/tictactoe", "/api/v1/tictactoe/line", "/api/v1/proof/draw.proof/node"} {
		require.Equal(t, 200, ask(s, path).Code, path)
	}
	close(end)
	require.Equal(t, 200, <-code)
}

// TestConnections opens more connections than there may be, without a request. The oldest are
// closed, and requests are still answered.
func TestConnections(t *testing.T) {
	c := fixture(t)
	log := logged(&c)
	c.Limits.Connections = 3
	s := newServer(t, c)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- s.Serve(ctx, l) }()
	connect := func() net.Conn {
		conn, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	request := func(conn net.Conn) {
		_, err := io.WriteString(conn, "GET /api/v1/tictactoe HTTP/1.1\r\nHost: x\r\n\r\n")
		require.NoError(t, err)
		r, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.Equal(t, 200, r.StatusCode)
		_, err = io.Copy(io.Discard, r.Body)
		require.NoError(t, err)
	}
	first := connect()
	request(first) // it is kept alive
	const idle = 20
	var list []net.Conn
	for range idle {
		list = append(list, connect())
	}
	// All but three are closed. Which two remain beside the newest depends on when the server has seen that the
	// first is idle.
	gone := make(chan error, idle)
	for _, conn := range append([]net.Conn{first}, list[:idle-1]...) {
		go func() {
			_, err := conn.Read(make([]byte, 1)) // returns when the server closes it
			gone <- err
		}()
	}
	for range idle - 2 {
		require.Error(t, <-gone)
	}
	request(list[idle-1])
	request(connect())
	require.Contains(t, ask(s, "/metrics").Body.String(), "yomikiri_connections_closed_total 19")
	stop()
	require.NoError(t, <-served)
	require.Equal(t, 1, strings.Count(log.String(), "too many connections"))
}
