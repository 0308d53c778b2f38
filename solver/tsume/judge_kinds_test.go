//go:build !race

package tsume_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// judgedKinds are problems with an intended line for each kind of fault, and for both grades
// where a kind has two.
var judgedKinds = []judgedKind{
	{"5+P1k1/9/6P+Lp/9/9/9/9/7K1/9 b 2gsn3p", "3c3b+ 2a1a 3b2b", "unsound: cook at 0"},
	{"6l1k/6l2/7+N1/6+ppp/9/9/9/9/9 b L2Pnp", "P*1b 1a2a L*2b", "unsound: cook at 0"},
	{"5l2k/5l3/5p1+S1/6ppp/9/9/9/9/9 b 2LP", "L*1b 1a2a P*2b 2a3a 2b2a+ 3a2a 1b1a+ 2a3a L*3c", "unsound: cook at 0"},
	{"4l2k1/4l4/4p1L+P1/5pp1p/9/9/9/9/9 b Pp", "3c3b+ 2a1a 3b2b", "blemish: detour at 0"},
	{"4l2k1/4l4/4p1L+P1/5ppp1/9/9/9/9/9 b Pp", "3c3b+ 2a1a 3b2b", "blemish: detour at 0"},
	{"4l1k2/4l4/4p1G1G/5pppp/9/9/9/9/9 b Pp", "1c2b 3a4a 3c3b", "blemish: detour at 0"},
	{"6l1k/6l2/7+N1/6+ppp/9/9/9/9/9 b L2Pnp", "L*1c N*1b 1c1b+", "remark: equal defence with pieces left at 1"},
	{"6l1k/6l2/6p+N1/6+ppp/9/9/9/9/9 b LPnp", "L*1c N*1b 2c1b", "remark: equal defence with pieces left at 1"},
	{"6l1k/6l2/7+N1/6+ppp/9/9/9/9/9 b LPn2p", "L*1c N*1b 1c1b+", "remark: equal defence with pieces left at 1"},
	{"5p2k/7Pp/6+S2/8N/9/9/9/9/9 b Pgs", "2b2a+ 1a2a P*2b 2a3a 2b2a+ 3a2a 1d2b+", "blemish: equal defence at 3"},
	{"5p2k/7Pp/6S2/8N/9/9/9/9/9 b Pgs", "2b2a+ 1a2a P*2b 2a3a 2b2a+ 3a2a 1d2b+", "blemish: equal defence at 3"},
	{"6+L1k/9/5+SG2/7pp/9/9/3K5/9/9 b gnlp", "3a2a 1a2a 4c3b 2a1a 3c2b", "blemish: equal defence at 1"},
	{"6+P1k/5+L3/6+P1p/9/9/9/9/7K1/9 b 2gsn3p", "3a2a 1a2a 4b3b 2a1a 3b2b", "remark: equal defence at 3"},
	{"7k1/5+L3/6+P1p/9/9/9/9/7K1/9 b 2gsn4p", "4b3b 2a1b 3b2b", "remark: equal defence at 1"},
	{"6l1k/6l2/6p+N1/6+ppp/9/9/9/9/9 b Ln2p", "L*1c N*1b 2c1b", "remark: equal defence at 1"},
	{"5lg1k/5l3/7+N1/5pppp/9/9/9/9/9 b Lnp", "L*1c N*1b 1c1b+", "blemish: futile interposition at 1"},
	{"6l1k/6l2/7+N1/6+ppp/9/9/9/9/9 b L2Pnp", "L*1c N*1b 1c1b+", "blemish: futile interposition at 1"},
	{"6l1k/6l2/6p+N1/6+ppp/9/9/9/9/9 b Ln2p", "L*1c N*1b 2c1b", "blemish: futile interposition at 1"},
	{"4l2k1/4l4/4p1L+P1/5pp1p/9/9/9/9/9 b Pp", "P*2b 2a1a 2b2a+ 1a2a 3c3b+ 2a1a 2c2b", "blemish: last move at 6"},
	{"6l1k/6l2/7+N1/6+ppp/9/9/9/9/9 b L2Pnp", "P*1b 1a2a L*2b", "blemish: last move at 2"},
	{"8k/7P1/5+N1G1/9/9/9/9/9/9 b 2rn4p", "2b2a+ 1a2a 4c3b 2a1a 2c2b", "blemish: last move at 4"},
	{"4l2k1/4lG3/4p1G2/5pppp/9/9/9/9/9 b Pp", "4b3b 2a1a 3c2b", "blemish: longer defence with pieces left at 1"},
	{"4l3k/4l2P1/4p1G2/5pppp/9/9/9/9/9 b Gp", "2b2a+ 1a2a G*2b", "blemish: longer defence with pieces left at 1"},
	{"5l2k/5l3/5p1+S1/6ppp/9/9/9/9/9 b LPl", "L*1c L*1b 1c1b+", "blemish: longer defence with pieces left at 1"},
	{"7k1/9/6P+Lp/9/9/9/9/7K1/9 b 2P2gsn2p", "P*2b 2a3a 2c3b", "unsound: longer defence with pieces left at 1"},
	{"5l2k/5l3/5p1+S1/6ppp/9/9/9/9/9 b 2LP", "P*1b 1a2a 1b1a+ 2a3a L*3c", "unsound: longer defence with pieces left at 3"},
	{"7k1/9/6P+Lp/9/9/9/9/7K1/9 b 2P2gsn2p", "P*2b 2a1a 2b2a+ 1a2a P*2b 2a3a 2c3b", "unsound: longer defence at 5"},
	{"5l1k1/5l2L/5p1+N1/6ppp/9/9/9/9/9 b Lp", "1b1a+ 2a3a L*3b", "unsound: longer defence at 1"},
	{"5l2k/5l3/5p1+N1/6ppp/9/9/9/9/9 b Llp", "L*1c L*1b 2c1b", "unsound: longer defence at 1"},
	// The interposition is shorter than the line, which goes on with a mate that is too long.
	{"9/9/9/5l3/9/PPP6/1+n1P5/3L5/2KL5 w Gl", "L*7g G*7h 7g7h 7i8i G*8h", "blemish: futile interposition at 1"},
	{"5G1k1/7pp/6P2/9/9/9/9/9/9 b G2Pgn", "3c3b+ 2a1a G*2a", "unsound: no mate at 1"},
	{"9/7Sk/7P1/8p/9/9/K6R1/9/9 b s", "2b1c 1b1a 2c2b+", "unsound: no mate at 1"},
	{"6lk1/9/6+P2/7pp/9/9/9/9/8K b L2np", "L*2c N*2b 3c3b 2a1a 2c2b+", "unsound: no mate at 3"},
	{"4l2k1/4l4/4p1L+P1/5pp1p/9/9/9/9/9 b Pp", "3c3b+ 2a1a 3b2b", "unsound: pieces left at 3"},
	{"4l2k1/4l4/4p1L+P1/5ppp1/9/9/9/9/9 b Pp", "3c3b+ 2a1a 3b2b", "unsound: pieces left at 3"},
	{"6l1k/6l2/7+N1/6+ppp/9/9/9/9/9 b L2Pnp", "P*1b 1a2a L*2b", "unsound: pieces left at 3"},
	{"5lSSk/5p2g/6ppp/9/4S4/9/9/9/9 b -", "2a1b+ 1a1b G*2b", "remark: promotion choice at 0"},
	{"8k/8l/8L/8P/7L1/9/9/9/9 b np", "1c1b+ 1a1b L*1c", "remark: promotion choice at 0"},
	{"4l2k1/4l4/4p1L+P1/5pp1p/9/9/9/9/9 b Pp", "P*2b 2a1a 2b2a+ 1a2a 3c3b+ 2a1a 2c2b", "unsound: shorter mate at 0"},
	{"4l2k1/4l4/4p1L+P1/5ppp1/9/9/9/9/9 b Pp", "P*2b 2a1a 2b2a+ 1a2a 3c3b+ 2a1a 3b2b", "unsound: shorter mate at 0"},
	{"4l2k1/4l4/4p1L+P1/5p1pp/9/9/9/9/9 b Pp", "P*2b 2a1a 2b2a+ 1a2a 3c3b+ 2a1a 3b2b", "unsound: shorter mate at 0"},
	// Pieces that may or may not promote, and mate with both.
	{"6lkl/8p/6GP1/9/9/9/9/9/9 b -", "2c2b+", "remark: promotion choice at 0"},
	{"7nk/8p/7PB/9/9/9/9/9/9 b -", "1c2b+", "remark: promotion choice at 0"},
	{"9/9/9/9/9/9/1lg6/PP7/LKL6 w -", "8g8h+", "remark: promotion choice at 0"},
	{"7k1/6p1p/6SP1/9/9/9/9/9/9 b -", "3c2b+", "unsound: one-move cook at 0"},
	{"7lk/7p1/9/9/8N/8L/9/9/9 b -", "1e2c+", "unsound: one-move cook at 0"},
	{"5lk2/3+S1p2+P/5+nppp/9/9/9/9/9/9 b G", "G*2b", "unsound: one-move cook at 0"},
	{"4l2k1/4l4/4p1L+P1/5p1pp/9/9/9/9/9 b Pp", "3c3b+ 2a1a 2c2b", "blemish: last move with pieces left at 2"},
	{"6l1k/6l2/6p1+S/7pp/9/9/9/9/9 b LP", "P*1b 1a2a L*2b", "blemish: square choice at 2"},
	{"4k4/9/3G1G3/9/9/9/9/9/9 b -", "4c5b", "remark: mirror image at 0"},
	{"6+L1k/9/5+SG2/6Gpp/9/9/9/9/9 b -", "3a2a 1a2a 4c3b 2a1a 3c2b", "blemish: equal defence with a choice at 1"},
	{"6lk1/6l2/6p+N1/6+ppp/9/9/9/9/9 b L2Pn", "P*2b 2a1a L*1c", "blemish: square choice at 2"},
	{"5l2k/5l3/5p1+S1/6ppp/9/9/9/9/9 b 2LP", "L*1b 1a2a P*2b 2a3a 2b2a+ 3a2a 1b1a+ 2a3a L*3c", "blemish: square choice at 0"},
}

