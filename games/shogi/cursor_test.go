package shogi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// TestCaptures compares captures with the moves that they are among.
func TestCaptures(t *testing.T) {
	var captures, promotions, evasions int
	walk(rand.New(rand.NewPCG(7, 7)), sizes(300, 3000), 40, func(b *Board) {
		want := []Move{}
		for _, m := range b.AppendMoves(nil) {
			if m.IsDrop() {
				continue
			}
			c, k, taken := b.Turn(), b.At(m.From()).Kind(), b.At(m.To()) != NoPiece
			mayPromote := (k == Pawn || k == Bishop || k == Rook) && (m.From().InZone(c) || m.To().InZone(c))
			if m.Promotes() && mayPromote || taken && !mayPromote {
				want = append(want, m)
				switch {
				case b.InCheck():
					evasions++
				case taken:
					captures++
				default:
					promotions++
				}
			}
		}
		require.Equal(t, want, b.AppendCaptures([]Move{}), sfenOf(b.Position()))
	})
	require.Greater(t, min(captures, promotions, evasions), 300, "%d captures, %d promotions, %d in check", captures, promotions, evasions)
}

// TestAttackCounts compares counts with those of the slow model, for which every square in turn
// is one that a piece of the other side stands on.
func TestAttackCounts(t *testing.T) {
	walk(rand.New(rand.NewPCG(8, 8)), sizes(20, 200), 20, func(b *Board) {
		sfen := sfenOf(b.Position())
		own, opposite := Game{}.Influence(b.Position())
		for i := range squares {
			require.Equal(t, slowAttacks(newMailbox(sfen), b.Turn() == White, i/9, i%9), int(own[i]), "the side to move attacks %v in %s", fromTop(i), sfen)
			require.Equal(t, slowAttacks(newMailbox(sfen), b.Turn() == Black, i/9, i%9), int(opposite[i]), "its opponent attacks %v in %s", fromTop(i), sfen)
		}
	})
}

// slowAttacks counts the pieces of a side that can go to a square once an enemy stands there.
func slowAttacks(m *mailbox, white bool, rank, column int) (n int) {
	m.board[rank][column] = 'P'
	if !white {
		m.board[rank][column] = 'p'
	}
	for r := range 9 {
		for c := range 9 {
			if p := m.board[r][c]; p != 0 && isWhite(p) == white {
				m.visit(r, c, func(r, c int) bool {
					if r == rank && c == column {
						n++
					}
					return true
				})
			}
		}
	}
	return n
}

// TestLosing compares the exchange with a plain search of it.
func TestLosing(t *testing.T) {
	var losing, winning, drops int
	walk(rand.New(rand.NewPCG(9, 9)), sizes(200, 2000), 40, func(b *Board) {
		for _, m := range b.AppendMoves(nil) {
			squares := b.squares
			kind, value := NoKind, int32(0)
			if m.IsDrop() {
				kind = m.Dropped()
			} else {
				kind = squares[m.From()].Kind()
				value = exchangeValue[squares[m.To()].Kind()]
				squares[m.From()] = NoPiece
			}
			if m.Promotes() {
				value += promotionValue[kind]
				kind += Promoted
			}
			squares[m.To()] = PieceOf(b.Turn(), kind)
			value -= slowExchange(squares, m.To(), b.Turn().Other())
			require.Equal(t, value < 0, b.losing(m), "%v in %s", m, sfenOf(b.Position()))
			if value < 0 {
				losing++
			} else {
				winning++
			}
			if m.IsDrop() {
				drops++
			}
		}
	})
	require.Greater(t, min(losing, winning, drops), 1000)
}

func sfenOf(p Position) string { return p.SFEN() }

// slowExchange returns what c wins by captures on a square, each by its least valuable piece.
func slowExchange(board [squares]Piece, to Square, c Color) int32 {
	var occupied Bitboard
	for s, piece := range board {
		if piece != NoPiece {
			occupied = occupied.or(squareBit[s])
		}
	}
	from, least := NoSquare, int32(0)
	for s, piece := range board {
		if piece == NoPiece || piece.Color() != c || !attacksOf(piece, Square(s), occupied).Has(to) {
			continue
		}
		if v := exchangeValue[piece.Kind()]; from == NoSquare || v < least {
			from, least = Square(s), v
		}
	}
	if from == NoSquare {
		return 0
	}
	gain := exchangeValue[board[to].Kind()]
	board[to], board[from] = board[from], NoPiece
	return max(0, gain-slowExchange(board, to, c.Other()))
}

// TestEvaluate compares the sum kept by moves with that of a cursor set anew, and with the
// features.
func TestEvaluate(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	weights := randomWeights(rng)
	c, fresh := Game{}.NewCursor(weights), Game{}.NewCursor(weights)
	for moves := sizes(20_000, 1_000_000); moves > 0; {
		p := Start()
		if rng.IntN(2) == 0 {
			p = randomPosition(rng)
		}
		c.Set(p)
		for range 200 {
			if rng.IntN(8) == 0 && c.Pass() && rng.IntN(2) == 0 {
				c.Undo()
			}
			list := c.AppendMoves(nil)
			if len(list) == 0 {
				break
			}
			c.Do(list[rng.IntN(len(list))])
			if rng.IntN(8) == 0 {
				c.Undo()
			}
			moves--
			fresh.Set(c.Position())
			require.Equal(t, fresh.Evaluate(), c.Evaluate(), sfenOf(c.Position()))
			require.Equal(t, fresh.Key(), c.Key(), sfenOf(c.Position()))
			if moves%16 == 0 {
				p := c.Position()
				require.Equal(t, slowSum(weights, p), c.Evaluate(), p.SFEN())
			}
		}
	}
}

