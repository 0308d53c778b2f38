//go:build !race

package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/review"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

type reviewed struct{ Rows []review.Row }

// TestReview goes through a game with values and one with estimates.
func TestReview(t *testing.T) {
	unjudged := source(t, "tictactoe", retro.Reachable)
	unjudged.Evaluation = nil
	s := newServer(t, server.Config{
		Databases: []server.Database{server.NewDatabase(source(t, "connect4:size=4x4", retro.Reachable)), server.NewDatabase(unjudged)},
		Searches:  []server.Search{played(t, "awari")},
	})
	const game = "/api/v1/connect4:size=4x4/review?moves=a,b,a,b,a,c,d"
	rows := get[reviewed](t, s, game).Rows
	require.Len(t, rows, 8)
	last := rows[7]
	require.Equal(t, "database", rows[0].ProvedBy)
	require.Nil(t, rows[0].Score)
	require.Equal(t, review.Blunder, rows[5].Mark, "it does not stop the row")
	require.Equal(t, "a", rows[5].Best)
	require.Equal(t, "c", rows[5].Move)
	require.Equal(t, 7, last.Ply)

	require.Len(t, get[reviewed](t, s, game+"&first=7").Rows, 1)
	require.Equal(t, rows[3:], get[reviewed](t, s, game+"&first=3").Rows)
	for first, want := range map[string]string{"8": "want a ply from 0 to 7", "-1": "want a ply", "x": "want a ply"} {
		w := ask(s, game+"&first="+first)
		require.Equal(t, 400, w.Code)
		require.Contains(t, w.Body.String(), want)
	}
	require.Equal(t, 400, ask(s, "/api/v1/connect4:size=4x4/review?moves=z").Code)
	require.Equal(t, 404, ask(s, "/api/v1/tictactoe/review").Code, "there is no evaluation")

	rows = get[reviewed](t, s, "/api/v1/awari/review?moves=A,a,F,b,A,a").Rows
	require.Empty(t, rows[0].ProvedBy)
	require.Nil(t, rows[0].Value, "an estimate is no value")
	require.NotNil(t, rows[0].WinRate)
}

// TestZugzwang compares the zugzwangs that are listed with what both positions are worth.
func TestZugzwang(t *testing.T) {
	s := newServer(t, server.Config{Databases: []server.Database{
		server.NewDatabase(source(t, "dobutsu:size=3x3", retro.Reachable)),
		server.NewDatabase(source(t, "tictactoe", retro.Reachable)),
		server.NewDatabase(source(t, "awari:stones=3", retro.All)),
	}})
	const game = "/api/v1/dobutsu:size=3x3"
	type list struct {
		Value     string
		Complete  bool
		Positions []struct {
			Index uint64
			db.Answer
		}
	}
	m := get[db.Manifest](t, s, game+"/stats")
	found, compared := 0, 0
	for _, c := range m.Content.Total().Counts {
		if n := c.Positions - c.Finished; n == 0 || n > 100 || c.Value > games.Draw {
			continue
		}
		path := game + "/positions?limit=100&value=" + url.QueryEscape(c.Value.String())
		var want []string
		for _, p := range get[list](t, s, path).Positions {
			if isZugzwang(t, s, game, p.Position) {
				want = append(want, p.Position)
			}
			compared++
		}
		answer := get[list](t, s, path+"&zugzwang=1")
		var listed []string
		for _, p := range answer.Positions {
			listed = append(listed, p.Position)
		}
		require.Equal(t, want, listed, c.Value)
		require.True(t, answer.Complete)
		found += len(listed)
	}
	require.Positive(t, found)
	require.Greater(t, compared, found)
	for _, c := range []struct{ request, want string }{
		{"/api/v1/tictactoe/positions?value=draw&zugzwang=1", "cannot be turned over"},
		{"/api/v1/awari:stones=3/positions?value=%2B3&zugzwang=1", "are scores"},
		{game + "/positions?value=draw&zugzwang=2", "want 1, or 0"},
	} {
		w := ask(s, c.request)
		require.Equal(t, 400, w.Code)
		require.Contains(t, w.Body.String(), c.want)
	}
}

// isZugzwang looks both positions up, the one with the other side to move as the page sets it up.
func isZugzwang(t *testing.T, s *server.Server, game, position string) bool {
	t.Helper()
	a := get[db.Answer](t, s, game+"?board=1&position="+url.QueryEscape(position))
	b := *a.Board
	b.Turn = 3 - b.Turn
	body, err := json.Marshal(b)
	require.NoError(t, err)
	w := ask(s, fmt.Sprintf("POST %s/board %s", game, bytes.TrimSpace(body)))
	if w.Code != 200 {
		return false
	}
	var other struct{ Position string }
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &other))
	w = ask(s, game+"?position="+url.QueryEscape(other.Position))
	if w.Code != 200 {
		return false
	}
	var b2 db.Answer
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &b2))
	worth := map[string]int{"win": 1, "loss": -1}
	return worth[a.Category]+worth[b2.Category] < 0
}
