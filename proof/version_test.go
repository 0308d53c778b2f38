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

// asVersion returns a file as one of another version.
func asVersion(data []byte, version uint32) []byte {
	data = bytes.Clone(data)
	binary.LittleEndian.PutUint32(data[len("YKPROOF\n"):], version)
	return data
}

// TestFalseFiles has files of version 1 checked that were accepted once and are
// false, as they are and as files of this version.
func TestFalseFiles(t *testing.T) {
	for _, name := range []string{"false-6x9", "false-15x15"} {
		data, err := os.ReadFile("testdata/" + name + ".proof")
		require.NoError(t, err)
		for version, want := range map[uint32]string{1: "version 1 of the format let false certificates", 2: "the defender has a line on the board"} {
			r, err := proof.NewReader(bytes.NewReader(asVersion(data, version)))
			require.NoError(t, err)
			g, ok := gomokurules.Open(r.Header().Game)
			require.True(t, ok)
			_, err = proof.Check(context.Background(), r, g, proof.CheckOptions{})
			require.ErrorIs(t, err, proof.ErrRefused)
			require.ErrorContains(t, err, want, name)
		}
	}
}

// TestVersions reads files without certificates of wins in all versions.
func TestVersions(t *testing.T) {
	data, err := prove(t, tictactoe.Game{}, emptyTicTacToe, otherHolds, moverHolds).bytes()
	require.NoError(t, err)
	pairing := proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte("2/2 x"), Certificate: []byte("pairing")}
	holds := file{proof.Header{Game: "gomoku:size=2x2,k=3", Root: "2/2 x", Claims: []proof.Claim{moverHolds}}, []claimProof{{[]proof.Node{pairing}, 1}}}
	certificate, err := holds.bytes()
	require.NoError(t, err)
	_, err = checkBytes(asVersion(certificate, 1))
	require.NoError(t, err)
	for version, want := range map[uint32]error{0: proof.ErrVersion, 1: nil, 2: nil, 3: proof.ErrCorrupt, 4: proof.ErrCorrupt, 5: proof.ErrVersion} {
		_, err := checkBytes(asVersion(data, version))
		require.ErrorIs(t, err, want, version)
	}
}
