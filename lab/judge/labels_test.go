package judge

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/play/measure"
)

// findGame knows two games of 100 plies in the file a, and one of 50 in the file b.
func findGame(file string, game int) (number, plies int, err error) {
	switch {
	case file == "a" && game <= 2:
		return game - 1, 100, nil
	case file == "b" && game == 1:
		return 2, 50, nil
	}
	return 0, 0, errors.New("no such game")
}

func TestReadLabels(t *testing.T) {
	const head = "file,game,judge,middle,end\n"
	labels, err := ReadLabels(strings.NewReader(head+"a,1,Mori,30,60\n\nb,1,Mori,,50\na, 1,Sato,12,\n"), findGame)
	require.NoError(t, err)
	require.Equal(t, []Label{{0, "Mori", 30, 60}, {2, "Mori", 0, 50}, {0, "Sato", 12, 0}}, labels)
	require.Equal(t, []string{"Mori", "Sato"}, Judges(labels))
	require.Equal(t, []Label{{0, "Mori", 30, 60}, {0, "Sato", 12, 0}}, OfAll(labels))
	require.Empty(t, OfAll(nil))

	for text, want := range map[string]string{
		"":                                   `line 1: want the fields ["file" "game" "judge" "middle" "end"]`,
		"file,judge\n":                       `line 1: want the fields`,
		head + "a,1,Mori,30\n":               `record on line 2: wrong number of fields`,
		head + "a,0,Mori,30,60\n":            `line 2: game "0": want the number of a game in its file, from 1`,
		head + "a,3,Mori,30,60\n":            `line 2: no such game`,
		head + "\na,1,Mori,x,60\n":           `line 3: middle "x": want a ply from 1 to 100, or nothing`,
		head + "b,1,Mori,30,51\n":            `line 2: end "51": want a ply from 1 to 50, or nothing`,
		head + "a,1,Mori,30,29\n":            `line 2: the endgame begins at ply 29, before the middle game`,
		head + "a,1,M,3,9\na,1,M,3,9\n":      `line 3: "M" has a label of the game before`,
		head + "a,1,\"Mori,30,60\nb,1,M,,\n": `extraneous or missing "`,
	} {
		_, err := ReadLabels(strings.NewReader(text), findGame)
		require.ErrorContains(t, err, want, "%q", text)
	}
}

// TestAgreements has differences on both sides of each limit.
func TestAgreements(t *testing.T) {
	p := &Phases{}
	var labels []Label
	for i, d := range []int{0, -2, 2, 3, -5, 6, -10, 11, -19} {
		p.Games = append(p.Games, Phased{Plies: 100, Phases: measure.Phases{Middle: 40, End: 60 + i}})
		labels = append(labels, Label{i, "A", 40 + d, 0}, Label{i, "B", 1, 60 + i})
	}
	p.Games = append(p.Games, Phased{Plies: 100})
	labels = append(labels, Label{9, "A", 40, 50})
	middle, end := p.Agreements(labels, "A", 1)
	require.Equal(t, 10, middle.Games)
	require.Equal(t, [4]int{3, 2, 2, 2}, middle.Within)
	require.Equal(t, 1, middle.Unclear)
	require.Equal(t, 0.5, middle.AtMost5.Value)
	require.Less(t, middle.AtMost5.Low, 0.4)
	require.Greater(t, middle.AtMost5.High, 0.6)
	require.Equal(t, Agreement{Games: 10, Unclear: 10}.Within, end.Within)
	require.Equal(t, 10, end.Unclear)
	_, end = p.Agreements(labels, "B", 1)
	require.Equal(t, [4]int{9}, end.Within)
	require.Equal(t, "1.000 [1.000, 1.000]", fmt.Sprint(end.AtMost5))
}
