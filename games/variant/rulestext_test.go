package variant

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestRulesText reads the rules of each variant from their text: they are the same, and have the same text.
func TestRulesText(t *testing.T) {
	texts := map[string]string{}
	for _, name := range BuiltIn().Names() {
		t.Run(name, func(t *testing.T) {
			g := open(t, name)
			text := g.RulesText()
			f, err := ReadRules(name, text)
			require.NoError(t, err)
			again, err := f.Game(name)
			require.NoError(t, err)
			require.Equal(t, text, again.RulesText())
			require.Equal(t, g.core.kinds, again.core.kinds)
			require.Equal(t, g.core.men, again.core.men)
			start := g.Start()
			require.Equal(t, start, again.Start())
			depth := 3
			switch n := len(g.AppendMoves(nil, start)); {
			case n > 200 || testing.Short() && n > 40:
				depth = 1
			case testing.Short() || n > 40:
				depth = 2
			}
			require.Equal(t, g.newBoard(&start).perft(depth), again.newBoard(&start).perft(depth))
			texts[text] += " " + name
		})
	}
	for _, names := range texts {
		t.Log(names)
	}
}

// TestRulesTextIsOne has sections that say the same in other ways, and sections that do not.
func TestRulesTextIsOne(t *testing.T) {
	text := func(section string) string {
		f, err := Read("my.ini", strings.NewReader(section), BuiltIn())
		require.NoError(t, err)
		g, err := f.Game("my")
		require.NoError(t, err)
		_, err = ReadRules("my", g.RulesText())
		require.NoError(t, err)
		return g.RulesText()
	}
	base := "[my:chess]\nmaxRank = 6\nmaxFile = 5\nstartFen = rnbqk/ppppp/5/5/PPPPP/RNBQK w - - 0 1\ncastling = false\n"
	first := text(base + "doubleStep = false\npromotionRegionWhite = *6\npromotionRegionBlack = *1\n")
	require.Equal(t, `maxRank = 6
maxFile = 5
pawn = p
knight = n
bishop = b
rook = r
queen = q
king = k
startFen = rnbqk/ppppp/5/5/PPPPP/RNBQK w - - 0 1
promotionRegionWhite = *6
promotionPieceTypesWhite = nbrq
promotionPieceTypesBlack = nbrq
doubleStep = false
castling = false
`, first)
	for _, c := range []struct {
		name, section string
		same          bool
	}{
		{"squares for a rank, and files beyond the board", base + "doubleStep = false\npromotionRegionWhite = a6 b6 c6 d6 e6 f6 h10\npromotionRegionBlack = *1\n", true},
		{"an older key", base + "doubleStep = false\npromotionRank = 6\n", true},
		{"double steps from a region that has no effect", base + "doubleStep = false\ndoubleStepRank = 3\npromotionRank = 6\n", true},
		{"values of pieces", base + "doubleStep = false\npromotionRank = 6\npieceValueMg = p:7\n", true},
		{"another counter of the start", strings.Replace(base, "0 1", "0 9", 1) + "doubleStep = false\npromotionRank = 6\n", true},
		{"no parent", "[my]\npawn = p\nknight = n\nbishop = b\nrook = r\nqueen = q\nking = k\npromotionPieceTypes = qnbr\n" +
			strings.TrimPrefix(base, "[my:chess]") + "doubleStep = false\npromotionRank = 6\n", true},
		{"double steps", base + "promotionRank = 6\n", false},
		{"another zone", base + "doubleStep = false\npromotionRank = 5\n", false},
		{"rules of history", base + "doubleStep = false\npromotionRank = 6\nnFoldRule = 2\n", false},
	} {
		require.Equal(t, c.same, text(c.section) == first, "%s:\n%s", c.name, text(c.section))
	}
	// What is not there must not come back, and keeps its place.
	for _, section := range []string{
		"[a:chess]\nbishop = -\ncustomPiece3 = b:mfWcfF\npromotionPawnTypes = pb\n[my:a]\npawn = -\nstartFen = 4k3/b7/8/8/8/8/B7/4K3 w - - 0 1\n",
		"[my:chess]\nbishop = -\ncustomPiece3 = b:mfWcfF\npromotionPawnTypes = bp\n",
		"[my:chess]\ncustomPiece3 = s:mfWcefF\n",
		"[my:chess]\ncustomPiece3 = s:mfWcefF\nenPassantTypes = p\n",
		"[my:chess]\nflagPiece = n\nflagRegion = e4\ncustomPiece2 = n:N\n",
		"[my:chess]\nmobilityRegionWhiteRook = i9\nmobilityRegionBlackRook = **\n",
		"[my:chess]\nconnectN = 3\nconnectPieceTypes = *\nextinctionPieceTypes = *\nextinctionValue = loss\n",
		"[my:chess]\npassWhite = true\ncastlingWins = Kq\nking = k:KN\npromotionLimit = q:1 r:0\npromotedPieceType = n:q\n",
	} {
		text(section)
	}
}

// TestReadRules refuses rules that are not as they were written.
func TestReadRules(t *testing.T) {
	text := open(t, "hexapawn").RulesText()
	for _, c := range []struct{ text, want string }{
		{text + "\n", "not written as"},
		{strings.ToLower(text), "not a key that is understood"},
		{text + "[more]\n", "not written as"},
		{text + "newRule = true\n", "newRule: not a key that is understood"},
		{"", "has no pieces"},
	} {
		_, err := ReadRules("hexapawn", c.text)
		require.ErrorContains(t, err, c.want)
	}
}

// TestChangedRules names the keys that differ.
func TestChangedRules(t *testing.T) {
	chess := open(t, "chess").RulesText()
	require.NoError(t, games.CheckRules("chess", chess, chess))
	require.NoError(t, games.CheckRules("dobutsu", "", ""))
	require.EqualError(t, games.CheckRules("chess", chess, strings.Replace(chess, "promotionPieceTypesBlack = nbrq", "castling = false", 1)),
		"rules of chess have changed since it was made: castling was not given, is false; promotionPieceTypesBlack was nbrq, is not given")
	require.ErrorContains(t, games.CheckRules("chess", "", chess), "does not say by which rules of chess")
	require.ErrorContains(t, games.CheckRules("dobutsu", chess, ""), "dobutsu has its own rules here")
}

// TestDefaults compares the values that docs/variants-format.md says need not be written with those of a section without a parent.
func TestDefaults(t *testing.T) {
	text, err := os.ReadFile("../../docs/variants-format.md")
	require.NoError(t, err)
	_, list, ok := strings.Cut(string(text), "rooks the `rook`:\n\n```\n")
	require.True(t, ok)
	list, _, _ = strings.Cut(list, "```")
	r := chess()
	documented := map[string]bool{}
	for line := range strings.Lines(list) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		for _, k := range keyList {
			if k.name != name && k.name != name+"White" && k.name != name+"Black" || k.text == nil {
				continue
			}
			again := chess()
			require.NoError(t, k.set(again, value))
			require.Equal(t, k.text(r), k.text(again), line)
			documented[k.name] = true
		}
	}
	for _, k := range keyList {
		if k.text != nil && !documented[k.name] && k.name != "startFen" {
			require.Contains(t, []string{"false", "0", "none", "-", "*", ""}, k.text(r), k.name)
		}
	}
}
