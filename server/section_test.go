//go:build !race

package server_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/standard"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/server"
)

// TestSection has the rules of a game from a file in its entry, and those that values leave out.
func TestSection(t *testing.T) {
	list, _, err := standard.Variants.Variants(nil)
	require.NoError(t, err)
	g, err := list[slices.IndexFunc(list, func(p ui.Plugin) bool { return p.Name == "gardner" })].Open("gardner")
	require.NoError(t, err)
	s := newServer(t, server.Config{Searches: []server.Search{server.NewSearch(server.SearchSource{Name: "gardner", Game: g})}})
	entry := get[struct{ Games []server.Game }](t, s, "/api/v1/games").Games[0]
	require.Equal(t, g.RulesText(), entry.Section)
	require.Contains(t, entry.Section, "maxRank = 5\n")
	require.Equal(t, []string{"nMoveRule = 50"}, entry.LeftOut)
}
