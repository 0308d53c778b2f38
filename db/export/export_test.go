package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/db/export"
	"github.com/yomikiri/yomikiri/db/internal/dbtest"
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/retro"
)

// table is the rows of a table as text, and the names of the columns. Bytes are hexadecimal.
type table struct {
	columns []string
	rows    [][]string
}

const null = "-"

// write exports a database.
func write(t testing.TB, s *export.Source, o export.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	o.Threads = max(o.Threads, 2)
	rows, err := export.Write(t.Context(), &out, s, o)
	require.NoError(t, err)
	require.EqualValues(t, rows, len(read(t, o.Format, out.Bytes()).rows))
	return out.Bytes()
}

// read reads a table in a format.
func read(t testing.TB, format export.Format, data []byte) (x table) {
	t.Helper()
	switch format {
	case export.CSV:
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		require.NoError(t, err)
		x = table{rows[0], rows[1:]}
		for _, row := range x.rows {
			if i := slices.Index(x.columns, "distance"); i >= 0 && row[i] == "" {
				row[i] = null
			}
		}
	case export.JSONL:
		for line := range bytes.Lines(data) {
			d := json.NewDecoder(bytes.NewReader(line))
			d.UseNumber()
			_, err := d.Token()
			require.NoError(t, err)
			var names, row []string
			for d.More() {
				name, err := d.Token()
				require.NoError(t, err)
				value, err := d.Token()
				require.NoError(t, err)
				if value == nil {
					value = null
				}
				names, row = append(names, name.(string)), append(row, fmt.Sprint(value))
			}
			x.columns, x.rows = names, append(x.rows, row)
		}
	case export.Parquet:
		f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
		require.NoError(t, err)
		for _, c := range f.Root().Columns() {
			x.columns = append(x.columns, c.Name())
		}
		for _, group := range f.RowGroups() {
			rows := group.Rows()
			buffer := make([]parquet.Row, 100)
			for err == nil {
				var n int
				n, err = rows.ReadRows(buffer)
				for _, r := range buffer[:n] {
					var row []string
					for _, v := range r {
						switch {
						case v.IsNull():
							row = append(row, null)
						case v.Kind() == parquet.FixedLenByteArray:
							row = append(row, hex.EncodeToString(v.ByteArray()))
						default:
							row = append(row, v.String())
						}
					}
					x.rows = append(x.rows, row)
				}
			}
			require.ErrorIs(t, err, io.EOF)
			err = rows.Close()
			require.NoError(t, err)
		}
	}
	return x
}

// solved is a database with what a prober knows of it.
type solved struct {
	source *export.Source
	rows   []known // the unfinished positions, by index
}

// known is a position.
type known struct {
	index             uint64
	value             games.Value
	tier, text, board string
}

// cells returns a position as a row.
func (k *known) cells(columns []string, scores bool) (row []string) {
	for _, name := range columns {
		text := map[string]string{"index": strconv.FormatUint(k.index, 10), "tier": k.tier, "text": k.text, "board": k.board, "distance": null}[name]
		plies, ok := k.value.Plies()
		switch {
		case name == "value" && scores:
			text = strconv.Itoa(int(k.value))
		case name == "value":
			text = k.value.Result().String()
		case name == "distance" && ok:
			text = strconv.Itoa(plies)
		}
		row = append(row, text)
	}
	return row
}

// newSolved asks a prober for all positions of a game in an open database.
func newSolved[P, M comparable](t testing.TB, d *db.DB, g games.Game[P, M]) *solved {
	t.Helper()
	p, err := db.NewProber(d, g)
	require.NoError(t, err)
	s := &solved{source: &export.Source{Manifest: d.Manifest(), Block: p.Block}}
	at := func(index uint64) P {
		position, err := p.Position(index)
		if err != nil {
			panic(err)
		}
		return position
	}
	s.source.AppendText = func(dst []byte, index uint64) []byte { return g.AppendPosition(dst, at(index)) }
	var describe func(P) games.Board
	if describer, ok := any(g).(games.Describer[P, M]); ok {
		describe = describer.Board
		s.source.Boards = export.NewBoards(describer.Layout(), func(index uint64) games.Board { return describe(at(index)) })
	}
	for _, tier := range d.Manifest().Content.Tiers {
		for index := tier.Start; index < tier.Start+tier.Size; index++ {
			position, err := p.Position(index)
			if err != nil {
				continue
			}
			v, err := p.Probe(position)
			if _, finished := g.Outcome(position); finished || errors.Is(err, db.ErrNotHeld) {
				continue
			}
			require.NoError(t, err)
			s.rows = append(s.rows, known{index: index, value: v, tier: tier.Name, text: string(g.AppendPosition(nil, position))})
		}
	}
	return s
}

