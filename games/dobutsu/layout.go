package dobutsu

import (
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

// layoutOf describes a board of some number of ranks.
func layoutOf(ranks int) games.Layout {
	return games.NewLayout(games.Grid, games.Labels(files, 'a', 1), games.Labels(ranks, '1', 1),
		games.PieceKind{Name: kindNames[kindElephant], Text: "E", Hand: true},
		games.PieceKind{Name: kindNames[kindGiraffe], Text: "G", Hand: true},
		games.PieceKind{Name: kindNames[kindChick], Text: "C", Hand: true},
		games.PieceKind{Name: kindNames[kindHen], Text: "H", Promoted: true},
		games.PieceKind{Name: kindNames[kindLion], Text: "L"},
	)
}

// Layout implements [games.Describer].
func (g *Game) Layout() games.Layout { return g.layout }

// Board implements [games.Describer]: side 1 is sente.
func (g *Game) Board(p Position) games.Board {
	b := games.Board{Turn: 1, Pieces: []games.Piece{}}
	if p.gote {
		b.Turn = 2
	}
	for i, name := range g.layout.Squares {
		if k, gote, ok := p.at(g.squareAt(i%files, i/files, p.gote)); ok {
			side := 1
			if gote {
				side = 2
			}
			b.Pieces = append(b.Pieces, games.Piece{Kind: kindNames[k], Side: side, Square: name})
		}
	}
	sente, gote := p.players()
	for i, s := range []*side{sente, gote} {
		for k, n := range s.hand {
			if n > 0 {
				b.Pieces = append(b.Pieces, games.Piece{Kind: kindNames[k], Side: 1 + i, Count: int(n)})
			}
		}
	}
	return b
}

// SetUp implements [games.Describer].
func (g *Game) SetUp(b games.Board) (Position, error) {
	squares, hand, err := g.layout.Place(b)
	if err != nil {
		return Position{}, err
	}
	p := Position{gote: b.Turn == 2}
	sente, gote := p.players()
	owners := [...]*side{1: sente, 2: gote}
	for i, piece := range squares {
		if piece.Kind != "" {
			owners[piece.Side].board[kindOfName(piece.Kind)] |= 1 << g.squareAt(i%files, i/files, p.gote)
		}
	}
	for _, piece := range hand {
		owners[piece.Side].hand[kindOfName(piece.Kind)] += uint8(piece.Count)
	}
	if err := g.check(&p); err != nil {
		return Position{}, err
	}
	return p, nil
}

// kindOfName returns the kind with the name of a kind of the layout.
func kindOfName(name string) kind { return kind(slices.Index(kindNames[:], name)) }

// Trace implements [games.Describer].
func (g *Game) Trace(p Position, m Move) games.Trace {
	to := string(g.appendSquare(nil, int(m.to), p.gote))
	if k, ok := m.dropped(); ok {
		return games.Trace{Drop: kindNames[k], Squares: []string{to}}
	}
	return games.Trace{Squares: []string{string(g.appendSquare(nil, int(m.from), p.gote)), to}}
}
