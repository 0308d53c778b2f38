package server_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/server"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// fours is a search of gomoku that finds one win, as the command does.
func fours(t *testing.T) server.Search {
	rules, err := gomoku.Family.Rules("gomoku")
	require.NoError(t, err)
	g := gomoku.Family.New(rules)
	return server.NewSearch(server.SearchSource[gomoku.Position, gomoku.Square]{
		Name: "gomoku", Title: "Gomoku: wins by fours and threes", Game: g, Info: &gomoku.Family.Info, Rules: rules,
		Run: func(_ context.Context, p gomoku.Position, _ server.SearchLimits) (gomoku.Position, []gomoku.Square, any, error) {
			if p.ToMove() == gomoku.White {
				return p, nil, map[string]any{"result": "none"}, nil
			}
			line := []gomoku.Square{gomoku.SquareAt(7, 5), gomoku.SquareAt(7, 4), gomoku.SquareAt(7, 9)}
			return p, line, map[string]any{"result": "win", "by": "fours", "moves": 2, "zone": []string{"e8", "f8", "j8"}}, nil
		},
	})
}

// mates is the search for mates.
func mates(t *testing.T) server.Search {
	rules, err := shogi.Family.Rules("shogi")
	require.NoError(t, err)
	return server.NewSearch(server.SearchSource[shogi.Position, shogi.Move]{
		Name: "tsume", Title: "Shogi: mate problems", Game: shogi.Game{}, Info: &shogi.Family.Info, Rules: rules,
		Run: func(ctx context.Context, p shogi.Position, _ server.SearchLimits) (shogi.Position, []shogi.Move, any, error) {
			problem, err := tsume.NewProblem(p, tsume.Natural)
			if err != nil {
				return p, nil, nil, server.InputError{Err: err}
			}
			table, err := dfpn.NewTable(1 << 20)
			if err != nil {
				return p, nil, nil, err
			}
			s, err := tsume.Solve(ctx, problem, table, tsume.Options{})
			if err != nil {
				return p, nil, nil, err
			}
			return problem.Position, s.Line, map[string]any{"answer": "mate", "length": len(s.Line), "shortest": p.Turn() == shogi.White, "nodes": 1, "seconds": 0.1}, nil
		},
	})
}

func testThreats(t *testing.T, browser context.Context, s *httptest.Server) {
	p := open(t, browser, s, "?game=gomoku&position=15/15/15/15/15/6o8/5o9/6xxx6/7o7/15/15/15/15/15/15%20x")
	p.ready()
	p.click("#do-search")
	p.until("document.querySelector('#result')?.innerText.includes('a forced win by fours in at most 2 moves')")
	p.made(3)
	require.Equal(t, 3, p.nodes("#board .zone"))
	require.Equal(t, 3, p.nodes("#board .number"))
	require.Equal(t, 3, p.nodes("#board .stone.side1"))
	p.click("#do-line")
	p.until("document.querySelector('#verdict-text').innerText.includes('The game is over: Black has won')")
	require.Equal(t, 5, p.nodes("#board .stone.side1"))
	p.click("#do-first")
	p.click(square("a1")) // another move: the line is no longer shown
	p.made(1)
	require.Zero(t, p.nodes("#board .zone"))
	p.click("#do-search")
	p.until("document.querySelector('#result')?.innerText.includes('no win by threats (not verified)')")
	p.sound()
}

// testMate searches a mate, plays it by clicks with a piece from the hand, and has a problem
// refused that was set up by hand.
func testMate(t *testing.T, browser context.Context, s *httptest.Server) {
	p := open(t, browser, s, "?game=tsume&position=4k4/9/4P4/9/9/9/9/9/9%20b%20G%201")
	p.ready()
	p.click("#do-search")
	p.until("document.querySelector('#result')?.innerText.includes('mate in at most 1')")
	require.Equal(t, 1, p.nodes("#board .arrow"))
	p.click(square("1*gold"))
	p.until(`document.querySelector('.cell[data-place="1*gold"]').hasAttribute('aria-pressed')`)
	p.click(square("5b"))
	p.until("document.querySelector('#verdict-text').innerText.includes('The game is over: Black has won')")

	p.click("#do-first")
	p.until("document.querySelector('#do-first').disabled")
	p.click("#do-setup")
	p.click("#brush-1-pawn")
	p.click(square("5d"))
	p.until("document.querySelector('#setup-status').innerText.includes('two unpromoted pawns on file 5')")
	p.click("#brush-erase")
	p.click(square("5d"))
	p.until("!document.querySelector('#setup-accept').disabled")
	p.sound("400")

	p = open(t, browser, s, "?game=tsume&position=9/9/9/9/9/9/4p4/9/4K4%20w%20g%201") // proven to be the shortest
	p.ready()
	p.click("#do-search")
	p.until("document.querySelector('#result')?.innerText.includes('mate in 1')")
}

func testProof(t *testing.T, browser context.Context, s *httptest.Server) {
	p := open(t, browser, s, "?proof=draw.proof")
	p.ready()
	require.Contains(t, p.text("#verdict-text"), ", proven")
	require.Equal(t, "the proof was checked", p.text("#status"))
	kind := p.text("#proof-kind")
	plies := 0
	for ; p.nodes(".move") > 0; plies++ {
		require.Less(t, plies, 10)
		replies := p.nodes(".move")
		switch p.text("#proof-kind") {
		case "one move is enough":
			require.Equal(t, 1, replies)
		case "all replies of this side are answered":
			require.Equal(t, 9-plies, replies)
		}
		p.click(square(p.text(".move .name")))
		p.made(plies + 1)
	}
	require.Greater(t, plies, 5)
	second := open(t, browser, s, "?"+js[string](p, "location.search.slice(1)"))
	second.ready()
	second.made(plies)
	require.Equal(t, p.text("#verdict-text"), second.text("#verdict-text"))

	js[bool](p, "(() => { const e = document.querySelector('#claim'); e.selectedIndex = 1; e.dispatchEvent(new Event('change')); return true })()")
	p.made(0)
	require.NotEqual(t, kind, p.text("#proof-kind"))
	p.sound()
}
