package gomoku

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/sgf"
)

// libFile is a library with a root, a move with a comment of two parts, two replies, the second with a text on the board, and a
// reply to the first one.
var libFile = []byte("\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\x00\x00" + // the root
	"\x78\x08title\btext\x00\x00" + // h8
	"\x69\x80" + // i9, which has a sibling
	"\x87\x40" + // g7
	"\x68\x41\x00\x01ab\x00\x00") // h9

func TestParseLib(t *testing.T) {
	require.True(t, IsLib(libFile))
	require.False(t, IsLib([]byte("RenLib")))
	r, err := ParseLib(libFile)
	require.NoError(t, err)
	require.Equal(t, "(;FF[4]GM[4]CA[UTF-8]SZ[15]\n;B[hh]C[title\ntext]\n(;W[ig];B[gi])\n(;W[hg]LB[hg:ab]))\n", string(r.Append(nil)))
	_, moves, err := open(t, "gomoku").SGF().Replay(r)
	require.NoError(t, err)
	require.Equal(t, "h8i9g7", string(AppendMoveList(nil, moves)))

	head := libFile[:libHead]
	for text, want := range map[string]string{
		"\b\xba\xda": "黑", "a\b": "a", "a\bb\r\nc": "a\nb\nc", "\xba\xda\xe4": "ºÚä", "J\xe4rv": "Järv", "\xe9\xbb\x91": "黑",
	} {
		n := "\x00"
		if len(text)%2 == 0 {
			n += "\x00"
		}
		r, err := ParseLib(append(bytes.Clone(head), "\x00\x00\x78\x48"+text+n...))
		require.NoError(t, err, "%q", text)
		comment, _ := r.Root.Children[0].Value("C")
		require.Equal(t, want, comment, "%q", text)
	}
	// A text that is not Chinese shows that no other one is.
	r, err = ParseLib(append(bytes.Clone(head), "\x00\x08t\xf6\xf6\x00\x78\x48j\xe4\x00\x00"...))
	require.NoError(t, err)
	comment, _ := r.Root.Value("C")
	require.Equal(t, "töö", comment)
	comment, _ = r.Root.Children[0].Value("C")
	require.Equal(t, "jä", comment)

	// Without a root, as some programs write it, and an empty one.
	r, err = ParseLib(append(bytes.Clone(head), "\x78\x00\x69\x40"...))
	require.NoError(t, err)
	_, moves, err = open(t, "gomoku").SGF().Replay(r)
	require.NoError(t, err)
	require.Equal(t, "h8i9", string(AppendMoveList(nil, moves)))
	for _, text := range []string{"", "\x00\x40"} {
		r, err = ParseLib(append(bytes.Clone(head), text...))
		require.NoError(t, err)
		require.Empty(t, r.Root.Children)
	}
	for text, want := range map[string]string{
		"\x78\x00":    "RenLib: node 2, byte 22: the library is cut off",
		"\x78":        "RenLib: node 1, byte 20: the library is cut off",
		"\x78\x08abc": "a text does not end",
		"\x70\x40":    "there is no square 0x70",
		"\xf8\x40":    "there is no square 0xf8",
		"\x78\x01":    "the library is cut off",
	} {
		_, err := ParseLib(append(bytes.Clone(head), text...))
		require.ErrorContains(t, err, want, "%q", text)
	}
	_, err = ParseLib(head[:10])
	require.ErrorContains(t, err, "want a head of 20 bytes")
	_, err = ParseLib(append(bytes.Clone(head), bytes.Repeat([]byte("\x78\x00"), 2*mostLibDepth)...))
	require.ErrorContains(t, err, "more than 1000 moves")
}

func FuzzParseLib(f *testing.F) {
	f.Add(libFile)
	d := open(f, "gomoku").SGF()
	f.Fuzz(func(t *testing.T, data []byte) {
		r, _ := ParseLib(data)
		_, moves, err := d.Replay(r)
		list, wrong := sgf.Parse(string(r.Append(nil)))
		require.NoError(t, wrong)
		_, again, err2 := d.Replay(list[0])
		require.Equal(t, moves, again)
		require.Equal(t, err == nil, err2 == nil)
	})
}
