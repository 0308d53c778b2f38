package proof_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

// A file of one node, in parts: tic-tac-toe with two x in a row, x to move.
const (
	goodHeader = `{"game":"tictactoe","root":"xx./oo./...","claims":["mover wins"],"by":"test"}`
	goodNodes  = "\x01\x01\x01\x0bxx./oo./...\x02c3\x00" + "\x05\x01"
	goodEnd    = `{"nodes":1,"or":1,"and":0,"certified":0,"references":0}`
)

func forged(header, nodes, end string) []byte {
	return proof.WrapChunks(
		proof.RawChunk{Kind: 'H', Data: []byte(header)},
		proof.RawChunk{Kind: 'N', Data: []byte(nodes)},
		proof.RawChunk{Kind: 'E', Data: []byte(end)})
}

// TestStrict has files refused that differ from what the format says, although they
// could be read. Each is made from one that is right.
func TestStrict(t *testing.T) {
	_, err := checkBytes(forged(goodHeader, goodNodes, goodEnd))
	require.NoError(t, err)
	for _, c := range []struct{ part, old, new, want string }{
		{"header", `"game"`, `"Game"`, `header: unknown field "Game"`},
		{"header", `{`, `{"CLAIMS":["other wins"],`, `header: unknown field "CLAIMS"`},
		{"header", `{`, `{"root":"xxx/oo./...",`, `header: field "root" is there twice`},
		{"header", `"by":"test"`, `"by":"test","by":"test"`, `header: field "by" is there twice`},
		{"header", `"by"`, `"note"`, `header: unknown field "note"`},
		{"header", `"by":"test"`, `"by":null`, `header: field "by" is null`},
		{"header", `"by":"test"`, `"by":1`, `header: field "by": json: cannot unmarshal number`},
		{"header", `"game":"tictactoe",`, ``, `header: no field "game"`},
		{"header", `"tictactoe"`, `""`, `header: no game or no root position`},
		{"header", `"xx./oo./..."`, `""`, `header: no game or no root position`},
		{"header", `["mover wins"]`, `[null]`, `header: claim "": want`},
		{"header", `["mover wins"]`, `null`, `header: field "claims" is null`},
		{"header", `["mover wins"]`, `[]`, `header: claims []: want one`},
		{"header", `["mover wins"]`, `["Mover wins"]`, `header: claim "Mover wins": want`},
		{"header", `["mover wins"]`, `["mover wins","mover wins"]`, `header: claim "mover wins" is made twice`},
		{"header", `["mover wins"]`, `"mover wins"`, `header: field "claims": json: cannot unmarshal`},
		{"header", goodHeader, goodHeader + " {}", `header: there is something after the JSON object`},
		{"header", goodHeader, goodHeader + "x", `header: there is something after the JSON object`},
		{"header", `"by"`, `by`, `header: invalid character 'b'`},
		{"header", `"by":"test"`, `"by":tes`, `header: invalid character`},
		{"header", goodHeader, "[" + goodHeader + "]", `header: want a JSON object`},
		{"header", goodHeader, "", `header: want a JSON object`},
		{"header", goodHeader, strings.TrimSuffix(goodHeader, "}"), `header: EOF`},
		{"header", goodHeader, strings.TrimSuffix(goodHeader, `"test"}`), `header: `},
		{"header", goodHeader, strings.TrimSuffix(goodHeader, `"by":"test"}`), `header: `},
		{"header", "test", "\xff", `header: it is not UTF-8`},
		{"header", "xx./oo./...", "xx./oo./... ", `root: `},
		{"end", `"references":0`, `"references":null`, `end: field "references" is null`},
		{"end", `,"references":0`, ``, `end: no field "references"`},
		{"end", `"references":0`, `"references":-0`, `end: field "references": json: cannot unmarshal`},
		{"end", `"references":0`, `"references":0.0`, `end: field "references": json: cannot unmarshal`},
		{"end", `"references":0`, `"references":1`, `the end says {Nodes:1 Or:1 And:0 Certified:0 References:1 Ahead:0 Searched:0}, but there were`},
		{"end", `"or":1`, `"or":1,"or":1`, `end: field "or" is there twice`},
		{"end", `{`, `{"by":"test",`, `end: unknown field "by"`},
		{"nodes", "\x01\x01\x01", "\x01\x00\x01", "node 1: no uses"},
		{"nodes", "\x01\x01\x01", "\x01\x81\x00\x01", "node 1: number of uses in more bytes than it needs"},
		{"nodes", "\x01\x01\x01", "\x01\x01\x81\x80\x00", "node 1: rank in more bytes than it needs"},
		{"nodes", "\x01\x01\x01", "\x01\x01\x00", "node 1: rank 0: want 1 to 4294967296"},
		{"nodes", "\x01\x01\x01", "\x01\x01\x81\x80\x80\x80\x10", "node 1: rank 4294967297: want 1 to 4294967296"},
		{"nodes", "\x01\x01\x01", "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\x01", "node 1: no number of uses"},
		{"nodes", "\x0bxx", "\x8b\x00xx", "node 1: length of the position in more bytes than it needs"},
		{"nodes", "\x0bxx./oo./...", "\x00", "node 1: no position"},
		{"nodes", "\x02c3", "\x00", "node 1: no move"},
		{"nodes", "c3\x00", "c3\x80\x00", "node 1: reference in more bytes than it needs"},
		{"nodes", "\x05\x01", "\x05\x81\x00", "node 2: reference in more bytes than it needs"},
		{"nodes", "\x05\x01", "\x05\x03", "node 2: a reference 3 back from 2"},
		{"nodes", "\x05\x01", "", "it proves 0 of 1 claims"},
		{"nodes", "\x05\x01", "\x05\x01\x05\x00", "a node behind the last claim"},
		{"nodes", goodNodes, "", "has no nodes"},
		{"nodes", "\x01\x01\x01", "\x00\x01\x01", "node 1: kind 0: there is none"},
		{"nodes", "\x01\x01\x01", "\x06\x01\x01", "node 1: kind 6: there is none"},
		{"nodes", "\x01\x01\x01", "\x01\x02\x01", "1 nodes are referred to less often than they say"},
		{"nodes", "\x02c3", "\x03c3 ", `node 1, position "xx./oo./...": `},
		{"nodes", "./...\x02", "./.. \x02", `node 1, position "xx./oo./.. ": `},
	} {
		parts := map[string]string{"header": goodHeader, "nodes": goodNodes, "end": goodEnd}
		require.Contains(t, parts[c.part], c.old)
		parts[c.part] = strings.Replace(parts[c.part], c.old, c.new, 1)
		_, err := checkBytes(forged(parts["header"], parts["nodes"], parts["end"]))
		require.True(t, isRefusal(err), "%s: %q for %q: %v", c.part, c.new, c.old, err)
		require.ErrorContains(t, err, c.want, "%s: %q for %q", c.part, c.new, c.old)
	}
}

