package plain_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof/plain"
)

// against compares the plain rules of a game with those of package games/*, along random games
// from its start or from positions given.
type against struct {
	positions, finished, images, texts, wrong int
}

// follow plays a random game by both rules.
func follow[P, M comparable](t *testing.T, c *against, g games.Game[P, M], rng *rand.Rand, start P, plies int) {
	second, err := plain.Open(g.Name())
	if rules := games.RulesTextOf(g); rules != "" {
		second, err = plain.OpenVariant(g.Name(), rules)
	}
	require.NoError(t, err)
	points, scored := second.Rules.(plain.Points)
	require.Equal(t, scored, games.OrderOf(g) == games.ByScore, g.Name())
	require.Equal(t, second.Monotone, games.MonotoneOf(g) != nil, g.Name())
	canonical := func(p P) P { return p }
	if has, ok := g.(games.Canonicalizer[P]); ok {
		canonical = has.Canonical
	}
	text := func(p P) string { return string(g.AppendPosition(nil, p)) }
	parse := func(p P) plain.Position {
		q, err := second.Parse(text(p))
		require.NoError(t, err, "%s %s", g.Name(), text(p))
		require.Equal(t, text(p), second.Format(q))
		return q
	}
	for p := start; plies > 0; plies-- {
		q := parse(p)
		c.positions++
		at := g.Name() + " " + text(p)
		// What is spelled a little differently is a position for both or for neither.
		for range 3 {
			mutant := mutated(rng, text(p))
			read, err := g.ParsePosition(mutant)
			right := err == nil && text(read) == mutant
			_, err = second.Parse(mutant)
			require.Equal(t, right, err == nil, "%s %q: %v", g.Name(), mutant, err)
			c.texts++
			if !right {
				c.wrong++
			}
		}
		v, finished := g.Outcome(p)
		result, over := second.Result(q)
		require.Equal(t, finished, over, at)
		if finished {
			c.finished++
			if want := int(v.Result()); scored {
				require.EqualValues(t, v, result, at)
			} else {
				require.Equal(t, want, result, at)
			}
			return
		}
		if scored {
			require.Equal(t, g.(games.Scorer[P, M]).Remaining(p), points.Left(q), at)
		}
		moves := g.AppendMoves(nil, p)
		numbers := map[string]plain.Move{}
		for _, m := range second.Moves(q) {
			numbers[second.Text(q, m)] = m
		}
		require.Len(t, numbers, len(moves), at)
		type reached struct {
			first  P
			second plain.Position
		}
		var all []reached
		for _, m := range moves {
			name := string(g.AppendMove(nil, p, m))
			n, ok := numbers[name]
			require.True(t, ok, "%s: %s", at, name)
			after, second2 := g.Play(p, m), second.Play(q, n)
			require.Equal(t, text(after), second.Format(second2), "%s: %s", at, name)
			require.Equal(t, parse(after), second2, "%s: %s", at, name)
			if scored {
				require.Equal(t, g.(games.Scorer[P, M]).Gain(p, m), points.Gain(q, n), "%s: %s", at, name)
			}
			if _, finished := g.Outcome(after); !finished {
				all = append(all, reached{canonical(after), second.Canonical(second2)})
				require.Equal(t, second.Canonical(second2), second.Canonical(parse(canonical(after))), "%s: %s", at, name)
			}
		}
		for i, a := range all {
			for _, b := range all[:i] {
				if a.first == b.first {
					c.images++
				}
				if a.first == b.first != (a.second == b.second) {
					require.Fail(t, "images", "%s: %v %v", at, a.second, b.second)
				}
			}
		}
		p = g.Play(p, moves[rng.IntN(len(moves))])
	}
}

const letters = " +-.,/:*0123456789KklLeEgGcCxXoObBwWpPnNsSrRH"

// mutated changes something in a text.
func mutated(rng *rand.Rand, text string) string {
	b := []byte(text)
	for range 1 + rng.IntN(3) {
		i, j := rng.IntN(len(b)), rng.IntN(len(b))
		switch rng.IntN(5) {
		case 0:
			b[i], b[j] = b[j], b[i]
		case 1:
			b[i] = b[j]
		case 2:
			b = slices.Insert(b, i, b[j])
		case 3:
			if len(b) > 1 {
				b = slices.Delete(b, i, i+1)
			}
		default:
			b[i] = letters[rng.IntN(len(letters))]
		}
	}
	return string(b)
}

// opened adapts a family to the test: a start for each of its games.
func opened[G games.Game[P, M], P, M comparable](family *games.Family[G]) func(t *testing.T, name string, rng *rand.Rand, plays, plies int, starts ...string) against {
	return func(t *testing.T, name string, rng *rand.Rand, plays, plies int, starts ...string) (c against) {
		g, err := family.Open(name)
		require.NoError(t, err)
		start := []P{g.Start()}
		for _, text := range starts {
			p, err := g.ParsePosition(text)
			require.NoError(t, err)
			start = append(start, p)
		}
		for n := range plays {
			follow(t, &c, games.Game[P, M](g), rng, start[n%len(start)], plies)
		}
		return c
	}
}

