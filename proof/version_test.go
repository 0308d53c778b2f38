package proof_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
)

// TestFalseFiles has files that rules for trees accepted once that were wrong.
func TestFalseFiles(t *testing.T) {
	for _, name := range []string{"false-6x9", "false-15x15"} {
		data, err := os.ReadFile("testdata/" + name + ".proof")
		require.NoError(t, err)
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		g, ok := gomokurules.Open(r.Header().Game)
		require.True(t, ok)
		_, err = proof.Check(context.Background(), r, g, proof.CheckOptions{})
		require.ErrorIs(t, err, proof.ErrRefused)
		require.ErrorContains(t, err, "the defender has a line on the board", name)
	}
}

// TestVersions has a file as one of other versions.
func TestVersions(t *testing.T) {
	data, err := prove(t, tictactoe.Game{}, emptyTicTacToe, otherHolds, moverHolds).bytes()
	require.NoError(t, err)
	_, err = checkBytes(data)
	require.NoError(t, err)
	for _, version := range []uint32{0, 1, 3, 4, 5, 1 << 31} {
		binary.LittleEndian.PutUint32(data[len("YKPROOF\n"):], version)
		_, err := checkBytes(data)
		require.ErrorIs(t, err, proof.ErrVersion, version)
		require.ErrorContains(t, err, "and this program reads version 2: have the proof written again")
	}
}
