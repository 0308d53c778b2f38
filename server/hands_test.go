//go:build !race

package server_test

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/server"
)

// TestHouse has a problem judged by two houses.
func TestHouse(t *testing.T) {
	s := newServer(t, server.Config{Searches: []server.Search{mates(t)}})
	for rules, verdict := range map[string]string{"": "sound", "default": "sound", "strict": "unsound", "phone,mirror=unsound": "unsound"} {
		w := ask(s, "/api/v1/tsume?position=4k4/9/9/1G1%2BS1%2BS1G1/9/9/9/9/9_b_2G&ask=judge&rules="+rules)
		require.Equal(t, 200, w.Code, w.Body)
		var f struct {
			Result struct {
				Verdict, Rules string
				Faults         []struct {
					Kind, Grade string
					Rule        struct{ Point, By string }
				}
			}
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &f))
		require.Equal(t, verdict, f.Result.Verdict, rules)
		require.Equal(t, cmp.Or(rules, "default"), f.Result.Rules)
		require.Equal(t, "mirror", f.Result.Faults[0].Rule.Point)
	}
	w := ask(s, "/api/v1/tsume?position=8k/9/8G/9/9/9/9/9/9_b_G&ask=judge&rules=magazine")
	require.Equal(t, 400, w.Code)
	require.Contains(t, w.Body.String(), "there is no such house")
	require.Contains(t, w.Body.String(), "の規約は原文を読めていない")
	for query, japanese := range map[string]string{
		"tsume?position=K8/9/9/9/9/9/9/9/9_b_G":                 "玉方（後手）の玉が盤上にありません",
		"tsume?position=8k/9/9/9/9/9/9/9_b_G":                   "/ で区切った段が9段必要ですが、8段です",
		"tsume?position=8k/9/8G/9/9/9/9/9/9_b_G_moves_G*1a":     "moves の1手目: ",
		"tsume?position=8k/9/8G/9/9/9/9/9/9_b_G&ask=judge&x=y1": "",
	} {
		w := ask(s, "/api/v1/"+query)
		require.Equal(t, 400, w.Code, w.Body)
		var f struct {
			Error struct{ Message, Japanese string }
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &f))
		require.Contains(t, f.Error.Japanese, japanese)
		require.Equal(t, japanese == "", f.Error.Japanese == "", f.Error)
	}
}

// TestHands asks about mate problems in which pieces are missing.
func TestHands(t *testing.T) {
	s := newServer(t, server.Config{Searches: []server.Search{mates(t), firstMoves(t, quick)}})
	type found struct {
		Position, Hands string
		Result          struct{ Hands, Answer, Verdict string }
	}
	read := func(request string) (f found) {
		w := ask(s, request)
		require.Equal(t, 200, w.Code, "%s: %s", request, w.Body)
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &f))
		return f
	}
	const one, two = "8k/9/7G1/9/9/9/9/9/9_b_R", "8k/7pp/9/9/9/9/9/9/R3K4_b_-"
	for _, c := range []struct{ query, hands, answer string }{
		{"position=" + two, "given", "mate"},
		{"position=" + two + "&hands=given", "given", "mate"},
		{"position=" + two + "&hands=rest", "rest", "no mate"},
		{"position=" + two + "&ask=judge", "given", ""},
		{"position=" + one + "&moves=R*5a,P*4a", "rest", "no mate"},
		{"position=" + url.QueryEscape(strings.ReplaceAll(one, "_", " ")+" moves R*5a P*4a"), "rest", "no mate"},
		{"position=startpos", "", "no mate"},
	} {
		r := read("/api/v1/tsume?" + c.query)
		require.Equal(t, c.hands, r.Result.Hands, c.query)
		require.Equal(t, c.answer, r.Result.Answer, c.query)
		if strings.Contains(c.query, "ask=judge") {
			require.Equal(t, "sound", r.Result.Verdict)
			continue
		}
		// A board has the same hands.
		b := read("/api/v1/tsume/board?" + c.query)
		require.Equal(t, r.Position, b.Position, c.query)
		require.Equal(t, c.hands, b.Hands, c.query)
	}
	for _, request := range []string{"/api/v1/tsume?hands=all", "/api/v1/tsume/board?hands=all", "/api/v1/first?hands=rest", "/api/v1/tsume?position=" + one + "&hands=given&moves=R*5a,P*4a"} {
		require.Equal(t, 400, ask(s, request).Code, request)
	}
}