// TestRules compares the rules of each game with those of its package, by random play.
func TestRules(t *testing.T) {
	tsume := []string{
		"6kp1/8n/5R1L1/4+b2sB/6N2/9/6L2/9/9 b 2P", "4k4/9/4P4/9/9/9/9/9/9 b Grb3g4s4n4l17p",
		"4K4/9/9/4n4/9/9/4k4/9/9 w 2r2b4g4s3n4l18p", "lnsgk2nl/1r4gs1/p1pppp1pp/1p4p2/7P1/2P6/PP1PPPP1P/1SG4R1/LN2KGSNL b Bb",
		"1+n1sk2+s+n/+l6g1/4P1g+p+l/4+n+l+p1r/1+s+l1b+p1+n1/7+p1/+p2g4b/+p+p+p4+p+s/6+p2 b G",
	}
	type play = func(t *testing.T, name string, rng *rand.Rand, plays, plies int, starts ...string) against
	for _, c := range []struct {
		play   play
		names  []string
		plays  int
		plies  int
		starts []string
	}{
		{opened(gomoku.Family), []string{"gomoku:size=3x3,k=3", "gomoku:size=4x6,k=4", "gomoku:size=6x6,k=4,rule=exact", "gomoku:size=2x5,k=3", "gomoku:size=12x3", "gomoku"}, 12, 36, nil},
		{opened(tictactoe.Family), []string{"tictactoe"}, 60, 9, nil},
		{opened(connect4.Family), []string{"connect4", "connect4:size=4x4", "connect4:size=2x9", "connect4:size=5x3"}, 40, 60, nil},
		{opened(hex.Family), []string{"hex:size=3x3", "hex:size=4x4,swap=yes", "hex:size=3x3,swap=yes", "hex:size=6x6", "hex", "hex:swap=yes"}, 8, 130, nil},
		{opened(othello.Family), []string{"othello:size=4x4", "othello:size=4x6", "othello:size=6x4,empty=winner", "othello:size=6x6,empty=winner", "othello:size=4x8", "othello:size=8x6", "othello"}, 20, 80, nil},
		{opened(checkers.Family), []string{"checkers", "checkers:size=6x6", "checkers:size=4x4", "checkers:size=6x6,pieces=5", "checkers:pieces=8"}, 20, 120,
			nil},
		{opened(dobutsu.Family), []string{"dobutsu", "dobutsu:size=3x3", "dobutsu:size=5x3,try=no", "dobutsu:size=6x3,drops=none", "dobutsu:drops=near-chick", "dobutsu:drops=none,try=no"}, 60, 60, nil},
		{opened(shogi.Family), []string{"shogi", "shogi:checks=black", "shogi:checks=white"}, 16, 25, tsume},
		{opened(awari.Family), []string{"awari", "awari:slam=no-capture", "awari:slam=mover-takes-rest,stones=12", "awari:slam=opponent-takes-rest,stones=16", "awari:slam=illegal,stones=10",
			"awari:stones=7", "awari:slam=opponent-takes-rest,stones=6", "awari:slam=no-capture,stones=8"}, 24, 60, nil},
	} {
		for n, name := range c.names {
			plays := c.plays
			if testing.Short() {
				plays = (plays + 7) / 8
			}
			rng := rand.New(rand.NewPCG(58, uint64(n)))
			got := c.play(t, name, rng, plays, c.plies, c.starts...)
			t.Logf("%-40s %+v", name, got)
			require.Positive(t, got.positions, name)
			require.Positive(t, got.wrong, name)
		}
	}
}

// perft counts the lines of some plies.
func perft(g *plain.Game, p plain.Position, plies int) (n int) {
	if plies == 0 {
		return 1
	}
	if _, over := g.Result(p); over {
		return 0
	}
	for _, m := range g.Moves(p) {
		n += perft(g, g.Play(p, m), plies-1)
	}
	return n
}

// TestPerft has published counts of lines.
func TestPerft(t *testing.T) {
	for _, c := range []struct {
		game, start string
		counts      []int
	}{
		{"shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -", []int{30, 900, 25470}},
		{"shogi", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p", []int{207, 28684}},
		{"checkers", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12", []int{7, 49, 302, 1469, 7361, 36768}},
		{"othello", "---------------------------OX------XO--------------------------- X", []int{4, 12, 56, 244, 1396, 8200}},
		{"connect4", "......./......./......./......./......./.......", []int{7, 49, 343, 2401, 16807}},
		{"tictactoe", ".../.../...", []int{9, 72, 504, 3024, 15120, 54720}},
	} {
		g, err := plain.Open(c.game)
		require.NoError(t, err)
		p, err := g.Parse(c.start)
		require.NoError(t, err)
		for i, want := range c.counts {
			if testing.Short() && want > 20000 && c.game != "shogi" {
				break
			}
			require.Equal(t, want, perft(g, p, i+1), fmt.Sprintf("%s, %d plies", c.game, i+1))
		}
	}
}
