package solver

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// Known is the certificate of a node in a fragment which says only that the node is proven
// elsewhere. No checker accepts it.
const Known = "known"

// IsKnown reports whether a node of a fragment stands for a proof elsewhere in the tree.
func IsKnown(n *proof.Node) bool {
	return (n.Kind == proof.Certified || n.Kind == proof.CertifiedReply) && string(n.Certificate) == Known
}

// ReadFragment reads a fragment to its end and calls header, if not nil, with its header and
// node with each node. The last node must be the root of its claim.
func ReadFragment(fragment []byte, header func(h proof.Header) error, node func(n *proof.Node) error) error {
	r, err := proof.NewReader(bytes.NewReader(fragment))
	if err != nil {
		return err
	}
	if header != nil {
		if err := header(r.Header()); err != nil {
			return err
		}
	}
	for number := uint64(0); ; number++ {
		n, root, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case n == nil && (root != number || number == 0):
			return fmt.Errorf("the root is node %d of %d", root, number)
		case n == nil:
			continue
		}
		if err := node(n); err != nil {
			return err
		}
	}
}

// WriteFragment returns a fragment: a proof file with one claim about the position p, whose
// nodes add writes.
func WriteFragment[P, M comparable](g games.Game[P, M], p P, claim proof.Claim, add func(w *proof.Writer) error) ([]byte, error) {
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, proof.Header{
		Game: g.Name(), Root: string(g.AppendPosition(nil, p)), Claims: []proof.Claim{claim}, Database: ChecksumOf(g), Rules: games.RulesTextOf(g),
	})
	if err != nil {
		return nil, err
	}
	if err := add(w); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

// ChecksumOf returns the checksum of the database that decides positions of the game g (see
// db.Adjudicated), and nothing if there is none.
func ChecksumOf(g any) string {
	if a, ok := g.(interface{ Checksum() string }); ok {
		return a.Checksum()
	}
	return ""
}
