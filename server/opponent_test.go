//go:build !race

package server_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/book"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/retro"
	"github.com/yomikiri/yomikiri/server"
)

// duel plays a game of tic-tac-toe, and returns who has won: 0 for a draw, or 1 or 2.
func duel(t *testing.T, h http.Handler, seed int, levels [2]int) int {
	var moves []string
	for {
		list := strings.Join(moves, ",")
		at := get[server.Place](t, h, "/api/v1/tictactoe/board?moves="+list)
		if at.Finished && at.Category == "draw" {
			return 0
		}
		if at.Finished {
			return 2 - len(moves)%2 // who has just moved
		}
		c := get[server.Chosen](t, h, fmt.Sprintf("/api/v1/tictactoe/move?moves=%s&level=%d&seed=%d", list, levels[len(moves)%2], seed))
		moves = append(moves, c.Move)
	}
}

// TestLevels has levels play against each other, without a database and with one: a beginner
// loses in either case, and the strongest never does.
func TestLevels(t *testing.T) {
	seeds := 10
	if testing.Short() {
		seeds = 4
	}
	for name, c := range map[string]server.Config{
		"without": {Searches: []server.Search{played(t, "tictactoe")}},
		"with":    {Databases: []server.Database{server.NewDatabase(source(t, "tictactoe", retro.Reachable))}},
	} {
		s := newServer(t, c)
		lost := 0
		for seed := range seeds {
			first, second := duel(t, s, seed, [2]int{1, 10}), duel(t, s, seed, [2]int{10, 1})
			require.NotEqual(t, 1, first, name)
			require.NotEqual(t, 2, second, name)
			lost += first/2 + second%2
			require.Zero(t, duel(t, s, seed, [2]int{10, 10}), name)
		}
		require.Greater(t, lost, seeds, "%s: games of %d that a beginner loses", name, 2*seeds)
	}
}

// TestOpponentDatabase has an opponent over a database in all positions: what it says of its
// move is the value of the move, never an estimate, and the strongest plays no move but the best.
// A beginner plays as without a database, and gives results away.
func TestOpponentDatabase(t *testing.T) {
	src := source(t, "dobutsu:size=3x3", retro.Reachable)
	with := newServer(t, server.Config{Databases: []server.Database{server.NewDatabase(src)}})
	without := newServer(t, server.Config{Searches: []server.Search{played(t, "dobutsu:size=3x3")}})
	compared, given, better := 0, 0, 0
	most := 300
	if testing.Short() {
		most = 60
	}
	for index := uint64(0); index < src.Database.DB().Manifest().Content.Tiers[0].Open && compared < most; index += 97 {
		if _, held, err := src.Database.DB().Value(index); err != nil || !held {
			continue
		}
		a := get[db.Answer](t, with, fmt.Sprintf("/api/v1/dobutsu:size=3x3?index=%d", index))
		moves := map[string]db.AnswerMove{}
		for _, m := range a.Moves {
			moves[m.Move] = m
		}
		for _, level := range []int{1, 10} {
			query := fmt.Sprintf("/api/v1/dobutsu:size=3x3/move?position=%s&seed=5&level=%d", strings.ReplaceAll(a.Position, " ", "_"), level)
			c := get[server.Chosen](t, with, query)
			m, legal := moves[c.Move]
			require.True(t, legal, "%s in %s", c.Move, a.Position)
			require.Equal(t, a.Position, c.Position)
			require.Equal(t, m.Position, c.After)
			require.Nil(t, c.Estimate)
			require.Equal(t, m.Verdict, *c.Verdict)
			if level == 10 {
				require.True(t, m.Optimal, "%s in %s", c.Move, a.Position)
				continue
			}
			alone := get[server.Chosen](t, without, query)
			require.Equal(t, alone.Move, c.Move)
			require.Nil(t, alone.Verdict)
			require.NotNil(t, alone.Estimate)
			require.Equal(t, c.Move, alone.Estimate.Line[0])
			if !m.Preserves {
				given++
			}
			if m.Preserves && !m.Optimal {
				better++
			}
		}
		compared++
	}
	require.Greater(t, compared, most/3)
	require.Greater(t, given, compared/30, "results that a beginner gives away")
	require.Positive(t, better)
}

