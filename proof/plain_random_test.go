//go:build !race

package proof_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
	second "github.com/yomikiri/yomikiri/proof/plain"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
)

// rawChunks takes a file apart, so that its bytes can be changed below the checksums.
func rawChunks(t *testing.T, data []byte) (chunks []proof.RawChunk) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	require.NoError(t, err)
	defer d.Close()
	for data = data[12:]; len(data) > 0; {
		end := 17 + binary.LittleEndian.Uint32(data[5:])
		payload, err := d.DecodeAll(data[17:end], nil)
		require.NoError(t, err)
		chunks = append(chunks, proof.RawChunk{Kind: data[0], Data: payload})
		data = data[end:]
	}
	return chunks
}

// damaged returns a file with a few bytes of one chunk changed, and checksums that are right.
func damaged(rng *rand.Rand, chunks []proof.RawChunk) []byte {
	chunks = slices.Clone(chunks)
	c := &chunks[1]
	if rng.IntN(8) == 0 {
		c = &chunks[2*rng.IntN(2)]
	}
	c.Data = slices.Clone(c.Data)
	for range 1 + rng.IntN(2) {
		at := rng.IntN(len(c.Data))
		switch rng.IntN(5) {
		case 0:
			c.Data = slices.Delete(c.Data, at, at+1)
		case 1:
			c.Data = slices.Insert(c.Data, at, c.Data[rng.IntN(len(c.Data))])
		case 2:
			c.Data[at] ^= 1 << rng.IntN(8)
		case 3:
			c.Data[at] += byte(rng.IntN(3)) - 1
		default:
			c.Data[at] = c.Data[rng.IntN(len(c.Data))]
		}
		if len(c.Data) == 0 {
			c.Data = []byte{0}
		}
	}
	return proof.WrapChunks(chunks...)
}

// testRandom proves what is true of random positions in which few squares are empty, and has
// both checkers look at the proofs, at the same proofs of what is false, and at mutants.
func testRandom[P, M comparable](t *testing.T, g games.Game[P, M], rows, cols int, rng *rand.Rand, count map[string]int) {
	suffixes := []string{""}
	if strings.HasPrefix(g.Name(), "gomoku") {
		suffixes = []string{" x", " o"}
	}
	for range 60 {
		var text strings.Builder
		for y := range rows {
			for range cols {
				text.WriteByte("xo."[min(2, rng.IntN(2+(rows*cols)/4)%5)])
			}
			if y < rows-1 {
				text.WriteByte('/')
			}
		}
		root := text.String()
		if len(suffixes) > 1 {
			for n := cols; n > 0; n-- {
				root = strings.ReplaceAll(root, strings.Repeat(".", n), fmt.Sprint(n))
			}
		}
		root += suffixes[rng.IntN(len(suffixes))]
		p, err := g.ParsePosition(root)
		finished := []byte("\x05\x00")
		if err != nil || strings.Count(text.String(), ".") > 7 {
			for _, claim := range []proof.Claim{moverHolds, otherWins} {
				_, err := checkBytes(proof.WrapNodes(proof.Header{Game: g.Name(), Root: root, Claims: []proof.Claim{claim}}, finished))
				if err != nil {
					count["no position, or not finished"]++
				}
			}
			continue
		}
		for _, claim := range []proof.Claim{moverWins, moverHolds, otherWins, otherHolds} {
			same := g.(games.Canonicalizer[P])
			v := &prover[P, M]{g: g, same: same, goal: claim.Goal, results: map[P]bool{}, numbers: map[P]uint64{}}
			if !v.holds(p, claim.Side == proof.Mover) {
				continue
			}
			f := prove(t, g, root, claim)
			data, err := f.bytes()
			require.NoError(t, err)
			_, err = checkBytes(data)
			require.NoError(t, err, "%s %s %v", g.Name(), root, claim)
			count["accepted"]++
			f.header.Claims = []proof.Claim{{Side: claim.Side.Opponent(), Goal: proof.Win}}
			if claim.Goal == proof.Win {
				f.header.Claims[0].Goal = proof.Hold
			}
			if data, err := f.bytes(); err == nil && claim.Goal == proof.Win {
				_, err = checkBytes(data)
				require.Error(t, err, "%s %s %v", g.Name(), root, claim)
			}
			chunks := rawChunks(t, data)
			for range 12 {
				if _, err := checkBytes(damaged(rng, chunks)); err == nil {
					count["mutants accepted"]++
				} else {
					count["mutants refused"]++
				}
			}
		}
	}
}