// solve solves a game.
func solve[P, M comparable](t testing.TB, g games.Game[P, M], positions retro.Positions) *db.DB {
	t.Helper()
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	fs := vfs.NewMem()
	_, _, err = retro.Solve(t.Context(), u, "db", retro.Config{FS: fs, Positions: positions})
	require.NoError(t, err)
	return open(t, fs)
}

// open opens a database for all tests.
func open(t testing.TB, fs vfs.FS) *db.DB {
	t.Helper()
	d, err := store.Open("db", &store.Options{FS: fs, CacheSize: 16 << 20})
	require.NoError(t, err)
	return d
}

// compact makes a compact database.
func compact[P, M comparable](t testing.TB, from *db.DB, g games.Game[P, M], results bool) *db.DB {
	t.Helper()
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	fs := vfs.NewMem()
	require.NoError(t, fs.MkdirAll("db", 0o700))
	m, err := store.Compact(t.Context(), "db", from, u, results, store.WriteOptions{FS: fs})
	require.NoError(t, err)
	require.True(t, m.Content.IsCompact())
	return open(t, fs)
}

// databases are small databases of several kinds. database returns one, which is made once.
var databases = map[string]func(t testing.TB) *solved{
	"tic-tac-toe": func(t testing.TB) *solved {
		g := tictactoe.Game{}
		return newSolved(t, solve(t, games.Game[tictactoe.Position, tictactoe.Move](g), retro.Reachable), games.Game[tictactoe.Position, tictactoe.Move](g))
	},
	"scores": func(t testing.TB) *solved {
		g, err := awari.Family.Open("awari:stones=5")
		require.NoError(t, err)
		return newSolved(t, solve(t, g, retro.All), g)
	},
	"checkers": func(t testing.TB) *solved {
		g, err := checkers.Family.Open("checkers:size=4x4,pieces=3")
		require.NoError(t, err)
		return newSolved(t, solve(t, g, retro.All), g)
	},
	"compact": func(t testing.TB) *solved {
		g, err := checkers.Family.Open("checkers:size=4x4,pieces=4")
		require.NoError(t, err)
		return newSolved(t, compact(t, solve(t, g, retro.All), g, false), g)
	},
	"compact, reachable": func(t testing.TB) *solved {
		g, err := connect4.Family.Open("connect4:size=3x4")
		require.NoError(t, err)
		return newSolved(t, compact(t, solve(t, g, retro.Reachable), g, false), g)
	},
	"results": func(t testing.TB) *solved {
		g, err := checkers.Family.Open("checkers:size=4x4,pieces=3")
		require.NoError(t, err)
		return newSolved(t, compact(t, solve(t, g, retro.All), g, true), g)
	},
	"hands": func(t testing.TB) *solved {
		g, err := dobutsu.Family.Open("dobutsu:size=3x3")
		require.NoError(t, err)
		return newSolved(t, solve(t, g, retro.Reachable), g)
	},
	"wide codes": func(t testing.TB) *solved {
		g := dbtest.Ladder("wide", 699, 13, 1, 350, 350)
		return newSolved(t, solve(t, games.Game[int, int](g), retro.All), games.Game[int, int](g))
	},
}

var made = map[string]*solved{}

func database(t testing.TB, name string) *solved {
	t.Helper()
	if made[name] == nil {
		made[name] = databases[name](t)
	}
	return made[name]
}

