package cmd

import (
	"bufio"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	gomokucmd "github.com/yomikiri/yomikiri/cmd/gomoku"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/solver/threat"
)

var (
	proofGames = flag.Int("proof.games", 0, "games of TestProofGames against each opponent; 0 for what an ordinary test run takes")
	proofFiles = flag.String("proof.files", "", "proof files of gomoku that TestProofGames plays by, as a pattern")
)

// openForPlay opens proof files of one game.
func openForPlay(t *testing.T, files ...string) *prooffile.Set {
	t.Helper()
	c := &cobra.Command{}
	c.SetContext(t.Context())
	c.SetErr(io.Discard)
	var player app.ProofPlayer
	byGame, err := prooffile.Open(c, files, &gomoku.Family.Info, func(h *proof.Header) (_ app.ProofPlayer, err error) {
		if player == nil {
			player, err = app.PlayBy(gomokurules.Open)(h.Game, nil)
		}
		return player, err
	})
	require.NoError(t, err)
	require.Len(t, byGame, 1)
	for _, p := range byGame {
		return p
	}
	return nil
}

// proveForPlay makes a proof of a game, after moves.
func proveForPlay(t *testing.T, dir, name, args string) string {
	t.Helper()
	path := filepath.Join(dir, name+".proof")
	code, _, stderr := run("prove -q "+args+" --proof "+path, Game("gomoku"))
	require.Equal(t, ui.ExitOK, code, stderr)
	return path
}

// TestProofGames plays games by proofs and never loses what they say. With flags:
//
//	go test ./cmd -run TestProofGames -v -timeout 0 -proof.games 1000 -proof.files '*.proof'
func TestProofGames(t *testing.T) {
	dir := t.TempDir()
	lists := map[string][]string{}
	if *proofFiles != "" {
		files, err := filepath.Glob(*proofFiles)
		require.NoError(t, err)
		lists["files"] = files
	} else {
		lists["6x6"] = []string{proveForPlay(t, dir, "6x6", "gomoku --size 6x6 --k 4")}
		lists["4x6"] = []string{proveForPlay(t, dir, "4x6", "gomoku --size 4x6 --k 4")}
		// A corner and a side, each in another orientation than it is played in.
		lists["second moves"] = []string{
			proveForPlay(t, dir, "a1", "gomoku --size 7x7 --k 4 startpos moves d4 a1 --attack"),
			proveForPlay(t, dir, "b4", "gomoku --size 7x7 --k 4 startpos moves d4 b4 --attack"),
		}
		if *proofGames > 0 {
			lists["4x7"] = []string{proveForPlay(t, dir, "4x7", "gomoku --size 4x7 --k 4")}
			lists["5x6"] = []string{proveForPlay(t, dir, "5x6", "gomoku --size 5x6 --k 4")}
			lists["6x5"] = []string{proveForPlay(t, dir, "6x5", "gomoku --size 6x5 --k 4")}
			lists["7x7"] = []string{proveForPlay(t, dir, "7x7", "gomoku --size 7x7 --k 4")}
			lists["6x8"] = []string{proveForPlay(t, dir, "6x8", "gomoku --size 6x8")}
		}
	}
	n := 40
	if *proofGames > 0 {
		n = *proofGames
	}
	for name, files := range lists {
		proofs := openForPlay(t, files...)
		g, err := gomoku.Family.Open(proofs.Headers[0].Game)
		require.NoError(t, err)
		adviser, err := threat.NewDecider(g, 4<<20)
		require.NoError(t, err)
		searcher, err := play.New(games.Game[gomoku.Position, gomoku.Square](g), play.Config[gomoku.Position]{Memory: 4 << 20, Pruning: play.AllPruning}, adviser)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(1, 2))
		random := func(p gomoku.Position) gomoku.Square {
			moves := g.AppendMoves(nil, p)
			return moves[rng.IntN(len(moves))]
		}
		near := func(p gomoku.Position) gomoku.Square {
			b := g.NewBoard(p)
			var at gomoku.Set
			for side := range []gomoku.Side{gomoku.Black, gomoku.White} {
				stones := b.Stones(gomoku.Side(side))
				stones.Each(func(s gomoku.Square) { set := b.Near(s); at.AddAll(&set) })
			}
			empty := b.EmptySquares()
			if at.Intersect(&empty); at.Empty() {
				at = empty
			}
			squares := slices.Collect(at.All())
			return squares[rng.IntN(len(squares))]
		}
		for opponent, reply := range map[string]func(p gomoku.Position, n int) gomoku.Square{
			"random": func(p gomoku.Position, _ int) gomoku.Square { return random(p) },
			"near":   func(p gomoku.Position, _ int) gomoku.Square { return near(p) },
			"searcher": func(p gomoku.Position, n int) gomoku.Square {
				if n < rng.IntN(4) { // or all games would be alike
					return near(p)
				}
				r, err := searcher.Search(t.Context(), play.Query[gomoku.Position, gomoku.Square]{From: p, Limits: play.Limits{Nodes: 1000}, Advised: true})
				require.NoError(t, err)
				return r.Best().Moves[0]
			},
		} {
			t.Run(name+" "+opponent, func(t *testing.T) {
				c := proofGame{t: t, g: g, proofs: proofs, reply: reply}
				for i := range n {
					c.play(i, rng.IntN(g.Symmetries()))
				}
				t.Logf("%d games: %d won, %d drawn; %d moves looked up, the longest in %v; %d plies at most", n, c.won, n-c.won, c.moves, c.longest, c.plies)
			})
		}
	}
}

