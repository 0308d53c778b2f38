package nim

import (
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// bySums wins by moves to a nim-sum of 0.
var bySums = &app.Attack[Game, Position]{
	Help: "by moves to a nim-sum of 0",
	New: func(g Game, p Position, _, _ uint64) (app.Attacker, error) {
		return &attacker{game: g, position: p}, nil
	},
	Backends: func(g Game, memory uint64, number int) ([]solver.Backend, error) {
		newBrancher := func() solver.Brancher[Position, Move] { return brancher{g} }
		return solver.NewBackends(g, newBrancher, solver.Config{Memory: memory}, number)
	},
}

type attacker struct {
	game     Game
	position Position
	nodes    uint64
}

func (a *attacker) Search(context.Context, uint64) (bool, error) {
	a.nodes = 1
	return a.position.sum() != 0, nil
}

func (a *attacker) Numbers() (proof, disproof uint32) {
	if a.position.sum() == 0 {
		return solver.Unproven, 0
	}
	return 0, solver.Unproven
}

func (a *attacker) Nodes() uint64  { return a.nodes }
func (a *attacker) Memory() uint64 { return 0 }

func (a *attacker) WriteProof(_ context.Context, w *proof.Writer) error {
	root, _, err := a.win(w, a.position)
	if err != nil {
		return err
	}
	return w.EndClaim(root)
}

// win writes the node of a position that the side to move wins, and those below it.
func (a *attacker) win(w *proof.Writer, p Position) (number, rank uint64, err error) {
	for _, m := range a.game.AppendMoves(nil, p) {
		q := a.game.Play(p, m)
		if q.sum() != 0 {
			continue
		}
		n := proof.Node{Kind: proof.Or, Uses: 1, Rank: 1, Position: []byte(p.String()), Move: a.game.AppendMove(nil, p, m)}
		if q != (Position{}) {
			child, rank, err := a.loss(w, q)
			if err != nil {
				return 0, 0, err
			}
			n.Children, n.Rank = []uint64{child}, rank+1
		}
		number, err = w.Add(&n)
		return number, n.Rank, err
	}
	return 0, 0, fmt.Errorf("%v is lost", p)
}

// loss writes the node of a position that the side to move loses.
func (a *attacker) loss(w *proof.Writer, p Position) (number, rank uint64, err error) {
	n := proof.Node{Kind: proof.And, Uses: 1, Rank: 1, Position: []byte(p.String())}
	for _, m := range a.game.AppendMoves(nil, p) {
		q := a.game.Play(p, m)
		if max(q[0], q[1], q[2]) == q[0]+q[1]+q[2] { // a heap, which the winner takes
			n.Rank = max(n.Rank, 2)
			continue
		}
		child, rank, err := a.win(w, q)
		if err != nil {
			return 0, 0, err
		}
		n.Children, n.Rank = append(n.Children, child), max(n.Rank, rank+1)
	}
	number, err = w.Add(&n)
	return number, n.Rank, err
}

// sumPage is the page of serve that shows nim-sums.
var sumPage = &app.Search[Game, Position, Move]{
	Name: "nimsum", Title: "Nim: sums",
	Run: func(_ context.Context, g Game, p Position, _ app.SearchOptions) (app.SearchResult[Position, Move], error) {
		return app.SearchResult[Position, Move]{From: p, Result: struct {
			Sum uint8 `json:"sum"`
		}{p.sum()}}, nil
	},
}
