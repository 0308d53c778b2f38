package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver/threat"
)

// SecondMoves tries to prove, on one thread, that Black wins after his first stone
// in the centre and each answer of White, answers that are mirror images of others
// left out: the first step of solving the game.
type SecondMoves struct {
	Game *gomoku.Game
	// Time is for all moves together.
	Time time.Duration
	// Memory is about how many bytes the searches may use; what is proven takes
	// more.
	Memory uint64
	// Replays is how many games each proof is played through, with replies of
	// White at random.
	Replays int
	// Proof, if set, is called with each proof to have it written: with the move,
	// the header of its file, and what writes the nodes.
	Proof func(move string, header proof.Header, write func(w *proof.Writer) error) error
}

// SecondMove is what was found of a move.
type SecondMove struct {
	Move     string  `json:"move"`
	Won      bool    `json:"won"`                // proven that Black wins
	Moves    int     `json:"moves,omitempty"`    // of Black at most in this proof, after the first
	Size     int     `json:"size,omitempty"`     // Black's moves in the proof
	Replayed int     `json:"replayed,omitempty"` // games in which the proof won
	Nodes    uint64  `json:"nodes"`              // expanded by proof-number search
	Seconds  float64 `json:"seconds"`
}

// generosity is how many shares of the time left a move may take: the first moves
// are the easy ones, and most are proven in far less or given up by their effort.
const generosity = 8

// Run tries all moves with one effort after the other until the time is up, those
// farthest from the centre first, and calls report with
// each when it is proven or at the end. It fails if a proof loses a game.
func (b SecondMoves) Run(ctx context.Context, report func(SecondMove)) error {
	prover, err := threat.NewProver(b.Game, threat.ProverConfig{Memory: b.Memory})
	if err != nil {
		return err
	}
	end := time.Now().Add(b.Time)
	open := b.answers()
	for _, effort := range threat.Efforts() {
		var left []*secondMove
		for i, m := range open {
			share := generosity * time.Until(end) / time.Duration(len(open)-i+generosity-1)
			if err := b.try(ctx, prover, m, effort, share); err != nil {
				return err
			}
			if m.Won {
				report(m.SecondMove)
			} else {
				left = append(left, m)
			}
		}
		open = left
	}
	for _, m := range open {
		report(m.SecondMove)
	}
	return nil
}

// secondMove is a second move and the position after it.
type secondMove struct {
	SecondMove
	position gomoku.Position
	distance int // from the centre, squared
}

// answers returns the second moves, those farthest from the centre first.
func (b SecondMoves) answers() (list []*secondMove) {
	rules := b.Game.Rules()
	centre := gomoku.SquareAt(rules.Rows/2, rules.Columns/2)
	first := b.Game.Play(b.Game.Start(), centre)
	seen := map[gomoku.Position]bool{}
	for _, m := range b.Game.AppendMoves(nil, first) {
		p := b.Game.Play(first, m)
		if c := b.Game.Canonical(p); !seen[c] {
			seen[c] = true
			rows, columns := m.Row()-centre.Row(), m.Column()-centre.Column()
			list = append(list, &secondMove{SecondMove{Move: m.String()}, p, rows*rows + columns*columns})
		}
	}
	slices.SortStableFunc(list, func(x, y *secondMove) int { return cmp.Compare(y.distance, x.distance) })
	return list
}

// try tries to prove that the side to move wins.
func (b SecondMoves) try(ctx context.Context, prover *threat.Prover, m *secondMove, effort threat.Effort, most time.Duration) error {
	begin, nodes := time.Now(), prover.Nodes()
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	tree, err := prover.Prove(limited, m.position, effort)
	m.Seconds += time.Since(begin).Seconds()
	m.Nodes += prover.Nodes() - nodes
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if tree == nil {
		return nil
	}
	m.Won, m.Moves, m.Size = true, tree.Moves(), tree.Size()
	rng := rand.New(rand.NewPCG(1, uint64(m.distance)))
	for range b.Replays {
		if err := b.replay(m.position, tree, rng); err != nil {
			return fmt.Errorf("the proof after %s is wrong: %w", m.Move, err)
		}
		m.Replayed++
	}
	if b.Proof == nil {
		return nil
	}
	header := proof.Header{Game: b.Game.Name(), Root: string(b.Game.AppendPosition(nil, m.position)), Claims: threat.Claims()}
	return b.Proof(m.Move, header, func(w *proof.Writer) error { return prover.WriteProof(w, m.position, tree) })
}

// replay plays a game by a tree against White, whose replies are chosen at random,
// many of them among those that the tree has an answer of its own for. By the
// rules alone, Black must win it.
func (b SecondMoves) replay(p gomoku.Position, t *threat.Tree, rng *rand.Rand) error {
	attacker := p.ToMove()
	for {
		moves := b.Game.AppendMoves(nil, p)
		if !slices.Contains(moves, t.Move) {
			return fmt.Errorf("%v is no move in %s", t.Move, b.Game.AppendPosition(nil, p))
		}
		p = b.Game.Play(p, t.Move)
		if v, finished := b.Game.Outcome(p); finished {
			if v >= 0 || p.ToMove() == attacker {
				return fmt.Errorf("no win: %s", b.Game.AppendPosition(nil, p))
			}
			return nil
		}
		if t.Wins {
			return fmt.Errorf("%v does not win: %s", t.Move, b.Game.AppendPosition(nil, p))
		}
		moves = b.Game.AppendMoves(moves[:0], p)
		reply := moves[rng.IntN(len(moves))]
		if len(t.Replies) > 0 && rng.IntN(3) > 0 {
			if r := t.Replies[rng.IntN(len(t.Replies))].Move; slices.Contains(moves, r) {
				reply = r
			}
		}
		if rng.IntN(2) == 0 {
			reply = b.winning(p, moves, reply)
		}
		p = b.Game.Play(p, reply)
		if _, finished := b.Game.Outcome(p); finished {
			return fmt.Errorf("%v ends the game: %s", reply, b.Game.AppendPosition(nil, p))
		}
		t = t.After(reply)
	}
}

// winning returns a move of the list by which the side to move wins at once, or
// else stops the other from doing so, or else the one given.
func (b SecondMoves) winning(p gomoku.Position, moves []gomoku.Square, otherwise gomoku.Square) gomoku.Square {
	for _, p := range []gomoku.Position{p, p.NullMove()} {
		for _, m := range moves {
			if v, finished := b.Game.Outcome(b.Game.Play(p, m)); finished && v < 0 {
				return m
			}
		}
	}
	return otherwise
}
