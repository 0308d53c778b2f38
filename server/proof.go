package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// Proof walks through a proof file. It is safe for concurrent use.
type Proof interface {
	// Game describes the proof.
	Game() Game
	// Node returns what the proof has after some moves from the root position of a claim,
	// counted from 0, as if it were checked. It returns an [InputError] for moves that leave the proof.
	Node(claim int, path []string) (*ProofNode, error)
	// Check checks the proof by the rules. It returns an error that is [proof.ErrRefused] or
	// [proof.ErrCorrupt] if the proof is wrong; any other error leaves that open.
	Check(ctx context.Context) error
	Close() error
}

// ProofNode is a node of a proof, or a position where none is needed.
type ProofNode struct {
	// Place has the position, and moves: that of the side that the claim is for, or all
	// replies of the other side.
	Place
	// Claim is the claim, which is about the root position.
	Claim string `json:"claim"`
	// State says whether the proof was checked, as in [Status].
	State string `json:"state"`
	// Proves is what is proven here for the side to move: "win", "loss", "win or draw" or
	// "loss or draw"; at the root position, to which all claims apply, perhaps "draw". It is
	// empty unless the proof was checked.
	Proves string `json:"proves,omitempty"`
	// Kind says how the claim is to be proven here: see the constants.
	Kind string `json:"kind"`
	// Node is the number of the node in the file, 0 if there is none. For a win, Rank is an
	// upper bound of the plies to the end, or 0 if certificates or a database leave it open,
	// or unless the proof was checked.
	Node uint64 `json:"node,omitempty"`
	Rank uint64 `json:"rank,omitempty"`
	// CertificateBytes is the size of the certificate, if there is one.
	CertificateBytes int `json:"certificate_bytes,omitempty"`
	// MoveKinds are the kinds of the positions after Moves.
	MoveKinds []string `json:"move_kinds"`
}

// Kinds of the positions in a proof.
const (
	kindMove        = "move"        // the claimant's move is given
	kindReplies     = "replies"     // all replies of the other side lead on
	kindCertificate = "certificate" // a certificate proves the claim, without moves
	kindFinished    = "finished"    // the game is over
	kindHeld        = "database"    // the database that the proof rests on has the value
	kindNext        = "next"        // the claimant's next move ends the game, or leads to the database
)

// ProofSource is a proof file and its game.
type ProofSource[P, M comparable] struct {
	Name  string // of the file
	File  *os.File
	Graph *proof.Graph
	Game  games.Game[P, M] // adjudicated by the database that the proof rests on
	Whole games.Game[P, M] // the same without a database
	Info  *games.Info
	Rules games.Rules
	// Check checks the proof.
	Check func(ctx context.Context, r *proof.Reader) error
	Done  func() error // closes the database, nil if there is none
	Err   func() error // says whether the database has failed, nil if there is none
}

// NewProof returns a proof.
func NewProof[P, M comparable](s ProofSource[P, M]) (Proof, error) {
	p := &proofWalk[P, M]{ProofSource: s, canonical: func(p P) P { return p }}
	if c, ok := s.Game.(games.Canonicalizer[P]); ok {
		p.canonical = c.Canonical
	}
	root, err := s.Game.ParsePosition(s.Graph.Header().Root)
	p.root = root
	return p, err
}

type proofWalk[P, M comparable] struct {
	ProofSource[P, M]
	root      P
	canonical func(P) P
}

// Game implements [Proof].
func (w *proofWalk[P, M]) Game() Game {
	h := w.Graph.Header()
	g := entryOf(w.Whole, w.Info, w.Rules)
	g.Kind, g.Name, g.Game, g.Positions, g.Start, g.Checksum = kindProof, w.Name, g.Name, w.Graph.Counts().Nodes, h.Root, h.Database
	for _, c := range h.Claims {
		g.Claims = append(g.Claims, c.String())
	}
	return g
}

// Check implements [Proof].
func (w *proofWalk[P, M]) Check(ctx context.Context) error {
	info, err := w.File.Stat()
	if err != nil {
		return err
	}
	r, err := proof.NewReader(io.NewSectionReader(w.File, 0, info.Size()))
	if err != nil {
		return err
	}
	r.Rename(w.Graph.Header().Game)
	return w.ProofSource.Check(ctx, r)
}

// Close implements [Proof].
func (w *proofWalk[P, M]) Close() error {
	err := w.File.Close()
	if w.Done != nil {
		err = errors.Join(err, w.Done())
	}
	return err
}

// at is a position of a proof.
type at[P comparable] struct {
	p        P
	claimant bool        // to move
	node     *proof.Node // nil if there is none
	number   uint64
}

// step is a move and where it leads.
type step[P, M comparable] struct {
	move M
	to   at[P]
}

