package bench

import (
	"context"
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/internal/plot"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// Tsume solves the problems of a set one after the other, each with an empty
// table.
type Tsume struct {
	Problems []tsume.Entry
	// Options are the options for each problem.
	Options tsume.Options
	// Memory is the size of the table in bytes.
	Memory int64
}

// TsumeResult is the result of a problem.
type TsumeResult struct {
	ID        string  `json:"id,omitempty"`
	Declared  int     `json:"declared,omitempty"` // plies, according to the set
	Answer    string  `json:"answer"`             // mate, no mate, or unknown
	Length    int     `json:"length,omitempty"`   // plies of the mate found
	Shortest  bool    `json:"shortest,omitempty"` // no mate is shorter
	Line      int     `json:"line,omitempty"`     // plies of the line of play
	Composed  int     `json:"composed,omitempty"` // plies as composers count, see [tsume.Solution]
	Nodes     uint64  `json:"nodes"`
	Seconds   float64 `json:"seconds"`
	PerSecond float64 `json:"nodes_per_second"`
	TableFull float64 `json:"table_full"` // from 0 to 1
	// TimedOut reports that the time limit ended the search, which makes the number
	// of nodes unrepeatable.
	TimedOut bool           `json:"timed_out,omitempty"`
	Solution tsume.Solution `json:"-"`
}

// AsDeclared reports whether the line, or the mate as composers count, has the declared
// length.
func (r TsumeResult) AsDeclared() bool {
	return r.Declared > 0 && (r.Declared == r.Line || r.Declared == r.Composed)
}

// TsumeTotal is the result of a set.
type TsumeTotal struct {
	Problems int `json:"problems"`
	Mates    int `json:"mates"`
	NoMates  int `json:"no_mates"`
	Unknown  int `json:"unknown"`
	Shortest int `json:"shortest"` // mates proven to be the shortest
	// AsDeclared is how many mates have a line of the declared length, or have that
	// length as composers count.
	AsDeclared int     `json:"as_declared"`
	Nodes      uint64  `json:"nodes"`
	Seconds    float64 `json:"seconds"`
	PerSecond  float64 `json:"nodes_per_second"`
	TableFull  float64 `json:"table_full"` // of the problem that filled it most
	// Signature is the number of nodes of the whole set if it is repeatable: on one
	// thread, with no search ended by the clock. It changes with the search, the
	// limits and the size of the table.
	Signature uint64 `json:"signature,omitempty"`
}

//go:embed testdata/zuko.sfen testdata/muso.sfen
var tsumeSets embed.FS

// TsumeSets returns the names of the sets that come with the program: zuko (Itō
// Kanju's Shōgi Zukō of 1755) and muso (Itō Sōkan's Shōgi Musō of 1734), a hundred
// problems each, both in the public domain. Their lengths are as handed down, and
// some of them are wrong.
func TsumeSets() []string { return []string{"zuko", "muso"} }

// TsumeSet returns a set that comes with the program.
func TsumeSet(name string) ([]tsume.Entry, error) {
	if !slices.Contains(TsumeSets(), name) {
		return nil, fmt.Errorf("no set %q", name)
	}
	data, err := tsumeSets.ReadFile("testdata/" + name + ".sfen")
	if err != nil {
		return nil, err
	}
	return tsume.ParseSet(data, tsume.Reading{})
}

// The answers of a solution.
const (
	mate   = "mate"
	noMate = "no mate"
)

// Answer returns the answer of a solution: mate, no mate, or unknown.
func Answer(s tsume.Solution) string {
	return map[dfpn.Outcome]string{dfpn.Proven: mate, dfpn.Disproven: noMate, dfpn.Unknown: "unknown"}[s.Outcome]
}

// Run solves the problems and calls report with each result. If ctx ends first, it
// returns the error of ctx.
func (b Tsume) Run(ctx context.Context, report func(TsumeResult)) (TsumeTotal, error) {
	total := TsumeTotal{Problems: len(b.Problems)}
	same := b.Options.Threads <= 1
	var spent time.Duration
	err := tsume.Each(ctx, slices.Values(b.Problems), 1, b.Memory, func(ctx context.Context, e tsume.Entry, table *dfpn.Table) (tsume.Solution, error) {
		s, err := tsume.Solve(ctx, e.Problem, table, b.Options)
		if err != nil {
			err = fmt.Errorf("%s: %w", e.ID, err)
		}
		return s, err
	}, func(entry tsume.Entry, s tsume.Solution) error {
		r := TsumeResult{
			ID: entry.ID, Declared: entry.Declared, Answer: Answer(s), Length: s.Length, Shortest: s.Shortest,
			Line: len(s.Line), Composed: s.Composed, Nodes: s.Nodes, Seconds: s.Time.Seconds(), PerSecond: float64(s.Nodes) / s.Time.Seconds(),
			TableFull: s.Full, TimedOut: s.TimedOut, Solution: s,
		}
		switch s.Outcome {
		case dfpn.Proven:
			total.Mates++
			if s.Shortest {
				total.Shortest++
			}
			if r.AsDeclared() {
				total.AsDeclared++
			}
		case dfpn.Disproven:
			total.NoMates++
		default:
			total.Unknown++
		}
		same = same && !s.TimedOut
		total.Nodes += s.Nodes
		total.TableFull = max(total.TableFull, s.Full)
		spent += s.Time
		report(r)
		return nil
	})
	if err != nil {
		return TsumeTotal{}, err
	}
	if total.Seconds = spent.Seconds(); total.Seconds > 0 {
		total.PerSecond = float64(total.Nodes) / total.Seconds
	}
	if same {
		total.Signature = total.Nodes
	}
	return total, nil
}

// tsumeColumns are the columns of a table of results.
var tsumeColumns = []string{"id", "declared", "answer", "length", "line", "shortest", "composed", "nodes", "seconds", "nodes_per_second", "table_full"}

// WriteTsumeHeader writes the line with the names of the columns.
func WriteTsumeHeader(w io.Writer) error { return writeCSV(w, tsumeColumns) }

// WriteCSV writes the result as a line of comma-separated values.
func (r TsumeResult) WriteCSV(w io.Writer) error {
	plies := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	return writeCSV(w, []string{
		r.ID, plies(r.Declared), r.Answer, plies(r.Length), plies(r.Line), strconv.FormatBool(r.Shortest), plies(r.Composed),
		strconv.FormatUint(r.Nodes, 10), fmt.Sprintf("%.4f", r.Seconds), fmt.Sprintf("%.0f", r.PerSecond), fmt.Sprintf("%.4f", r.TableFull),
	})
}

func writeCSV(w io.Writer, fields []string) error {
	return csv.NewWriter(w).WriteAll([][]string{fields})
}

// TsumeSeries returns the results of a set for a cactus plot: the number of problems
// solved within a time each.
func TsumeSeries(name, color string, results []TsumeResult) plot.Series {
	var seconds []float64
	for _, r := range results {
		if r.Answer != "unknown" {
			seconds = append(seconds, max(r.Seconds, shortestTime))
		}
	}
	slices.Sort(seconds)
	s := plot.Series{Name: name, Color: color}
	for i, x := range seconds {
		s.Points = append(s.Points, plot.Point{X: float64(i + 1), Y: x})
	}
	return s
}

// shortestTime is the shortest time, in seconds, that a plot shows.
const shortestTime = 1e-4

// TsumePlot draws series of [TsumeSeries].
func TsumePlot(series []plot.Series) *plot.Plot {
	return &plot.Plot{Title: "Problems solved", X: "problems", Y: "seconds a problem", LogY: true, Series: series}
}