// proofGame plays games by proofs, from the start position.
type proofGame struct {
	t       *testing.T
	g       *gomoku.Game
	proofs  *prooffile.Set
	reply   func(p gomoku.Position, n int) gomoku.Square // of the opponent, to the nth move
	won     int
	moves   int
	plies   int
	longest time.Duration
}

// play plays game i: with the second move of one of the proofs, if they begin after one, in
// the given image. If the proofs are of a draw, it plays each side in turn.
func (c *proofGame) play(i, image int) {
	t, g := c.t, c.g
	h := c.proofs.Headers[i%len(c.proofs.Headers)]
	root, err := g.ParsePosition(h.Root)
	require.NoError(t, err)
	mine := gomoku.Black
	if len(h.Claims) == 2 && i%2 == 1 {
		mine = gomoku.White
	}
	second := gomoku.NoSquare
	if white := root.Stones(gomoku.White); !white.Empty() {
		second = g.Image(image, white.First())
	}
	p := g.Start()
	for ply := 0; ; ply++ {
		if v, finished := g.Outcome(p); finished {
			result := v.Result()
			if p.ToMove() != mine {
				result = -result
			}
			require.True(t, result == games.Won || result == games.Drawn && h.Claims[0].Goal == proof.Hold, "game %d: %v", i, result)
			if result == games.Won {
				c.won++
			}
			c.plies = max(c.plies, ply)
			return
		}
		var at gomoku.Square
		switch {
		case p.ToMove() == mine:
			begin := time.Now()
			text, _, err := c.proofs.Reply(t.Context(), g.AppendPosition(nil, p))
			c.longest = max(c.longest, time.Since(begin))
			c.moves++
			require.NoError(t, err, "game %d, %s", i, g.AppendPosition(nil, p))
			at, err = g.ParseMove(p, text)
			require.NoError(t, err)
		case second != gomoku.NoSquare && ply == 1:
			at = second
		default:
			at = c.reply(p, ply/2)
		}
		p = g.Play(p, at)
	}
}

// TestPlayFalseProof refuses a false certificate before anybody is asked to move.
func TestPlayFalseProof(t *testing.T) {
	path := filepath.Join(t.TempDir(), "false.proof")
	require.NoError(t, os.WriteFile(path, falseProof(t), 0o600))
	code, stdout, stderr := run("play gomoku --size 6x9 --proof "+path, Game("gomoku"))
	require.Equal(t, ui.ExitCorrupt, code, stderr)
	require.Contains(t, stderr, "proof refused")
	require.NotContains(t, stdout, "your move")
}

