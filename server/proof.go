package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// Proof walks through a proof file. It is safe for concurrent use.
type Proof interface {
	// Game describes the proof.
	Game() Game
	// Node returns what the proof has after some moves from the root position of a claim,
	// counted from 0, as if it were checked. It returns an [InputError] for moves that leave the proof.
	Node(claim int, path []string) (*ProofNode, error)
	// Line returns a line of play by the proof, after the same moves. Replies are such that the
	// proof goes on for long. It ends where the proof leaves the rest to the rules, a database, or
	// a certificate that shows no line.
	Line(ctx context.Context, claim int, path []string) (*ProofLine, error)
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
	// upper bound of the plies to the end. It is 0 if certificates, a database or
	// [proof.Header.Monotone] leave that open, or unless the proof was checked.
	Node uint64 `json:"node,omitempty"`
	Rank uint64 `json:"rank,omitempty"`
	// CertificateBytes is the size of the certificate, if there is one.
	CertificateBytes int `json:"certificate_bytes,omitempty"`
	// MoveKinds are the kinds of the positions after Moves.
	MoveKinds []string `json:"move_kinds"`
}

// ProofLine is a line of play by a proof.
type ProofLine struct {
	Game      string   `json:"game"`
	Claim     string   `json:"claim"`
	State     string   `json:"state"` // whether the proof was checked, as in [Status]
	Position  string   `json:"position"`
	Line      []string `json:"line"`
	Positions []string `json:"positions"` // after each move
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
type ProofSource struct {
	Name  string // of the file
	File  *os.File
	Graph *proof.Graph
	Game  *app.Game // adjudicated by the database that the proof rests on
	// Check checks the proof.
	Check func(ctx context.Context, r *proof.Reader) error
	// CertificateLine returns a line of play by a certificate, for a side to move that wins by it.
	// It may be nil.
	CertificateLine func(ctx context.Context, position string, certificate []byte) ([]string, error)
	Done            func() error // closes the database, nil if there is none
	Err             func() error // says whether the database has failed, nil if there is none
}

// NewProof returns a proof.
func NewProof(s ProofSource) (Proof, error) {
	p := &proofWalk{ProofSource: s, whole: s.Game.Plain}
	if s.Graph.Header().Monotone {
		p.monotone = games.MonotoneOf(s.Game.Board)
	}
	root, err := s.Game.ParsePosition(s.Graph.Header().Root)
	if err != nil {
		return nil, fmt.Errorf("%w: root: %w", proof.ErrRefused, err)
	}
	p.root = root
	return p, nil
}

type proofWalk struct {
	ProofSource
	root     app.Position
	whole    app.Board                    // without a database
	monotone games.Monotone[app.Position] // nil if the file is not
}

// Game implements [Proof].
func (w *proofWalk) Game() Game {
	h := w.Graph.Header()
	g := entryOf(w.ProofSource.Game)
	g.Kind, g.Name, g.Game, g.Positions, g.Start, g.Checksum, g.Formats = kindProof, w.Name, g.Name, w.Graph.Counts().Nodes, h.Root, h.Database, nil
	for _, c := range h.Claims {
		g.Claims = append(g.Claims, c.String())
	}
	return g
}

// Check implements [Proof].
func (w *proofWalk) Check(ctx context.Context) error {
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
func (w *proofWalk) Close() error {
	err := w.File.Close()
	if w.Done != nil {
		err = errors.Join(err, w.Done())
	}
	return err
}

// at is a position of a proof.
type at struct {
	p        app.Position
	claimant bool        // to move
	node     *proof.Node // nil if there is none
	number   uint64
}

// step is a move and where it leads.
type step struct {
	move app.Move
	to   at
}

// after returns the position of a claim after some moves.
func (w *proofWalk) after(claim int, path []string) (now at, err error) {
	if w.Graph.Header().Claims[claim].Goal == proof.AtLeast {
		return now, notFound("the proof is about points, which is only checked: positions of proofs of wins can be seen")
	}
	now = at{p: w.root, claimant: w.Graph.Header().Claims[claim].Side == proof.Mover, number: w.Graph.Root(claim)}
	if now.number > 0 {
		if now.node, err = w.Graph.Node(claim, now.number); err != nil {
			return now, err
		}
	}
	for i, text := range path {
		m, err := w.ProofSource.Game.ParseMove(now.p, text)
		if err != nil {
			return now, badMove(fmt.Errorf("move %d: %w", i+1, err))
		}
		steps, err := w.steps(claim, now)
		if err != nil {
			return now, err
		}
		found := false
		for _, s := range steps {
			if s.move == m {
				now, found = s.to, true
				break
			}
		}
		if !found {
			return now, badMove(fmt.Errorf("move %d: the proof does not go on with %s in %q: it is a position of the kind %s",
				i+1, text, w.text(now.p), w.kind(now)))
		}
	}
	return now, nil
}

// Node implements [Proof].
func (w *proofWalk) Node(claim int, path []string) (*ProofNode, error) {
	h := w.Graph.Header()
	c := h.Claims[claim]
	now, err := w.after(claim, path)
	if err != nil {
		return nil, err
	}
	steps, err := w.steps(claim, now)
	if err != nil {
		return nil, err
	}
	n := &ProofNode{Place: *lookup.PlaceOf(w.whole, now.p), Claim: c.String(), Kind: w.kind(now), Node: now.number, MoveKinds: []string{}}
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
		if h.Database == "" && w.Graph.Counts().Certified == 0 && !h.Monotone {
			n.Rank = now.node.Rank
		}
	}
	var moves []app.Move
	for _, s := range steps {
		moves = append(moves, s.move)
		n.MoveKinds = append(n.MoveKinds, w.kind(s.to))
	}
	lookup.AddMoves(&n.Place, w.whole, now.p, moves)
	lookup.AddBoard(&n.Place, w.whole, now.p)
	if w.Err != nil {
		if err := w.Err(); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// Line implements [Proof].
func (w *proofWalk) Line(ctx context.Context, claim int, path []string) (*ProofLine, error) {
	now, err := w.after(claim, path)
	if err != nil {
		return nil, err
	}
	g := w.whole
	l := &ProofLine{Game: g.Name(), Claim: w.Graph.Header().Claims[claim].String(), Position: w.text(now.p), Line: []string{}, Positions: []string{}}
	play := func(m app.Move) {
		l.Line = append(l.Line, g.MoveText(now.p, m))
		now.p = g.Play(now.p, m)
		l.Positions = append(l.Positions, g.PositionText(now.p))
	}
	seen := map[uint64]bool{} // nodes; a proof may rest on positions that come again
	for ctx.Err() == nil && !seen[now.number] {
		if now.number > 0 {
			seen[now.number] = true
		}
		steps, err := w.steps(claim, now)
		if err != nil {
			return nil, err
		}
		if len(steps) == 0 {
			break
		}
		longest := slices.MaxFunc(steps, func(a, b step) int { return cmp.Compare(a.to.rank(), b.to.rank()) })
		play(longest.move)
		now = longest.to
	}
	if n := now.node; n != nil && n.Kind == proof.Certified && w.CertificateLine != nil && w.Graph.Header().Claims[claim].Goal == proof.Win {
		moves, err := w.CertificateLine(ctx, w.text(now.p), n.Certificate)
		if err = cmp.Or(ctx.Err(), err); err != nil && ctx.Err() == nil && !errors.Is(err, proof.ErrLimit) {
			err = fmt.Errorf("%w: node %d: %w", proof.ErrRefused, now.number, err)
		}
		if err != nil {
			return nil, err
		}
		for _, text := range moves {
			m, err := g.ParseMove(now.p, text)
			if err != nil {
				return nil, err
			}
			play(m)
		}
	}
	if w.Err != nil {
		if err := w.Err(); err != nil {
			return nil, err
		}
	}
	return l, ctx.Err()
}

// rank returns the rank of the node, 0 if there is none.
func (a *at) rank() uint64 {
	if a.node == nil {
		return 0
	}
	return a.node.Rank
}

func (w *proofWalk) text(p app.Position) string { return w.ProofSource.Game.PositionText(p) }

// kind returns how the claim is proven at a position.
func (w *proofWalk) kind(a at) string {
	switch {
	case a.node == nil:
		if _, finished := w.whole.Outcome(a.p); finished {
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
func (w *proofWalk) steps(claim int, from at) ([]step, error) {
	g := w.ProofSource.Game
	if _, finished := g.Outcome(from.p); finished {
		return nil, nil
	}
	var children []at            // their positions may be images, or worse for the claimant
	to := map[app.Position]int{} // by canonical position
	last := false                // the claimant ends the game here
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
				return nil, fmt.Errorf("%w: node %d: %w", proof.ErrRefused, number, err)
			}
			to[w.ProofSource.Game.Canonical(p)] = len(children)
			children = append(children, at{p: p, node: n, number: number})
		}
	default:
		return nil, nil
	}
	var steps []step
	for _, m := range g.AppendMoves(nil, from.p) {
		next := at{p: g.Play(from.p, m), claimant: !from.claimant}
		v, finished := g.Outcome(next.p)
		child, ok := to[w.ProofSource.Game.Canonical(next.p)]
		if w.monotone != nil {
			child = slices.IndexFunc(children, func(c at) bool { return games.NoWorse(w.monotone, next.p, c.p, next.claimant) })
			ok, last = child >= 0, true // it may end earlier than the file says
		}
		switch {
		case ok && !finished:
			next.node, next.number = children[child].node, children[child].number
		case from.claimant && !(last && finished && w.reached(claim, v, next.claimant)):
			continue
		}
		steps = append(steps, step{m, next})
		if from.claimant {
			break // one move is enough
		}
	}
	return steps, nil
}

// reached reports whether a finished position with the value v for the side to move fulfils
// the claim.
func (w *proofWalk) reached(claim int, v games.Value, claimantToMove bool) bool {
	return w.Graph.Header().Claims[claim].Reached(v, claimantToMove)
}

// faulty returns the error for a walk that fails because the file is wrong.
func faulty(err error) error { return &statusError{http.StatusConflict, codeRefused, err} }

// walked returns the error for a walk through a proof that has failed. A proof that was checked has no fault.
func (s *Server) walked(x *served, err error) error {
	if isFaulty(err) && s.checks.of(x).State != Checked {
		return faulty(err)
	}
	return err
}

// walk returns the claim that a request asks for, and the moves after its root.
func (r *request) walk() (claim int, path []string, err error) {
	if text, given := r.values["claim"]; given {
		if claim = slices.Index(r.entry.Claims, lookup.Spaces(text)); claim < 0 {
			return 0, nil, badRequest("claim %q: the proof has %s (_ stands for a space)", text, strings.Join(r.entry.Claims, ", "))
		}
	}
	return claim, lookup.MoveList(r.values["path"]), nil
}

// proofLine answers GET /api/v1/proof/{name}/line. A certificate takes as long as a search.
func (s *Server) proofLine(r *request) (reply, error) {
	claim, path, err := r.walk()
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, func(ctx context.Context) (reply, error) {
		l, err := r.proof.Line(ctx, claim, path)
		if err != nil {
			return reply{}, s.walked(r.served, err)
		}
		l.State = s.checks.of(r.served).State
		return reply{body: l}, nil
	})
}

// proof answers GET /api/v1/proof/{name}/node.
func (s *Server) proof(r *request) (reply, error) {
	claim, path, err := r.walk()
	if err != nil {
		return reply{}, err
	}
	return s.limited(r, func(context.Context) (reply, error) {
		n, err := r.proof.Node(claim, path)
		if err != nil {
			return reply{}, s.walked(r.served, err)
		}
		if n.State = s.checks.of(r.served).State; n.State != Checked {
			n.Proves, n.Rank = "", 0
		}
		return reply{body: n}, nil
	})
}
