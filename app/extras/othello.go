package extras

import (
	"context"
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/rules"
	othellosolver "github.com/yomikiri/yomikiri/solver/othello"
)

// othelloSearch is an [app.PointSearch].
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
		Dir: o.Dir, Memory: o.Memory, Nodes: o.Nodes, Every: o.Every, Positions: othellosolver.DefaultPositions,
		Settle: func(own, opposite uint64, points int, most uint64) (bool, uint64, bool, error) {
			p, err := second.ParsePosition(string(g.AppendPosition(nil, g.Position(own, opposite))))
			if err != nil {
				return false, 0, false, err
			}
			reached, positions, settled := searcher.SearchPlainly(p, points, most)
			return reached, positions, settled, nil
		},
		Progress: func(p othellosolver.Progress) {
			at := make([]app.PointStep, len(p.Path))
			for i, s := range p.Path {
				at[i] = app.PointStep(s)
			}
			o.Progress(app.PointProgress{Seconds: p.Time.Seconds(), Points: p.Points, Nodes: p.Nodes, Kept: p.Kept, Path: at, Written: p.Written, Positions: p.Positions})
		},
	})
	if err != nil {
		return nil, err
	}
	return &othelloSearch{s, g, root}, nil
}

// Line implements [app.PointSearch].
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
