package manager

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// isKnown reports whether a node of a fragment stands for a proof elsewhere in the tree.
func isKnown(n *proof.Node) bool {
	return (n.Kind == proof.Certified || n.Kind == proof.CertifiedReply) && string(n.Certificate) == solver.Known
}

// readFragment reads a fragment to its end and calls header with its header and node with
// each node. The last node must be the root of its claim.
func readFragment(fragment []byte, header func(h proof.Header) error, node func(n *proof.Node) error) error {
	r, err := proof.NewReader(bytes.NewReader(fragment))
	if err != nil {
		return err
	}
	if err := header(r.Header()); err != nil {
		return err
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
