package games

import "math"

// Features is OPTIONAL: it describes positions by numbered features, whose weights make an
// evaluation. Without it nothing can judge positions that are not solved.
type Features[P comparable] interface {
	// FeatureSet describes the features. It returns the same in every call.
	FeatureSet() *FeatureSet

	// AppendFeatures appends the features of the unfinished position p to dst. A feature
	// may occur more than once. Equal positions (see [Canonicalizer]) have features that
	// add up to the same counts.
	AppendFeatures(dst []Feature, p P) []Feature
}

// Feature says how often a feature occurs for the side to move, minus for its opponent.
type Feature struct {
	Number int32 // in 0..Size-1 of the [FeatureSet]
	Count  int32
}

// FeatureSet describes the features of a game.
type FeatureSet struct {
	// Version names the meaning of the numbers, such as "checkers-8x8-1". Weights belong to
	// one version.
	Version string
	// Size is the number of features.
	Size int
	// Coarse is the number of coarse features, which are numbered from Size on. A coarse
	// feature occurs as often as all the features that it stands for together. It teaches
	// them what they have in common, which matters for those that occur rarely.
	Coarse int
	// AppendCoarse appends the numbers of the coarse features that stand for a feature to
	// dst. It is nil if there are none.
	AppendCoarse func(dst []int32, feature int32) []int32
	// Weights are the weights that the game comes with: Size+Coarse of them. An evaluation
	// of 256 means that the side to move wins 73 % of the games (see package play); if the game has
	// scores, a point counts 100.
	Weights []float32
	// Made are weights made by hand, from which learning may begin. It is nil if Weights are.
	Made []float32
	// Material are the weights of the pieces alone, or all 0 if the score is all the material. It is nil for
	// a game without pieces that differ in number or kind.
	Material []float32
	// Calibration says how far estimates by Weights can be trusted.
	Calibration Calibration
}

// Calibration says how far the estimates of a search can be trusted, as measured in games; see docs/judging.md and docs/marks.md. It is zero
// where that is not known.
type Calibration struct {
	// Doubt is by how much of the win rate the estimates of two moves must differ before the worse one is likely to
	// lose something. From 1 on only values mark moves.
	Doubt float64
	// Optimism is by how much the score of a search is too high for the side to move, for even and for odd depths:
	// without it, scores of a position and of the next one do not add up to 0 on average.
	Optimism [2]int32
	// Confirm is how many times as many positions as before deciders search to confirm that a move is bad; 0 means 4.
	Confirm uint64
}

// ByHand returns the weights that are made by hand.
func (s *FeatureSet) ByHand() []float32 {
	if s.Made != nil {
		return s.Made
	}
	return s.Weights
}

// Folded returns what each feature weighs together with the coarse features that stand for
// it, rounded: Size numbers.
func (s *FeatureSet) Folded(weights []float32) []int16 {
	folded := make([]int16, s.Size)
	var coarse []int32
	for i := range folded {
		sum := weights[i]
		if s.AppendCoarse != nil {
			coarse = s.AppendCoarse(coarse[:0], int32(i))
			for _, c := range coarse {
				sum += weights[c]
			}
		}
		folded[i] = int16(min(max(float32(math.RoundToEven(float64(sum))), -maxWeight), maxWeight))
	}
	return folded
}

const maxWeight = 16_000