// TestRoundTrip reads back what was written, in each format, and compares it with a prober.
func TestRoundTrip(t *testing.T) {
	for name := range databases {
		t.Run(name, func(t *testing.T) {
			s := database(t, name)
			c := &s.source.Manifest.Content
			scores := c.Order == games.ByScore.String()
			require.NotEmpty(t, s.rows)
			columns := append(export.Columns(c), "text", "tier")
			choices := [][]string{nil, columns, {"value"}, {"tier"}, {"text", "index"}}
			if testing.Short() {
				choices = choices[:2]
			}
			for _, names := range choices {
				shown := names
				if names == nil {
					shown = export.Columns(c)
				}
				var want [][]string
				for _, k := range s.rows {
					want = append(want, k.cells(shown, scores))
				}
				for _, format := range export.Formats {
					data := write(t, s.source, export.Options{Format: format, Columns: names})
					got := read(t, format, data)
					require.Equal(t, shown, got.columns, format)
					require.Equal(t, want, got.rows, format)
					if names == nil {
						require.Equal(t, data, write(t, s.source, export.Options{Format: format, Threads: 5}), "the same on five threads")
					}
				}
			}
		})
	}
}

// TestAloneInRow has rows whose only cell is empty: readers of CSV skip empty lines.
func TestAloneInRow(t *testing.T) {
	s := database(t, "tic-tac-toe")
	var want [][]string
	for _, k := range s.rows {
		want = append(want, k.cells([]string{"distance"}, false))
	}
	require.Contains(t, want, []string{null})
	for _, format := range export.Formats {
		data := write(t, s.source, export.Options{Format: format, Columns: []string{"distance"}})
		require.Equal(t, want, read(t, format, data).rows, format)
	}
}

// TestBoard compares the bytes of boards with the boards.
func TestBoard(t *testing.T) {
	for _, c := range []struct{ database, text, board string }{
		// The kinds are elephant, giraffe, chick, hen and lion; the first three can be in hand.
		{"hands", "1le/3/L2 b e2g", "008581" + "000000" + "050000" + "000000" + "010200" + "01"},
		{"hands", "1le/3/L2 b Geg", "008581" + "000000" + "050000" + "000100" + "010100" + "01"},
		{"checkers", "B:WK2:BK1", "0000000000008202" + "01"}, // squares from 8 to 1, kinds man and king
		{"scores", "4,1,0,0,0,0,0,0,0,0,0,0", "000000000000" + "040100000000" + "01"},
	} {
		s := database(t, c.database)
		for _, format := range export.Formats {
			got := read(t, format, write(t, s.source, export.Options{Format: format, Columns: []string{"text", "board"}}))
			i := slices.IndexFunc(got.rows, func(row []string) bool { return row[0] == c.text })
			require.GreaterOrEqual(t, i, 0, "%s", c.text)
			require.Equal(t, c.board, got.rows[i][1])
			require.Len(t, got.rows[i][1], 2*s.source.Boards.Size())
		}
	}
}

