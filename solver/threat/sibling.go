package threat

import (
	"bytes"
	"strings"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
)

// AdaptProof turns the proof of a similar position into a proof that the side to move wins
// position. The proof in file must consist of a single tree, for a position with the same
// stones of the attacker and with one of the defender's stones on another square. If only a
// mirror image of position is similar in this way, the new proof is for that image.
// AdaptProof returns false if the proof is not of this kind. The win carries over if the
// defender's stone is outside the relevance zone of the tree. AdaptProof only checks that
// the attacker does not play on its square; a checker refuses the proof if the stone is in
// the zone for another reason.
func AdaptProof(g *gomoku.Game, file []byte, position string) ([]byte, bool) {
	r, err := proof.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, false
	}
	n, _, err := r.Next()
	if err != nil || n == nil || n.Kind != proof.Certified {
		return nil, false
	}
	head, tree, _ := strings.Cut(string(n.Certificate), "\n")
	from, err := g.ParsePosition(string(n.Position))
	if err != nil || !strings.HasPrefix(head, "tree") {
		return nil, false
	}
	if next, _, err := r.Next(); err != nil || next != nil {
		return nil, false // the tree is only a part of the proof
	}
	p, err := g.ParsePosition(position)
	if err != nil || p.ToMove() != from.ToMove() {
		return nil, false
	}
	defender := p.ToMove().Opponent()
	base, err := changed(g, from, head)
	if err != nil {
		return nil, false
	}
	for symmetry := range g.Symmetries() {
		p := g.ImageOf(symmetry, p)
		reply, ok := oneMoved(from, p)
		if !ok {
			continue
		}
		if plays(tree, reply) {
			return nil, false // its square is in the zone
		}
		text := []byte("tree")
		if base != p {
			text = appendChange(append(text, ' '), p, base, defender, gomoku.Set{}, reply)
		}
		adapted, err := certified(g, p, append(append(text, '\n'), tree...))
		return adapted, err == nil
	}
	return nil, false
}

// changed returns the position p after adding and removing the defender's stones that
// head, the first line of a tree, names.
func changed(g *gomoku.Game, p gomoku.Position, head string) (gomoku.Position, error) {
	attacker := p.ToMove()
	defenders := p.Stones(attacker.Opponent())
	squares := strings.TrimPrefix(strings.TrimPrefix(head, "tree"), " ")
	for squares != "" {
		sign := squares[0]
		name, _, _ := strings.Cut(strings.ReplaceAll(squares[1:], "-", "+"), "+")
		s, err := g.ParseMove(g.Start(), name)
		if err != nil {
			return p, err
		}
		if sign == '+' {
			defenders.Add(s)
		} else {
			defenders.Remove(s)
		}
		squares = squares[1+len(name):]
	}
	return positionOf(attacker, p.Stones(attacker), defenders), nil
}

// plays reports whether a tree has a move of the attacker's on a square.
func plays(tree string, s gomoku.Square) bool {
	for line := range strings.Lines(tree) {
		if move, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); move == s.String() {
			return true
		}
	}
	return false
}

// oneMoved reports whether two positions with the same side to move differ only in the
// square of one stone of the other side, and returns its square in the second.
func oneMoved(from, to gomoku.Position) (gomoku.Square, bool) {
	attacker := to.ToMove()
	before, after := from.Stones(attacker.Opponent()), to.Stones(attacker.Opponent())
	size := before.Len()
	before.Intersect(&after)
	if from.Stones(attacker) != to.Stones(attacker) || after.Len() != size || before.Len() != size-1 {
		return gomoku.NoSquare, false
	}
	after.RemoveAll(&before)
	return after.First(), true
}

// certified returns a proof file with a certificate for a position.
func certified(g *gomoku.Game, p gomoku.Position, certificate []byte) ([]byte, error) {
	var file bytes.Buffer
	position := g.AppendPosition(nil, p)
	w, err := proof.NewWriter(&file, proof.Header{Game: g.Name(), Root: string(position), Claims: Claims()})
	if err != nil {
		return nil, err
	}
	root, err := w.Add(&proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: position, Certificate: certificate})
	if err == nil {
		err = w.EndClaim(root)
	}
	if err == nil {
		err = w.Close()
	}
	return file.Bytes(), err
}
