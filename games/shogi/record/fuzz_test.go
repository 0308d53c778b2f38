package record

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// seed adds the files of testdata with an ending, whole and in Shift_JIS.
func seed(f *testing.F, ending string) {
	entries, err := os.ReadDir("testdata")
	require.NoError(f, err)
	for _, entry := range entries {
		if name := entry.Name(); len(name) > 4 && name[len(name)-4:] == ending {
			data := readFile(f, name)
			f.Add(data)
			f.Add(ShiftJIS.encode(bytes.Clone([]byte(Decode(data)))))
		}
	}
}

// requireRecords checks that records are what they say: their moves are legal. They are the
// same when they are written and read again.
func requireRecords(t *testing.T, list []Record, write func(*Record) []byte) {
	for _, r := range list {
		if r.Start == (shogi.Position{}) {
			require.Error(t, r.Err)
			require.Empty(t, r.Moves)
			continue
		}
		b := shogi.NewBoard(r.Start)
		for _, m := range r.Moves {
			require.NoError(t, b.CheckMove(m))
			b.Do(m)
		}
		require.True(t, r.Times == nil || len(r.Times) == len(r.Moves))
		text := write(&r)
		again := parseOne(t, text)
		require.NoError(t, again.Err, "%s", text)
		r.Err = nil
		if r.Hands != shogi.GivenHands {
			r.Hands = shogi.UsualHands // they are written whole
		}
		require.Equal(t, r, again, "%s", text)
	}
}

func kif(r *Record) []byte { return r.AppendKIF(nil, UTF8) }

func FuzzParseKIF(f *testing.F) {
	seed(f, ".kif")
	f.Add([]byte("手合割：二枚落ち\n先手：x\n1 ４二玉(51)\n2 投了"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseKIF(data)
		if err != nil {
			require.Empty(t, list)
			return
		}
		requireRecords(t, list, kif)
	})
}

func FuzzParseKI2(f *testing.F) {
	seed(f, ".ki2")
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseKIF(data)
		if err != nil {
			require.Empty(t, list)
			return
		}
		requireRecords(t, list, kif)
	})
}

func FuzzParseCSA(f *testing.F) {
	seed(f, ".csa")
	for _, text := range bytes.Split(readFile(f, "games.csa"), []byte("/\n")) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseCSA(data)
		if err != nil {
			require.Empty(t, list)
			return
		}
		requireRecords(t, list, func(r *Record) []byte { return r.AppendCSA(nil) })
	})
}

// FuzzParse reads text of any format, also as UTF-16.
func FuzzParse(f *testing.F) {
	seed(f, ".kif")
	seed(f, ".ki2")
	seed(f, ".csa")
	f.Add([]byte("position startpos moves 7g7f 3c3d resign\n"))
	f.Add([]byte("# one\nsfen 4k4/9/4P4/9/9/9/9/9/9_b_G_1\t1\tid"))
	f.Add([]byte("\xff\xfe1\x00 \x00\x95\x62\xc6\x4e"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Parse(data, shogi.UsualHands)
		if err != nil {
			require.Empty(t, list)
			return
		}
		requireRecords(t, list, kif)
	})
}
