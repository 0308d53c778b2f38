//go:build !race

package retro_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/retro"
)

var writtenLarge = flag.Bool("written.large", false, "have TestWritten solve Connect Four with five rows and columns too")

// values returns the value of each position of a game that can be reached, by its text.
func values[P, M comparable](t *testing.T, g games.Game[P, M], visit func(text string, v games.Value)) {
	indexer, ok := g.(games.Indexer[P])
	if !ok {
		n, err := games.Number(t.Context(), g, games.NumberOptions{})
		require.NoError(t, err)
		indexer = n
	}
	u, err := games.UniverseWith(g, indexer)
	require.NoError(t, err)
	s, err := retro.Analyze(t.Context(), u, retro.Config{})
	require.NoError(t, err)
	var text []byte
	for i := range u.Size() {
		p, ok := indexer.Position(i)
		if !ok {
			continue
		}
		v, finished := g.Outcome(p)
		if !finished {
			if v, ok = s.Value(i); !ok {
				continue // it cannot be reached
			}
		}
		text = g.AppendPosition(text[:0], p)
		visit(string(text), v)
	}
}

// judge returns the value of a position of a game written in Go, by its text.
func judge[P, M comparable](t *testing.T, g games.Game[P, M]) func(text string) games.Value {
	known := map[P]games.Value{}
	canonical := g.(games.Canonicalizer[P]).Canonical
	values(t, g, func(text string, v games.Value) {
		p, err := g.ParsePosition(text)
		require.NoError(t, err)
		known[canonical(p)] = v
	})
	return func(text string) games.Value {
		p, err := g.ParsePosition(text)
		require.NoError(t, err)
		if v, finished := g.Outcome(p); finished {
			return v
		}
		v, ok := known[canonical(p)]
		require.True(t, ok, text)
		return v
	}
}

// written opens a game that is written in Go.
func written[G games.Game[P, M], P, M comparable](f *games.Family[G], spec string) func(t *testing.T) func(text string) games.Value {
	return func(t *testing.T) func(text string) games.Value {
		g, err := f.Open(spec)
		require.NoError(t, err)
		return judge[P, M](t, g)
	}
}

// pawns are the rules of a game of pawns that go one square forward and take diagonally, and win on the last row or when the
// other side has no move: on a board that is turned so that the side to move goes up. With free they also move diagonally.
func pawns(free bool) func(t *testing.T) func(text string) games.Value {
	type board = string // rows from the top, with P for the side to move
	known := map[board]games.Value{}
	var value func(b board, files int) games.Value
	value = func(b board, files int) games.Value {
		if v, ok := known[b]; ok {
			return v
		}
		best := games.Loss(0)
		if strings.Contains(b[len(b)-files:], "p") { // the other side has arrived
			known[b] = best
			return best
		}
		for from, c := range []byte(b) {
			if c != 'P' || from < files {
				continue
			}
			for _, aside := range []int{-1, 0, 1} {
				to := from - files + aside
				if from%files+aside < 0 || from%files+aside >= files || b[to] == 'P' ||
					b[to] == 'p' && aside == 0 || b[to] == '.' && aside != 0 && !free {
					continue
				}
				next := []byte(b)
				next[from], next[to] = '.', 'P'
				if v := value(turned(string(next)), files).Backup(0); v > best {
					best = v
				}
			}
		}
		known[b] = best
		return best
	}
	return func(*testing.T) func(text string) games.Value {
		return func(text string) games.Value {
			placement, turn, _ := strings.Cut(text, " ")
			rows := strings.Split(placement, "/")
			b := strings.Join(rows, "")
			if turn == "b" {
				b = turned(b)
			}
			return value(b, len(rows[0]))
		}
	}
}

// turned turns a board by half a turn, and exchanges the sides.
func turned(b string) string {
	t := []byte(b)
	for i, c := range []byte(b) {
		if c != '.' {
			c ^= 'p' ^ 'P'
		}
		t[len(t)-1-i] = c
	}
	return string(t)
}