// TestGomocupProof plays by proofs over the protocol: of a draw on 5x5 and after second
// moves on 6x6.
func TestGomocupProof(t *testing.T) {
	dir := t.TempDir()
	talk := func(files []string, lines ...string) string {
		c := &cobra.Command{}
		c.SetContext(t.Context())
		c.SetErr(io.Discard)
		open := func() (map[string]*prooffile.Set, error) {
			return prooffile.Open(c, files, &gomoku.Family.Info, gomokucmd.Players())
		}
		var out strings.Builder
		require.NoError(t, gomokucmd.Serve(t.Context(), strings.NewReader("INFO max_node 300\n"+strings.Join(lines, "\n")+"\n"), &out, gomokucmd.Config{OpenProofs: open}))
		return strings.ReplaceAll(out.String(), dir+"/", "")
	}
	whole := []string{proveForPlay(t, dir, "whole", "gomoku --size 5x5")}
	const byWhole = `MESSAGE \w+, by whole\.proof\n\d,\d\n`
	require.Regexp(t, "^OK\n"+byWhole+byWhole+"$", talk(whole, "START 5", "BEGIN", "TURN 0,0"))
	require.Regexp(t, "^OK\n"+byWhole+"$", talk(whole, "START 5", "TURN 0,0"))
	require.Regexp(t, "^OK\n"+byWhole+"$", talk(whole, "START 5", "BOARD", "2,2,1", "0,0,2", "DONE"))
	require.Regexp(t, `^OK\nMESSAGE no proof is about gomoku:size=6x6\n\d,\d\n$`, talk(whole, "START 6", "BEGIN"))
	require.Regexp(t, `^OK\nMESSAGE no proof is about gomoku:size=5x5,rule=exact\n\d,\d\n$`, talk(whole, "INFO rule 1", "START 5", "BEGIN"))

	second := []string{
		proveForPlay(t, dir, "a1", "gomoku --size 6x6 startpos moves c3 a1"),
		proveForPlay(t, dir, "b2", "gomoku --size 6x6 startpos moves c3 b2"),
	}
	// From the top left: c3 is 2,3, and f6 and a1 are 5,0 and 0,5.
	require.Regexp(t, `^OK\nMESSAGE c3, where all proofs begin\n2,3\nMESSAGE \w+, by a1\.proof\n\d,\d\n$`, talk(second, "START 6", "BEGIN", "TURN 0,5"))
	require.Regexp(t, `^OK\n.*\n2,3\nMESSAGE no proof says what to play in this position\n\d,\d\n$`, talk(second, "START 6", "BEGIN", "TURN 5,5"))
	other := append(second, proveForPlay(t, dir, "other", "gomoku --size 6x6 startpos moves a1 f6"))
	require.Regexp(t, `^OK\nMESSAGE no proof says`, talk(other, "START 6", "BEGIN"))
}

// TestGomocupOpensProofs says who is there while proofs are opened, and what is wrong with them.
func TestGomocupOpensProofs(t *testing.T) {
	fromManager, manager := io.Pipe()
	toManager, player := io.Pipe()
	opened := make(chan error)
	done := make(chan error, 1)
	serve := func() {
		done <- gomokucmd.Serve(t.Context(), fromManager, player, gomokucmd.Config{OpenProofs: func() (map[string]*prooffile.Set, error) { return nil, <-opened }})
	}
	answers := bufio.NewScanner(toManager)
	tell := func(line string) {
		_, err := io.WriteString(manager, line+"\n")
		require.NoError(t, err)
	}
	hear := func(want string) {
		require.True(t, answers.Scan())
		require.Regexp(t, want, answers.Text())
	}
	go serve()
	tell("ABOUT")
	hear("name=")
	tell("START 15")
	tell("ABOUT") // waits for its turn
	opened <- nil
	hear("OK")
	hear("name=")
	tell("END")
	require.NoError(t, <-done)

	go serve()
	tell("START 15")
	opened <- errBroken
	require.ErrorIs(t, <-done, errBroken)
}

// TestProveSuggestsMethod tells a user whose game can repeat which methods can prove it.
func TestProveSuggestsMethod(t *testing.T) {
	const repeats = "dobutsu:size=3x3 does not say that it always ends, so positions may repeat: use --method df-pn"
	for args, want := range map[string]string{
		"": repeats + "\n",
		" --method best-first --tree " + t.TempDir() + "/t": repeats + ", or alpha-beta, which can also prove that a side holds\n",
	} {
		code, _, stderr := run("prove dobutsu:size=3x3"+args, Game("dobutsu"))
		require.Equal(t, ui.ExitUsage, code, args)
		require.Contains(t, stderr, want, args)
	}
}