func randomWeights(rng *rand.Rand) []int16 {
	weights := make([]int16, featureSet().Size)
	for i := range weights {
		weights[i] = int16(rng.IntN(2001) - 1000)
	}
	return weights
}

func slowSum(weights []int16, p Position) (sum int) {
	for _, f := range (Game{}).AppendFeatures(nil, p) {
		sum += int(f.Count) * int(weights[f.Number])
	}
	return sum
}

// TestSymmetry checks that the evaluation is the same for a position turned with its colours
// swapped and for its mirror image.
func TestSymmetry(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	weights := randomWeights(rng)
	walk(rng, sizes(100, 1000), 20, func(b *Board) {
		p := b.Position()
		mirror, turned := p, Position{turn: p.turn.Other(), hands: [2]Hand{p.hands[1], p.hands[0]}}
		for s, piece := range p.board {
			mirror.board[Square(s).mirrored()] = piece
			if piece != NoPiece {
				piece ^= 1 << 4
			}
			turned.board[squares-1-s] = piece
		}
		require.Equal(t, slowSum(weights, p), slowSum(weights, mirror), p.SFEN())
		require.Equal(t, slowSum(weights, p), slowSum(weights, turned), p.SFEN())
		passed := p
		passed.turn = p.turn.Other()
		require.Equal(t, 2*int(weights[turnFeature]), slowSum(weights, p)+slowSum(weights, passed), p.SFEN())
	})
}

// TestRepetition has a cycle without checks, and one of checks by either side.
func TestRepetition(t *testing.T) {
	for _, c := range []struct {
		position string
		moves    []string // the last is that which repeats the position
		plies    int
		want     games.Value
	}{
		{"startpos", []string{"2h3h", "8b7b", "3h2h", "7b8b"}, 4, games.Draw},
		// The rook checks from both sides of the king, which goes to and fro.
		{"k8/9/9/9/9/9/9/R8/8K w - 1", []string{"9a8a", "9h8h", "8a9a", "8h9h"}, 4, games.Win(0)},
		{"k8/9/9/9/9/9/9/1R7/8K b - 1", []string{"8h9h", "9a8a", "9h8h", "8a9a"}, 4, games.Loss(0)},
		// One of the two moves gives no check.
		{"k8/9/9/9/9/9/9/R8/8K w - 1", []string{"9a8a", "9h7h", "8a9a", "7h9h"}, 4, games.Draw},
	} {
		p, err := Game{}.ParsePosition(c.position)
		require.NoError(t, err)
		cursor := Game{}.NewCursor(nil)
		cursor.Set(p)
		key := cursor.Key()
		for _, text := range c.moves {
			m, err := Game{}.ParseMove(cursor.Position(), text)
			require.NoError(t, err)
			cursor.Do(m)
		}
		require.Equal(t, key, cursor.Key())
		require.Equal(t, c.want, cursor.Repetition(c.plies), c.position)
	}
}

// TestRanks checks the order of captures: the dearest piece first, by the cheapest one, and
// below all others those that lose material.
func TestRanks(t *testing.T) {
	for _, c := range []struct {
		position string
		want     []string
	}{
		{"4k4/9/9/3r1p3/3PG1S2/9/9/9/4K4 b -", []string{"6e6d", "5e6d", "3e4d", "5e4d"}},
		{"4k4/9/9/3r1p3/3PG4/9/9/9/4K4 b -", []string{"6e6d", "5e6d"}},           // the rook defends the pawn
		{"4k4/9/2P6/2r6/9/9/2B6/9/4K4 b -", []string{"7g1a+", "7g2b+", "7g3c+"}}, // the rook would take the pawn
		{"4k4/9/2P3p2/9/9/9/2B6/9/4K4 b -", []string{"7g3c+", "7c7b+"}},
	} {
		p, err := ParseSFEN(c.position + " 1")
		require.NoError(t, err)
		cursor := Game{}.NewCursor(nil)
		cursor.Set(p)
		moves, ranks := cursor.AppendTactical(nil, nil)
		require.Equal(t, ranks, cursor.AppendRanks(nil, moves))
		var order []string
		for len(moves) > 0 {
			i := slices.Index(ranks, slices.Max(ranks))
			order = append(order, moves[i].String())
			moves, ranks = slices.Delete(moves, i, i+1), slices.Delete(ranks, i, i+1)
		}
		require.Equal(t, c.want, order, c.position)

		all := cursor.AppendMoves(nil)
		b := new(Board)
		b.Set(p)
		for i, rank := range cursor.AppendRanks(nil, all) {
			require.Equal(t, b.changesMaterial(all[i]) && b.losing(all[i]), rank < 0, "%v in %s", all[i], c.position)
		}
	}
}
