package gomoku

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/proof"
)

// TestDocument has tiny certificates that a sentence of docs/proof-format.md allows or forbids.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/proof-format.md")
	require.NoError(t, err)
	document := strings.Join(strings.Fields(string(text)), " ")
	const (
		free, exact = "gomoku:size=2x5,k=3", "gomoku:size=2x5,k=3,rule=exact"
		three       = "5/1x3 x" // the position of the document
		before      = "tree\na1\nd1\nc1 2 "

		rTwice   = "A reply that an answer names twice, as `.a1.a1` or `+a1.a1`, counts once."
		rOnce    = "No square is placed twice, taken off twice, or both, in an answer, before `OTHERWISE` or after `tree`."
		rSeveral = "A reply may have several answers: it has the first of them when the tree is followed; what is demanded of answers is demanded of all."
		rExact   = "With the exact rule no stone may be placed but one that is the only reply of its answer, so none before `OTHERWISE` or after `tree`."
		rOther   = "squares with `+` and `-`, but no `.`, and a `=` come before the number, as in an answer"
		rEmpty   = "the replies of each answer are empty squares"
	)
	for _, c := range []struct {
		rule, spec, position, certificate string
		want                              string // the error; none if it is right
	}{
		{"This is a win with three in a row on two rows of five squares", free, three, before + "+a1=1", ""},
		{rTwice, free, three, before + "+a1.a1=1", ""},
		{rTwice, free, three, before + ".a1+a1=1", ""},
		{rTwice, free, three, before + ".a1.a1=1", ""},
		{rTwice, exact, three, before + "+a1=1", ""},
		{rTwice, exact, three, before + "+a1.a1=1", ""},
		{rTwice, exact, three, before + ".a1+a1=1", ""},
		{rTwice, exact, three, before + ".a1.a1=1", ""},
		{rExact, free, three, before + "+a1.e2=1", ""},
		{rExact, exact, three, before + "+a1.e2=1", "with the exact rule no stone may be placed but the only reply"},
		{rExact, exact, three, before + ".a1.e2=1", ""},
		{rExact, free, three, "tree\na1\nd1\nc1 +e2=2 +a1=1", ""},
		{rExact, exact, three, "tree\na1\nd1\nc1 +e2=2 +a1=1", "with the exact rule no stone may be placed but the only reply"},
		{rExact, free, three, "tree +e2\na1\nd1\nc1 2 +a1=1", ""},
		{rExact, exact, three, "tree +e2\na1\nd1\nc1 2 +a1=1", "with the exact rule no stone may be placed but the only reply"},
		{rOnce, free, three, before + "+a1+a1=1", "a1 is not empty"},
		{rOnce, free, three, "tree\na1\nd1\nc1 +e2+e2=2 +a1=1", "e2 is not empty"},
		{rOnce, free, three, "tree +e2+e2\na1\nd1\nc1 2 +a1=1", "e2 is not empty"},
		{rOnce, free, "4o/1x3 x", before + "+a1-e2=1", ""},
		{rOnce, free, "4o/1x3 x", before + "+a1-e2-e2=1", "e2 has no stone of the defender's"},
		{rOnce, free, "4o/1x3 x", "tree\na1\nd1\nc1 -e2=2 +a1=1", ""},
		{rOnce, free, "4o/1x3 x", "tree\na1\nd1\nc1 -e2-e2=2 +a1=1", "e2 has no stone of the defender's"},
		{rOnce, free, "4o/1x3 x", "tree -e2\na1\nd1\nc1 2 +a1=1", ""},
		{rOnce, free, "4o/1x3 x", "tree -e2-e2\na1\nd1\nc1 2 +a1=1", "e2 has no stone of the defender's"},
		{rOnce, free, "4o/1x3 x", before + "+a1-e2+e2=1", "e2 is not empty"},
		{rOnce, free, three, before + "+a1-a1=1", "a1 has no stone of the defender's"},
		{rOnce, free, three, "tree\na1\nd1\nc1 +e2-e2=2 +a1=1", "e2 has no stone of the defender's"},
		{rOnce, free, three, "tree +e2-e2\na1\nd1\nc1 2 +a1=1", "e2 has no stone of the defender's"},
		{rEmpty, free, "4o/1x3 x", before + "+a1-e2.e2=1", "the reply e2 is not empty"},
		{rSeveral, free, three, before + "+a1=1 .a1=1", ""},
		{rSeveral, free, three, before + "+a1=1 .a1=2", "a1 is in the zone of the answer"},
		{rOther, free, three, "tree\na1\nd1\nc1 .e2=2 +a1=1", "want one of +- before each square"},
		{rOther, free, three, "tree .e2\na1\nd1\nc1 2 +a1=1", "want one of +- before each square"},
	} {
		require.Contains(t, document, c.rule)
		g := open(t, c.spec)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		err = g.CheckCertificate(unlimited(), p, true, proof.Win, []byte(c.certificate))
		requireSecond(t, g, p, proof.Win, c.certificate, err == nil)
		if c.want == "" {
			require.NoError(t, err, "%s: %q", c.rule, c.certificate)
			continue
		}
		require.ErrorContains(t, err, c.want, "%s: %q", c.rule, c.certificate)
	}
}
