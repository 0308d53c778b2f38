package cmd

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/proof"
)

// provenFrom returns what proofs of a game say, which may rest on the database in dir, and the game.
func provenFrom(t *testing.T, spec, dir string, files ...string) (*app.Game, app.Proven) {
	t.Helper()
	c := &cobra.Command{}
	c.SetContext(t.Context())
	name, _, _ := strings.Cut(spec, ":")
	list := plugins{Game(name)}
	g, err := list.open(spec)
	require.NoError(t, err)
	known, err := list.proven(c, g, dir, files, ui.NewProgress(io.Discard, false, true))
	require.NoError(t, err)
	return g, known.(app.Proven)
}

// truths are the values of positions by brute force: by going through all that follow, as far as that takes most plies.
type truths struct {
	g      *app.Game
	most   int
	values map[app.Position]games.Value
}

// value returns the value of a position without its distance, and [games.Unfinished] if most plies do not tell.
func (x *truths) value(p app.Position, ply int) games.Value {
	v, over := x.g.Outcome(p)
	known, ok := x.values[p]
	if !ok {
		known, ok = x.values[x.g.Canonical(p)] // of a database
	}
	if ok || over || ply == x.most {
		switch {
		case ok:
			return known
		case !over:
			return games.Unfinished
		case x.g.ByScore():
			return v
		}
		return v.Result().Value()
	}
	scorer, scored := games.As[games.Scorer[app.Position, app.Move]](x.g.Board)
	best, unknown := games.Lost.Value(), false
	for _, m := range x.g.AppendMoves(nil, p) {
		gain := 0
		if scored {
			gain = scorer.Gain(p, m)
		}
		if after := x.value(x.g.Play(p, m), ply+1); after == games.Unfinished {
			unknown = true
		} else {
			best = max(best, after.Backup(gain))
		}
	}
	if unknown && best != games.Won.Value() {
		best = games.Unfinished
	}
	if x.most < games.MaxPlies {
		return best
	}
	x.values[p] = best
	return best
}