// TestPlainRandom compares the checkers on late positions of many rules.
func TestPlainRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 6))
	count := map[string]int{}
	testRandom(t, games.Game[tictactoe.Position, tictactoe.Move](tictactoe.Game{}), 3, 3, rng, count)
	for _, spec := range []string{"gomoku:size=3x3,k=3", "gomoku:size=2x5,k=3,rule=exact", "gomoku:size=4x4,k=3,rule=exact", "gomoku:size=5x2,k=4", "gomoku:size=3x6,rule=exact", "gomoku:size=6x3", "gomoku:size=2x2,k=3"} {
		g := plain(t, spec)
		rows, cols := size(t, spec)
		testRandom(t, games.Game[gomokurules.Position, gomokurules.Move](g), rows, cols, rng, count)
	}
	for _, spec := range []string{"connect4:size=2x4", "connect4:size=4x2", "connect4:size=4x4", "connect4:size=3x5"} {
		g, err := connect4.Family.Open(spec)
		require.NoError(t, err)
		rows, cols := size(t, spec)
		testRandom(t, games.Game[connect4.Position, connect4.Move](g), rows, cols, rng, count)
	}
	t.Log(count)
	require.Greater(t, count["accepted"], 300)
	require.Greater(t, count["mutants accepted"], 100)
	require.Greater(t, count["mutants refused"], 3000)
}

// TestPlainPairings compares the checkers on pairings that are right, or nearly.
func TestPlainPairings(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 7))
	accepted, refused := 0, 0
	for _, spec := range []string{"gomoku:size=3x4,k=3", "gomoku:size=4x5,k=4", "gomoku:size=5x4,k=4,rule=exact", "gomoku:size=5x5,k=3,rule=exact", "gomoku:size=3x8,rule=exact"} {
		g := plain(t, spec)
		rows, cols := size(t, spec)
		for range 400 {
			var board []string
			var open []string
			for y := range rows {
				row := ""
				for x := range cols {
					row += string("xo.."[rng.IntN(4)])
					if row[x] == '.' {
						open = append(open, fmt.Sprintf("%c%d", 'a'+x, rows-y))
					}
				}
				for n := cols; n > 0; n-- {
					row = strings.ReplaceAll(row, strings.Repeat(".", n), fmt.Sprint(n))
				}
				board = append(board, row)
			}
			root := strings.Join(board, "/") + " x"
			if _, err := g.ParsePosition(root); err != nil {
				continue
			}
			rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
			pairs := strings.Join(append([]string{"pairing"}, open[:rng.IntN(len(open)+1)]...), " ")
			for _, claim := range []proof.Claim{moverHolds, otherHolds} {
				n := proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte(root), Certificate: []byte(pairs)}
				if claim.Side == proof.Other {
					n.Kind = proof.CertifiedReply
				}
				data, err := file{proof.Header{Game: spec, Root: root, Claims: []proof.Claim{claim}}, []claimProof{{[]proof.Node{n}, 1}}}.bytes()
				require.NoError(t, err)
				if _, err = checkBytes(data); err == nil {
					accepted++
				} else {
					refused++
				}
			}
		}
	}
	t.Log(accepted, refused)
	require.Greater(t, accepted, 100)
	require.Greater(t, refused, 100)
}