// TestWritten solves games from files that are also written in Go, or in this test. All positions have the same values, in Othello
// the same results: its values are scores, and in a file a pass is a move. J. Tromp published how many positions Connect Four has.
func TestWritten(t *testing.T) {
	connectFour := func(rows, columns int) string {
		empty := strings.TrimSuffix(strings.Repeat(strconv.Itoa(columns)+"/", rows), "/")
		discs := rows * columns
		return fmt.Sprintf("[my:connect4]\nmaxRank = %d\nmaxFile = %d\nstartFen = %s[%s%s] w - - 0 1\n", rows, columns, empty,
			strings.Repeat("P", (discs+1)/2), strings.Repeat("p", discs/2))
	}
	marks := strings.NewReplacer("P", "x", "p", "o", " w", "", " b", "")
	discs := strings.NewReplacer("P", "X", "p", "O", ".", "-", "/", "", "w", "X", "b", "O")
	pieces := strings.NewReplacer()
	for _, c := range []struct {
		name, section string
		value         func(t *testing.T) func(text string) games.Value
		spell         *strings.Replacer // of rows and the side to move
		positions     int
		short         bool
	}{
		{"tic-tac-toe", "[my:tictactoe]", written(tictactoe.Family, "tictactoe"), marks, 5_478, true},
		{"connect four 3x4", connectFour(3, 4), written(connect4.Family, "connect4:size=3x4"), marks, 0, true},
		{"connect four 4x4", connectFour(4, 4), written(connect4.Family, "connect4:size=4x4"), marks, 161_029, false},
		{"connect four 5x4", connectFour(5, 4), written(connect4.Family, "connect4:size=5x4"), marks, 1_706_255, false},
		{"connect four 4x5", connectFour(4, 5), written(connect4.Family, "connect4:size=4x5"), marks, 3_945_711, false},
		{"connect four 5x5", connectFour(5, 5), nil, nil, 69_763_700, false},
		{"hexapawn", "[my:hexapawn]", pawns(false), pieces, 0, true},
		{"hexapawn 4x4", "[my:hexapawn]\nmaxRank = 4\nmaxFile = d\nstartFen = pppp/4/4/PPPP w 0 1\nflagRegionWhite = *4\n",
			pawns(false), pieces, 0, true},
		{"breakthrough 4x3", "[my:breakthrough]\nmaxRank = 4\nmaxFile = c\nstartFen = ppp/3/3/PPP w 0 1\nflagRegionWhite = *4\n",
			pawns(true), pieces, 0, true},
		{"breakthrough 5x3", "[my:breakthrough]\nmaxRank = 5\nmaxFile = c\nstartFen = ppp/ppp/3/PPP/PPP w 0 1\nflagRegionWhite = *5\n",
			pawns(true), pieces, 0, false},
		{"othello 4x4", "[my:flipello]\nmaxRank = 4\nmaxFile = d\nstartFen = 4/1pP1/1Pp1/4 w 0 1\nfreeDrops = true\nenclosingDropStart = -\n",
			written(othello.Family, "othello:size=4x4"), discs, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.short && testing.Short() || c.value == nil && !*writtenLarge {
				t.Skip("takes some minutes")
			}
			f, err := variant.Read("my.ini", strings.NewReader(c.section), variant.BuiltIn())
			require.NoError(t, err)
			g, err := f.Game("my")
			require.NoError(t, err)
			var value func(text string) games.Value
			if c.value != nil {
				value = c.value(t)
			}
			n, longest, last := 0, 0, ""
			counts := map[games.Result]int{}
			values[variant.Position, variant.Move](t, g, func(text string, got games.Value) {
				n++
				counts[got.Result()]++
				if plies, _ := got.Plies(); plies > longest {
					longest, last = plies, text
				}
				if value == nil {
					return
				}
				fields := strings.Fields(text)
				placement, _, _ := strings.Cut(fields[0], "[")
				for empty := range 9 {
					placement = strings.ReplaceAll(placement, strconv.Itoa(empty+1), "........."[:empty+1])
				}
				want := value(c.spell.Replace(placement + " " + fields[1]))
				if c.spell == discs { // these values are scores
					want, got = want.Result().Value(), got.Result().Value()
				}
				if want != got {
					t.Fatalf("%s is worth %v, not %v", text, want, got)
				}
			})
			if c.positions > 0 {
				require.Equal(t, c.positions, n)
			}
			t.Logf("%d positions: %v; longest %d: %s", n, counts, longest, last)
		})
	}
}
