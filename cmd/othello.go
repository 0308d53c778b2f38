package cmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/rules"
	othellosolver "github.com/yomikiri/yomikiri/solver/othello"
)

// Othello is what Othello has beyond other games: the plain rules to check proofs by, and a search for
// scores.
var Othello = app.Extra[*othello.Game, othello.Position, othello.Move]{Check: rules.Check, Points: newOthelloSearch}

// othelloSearch is a [PointSearch].
type othelloSearch struct {
	*othellosolver.Solver
	game *othello.Game
	root othello.Position
}

func newOthelloSearch(g *othello.Game, root othello.Position, o app.PointOptions) (app.PointSearch, error) {
	second, err := rules.Open(g.Name(), string(g.AppendPosition(nil, root)))
	if err != nil {
		return nil, err
	}
	searcher := second.(proof.PlainSearcher[rules.Position])
	s, err := othellosolver.New(g, root, othellosolver.Config{
		Dir: o.Dir, Memory: o.Memory, Every: o.Every, Positions: othellosolver.DefaultPositions,
		Settle: func(own, opposite uint64, points int, most uint64) (bool, uint64, bool, error) {
			p, err := second.ParsePosition(string(g.AppendPosition(nil, g.Position(own, opposite))))
			if err != nil {
				return false, 0, false, err
			}
			reached, positions, settled := searcher.SearchPlainly(p, points, most)
			return reached, positions, settled, nil
		},
		Progress: func(p othellosolver.Progress) {
			o.Progress(func() string { return othelloLine(p) }, othelloRecord(p))
		},
	})
	if err != nil {
		return nil, err
	}
	return &othelloSearch{s, g, root}, nil
}

// Line implements [PointSearch].
func (s *othelloSearch) Line(ctx context.Context) (moves []string, end string, err error) {
	line, err := s.Solver.Line(ctx)
	p := s.root
	for _, m := range line {
		moves = append(moves, string(s.game.AppendMove(nil, p, m)))
		p = s.game.Play(p, m)
	}
	board := string(s.game.AppendPosition(nil, p))
	board = board[:len(board)-len(" X")]
	return moves, fmt.Sprintf("%d:%d", strings.Count(board, "X"), strings.Count(board, "O")), err
}

func othelloLine(p othellosolver.Progress) string {
	if p.Written > 0 {
		return fmt.Sprintf("%s  proof of %d points: %s, %s left to the check", ui.Seconds(p.Time), p.Points, ui.Counted(p.Written, "node"), ui.Counted(p.Positions, "position"))
	}
	at := ""
	for _, s := range p.Path {
		at += fmt.Sprintf(", %d of %d", s.At, s.Of)
	}
	return fmt.Sprintf("%s  at least %d? %s, %s kept; move%s", ui.Seconds(p.Time), p.Points, ui.Counted(p.Nodes, "position"), ui.Grouped(p.Kept), strings.TrimPrefix(at, ","))
}

func othelloRecord(p othellosolver.Progress) any {
	return struct {
		Seconds   float64              `json:"seconds"`
		Points    int                  `json:"points"`
		Nodes     uint64               `json:"nodes"`
		Kept      uint64               `json:"kept"`
		Path      []othellosolver.Step `json:"path"`
		Written   uint64               `json:"written"`
		Positions uint64               `json:"positions"`
	}{p.Time.Seconds(), p.Points, p.Nodes, p.Kept, p.Path, p.Written, p.Positions}
}
