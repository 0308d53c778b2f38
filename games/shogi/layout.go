package shogi

import (
	"slices"

	"github.com/yomikiri/yomikiri/games"
)

var layout = func() games.Layout {
	var list []games.PieceKind
	for k := Pawn; k < kinds; k++ {
		list = append(list, games.PieceKind{
			Name: k.String(), Text: k.Kanji(),
			Hand: k < King, Promoted: k.isPromoted(),
		})
	}
	l := games.NewLayout(games.Grid, games.Labels(9, '9', -1), games.Labels(9, 'a', 1), list...)
	l.Set = games.ShogiSet
	return l
}()

// fromTop returns square i of the layout, which counts from 9a to 1a, then from 9b on.
func fromTop(i int) Square { return SquareAt(9-i%9, 1+i/9) }

func (Game) Layout() games.Layout { return layout }

func (Game) Board(p Position) games.Board {
	b := games.Board{Turn: 1 + int(p.turn), Pieces: []games.Piece{}}
	for i, name := range layout.Squares {
		if piece := p.At(fromTop(i)); piece != NoPiece {
			b.Pieces = append(b.Pieces, games.Piece{
				Kind: piece.Kind().String(), Side: 1 + int(piece.Color()), Square: name,
			})
		}
	}
	for c := Black; c <= White; c++ {
		for _, k := range handOrder {
			if n := p.hands[c].Count(k); n > 0 {
				b.Pieces = append(b.Pieces, games.Piece{Kind: k.String(), Side: 1 + int(c), Count: n})
			}
		}
	}
	return b
}

func (Game) SetUp(b games.Board) (Position, error) {
	squares, hand, err := layout.Place(b)
	if err != nil {
		return Position{}, err
	}
	p := Position{turn: Color(b.Turn - 1)}
	for i, piece := range squares {
		if piece.Kind != "" {
			p.board[fromTop(i)] = PieceOf(Color(piece.Side-1), kindOfName(piece.Kind))
		}
	}
	for _, piece := range hand {
		k, held := kindOfName(piece.Kind), &p.hands[piece.Side-1]
		if piece.Count > inAll[k] {
			return Position{}, tooManyInHand(piece.Count, k)
		}
		*held += Hand(piece.Count) * handOne[k]
	}
	if err := p.check(); err != nil {
		return Position{}, err
	}
	return p, nil
}

// kindOfName returns the kind with the name of a kind of the layout.
func kindOfName(name string) Kind { return Kind(slices.Index(kindNames[:], name)) }

func (Game) Trace(_ Position, m Move) games.Trace {
	if m.IsDrop() {
		return games.Trace{Drop: m.Dropped().String(), Squares: []string{m.To().String()}}
	}
	return games.Trace{Squares: []string{m.From().String(), m.To().String()}}
}
