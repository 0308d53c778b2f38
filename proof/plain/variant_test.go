package plain_test

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/proof/plain"
)

// prefixed is a variant by a name that no other game has.
type prefixed struct{ *variant.Game }

func (g prefixed) Name() string { return games.VariantPrefix + g.Game.Name() }

type variantGame = games.Game[variant.Position, variant.Move]

// unknownVariants are the built-in variants with rules that the plain checker does not have, and one of them.
var unknownVariants = map[string]string{
	"placement": "castlingDroppedPiece", "seirawan": "gating", "shouse": "gating", "sittuyin": "sittuyinPromotion",
}

func openVariant(t *testing.T, name string) (variantGame, *plain.Game) {
	as := games.VariantPrefix + name
	own, err := variant.BuiltIn().Game(name)
	require.NoError(t, err)
	g := prefixed{own}
	second, err := plain.OpenVariant(as, games.RulesTextOf(g))
	if key := unknownVariants[name]; key != "" {
		require.ErrorIs(t, err, plain.ErrUnsuited)
		require.ErrorContains(t, err, key)
		t.Skip(err)
	}
	require.NoError(t, err)
	return g, second
}

// plainSequences counts sequences of moves by the plain rules.
func plainSequences(g *plain.Game, p plain.Position, depth int) (n uint64) {
	if _, over := g.Result(p); over {
		return 0
	}
	moves := g.Moves(p)
	if depth == 1 {
		return uint64(len(moves))
	}
	for _, m := range moves {
		n += plainSequences(g, g.Play(p, m), depth-1)
	}
	return n
}

// TestVariants follows random games of all variants by both rules.
func TestVariants(t *testing.T) {
	for _, name := range variant.BuiltIn().Names() {
		t.Run(name, func(t *testing.T) {
			g, _ := openVariant(t, name)
			rng := rand.New(rand.NewPCG(60, 7))
			var c against
			rounds, plies := 3, 60
			if testing.Short() {
				rounds, plies = 1, 8
			}
			for range rounds {
				follow(t, &c, g, rng, g.Start(), plies)
			}
			t.Logf("%+v", c)
		})
	}
}

// TestVariantPerft compares counts of sequences with those that games/variant has from another program.
func TestVariantPerft(t *testing.T) {
	most := uint64(20000)
	if testing.Short() {
		most = 100
	}
	f, err := os.Open("../../games/variant/testdata/perft.tsv")
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	require.NoError(t, err)
	for _, name := range variant.BuiltIn().Names() {
		t.Run(name, func(t *testing.T) {
			g, second := openVariant(t, name)
			// The other program makes drops of pawns that mate.
			mates, err := plain.OpenVariant(g.Name(), strings.ReplaceAll(games.RulesTextOf(g), "shogiPawnDropMateIllegal = true\n", ""))
			require.NoError(t, err)
			start := string(g.AppendPosition(nil, g.Start()))
			for _, row := range rows[1:] {
				depth, _ := strconv.Atoi(row[2])
				want, _ := strconv.ParseUint(row[3], 10, 64)
				if row[0] != name || want > most {
					continue
				}
				p := g.Start()
				if row[1] != "startpos" {
					p, err = g.ParsePosition(row[1])
					require.NoError(t, err)
				}
				q, err := mates.Parse(string(g.AppendPosition(nil, p)))
				require.NoError(t, err)
				require.Equal(t, want, plainSequences(mates, q, depth), "%s, depth %d", row[1], depth)
			}
			q, err := second.Parse(start)
			require.NoError(t, err)
			depth := 2
			if len(second.Moves(q)) > 200 {
				depth = 1
			}
			require.Equal(t, sequences(g, g.Start(), depth), plainSequences(second, q, depth))
		})
	}
}

func sequences(g variantGame, p variant.Position, depth int) (n uint64) {
	moves := g.AppendMoves(nil, p)
	if depth == 1 {
		return uint64(len(moves))
	}
	for _, m := range moves {
		n += sequences(g, g.Play(p, m), depth-1)
	}
	return n
}

// TestUnknownRules refuses rules that the plain checker does not have, by their names.
func TestUnknownRules(t *testing.T) {
	chess, err := variant.BuiltIn().Game("chess")
	require.NoError(t, err)
	for line, key := range map[string]string{
		"gating = true": "gating", "newRule = true": "newRule", "janggiCannon = c": "janggiCannon", "castlingWins = K": "castlingWins",
		"materialCounting = janggi": "materialCounting", "stalemateValue = none": "stalemateValue", "customPiece = x:W": "customPiece",
	} {
		_, err := plain.OpenVariant("mine", chess.RulesText()+line+"\n")
		require.ErrorIs(t, err, plain.ErrUnsuited, line)
		require.ErrorContains(t, err, key)
	}
	for _, c := range []struct{ name, rules string }{{"dobutsu", chess.RulesText()}, {"chess:pieces=3", chess.RulesText()}, {"", chess.RulesText()}} {
		_, err := plain.OpenVariant(c.name, c.rules)
		require.ErrorIs(t, err, plain.ErrUnsuited)
	}
	for _, rules := range []string{"", "pawn\n", "pawn = p\npawn = q\n", "pawn = p\nrook = p\n", "maxRank = 11\npawn = p\n", "pawn = P\n", "customPiece1 = x:Y\n"} {
		_, err := plain.OpenVariant("mine", rules)
		require.ErrorIs(t, err, plain.ErrRefused, rules)
	}
}
