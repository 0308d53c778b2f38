package variant

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestWords compares boards of words with the board of all rules: all of what Expand and Retract give for some positions of each
// class of up to three pieces, of every variant that boards of words know.
func TestWords(t *testing.T) {
	positions := 20 // of a block
	if testing.Short() {
		positions = 2
	}
	for _, name := range BuiltIn().Names() {
		g := open(t, name)
		if g.rules.numberable() != nil {
			continue
		}
		for _, early := range []bool{false, true} {
			c := *g.core
			if c.endEarly(early); early != (c.takeable || c.reachable) {
				continue
			}
			x, err := c.newTables(name, (&Tables{core: &c}).classesUpTo(3), false)
			if err != nil {
				continue
			}
			t.Run(name, func(t *testing.T) { compareWords(t, x, positions) })
		}
	}
}

// endEarly sets the rule options by which a game is over when it can be won with the next move, as far as it has them.
func (g *core) endEarly(early bool) {
	g.takeable, g.reachable = early && g.rules.takeable(), early && g.rules.reachable()
}

// TestWordsLarger compares them in classes of more pieces: with men that stand between others, or were captured there.
func TestWordsLarger(t *testing.T) {
	f, err := Read("words.ini", strings.NewReader(wordsText), BuiltIn())
	require.NoError(t, err)
	for _, c := range []struct {
		game, class string
		early       bool
		positions   int
	}{
		{"chess", "KQvKR", false, 2000}, {"chess", "KPPvKN", false, 200}, {"giveaway", "KQvRP", false, 500}, {"losers", "KRvKB", false, 500},
		{"steps", "KPvKN", false, 2000}, {"unhanded", "LGvLG", false, 100}, {"suicide", "BNvP", false, 500}, {"must", "KNvK", false, 2000},
		{"minishogi", "KRvKP", false, 100}, {"minishogi", "KBPvKP", false, 3}, {"judkins", "KNvKR", false, 50},
		{"shatranj", "KBPvKN", false, 200}, {"breakthrough", "PPPvPP", false, 1000}, {"hexapawn", "PPPvPPP", false, 1000},
		{"breakthrough", "PPPvPP", true, 1000}, {"rows", "start", true, 200}, {"leapers", "NPvNP", true, 1000},
		{"astray", "NPvPP", true, 1000}, {"dobutsu", "start", true, 10}, {"dobutsu", "LGCvLE", false, 10}, {"flagged", "LGvL", false, 2000},
		{"between", "LGCvLE", true, 10}, {"goal", "KNvKP", false, 200}, {"quiet", "KPvKR", false, 200}, {"racingkings", "KQvKR", false, 300},
		{"racingkings", "KBNvK", false, 300}, {"racingkings", "KvKRR", false, 300}, {"racingkings", "KRBvKB", false, 200},
	} {
		t.Run(c.game+" "+c.class, func(t *testing.T) {
			opened, err := f.Game(c.game)
			if err != nil {
				opened = open(t, c.game)
			}
			g := *opened.core
			g.endEarly(c.early)
			x, _, err := g.tables(c.class)
			require.NoError(t, err)
			require.NotNil(t, x.words())
			compareWords(t, x, c.positions)
		})
	}
}

