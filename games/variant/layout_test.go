package variant

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestLayout looks at how boards and pieces of variants are drawn.
func TestLayout(t *testing.T) {
	palaces := [][2]string{{"d3", "f1"}, {"d10", "f8"}}
	for _, test := range []struct {
		name    string
		style   games.Style
		set     games.Set
		texts   map[string]string // by the name of the kind
		river   int
		palaces [][2]string
	}{
		{"atomic", games.Chequered, games.ChessSet, map[string]string{"commoner": "♚", "pawn": "♟"}, 0, nil},
		{"knightmate", games.Chequered, games.ChessSet, map[string]string{"king": "♚", "commoner": "M"}, 0, nil},
		{"berolina", games.Chequered, games.ChessSet, map[string]string{"piece P": "♟"}, 0, nil},
		{"spartan", games.Chequered, games.ChessSet, map[string]string{"piece H": "H", "bers": "G"}, 0, nil},
		{"amazons", games.Chequered, games.ChessSet, map[string]string{"piece Q": "♛"}, 0, nil},
		{"ataxx", games.Grid, games.ChessSet, map[string]string{"piece P": "P"}, 0, nil},
		{"tictactoe", games.Grid, games.ChessSet, map[string]string{"immobile": "●"}, 0, nil},
		{"minishogi", games.Grid, games.ShogiSet, map[string]string{"rook": "飛", "gold from P": "と", "gold from S": "全", "bers from R": "龍"}, 0, nil},
		{"dobutsu", games.Grid, games.ShogiSet, map[string]string{"shogiPawn": "C", "commoner": "L", "gold from C": "+C"}, 0, nil},
		{"xiangqi", games.Lines, games.XiangqiSet, map[string]string{"horse": "傌", "fers": "仕"}, 5, palaces},
		{"minixiangqi", games.Lines, games.XiangqiSet, map[string]string{"king": "帥"}, 0, [][2]string{{"c3", "e1"}, {"c7", "e5"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := BuiltIn().Game(test.name)
			require.NoError(t, err)
			l := g.Layout()
			require.Equal(t, test.style, l.Style)
			require.Equal(t, test.set, l.Set)
			require.Equal(t, test.river, l.River)
			require.Equal(t, test.palaces, l.Palaces)
			texts := map[string]string{}
			for _, k := range l.Kinds {
				texts[k.Name] = k.Text
			}
			for name, text := range test.texts {
				require.Equal(t, text, texts[name], name)
			}
		})
	}
}
