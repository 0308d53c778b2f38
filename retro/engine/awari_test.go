package engine

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/db"
	dbstore "github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/retro/internal/graph"
)

// slamVariants names the rules for grand slams as the table of published counts
// does.
var slamVariants = map[string]string{
	"awari":                   "",
	"slam_nocapture":          "no-capture",
	"slam_capture_mover_rest": "mover-takes-rest",
	"slam_capture_opp_rest":   "opponent-takes-rest",
	"slam_illegal":            "illegal",
}

func openAwari(t *testing.T, slam string, stones int) (*awari.Game, *games.Universe) {
	t.Helper()
	spec := fmt.Sprintf("awari:stones=%d", stones)
	if slam != "" {
		spec = fmt.Sprintf("awari:slam=%s,stones=%d", slam, stones)
	}
	g, err := awari.Family.Open(spec)
	require.NoError(t, err)
	u, err := games.UniverseOf(g)
	require.NoError(t, err)
	return g, u
}

// TestAwari compares counts with published ones: of the literature's rules to 14
// stones and of the other rules for grand slams to 10.
func TestAwari(t *testing.T) {
	if race.Enabled {
		t.Skip("random graphs with scores have all the goroutines")
	}
	file, err := os.Open("testdata/awari_counts.tsv")
	require.NoError(t, err)
	defer file.Close()
	r := csv.NewReader(file)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	require.NoError(t, err)
	number := func(text string) uint64 {
		n, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
		return n
	}
	solved := map[string]*Solution{}
	for variant, slam := range slamVariants {
		stones := 10
		switch {
		case testing.Short():
			stones = 8
		case variant == "awari":
			stones = 14
		}
		_, u := openAwari(t, slam, stones)
		solved[variant], err = analyze(t.Context(), u, Config{})
		require.NoError(t, err)
	}
	compared := 0
	for _, row := range rows[1:] {
		s := solved[row[0]]
		n := int(number(row[1]))
		if n >= len(s.Tiers) {
			continue
		}
		compared++
		got := s.Tiers[n]
		want := map[games.Value]uint64{}
		for _, entry := range strings.Split(row[10], ",") {
			score, count, _ := strings.Cut(entry, ":")
			v, err := strconv.Atoi(score)
			require.NoError(t, err)
			want[games.Score(v)] = number(count)
		}
		require.Equal(t, want, got.Values, "%s, %d stones", row[0], n)
		finished := uint64(0)
		for _, k := range got.Finished {
			finished += k
		}
		require.Equal(t, number(row[6]), finished, "%s, %d stones: finished", row[0], n)
		require.Equal(t, number(row[7]), got.Moves, "%s, %d stones: moves", row[0], n)
		require.Equal(t, number(row[2]), got.Unfinished+finished, "%s, %d stones: positions", row[0], n)
	}
	require.Greater(t, compared, 40)
}

// board is awari on a plain array: the mover's six pits, then the opponent's.
type board [12]int

func (b board) row(side int) (sum int) {
	for _, n := range b[6*side : 6*side+6] {
		sum += n
	}
	return sum
}

// plainMove is a move, what it gains, and the board after it for the opponent.
type plainMove struct {
	gain  int
	after board
}

// plainMoves returns the moves of a board under a rule for grand slams, and the
// value of the board if there are none, by the words of the rules.
func plainMoves(b board, slam string) (moves []plainMove, value int) {
	if b.row(0) == 0 {
		return nil, -b.row(1)
	}
	var starving []plainMove
	for pit := range 6 {
		if b[pit] == 0 {
			continue
		}
		after, at := b, pit
		after[pit] = 0
		for range b[pit] {
			if at = (at + 1) % 12; at == pit {
				at = (at + 1) % 12
			}
			after[at]++
		}
		sown, gain := after, 0
		for ; at > 5 && (after[at] == 2 || after[at] == 3); at-- {
			gain += after[at]
			after[at] = 0
		}
		grandSlam := gain > 0 && after.row(1) == 0
		if grandSlam && slam == "no-capture" {
			after, gain = sown, 0
		}
		var m plainMove
		m.gain = gain
		for i := range after {
			m.after[(i+6)%12] = after[i]
		}
		if after.row(1) > 0 {
			moves = append(moves, m)
			continue
		}
		if grandSlam && slam == "opponent-takes-rest" {
			m.gain -= after.row(0)
			m.after = board{}
		}
		if slam == "" || grandSlam && slam != "illegal" && b.row(1) > 0 {
			starving = append(starving, m)
		}
	}
	if slam != "" || len(moves) == 0 {
		moves = append(moves, starving...)
	}
	if len(moves) == 0 {
		return nil, b.row(0) - b.row(1)
	}
	return moves, 0
}

