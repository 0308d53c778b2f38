//go:build !race

package server_test

import (
	"context"
	"net/http"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/server"
)

// TestProxy compares the limit of searches in the documented configuration of a reverse proxy with the
// requests that wait for the slot of a search.
func TestProxy(t *testing.T) {
	text, err := os.ReadFile("../docs/exposing.md")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^ +"~\*(.*)" +\$binary_remote_addr;$`).FindSubmatch(text)
	require.NotNil(t, found)
	limited := regexp.MustCompile("(?i)" + string(found[1]))
	require.Contains(t, string(text), "map $uri $searching {", "a path in the form in which it is matched")
	require.Contains(t, string(text), "proxy_set_header Host $http_host;", "with the port, or pages of the server itself are from elsewhere")
	for _, location := range regexp.MustCompile(`(?s)location [^{]*\{[^}]*\}`).FindAllString(string(text), -1) {
		if strings.Contains(location, "proxy_pass") {
			require.Contains(t, location, "limit_req zone=searches ", "each way to the server is limited")
		}
	}
	c := fixture(t)
	begun, end := make(chan bool), make(chan bool)
	c.Searches = []server.Search{firstMoves(t, func(context.Context) error {
		begun <- true
		<-end
		return nil
	}), mates(t), fours(t)}
	c.Limits = server.Limits{Searches: 1, Wait: time.Nanosecond}
	s := newServer(t, c)
	code := make(chan int)
	go func() { code <- ask(s, "/api/v1/first").Code }()
	<-begun
	names := map[string][]string{"": {""}, "database": {"tictactoe", "awari:stones=4", "Awari"}, "search": {"tsume", "TSUME", "gomoku"}, "proof": {"draw.proof", "draw"}}
	queries := map[string]string{"tsume": "?position=4k4/9/4P4/9/9/9/9/9/9_b_G", "positions": "?value=draw"}
	waits := 0
	for _, route := range s.Table() {
		if len(route.Kinds) == 0 {
			route.Kinds = []string{""}
		}
		for _, kind := range route.Kinds {
			for _, name := range names[kind] {
				at := strings.NewReplacer("{game}", name, "{name}", name).Replace(route.Path)
				require.Equal(t, route.Searches, limited.MatchString(at), at)
				require.Equal(t, route.Searches, limited.MatchString("/games"+at), "below another path: %s", at)
				if route.Method != http.MethodGet || at == "/healthz" {
					continue
				}
				code := ask(s, at+queries[strings.ToLower(path.Base(at))]).Code
				require.Contains(t, []bool{route.Searches, false}, code == 503, at)
				if code == 503 {
					waits++
				}
			}
		}
	}
	require.Equal(t, 14, waits)
	for _, at := range []string{"/", "/main.js"} {
		require.False(t, limited.MatchString(at), at)
	}
	require.True(t, limited.MatchString("/api/v1/Gomoku:size=9x9"))
	close(end)
	require.Equal(t, 200, <-code)
}