// TestWhole has a database of part of a game, which the user has named. The name means the whole game,
// which begins at its own start and can be played from there.
func TestWhole(t *testing.T) {
	src := source(t, "awari:stones=4", retro.All)
	src.Named = true
	s := newServer(t, server.Config{Databases: []server.Database{
		server.NewDatabase(src), server.NewDatabase(source(t, "awari:stones=3", retro.All)),
	}})
	const start = "4,4,4,4,4,4,4,4,4,4,4,4"
	g := get[struct{ Games []server.Game }](t, s, "/api/v1/games").Games[0]
	require.Equal(t, &server.WholeGame{Name: "awari", Start: start}, g.Whole)
	require.NotEqual(t, start, g.Start)
	for name, want := range map[string]string{"awari": start, "Awari": start, "awari:stones=4": g.Start, "Awari:stones=4": g.Start} {
		require.Equal(t, want, get[server.Place](t, s, "/api/v1/"+name+"/board").Position, name)
		require.Equal(t, want, get[server.Chosen](t, s, "/api/v1/"+name+"/move?level=1").Position, name)
		known := get[struct{ Answers []db.Answer }](t, s, "POST /api/v1/"+name+` {"positions":["startpos"]}`).Answers[0].Category != db.Unknown
		require.Equal(t, want != start, known, name)
	}
	require.Equal(t, 404, ask(s, "/api/v1/awari").Code, "the database does not hold the position")
	const held = "?position=0,0,0,0,0,2,1,1,0,0,0,0"
	require.Equal(t, get[db.Answer](t, s, "/api/v1/awari:stones=4"+held), get[db.Answer](t, s, "/api/v1/awari"+held))
	require.NotEmpty(t, get[server.Place](t, s, "/api/v1/awari/board?moves=F,f").Moves)
}

// TestOpponentEndings has an opponent over a database of four stones of awari in positions of
// more. A search stops where the database begins: if all moves lead there, the score is exact.
func TestOpponentEndings(t *testing.T) {
	part := newServer(t, server.Config{Databases: []server.Database{server.NewDatabase(source(t, "awari:stones=4", retro.All))}})
	src := source(t, "awari:stones=6", retro.All)
	c := get[server.Chosen](t, part, "/api/v1/awari:stones=4/move?position=4,4,4,4,4,4,4,4,4,4,4,4")
	require.Nil(t, c.Verdict)
	require.NotNil(t, c.Estimate)
	exact, most := 0, 20
	if testing.Short() {
		most = 5
	}
	tiers := src.Database.DB().Manifest().Content.Tiers
	last := tiers[len(tiers)-1]
	for index := last.Start; index < last.Start+last.Size && exact < most; index++ {
		p, err := src.Database.Position(index)
		if err != nil {
			continue
		}
		scorer, ok := games.As[games.Scorer[app.Position, app.Move]](src.Game.Board)
		require.True(t, ok)
		inside := func(q app.Position) bool { return scorer.Remaining(q) <= 4 }
		moves := src.Game.AppendMoves(nil, p)
		all := len(moves) > 1
		for _, m := range moves {
			all = all && inside(src.Game.Play(p, m))
		}
		if !all {
			continue
		}
		v, err := src.Database.Probe(p)
		require.NoError(t, err)
		text := string(src.Game.AppendPosition(nil, p))
		c := get[server.Chosen](t, part, "/api/v1/awari:stones=4/move?position="+text)
		require.Equal(t, play.ScoreOf(v), c.Estimate.Score, text)
		exact++
	}
	require.Positive(t, exact)
}