// TestAwariAgreesWithOracle compares the values of all positions of few stones
// with an oracle that has rules and boards of its own.
func TestAwariAgreesWithOracle(t *testing.T) {
	if race.Enabled {
		t.Skip("random graphs with scores have all the goroutines")
	}
	stones := 6
	if testing.Short() {
		stones = 5
	}
	for _, slam := range slamVariants {
		g, u := openAwari(t, slam, stones)
		s, err := analyze(t.Context(), u, Config{})
		require.NoError(t, err)
		numbers := map[board]uint64{}
		o := &graph.Graph{List: u.Tiers, Edges: make([][]uint64, u.Size()), Gains: make([][]int16, u.Size())}
		for i := range u.Size() {
			p, _ := g.Position(i)
			numbers[board(p.Pits())] = i
		}
		require.Len(t, numbers, int(u.Size()))
		o.Status = make([]games.Value, u.Size())
		for b, i := range numbers {
			moves, value := plainMoves(b, slam)
			o.Status[i] = games.Unfinished
			if len(moves) == 0 {
				o.Status[i] = games.Score(value)
			}
			for _, m := range moves {
				to, ok := numbers[m.after]
				require.True(t, ok)
				o.Edges[i] = append(o.Edges[i], to)
				o.Gains[i] = append(o.Gains[i], int16(m.gain))
			}
		}
		check(t, o, s, o.SolveScores())
	}
}

// TestBestMakesProgress plays from every won position of few stones by
// [db.Prober.Best] against every best reply: no position comes again before
// something is gained.
func TestBestMakesProgress(t *testing.T) {
	if race.Enabled {
		t.Skip("one goroutine probes all positions")
	}
	stones := 5
	if testing.Short() {
		stones = 4
	}
	g, u := openAwari(t, "", stones)
	fs := vfs.NewMem()
	_, _, err := Solve(t.Context(), u, "db", Config{FS: fs})
	require.NoError(t, err)
	d, err := dbstore.Open("db", &dbstore.Options{FS: fs})
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	prober, err := db.NewProber(d, g)
	require.NoError(t, err)

	const onTheWay, done = 1, 2
	state := map[awari.Position]int{} // of positions in which the side that is ahead moves
	var follow func(p awari.Position)
	follow = func(p awari.Position) {
		require.NotEqual(t, onTheWay, state[p], "%v comes again", p.Pits())
		if state[p] == done {
			return
		}
		state[p] = onTheWay
		m, ok, err := prober.Best(t.Context(), p)
		require.NoError(t, err)
		require.True(t, ok)
		moves, err := prober.ProbeMoves(p)
		require.NoError(t, err)
		require.Equal(t, moves[0].Value, m.Value)
		next := g.Play(p, m.Move)
		if _, finished := g.Outcome(next); !finished && g.Gain(p, m.Move) == 0 {
			replies, err := prober.ProbeMoves(next)
			require.NoError(t, err)
			for _, r := range replies {
				after := g.Play(next, r.Move)
				if _, finished := g.Outcome(after); r.Value == replies[0].Value && g.Gain(next, r.Move) == 0 && !finished {
					follow(after)
				}
			}
		}
		state[p] = done
	}
	for i := range u.Size() {
		p, _ := g.Position(i)
		if _, finished := g.Outcome(p); finished {
			continue
		}
		if v, err := prober.Probe(p); err == nil && v > games.Draw {
			follow(p)
		}
	}
	require.Greater(t, len(state), 700)
}
