package solver

import (
	"math/rand/v2"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gametest"
)

// seer is a graph with threats: it knows some values, and leaves out moves.
type seer struct {
	*gametest.Graph
	rng      *rand.Rand
	known    map[int]games.Result
	restrict bool // leaves out moves of the attacker that may win
	left     bool // it has left out some
}

// newSeer returns a seer of a graph that knows the values of all positions.
func newSeer(g *gametest.Graph, rng *rand.Rand, known map[int]games.Result, restrict bool) *seer {
	return &seer{Graph: g, rng: rng, known: known, restrict: restrict}
}

func (s *seer) NewBrancher() Brancher[int, int] { return s }

func (s *seer) AppendBranches(dst []Branch[int], p int, attackerToMove bool) ([]Branch[int], bool) {
	complete := true
	for _, m := range s.Moves[p] {
		wins := gametest.Negamax(s.Graph, m, s.known) == games.Won // for the side to move in m
		if attackerToMove {
			wins = gametest.Negamax(s.Graph, m, s.known) == games.Lost
		}
		branch := Branch[int]{Move: m, Proof: 1 + s.rng.Uint32N(3), Disproof: 1 + s.rng.Uint32N(3)}
		_, finished := s.Outcome(m)
		switch {
		case attackerToMove && s.restrict && s.rng.IntN(3) == 0:
			complete, s.left = false, true
			continue
		case !attackerToMove && wins && s.rng.IntN(2) == 0:
			continue // a move of the defender's that loses
		case finished || s.rng.IntN(4) == 0:
			if branch.Proof, branch.Disproof = 0, unproven; !wins {
				branch.Proof, branch.Disproof = unproven, 0
			}
		}
		dst = append(dst, branch)
	}
	return dst, complete
}

func (s *seer) AppendCertificate(dst []byte, _ int, _ bool) ([]byte, bool) { return dst, false }