// TestProven compares all that proofs say with databases and with brute force: what a proof says of each position that it
// has, and that it says nothing of others. In Hex it speaks for positions that are no worse than a node.
func TestProven(t *testing.T) {
	for _, c := range []struct {
		prove string // arguments of prove, or of tsume
		game  string // that the proof is about
		root  string // what the proof says of the position that it is about
		db    string // arguments of solve for the database that it rests on
		truth string // and for one that has all; brute force if that is empty
		kinds string // of nodes: see below
		most  int    // plies to look ahead if that is enough
	}{
		{prove: "prove tictactoe", game: "tictactoe", root: "draw", kinds: "or and"},
		{prove: "prove gomoku --size 3x4 --k 3", game: "gomoku:size=3x4,k=3", root: "win", kinds: "or and"},
		{prove: "prove gomoku --size 3x4 --k 3 startpos moves a1", game: "gomoku:size=3x4,k=3", root: "loss", kinds: "or and"},
		{prove: "prove gomoku --size 3x3 --k 3", game: "gomoku:size=3x3,k=3", root: "draw", kinds: "or and certified"},
		{prove: "prove connect4 --size 4x4", game: "connect4:size=4x4", root: "draw", truth: "connect4 --size 4x4", kinds: "or and"},
		{prove: "prove hex --size 3x3", game: "hex:size=3x3", root: "win", kinds: "or and monotone"},
		{prove: "prove othello --size 4x4 --method best-first", game: "othello:size=4x4", root: "-8", kinds: "or and"},
		{prove: "prove othello --size 4x4 --tree tree", game: "othello:size=4x4", root: "-8", kinds: "searched"},
		{prove: "prove awari --stones 5 2,1,0,0,0,1,0,0,0,0,0,1 --method df-pn", game: "awari:stones=5", root: "+5", truth: "awari --stones 5", kinds: "or and"},
		{prove: "prove dobutsu --size 3x3 --method df-pn", game: "dobutsu:size=3x3", root: "win", truth: "dobutsu --size 3x3", kinds: "or and"},
		{prove: "prove checkers --size 4x4 W:WK8,K7:BK1 --method alpha-beta --tree tree", game: "checkers:size=4x4", root: "draw", truth: "checkers --size 4x4 --pieces 3", kinds: "or and ahead"},
		{prove: "prove checkers --size 4x4 --method df-pn W:W7,8:B1 --db base", game: "checkers:size=4x4", root: "win", db: "checkers --size 4x4 --pieces 2", truth: "checkers --size 4x4 --pieces 3", kinds: "or and database"},
		{prove: "tsume 4k4/9/4P4/9/9/9/9/9/9 b RS", game: "shogi:checks=black", root: "win", kinds: "or and", most: 3},
	} {
		t.Run(c.prove, func(t *testing.T) {
			if testing.Short() && c.truth != "" && c.db == "" {
				t.Skip("solves a game to compare with")
			}
			t.Chdir(t.TempDir())
			name, _, _ := strings.Cut(c.game, ":")
			must := func(args string) {
				code, _, stderr := run(args, Game(name))
				require.Equal(t, ui.ExitOK, code, stderr)
			}
			base := ""
			if c.db != "" {
				base = "base"
				must("solve -q " + c.db + " --db base")
			}
			must(c.prove + " -q --proof p.proof")
			g, known := provenFrom(t, c.game, base, "p.proof")
			truth := &truths{g: g, most: games.MaxPlies, values: map[app.Position]games.Value{}}
			if c.most > 0 {
				truth.most = c.most
			}
			if c.truth != "" {
				must("solve -q " + c.truth + " --db truth")
				truth.fill(t, name)
			}
			nodes, kinds := nodesOf(t, g, "p.proof")
			require.Equal(t, c.kinds, kinds)
			for p := range nodes {
				truth.value(p, 0) // and of what follows
			}
			found := 0
			check := func(p app.Position, v games.Value) {
				b, rank := known.Bounds(p)
				require.Equal(t, tells(g, nodes, p), b != games.Unbounded, g.PositionText(p))
				if b == games.Unbounded {
					return
				}
				found++
				require.Positive(t, rank)
				_, err := b.Meet(games.BoundsOf(v))
				require.NoError(t, err, "%s is a %v", g.PositionText(p), v)
			}
			for p, v := range truth.values {
				check(p, v)
			}
			if c.most > 0 {
				for p := range nodes {
					check(p, truth.value(p, 0))
				}
			}
			require.GreaterOrEqual(t, found, len(nodes))
			r, err := proof.NewReader(openedFile(t, "p.proof"))
			require.NoError(t, err)
			root, err := g.ParsePosition(r.Header().Root)
			require.NoError(t, err)
			b, _ := known.Bounds(root)
			require.Equal(t, c.root, b.String())
		})
	}
}

// tells reports whether nodes say something of a position.
func tells(g *app.Game, nodes map[app.Position]proof.Kind, p app.Position) bool {
	if _, ok := nodes[g.Canonical(p)]; ok {
		return true
	}
	m := games.MonotoneOf[app.Position, app.Move](g.Board)
	if m == nil {
		return false
	}
	text := []byte(g.PositionText(p)) // that of the board turned by half a turn is the same backwards
	slices.Reverse(text[:len(text)-len(" x")])
	turned, err := g.ParsePosition(string(text))
	for node, kind := range nodes {
		if games.NoWorse(m, p, node, kind == proof.Or) || err == nil && games.NoWorse(m, turned, node, kind == proof.Or) {
			return true
		}
	}
	return false
}

func openedFile(t *testing.T, name string) io.Reader {
	f, err := os.Open(name)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f
}

// fill takes the values of the database truth.
func (x *truths) fill(t *testing.T, name string) {
	c := &cobra.Command{}
	c.SetContext(t.Context())
	list := plugins{Game(name)}
	part, _, err := list.openDirectory(c, "truth")
	require.NoError(t, err)
	d, err := openDatabase(c, part, "truth")
	require.NoError(t, err)
	u, err := part.Universe()
	require.NoError(t, err)
	for i := range u.Size() {
		p, err := d.Position(i)
		if err != nil {
			continue // a hole
		}
		if v, ok, err := d.Value(p); ok && err == nil {
			x.values[p] = v
		}
	}
	require.NoError(t, d.Close())
}

