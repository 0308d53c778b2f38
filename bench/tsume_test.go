package bench

import (
	"bytes"
	"context"
	"encoding/csv"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// someProblems are a mate in one, one without a mate, a mate in three that says
// it has five, and one that takes long.
const someProblems = "4k4/9/4P4/9/9/9/9/9/9 b G\t1\tone\n" +
	"4k4/9/9/9/9/9/9/9/9 b G\t\tnone\n" +
	"4k4/9/4P4/9/9/9/9/9/9 b RS\t5\tthree\n" +
	"g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1\t611\tlong\n"

func runTsume(t *testing.T, b Tsume) ([]TsumeResult, TsumeTotal) {
	t.Helper()
	var err error
	b.Problems, err = tsume.ParseSet([]byte(someProblems), tsume.Reading{})
	require.NoError(t, err)
	b.Memory = 4 << 20
	b.Options.Shortest, b.Options.Composed = true, true
	var results []TsumeResult
	total, err := b.Run(context.Background(), func(r TsumeResult) { results = append(results, r) })
	require.NoError(t, err)
	return results, total
}

func TestTsume(t *testing.T) {
	nodes := tsume.Options{Nodes: 2000}
	results, total := runTsume(t, Tsume{Options: nodes})
	again, same := runTsume(t, Tsume{Options: nodes})
	require.Len(t, results, 4)
	sum := uint64(0)
	for i, r := range results {
		require.Positive(t, r.Nodes)
		require.Positive(t, r.Seconds)
		require.InEpsilon(t, float64(r.Nodes)/r.Seconds, r.PerSecond, 1e-9)
		require.Equal(t, again[i].Nodes, r.Nodes, "%s: one thread searches the same in every run", r.ID)
		require.False(t, r.TimedOut)
		sum += r.Nodes
		results[i].Nodes, results[i].Seconds, results[i].PerSecond, results[i].TableFull = 0, 0, 0, 0
		results[i].Solution = tsume.Solution{}
	}
	require.Equal(t, []TsumeResult{
		{ID: "one", Declared: 1, Answer: "mate", Length: 1, Line: 1, Shortest: true, Composed: 1},
		{ID: "none", Answer: "no mate"},
		{ID: "three", Declared: 5, Answer: "mate", Length: 3, Line: 3, Shortest: true, Composed: 3},
		{ID: "long", Declared: 611, Answer: "unknown"},
	}, results)
	require.Equal(t, sum, total.Nodes)
	require.Equal(t, sum, total.Signature)
	require.Equal(t, total.Signature, same.Signature)
	require.Positive(t, total.TableFull)
	require.InEpsilon(t, float64(sum)/total.Seconds, total.PerSecond, 1e-9)
	total.Nodes, total.Seconds, total.PerSecond, total.TableFull, total.Signature = 0, 0, 0, 0, 0
	require.Equal(t, TsumeTotal{Problems: 4, Mates: 2, NoMates: 1, Unknown: 1, Shortest: 2, AsDeclared: 1}, total)
}

// TestZukoSignature has the nodes of a whole set: a change that is not meant to change
// the search leaves them as they are.
func TestZukoSignature(t *testing.T) {
	set, err := TsumeSet("zuko")
	require.NoError(t, err)
	b := Tsume{Problems: set, Memory: 16 << 20, Options: tsume.Options{Nodes: 10_000}}
	total, err := b.Run(context.Background(), func(TsumeResult) {})
	require.NoError(t, err)
	require.Equal(t, uint64(872255), total.Signature)
}

// TestTsumeSignature has runs that are not the same every time.
func TestTsumeSignature(t *testing.T) {
	results, total := runTsume(t, Tsume{Options: tsume.Options{Time: 20 * time.Millisecond}})
	require.True(t, results[3].TimedOut)
	require.Equal(t, 1, total.Unknown)
	require.Zero(t, total.Signature)
	_, total = runTsume(t, Tsume{Options: tsume.Options{Threads: 2, Nodes: 2000}})
	require.Zero(t, total.Signature)
}

func TestTsumeErrors(t *testing.T) {
	_, err := Tsume{Memory: 1}.Run(context.Background(), nil)
	require.ErrorContains(t, err, "too small")
	set, err := tsume.ParseSet([]byte(someProblems), tsume.Reading{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := 0
	_, err = Tsume{Problems: set, Memory: 1 << 20}.Run(ctx, func(TsumeResult) {
		if done++; done == 3 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 3, done, "what was not finished is not reported")
	_, err = TsumeSet("nosuch")
	require.ErrorContains(t, err, `no set "nosuch"`)
}

// TestTsumeSets looks through the sets that come with the program.
func TestTsumeSets(t *testing.T) {
	lengths := map[string]int{"zuko-100": 611, "zuko-099": 117, "muso-001": 11, "muso-100": 163}
	for _, name := range TsumeSets() {
		set, err := TsumeSet(name)
		require.NoError(t, err)
		require.Len(t, set, 100)
		seen := map[string]bool{}
		for _, entry := range set {
			require.Regexp(t, "^"+name+`-\d{3}$`, entry.ID)
			require.False(t, seen[entry.ID])
			seen[entry.ID] = true
			require.Equal(t, 1, entry.Declared%2, "%s: the attacker has the first move and the last", entry.ID)
			if want, ok := lengths[entry.ID]; ok {
				require.Equal(t, want, entry.Declared)
			}
		}
	}
}

func TestTsumeCSV(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteTsumeHeader(&b))
	require.NoError(t, TsumeResult{
		ID: `a "b", c`, Declared: 5, Answer: "mate", Length: 3, Line: 3, Shortest: true, Composed: 1, Nodes: 1234, Seconds: 0.5, PerSecond: 2468, TableFull: 0.25,
	}.WriteCSV(&b))
	require.NoError(t, TsumeResult{ID: "none", Answer: "no mate", Nodes: 7, Seconds: 1, PerSecond: 7}.WriteCSV(&b))
	records, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	require.Equal(t, [][]string{
		{"id", "declared", "answer", "length", "line", "shortest", "composed", "nodes", "seconds", "nodes_per_second", "table_full"},
		{`a "b", c`, "5", "mate", "3", "3", "true", "1", "1234", "0.5000", "2468", "0.2500"},
		{"none", "", "no mate", "", "", "false", "", "7", "1.0000", "7", "0.0000"},
	}, records)
}

func TestTsumeSeries(t *testing.T) {
	s := TsumeSeries("set", "#123456", []TsumeResult{
		{Answer: "mate", Seconds: 2}, {Answer: "unknown", Seconds: 1}, {Answer: "no mate", Seconds: 0.5}, {Answer: "mate", Seconds: 1e-9},
	})
	require.Equal(t, plot.Series{Name: "set", Color: "#123456", Points: []plot.Point{{X: 1, Y: 1e-4}, {X: 2, Y: 0.5}, {X: 3, Y: 2}}}, s)
	svg, err := TsumePlot([]plot.Series{s}).SVG()
	require.NoError(t, err)
	require.Contains(t, string(svg), "seconds a problem")
}

// requireMate checks a solution by the rules alone: every move is legal, each of
// the attacker's gives check, and at the end the defender has no move.
func requireMate(t *testing.T, p shogi.Position, moves []shogi.Move) {
	t.Helper()
	b := shogi.NewBoard(p)
	attacker := p.Turn()
	for i, m := range moves {
		require.Contains(t, b.AppendMoves(nil), m, "ply %d of %v", i+1, p)
		b.Do(m)
		require.True(t, b.Turn() == attacker || b.InCheck(), "ply %d of %v gives no check", i+1, p)
	}
	require.NotEqual(t, attacker, b.Turn())
	require.Empty(t, b.AppendMoves(nil), "%v is no mate after %d plies", p, len(moves))
}

// TestTsumeLines replays the lines of what is easy in both sets.
func TestTsumeLines(t *testing.T) {
	b := Tsume{Memory: 16 << 20, Options: tsume.Options{Nodes: 10_000}}
	if testing.Short() {
		b.Options.Nodes = 2_000
	}
	for _, name := range TsumeSets() {
		var err error
		b.Problems, err = TsumeSet(name)
		require.NoError(t, err)
		i, lines := 0, 0
		total, err := b.Run(t.Context(), func(r TsumeResult) {
			if s := r.Solution; len(s.Line) > 0 {
				require.LessOrEqual(t, len(s.Line), s.Length)
				requireMate(t, b.Problems[i].Position, slices.Concat(s.Line, s.Tail))
				lines++
			}
			i++
		})
		require.NoError(t, err)
		require.Equal(t, 100, i)
		require.Positive(t, lines, name)
		require.LessOrEqual(t, lines, total.Mates)
	}
}
