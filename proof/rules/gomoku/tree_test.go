package gomoku

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/proof"
)

// smallTree is a win with two in a row on five squares.
const smallTree = "tree\nb1\nd1\nc1 2 +b1=1"

func TestTree(t *testing.T) {
	for _, c := range []struct{ spec, position, certificate, want string }{
		{"gomoku:size=1x5,k=2", "5 x", smallTree, ""},
		{"gomoku:size=1x5,k=2", "5 o", smallTree, ""},
		{"gomoku:size=1x5,k=2,rule=exact", "5 x", smallTree, ""},
		{"gomoku:size=2x5,k=3", "5/1x3 x", "tree\na1\nd1\nc1 2 +a1=1", ""}, // in the document
		{"gomoku:size=2x5,k=3", "5/1x3 x", "tree\na1\nd1\nc1 =2 +a1=1", `"=2": no squares before =`},
		{"gomoku:size=1x5,k=2", "5 x", "tree \nb1\nd1\nc1 2 +b1=1", "a space, and no squares after it"},
		{"gomoku:size=1x6,k=2", "6 x", "tree +f1 +e1\nb1\nd1\nc1 2 +b1=1", `"f1 " is no square of the board`},
		{"gomoku:size=1x5,k=2", "5 x", smallTree + "\n", `line 4 of the tree: "" is no square`},
		{"gomoku:size=1x5,k=2", "5 x", smallTree + " ", "an answer to nothing"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1 \nd1\nc1 2 +b1=1", `"": want how many lines back`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1  2 +b1=1", "line 3 of the tree"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\r\nb1", `it is a "tree\r"`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1=01", `"01": want how many lines back`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1", `"": want how many lines back`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1=1=1", `"1=1": want how many lines back`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b01=1", `"b01" is no square`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b+1=1", `"b" is no square`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1.b1=1", ""},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1=1 .b1=1", ""},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1=1 .b1=2", "b1 is in the zone of the answer"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1+b1=1", "b1 is not empty"},
		{"gomoku:size=1x5,k=2", "o4 x", "tree -a1-a1\nb1\nd1\nc1 2 +b1=1", "a1 has no stone of the defender's"},
		{"gomoku:size=1x5,k=2", "5 x", "tree +a1-a1\nb1\nd1\nc1 2 +b1=1", "a1 has no stone of the defender's"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 .b1=1", ""},     // d1 wins without the stone on b1 too
		{"gomoku:size=1x6,k=2", "6 x", "tree\nb1\nd1\nc1 +f1=2 +b1=1", ""}, // and with one on f1
		{"gomoku:size=1x6,k=2", "6 x", "tree\nb1\nd1\nc1 +b1=2 +b1=1", "b1 is not empty"},
		{"gomoku:size=1x6,k=2", "6 x", "tree\nb1\nd1\nc1 +=2 +b1=1", `"" is no square`},
		{"gomoku:size=1x6,k=2", "6 x", "tree +\nb1\nd1\nc1 2 +b1=1", `"" is no square`},
		{"gomoku:size=1x6,k=2", "6 x", "tree\nb1\nd1\nc1 .b1=2 +b1=1", "want one of +- before each square"},
		{"gomoku:size=1x6,k=2,rule=exact", "6 x", "tree\nb1\nd1\nc1 +f1=2 +b1=1", "with the exact rule no stone may be placed"},
		{"gomoku:size=1x5,k=2", "o4 x", "tree -a1\nb1\nd1\nc1 2 +b1=1", "a1 is in the zone"},
		{"gomoku:size=2x5,k=3", "5/1x1o1 x", "tree\nd1\nc1 -d1=1", "d1 is in the zone of the answer"},
		{"gomoku:size=1x5,k=2", "5 x", "tree +a1\nb1\nd1\nc1 2 +b1=1", "c1, the defender wins at once"},
		{"gomoku:size=1x5,k=2", "5 x", "tree +c1\nb1\nd1\nc1 2 +b1=1", "line 3 of the tree: c1 is not empty"},
		{"gomoku:size=1x5,k=2", "5 x", "tree -a1\nb1\nd1\nc1 2 +b1=1", "a1 has no stone of the defender's"},
		{"gomoku:size=1x5,k=2", "5 x", "tree .a1\nb1\nd1\nc1 2 +b1=1", "want one of +- before each square"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nc1 1", "the reply b1 in the zone is not answered"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 .b1=2 +b1=1", "b1 is in the zone of the answer"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nc1 1 +b1=1", "b1 is not empty"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1=3", `"3": want how many lines back, 1 to 2`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1=0", `"0": want how many lines back, 1 to 2`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 02 +b1=1", `"02": want how many lines back`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 1 +b1=1", "line 1 of the tree: no line refers to it"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 b1=1", "want one of +-. before each square"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 =1", "an answer to nothing"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1-a1=1", "a1 has no stone of the defender's"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +b1.c1=1", "the reply c1 is not empty"},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nb1\nd1\nc1 2 +f1=1", `"f1" is no square of the board`},
		{"gomoku:size=1x5,k=2", "5 x", "tree\nc1", "a win where the tree has none, or none where it has one"},
		{"gomoku:size=1x5,k=2", "2x2 x", smallTree, "c1 is not empty"},
		{"gomoku:size=1x5,k=2", "3x1 x", smallTree, "a win where the tree has none, or none where it has one"},
		{"gomoku:size=1x5,k=2", "5 x", "tree", "a tree without a move"},
		{"gomoku:size=1x5,k=2", "5 x", "trees\nc1", `it is a "trees", want a pairing or a tree`},
		{"gomoku:size=1x5,k=2", "5 x", "pairing", "a pairing shows that a side holds"},
		{"gomoku:size=1x5,k=2,rule=exact", "5 x", "tree\nb1\nd1\nc1 2 +b1+a1=1", "with the exact rule no stone may be placed"},
		{"gomoku:size=1x5,k=2,rule=exact", "5 x", "tree +a1\nb1\nd1\nc1 2 +b1=1", "with the exact rule no stone may be placed"},
	} {
		g := tiny(t, c.spec)
		p, err := g.ParsePosition(c.position)
		require.NoError(t, err)
		err = g.CheckCertificate(unlimited(), p, true, proof.Win, []byte(c.certificate))
		if g.rows > 1 { // as games of files
			requireSecond(t, g, p, proof.Win, c.certificate, err == nil)
		}
		if kindOf(c.certificate) == "tree" { // who wins holds
			require.Equal(t, err, g.CheckCertificate(unlimited(), p, true, proof.Hold, []byte(c.certificate)))
		}
		if c.want == "" {
			require.NoError(t, err, "%s: %s", c.spec, c.certificate)
			continue
		}
		require.ErrorContains(t, err, c.want, c.certificate)
	}
	g := tiny(t, "gomoku:size=1x5,k=2")
	for _, goal := range []proof.Goal{proof.Win, proof.Hold} {
		require.ErrorContains(t, g.CheckCertificate(unlimited(), g.Start(), false, goal, []byte(smallTree)), "for the side to move")
	}
}

// FuzzTree looks for certificates that are not refused for a position in which no
// side can win, and for such as do worse.
func FuzzTree(f *testing.F) {
	f.Add(smallTree)
	f.Add("tree +a1-b2\nb1\nd1\nc1 2 +b1.c3-a2=1 .d1=2")
	f.Fuzz(func(t *testing.T, certificate string) {
		g := tiny(t, "gomoku:size=3x3,k=3")
		require.Error(t, g.CheckCertificate(unlimited(), g.Start(), true, proof.Win, []byte(certificate)))
	})
}

// TestTreeOfFinishedGame refuses a tree for a game that is lost, although the board
// where it is proven has no line.
func TestTreeOfFinishedGame(t *testing.T) {
	g := tiny(t, "gomoku:size=1x7,k=2")
	p := Position{"oo.x...", black}
	for _, certificate := range []string{"tree\ne1", "tree -a1\ne1"} {
		require.Error(t, g.CheckCertificate(unlimited(), p, true, proof.Win, []byte(certificate)), certificate)
	}
}
