package record

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// diagramOf returns a diagram with a king of White, a gold of Black, and perhaps Black's king.
func diagramOf(kings int) string {
	king := "・"
	if kings == 2 {
		king = "玉"
	}
	empty := strings.Repeat(" ・", 9)
	row := func(text string) string { return "|" + text + "|\n" }
	return row(strings.Repeat(" ・", 8)+"v玉") + row(empty) + row(strings.Repeat(" ・", 7)+" 金 ・") +
		strings.Repeat(row(empty), 5) + row(strings.Repeat(" ・", 4)+" "+king+strings.Repeat(" ・", 4))
}

// TestHandsOfRecords has records in which pieces are missing, with a drop that needs the rest of the set.
func TestHandsOfRecords(t *testing.T) {
	const ki2, kif = "▲５一飛 △４一歩\n", "1 ５一飛打\n2 ４一歩打\n"
	const csa = "V2.2\nP1 *  *  *  *  *  *  *  * -OU\nP3 *  *  *  *  *  *  * +KI * \nP+00HI\n"
	const game = csa + "P+59OU\n"
	const played = "+\n+0051HI\n-0041FU\n"
	one, two := "先手の持駒：飛\n"+diagramOf(1), "先手の持駒：飛\n"+diagramOf(2)
	attacked := strings.Replace(diagramOf(2), " ・v玉", " 飛v玉", 1)
	const rest, given, written = shogi.WhiteHasRest, shogi.GivenHands, shogi.UsualHands
	for _, c := range []struct {
		name, text string
		reading    shogi.Hands
		want       shogi.Hands
		moves      int
	}{
		{"KIF, one king", one + kif, shogi.UsualHands, rest, 2},
		{"KI2, one king", one + ki2, shogi.UsualHands, rest, 2},
		{"KIF, an empty line", "後手の持駒：\n" + one + kif, shogi.UsualHands, rest, 2},
		{"KIF, one king and none in hand", "後手の持駒：なし\n" + one + kif, shogi.UsualHands, given, 1},
		{"KIF, one king and a pawn", one + "後手の持駒：歩\n" + kif, shogi.UsualHands, given, 2},
		{"KIF, two kings", two + kif, shogi.UsualHands, given, 1},
		{"KI2, two kings", two + ki2, shogi.UsualHands, given, 1},
		{"KIF, two kings, a problem", "手合割：詰将棋\n" + two + kif, shogi.UsualHands, rest, 2},
		{"KIF, two kings, a problem, none in hand", "手合割：詰将棋\n" + two + "後手の持駒：なし\n" + kif, shogi.UsualHands, given, 1},
		{"KIF, two kings, the rest", two + "後手の持駒：残り全部\n" + kif, shogi.UsualHands, written, 2},
		{"KIF, two kings, asked for the rest", two + kif, shogi.RestOfSet, rest, 2},
		{"KIF, one king, asked for those given", one + kif, shogi.GivenHands, given, 1},
		{"KIF, two kings, and White must be to move", attacked + "1 ２一玉(11)\n2 ５八玉(59)\n", shogi.UsualHands, given, 2},
		{"KIF, a handicap", "手合割：二枚落ち\n1 ４二玉(51)\n2 ７六歩(77)\n", shogi.UsualHands, given, 2},
		{"CSA, one king", csa + played, shogi.UsualHands, rest, 2},
		{"CSA, one king and none in hand", csa + "P-\n" + played, shogi.UsualHands, given, 1},
		{"CSA, two kings", game + played, shogi.UsualHands, given, 1},
		{"CSA, two kings, the rest", game + "P-00AL\n" + played, shogi.UsualHands, written, 2},
		{"CSA, two kings, asked for the rest", game + played, shogi.RestOfSet, rest, 2},
		{"USI, one king", "8k/9/7G1/9/9/9/9/9/9 b R moves R*5a P*4a", shogi.UsualHands, rest, 2},
		{"USI, two kings", "8k/9/7G1/9/9/9/9/9/4K4 b R moves R*5a P*4a", shogi.UsualHands, given, 1},
		{"USI, two kings, asked for the rest", "8k/9/7G1/9/9/9/9/9/4K4 b R moves R*5a P*4a", shogi.RestOfSet, rest, 2},
	} {
		list, err := Parse([]byte(c.text), c.reading)
		require.NoError(t, err, c.name)
		require.Len(t, list, 1, c.name)
		r := list[0]
		require.Equal(t, c.want, r.Hands, c.name)
		require.Len(t, r.Moves, c.moves, "%s: %v", c.name, r.Err)
		require.Equal(t, c.moves < 2, r.Err != nil, c.name)
		missing := r.Start.Missing()
		require.Equal(t, c.want == given, missing != 0, c.name)
	}
}