type judgedKind struct {
	position, line, fault string
}

func (c *judgedKind) problem(t *testing.T) (shogi.Position, []shogi.Move) {
	p, err := shogi.ParseSFEN(c.position)
	require.NoError(t, err, c.position)
	return p, movesOf(t, p, c.line)
}

// movesOf reads legal moves from p.
func movesOf(t *testing.T, p shogi.Position, text string) []shogi.Move {
	line, _, err := games.ParseMoves(games.Game[shogi.Position, shogi.Move](shogi.Game{}), p, strings.Fields(text))
	require.NoError(t, err, "%v %s", p.SFEN(), text)
	return line
}

// TestJudgeKinds compares all faults of each of judgedKinds with those that plainJudge finds.
func TestJudgeKinds(t *testing.T) {
	// For the others see TestSuperfluous and TestJudge.
	found := map[tsume.FaultKind]bool{tsume.Superfluous: true, tsume.TwoKings: true}
	for _, c := range judgedKinds {
		name := strings.Join([]string{c.fault, c.position, c.line}, " ")
		p, line := c.problem(t)
		plain, ok := newPlainJudge(p, tsume.DefaultRules(), 3_000)
		require.True(t, ok, name)
		table, err := dfpn.NewFixedTable(1 << 22)
		require.NoError(t, err)
		for _, threads := range []int{1, 2} {
			table.Clear()
			plain.looks = -1_000_000
			j, err := tsume.Judge(t.Context(), tsume.Problem{Position: p}, line, table, tsume.JudgeOptions{Threads: threads})
			require.NoError(t, err, name)
			require.Empty(t, j.Open, name)
			require.True(t, requireJudgement(t, plain, p, line, j), name)
			has := false
			for _, f := range j.Faults {
				found[f.Kind] = true
				has = has || strings.HasPrefix(plainly(f).String(), c.fault+": ")
			}
			require.True(t, has, "%s: %v", name, j.Faults)
		}
	}
	for k := range tsume.Superfluous {
		require.True(t, found[k], k)
	}
}