// TestStrictChunks has files refused whose chunks are not as the format says.
func TestStrictChunks(t *testing.T) {
	nodes := []byte(goodNodes)
	frame := func(options ...zstd.EOption) []byte {
		return proof.Frame(nodes, append(options, zstd.WithEncoderCRC(false))...)
	}
	single := zstd.WithSingleSegment(true)
	good := frame(single)
	skippable := []byte{0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 'x'}
	half := proof.Frame(nodes[:9], single, zstd.WithEncoderCRC(false))
	rest := proof.Frame(nodes[9:], single, zstd.WithEncoderCRC(false))
	repeated := bytes.Repeat([]byte{'x'}, 1<<19)
	for _, c := range []struct {
		name  string
		chunk proof.RawChunk
		want  string
	}{
		{"as it is written", proof.RawChunk{Kind: 'N', Data: nodes}, ""},
		{"the frame of another encoder", proof.RawChunk{Kind: 'N', Data: nodes, Frame: good}, ""},
		{"repeated bytes", proof.RawChunk{Kind: 'N', Data: repeated, Frame: proof.Frame(repeated, single, zstd.WithEncoderCRC(false))}, "there is none"},
		{"two frames", proof.RawChunk{Kind: 'N', Data: nodes, Frame: slices.Concat(half, rest)}, "want a zstd frame with its size, 21"},
		{"an empty frame too", proof.RawChunk{Kind: 'N', Data: nodes, Frame: slices.Concat(good, proof.Frame(nil, single, zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true)))}, "want one zstd frame and nothing else"},
		{"a skippable frame after it", proof.RawChunk{Kind: 'N', Data: nodes, Frame: slices.Concat(good, skippable)}, "want one zstd frame and nothing else"},
		{"a skippable frame before it", proof.RawChunk{Kind: 'N', Data: nodes, Frame: slices.Concat(skippable, good)}, "want a zstd frame with its size"},
		{"a byte after it", proof.RawChunk{Kind: 'N', Data: nodes, Frame: append(slices.Clone(good), 0)}, "want one zstd frame and nothing else"},
		{"a checksum", proof.RawChunk{Kind: 'N', Data: nodes, Frame: proof.Frame(nodes, single, zstd.WithEncoderCRC(true))}, "without dictionary or checksum"},
		{"cut off", proof.RawChunk{Kind: 'N', Data: nodes, Frame: good[:len(good)-1]}, "want one zstd frame and nothing else"},
		{"cut off in the head of a block", proof.RawChunk{Kind: 'N', Data: nodes, Frame: good[:len(good)-len(nodes)-1]}, "want one zstd frame and nothing else"},
		{"a size that is not that of the chunk", proof.RawChunk{Kind: 'N', Data: nodes[1:], Frame: good}, "want a zstd frame with its size, 20"},
		{"no size", proof.RawChunk{Kind: 'N', Data: nodes, Frame: unsized(good)}, "want a zstd frame with its size"},
		{"no frame", proof.RawChunk{Kind: 'N', Data: nodes, Frame: []byte{}}, "chunk 1: "},
		{"a second header", proof.RawChunk{Kind: 'H', Data: []byte(goodHeader)}, `is of type 'H', want nodes or the end`},
		{"no nodes", proof.RawChunk{Kind: 'N', Data: []byte{}}, "has no nodes"},
	} {
		data := proof.WrapChunks(proof.RawChunk{Kind: 'H', Data: []byte(goodHeader)}, c.chunk, proof.RawChunk{Kind: 'E', Data: []byte(goodEnd)})
		_, err := checkBytes(data)
		if c.want == "" {
			require.NoError(t, err, c.name)
			continue
		}
		require.ErrorIs(t, err, proof.ErrCorrupt, c.name)
		require.ErrorContains(t, err, c.want, c.name)
	}
	_, err := checkBytes(proof.WrapChunks(proof.RawChunk{Kind: 'N', Data: nodes}))
	require.ErrorContains(t, err, "the first chunk is of type 'N', want the header")
	_, err = checkBytes(append(forged(goodHeader, goodNodes, goodEnd), forged(goodHeader, goodNodes, goodEnd)...))
	require.ErrorContains(t, err, "there are bytes behind the end")
}