// TestOpponentChoice has choices that replace that of the level, and the limits of the server.
func TestOpponentChoice(t *testing.T) {
	c := server.Config{Searches: []server.Search{played(t, "connect4")}}
	s := newServer(t, c)
	moves := func(query string) int {
		seen := map[string]bool{}
		for seed := range 12 {
			seen[get[server.Chosen](t, s, fmt.Sprintf("/api/v1/connect4/move?seed=%d%s", seed, query)).Move] = true
		}
		return len(seen)
	}
	c.Limits.SearchNodes = 2_000
	s = newServer(t, c)
	require.Equal(t, 1, moves(""))
	require.Equal(t, 1, moves("&level=9"))
	require.Greater(t, moves("&jitter=200"), 1)
	require.Greater(t, moves("&budget=200"), 1)
	require.Greater(t, moves("&level=2"), 1)
	few := get[server.Chosen](t, s, "/api/v1/connect4/move").Estimate.Depth
	c.Limits.SearchNodes = 50_000
	require.Greater(t, get[server.Chosen](t, newServer(t, c), "/api/v1/connect4/move").Estimate.Depth, few)
}

// TestOpponentProves has a position that connections decide, which only those ask for that do not choose at random.
func TestOpponentProves(t *testing.T) {
	s := newServer(t, server.Config{Searches: []server.Search{played(t, "hex:size=5x5")}})
	choose := func(query string) *server.Chosen {
		return get[*server.Chosen](t, s, "/api/v1/hex:size=5x5/move?seed=3&moves="+query)
	}
	won, lost := choose("c3,a5,b4,e1"), choose("c3,a5,b4")
	require.Equal(t, "win", won.Value.String())
	require.Equal(t, "loss", lost.Value.String())
	for _, c := range []*server.Chosen{won, lost} {
		require.Equal(t, "connections", c.ProvedBy)
		require.Nil(t, c.Estimate)
	}
	for _, random := range []string{"&level=3", "&jitter=10", "&budget=10"} {
		c := choose("c3,a5,b4,e1" + random)
		require.Nil(t, c.Value, random)
		require.NotNil(t, c.Estimate, random)
	}
}

// TestCandidates asks for the best moves. What is proven of one has its source and no estimate, and the moves are in order.
func TestCandidates(t *testing.T) {
	s := newServer(t, server.Config{
		Databases: []server.Database{server.NewDatabase(source(t, "awari:stones=4", retro.All))},
		Searches:  []server.Search{played(t, "connect4"), played(t, "hex:size=5x5"), played(t, "checkers")},
	})
	for _, c := range []struct {
		query, first string
		values       []string // empty for an estimate
		by           string
	}{
		{"connect4/move?lines=4&moves=d,a,d,a,d", "d", []string{"", "loss in 2", "loss in 2", "loss in 2"}, "exhausted search"},
		{"connect4/move?lines=2&moves=d,a,d,a,d,b", "d", []string{"win in 1", ""}, "rules"},
		{"hex:size=5x5/move?lines=2&moves=c3,a5,b4", "", []string{"loss", "loss"}, "connections"},
		{"checkers/move?lines=3&nodes", "", nil, ""},
		{"checkers/move?lines=3", "", []string{"", "", ""}, ""},
		{"checkers/move?lines=20&moves=11-15,22-18", "15x22", []string{""}, ""}, // the only move
		{"awari:stones=4/move?lines=6&position=0,0,0,0,1,1,1,1,0,0,0,0", "", []string{"draw", "-4"}, "database"},
	} {
		if c.values == nil {
			require.Equal(t, 400, ask(s, "/api/v1/"+c.query).Code)
			continue
		}
		a := get[server.Chosen](t, s, "/api/v1/"+c.query)
		values := make([]string, len(a.Candidates))
		for i, x := range a.Candidates {
			require.Equal(t, x.Value == nil, x.Estimate != nil, c.query)
			require.Equal(t, x.Value == nil, x.ProvedBy == "", c.query)
			require.NotEmpty(t, x.After)
			if x.Value != nil {
				values[i] = x.Value.String()
				require.Equal(t, c.by, x.ProvedBy, c.query)
			} else if i > 0 && a.Candidates[i-1].Estimate != nil {
				require.LessOrEqual(t, x.Estimate.Score, a.Candidates[i-1].Estimate.Score, c.query)
			}
		}
		require.Equal(t, c.values, values, c.query)
		if c.first != "" {
			require.Equal(t, c.first, a.Candidates[0].Move, c.query)
		}
	}
	const held = "position=0,0,0,0,1,1,1,1,0,0,0,0"
	alike := func(query string) (list []bool) {
		for _, c := range get[server.Chosen](t, s, "/api/v1/"+query).Candidates {
			list = append(list, c.Alike)
		}
		return list
	}
	require.Equal(t, []bool{true, true, true}, alike("checkers/move?lines=3"), "less than 0.05 between them")
	require.Equal(t, []bool{false, false}, alike("connect4/move?lines=2&moves=d,a,d,a,d"), "the other one is proven")
	chosen := get[server.Chosen](t, s, "/api/v1/awari:stones=4/move?lines=6&"+held)
	for i, m := range get[db.Answer](t, s, "/api/v1/awari:stones=4?"+held).Moves {
		require.Equal(t, m.Move, chosen.Candidates[i].Move)
		require.EqualValues(t, *m.Score, chosen.Candidates[i].Value.Lower, "as the database has it")
	}
	for _, lines := range []string{"0", "21", "x"} {
		require.Equal(t, 400, ask(s, "/api/v1/connect4/move?lines="+lines).Code)
	}
}

