package bench

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/tsume"
)

// The problem collections that come with the program: Shōgi Zukō (1755) by Itō
// Kanju and Shōgi Musō (1734) by Itō Sōkan, a hundred problems each, with the
// lengths that are handed down.
var (
	//go:embed testdata/zuko.sfen
	zuko []byte
	//go:embed testdata/muso.sfen
	muso []byte
)

// TsumeSet returns the problems of a set that comes with the program: zuko or
// muso.
func TsumeSet(name string) ([]tsume.Entry, error) {
	data, ok := map[string][]byte{"zuko": zuko, "muso": muso}[name]
	if !ok {
		return nil, fmt.Errorf("no set %q: zuko and muso are known, or give a file", name)
	}
	return tsume.Read(name+".sfen", data)
}

// Tsume measures how a set of mate problems is solved, one after the other, each
// with an empty table.
type Tsume struct {
	Problems []tsume.Entry
	// Memory is the size of the table in bytes.
	Memory int64
	// Time is the limit for each problem, 0 for none.
	Time time.Duration
	// Options hold the other limits and what is asked for.
	Options tsume.Options
}

// TsumeResult is what came of a problem.
type TsumeResult struct {
	Entry    tsume.Entry
	Solution tsume.Solution
}

// TsumeTotal is the sum over a set.
type TsumeTotal struct {
	Problems int           `json:"problems"`
	Solved   int           `json:"solved"` // mates and proofs that there is none
	Mates    int           `json:"mates"`
	Nodes    uint64        `json:"nodes"`
	Time     time.Duration `json:"nanoseconds"`
	// Full is how full the table was at most, from 0 to 1.
	Full float64 `json:"full"`
	// Solves are the times of those that were solved, in ascending order.
	Solves []time.Duration `json:"-"`
}

// NodesPerSecond returns the speed.
func (t *TsumeTotal) NodesPerSecond() float64 {
	return float64(t.Nodes) / max(t.Time.Seconds(), 1e-9)
}

// Run solves the problems and calls each for every result as it comes. With one
// thread, no limit of time and enough memory, the number of nodes in the total
// is a signature of the search: it is the same in every run on every machine.
func (b *Tsume) Run(ctx context.Context, each func(TsumeResult) error) (TsumeTotal, error) {
	var total TsumeTotal
	table, err := dfpn.NewTable(b.Memory)
	if err != nil {
		return total, err
	}
	for _, e := range b.Problems {
		s, err := b.solve(ctx, e, table)
		if err != nil {
			return total, fmt.Errorf("%s: %w", e.Name, err)
		}
		if err := ctx.Err(); err != nil {
			return total, err
		}
		total.add(&s)
		if err := each(TsumeResult{e, s}); err != nil {
			return total, err
		}
	}
	slices.Sort(total.Solves)
	return total, nil
}

func (b *Tsume) solve(ctx context.Context, e tsume.Entry, table *dfpn.Table) (tsume.Solution, error) {
	table.Clear()
	if b.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Time)
		defer cancel()
	}
	return tsume.Solve(ctx, e.Problem, table, b.Options)
}

func (t *TsumeTotal) add(s *tsume.Solution) {
	t.Problems++
	t.Nodes += s.Nodes
	t.Time += s.Time
	t.Full = max(t.Full, s.Full)
	if s.Outcome == dfpn.Unknown {
		return
	}
	t.Solved++
	if s.Outcome == dfpn.Proven {
		t.Mates++
	}
	t.Solves = append(t.Solves, s.Time)
}

// Cactus returns the cactus plot of a set: how many problems were solved within
// how many seconds each.
func (t *TsumeTotal) Cactus(title string) Plot {
	points := make([]Point, 0, len(t.Solves))
	for i, d := range t.Solves {
		points = append(points, Point{X: float64(i + 1), Y: max(d.Seconds(), 1e-4)})
	}
	return Plot{
		Title: title, X: "problems solved", Y: "seconds for each", LogY: true,
		Series: []Series{{Name: "yomikiri", Color: "#1f77b4", Points: points}},
	}
}
