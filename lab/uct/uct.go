package uct

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/lab/policy"
)

// Config configures a [Searcher].
type Config struct {
	// Playouts is how many a search makes.
	Playouts int
	// Policy, if not nil, chooses the moves of playouts.
	Policy *policy.Policy
	// Prior lets the policy also choose which moves the tree tries first.
	Prior bool
	// Exploration is how much moves count that were tried rarely; 0 means 1.
	Exploration float64
	// Plies ends a playout as a draw; 0 means 512.
	Plies int
}

// ErrScores is returned for a game with scores: a playout only says who has won.
var ErrScores = errors.New("games with scores cannot be played by playouts")

// node is a position in the tree.
type node[P, M comparable] struct {
	position P
	move     M // that led here
	first    int32
	children int32 // from first on; 0 before the node is expanded
	visits   int32
	finished bool
	value    float32 // for the side to move, if finished
	prior    float32
	points   float64 // of the visits, for the side that made the move
}

// Searcher looks for good moves. It belongs to one goroutine.
type Searcher[P, M comparable] struct {
	Config
	game     games.Game[P, M]
	features games.MoveFeatures[P, M] // nil without a policy, as chooser
	chooser  *policy.Chooser          //
	rng      *rand.Rand
	tree     []node[P, M]
	path     []int32
	moves    []M       // buffers
	numbers  []int32   //
	chances  []float64 //
	last     M         //
}

// New returns a searcher.
func New[P, M comparable](g games.Game[P, M], c Config) (*Searcher[P, M], error) {
	if _, scored := games.As[games.Scorer[P, M]](g); scored {
		return nil, fmt.Errorf("%s: %w", g.Name(), ErrScores)
	}
	s := &Searcher[P, M]{Config: c, game: g}
	if c.Policy != nil {
		f, err := policy.MoveFeaturesOf(g)
		if err != nil {
			return nil, err
		}
		s.features, s.chooser = f, c.Policy.Chooser()
	}
	if s.Plies == 0 {
		s.Plies = 512
	}
	if s.Exploration == 0 {
		s.Exploration = 1
	}
	return s, nil
}

// Tried is a move at the root.
type Tried[M comparable] struct {
	Move   M
	Visits int
	// Rate is the mean of the points of these playouts: 1 for a win, 0.5 for a draw.
	Rate float64
}

// Search returns the legal moves of the unfinished position p, the one that was tried most often first. last is the
// move that led to p, nil if it is not known. The same seed gives the same result. If ctx ends it returns its error.
func (s *Searcher[P, M]) Search(ctx context.Context, p P, last *M, seed uint64) ([]Tried[M], error) {
	s.rng = rand.New(rand.NewPCG(seed, 0))
	s.tree = append(s.tree[:0], node[P, M]{position: p})
	s.expand(0, last)
	for i := range max(s.Playouts, 1) {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.once()
	}
	root := &s.tree[0]
	var list []Tried[M]
	best := 0
	for i := range root.children {
		n := &s.tree[root.first+i]
		t := Tried[M]{Move: n.move, Visits: int(n.visits)}
		if n.visits > 0 {
			t.Rate = n.points / float64(n.visits)
		}
		list = append(list, t)
		if b := &list[best]; t.Visits > b.Visits || t.Visits == b.Visits && t.Rate > b.Rate {
			best = int(i)
		}
	}
	list[0], list[best] = list[best], list[0]
	return list, nil
}

// once goes down the tree, makes a playout, and counts it.
func (s *Searcher[P, M]) once() {
	at := int32(0)
	s.path = append(s.path[:0], at)
	for !s.tree[at].finished {
		if s.tree[at].children == 0 {
			if s.tree[at].visits == 0 {
				break
			}
			s.expand(at, &s.tree[at].move)
		}
		at = s.choose(at)
		s.path = append(s.path, at)
	}
	n := &s.tree[at]
	points := float64(n.value) // for the side to move there
	if !n.finished {
		points = s.playout(n.position, n.move)
	}
	for i := len(s.path) - 1; i >= 0; i-- {
		points = 1 - points
		n := &s.tree[s.path[i]]
		n.visits++
		n.points += points
	}
}

// expand adds the positions after an unfinished one to the tree, in random order.
func (s *Searcher[P, M]) expand(at int32, last *M) {
	p := s.tree[at].position
	s.moves = s.game.AppendMoves(s.moves[:0], p)
	sum := 0.0
	if s.Prior {
		sum = s.weigh(p, last)
	}
	first := int32(len(s.tree))
	for i, m := range s.moves {
		n := node[P, M]{position: s.game.Play(p, m), move: m}
		if s.Prior {
			n.prior = float32(s.chances[i] / sum)
		}
		var v games.Value
		if v, n.finished = s.game.Outcome(n.position); n.finished {
			n.value = float32(pointsOf(v))
		}
		s.tree = append(s.tree, n)
	}
	added := s.tree[first:]
	s.rng.Shuffle(len(added), func(i, j int) { added[i], added[j] = added[j], added[i] })
	s.tree[at].first, s.tree[at].children = first, int32(len(added))
}

// pointsOf returns the points for the side to move of a game that is over.
func pointsOf(v games.Value) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return 0
	}
	return 0.5
}

// choose returns the child to visit.
func (s *Searcher[P, M]) choose(at int32) int32 {
	parent := &s.tree[at]
	best, most := parent.first, math.Inf(-1)
	visits := float64(parent.visits)
	root, log := math.Sqrt(visits), math.Log(visits+1)
	rate := 0.5 // of the side to move so far
	if parent.visits > 0 {
		rate = 1 - parent.points/visits
	}
	for i := parent.first; i < parent.first+parent.children; i++ {
		n := &s.tree[i]
		promise := rate
		if n.visits > 0 {
			promise = n.points / float64(n.visits)
		}
		switch {
		case s.Prior:
			promise += s.Exploration * float64(n.prior) * root / float64(1+n.visits)
		case n.visits == 0:
			return i
		default:
			promise += s.Exploration * math.Sqrt(log/float64(n.visits))
		}
		if promise > most {
			best, most = i, promise
		}
	}
	return best
}

// playout plays on from an unfinished position and returns the points of the side to move.
func (s *Searcher[P, M]) playout(p P, last M) float64 {
	s.last = last
	for ply := range s.Plies {
		if v, finished := s.game.Outcome(p); finished {
			if ply%2 == 1 {
				return 1 - pointsOf(v)
			}
			return pointsOf(v)
		}
		s.moves = s.game.AppendMoves(s.moves[:0], p)
		chosen := 0
		if s.chooser == nil {
			chosen = s.rng.IntN(len(s.moves))
		} else {
			for x := s.rng.Float64() * s.weigh(p, &s.last); chosen < len(s.moves)-1; chosen++ {
				if x -= s.chances[chosen]; x < 0 {
					break
				}
			}
		}
		s.last = s.moves[chosen]
		p = s.game.Play(p, s.last)
	}
	return 0.5
}

// weigh computes the chances of the moves in s.moves, and returns their sum.
func (s *Searcher[P, M]) weigh(p P, last *M) (sum float64) {
	s.numbers = s.features.AppendMoveFeatures(s.numbers[:0], p, last, s.moves)
	s.chances, sum = s.chooser.AppendChances(s.chances[:0], s.numbers)
	return sum
}