// TestWhere compares what conditions select with what they mean.
func TestWhere(t *testing.T) {
	plies := func(v games.Value) int {
		if n, ok := v.Plies(); ok {
			return n
		}
		return 1 << 20
	}
	for _, c := range []struct {
		database, where string
		want            func(k *known) bool
	}{
		{"checkers", "value >= win in 5", func(k *known) bool { return k.value >= games.Win(5) }},
		{"checkers", "value=win in 1", func(k *known) bool { return k.value == games.Win(1) }},
		{"checkers", "value < draw", func(k *known) bool { return k.value < games.Draw }},
		{"checkers", "value != draw", func(k *known) bool { return k.value != games.Draw }},
		{"checkers", "value = loss", func(k *known) bool { return k.value.Result() == games.Lost }},
		{"checkers", "value <= win and value > loss", all2(games.Drawn, games.Won)},
		{"checkers", "value > loss in 4", func(k *known) bool { return k.value > games.Loss(4) }},
		{"checkers", "value = win in 999", func(*known) bool { return false }},
		{"checkers", "distance <= 3 and value = win", func(k *known) bool { return plies(k.value) <= 3 && k.value > 0 }},
		{"checkers", "distance != 3", func(k *known) bool { return plies(k.value) != 3 && k.value != games.Draw }},
		{"checkers", "distance >= 0", func(k *known) bool { return k.value != games.Draw }},
		{"checkers", "index > 100 and index <= 200", func(k *known) bool { return k.index > 100 && k.index <= 200 }},
		{"checkers", "index = 100", func(k *known) bool { return k.index == 100 }},
		{"checkers", "index != 100 and index < 300", func(k *known) bool { return k.index != 100 && k.index < 300 }},
		{"checkers", "index >= 281474976710655", func(*known) bool { return false }},
		{"checkers", "index < 0", func(*known) bool { return false }},
		{"checkers", "tier = KM-K", func(k *known) bool { return k.tier == "KM-K" }},
		{"checkers", "tier != K-K and index < 900", func(k *known) bool { return k.tier != "K-K" && k.index < 900 }},
		{"scores", "value >= +2", func(k *known) bool { return k.value >= 2 }},
		{"scores", "value < draw and value > -3", func(k *known) bool { return k.value < 0 && k.value > -3 }},
		{"scores", "value = win", func(k *known) bool { return k.value > 0 }},
		{"scores", "tier >= 2 and tier < 4", func(k *known) bool { return k.tier == "2" || k.tier == "3" }},
		{"results", "value >= draw", all2(games.Drawn, games.Won)},
		{"results", "value != win", all2(games.Drawn, games.Lost)},
		{"compact", "value = win and distance > 4", func(k *known) bool { return k.value > 0 && plies(k.value) > 4 }},
		{"wide codes", "value <= loss in 300", func(k *known) bool { return k.value <= games.Loss(300) }},
		{"wide codes", "tier = part 2", func(k *known) bool { return k.tier == "part 2" }},
		{"wide codes", "\tindex  >=  13 ", func(k *known) bool { return k.index >= 13 }},
	} {
		t.Run(c.database+" "+c.where, func(t *testing.T) {
			s := database(t, c.database)
			content := &s.source.Manifest.Content
			w, err := export.ParseWhere(c.where, content)
			require.NoError(t, err)
			columns := append(export.Columns(content), "tier")
			want := [][]string{}
			for _, k := range s.rows {
				if c.want(&k) {
					want = append(want, k.cells(columns, content.Order == games.ByScore.String()))
				}
			}
			for _, format := range export.Formats {
				got := read(t, format, write(t, s.source, export.Options{Format: format, Columns: columns, Where: w}))
				require.Equal(t, want, append([][]string{}, got.rows...), format)
			}
		})
	}
}

// all2 returns a condition that two results meet.
func all2(a, b games.Result) func(*known) bool {
	return func(k *known) bool { return k.value.Result() == a || k.value.Result() == b }
}

// TestWhereErrors has conditions that are refused.
func TestWhereErrors(t *testing.T) {
	for _, c := range []struct{ database, where, want string }{
		{"checkers", "", `"": want a comparison by =, !=, <, <=, > or >=, such as value >= draw, or several joined by and`},
		{"checkers", "value", `"value": want a comparison`},
		{"checkers", "value == draw", `"value == draw": want a comparison`},
		{"checkers", "value => draw", `want a comparison`},
		{"checkers", "value >=", `want a comparison`},
		{"checkers", "value >= draw and", `value "draw and": want "win in N"`},
		{"checkers", "value >= draw OR index < 3", `"value >= draw OR index < 3": there is no or: comparisons are joined by and`},
		{"checkers", "value >= draw and vlaue = win", `"vlaue = win": want value, distance, tier or index`},
		{"checkers", "value >= won", `value "won": want "win in N"`},
		{"checkers", "value >= +3", `the values of checkers:size=4x4,pieces=3 are not scores`},
		{"checkers", "distance < -1", `want a whole number of plies, 0 to 15999`},
		{"checkers", "distance < 16000", `want a whole number of plies, 0 to 15999`},
		{"checkers", "index < 281474976710656", `want a whole number, 0 to 281474976710655`},
		{"checkers", "tier = 9", `"tier = 9": no tier has this name; the first is `},
		{"hands", "tier = 9", `the database has only one tier`},
		{"scores", "value = win in 3", `the values of awari:stones=5 are scores, such as +3`},
		{"scores", "value = 3", `are scores: want one such as +3, or win, draw or loss`},
		{"scores", "distance = 3", `the database has no distances`},
		{"results", "value = win in 3", `the database has no distances: want win, draw or loss`},
		{"results", "distance = 3", `the database has no distances`},
	} {
		s := database(t, c.database)
		_, err := export.ParseWhere(c.where, &s.source.Manifest.Content)
		require.ErrorContains(t, err, c.want, "%s", c.where)
	}
}

