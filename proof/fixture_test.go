package proof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/games/variant"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/rules"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
)

// file is a proof file before it is written, so that it can be made wrong.
type file struct {
	header proof.Header
	claims []claimProof
}

type claimProof struct {
	nodes []proof.Node
	root  uint64
}

// clone returns a copy that shares nothing.
func (f file) clone() file {
	f.header.Claims = slices.Clone(f.header.Claims)
	f.claims = slices.Clone(f.claims)
	for i := range f.claims {
		nodes := slices.Clone(f.claims[i].nodes)
		for j := range nodes {
			n := &nodes[j]
			n.Children = slices.Clone(n.Children)
			n.Position, n.Move, n.Certificate = slices.Clone(n.Position), slices.Clone(n.Move), slices.Clone(n.Certificate)
		}
		f.claims[i].nodes = nodes
	}
	return f
}

// bytes writes the file. It fails where the writer refuses it.
func (f file) bytes() ([]byte, error) {
	var out bytes.Buffer
	w, err := proof.NewWriter(&out, f.header)
	if err != nil {
		return nil, err
	}
	for _, c := range f.claims {
		for i := range c.nodes {
			if _, err := w.Add(&c.nodes[i]); err != nil {
				return nil, err
			}
		}
		if err := w.EndClaim(c.root); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return out.Bytes(), err
}

// prover makes proofs by looking at everything, with nothing in common with the
// engines.
type prover[P, M comparable] struct {
	g       games.Game[P, M]
	same    games.Canonicalizer[P]
	goal    proof.Goal
	results map[P]bool
	numbers map[P]uint64
	nodes   []proof.Node

	most      uint64 // nodes that need no more positions are left to a search
	positions uint64 // left to searches
}

func (v *prover[P, M]) good(value games.Value, claimantToMove bool) bool {
	r := value.Result()
	if !claimantToMove {
		r = -r
	}
	return r == games.Won || r == games.Drawn && v.goal == proof.Hold
}

// holds reports whether the claim is true in p.
func (v *prover[P, M]) holds(p P, claimantToMove bool) bool {
	p = v.same.Canonical(p)
	if value, finished := v.g.Outcome(p); finished {
		return v.good(value, claimantToMove)
	}
	if r, ok := v.results[p]; ok {
		return r
	}
	r := !claimantToMove
	for _, m := range v.g.AppendMoves(nil, p) {
		if v.holds(v.g.Play(p, m), !claimantToMove) == claimantToMove {
			r = claimantToMove
			break
		}
	}
	v.results[p] = r
	return r
}

// add returns the number of the node of p, 0 if p is finished.
func (v *prover[P, M]) add(p P, claimantToMove bool) uint64 {
	p = v.same.Canonical(p)
	if _, finished := v.g.Outcome(p); finished {
		return 0
	}
	if number, ok := v.numbers[p]; ok {
		return number
	}
	n := proof.Node{Kind: proof.And, Rank: 2, Position: v.g.AppendPosition(nil, p)}
	if _, positions := v.search(p, claimantToMove); positions <= v.most {
		n.Kind, n.Rank, n.Positions = proof.SearchedReply, 1, positions
		if claimantToMove {
			n.Kind = proof.Searched
		}
		v.positions += positions
		v.nodes = append(v.nodes, n)
		v.numbers[p] = uint64(len(v.nodes))
		return uint64(len(v.nodes))
	}
	for _, m := range v.g.AppendMoves(nil, p) {
		q := v.g.Play(p, m)
		if claimantToMove {
			if v.holds(q, false) {
				n.Kind, n.Move = proof.Or, v.g.AppendMove(nil, p, m)
				if child := v.add(q, false); child > 0 {
					n.Children = append(n.Children, child)
				}
				break
			}
			continue
		}
		if v.finishes(q) {
			continue
		}
		if child := v.add(q, true); child > 0 && !slices.Contains(n.Children, child) {
			n.Children = append(n.Children, child)
		}
	}
	slices.Sort(n.Children)
	for _, child := range n.Children {
		c := &v.nodes[child-1]
		c.Uses++
		n.Rank = max(n.Rank, c.Rank+1)
	}
	v.nodes = append(v.nodes, n)
	v.numbers[p] = uint64(len(v.nodes))
	return uint64(len(v.nodes))
}

// search searches a position as the format has it, and returns how many positions it looks at.
func (v *prover[P, M]) search(p P, claimantToMove bool) (holds bool, positions uint64) {
	if v.most == 0 {
		return false, 1
	}
	type move struct {
		name    string
		replies int
		after   P
	}
	var moves []move
	for _, m := range v.g.AppendMoves(nil, p) {
		after := v.g.Play(p, m)
		replies := 0
		if _, finished := v.g.Outcome(after); !finished {
			replies = len(v.g.AppendMoves(nil, after))
		}
		moves = append(moves, move{string(v.g.AppendMove(nil, p, m)), replies, after})
	}
	positions = uint64(len(moves))
	for len(moves) > 0 {
		next := 0
		for i, m := range moves {
			if m.replies < moves[next].replies || m.replies == moves[next].replies && m.name < moves[next].name {
				next = i
			}
		}
		if value, finished := v.g.Outcome(moves[next].after); finished {
			holds = v.good(value, !claimantToMove)
		} else {
			var more uint64
			holds, more = v.search(moves[next].after, !claimantToMove)
			positions += more
		}
		if holds == claimantToMove {
			return holds, positions
		}
		moves = append(moves[:next], moves[next+1:]...)
	}
	return !claimantToMove, positions
}

// finishes reports whether the claimant, to move, can end the game as claimed.
func (v *prover[P, M]) finishes(p P) bool {
	return slices.ContainsFunc(v.g.AppendMoves(nil, p), func(m M) bool {
		value, finished := v.g.Outcome(v.g.Play(p, m))
		return finished && v.good(value, false)
	})
}

// prove makes the proof of claims about the start position or another.
func prove[P, M comparable](t testing.TB, g games.Game[P, M], root string, claims ...proof.Claim) file {
	return proveSearched(t, g, root, 0, claims...)
}

// proveSearched leaves nodes to a search that need no more than most positions.
func proveSearched[P, M comparable](t testing.TB, g games.Game[P, M], root string, most uint64, claims ...proof.Claim) file {
	p, err := g.ParsePosition(root)
	require.NoError(t, err)
	f := file{header: proof.Header{Game: g.Name(), Root: root, Claims: claims, By: "test"}}
	same, ok := g.(games.Canonicalizer[P])
	require.True(t, ok)
	for _, claim := range claims {
		v := &prover[P, M]{g: g, same: same, goal: claim.Goal, results: map[P]bool{}, numbers: map[P]uint64{}, most: most}
		require.True(t, v.holds(p, claim.Side == proof.Mover), "the claim %v is false", claim)
		c := claimProof{root: v.add(p, claim.Side == proof.Mover)}
		if c.nodes = v.nodes; c.root > 0 {
			c.nodes[c.root-1].Uses++
		}
		f.claims = append(f.claims, c)
		f.header.Positions += v.positions
	}
	return f
}

var (
	moverWins  = proof.Claim{Side: proof.Mover, Goal: proof.Win}
	moverHolds = proof.Claim{Side: proof.Mover, Goal: proof.Hold}
	otherWins  = proof.Claim{Side: proof.Other, Goal: proof.Win}
	otherHolds = proof.Claim{Side: proof.Other, Goal: proof.Hold}
)

func plain(t testing.TB, spec string) *gomokurules.Game {
	g, ok := gomokurules.Open(spec)
	require.True(t, ok)
	return g
}

const emptyTicTacToe = ".../.../..."

// checkBytes checks a file by the rules that its header names, by both checkers. It panics if
// they do not agree.
func checkBytes(data []byte) (proof.Report, error) {
	report, err := checkOnce(data)
	if wrong := agree(data, report, err); wrong != nil {
		panic(fmt.Sprintf("%v\n%q", wrong, data[:min(len(data), 500)]))
	}
	return report, err
}

var errNoRules = errors.New("no rules")

func checkOnce(data []byte) (proof.Report, error) {
	r, err := proof.NewReader(bytes.NewReader(data))
	if err != nil {
		return proof.Report{}, err
	}
	if g, ok := gomokurules.Open(r.Header().Game); ok {
		return proof.Check(context.Background(), r, g, proof.CheckOptions{})
	}
	switch game, _, _ := strings.Cut(r.Header().Game, ":"); game {
	case "checkers", "hex", "othello", "shogi":
		return rules.Check(context.Background(), r, proof.CheckOptions{})
	}
	return checkOwn(r)
}

// named is a variant by a name that may be another than its own.
type named struct {
	*variant.Game
	name string
}

func (g named) Name() string { return g.name }

// familyOf returns a variant, as a whole, by a name.
func familyOf(f *variant.File, name, as string) *games.Family[named] {
	return games.NewFamily(games.Info{Name: as}, func(games.Rules) named {
		g, err := f.Game(name)
		if err != nil {
			panic(err)
		}
		return named{g, as}
	})
}

// checkOwn checks a file by the rules of the game's own package.
func checkOwn(r *proof.Reader) (proof.Report, error) {
	if h := r.Header(); h.Rules != "" {
		name := strings.TrimPrefix(h.Game, games.VariantPrefix)
		f, err := variant.ReadRules(name, h.Rules)
		if err != nil {
			return proof.Report{}, fmt.Errorf("%w: %w", errNoRules, err)
		}
		return checkBy(r, familyOf(f, name, h.Game))
	}
	switch game, _, _ := strings.Cut(r.Header().Game, ":"); game {
	case "awari":
		return checkBy(r, awari.Family)
	case "checkers":
		return checkBy(r, checkers.Family)
	case "connect4":
		return checkBy(r, connect4.Family)
	case "dobutsu":
		return checkBy(r, dobutsu.Family)
	case "hex":
		return checkBy(r, hex.Family)
	case "othello":
		return checkBy(r, othello.Family)
	case "shogi":
		return checkBy(r, shogi.Family)
	}
	return checkBy(r, tictactoe.Family)
}

func checkBy[G games.Game[P, M], P, M comparable](r *proof.Reader, family *games.Family[G]) (proof.Report, error) {
	g, err := family.Open(r.Header().Game)
	if err != nil {
		return proof.Report{}, fmt.Errorf("%w: %w", errNoRules, err)
	}
	return proof.Check(context.Background(), r, games.Game[P, M](g), proof.CheckOptions{})
}

func isRefusal(err error) bool {
	return errors.Is(err, proof.ErrRefused) || errors.Is(err, proof.ErrCorrupt)
}
