package tsume_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/tsume"
)

func TestRead(t *testing.T) {
	entries, err := tsume.Read("set.sfen", []byte("# two\n\n4k4/9/4P4/9/9/9/9/9/9 b G 1\t1\tfirst\nsfen 4k4/9/4P4/9/9/9/9/9/9 b G\t?\n"))
	require.NoError(t, err)
	require.Len(t, entries, 2)
	require.Equal(t, "first", entries[0].Name)
	require.Equal(t, 1, entries[0].Declared)
	require.Equal(t, "set-4", entries[1].Name)
	require.Zero(t, entries[1].Declared)
	hand := entries[1].Position.Hand(shogi.White)
	require.Equal(t, 17, hand.Count(shogi.Pawn), "the defender has the rest")
	require.Equal(t, 3, hand.Count(shogi.Gold))
}

func TestReadRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.sfen", "", "a.sfen: there is no problem in it"},
		{"a.sfen", "4k4/9/4P4/9/9/9/9/9/9 b G 1\nx\n", "a.sfen: line 2: SFEN"},
		{"a.sfen", "4K4/9/4P4/9/9/9/9/9/9 b G 1\n", "a.sfen: line 1: white is to be mated but has no king on the board"},
		{"a.sfen", "4k4/9/4P4/9/9/9/9/9/9 b G 1\t0\n", `line 1: length "0", want a number from 1`},
		{"a.kif", "手合割：何\n", "a.kif: KIF: line 1"},
		{"a.csa", "P1xx\n", "a.csa: CSA: line 1"},
	} {
		_, err := tsume.Read(c.name, []byte(c.text))
		require.ErrorContains(t, err, c.want)
	}
}

// FuzzRead checks that whatever is read is a problem.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"a", "a.sfen", "a.kif", "a.csa"} {
		f.Add(name, []byte("4k4/9/4P4/9/9/9/9/9/9 b G 1\t1\tone\n"))
		f.Add(name, []byte("先手の持駒：金\n手合割：平手\n"))
		f.Add(name, []byte("V2.2\nPI\n+\n"))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		entries, err := tsume.Read(name, data)
		if err != nil {
			require.Empty(t, entries)
			return
		}
		for _, e := range entries {
			require.NotEqual(t, shogi.NoSquare, e.Position.King(e.Position.Turn().Other()))
		}
	})
}