// TestColumns has columns that are refused.
func TestColumns(t *testing.T) {
	tictactoe, scores := database(t, "tic-tac-toe").source, database(t, "scores").source
	for _, c := range []struct {
		source  *export.Source
		columns []string
		want    string
	}{
		{tictactoe, []string{}, "want some of index, value, distance, tier, text, board"},
		{tictactoe, []string{"index", "valeu"}, `no column "valeu"; there are: index, value, `},
		{tictactoe, []string{"index", "value", "index"}, "the column index is there twice"},
		{scores, []string{"index", "distance"}, "column distance: the database has no distances"},
		{&export.Source{Manifest: scores.Manifest}, []string{"text"}, "column text: awari:stones=5 has no notation of positions"},
		{&export.Source{Manifest: scores.Manifest}, []string{"board"}, "column board: awari:stones=5 does not describe its boards; take the column text"},
	} {
		require.ErrorContains(t, c.source.Check(c.columns), c.want)
		_, err := export.Write(t.Context(), io.Discard, c.source, export.Options{Format: export.CSV, Columns: c.columns, Threads: 1})
		require.ErrorContains(t, err, c.want)
	}
}

// synthetic returns a database with n positions in two tiers, whose values are made from the index.
func synthetic(n uint64) *export.Source {
	m := &db.Manifest{Content: db.Content{Game: "made", Order: "distance", Positions: "all", BlockSize: db.BlockSize,
		Values: []games.Value{games.Win(3), games.Draw, games.Loss(2)}}}
	half := n / 2
	for i, size := range []uint64{half, n - half} {
		t := db.Tier{Name: strconv.Itoa(i), Start: uint64(i) * half, Size: size, Open: size, Unfinished: size}
		for k, v := range m.Content.Values {
			count := db.Count{Value: v}
			for index := t.Start; index < t.Start+t.Size; index++ {
				if index%3 == uint64(k) {
					count.Positions++
				}
			}
			t.Counts = append(t.Counts, count)
		}
		m.Content.Tiers = append(m.Content.Tiers, t)
	}
	return &export.Source{Manifest: m, Block: func(_ context.Context, tier int, block uint64) ([]byte, error) {
		first := block * db.BlockSize
		codes := make([]byte, min(db.BlockSize, m.Content.Tiers[tier].Open-first))
		for i := range codes {
			codes[i] = byte((m.Content.Tiers[tier].Start+first+uint64(i))%3) + 1
		}
		return codes, nil
	}}
}

// TestGroups writes a table of several row groups, which are in order.
func TestGroups(t *testing.T) {
	const n = 600_000
	s := synthetic(n)
	var last, total uint64
	data := write(t, s, export.Options{Format: export.Parquet, Threads: 3, Columns: []string{"index", "value", "tier"}, Progress: func(unit string, done, of uint64) {
		require.Equal(t, "blocks", unit)
		require.Greater(t, done, last)
		last, total = done, of
	}})
	require.Equal(t, last, total)
	require.EqualValues(t, 2*74, total)
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	require.Len(t, f.RowGroups(), 3)
	got := read(t, export.Parquet, data)
	require.Len(t, got.rows, n)
	for i, row := range got.rows {
		if row[0] != strconv.Itoa(i) || row[1] != []string{"win", "draw", "loss"}[i%3] || row[2] != strconv.Itoa(2*i/n) {
			require.Fail(t, "a wrong row", "%d: %v", i, row)
		}
	}
	for key, want := range map[string]string{"yomikiri.game": "made", "yomikiri.where": "", "yomikiri.by": ""} {
		value, ok := f.Lookup(key)
		require.Equal(t, want, value)
		require.Equal(t, want != "", ok)
	}
}

