package cmd

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/review"
)

var (
	dobutsuDatabase = flag.String("dobutsu", "", "directory of the database of dobutsu, for TestAnalyzeDatabase")
	analyzedGames   = flag.Int("games", 12, "games of TestAnalyzeDatabase for each database")
)

// TestAnalyzeDatabase compares each row of random games, analyzed over a database, with what query says of the
// position and its moves: every mistake is named, nothing else is, and what is called better is best.
func TestAnalyzeDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("it asks some hundred questions")
	}
	marks := map[review.Mark]int{}
	analyzeDatabase(t, "tictactoe", "tictactoe", "tictactoe", "", "startpos", marks)
	analyzeDatabase(t, "connect4", "connect4:size=4x4", "connect4:size=4x4", "", "startpos", marks)
	analyzeDatabase(t, "dobutsu", "dobutsu:size=3x3", "dobutsu:size=3x3", "", "startpos", marks)
	analyzeDatabase(t, "dobutsu", "dobutsu:size=3x3,try=no", "dobutsu:size=3x3,try=no", "", "startpos", marks)
	analyzeDatabase(t, "awari", "awari", "awari --stones 5", "", "0,1,0,0,0,1,1,0,0,0,0,2", marks)
	analyzeDatabase(t, "checkers", "checkers:size=4x4", "checkers:size=4x4 --pieces 3", "", "W:WK8,K7:BK1", marks)
	if *dobutsuDatabase != "" {
		analyzeDatabase(t, "dobutsu", "dobutsu", "", *dobutsuDatabase, "startpos", marks)
	}
	require.Greater(t, marks[review.Blunder], 100)
	require.Greater(t, marks[review.Inaccuracy], 10)
	require.Greater(t, marks[""], 100)
	require.Zero(t, marks[review.Mistake], "that is for estimates")
}

// analyzeDatabase does this for a game from a position, over the database in dir, or the one that solve makes.
func analyzeDatabase(t *testing.T, game, spec, solve, dir, start string, marks map[review.Mark]int) {
	t.Helper()
	list := []Plugin{Game(game)}
	state := "unverified"
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "db")
		code, _, stderr := run("solve -q "+solve+" --db "+dir, list...)
		require.Equal(t, ui.ExitOK, code, stderr)
	} else {
		v, err := verificationOf(dir)
		require.NoError(t, err)
		state = v.State
	}
	g, err := list[0].Open(spec)
	require.NoError(t, err)
	from, err := games.ReadPosition(g, strings.Join([]string{start}, " "))
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(7, uint64(len(spec))))
	for range *analyzedGames {
		p, position := from, string(g.AppendPosition(nil, from))
		moves := ""
		for range 40 {
			list := g.AppendMoves(nil, p)
			if len(list) == 0 {
				break
			}
			m := list[rng.IntN(len(list))]
			moves += " " + string(g.AppendMove(nil, p, m))
			p = g.Play(p, m)
		}
		code, stdout, stderr := run(fmt.Sprintf("analyze -q --json --leaves 2 --memory 1MiB --db %s %s %s moves%s", dir, spec, position, moves), list...)
		require.Equal(t, ui.ExitOK, code, stderr)
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		played := strings.Fields(moves)
		require.Len(t, lines, len(played)+2)
		counted, p := review.Marks{}, from
		for i, line := range lines[:len(lines)-1] {
			var row struct {
				Position, Move, Value, Source, After, Best string
				Score, Lost, WinRate                       *float64
				PliesLost                                  int `json:"plies_lost"`
				Mark                                       review.Mark
			}
			require.NoError(t, json.Unmarshal([]byte(line), &row))
			name := fmt.Sprintf("%s, ply %d: %s", spec, i, line)
			code, stdout, stderr := run(fmt.Sprintf("query --json --db %s %s %s", dir, spec, row.Position), list...)
			require.Equal(t, ui.ExitOK, code, stderr)
			var answer db.Answer
			require.NoError(t, json.Unmarshal([]byte(stdout), &answer))
			require.Equal(t, valueText(answer.Verdict), row.Value, name)
			require.Nil(t, row.Score, name)
			require.Nil(t, row.Lost, name)
			require.Nil(t, row.WinRate, name)
			require.Equal(t, map[bool]string{true: "rules", false: "database"}[answer.Finished], row.Source, name)
			if i == len(played) {
				require.Empty(t, row.Move)
				continue
			}
			require.Equal(t, played[i], row.Move, name)
			made, best := moveOf(t, answer.Moves, row.Move), answer.Moves[0]
			require.Equal(t, valueText(made.Verdict), row.After, name)
			want := review.Mark("")
			switch {
			case made.Optimal:
				require.Equal(t, valueText(best.Verdict), row.After, name)
			case answer.DTM == nil && answer.Score != nil, !made.Preserves:
				want = review.Blunder
			default:
				want = review.Inaccuracy
				lost := *made.DTM - *best.DTM
				if best.Category == "loss" {
					lost = -lost
				}
				require.Equal(t, lost, row.PliesLost, name)
			}
			require.Equal(t, want, row.Mark, name)
			marks[want]++
			switch want {
			case review.Blunder:
				counted.Blunders++
			case review.Inaccuracy:
				counted.Inaccuracies++
			}
			if want == "" {
				require.Empty(t, row.Best, name)
			} else {
				require.True(t, moveOf(t, answer.Moves, row.Best).Optimal, name)
			}
			m, err := games.ParseMove(g, p, row.Move)
			require.NoError(t, err)
			p = g.Play(p, m)
		}
		var whole struct {
			Marks        [2]review.Marks
			MeanLoss     [2]float64 `json:"mean_loss"`
			Verification struct{ State string }
		}
		require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &whole))
		require.Equal(t, state, whole.Verification.State)
		require.Equal(t, [2]float64{}, whole.MeanLoss, "no estimates")
		require.Equal(t, counted.Blunders, whole.Marks[0].Blunders+whole.Marks[1].Blunders)
		require.Equal(t, counted.Inaccuracies, whole.Marks[0].Inaccuracies+whole.Marks[1].Inaccuracies)
	}
}

func moveOf(t *testing.T, list []db.AnswerMove, name string) db.AnswerMove {
	for _, m := range list {
		if m.Move == name {
			return m
		}
	}
	require.Fail(t, "query does not have the move", name)
	return db.AnswerMove{}
}

// valueText writes a verdict of query as analyze does.
func valueText(v db.Verdict) string {
	switch {
	case v.Score != nil && *v.Score != 0:
		return fmt.Sprintf("%+d", *v.Score)
	case v.Score != nil || v.Category == "draw":
		return "draw"
	}
	return fmt.Sprintf("%s in %d", v.Category, *v.DTM)
}