// wordsText has rules that no variant that is built in has: steps of three squares, squares where pawns may not go, pieces in
// hand that decide the game, pieces that win where they can be taken or if the other side does not win with its next move, pawns
// that must not give check, men of Breakthrough that are told apart until they move, and pieces of which pawns that become one may
// win, or pawns that would win if they need not become one.
const wordsText = `
[steps:chess]
tripleStepRegionWhite = *2
mobilityRegionWhitePawn = *2 *3 *4 *5 *7 *8
mobilityRegionBlackPawn = *7 *5 *4 *3 *2 *1

[must:chess]
promotedPieceType = n:q
mandatoryPiecePromotion = true

[unhanded:dobutsu]
extinctionValue = win
extinctionPieceTypes = g

[flagged:dobutsu]
flagPiece = g
flagRegionWhite = *4
flagRegionBlack = *1
flagPieceSafe = false

[forced:dobutsu]
mustCapture = true

[hopping:dobutsu]
customPiece1 = x:pR

[between:dobutsu]
flagMove = true

[goal:chess]
flagPiece = n
flagRegion = *8
flagMove = true

[rows:breakthrough]
customPiece1 = h:fmWfF
maxRank = 4
maxFile = c
startFen = hhh/ppp/PPP/HHH w - - 0 1
promotionPawnTypes = h
promotionPieceTypes = p
promotionRegionWhite = *2 *3 *4
promotionRegionBlack = *3 *2 *1
flagRegionWhite = *4
flagRegionBlack = *1

[leapers:breakthrough]
knight = n
startFen = pppppppp/nnnnnnnn/8/8/8/8/NNNNNNNN/PPPPPPPP w - - 0 1
promotionPawnTypes = p
promotionPieceTypes = n
promotionRegionWhite = *7 *8
promotionRegionBlack = *2 *1
mandatoryPawnPromotion = false
flagPiece = n

[astray:leapers]
promotionRegionWhite = *8
promotionRegionBlack = *1
mandatoryPawnPromotion = true
flagPiece = p

[crowd:chess]
immobile = i
customPiece1 = x:
startFen = 7k/8/8/iiiiiiii/xxxxxxxx/8/IIIIIIII/XXXXXXXK w - - 0 1

[quiet:chess]
checking = false

[silent:minishogi]
checking = false
`

// TestWordsRefused has games that stay on the board of all rules: each has one rule or piece that boards of words do not know.
func TestWordsRefused(t *testing.T) {
	f, err := Read("words.ini", strings.NewReader(wordsText), BuiltIn())
	require.NoError(t, err)
	for name, class := range map[string]string{"forced": "LCvL", "hopping": "LCvL", "silent": "KRvKP"} {
		g, err := f.Game(name)
		require.NoError(t, err)
		x, _, err := g.core.tables(class)
		require.NoError(t, err)
		require.Nil(t, x.words(), name)
	}
}

// TestWordsCrowded has more men than boards of words place.
func TestWordsCrowded(t *testing.T) {
	f, err := Read("words.ini", strings.NewReader(wordsText), BuiltIn())
	require.NoError(t, err)
	g, err := f.Game("crowd")
	require.NoError(t, err)
	x, _, err := g.core.tables("start")
	require.NoError(t, err)
	require.NotNil(t, x.words())
	for _, b := range x.blocks {
		require.Equal(t, b.key.material.count() <= maxPlaced, b.word != nil)
	}
	require.True(t, x.blocks[len(x.blocks)-1].word == nil)
}

// TestWordsStuck has moves after which the other side has no move: with a pinned piece, and with fewer men.
func TestWordsStuck(t *testing.T) {
	for _, c := range []struct{ game, class, position string }{
		{"chess", "KRvKN", "kn6/8/1K6/8/8/8/8/7R w - - 0 1"},
		{"suicide", "BNvP", "8/8/8/8/8/8/p7/B6N w - - 0 1"},
	} {
		g := *open(t, c.game).core
		x, _, err := g.tables(c.class)
		require.NoError(t, err)
		p, err := x.ParsePosition(c.position)
		require.NoError(t, err)
		index, err := x.Index(p)
		require.NoError(t, err)
		words := x.words()
		require.NotNil(t, words)
		b := x.blockOf(index, nil)
		require.NotNil(t, b.word, c.game)
		(&comparison{words: wordBoard{t: words}}).compare(t, x, b, index)
	}
}

// compareWords compares some positions of each block: runs of neighbours.
func compareWords(t *testing.T, x *Tables, positions int) {
	if x.words() == nil {
		t.Skip("on the board of all rules")
	}
	rng := rand.New(rand.NewPCG(1, 1))
	c := &comparison{words: wordBoard{t: x.words()}}
	for _, b := range x.blocks {
		if b.word == nil {
			continue
		}
		index := b.start
		for i := range uint64(positions) {
			if uint64(positions) < b.size && (i%4 == 0 || index+1 == b.start+b.size) {
				index = b.start + rng.Uint64N(b.size)
			} else if i > 0 {
				index++
			}
			if index == b.start+b.size {
				break
			}
			c.compare(t, x, b, index)
		}
	}
}

// comparison is the memory of both ways.
type comparison struct {
	words      wordBoard
	expanding  expanding
	retracting retracting
}

