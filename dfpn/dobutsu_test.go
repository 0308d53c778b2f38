package dfpn_test

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/dobutsu"
)

var (
	dobutsuDatabase = flag.String("dobutsu", "", "database of dobutsu from which TestDobutsuValues takes positions")
	dobutsuSample   = flag.Int("positions", 400, "how many positions it takes from there")
	dobutsuNodes    = flag.Uint64("nodes", 1500, "nodes of each search of TestDobutsuValues")
	updateDobutsu   = flag.Bool("update", false, "write the positions taken from the database to testdata/dobutsu.tsv")
)

// dobutsuValue is a position of Dōbutsu shōgi with its value.
type dobutsuValue struct {
	position dobutsu.Position
	value    games.Result
	text     string
}

// TestDobutsuValues compares searches of Dōbutsu shōgi with values from retrograde
// analysis: can either side force a win? Searches have a limit of nodes; those that end
// before it must agree. The positions are those of testdata, or others from a database.
//
//	yomikiri solve dobutsu --db dobutsu.db
//	go test ./dfpn -run TestDobutsuValues -dobutsu dobutsu.db -positions 20000 -nodes 100000
//	go test ./dfpn -run TestDobutsuValues -dobutsu dobutsu.db -update
func TestDobutsuValues(t *testing.T) {
	const file = "testdata/dobutsu.tsv"
	g := dobutsu.New()
	var sample []dobutsuValue
	if *dobutsuDatabase != "" {
		sample = probeDobutsu(t, g, *dobutsuDatabase, *dobutsuSample)
		if *updateDobutsu {
			var b strings.Builder
			for _, s := range sample {
				b.WriteString(s.text + "\n")
			}
			require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
		}
	} else {
		sample = readDobutsu(t, g, file)
	}
	if testing.Short() {
		sample = sample[:len(sample)/10]
	}
	tables := map[bool]*dfpn.Table{}
	for _, or := range []bool{true, false} {
		table, err := dfpn.NewFixedTable(1 << 22)
		require.NoError(t, err)
		tables[or] = table
	}
	tiny, err := dfpn.NewFixedTable(1 << 14)
	require.NoError(t, err)
	decided, proven := map[games.Result]int{}, 0
	for i, s := range sample {
		for _, or := range []bool{true, false} {
			table := tables[or]
			if i%4 == 0 {
				table = tiny
			}
			table.Clear()
			config := dfpn.Config{Threads: 1, Nodes: *dobutsuNodes}
			if i%8 == 1 {
				config.Threads = 4
			}
			r, err := dfpn.Solve(t.Context(), table, func() dfpn.Cursor { return newGameCursor(g, s.position, or) }, config)
			require.NoError(t, err)
			if r.Outcome == dfpn.Unknown {
				continue
			}
			decided[s.value]++
			wins := or && s.value == games.Won || !or && s.value == games.Lost
			if wins {
				proven++
			}
			require.Equal(t, wins, r.Outcome == dfpn.Proven, "%s, the attacker to move: %v", s.text, or)
		}
	}
	t.Logf("%d positions, two searches each: decided %v, of which %d wins", len(sample), decided, proven)
	require.Greater(t, proven, len(sample)/8)
}

// probeDobutsu takes random positions from a database, draws more often than they
// occur.
func probeDobutsu(t *testing.T, g *dobutsu.Game, dir string, count int) (sample []dobutsuValue) {
	d, err := store.Open(dir, nil)
	require.NoError(t, err)
	defer d.Close()
	tiers := g.Tiers()
	last := tiers[len(tiers)-1]
	rng := rand.New(rand.NewPCG(5, 5))
	for len(sample) < count {
		index := rng.Uint64N(last.Start + last.Open)
		v, held, err := d.Value(index)
		require.NoError(t, err)
		p, ok := g.Position(index)
		if !held || !ok || v.Result() != games.Drawn && len(sample)%4 == 0 {
			continue
		}
		if _, finished := g.Outcome(p); finished {
			continue
		}
		sample = append(sample, dobutsuValue{p, v.Result(), fmt.Sprintf("%s\t%v", g.AppendPosition(nil, p), v.Result())})
	}
	return sample
}

func readDobutsu(t *testing.T, g *dobutsu.Game, name string) (sample []dobutsuValue) {
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	results := map[string]games.Result{}
	for _, r := range []games.Result{games.Won, games.Drawn, games.Lost} {
		results[r.String()] = r
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		text, value, _ := strings.Cut(lines.Text(), "\t")
		p, err := g.ParsePosition(text)
		require.NoError(t, err)
		result, ok := results[value]
		require.True(t, ok, "%q", value)
		sample = append(sample, dobutsuValue{p, result, lines.Text()})
	}
	require.NotEmpty(t, sample)
	return sample
}