// TestPlainNames has the games that headers name: the plain checker knows those that the
// program knows.
func TestPlainNames(t *testing.T) {
	values := map[string][]string{
		"size": {"2x2", "1x5", "5x1", "20x20", "21x20", "07x7", "+7x7", "7x-7", "7x7x7", "7X7", "7", "", "15x2", "2x15", "15x3", "16x2", "6x9", "8x7", "7x8", "9x6", " 7x7"},
		"k":    {"2", "3", "20", "21", "05", "+5", "", "5.0"},
		"rule": {"free", "exact", "Exact", ""},
	}
	names := []string{"", "gomoku", "gomoku:", "gomoku:,", "tictactoe", "tictactoe:", "tictactoe:size=3x3", "connect4", "connect4:", "connect4:k=4",
		"Gomoku", " gomoku", "gomoku ", "gomoku:k=4,k=4", "gomoku:k=4,size=7x7", "gomoku:k=4,", "gomoku:=4", "gomoku:k", "gomoku:rule=exact,size=7x7,k=4"}
	for option, list := range values {
		for _, v := range list {
			names = append(names, "gomoku:"+option+"="+v, "connect4:"+option+"="+v)
		}
	}
	// The plain checker does not number positions.
	unnumbered := []string{"connect4:size=07x7", "connect4:size=15x3", "connect4:size=6x9", "connect4:size=8x7", "connect4:size=9x6"}
	known := 0
	for _, name := range names {
		_, err := gomoku.Family.Open(name)
		if err != nil {
			_, err = connect4.Family.Open(name)
		}
		if err != nil {
			_, err = tictactoe.Family.Open(name)
		}
		header := fmt.Sprintf(`{"game":%q,"root":"?","claims":["mover holds"]}`, name)
		_, other := second.Check(t.Context(), bytes.NewReader(forged(header, "\x05\x00", goodEnd)), second.Options{})
		if name == "" {
			require.ErrorIs(t, other, second.ErrRefused)
			continue
		}
		if err != nil && slices.Contains(unnumbered, name) {
			require.ErrorIs(t, other, second.ErrRefused, name)
			continue
		}
		require.Equal(t, err != nil, errors.Is(other, second.ErrUnsuited), "%q: %v, %v", name, err, other)
		if err == nil {
			known++
		}
	}
	require.Greater(t, known, 20)
}

// TestPlainLastDisc has finished positions of Connect Four that one disc has finished, and that
// none can have.
func TestPlainLastDisc(t *testing.T) {
	for root, right := range map[string]bool{
		"o......./ooxxxx..":   true,
		"ooo.ooo../xxxxxxx..": true,  // the disc on d1 has made all lines
		"ooo..ooo./xxxxoxxxx": false, // two lines without a common disc
		"oooxooo../xxxxxxxo.": false, // none on top is in all lines
		"oooo..../xxxxo...":   false, // x has a line and is to move
	} {
		cols := strings.Index(root, "/")
		header := proof.Header{Game: fmt.Sprintf("connect4:size=2x%d", cols), Root: root, Claims: []proof.Claim{otherWins}}
		_, err := checkBytes(proof.WrapNodes(header, []byte("\x05\x00")))
		require.Equal(t, right, err == nil, "%s: %v", root, err)
	}
}

// TestPlainLimits has right forms that would take much memory.
func TestPlainLimits(t *testing.T) {
	nodes := slices.Repeat([]proof.Node{{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte("2/2 x"), Certificate: []byte("pairing")}}, proof.LiveNodes+1)
	data, err := file{proof.Header{Game: "gomoku:size=2x2,k=3", Root: "2/2 x", Claims: []proof.Claim{moverHolds}}, []claimProof{{nodes, 1}}}.bytes()
	require.NoError(t, err)
	_, err = second.Check(t.Context(), bytes.NewReader(data), second.Options{})
	require.ErrorIs(t, err, second.ErrLimit)

	// A frame that says one byte and holds a million, and one that says a million.
	bomb := proof.Frame(make([]byte, 1<<20), zstd.WithSingleSegment(true), zstd.WithEncoderCRC(false))
	small := proof.Frame(make([]byte, 300), zstd.WithSingleSegment(true), zstd.WithEncoderCRC(false))
	lying := slices.Concat(small[:7], bomb[9:]) // the blocks of the bomb
	for _, c := range []proof.RawChunk{
		{Kind: 'N', Data: make([]byte, 300), Frame: lying},
		{Kind: 'N', Data: make([]byte, 300), Frame: bomb},
		{Kind: 'N', Data: make([]byte, 1<<20+1), Frame: proof.Frame(make([]byte, 1<<20+1), zstd.WithSingleSegment(true), zstd.WithEncoderCRC(false))},
	} {
		_, err := checkBytes(proof.WrapChunks(proof.RawChunk{Kind: 'H', Data: []byte(goodHeader)}, c, proof.RawChunk{Kind: 'E', Data: []byte(goodEnd)}))
		require.ErrorIs(t, err, proof.ErrCorrupt)
	}
}

func size(t *testing.T, spec string) (rows, cols int) {
	_, text, _ := strings.Cut(spec, "size=")
	_, err := fmt.Sscanf(text, "%dx%d", &rows, &cols)
	require.NoError(t, err)
	return rows, cols
}
