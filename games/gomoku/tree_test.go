package gomoku

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkTree plays every reply to every move of a tree and says where it does not
// win. It knows the rules only. The attacker is to move in p.
func checkTree(g *Game, p Position, t *Tree) error {
	attacker := p.toMove
	if empty := g.EmptySquares(p); !empty.Has(t.Move) {
		return fmt.Errorf("%v is not empty in %s", t.Move, g.AppendPosition(nil, p))
	}
	p = g.Play(p, t.Move)
	if won := g.hasLine(&p.stones[attacker]); won || t.Wins {
		if won != t.Wins {
			return fmt.Errorf("%v wins: %v, the tree says %v: %s", t.Move, won, t.Wins, g.AppendPosition(nil, p))
		}
		return nil
	}
	empty := g.EmptySquares(p)
	if empty.Empty() {
		return fmt.Errorf("the board is full: %s", g.AppendPosition(nil, p))
	}
	for reply := range empty.All() {
		q := g.Play(p, reply)
		if g.hasLine(&q.stones[attacker.Opponent()]) {
			return fmt.Errorf("%v wins for the defender: %s", reply, g.AppendPosition(nil, q))
		}
		if err := checkTree(g, q, t.After(reply)); err != nil {
			return err
		}
	}
	return nil
}

// middleGame plays random moves near other stones until there are so many.
func middleGame(g *Game, rng *rand.Rand, stones int) Position {
	for {
		p := g.Start()
		for range stones {
			moves := g.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			near := moves[:0:0]
			for _, m := range moves {
				for d := range Square(numbers) {
					if _, ok := p.At(d); ok && abs(d.Row()-m.Row()) <= 2 && abs(d.Column()-m.Column()) <= 2 {
						near = append(near, m)
						break
					}
				}
			}
			if len(near) == 0 {
				near = moves[len(moves)/2 : len(moves)/2+1]
			}
			p = g.Play(p, near[rng.IntN(len(near))])
		}
		if _, finished := g.Outcome(p); !finished {
			return p
		}
	}
}

func abs(n int) int { return max(n, -n) }

// TestThreatSpace checks the trees that threat-space search finds in random
// positions of the middle of a game.
func TestThreatSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, spec := range []string{"gomoku", "gomoku:rule=exact", "gomoku:size=9x9,k=4", "gomoku:size=9x9,k=4,rule=exact", "gomoku:size=19x19,k=6"} {
		g := open(t, spec)
		s := NewSearcher(g, 14)
		tried, vcf, more := 0, 0, 0
		for range 500 {
			p := middleGame(g, rng, 10+rng.IntN(20))
			b := g.NewBoard(p)
			if fives := b.Fives(p.toMove); !fives.Empty() {
				continue
			}
			tried++
			_, verdict := s.VCF(b, p.toMove, AllMoves, 0)
			tree := s.ThreatSpace(b, p.toMove)
			require.Equal(t, p, b.Position(p.toMove))
			if verdict == Proven {
				vcf++
			}
			if tree == nil {
				require.Equal(t, Refuted, verdict)
				continue
			}
			if verdict != Proven {
				more++
			}
			require.NoError(t, checkTree(g, p, tree), "%s %v", g.AppendPosition(nil, p), tree.Line())
		}
		t.Log(spec, "tried", tried, "vcf", vcf, "more", more)
	}
}

func BenchmarkThreatSpace(bench *testing.B) {
	g := open(bench, "gomoku")
	rng := rand.New(rand.NewPCG(3, 3))
	s := NewSearcher(g, 12)
	var boards []*Board
	var sides []Side
	for range 1000 {
		p := middleGame(g, rng, 10+rng.IntN(20))
		boards = append(boards, g.NewBoard(p))
		sides = append(sides, p.toMove)
	}
	for bench.Loop() {
		for i, b := range boards {
			s.ThreatSpace(b, sides[i])
		}
	}
	bench.ReportMetric(float64(bench.Elapsed().Nanoseconds())/float64(bench.N*len(boards)), "ns/search")
}
