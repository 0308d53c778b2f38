package variant

import (
	"encoding/csv"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSAN compares moves with those that python-chess 1.11.2 writes, in positions of random games.
func TestSAN(t *testing.T) {
	f, err := os.Open("testdata/san.tsv")
	require.NoError(t, err)
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	require.NoError(t, err)
	require.Greater(t, len(rows), 100)
	for _, row := range rows[1:] {
		g := open(t, row[0])
		p, err := g.ParsePosition(row[1])
		require.NoError(t, err, row)
		m, err := g.ParseMove(p, row[2])
		require.NoError(t, err, row)
		// It leaves out the letter of a pawn that is dropped.
		require.Equal(t, row[3], strings.Replace(string(g.AppendSAN(nil, p, m)), "P@", "@", 1), row)
	}
}

// TestSANRoundTrip reads legal moves of random games of all variants, as they are written in both notations.
func TestSANRoundTrip(t *testing.T) {
	for _, name := range BuiltIn().Names() {
		t.Run(name, func(t *testing.T) {
			g := open(t, name)
			rng := rand.New(rand.NewPCG(3, 4))
			games, plies, most := 3, 80, 30
			if testing.Short() {
				games, plies, most = 1, 30, 3
			}
			for range games {
				p := g.Start()
				for range plies {
					moves := g.AppendMoves(nil, p)
					if len(moves) == 0 {
						break
					}
					next := moves[rng.IntN(len(moves))]
					rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
					for _, m := range moves[:min(most, len(moves))] {
						requireReadsBack(t, g, p, m)
					}
					p = g.Play(p, next)
				}
			}
		})
	}
}

// requireReadsBack writes a legal move, and reads it.
func requireReadsBack(t *testing.T, g *Game, p Position, m Move) {
	san := string(g.AppendSAN(nil, p, m))
	at := string(g.AppendPosition(nil, p))
	got, err := g.ParseSAN(p, san)
	require.NoError(t, err, at)
	require.Equal(t, m, got, "%s in %s", san, at)
	for _, text := range []string{san + "!?", string(g.AppendMove(nil, p, m))} {
		got, err := g.ParseMove(p, text)
		require.NoError(t, err, at)
		require.Equal(t, m, got, "%s in %s", text, at)
	}
}

// TestParseSAN has moves as people write them.
func TestParseSAN(t *testing.T) {
	for _, c := range []struct{ variant, position, text, want string }{
		{"chess", "startpos", "e4", "e2e4"},
		{"chess", "startpos", "Pe4", "e2e4"},
		{"chess", "startpos", "e2-e4", "e2e4"},
		{"chess", "startpos", "E2E4", "e2e4"},
		{"chess", "startpos", "Ng1f3", "g1f3"},
		{"chess", "startpos", "N1f3!", "g1f3"},
		{"chess", "startpos", "Nxf3??", "g1f3"},
		{"chess", "startpos", "g1f3", "g1f3"},
		{"chess", "startpos", "Ke2", `move "Ke2": not one of the legal moves: a3 a4 b3`},
		{"chess", "startpos", "", `move "": not one of the legal moves`},
		{"chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "e1g1"},
		{"chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O–O–O", "e1c1"},
		{"chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o-o+", "e1g1"},
		{"chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "e1g1"},
		{"fischerandom", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1h1"},
		{"chess", "3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8=Q+", "e7e8q"},
		{"chess", "3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "ed8N", "e7d8n"},
		{"chess", "3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "exd8(R)", "e7d8r"},
		{"chess", "3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7:d8=b", "e7d8b"},
		{"chess", "3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "exd8", `move "exd8": it may be exd8=N or exd8=B or exd8=R or exd8=Q`},
		{"chess", "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Ne2", "it may be Nge2 or Nce2"},
		{"chess", "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Nce2", "c3e2"},
		{"chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "e5d6"},
		{"chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ed6ep", "e5d6"},
		{"chess", "4k3/8/8/8/8/1B6/1P6/4K3 w - - 0 1", "Bc4", "b3c4"},
		{"chess", "4k3/8/8/2p5/1B6/1P6/8/4K3 w - - 0 1", "bc5", "move"},
		{"chess", "4k3/8/8/8/2p5/1B2B3/8/4K3 w - - 0 1", "B3xc4", "b3c4"},
		{"crazyhouse", "4k3/8/8/8/8/8/8/4K3[Np] w - - 0 1", "n@f3", "N@f3"},
		{"crazyhouse", "4k3/8/8/8/8/8/8/4K3[PN] w - - 0 1", "@e5", "P@e5"},
		{"minishogi", "4k/5/R4/5/K4[] w - - 0 1", "Ra4", "a3a4"},
		{"minishogi", "4k/5/R4/5/K4[] w - - 0 1", "Ra5+", "a3a5"},
		{"minishogi", "4k/5/R4/5/K4[] w - - 0 1", "Ra5=", "a3a5"},
		{"minishogi", "4k/5/R4/5/K4[] w - - 0 1", "Ra5=+", "a3a5+"},
		{"minishogi", "4k/5/R4/5/K4[] w - - 0 1", "Ra5++", "a3a5+"},
		{"minishogi", "5/4k/R4/5/K4[] w - - 0 1", "Ra5+", "a3a5+"},
		{"minishogi", "5/4k/R4/5/K4[] w - - 0 1", "Ra5", "a3a5"},
		{"minishogi", "4k/5/+R4/5/K4[] w - - 0 1", "+Rb4", "a3b4"},
		{"seirawan", "startpos", "Nf3/E", "g1f3e"},
		{"amazons", "startpos", "Qdd7/g7", "d1d7/g7"},
	} {
		g := open(t, c.variant)
		p := g.Start()
		if c.position != "startpos" {
			var err error
			p, err = g.ParsePosition(c.position)
			require.NoError(t, err, c)
		}
		m, err := g.ParseMove(p, c.text)
		if err != nil {
			_, err = g.ParseSAN(p, c.text)
			require.ErrorContains(t, err, c.want, c)
			continue
		}
		require.Equal(t, c.want, string(g.AppendMove(nil, p, m)), c)
	}
}

// FuzzParseSAN requires that what is read as a move is written as one that is read as the same.
func FuzzParseSAN(f *testing.F) {
	for _, text := range []string{"Nf3", "e8=Q+", "O-O-O", "+P@e5", "N@f3!?", "Ra5++", "0-0", "e2e4", "Qdd7/g7", "--", "exd6 e.p."} {
		f.Add(text)
	}
	positions := map[*Game][]Position{}
	for name, list := range map[string][]string{
		"chess":      {"r3k2r/1P4P1/8/3pP3/8/2N2N2/8/R3K2R w KQkq d6 0 1"},
		"crazyhouse": {"r3k2r/1P4P1/8/8/8/2N2N2/8/R3K2R[QRBNP] w KQkq - 0 1"},
		"minishogi":  {"4k/R4/5/5/K1+R2[PB] w - - 0 1"},
		"seirawan":   {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK2R[HEhe] w KQBCDkqbcdfg - 0 1"},
	} {
		g := open(f, name)
		for _, text := range list {
			p, err := g.ParsePosition(text)
			require.NoError(f, err)
			positions[g] = append(positions[g], p)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for g, list := range positions {
			for _, p := range list {
				if m, err := g.ParseMove(p, text); err == nil {
					requireReadsBack(t, g, p, m)
				}
			}
		}
	})
}

// TestRightsWithoutRook leaves out a right to castle for which there is no rook or king in its place.
func TestRightsWithoutRook(t *testing.T) {
	for _, c := range []struct{ game, fen, want string }{
		{"chess", "r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K3 w Qkq - 0 1"},
		{"chess", "4k2r/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k2r/8/8/8/8/8/8/4K3 w k - 0 1"},
		{"chess", "r3k2r/8/8/8/8/8/8/6RK w Kkq - 0 1", "r3k2r/8/8/8/8/8/8/6RK w kq - 0 1"},
		{"atomic", "r3k2r/8/8/8/8/8/8/R3K3 b Kq - 0 1", "r3k2r/8/8/8/8/8/8/R3K3 b q - 0 1"},
	} {
		g := open(t, c.game)
		p, err := g.ParsePosition(c.fen)
		require.NoError(t, err, c.fen)
		want, err := g.ParsePosition(c.want)
		require.NoError(t, err)
		require.Equal(t, string(g.AppendPosition(nil, want)), string(g.AppendPosition(nil, p)))
		require.Equal(t, want, p)
	}
}
