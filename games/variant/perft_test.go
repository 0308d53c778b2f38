package variant

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func (b *board) perft(depth int) (n uint64) {
	if b.ended() != noResult {
		return 0
	}
	moves := b.legalMoves(nil)
	if depth == 1 {
		return uint64(len(moves))
	}
	for _, m := range moves {
		next := *b
		next.apply(m)
		n += next.perft(depth - 1)
	}
	return n
}

func TestBuiltIn(t *testing.T) {
	for _, name := range BuiltIn().Names() {
		g, err := BuiltIn().Game(name)
		require.NoError(t, err, name)
		p := g.Start()
		t.Log(name, string(g.AppendPosition(nil, p)), g.newBoard(&p).perft(2))
	}
	f, err := os.Open("/tmp/peer/fsf/src/variants.ini")
	require.NoError(t, err)
	defer f.Close()
	v, err := Read("variants.ini", f, BuiltIn())
	t.Log(err)
	_ = v
	_ = strings.Fields
}
