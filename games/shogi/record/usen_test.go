package record

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// TestParseUSEN reads what other programs write; 7g7f is (6*9+6)*81*2 + (5*9+6)*2 = 9822, 7ku in base 36.
func TestParseUSEN(t *testing.T) {
	for _, c := range []struct{ text, moves, variations, written string }{
		{"~0.6y236e7ku4be.j", "2g2f 8c8d 7g7f 8d8e", "", "~0.6y236e7ku4be.j"},
		{"~0..", "", "", "~0.."},
		{"~0.7ku.~0.6y2.p~1.36e.", "7g7f", "2g2f 8c8d", ""},
		{"lnsgkgsnl_1r5b1_ppppppppp_9_9_9_PPPPPPPPP_1B5R1_LNSGKGSNL.b.-~0.7ku.", "7g7f", "", "~0.7ku."},
		{"4k4_9_9_9_9_9_9_9_4K4.b.10P~0..", "", "", ""}, // a 0 in the hands
	} {
		require.True(t, IsUSEN(c.text), c.text)
		r := ParseUSEN(c.text, shogi.UsualHands)
		require.NoError(t, r.Err, c.text)
		require.Equal(t, c.moves, usi(r.Moves), c.text)
		variations := ""
		for i, v := range r.Variations {
			if i > 0 {
				variations += " "
			}
			variations += usi(v.Moves)
		}
		require.Equal(t, c.variations, variations, c.text)
		if c.written != "" {
			require.Equal(t, c.written, string(r.AppendUSEN(nil)))
		}
	}
	for _, text := range []string{"", "~", "0.7ku.", "~0", "~x.7ku.", "~0.7KU.", "~/src/file.go"} {
		require.False(t, IsUSEN(text), text)
	}
	for text, want := range map[string]string{
		"":               "want ~ before each line",
		"x~0.7ku.":       "USEN: ",
		"~1.7ku.":        "USEN: section 1: the first line of play does not begin at 0",
		"~0.7ku.~5.7ku.": "USEN: section 2: a line of play after 5 moves, and there are 1",
		"~0.7k.":         `USEN: section 1: move 1: "7k": want three digits`,
		"~0.7ku7ku.":     "USEN: section 1: move 2: 7g7f: ",
		"~0.zzz.":        "there is no square or piece in hand",
		"~0.7!!.":        "want digits and small letters",
		"~a.7ku.":        "want a number, moves and an ending",
	} {
		require.ErrorContains(t, ParseUSEN(text, shogi.UsualHands).Err, want, text)
	}
}

func FuzzParseUSEN(f *testing.F) {
	for _, text := range []string{"~0.6y236e7ku4be.j", "~0.7ku.~0.6y2.p~1.36e.", "4k4_9_4P4_9_9_9_9_9_9.b.G~0.0ak.r"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := ParseUSEN(text, shogi.UsualHands)
		if r.Start == (shogi.Position{}) {
			require.Error(t, r.Err)
			return
		}
		written := string(r.AppendUSEN(nil))
		again := ParseUSEN(written, shogi.GivenHands)
		require.NoError(t, again.Err, written)
		require.Equal(t, r.Start, again.Start)
		require.Equal(t, usi(r.Moves), usi(again.Moves))
		require.Equal(t, written, string(again.AppendUSEN(nil)))
	})
}
