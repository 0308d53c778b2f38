//go:build !race

package tsume

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/japanese"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/games/shogi/record"
)

const twoGolds = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1"

func TestParseSet(t *testing.T) {
	problem, err := ParseProblem(twoGolds, Reading{})
	require.NoError(t, err)
	set, err := ParseSet([]byte("\ufeff# two golds\n"+
		twoGolds+"\r\n\n"+
		"sfen 4k4/9/4P4/9/9/9/9/9/9 b 2G\t\t first \n"+
		twoGolds+"\t1\n"+
		twoGolds+"\t 1 \tlast\tby nobody\n"+
		"startpos moves 7g7f\t99\n"+
		"position startpos moves 7g7f 3c3d resign\n"+
		strings.ReplaceAll(twoGolds, " ", "_")), Reading{})
	require.NoError(t, err)
	game, err := ParseProblem("startpos moves 7g7f", Reading{})
	require.NoError(t, err)
	require.Equal(t, shogi.White, game.Position.Turn())
	two, err := ParseProblem("startpos moves 7g7f 3c3d", Reading{})
	require.NoError(t, err)
	const rest = shogi.WhiteHasRest
	require.Equal(t, []Entry{
		{Problem: problem, Hands: rest, Line: 2},
		{Problem: problem, Hands: rest, Line: 4, ID: "first"},
		{Problem: problem, Hands: rest, Line: 5, Declared: 1},
		{Problem: problem, Hands: rest, Line: 6, Declared: 1, ID: "last"},
		{Problem: game, Line: 7, Declared: 99},
		{Problem: two, Line: 8},
		{Problem: problem, Hands: rest, Line: 9},
	}, set)

	// The moves may be played up to a ply.
	set, err = ParseSet([]byte("startpos moves 7g7f 3c3d 2h2h\nstartpos\n"), Reading{Ply: 1, HasPly: true})
	require.NoError(t, err)
	require.ErrorContains(t, set[0].MovesErr, "after moves, number 3: ")
	require.Equal(t, Entry{Problem: game, Line: 1, Moves: []shogi.Move{shogi.MoveOf(shogi.SquareAt(3, 3), shogi.SquareAt(3, 4), false)}, MovesErr: set[0].MovesErr}, set[0])
	require.EqualError(t, set[1].Err, "line 2: no position after 1 moves: the record has 0")

	// All of them may be the solution of the start position.
	set, err = ParseSet([]byte(twoGolds+" moves G*5b\t1\n"+twoGolds+"\n"), Reading{HasPly: true})
	require.NoError(t, err)
	require.Equal(t, []Entry{
		{Problem: problem, Hands: rest, Line: 1, Declared: 1, Moves: []shogi.Move{shogi.DropOf(shogi.Gold, shogi.SquareAt(5, 2))}},
		{Problem: problem, Hands: rest, Line: 2},
	}, set)
}

// TestParseSetRefuses has files that hold no problems, and lines that are none beside one that
// is.
func TestParseSetRefuses(t *testing.T) {
	for _, text := range []string{"", "# one\n\n# two\n"} {
		_, err := ParseSet([]byte(text), Reading{})
		require.EqualError(t, err, "no problems: want SFEN with a position on each line, KIF, KI2 or CSA")
	}
	for _, c := range []struct{ name, text, want string }{
		{"no defender", "9/9/9/9/9/9/9/9/4K4 b -", "white, the defender, has no king on the board"},
		{"a rank too few", "4k4/9/4P4/9/9/9/9/9 b 2G", `SFEN "4k4/9/4P4/9/9/9/9/9 b 2G": want 9 ranks with / between, got 8`},
		{"a number that is none", strings.TrimSuffix(twoGolds, "1") + "-", `SFEN "4k4/9/4P4/9/9/9/9/9/9 b 2G -": number of the move "-"`},
		{"a length that is none", twoGolds + "\tlong", `declared length "long": want a number of plies`},
		{"a length of nothing", twoGolds + "\t0", `declared length "0": want a number of plies`},
		{"an illegal move", "startpos moves 7g7e", `after moves, number 1: `},
		{"words", "hello there", `SFEN "hello there": want 3 or 4 fields`},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, err := ParseSet([]byte(twoGolds+"\n"+c.text+"\n"+twoGolds+"\n"), Reading{})
			require.NoError(t, err)
			require.Len(t, set, 3)
			require.NoError(t, set[0].Err)
			require.NoError(t, set[2].Err)
			require.ErrorContains(t, set[1].Err, "line 2: "+c.want)
			require.Equal(t, Problem{}, set[1].Problem)
		})
	}
}

