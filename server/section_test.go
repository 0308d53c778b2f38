//go:build !race

package server_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/server"
)

// TestSection has the rules of a game from a file in its entry.
func TestSection(t *testing.T) {
	g, err := app.New(variant.BuiltIn().Family("hexapawn", "hexapawn")).Open("hexapawn")
	require.NoError(t, err)
	s := newServer(t, server.Config{Searches: []server.Search{server.NewSearch(server.SearchSource{Name: "hexapawn", Game: g})}})
	list := get[struct{ Games []server.Game }](t, s, "/api/v1/games").Games
	require.Equal(t, g.RulesText(), list[0].Section)
	require.Contains(t, list[0].Section, "flagRegionWhite = *3\n")
}