// TestOpponentProofs has a proof, which the opponent and the review believe once it is checked.
func TestOpponentProofs(t *testing.T) {
	g := openGame(t, "tictactoe")
	e, err := g.Evaluation()
	require.NoError(t, err)
	known, source := g.Proven(), proofSource(t, drawnFile(t))
	source.Check = func(ctx context.Context, r *proof.Reader) error {
		return known.Add(func(node func(proof.Claim, *proof.Node)) error {
			_, err := g.Check(ctx, r, proof.CheckOptions{Node: node})
			return err
		})
	}
	s := newServer(t, server.Config{
		Searches: []server.Search{server.NewSearch(server.SearchSource{Name: g.Name(), Game: g, Evaluation: e, Proofs: known})},
		Proofs:   []server.Proof{newProof(t, source)}, Limits: server.Limits{SearchNodes: 100},
	})
	by := func(query string) string { return get[server.Chosen](t, s, "/api/v1/tictactoe/move?"+query).ProvedBy }
	require.Empty(t, by(""))
	s.Check(t.Context())
	require.Equal(t, "proof", by(""))
	for _, query := range []string{"level=9", "jitter=10"} {
		require.Empty(t, by(query), query)
	}
	require.Equal(t, "proof", get[reviewed](t, s, "/api/v1/tictactoe/review").Rows[0].ProvedBy)
}