// threePlies is the problem of records in CSA.
const threePlies = `V2.2
P1 *  *  * -KI-OU-KI *  *  * 
P3 *  *  *  * +FU *  *  *  * 
P+00HI00KI
P-00AL
+
+0052KI
-4152KI
+5352TO
%TSUMI
`

// records has one problem, with its solution of three plies, as files.
func records(t *testing.T) (r record.Record, kif, csa []byte) {
	t.Helper()
	p, err := ParseProblem("3gkg3/9/4P4/9/9/9/9/9/9 b RG 1", Reading{})
	require.NoError(t, err)
	r = record.Record{Start: p.Position, Ending: record.Mated}
	b := shogi.NewBoard(p.Position)
	for _, text := range []string{"G*5b", "4a5b", "5c5b+"} {
		m, err := b.ParseUSI(text)
		require.NoError(t, err)
		b.Do(m)
		r.Moves = append(r.Moves, m)
	}
	kif = append(p.Position.AppendBoard([]byte("作者：誰か\n手合割：その他\n")), "1 ５二金打\n2 同金(41)\n3 同歩成(53)\n4 詰み\n"...)
	return r, kif, []byte(threePlies)
}

func TestParseSetRecords(t *testing.T) {
	r, kif, csa := records(t)
	sjis, err := japanese.ShiftJIS.NewEncoder().Bytes(kif)
	require.NoError(t, err)
	start, err := NewProblem(r.Start, Natural)
	require.NoError(t, err)
	for name, data := range map[string][]byte{
		"KIF": kif, "KIF with a mark": append([]byte("\ufeff"), kif...), "KIF with a comment": append([]byte("#KIF version=2.0\n*nice\n"), kif...),
		"KIF in Shift_JIS": sjis, "CSA": csa, "CSA with a comment": append([]byte("' nice\n"), csa...),
	} {
		t.Run(name, func(t *testing.T) {
			set, err := ParseSet(data, Reading{})
			require.NoError(t, err)
			want := Entry{Problem: start, Declared: 3, Moves: r.Moves}
			if strings.Contains(name, "KIF") {
				want.Tags = []record.Tag{{Name: "作者", Value: "誰か"}}
			}
			if strings.Contains(name, "comment") {
				want.Comments = [][]string{{"nice"}}
			}
			require.Equal(t, []Entry{want}, set)

			set, err = ParseSet(data, Reading{Ply: 2, HasPly: true})
			require.NoError(t, err)
			require.Len(t, set, 1)
			require.Zero(t, set[0].Declared)
			two := record.Record{Start: r.Start, Moves: r.Moves[:2]}
			require.Equal(t, two.Final(), set[0].Position)

			set, err = ParseSet(data, Reading{Ply: 4, HasPly: true})
			require.NoError(t, err)
			require.EqualError(t, set[0].Err, "no position after 4 moves: the record has 3")
			set, err = ParseSet(data, Reading{Ply: 1, HasPly: true, Attacker: WhiteAttacks})
			require.NoError(t, err)
			require.EqualError(t, set[0].Err, "black, the defender, has no king on the board")
		})
	}
	set, err := ParseSet(append(append(csa, "/\n"...), csa...), Reading{})
	require.NoError(t, err)
	require.Len(t, set, 2)
	set, err = ParseSet(append(append(csa, "/\n"...), csa...), Reading{Ply: 5, HasPly: true})
	require.NoError(t, err)
	require.EqualError(t, set[0].Err, "record 1: no position after 5 moves: the record has 3")

	// An error counts only after the ply that is asked for, and no length is declared.
	var place *record.SyntaxError
	for _, data := range [][]byte{append(kif, "9 ５五金打\n"...), append(csa, "+0055KI\n"...)} {
		set, err = ParseSet(data, Reading{})
		require.NoError(t, err)
		require.ErrorAs(t, set[0].MovesErr, &place)
		set[0].Tags = nil
		require.Equal(t, []Entry{{Problem: start, Moves: r.Moves, MovesErr: set[0].MovesErr}}, set)
		set, err = ParseSet(data, Reading{Ply: 4, HasPly: true})
		require.NoError(t, err)
		require.ErrorAs(t, set[0].Err, &place)
	}
	set, err = ParseSet([]byte("V2.2\nP1 * nonsense\n"), Reading{})
	require.NoError(t, err)
	require.ErrorAs(t, set[0].Err, &place)
	require.Equal(t, 2, place.Line)
}

