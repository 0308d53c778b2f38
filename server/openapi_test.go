package server

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOpenAPIRoutes compares the paths of the document with the routes, both ways.
func TestOpenAPIRoutes(t *testing.T) {
	s, err := New(Config{})
	require.NoError(t, err)
	routes := []string{"GET /metrics"} // of a library
	for _, rt := range s.routes() {
		routes = append(routes, rt.pattern)
	}
	var document struct {
		OpenAPI string
		Paths   map[string]map[string]any
	}
	require.NoError(t, json.Unmarshal(openAPI, &document))
	require.Equal(t, "3.1.0", document.OpenAPI)
	var described []string
	for path, methods := range document.Paths {
		for method := range maps.Keys(methods) {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(routes)
	slices.Sort(described)
	require.Equal(t, routes, described)
}
