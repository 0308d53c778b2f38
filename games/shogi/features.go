package shogi

import (
	_ "embed"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

var _ games.Features[Position] = Game{}

// The features are numbered in this order. Those with a king are seen by its side: turned
// for White, and mirrored so that the king is on files 1 to 5.
const (
	turnFeature  = 0                               // whose turn it is
	boardFeature = turnFeature + 1                 // by kind: a piece on the board
	handFeature  = boardFeature + int(kinds)       // by kind and n: at least n in hand; see handNumber
	kingFeature  = handFeature + handFeatures      // by square of the king, piece and square of the piece
	features     = kingFeature + kingFeatures      //
	coarseHand   = features                        // by kind: a piece in hand
	coarseSquare = coarseHand + int(handKinds)     // by piece and square: a piece there, wherever the king is
	coarseStep   = coarseSquare + pieces*squares   // by piece and displacement from the king
	coarseEnd    = coarseStep + pieces*displacings //

	handFeatures = 18 + 4*4 + 2*2
	kingSquares  = 45
	kingFeatures = kingSquares * pieces * squares
	pieces       = 27 // 13 kinds beside a king of its own side and 14 of the other

	filesApart  = 9  // to either side
	ranksApart  = 17 // 8 ahead to 8 behind
	displacings = filesApart * ranksApart
)

//go:embed weights.bin
var weightsFile []byte

var featureSet = sync.OnceValue(func() *games.FeatureSet {
	s := &games.FeatureSet{
		Version:      "shogi-1",
		Size:         features,
		Coarse:       coarseEnd - features,
		AppendCoarse: appendCoarse,
		Weights:      madeWeights(),
		Calibration:  games.Calibration{Optimism: [2]int32{16, 30}},
	}
	s.Material = s.Weights
	s.Embed(weightsFile)
	return s
})

// FeatureSet implements [games.Features]: material on the board and in the hands, and each piece's
// place beside both kings. Docs/learning.md says how the weights were learned.
func (Game) FeatureSet() *games.FeatureSet { return featureSet() }

// AppendFeatures implements [games.Features].
func (Game) AppendFeatures(dst []games.Feature, p Position) []games.Feature {
	add := func(number int, c Color) {
		f := games.Feature{Number: int32(number), Count: 1}
		if c != p.turn {
			f.Count = -1
		}
		dst = append(dst, f)
	}
	add(turnFeature, p.turn)
	kings := [2]Square{p.King(Black), p.King(White)}
	for s, piece := range p.board {
		if piece == NoPiece {
			continue
		}
		if k := piece.Kind(); k != King {
			add(boardFeature+int(k), piece.Color())
		}
		for c, king := range kings {
			if king != NoSquare && king != Square(s) {
				add(kingNumber(Color(c), king, piece, Square(s)), Color(c))
			}
		}
	}
	for c := Black; c <= White; c++ {
		for k := Pawn; k <= Gold; k++ {
			for n := range p.hands[c].Count(k) {
				add(handNumber(k, n+1), c)
			}
		}
	}
	return dst
}

var handBegin = func() (begin [handKinds + 1]int) {
	at := handFeature
	for k := Pawn; k < handKinds; k++ {
		begin[k] = at
		at += inAll[k]
	}
	begin[handKinds] = at
	return begin
}()

// handNumber returns the feature of at least n pieces of a kind in hand, n from 1.
func handNumber(k Kind, n int) int { return handBegin[k] + n - 1 }

// kingNumber returns the feature of a piece on a square beside the king of c.
func kingNumber(c Color, king Square, piece Piece, s Square) int {
	if c == White {
		king, s = squares-1-king, squares-1-s
	}
	if king.File() > 5 || king.File() == 5 && s.File() > 5 {
		king, s = king.mirrored(), s.mirrored()
	}
	return kingFeature + (int(king)*pieces+pieceNumber(c, piece))*squares + int(s)
}

// mirrored returns the square on the same rank as far from the other edge.
func (s Square) mirrored() Square { return SquareAt(10-s.File(), s.Rank()) }

// pieceNumber returns a number in 0..pieces-1 for a piece as c sees it, which is not its king.
func pieceNumber(c Color, piece Piece) int {
	k := int(piece.Kind())
	switch {
	case piece.Color() != c:
		return 12 + k
	case k > int(King):
		return k - 2
	}
	return k - 1
}

// appendCoarse appends the coarse features of a feature.
func appendCoarse(dst []int32, feature int32) []int32 {
	n := int(feature)
	switch {
	case n < handFeature:
		return dst
	case n < kingFeature:
		k := Pawn
		for handBegin[k+1] <= n {
			k++
		}
		return append(dst, int32(coarseHand+int(k)))
	}
	n -= kingFeature
	s, piece, king := Square(n%squares), n/squares%pieces, Square(n/squares/pieces)
	files, ranks := s.File()-king.File(), s.Rank()-king.Rank()
	files = max(files, -files)
	if s.File() > 5 {
		s = s.mirrored()
	}
	return append(dst,
		int32(coarseSquare+piece*squares+int(s)),
		int32(coarseStep+(piece*filesApart+files)*ranksApart+ranks+8))
}

// What pieces are worth, in hundredths of a pawn. A piece in hand is worth a little more.
var (
	boardValue = [16]int32{
		Pawn: 100, Lance: 300, Knight: 320, Silver: 480, Gold: 540, Bishop: 800, Rook: 950,
		PromotedPawn: 420, PromotedLance: 440, PromotedKnight: 460, PromotedSilver: 520, Horse: 1100, Dragon: 1300,
	}
	handValue = [handKinds]int32{Pawn: 110, Lance: 330, Knight: 350, Silver: 520, Gold: 580, Bishop: 870, Rook: 1030}
)

// madeWeights returns weights made by hand: material alone.
func madeWeights() []float32 {
	w := make([]float32, coarseEnd)
	w[turnFeature] = 30
	for k, v := range boardValue {
		w[boardFeature+k] = float32(v)
	}
	for k := Pawn; k < handKinds; k++ {
		w[coarseHand+int(k)] = float32(handValue[k])
	}
	return w
}
