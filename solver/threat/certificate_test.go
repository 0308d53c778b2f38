//go:build !race

package threat

import (
	"bytes"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
)

// writeProof returns the proof of a win.
func writeProof(t testing.TB, g *gomoku.Game, x *Prover, p gomoku.Position, tree *Tree) []byte {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, p)), Claims: Claims()})
	require.NoError(t, err)
	require.NoError(t, x.WriteProof(t.Context(), w, p, tree))
	require.NoError(t, w.Close())
	return file.Bytes()
}

// TestWriteProofInterrupted ends the writing of a proof at each of its looks at the context.
func TestWriteProofInterrupted(t *testing.T) {
	g := newGame(t, gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	p, err := g.ParsePosition("15/15/15/15/15/15/15/ooo3xx1o5/5x9/5x9/15/15/15/15/15 x")
	require.NoError(t, err)
	x := newProver(t, g, ProverConfig{Memory: 1 << 22})
	tree, err := x.Prove(t.Context(), p, 1000)
	require.NoError(t, err)
	require.NotNil(t, tree)
	looks := 0
	for ; ; looks++ {
		w, err := proof.NewWriter(io.Discard, proof.Header{Game: g.Name(), Root: string(g.AppendPosition(nil, p)), Claims: Claims()})
		require.NoError(t, err)
		if err = x.WriteProof(&ending{t.Context(), looks}, w, p, tree); err == nil {
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, w.Counts().Nodes)
	}
	require.Greater(t, looks, 10, "the certificate is ended inside")
}

// ending is a context that ends after some looks at it.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left == 0 {
		return context.Canceled
	}
	e.left--
	return nil
}

// TestWriteProof has proofs of wins on small boards checked, where one prover
// uses what it knows of others.
func TestWriteProof(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(45, 46))
	positions := 30
	if testing.Short() {
		positions = 20
	}
	for _, rules := range []gomoku.Rules{
		{Rows: 5, Columns: 5, K: 4}, {Rows: 5, Columns: 6, K: 4, Exact: true}, {Rows: 6, Columns: 6, K: 4},
		{Rows: 2, Columns: 9, K: 3}, {Rows: 7, Columns: 7, K: 4, Exact: true},
	} {
		g := newGame(t, rules)
		x := newProver(t, g, ProverConfig{Memory: 1 << 22})
		proven := 0
		for range positions {
			p := randomPosition(g, rng, rules.Rows*rules.Columns-4-rng.IntN(8))
			tree, err := x.Prove(context.Background(), p, 50)
			require.NoError(t, err)
			if tree == nil || tree.Wins {
				continue
			}
			proven++
			_, err = checkProof(t, writeProof(t, g, x, p, tree))
			require.NoError(t, err, "%s", g.AppendPosition(nil, p))
		}
		t.Log(g.Name(), proven)
		require.Greater(t, proven, 2)
	}
}

// certificates returns the positions of a proof that have a certificate, with it.
func certificates(t testing.TB, file []byte) map[string]string {
	r, err := proof.NewReader(bytes.NewReader(file))
	require.NoError(t, err)
	list := map[string]string{}
	for {
		n, _, err := r.Next()
		if err != nil {
			require.ErrorIs(t, err, io.EOF)
			return list
		}
		if n != nil && n.Kind == proof.Certified {
			list[string(n.Position)] = string(n.Certificate)
		}
	}
}

// mutate changes a certificate a little: a square, a sign, a reference, an answer
// or a line.
func mutate(g *gomoku.Game, text string, rng *rand.Rand) string {
	lines := strings.Split(text, "\n")
	i := rng.IntN(len(lines))
	words := strings.Split(lines[i], " ")
	j := rng.IntN(len(words))
	squares := g.Squares()
	all := slices.Collect(squares.All())
	square := all[rng.IntN(len(all))].String()
	switch rng.IntN(6) {
	case 0:
		words = slices.Delete(words, j, j+1)
	case 1:
		words = append(words, "+-."[rng.IntN(3):][:1]+square)
	case 2:
		words[j] = square
	case 3:
		words[j] = regexp.MustCompile(`[0-9]+$`).ReplaceAllString(words[j], strconv.Itoa(1+rng.IntN(4)))
	case 4:
		words[j] = strings.Replace(words[j], "+-."[rng.IntN(3):][:1], "+-."[rng.IntN(3):][:1], 1)
	default:
		words[j] = regexp.MustCompile(`[a-z][0-9]+`).ReplaceAllString(words[j], square)
	}
	lines[i] = strings.Join(words, " ")
	return strings.Join(lines, "\n")
}

// TestMutants changes certificates, and the positions that they are for: most are
// refused, and a position with one that is accepted is won, by a search of all
// moves.
func TestMutants(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	refused, accepted := 0, 0
	for _, rules := range []gomoku.Rules{
		{Rows: 4, Columns: 4, K: 3}, {Rows: 4, Columns: 4, K: 3, Exact: true}, {Rows: 5, Columns: 5, K: 4},
		{Rows: 5, Columns: 5, K: 4, Exact: true}, {Rows: 2, Columns: 9, K: 3},
	} {
		g := newGame(t, rules)
		plain, ok := gomokurules.Open(g.Name())
		require.True(t, ok)
		x := newProver(t, g, ProverConfig{Memory: 1 << 22})
		o := newOracle(t, g)
		for range 25 {
			p := randomPosition(g, rng, 10+rng.IntN(3))
			tree, err := x.Prove(context.Background(), p, 50)
			require.NoError(t, err)
			if tree == nil || tree.Wins {
				continue
			}
			for position, certificate := range certificates(t, writeProof(t, g, x, p, tree)) {
				for range 150 {
					mutant := certificate
					q, err := g.ParsePosition(position)
					require.NoError(t, err)
					if rng.IntN(2) == 0 { // a stone more of the defender's
						moves := g.AppendMoves(nil, q)
						stones := q.Stones(q.ToMove().Opponent())
						stones.Add(moves[rng.IntN(len(moves))])
						both := [2]gomoku.Set{stones, stones}
						both[q.ToMove()] = q.Stones(q.ToMove())
						q = gomoku.NewPosition(both[0], both[1], q.ToMove())
					}
					for range rng.IntN(3) {
						mutant = mutate(g, mutant, rng)
					}
					text := string(g.AppendPosition(nil, q))
					at, err := plain.ParsePosition(text)
					require.NoError(t, err)
					if _, finished := g.Outcome(q); finished {
						continue
					}
					if plain.CheckCertificate(proof.NewWork(t.Context(), math.MaxInt64), at, true, proof.Win, []byte(mutant)) != nil {
						refused++
						continue
					}
					accepted++
					require.True(t, o.wins(q, q.ToMove()), "%s in %s: %s", text, g.Name(), mutant)
				}
			}
		}
	}
	t.Log(refused, accepted)
	require.Greater(t, refused, 1000)
	require.Greater(t, accepted, 500)
}
