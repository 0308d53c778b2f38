package alphabeta

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/internal/cpu"
)

var (
	endings    = flag.String("endings", "", "databases of checkers, with commas between: endings with more pieces are searched over none and over each")
	board      = flag.Int("board", 8, "rows and columns of the board of -endings")
	fromPieces = flag.Int("pieces", 7, "least pieces of the positions of -endings, which have up to two more")
	endingRuns = flag.Int("runs", 3, "how often -endings does so")
	endingMost = flag.Uint64("nodes", 1_000_000, "most nodes of each search of -endings")
)

// randomEnding returns a position of checkers in which both sides have as many pieces, or Black has one more.
func randomEnding(rng *rand.Rand, board, pieces int) string {
	var sides [2][]string // Black, White
	squares, row := board*board/2, board/2
	for i, at := range rng.Perm(squares)[:pieces] {
		side, king := i%2, ""
		if rng.IntN(2) == 0 || side == 0 && at >= squares-row || side == 1 && at < row {
			king = "K"
		}
		sides[side] = append(sides[side], fmt.Sprintf("%s%d", king, at+1))
	}
	return fmt.Sprintf("%c:W%s:B%s", "BW"[rng.IntN(2)], strings.Join(sides[1], ","), strings.Join(sides[0], ","))
}

// endingCost is what a set of searches took.
type endingCost struct {
	proven, bounded int
	nodes, probes   uint64
	cpu             time.Duration
}

func (c *endingCost) add(r *Result[checkers.Move], took time.Duration) {
	switch {
	case r.Known():
		c.proven++
	case r.Lower > games.Lost || r.Upper < games.Won:
		c.bounded++
	}
	c.nodes, c.probes, c.cpu = c.nodes+r.Nodes, c.probes+r.Probes, c.cpu+took
}

// TestEndings compares what searches of random endings take over several databases, each of which is opened anew
// for each run, and requires that all agree.
func TestEndings(t *testing.T) {
	if *endings == "" {
		t.Skip("needs -endings, databases of yomikiri solve checkers --pieces N")
	}
	g, err := checkers.Family.Open(fmt.Sprintf("checkers:size=%dx%d", *board, *board))
	require.NoError(t, err)
	var list []checkers.Position
	for rng := rand.New(rand.NewPCG(1, 2)); len(list) < 36; {
		p, err := g.ParsePosition(randomEnding(rng, *board, *fromPieces+len(list)%3))
		require.NoError(t, err)
		if _, finished := g.Outcome(p); !finished {
			list = append(list, p)
		}
	}
	names := append([]string{""}, strings.Split(*endings, ",")...)
	for run := range *endingRuns {
		overs, searchers := make([]*db.DB, len(names)), make([]*Searcher[checkers.Position, checkers.Move], len(names))
		for i, name := range names {
			cfg := Config[checkers.Position]{Nodes: *endingMost}
			if name != "" {
				overs[i], cfg.Database = openEnding(t, name)
			}
			searchers[i], err = New(g, cfg)
			require.NoError(t, err)
		}
		costs, both := make([]endingCost, len(names)), make([]endingCost, len(names)) // of all positions, of those that all have proven
		for _, p := range list {
			results, took := make([]Result[checkers.Move], len(names)), make([]time.Duration, len(names))
			lower, upper, all := games.Lost, games.Won, true
			for i, s := range searchers {
				before := cpu.Time()
				results[i], err = s.Search(context.Background(), p)
				took[i] = cpu.Time() - before
				require.NoError(t, err)
				costs[i].add(&results[i], took[i])
				lower, upper, all = max(lower, results[i].Lower), min(upper, results[i].Upper), all && results[i].Known()
			}
			require.LessOrEqual(t, lower, upper, "%s", g.AppendPosition(nil, p))
			for i := range names {
				if all {
					both[i].add(&results[i], took[i])
				}
			}
		}
		for i, name := range names {
			read := uint64(0)
			if overs[i] != nil {
				read = overs[i].BlocksRead()
			}
			c, b := costs[i], both[i]
			t.Logf("run %d, %-24q: %d proven, %d bounded, %11d nodes, %10d probes, %8d blocks read, %8.2f CPU s; of the %d that all prove %9d nodes, %7.2f CPU s",
				run+1, name, c.proven, c.bounded, c.nodes, c.probes, read, c.cpu.Seconds(), b.proven, b.nodes, b.cpu.Seconds())
		}
	}
}

// openEnding opens a database of checkers for searches.
func openEnding(t *testing.T, dir string) (*db.DB, *db.Endgame[checkers.Position]) {
	d, part := openEndings(t, dir)
	p, err := db.NewProber(d, part)
	require.NoError(t, err)
	return d, db.NewEndgame(p)
}
