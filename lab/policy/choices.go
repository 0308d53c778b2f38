package policy

import (
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/learn"
)

// Choices are the moves of positions by their features, and which of them was played.
type Choices struct {
	set    *games.MoveFeatureSet
	begin  []int32  // of each group, less one: features are numbered from 1, and 0 is none
	moves  []uint16 // a feature of each group for each move
	list   []choice
	groups int
}

// choice is a position. Its moves follow those of the position before.
type choice struct {
	end    int // of its moves
	played int // as the moves are numbered
	group  int // see [learn.Game]
	part   int // of the data
}

// NewChoices returns no choices, for a set of features.
func NewChoices(set *games.MoveFeatureSet) *Choices {
	x := &Choices{set: set, groups: len(set.Sizes)}
	at := int32(0)
	for _, size := range set.Sizes {
		x.begin = append(x.begin, at)
		at += size
	}
	return x
}

// Len returns the number of positions, and Moves that of all their moves.
func (x *Choices) Len() int   { return len(x.list) }
func (x *Choices) Moves() int { return len(x.moves) / x.groups }

// Signature returns a hash of the choices.
func (x *Choices) Signature() uint64 {
	h := xxhash.New()
	fmt.Fprint(h, x.set.Version, x.moves, x.list)
	return h.Sum64()
}

// Parts returns the number of parts of the data: one more than the highest number of a part.
func (x *Choices) Parts() (n int) {
	for i := range x.list {
		n = max(n, x.list[i].part+1)
	}
	return n
}

func (x *Choices) first(i int) int {
	if i == 0 {
		return 0
	}
	return x.list[i-1].end
}

// Add adds a position with the features of its moves, as [games.MoveFeatures] appends them. played is the number
// of the move that was played, and part that of the part of the data.
func (x *Choices) Add(group, part int, features []int32, played int) {
	first := x.Moves()
	for i, f := range features {
		if f != games.NoFeature {
			f += x.begin[i%x.groups]
		}
		x.moves = append(x.moves, uint16(f+1))
	}
	x.list = append(x.list, choice{end: x.Moves(), played: first + played, group: group, part: part})
}

// AddGame adds the positions of a game in which there is a choice, one of every so many. The game has a number, for parts of
// the data.
func AddGame[P, M comparable](x *Choices, g games.Game[P, M], f games.MoveFeatures[P, M], number int, game *learn.Game[P, M], every int, parts learn.Parts) {
	var moves []M
	var features []int32
	var last *M
	p := game.From
	for i := range game.Moves {
		m := &game.Moves[i]
		if (i+game.Group)%every == 0 {
			if moves = g.AppendMoves(moves[:0], p); len(moves) > 1 {
				features = f.AppendMoveFeatures(features[:0], p, last, moves)
				for n := range moves {
					if moves[n] == *m {
						x.Add(game.Group, parts.Of(number, i, len(game.Moves)), features, n)
					}
				}
			}
		}
		p, last = g.Play(p, *m), m
	}
}

// row returns the features of a move, 0 for none.
func (x *Choices) row(move int) []uint16 { return x.moves[move*x.groups : (move+1)*x.groups] }
