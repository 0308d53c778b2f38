//go:build !race

package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

// described is what the OpenAPI document says of an operation.
type described struct {
	Responses map[string]struct {
		Ref string `json:"$ref"`
	}
}

// TestOpenAPI compares answers of every path with the schemas of the document, in which
// objects have no other fields than those described.
func TestOpenAPI(t *testing.T) {
	c := fixture(t)
	c.Searches = append(c.Searches, mates(t), played(t, "connect4:size=4x4"), played(t, "awari"))
	s := newServer(t, c)
	s.Check(context.Background())
	text := ask(s, "/api/v1/openapi.json").Body.Bytes()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, compiler.AddResource("openapi.json", document))
	api := struct {
		Paths map[string]map[string]described
	}{}

	require.NoError(t, json.Unmarshal(text, &api))
	covered := map[string]bool{}
	for _, c := range []struct {
		path, request string
		codes         string // statuses
	}{
		{"/api/v1/games", "/api/v1/games", "200"},
		{"/api/v1/openapi.json", "/api/v1/openapi.json", "200"},
		{"/api/v1/{game}", "/api/v1/tictactoe?moves=b2&board=1", "200"},
		{"/api/v1/{game}", "/api/v1/tictactoe?position=xxx/oo./...", "200"},
		{"/api/v1/{game}", "/api/v1/awari:stones=4?position=0,0,0,0,0,2,1,1,0,0,0,0&score=1,2&board=1", "200"},
		{"/api/v1/{game}", "/api/v1/first?board=1&nodes=1&time=1s", "200"},
		{"/api/v1/{game}", "/api/v1/first?ask=judge&intended=a1", "200"},
		{"/api/v1/{game}", "/api/v1/tsume?position=8k/9/8G/9/9/9/9/9/9_b_G&ask=judge&rules=phone", "200"},
		{"/api/v1/{game}", "/api/v1/tsume?position=4k4/9/4P4/9/9/9/9/9/9_b_2G&ask=shortest,alternatives,variations,record", "200"},
		{"/api/v1/{game}", "/api/v1/tsume?position=8k/7pp/9/9/9/9/9/9/R3K4_b_-&hands=given", "200"},
		{"/api/v1/{game}/board", "/api/v1/tsume/board?board=1", "200"},
		{"/api/v1/{game}/board", "/api/v1/tsume/board?position=4k4/9/4P4/9/9/9/9/9/9_b_2G&hands=rest", "200"},
		{"/api/v1/{game}/records", "POST /api/v1/first/records b2", "200"},
		{"/api/v1/{game}/records", "POST /api/v1/first/records z9", "400"},
		{"/api/v1/{game}/annotated", `POST /api/v1/tictactoe/annotated {"moves":["b2"],"remarks":[{"ply":0,"mark":"?"}]}`, "200"},
		{"/api/v1/{game}/annotated", `POST /api/v1/tictactoe/annotated {"moves":["z9"]}`, "400"},
		{"/api/v1/{game}", "/api/v1/nim", "404"},
		{"/api/v1/{game}", "/api/v1/tictactoe?position=x", "400"},
		{"/api/v1/{game}", `POST /api/v1/tictactoe {"positions":["startpos"],"moves":true}`, "200"},
		{"/api/v1/{game}", `POST /api/v1/awari:stones=4 {"positions":["startpos","4,4,4,4,4,4,4,4,4,4,4,4"]}`, "200"},
		{"/api/v1/{game}", `POST /api/v1/tictactoe {"line":{"position":"startpos","moves":["b2"]},"board":true}`, "200"},
		{"/api/v1/{game}/board", "/api/v1/first/board?board=1&moves=a1", "200"},
		{"/api/v1/{game}/board", `POST /api/v1/tictactoe/board {"turn":1,"pieces":[]}`, "200"},
		{"/api/v1/{game}/board", `POST /api/v1/tictactoe/board {"pieces":[{"kind":"king","side":1}]}`, "400"},
		{"/api/v1/{game}/line", "/api/v1/tictactoe/line?index=7", "200"},
		{"/api/v1/{game}/board", "/api/v1/awari:stones=4/board?board=1&position=4,4,4,4,4,4,4,4,4,4,4,4", "200"},
		{"/api/v1/{game}/board", "/api/v1/awari/board?position=0,0,0,0,0,0,0,0,0,0,0,1", "200"},
		{"/api/v1/{game}/move", "/api/v1/tictactoe/move?moves=b2&level=3&seed=1", "200"},
		{"/api/v1/{game}/move", "/api/v1/connect4:size=4x4/move?jitter=10&position=..../..../..../x...", "200"},
		{"/api/v1/{game}/move", "/api/v1/awari:stones=4/move?position=0,0,0,0,0,2,1,1,0,0,0,0&budget=10", "200"},
		{"/api/v1/{game}/move", "/api/v1/awari:stones=4/move?position=4,4,4,4,4,4,4,4,4,4,4,4&level=1", "200"},
		{"/api/v1/{game}/move", "/api/v1/first/move", "404"},
		{"/api/v1/{game}/move", "/api/v1/connect4:size=4x4/move?lines=3", "200"},
		{"/api/v1/{game}/move", "/api/v1/tictactoe/move?lines=3&level=2", "200"},
		{"/api/v1/{game}", "/api/v1/awari", "404"},
		{"/api/v1/{game}/positions", "/api/v1/tictactoe/positions?value=win_in_5&limit=2", "200"},
		{"/api/v1/{game}/positions", "/api/v1/tictactoe/positions?value=x", "400"},
		{"/api/v1/{game}/puzzle", "/api/v1/tictactoe/puzzle", "404"},
		{"/api/v1/{game}/puzzle", "/api/v1/awari:stones=4/puzzle?level=3", "200"},
		{"/api/v1/{game}/random", "/api/v1/tictactoe/random", "200"},
		{"/api/v1/{game}/positions", "/api/v1/tictactoe/positions?value=draw&zugzwang=1", "400"},
		{"/api/v1/{game}/review", "/api/v1/tictactoe/review?moves=b2,a2&first=1", "200"},
		{"/api/v1/{game}/review", "/api/v1/awari/review?moves=A,a", "200"},
		{"/api/v1/{game}/review", "/api/v1/first/review", "404"},
		{"/api/v1/{game}/stats", "/api/v1/tictactoe/stats", "200"},
		{"/api/v1/proof/{name}/line", "/api/v1/proof/draw.proof/line?claim=mover_holds", "200"},
		{"/api/v1/proof/{name}/node", "/api/v1/proof/draw.proof/node?claim=mover_holds", "200"},
		{"/healthz", "/healthz", "200"},
	} {
		method := "get"
		if strings.HasPrefix(c.request, "POST ") {
			method = "post"
		}
		covered[method+" "+c.path] = true
		operation, ok := api.Paths[c.path][method]
		require.True(t, ok, c.path)
		w := ask(s, c.request)
		require.Equal(t, c.codes, strconv.Itoa(w.Code), "%s: %s", c.request, w.Body)
		status := c.codes
		if _, ok := operation.Responses[status]; !ok {
			status = "default"
		}
		pointer := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(c.path)
		response := "#/paths/" + pointer + "/" + method + "/responses/" + status
		if shared := operation.Responses[status].Ref; shared != "" {
			response = shared
		}
		schema, err := compiler.Compile("openapi.json" + response + "/content/application~1json/schema")
		require.NoError(t, err)
		answer, err := jsonschema.UnmarshalJSON(w.Body)
		require.NoError(t, err)
		require.NoError(t, schema.Validate(answer), c.request)
	}
	for path, methods := range api.Paths {
		for method := range methods {
			require.True(t, covered[method+" "+path] || path == "/metrics", "no answer of %s %s was compared", method, path)
		}
	}
}