func (c *comparison) compare(t *testing.T, x *Tables, b *block, index uint64) {
	var want, got games.Expansion
	c.expanding.block, c.retracting.block = b, b
	status := x.expand(&c.expanding, index, &want)
	p, _ := x.Position(index)
	text := string(x.AppendPosition(nil, p))
	found, counted := c.words.expand(b.word, index, false, &got)
	require.Equal(t, status, found, "%d: %s", index, text)
	require.Zero(t, counted)
	require.Equal(t, want.Moves, got.Moves, text)
	slices.Sort(want.Successors)
	slices.Sort(got.Successors)
	require.Equal(t, want.Successors, got.Successors, text)
	c.count(t, x, b, index, status, &want)
	if status != games.Unfinished {
		return
	}
	var before, after games.Predecessors
	x.retractOne(&c.retracting, index, &before)
	c.words.retract(b.word, index, &after)
	slices.Sort(before.Indices)
	slices.Sort(after.Indices)
	if x.held || b.word.repeats(c.words.royal(int(b.key.turn))) {
		after.Indices = slices.Compact(after.Indices)
	}
	require.Equal(t, slices.Compact(before.Indices), after.Indices, text)
}

// count compares what is left out with all successors of a position.
func (c *comparison) count(t *testing.T, x *Tables, b *block, index uint64, status games.Value, all *games.Expansion) {
	var got games.Expansion
	found, counted := c.words.expand(b.word, index, true, &got)
	require.Equal(t, status, found, "%d", index)
	require.Equal(t, all.Moves, got.Moves, "%d", index)
	slices.Sort(got.Successors)
	tier := x.tiers[b.word.tier]
	left := slices.DeleteFunc(slices.Clone(all.Successors), func(s games.Successor) bool {
		_, listed := slices.BinarySearch(got.Successors, s)
		return listed
	})
	require.Len(t, got.Successors, len(all.Successors)-len(left), "%d", index)
	require.Len(t, left, counted, "%d", index)
	for _, s := range left {
		require.Equal(t, games.Unfinished, s.Outcome(), "%d", index)
		require.Less(t, s.Index()-tier.Start, tier.Open, "%d", index)
	}
}

// TestPromotionsRefused has promotions that classes do not know.
func TestPromotionsRefused(t *testing.T) {
	for section, want := range map[string]string{
		"promotedPieceType = n:n":     "pieces that are promoted without an end",
		"promotedPieceType = n:b b:n": "pieces that are promoted without an end",
		"promotedPieceType = n:b b:q": "",
		"pieceDrops = true\ncapturesToHand = true\ndoubleStep = false\npromotedPieceType = n:b b:q": "pieces that are promoted again beside pieces in hand",
		"promotedPieceType = k:q":       "royal pieces that are promoted, or promoted to",
		"promotionPieceTypes = q k":     "royal pieces that are promoted, or promoted to",
		"promotedPieceType = n:q b:q":   "",
		"promotionPieceTypes = q r b n": "",
	} {
		f, err := Read("refused.ini", strings.NewReader("[mine:chess]\n"+section+"\n"), BuiltIn())
		require.NoError(t, err)
		g, err := f.Game("mine")
		require.NoError(t, err, section)
		_, _, err = g.core.tables("KNvK")
		if want == "" {
			require.NoError(t, err, section)
			continue
		}
		require.EqualError(t, err, "mine has "+want+", whose positions are not numbered by material; a small game is solved whole, without pieces", section)
	}
}

// TestPromotionsOrder has pieces that are promoted again: moves lead to classes that come before.
func TestPromotionsOrder(t *testing.T) {
	f, err := Read("chain.ini", strings.NewReader("[chain:chess]\npromotedPieceType = r:b b:n\npromotionPieceTypes = r\n"), BuiltIn())
	require.NoError(t, err)
	g, err := f.Game("chain")
	require.NoError(t, err)
	x, _, err := g.core.tables("KPvK")
	require.NoError(t, err)
	var names []string
	var out games.Expansion
	for _, tier := range x.Tiers() {
		names = append(names, tier.Name)
		for index := tier.Start; index < tier.Start+tier.Size; index += 11 {
			x.Expand([]uint64{index}, &out)
			for _, s := range out.Successors {
				if s.Index() >= tier.Start+tier.Size {
					require.Fail(t, "a move leads to a class that comes later", tier.Name)
				}
			}
		}
	}
	require.Equal(t, []string{"KvK", "KNvK", "KBvK", "KRvK", "KPvK"}, names)
}