// TestFormats reads files whose first lines could be of another format.
func TestFormats(t *testing.T) {
	for text, want := range map[string]string{
		"開始日時：2023/06/03\n手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)":            "3c3d",
		"# 1/2/3/4/5/6/7/8/9\n▲７六歩△３四歩":                            "3c3d",
		"$START_TIME:2003/05/03 10:30:00\nPI\n+\n+7776FU\n-3334FU": "3c3d",
		"'a/b/c/d/e/f/g/h/i comment\n+7776FU\n-3334FU":             "3c3d",
		"棋戦:a/b\n手合割:平手\n１ ７六歩(77)\n２ ３四歩(33)":                     "3c3d",
	} {
		set, err := ParseSet([]byte(text), Reading{Ply: 2, HasPly: true})
		require.NoError(t, err, text)
		require.NoError(t, set[0].Err, text)
		p, err := ParseProblem("startpos moves 7g7f "+want, Reading{})
		require.NoError(t, err)
		require.Equal(t, p, set[0].Problem, text)
	}
}

// FuzzParseSet checks that accepted problems have a defender with a king and all other
// pieces.
func FuzzParseSet(f *testing.F) {
	f.Add([]byte(twoGolds + "\t1\tid\n"))
	f.Add([]byte("# x\nstartpos moves 7g7f\n"))
	f.Add([]byte("position sfen " + twoGolds + " moves G*5b resign\n\nhello\n" + strings.ReplaceAll(twoGolds, " ", "_")))
	f.Add([]byte("▲７六歩 △３四歩\nまで2手で中断\n"))
	f.Add([]byte("V2.2\nPI\n+\n+7776FU\n%TORYO\n"))
	f.Add([]byte("手合割：平手\n1 ７六歩(77)\n2 投了\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := ParseSet(data, Reading{})
		if err != nil {
			require.Empty(t, set)
			return
		}
		require.NotEmpty(t, set)
		for _, entry := range set {
			if entry.Err != nil {
				require.Equal(t, Problem{}, entry.Problem)
				continue
			}
			p := entry.Position
			defender := entry.Attacker().Other()
			require.NotEqual(t, shogi.NoSquare, p.King(defender))
			require.Equal(t, p.WithRest(defender), p)
			again, err := ParseProblem(p.SFEN(), Reading{})
			require.NoError(t, err)
			require.Equal(t, entry.Problem, again)
		}
	})
}

// TestSetHands reads positions with both kings, in which pieces are missing: the hands are those that are
// given, unless the reading says otherwise.
func TestSetHands(t *testing.T) {
	const csa = "P1 *  *  *  *  *  *  *  * -OU\nP2 *  *  *  *  *  *  * -FU-FU\nP9+HI *  *  * +OU *  *  *  * \n+\n+9991RY\n"
	const sfen, checked = "8k/7pp/9/9/9/9/9/9/R3K4 b -", "3rk4/9/9/9/9/9/9/9/3K5 b -"
	for _, c := range []struct {
		name, text, position string
		reading              Reading
		want                 shogi.Hands
	}{
		{"CSA", csa, sfen, Reading{}, shogi.GivenHands},
		{"CSA, the rest", csa, sfen, Reading{Hands: shogi.RestOfSet}, shogi.WhiteHasRest},
		{"SFEN", sfen, sfen, Reading{}, shogi.GivenHands},
		{"SFEN, given", sfen, sfen, Reading{Hands: shogi.GivenHands, Attacker: BlackAttacks}, shogi.GivenHands},
		{"SFEN, the rest", sfen, sfen, Reading{Hands: shogi.RestOfSet}, shogi.WhiteHasRest},
		{"SFEN, the rest and the attacker", sfen, sfen, Reading{Hands: shogi.RestOfSet, Attacker: BlackAttacks}, shogi.WhiteHasRest},
		{"in check", checked, checked, Reading{Attacker: WhiteAttacks}, shogi.GivenHands},
		{"in check, the rest", checked, checked, Reading{Hands: shogi.RestOfSet, Attacker: WhiteAttacks}, shogi.BlackHasRest},
	} {
		set, err := ParseSet([]byte(c.text), c.reading)
		require.NoError(t, err, c.name)
		require.Len(t, set, 1, c.name)
		require.NoError(t, set[0].Err, c.name)
		require.Equal(t, c.want, set[0].Hands, c.name)
		p, err := shogi.ParseSFEN(c.position)
		require.NoError(t, err)
		if c.want != shogi.GivenHands {
			p = p.WithRest(map[shogi.Hands]shogi.Color{shogi.BlackHasRest: shogi.Black, shogi.WhiteHasRest: shogi.White}[c.want])
		}
		require.Equal(t, p, set[0].Position, c.name)
	}
}