// unsized returns a frame of one segment and some bytes as one that does not say its
// size but that of a window.
func unsized(frame []byte) []byte {
	return slices.Concat(frame[:4], []byte{0, 0x50}, frame[6:])
}

// TestSpelling has positions and moves refused that a game reads, but writes otherwise.
func TestSpelling(t *testing.T) {
	for _, c := range []struct{ game, root, want string }{
		{"gomoku:size=3x3,k=3", "03/3/3 x", "want x, o or a number of empty squares"},
		{"gomoku:k=3,size=3x3", "3/3/3 x", "no rules"},
		{"gomoku:size=3x3,k=3,rule=free", "3/3/3 x", "no rules"},
		{"gomoku:size=03x3,k=3", "3/3/3 x", "no rules"},
		{"gomoku:size=15x15", "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 x", "no rules"},
		{"gomoku:size=99x26", "x", "no rules"},
		{"gomoku:size=21x21", "x", "no rules"},
		{"gomoku:size=1x5,k=3", "5 x", "no rules"},
		{"gomoku:size=3x3,k=2", "3/3/3 x", "no rules"},
		{"gomoku:size=3x3,k=21", "3/3/3 x", "no rules"},
	} {
		header := `{"game":"` + c.game + `","root":"` + c.root + `","claims":["mover holds"]}`
		_, err := checkBytes(forged(header, "\x05\x00", goodEnd))
		require.ErrorContains(t, err, c.want, c.game)
	}
	// A game that reads more than it writes.
	f := prove(t, tictactoe.Game{}, "xx./oo./...", moverWins)
	data, err := f.bytes()
	require.NoError(t, err)
	for old, want := range map[string]string{"": "", "position": `root: position "xx./oo./...": want it written as "XX./OO./..."`, "move": `move "a3": want it written as "A3"`} {
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		_, err = proof.Check(t.Context(), r, lenient{tictactoe.Game{}, old}, proof.CheckOptions{})
		if old == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, proof.ErrRefused, old)
		require.ErrorContains(t, err, want, old)
	}
}

// lenient is tic-tac-toe that reads positions, or moves, in small letters and writes
// capitals.
type lenient struct {
	tictactoe.Game
	in string
}

func (l lenient) AppendPosition(dst []byte, p tictactoe.Position) []byte {
	if l.in == "position" {
		return append(dst, bytes.ToUpper(l.Game.AppendPosition(nil, p))...)
	}
	return l.Game.AppendPosition(dst, p)
}

func (l lenient) AppendMove(dst []byte, p tictactoe.Position, m tictactoe.Move) []byte {
	if l.in == "move" {
		return append(dst, bytes.ToUpper(l.Game.AppendMove(nil, p, m))...)
	}
	return l.Game.AppendMove(dst, p, m)
}

func (l lenient) ParseMove(p tictactoe.Position, text string) (tictactoe.Move, error) {
	return games.ParseMove(l.Game, p, text)
}