// TestJudgeByRules has positions on which published sources and an older judge differed.
func TestJudgeByRules(t *testing.T) {
	for _, c := range []struct {
		name, position, line, rules string
		length                      int
		verdict                     tsume.Verdict
		faults                      []string // some of them
	}{
		{"two mates in one move", "8k/9/8G/9/9/9/9/9/9 b G", "", "default", 1, tsume.Faulty, []string{"unsound: one-move cook at 0: G*2b"}},
		{"mirror images at the first move", "9/4k4/9/3G1G3/9/9/9/9/9 b G", "", "default", 3, tsume.Sound, []string{"remark: mirror image at 0: 6d5c", "remark: equal defence at 1: 5b5a"}},
		{"mirror images at the first move, one line only", "9/4k4/9/3G1G3/9/9/9/9/9 b G", "", "default,mirror=unsound", 3, tsume.Faulty, []string{"unsound: mirror image at 0: 6d5c"}},
		{"two mates in one move, one given", "8k/9/8G/9/9/9/9/9/9 b G", "G*2b", "phone", 1, tsume.Faulty, []string{"unsound: one-move cook at 0: G*1b"}},
		{"two mates in one move, allowed", "8k/9/8G/9/9/9/9/9/9 b G", "", "default,one-move=blemish", 1, tsume.Sound, []string{"blemish: one-move cook at 0: G*2b"}},
		{"mirror images on the line", "4k4/9/9/1G1+S1+S1G1/9/9/9/9/9 b 2G", "", "default", 5, tsume.Sound, []string{"remark: mirror image at 2: 6d5c"}},
		{"mirror images, one line only", "4k4/9/9/1G1+S1+S1G1/9/9/9/9/9 b 2G", "", "strict", 5, tsume.Faulty, []string{"unsound: mirror image at 2: 6d5c"}},
		{"another piece captures", "9/9/6Bnl/8k/R6p1/9/9/9/9 b rb4g4s3n3l17p", "", "default", 1, tsume.Sound, nil},
		{"only the checking piece captures", "9/9/6Bnl/8k/R6p1/9/9/9/9 b rb4g4s3n3l17p", "9e9d L*2d 3c2d+", "default,interposition=checker", 3, tsume.Faulty, []string{"unsound: pieces left at 3: pass"}},
		{"a piece moves between", "1p4g+b1/3l2gks/4sn2s/3pn1S1g/2pn1pl1l/2n1p1p2/R6g1/KR7/B6L1 b 12p", "8h8g", "default", 1, 0, nil},
		{"a choice after an equal defence", "9/7k1/9/6P2/9/9/9/9/9 b 2GS", "", "default", 5, tsume.Sound, []string{"blemish: equal defence with a choice at 1: 2b1b"}},
		{"a choice after an equal defence, unsound", "9/7k1/9/6P2/9/9/9/9/9 b 2GS", "", "default,equal-choice=unsound", 5, tsume.Faulty, []string{"unsound: equal defence with a choice at 1: 2b1b"}},
		{"a longer mate in a problem of one move", "7k1/6p2/6GG1/9/9/9/9/9/9 b -", "2c2b", "default", 1, tsume.Faulty, []string{"unsound: one-move cook at 0: 3c3b"}},
		{"two kings", "8k/9/7PG/9/9/9/9/9/4K4 b -", "1c1b", "default,two-kings=blemish", 1, tsume.Faulty, []string{"blemish: two kings at 0: pass"}},
		{"a line that ends too early", "9/7k1/9/6P2/9/9/9/9/9 b 2GS", "S*3c", "default", 1, tsume.Faulty, []string{"unsound: no mate at 1: 2b1b"}},
		{"a line that ends with a reply", "9/7k1/9/6P2/9/9/9/9/9 b 2GS", "S*3c 2b2c", "default", 2, tsume.Faulty, []string{"unsound: no mate at 1: 2b2c"}},
		{"a line that does not mate", "9/7k1/9/6P2/9/9/9/9/9 b 2GS", "G*3b", "default", 1, tsume.Faulty, []string{"unsound: no mate at 1: 2b1c", "unsound: cook at 0: S*3c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := shogi.ParseSFEN(c.position)
			require.NoError(t, err)
			p = p.WithRest(p.Turn().Other())
			rules, err := tsume.ParseRules(c.rules)
			require.NoError(t, err)
			table, err := dfpn.NewFixedTable(1 << 22)
			require.NoError(t, err)
			j, err := tsume.Judge(t.Context(), tsume.Problem{Position: p}, movesOf(t, p, c.line), table, tsume.JudgeOptions{Nodes: 20_000, Rules: rules})
			require.NoError(t, err)
			if c.length > 0 {
				require.Len(t, j.Line, c.length)
			}
			if c.faults != nil {
				require.Equal(t, c.verdict, j.Verdict)
			}
			for _, want := range c.faults {
				require.True(t, slices.ContainsFunc(j.Faults, func(f tsume.Fault) bool {
					text := plainly(f).String()
					return text == want || strings.HasSuffix(want, "pass") && strings.HasPrefix(text, strings.TrimSuffix(want, "pass"))
				}), "%s: %v", want, j.Faults)
			}
		})
	}
}