// TestOpponentBook has an opponent that plays by a book, but not where the value is proven.
func TestOpponentBook(t *testing.T) {
	g := openGame(t, "hex:size=5x5")
	e, err := g.Evaluation()
	require.NoError(t, err)
	estimate := play.Score(30)
	at := func(moves ...string) string {
		p, err := games.PlayMoves(g.Board, g.Start(), moves)
		require.NoError(t, err)
		return g.PositionText(g.Canonical(p))
	}
	b := &book.Book{Origin: book.Origin{Game: g.Name()}, Positions: []book.Position{
		{Position: at(), Moves: []book.Move{{Move: "a1", Weight: 1}, {Move: "a2", Weight: 1}}},
		{Position: at("a1"), Moves: []book.Move{{Move: "e1", Weight: 1, Estimate: &estimate}}},
		{Position: at("c3", "a5", "b4", "e1"), Moves: []book.Move{{Move: "a1", Weight: 1}}},
	}}
	opening, err := book.Open(b, games.Game[app.Position, app.Move](g.Board))
	require.NoError(t, err)
	s := newServer(t, server.Config{Searches: []server.Search{server.NewSearch(server.SearchSource{Name: g.Name(), Title: "Hex", Game: g, Evaluation: e, Book: opening})}})
	choose := func(query string) *server.Chosen {
		return get[*server.Chosen](t, s, "/api/v1/hex:size=5x5/move?"+query)
	}
	first := map[string]bool{}
	for seed := range 20 {
		c := choose(fmt.Sprintf("level=2&seed=%d", seed))
		require.Equal(t, server.ByBook, c.ChosenBy)
		require.Nil(t, c.Estimate)
		first[c.Move] = true
	}
	require.Equal(t, map[string]bool{"a1": true, "e5": true, "a2": true, "e4": true}, first, "with those that are the same by symmetry")
	c := choose("moves=a1&level=2")
	require.Equal(t, server.ByBook, c.ChosenBy)
	require.Equal(t, play.Score(30), c.Estimate.Score)
	proven := choose("level=9&moves=c3,a5,b4,e1")
	require.Empty(t, proven.ChosenBy)
	require.Equal(t, "connections", proven.ProvedBy)
}

// TestOpponentBusy asks for a move while another search runs.
func TestOpponentBusy(t *testing.T) {
	c := fixture(t)
	begun, end := make(chan bool), make(chan bool)
	c.Searches[0] = firstMoves(t, func(context.Context) error {
		begun <- true
		<-end
		return nil
	})
	c.Limits = server.Limits{Searches: 1, Wait: time.Millisecond}
	s := newServer(t, c)
	code := make(chan int)
	go func() { code <- ask(s, "/api/v1/first").Code }()
	<-begun
	w := ask(s, "/api/v1/tictactoe/move")
	require.Equal(t, 503, w.Code)
	require.Contains(t, w.Body.String(), `"code":"busy"`)
	require.Equal(t, 200, ask(s, "/api/v1/tictactoe/board").Code)
	close(end)
	require.Equal(t, 200, <-code)
	require.Equal(t, 200, ask(s, "/api/v1/tictactoe/move").Code)
}

// text is a game that does not describe its boards.
type text struct {
	games.Game[tictactoe.Position, tictactoe.Move]
	games.Features[tictactoe.Position]
}

// leaving has the features of a game whose client goes when a search judges its first position.
type leaving struct {
	tictactoe.Game
	leave  func()
	judged *int
}

func (g leaving) AppendFeatures(dst []games.Feature, p tictactoe.Position) []games.Feature {
	g.leave()
	*g.judged++
	return g.Game.AppendFeatures(dst, p)
}

// TestOpponentGone has a client that goes during a search, which ends then.
func TestOpponentGone(t *testing.T) {
	count := func(leave func(cancel func()) func(), status int) int {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		judged := 0
		g := text{tictactoe.Game{}, leaving{leave: leave(cancel), judged: &judged}}
		x, err := app.New(games.NewFamily(tictactoe.Family.Info, func(games.Rules) text { return g })).Open("tictactoe")
		require.NoError(t, err)
		e, err := x.Evaluation()
		require.NoError(t, err)
		s := newServer(t, server.Config{Searches: []server.Search{server.NewSearch(server.SearchSource{
			Name: "tictactoe", Game: x, Evaluation: e,
		})}})
		w := record(s, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/v1/tictactoe/move?level=8", nil))
		require.Equal(t, status, w.Code, w.Body)
		if status != 200 {
			require.Contains(t, w.Body.String(), `"code":"cut_off"`)
		}
		return judged
	}
	stays := count(func(func()) func() { return func() {} }, 200)
	goes := count(func(cancel func()) func() { return cancel }, 503)
	require.Less(t, goes, stays/2)
}
