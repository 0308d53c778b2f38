package record

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseWestern(t *testing.T) {
	for text, want := range map[string]string{
		"1. P-7f P-3d 2. Bx2b+ Sx2b 3. B*5e resigns":                           "7g7f 3c3d 8h2b+ 3a2b B*5e",
		"P-76 P-34 Bx22+ Sx22 B*55":                                            "7g7f 3c3d 8h2b+ 3a2b B*5e",
		"1.P7g-7f {good}\n2.P3c-3d\n3.B8hx2b= S3ax2b":                          "7g7f 3c3d 8h2b 3a2b",
		"[Sente \"A\"]\n[Gote \"B\"]\n[Event \"x\"]\n1. G6i-5h P-84 2. G49-48": "6i5h 8c8d 4i4h",
		"[SFEN \"4k4/9/4P4/9/9/9/9/9/4K4 b G 1\"]\nG'5b mate":                  "G*5b",
		"[SFEN \"4k4/9/9/9/9/9/9/9/4K4\"]\nK-4h":                               "5i4h",
		"1. P-7f 2. P-3d $2 3. Bx2b+ $18 1-0":                                  "7g7f 3c3d 8h2b+",
	} {
		require.True(t, IsWestern(text), text)
		list := ParseWestern(text)
		require.Len(t, list, 1)
		require.NoError(t, list[0].Err, text)
		require.Equal(t, want, usi(list[0].Moves), text)
		again := ParseWestern(string(list[0].AppendWestern(nil)))
		require.Equal(t, list, again, "%s", list[0].AppendWestern(nil))
	}
	list := ParseWestern("[Sente \"A \\\"x\\\"\"]\n[Event \"x\"]\n{before} 1. P-7f {good} resigns\n1. P-2f 1... P-8d *\n1. S-6h")
	require.Len(t, list, 3)
	require.Equal(t, `A "x"`, list[0].Names[0])
	require.Equal(t, []Tag{{"Event", "x"}}, list[0].Tags)
	require.Equal(t, [][]string{{"before"}, {"good"}}, list[0].Comments)
	require.Equal(t, BlackWins, list[0].Result)
	require.Equal(t, "[Sente \"A \\\"x\\\"\"]\n[Event \"x\"]\n\n{before} 1. P-7f {good} resigns\n", string(list[0].AppendWestern(nil)))
	require.Equal(t, "2g2f 8c8d", usi(list[1].Moves))
	require.Equal(t, "7i6h", usi(list[2].Moves))

	// Comments on lines before a game without tags are on it, and those behind a word on the game before.
	list = ParseWestern("{a}\n1. P-7f\n{b}\nP-3d resigns {c}\n{d}\n1. P-2f *\n{e}\n[Sente \"A\"]\nP-7f\n{f}")
	require.Len(t, list, 3)
	require.Equal(t, [][]string{{"a"}, {"b"}, {"c"}}, list[0].Comments)
	require.Equal(t, [][]string{{"d"}, {"e"}}, list[1].Comments)
	require.Equal(t, [][]string{nil, {"f"}}, list[2].Comments)
	// Times and endings as programs write them.
	list = ParseWestern("[Black \"A\"]\n1.P7g-7f          (00:03 / 00:00:03)\n2.P3c-3d\n3.B8hx2b+          (01:00:02 / 01:00:05)\n4.S3ax2b\n5.Timeup             (00:00 / 01:00:05)\n")
	require.Len(t, list, 1)
	require.NoError(t, list[0].Err)
	require.Equal(t, "7g7f 3c3d 8h2b+ 3a2b", usi(list[0].Moves))
	require.Equal(t, []time.Duration{3 * time.Second, 0, time.Hour + 2*time.Second, 0}, list[0].Times)
	require.Equal(t, TimeUp, list[0].Ending)
	require.Equal(t, WhiteWins, list[0].Result)
	list = ParseWestern("1.P7g-7f\n2.P3c-3d (good)\n{nice}\n--White Won--\n1.P2g-2f")
	require.Len(t, list, 2)
	require.NoError(t, list[0].Err)
	require.Equal(t, [][]string{nil, nil, {"(good)", "nice", "White Won"}}, list[0].Comments)

	for word, want := range westernResults {
		list = ParseWestern("P-7f " + word)
		require.Len(t, list, 1)
		require.NoError(t, list[0].Err)
		require.Equal(t, want, list[0].Result)
		require.Equal(t, list, ParseWestern(string(list[0].AppendWestern(nil))))
	}
	for _, text := range []string{"", "1. e4 e5", "1. Nf3", "[Event \"x\"]", "11-15", "P", "f5d6", "１ ７六歩(77)"} {
		require.False(t, IsWestern(text), text)
	}
	for text, want := range map[string]string{
		"P-7f\nP-7f":         "line 2: move 2, \"P-7f\": white, who is to move, has no legal move like that",
		"G-5h":               "line 1: move 1, \"G-5h\": this can be",
		"P-7f x":             "line 1: move 2, \"x\": want a move such as P-7f, Bx2b+ or P*5e",
		"G*5e":               "black, who is to move, has no gold in hand",
		"+G*5e":              "cannot be dropped",
		"P-7f resigns P-3d":  "a move after the end of the game",
		"[SFEN \"x\"]\nP-7f": "line 1: ",
	} {
		require.ErrorContains(t, ParseWestern(text)[0].Err, want, text)
	}
}

func FuzzParseWestern(f *testing.F) {
	for _, text := range []string{
		"1. P-7f P-3d 2. Bx2b+ Sx2b 3. B*5e resigns", "[Sente \"A\"]\n[SFEN \"4k4/9/4P4/9/9/9/9/9/4K4 b G 1\"]\n{a} G'5b {b} mate 1. P-2f",
		"1.P7g-7f (00:03 / 00:00:03)\n{a}\n2.Interrupt (00:00 / 00:00:00)\n{b}\n1.P2g-2f\n--Black Won--",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range ParseWestern(Decode([]byte(text))) {
			written := string(r.AppendWestern(nil))
			again := ParseWestern(written)
			require.Len(t, again, 1, written)
			require.NoError(t, again[0].Err, written)
			require.Equal(t, r.Start, again[0].Start)
			require.Equal(t, usi(r.Moves), usi(again[0].Moves))
			require.Equal(t, written, string(again[0].AppendWestern(nil)))
		}
	})
}