// nodesOf returns the kinds of the nodes of a proof, by their canonical positions, and which kinds there are.
func nodesOf(t *testing.T, g *app.Game, file string) (nodes map[app.Position]proof.Kind, kinds string) {
	r, err := proof.NewReader(openedFile(t, file))
	require.NoError(t, err)
	nodes, there := map[app.Position]proof.Kind{}, map[string]bool{"monotone": r.Header().Monotone, "database": r.Header().Database != ""}
	for {
		n, _, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		if n == nil || n.Kind == proof.Keeps {
			continue
		}
		there[map[proof.Kind]string{
			proof.Or: "or", proof.And: "and", proof.Certified: "certified", proof.CertifiedReply: "certified", proof.Ahead: "ahead",
			proof.AheadReply: "ahead", proof.Searched: "searched", proof.SearchedReply: "searched",
		}[n.Kind]] = true
		text, _, _ := strings.Cut(string(n.Position), " >=")
		p, err := g.ParsePosition(text)
		require.NoError(t, err)
		nodes[g.Canonical(p)] = n.Kind
	}
	var list []string
	for _, kind := range []string{"or", "and", "certified", "ahead", "searched", "monotone", "database"} {
		if there[kind] {
			list = append(list, kind)
		}
	}
	return nodes, strings.Join(list, " ")
}

// TestProvenTogether has proofs that say something of the same position, and ones that are refused.
func TestProvenTogether(t *testing.T) {
	dir := t.TempDir()
	proven := func(name, args string) string {
		path := filepath.Join(dir, name)
		code, _, stderr := run("prove -q "+args+" --proof "+path, Game("tictactoe"), Game("gomoku"))
		require.Equal(t, ui.ExitOK, code, stderr)
		return path
	}
	start, after := proven("start", "tictactoe"), proven("after", "tictactoe startpos moves a1 b1")
	g, known := provenFrom(t, "tictactoe", "", start, after, start)
	p, err := games.ReadPosition(g.Board, "startpos moves a1 b1")
	require.NoError(t, err)
	for position, want := range map[app.Position]string{g.Start(): "draw", p: "win"} {
		b, _ := known.Bounds(position)
		require.Equal(t, want, b.String())
	}
	_, alone := provenFrom(t, "tictactoe", "", start)
	b, _ := alone.Bounds(p)
	require.NotEqual(t, "win", b.String())
}

// TestProvenPlayed wins by a proof, with hardly a search, against random replies: each move comes nearer to the end.
func TestProvenPlayed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "win.proof")
	const position = "G1l/LGh/2e/E1C b -"
	code, _, stderr := run("prove -q dobutsu "+position+" --method df-pn --proof "+path, Game("dobutsu"))
	require.Equal(t, ui.ExitOK, code, stderr)
	g, known := provenFrom(t, "dobutsu", "", path)
	search, err := g.Search(play.Config[app.Position]{Proofs: known})
	require.NoError(t, err)
	from, err := g.ParsePosition(position)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		p, moves := from, []app.Move(nil)
		for ply := 0; ; ply++ {
			v, over := g.Outcome(p)
			if over {
				require.Equal(t, v.Result() == games.Won, ply%2 == 0, "%v in %s", v, g.PositionText(p))
				break
			}
			list := g.AppendMoves(nil, p)
			m := list[rng.IntN(len(list))]
			if ply%2 == 0 {
				r, err := search.Search(t.Context(), play.Query[app.Position, app.Move]{From: from, Moves: moves, Limits: play.Limits{Depth: 1}, Advised: true})
				require.NoError(t, err)
				m = r.Best().Moves[0]
			}
			moves, p = append(moves, m), g.Play(p, m)
			require.Less(t, ply, 200)
		}
	}
}
