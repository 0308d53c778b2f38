package games

// MoveFeatures is OPTIONAL: it describes moves by numbered features, from which is learned how probable it
// is that a move is played.
type MoveFeatures[P, M comparable] interface {
	// MoveFeatureSet describes the features. It returns the same in every call.
	MoveFeatureSet() *MoveFeatureSet

	// AppendMoveFeatures appends to dst the features of legal moves in the unfinished position p: for each
	// move the number of a feature of each group, or [NoFeature]. last is the move that led to p, nil if it
	// is not known. Without it, equal positions (see [Canonicalizer]) have moves with the same features.
	AppendMoveFeatures(dst []int32, p P, last *M, moves []M) []int32
}

// NoFeature says that a move has no feature of a group.
const NoFeature int32 = -1

// MoveFeatureSet describes the features of a game's moves.
type MoveFeatureSet struct {
	// Version names the meaning of the numbers, such as "connect4-moves-1". What is learned belongs to one
	// version.
	Version string
	// Sizes are the numbers of features of each group. They are numbered from 0 in each.
	Sizes []int32
}

// Size returns the number of all features.
func (s *MoveFeatureSet) Size() (n int) {
	for _, size := range s.Sizes {
		n += int(size)
	}
	return n
}
