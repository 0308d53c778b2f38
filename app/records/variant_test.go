package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app/records"
)

// TestPGN reads games of variants, one of them in an old encoding, and says whose text is whose.
func TestPGN(t *testing.T) {
	chess, atomic := opened(t, "chess"), opened(t, "atomic")
	text := []byte("[White \"M\xfcller\"]\n[Black \"B\"]\n1. e4 e5 0-1\n[Event \"x\"]\n1. d4 e4 *")
	list, err := records.Read(t.Context(), chess, "file", text)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "Müller - B", list[0].Title)
	require.Equal(t, 0.0, *list[0].Points)
	require.Len(t, list[0].Moves, 2)
	require.ErrorContains(t, list[1].Err, "PGN line 5: ply 2")
	require.True(t, chess.Family.Records[0].Of(text))
	for _, f := range opened(t, "shogi").Family.Records {
		require.False(t, f.Recognise([]byte("[Opening \"Grünfeld: Exchange\"]\n\n{Müller: good}\n1. d4 *\n")), "it is not "+f.Name)
	}
	require.False(t, atomic.Family.Records[0].Of(text))

	// The user names a game where the text does not.
	list, err = records.Read(t.Context(), atomic, "file", text[:len("[White \"M\xfcller\"]\n[Black \"B\"]\n1. e4 e5 0-1")])
	require.NoError(t, err)
	require.Len(t, list[0].Moves, 2)
	// Tables have the positions of a class.
	tables := opened(t, "chess:pieces=KRvK")
	list, err = records.Read(t.Context(), tables, "file", []byte("[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n1. Ra8+ Kd7 *"))
	require.NoError(t, err)
	require.Len(t, list[0].Moves, 2)
	_, err = records.Read(t.Context(), tables, "file", []byte("1. e4 *"))
	require.ErrorContains(t, err, "PGN line 1: ")
}
