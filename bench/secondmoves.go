package bench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/internal/cpu"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/threat"
)

// SecondMoves tries to prove, on one thread, that Black wins after a first stone in the
// centre and each answer of White, one of each set of mirror images.
type SecondMoves struct {
	Game *gomoku.Game
	// Time is for the searches of all moves together; verifying proofs is not
	// counted.
	Time time.Duration
	// Memory is the approximate number of bytes that the searches may use; proven
	// trees take more.
	Memory uint64
	// Proof, if set, is called with each second move proven won and its proof file.
	Proof func(move string, file []byte) error
	// By names the program in proof files.
	By string
}

// SecondMove is the result of one move.
type SecondMove struct {
	Move    string  `json:"move"`
	Won     bool    `json:"won"`   // proven that Black wins
	Nodes   uint64  `json:"nodes"` // expanded by proof-number search
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds,omitempty"` // of the program in these seconds
	// Verified says how the proof was verified.
	Verified *gomokurules.Verification `json:"verified,omitempty"`
}

// firstNodes is the number of positions expanded for each move in the first round; it
// doubles with every round. Most of the far moves are proven at once, and the searches of
// the others use their wins.
const firstNodes = 16_000

// Run tries all moves, those farthest from the centre first, in rounds until the time is
// up. It calls report with each when it is proven and verified, or at the
// end. It fails with [solver.ErrContradiction] if a proof is refused.
func (b SecondMoves) Run(ctx context.Context, report func(SecondMove)) error {
	prover, err := threat.NewProver(b.Game, threat.ProverConfig{Memory: b.Memory})
	if err != nil {
		return err
	}
	end := time.Now().Add(b.Time)
	open := b.answers()
	for nodes := uint64(firstNodes); len(open) > 0 && time.Now().Before(end); nodes *= 2 {
		before := prover.Nodes()
		var left []*secondMove
		for _, m := range open {
			verifying, err := b.try(ctx, prover, m, nodes, end)
			if err != nil {
				return err
			}
			end = end.Add(verifying)
			if m.Won {
				report(m.SecondMove)
			} else {
				left = append(left, m)
			}
		}
		open = left
		if prover.Nodes() == before {
			break // memory is used up, or all was tried
		}
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

// try tries to prove that the side to move wins. It returns how long it took to verify
// the proof.
func (b SecondMoves) try(ctx context.Context, prover *threat.Prover, m *secondMove, nodes uint64, end time.Time) (time.Duration, error) {
	begin, busy, before := time.Now(), cpu.Time(), prover.Nodes()
	limited, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	tree, err := prover.Prove(limited, m.position, nodes)
	m.Seconds += time.Since(begin).Seconds()
	m.CPU += (cpu.Time() - busy).Seconds()
	m.Nodes += prover.Nodes() - before
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return 0, err
	}
	if tree == nil {
		return 0, nil
	}
	begin = time.Now()
	m.Won = true
	err = b.verify(ctx, prover, m, tree)
	return time.Since(begin), err
}

func (b SecondMoves) verify(ctx context.Context, prover *threat.Prover, m *secondMove, tree *threat.Tree) error {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, proof.Header{
		Game: b.Game.Name(), Root: string(b.Game.AppendPosition(nil, m.position)), Claims: threat.Claims(), By: b.By,
	})
	if err != nil {
		return err
	}
	if err := errors.Join(prover.WriteProof(w, m.position, tree), w.Close()); err != nil {
		return err
	}
	r, err := proof.NewReader(bytes.NewReader(file.Bytes()))
	if err != nil {
		return err
	}
	done, err := gomokurules.Verify(ctx, r, proof.CheckOptions{})
	if errors.Is(err, proof.ErrRefused) {
		return fmt.Errorf("%w: the proof after %s: %v", solver.ErrContradiction, m.Move, err)
	}
	if err != nil {
		return err
	}
	m.Verified = &done
	if b.Proof == nil {
		return nil
	}
	return b.Proof(m.Move, file.Bytes())
}
