package server

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Route is a row of the table of routes, for tests of what the server does.
type Route struct {
	Method, Path string
	Kinds        []string // of what the name in the path means
	Searches     bool     // it waits for the slot of a search
}

// Table returns the table of routes.
func (s *Server) Table() (table []Route) {
	for _, rt := range s.routes() {
		table = append(table, Route{rt.method, rt.path, rt.of.kinds, rt.slots == searches})
	}
	return table
}

// TestOpenAPIRoutes compares the paths of the document and their parameters with the table of routes, both ways, and
// looks for the paths in docs/api.md.
func TestOpenAPIRoutes(t *testing.T) {
	s, err := New(Config{})
	require.NoError(t, err)
	want := map[string][]string{}
	for _, rt := range s.routes() {
		at := rt.method + " " + rt.path
		list := want[at]
		for _, name := range rt.parameters {
			if name != anything[0] && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
		slices.Sort(list)
		want[at] = list
	}
	var document struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			Parameters []struct {
				Name, In string
				Ref      string `json:"$ref"`
			}
		}
		Components struct {
			Parameters map[string]struct{ Name, In string }
		}
	}
	require.NoError(t, json.Unmarshal(openAPI, &document))
	require.Equal(t, "3.1.0", document.OpenAPI)
	got := map[string][]string{}
	for path, methods := range document.Paths {
		for method, operation := range methods {
			at := strings.ToUpper(method) + " " + path
			got[at] = nil
			for _, p := range operation.Parameters {
				if shared, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
					require.Contains(t, document.Components.Parameters, shared)
					p.Name, p.In = document.Components.Parameters[shared].Name, document.Components.Parameters[shared].In
				}
				if p.In == "query" {
					got[at] = append(got[at], p.Name)
				}
			}
			slices.Sort(got[at])
		}
	}
	require.Equal(t, want, got)
	text, err := os.ReadFile("../docs/api.md")
	require.NoError(t, err)
	for at := range want {
		_, path, _ := strings.Cut(at, " ")
		require.Contains(t, string(text), path+"`")
	}
}