// Node implements [Proof].
func (w *proofWalk[P, M]) Node(claim int, path []string) (*ProofNode, error) {
	h := w.Graph.Header()
	c := h.Claims[claim]
	now := at[P]{p: w.root, claimant: c.Side == proof.Mover, number: w.Graph.Root(claim)}
	var err error
	if now.number > 0 {
		if now.node, err = w.Graph.Node(claim, now.number); err != nil {
			return nil, err
		}
	}
	for i, text := range path {
		m, err := games.ParseMove(w.ProofSource.Game, now.p, text)
		if err != nil {
			return nil, badMove(fmt.Errorf("move %d: %w", i+1, err))
		}
		steps, err := w.steps(claim, now)
		if err != nil {
			return nil, err
		}
		found := false
		for _, s := range steps {
			if s.move == m {
				now, found = s.to, true
				break
			}
		}
		if !found {
			return nil, badMove(fmt.Errorf("move %d: the proof does not go on with %s in %q: it is a position of the kind %s",
				i+1, text, w.text(now.p), w.kind(now)))
		}
	}
	steps, err := w.steps(claim, now)
	if err != nil {
		return nil, err
	}
	n := &ProofNode{Place: *placeOf(w.Whole, now.p), Claim: c.String(), Kind: w.kind(now), Node: now.number, MoveKinds: []string{}}
	proven := h.Claims
	if len(path) > 0 {
		proven = []proof.Claim{{Side: proof.Mover, Goal: c.Goal}}
		if !now.claimant {
			proven[0].Side = proof.Other
		}
	}
	if n.Proves, err = proof.Value(proven); err != nil {
		return nil, err
	}
	if now.node != nil {
		n.CertificateBytes = len(now.node.Certificate)
		if h.Database == "" && w.Graph.Counts().Certified == 0 {
			n.Rank = now.node.Rank
		}
	}
	var moves []M
	for _, s := range steps {
		moves = append(moves, s.move)
		n.MoveKinds = append(n.MoveKinds, w.kind(s.to))
	}
	addMoves(&n.Place, w.Whole, now.p, moves)
	addBoard(&n.Place, w.Whole, now.p)
	if w.Err != nil {
		if err := w.Err(); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func (w *proofWalk[P, M]) text(p P) []byte { return w.ProofSource.Game.AppendPosition(nil, p) }

// kind returns how the claim is proven at a position.
func (w *proofWalk[P, M]) kind(a at[P]) string {
	switch {
	case a.node == nil:
		if _, finished := w.Whole.Outcome(a.p); finished {
			return kindFinished
		}
		if _, decided := w.ProofSource.Game.Outcome(a.p); decided {
			return kindHeld
		}
		return kindNext
	case a.node.Kind == proof.Or:
		return kindMove
	case a.node.Kind == proof.And:
		return kindReplies
	}
	return kindCertificate
}

// steps returns the moves by which a proof continues from a position: none where the game
// is over or a certificate proves the rest. A node stands for all mirror images of its
// position, so moves are found by the positions that they lead to.
func (w *proofWalk[P, M]) steps(claim int, from at[P]) ([]step[P, M], error) {
	g := w.ProofSource.Game
	if _, finished := g.Outcome(from.p); finished {
		return nil, nil
	}
	to := map[P]at[P]{} // by canonical position
	last := false       // the claimant ends the game here
	switch {
	case from.node == nil:
		last = true
	case from.node.Kind == proof.Or && len(from.node.Children) == 0:
		last = true
	case from.node.Kind == proof.Or, from.node.Kind == proof.And:
		for _, number := range from.node.Children {
			n, err := w.Graph.Node(claim, number)
			if err != nil {
				return nil, err
			}
			p, err := g.ParsePosition(string(n.Position))
			if err != nil {
				return nil, err
			}
			to[w.canonical(p)] = at[P]{claimant: !from.claimant, node: n, number: number}
		}
	default:
		return nil, nil
	}
	var steps []step[P, M]
	for _, m := range g.AppendMoves(nil, from.p) {
		next := at[P]{p: g.Play(from.p, m), claimant: !from.claimant}
		v, finished := g.Outcome(next.p)
		known, ok := to[w.canonical(next.p)]
		switch {
		case ok:
			next.node, next.number = known.node, known.number
		case from.claimant && !(last && finished && w.reached(claim, v, next.claimant)):
			continue
		}
		steps = append(steps, step[P, M]{m, next})
		if from.claimant {
			break // one move is enough
		}
	}
	return steps, nil
}

// reached reports whether a finished position with the value v for the side to move fulfils
// the claim.
func (w *proofWalk[P, M]) reached(claim int, v games.Value, claimantToMove bool) bool {
	return w.Graph.Header().Claims[claim].Reached(v, claimantToMove)
}

// proof answers GET /api/v1/proof/{name}.
func (s *Server) proof(r *http.Request) (reply, error) {
	p, ok := s.proofs[r.PathValue("name")]
	switch {
	case r.PathValue("proof") != "proof":
		return reply{}, s.noPath(r)
	case !ok:
		return reply{}, notFound("no proof %q; there %s", r.PathValue("name"), s.names(kindProof))
	}
	values, err := parameters(r, "path", "claim")
	if err != nil {
		return reply{}, err
	}
	claim, claims := 0, p.Game().Claims
	if text, given := values["claim"]; given {
		if claim = slices.Index(claims, spaces(text)); claim < 0 {
			return reply{}, badRequest("claim %q: the proof has %s (_ stands for a space)", text, strings.Join(claims, ", "))
		}
	}
	return s.limited(r, s.lookups, func() (reply, error) {
		n, err := p.Node(claim, moveList(values["path"]))
		if err != nil {
			return reply{}, err
		}
		if n.State = s.checks.of(proofPath(p.Game().Name)).State; n.State != Checked {
			n.Proves, n.Rank = "", 0
		}
		return reply{body: n}, nil
	})
}