// TestFailing has exports that end early.
func TestFailing(t *testing.T) {
	failed := errors.New("no more")
	for _, format := range export.Formats {
		for _, threads := range []int{1, 4} {
			o := export.Options{Format: format, Threads: threads}
			s := synthetic(600_000)
			block, read := s.Block, s.Block
			ctx, cancel := context.WithCancel(t.Context())
			s.Block = func(ctx context.Context, tier int, n uint64) ([]byte, error) {
				if tier == 1 && n == 40 {
					cancel()
				}
				return block(ctx, tier, n)
			}
			_, err := export.Write(ctx, io.Discard, s, o)
			require.ErrorIs(t, err, context.Canceled, format)

			s.Block = func(ctx context.Context, tier int, n uint64) ([]byte, error) {
				if tier == 1 && n == 40 {
					return nil, failed
				}
				return read(ctx, tier, n)
			}
			_, err = export.Write(t.Context(), io.Discard, s, o)
			require.ErrorIs(t, err, failed, format)

			s.Block = func(ctx context.Context, tier int, n uint64) ([]byte, error) {
				codes, err := block(ctx, tier, n)
				if tier == 1 && n == 3 {
					codes[17] = 9
				}
				return codes, err
			}
			_, err = export.Write(t.Context(), io.Discard, s, o)
			require.ErrorIs(t, err, db.ErrCorrupt, format)
			require.ErrorContains(t, err, "has the unknown code 9")

			s.Block = block
			s.Manifest.Content.Tiers[1].Counts[1].Positions++
			_, err = export.Write(t.Context(), io.Discard, s, o)
			require.ErrorIs(t, err, db.ErrCorrupt, format)
			require.ErrorContains(t, err, "the blocks have 600000 such positions, and the manifest says 600001")

			_, err = export.Write(t.Context(), &full{1 << 10}, s, o)
			require.ErrorIs(t, err, errFull, format)
		}
	}
	_, err := export.Write(t.Context(), io.Discard, synthetic(10), export.Options{Format: "xml", Threads: 1})
	require.ErrorContains(t, err, `format "xml": want one of [parquet csv jsonl]`)
}

var errFull = errors.New("full")

// full is a writer with little space.
type full struct{ left int }

func (f *full) Write(data []byte) (int, error) {
	if f.left -= len(data); f.left < 0 {
		return 0, errFull
	}
	return len(data), nil
}

// TestWriteCounts reads back the counts of manifests.
func TestWriteCounts(t *testing.T) {
	for name := range databases {
		t.Run(name, func(t *testing.T) {
			c := &database(t, name).source.Manifest.Content
			var out bytes.Buffer
			require.NoError(t, export.WriteCounts(&out, c))
			got := read(t, export.Parquet, out.Bytes())
			var want [][]string
			for _, tier := range c.Tiers {
				for _, n := range tier.Counts {
					k := known{value: n.Value, tier: tier.Name}
					row := k.cells(append([]string{"tier"}, export.Columns(c)[1:]...), c.Order == games.ByScore.String())
					if c.Order == games.ByResult.String() {
						row = append(row, null)
					}
					want = append(want, append(row, strconv.FormatUint(n.Positions, 10), strconv.FormatUint(n.Finished, 10)))
				}
			}
			require.Equal(t, want, got.rows)
			columns := "tier value distance positions finished"
			if c.Order == games.ByScore.String() {
				columns = "tier value positions finished"
			}
			require.Equal(t, columns, strings.Join(got.columns, " "))
		})
	}
}

// FuzzParseWhere reads conditions. One that is joined with itself, or with what all positions meet, selects the same.
func FuzzParseWhere(f *testing.F) {
	for _, text := range []string{"value >= win in 20", "value<draw and distance != 7", "tier = 1 and index <= 99999", "index=3 and index=4", "value = +3", "and", "tier = and"} {
		f.Add(text)
	}
	s := synthetic(50_000)
	f.Fuzz(func(t *testing.T, text string) {
		w, err := export.ParseWhere(text, &s.Manifest.Content)
		if err != nil {
			return
		}
		write := func(w *export.Where) string {
			var out bytes.Buffer
			_, err := export.Write(t.Context(), &out, s, export.Options{Format: export.CSV, Where: w, Threads: 1})
			require.NoError(t, err)
			return out.String()
		}
		want := write(w)
		for _, other := range []string{text + " and " + text, text + " and index >= 0", "value <= win and " + text} {
			w, err := export.ParseWhere(other, &s.Manifest.Content)
			require.NoError(t, err, "%q", other)
			require.Equal(t, want, write(w), "%q", other)
		}
	})
}
