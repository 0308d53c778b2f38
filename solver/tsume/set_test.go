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
	problem, err := ParseProblem(twoGolds, Natural)
	require.NoError(t, err)
	set, err := ParseSet([]byte("\ufeff# two golds\n"+
		twoGolds+"\r\n\n"+
		"sfen 4k4/9/4P4/9/9/9/9/9/9 b 2G\t\t first \n"+
		twoGolds+"\t1\n"+
		twoGolds+"\t 1 \tlast\tby nobody\n"+
		"startpos moves 7g7f\t99"), 0, Natural)
	require.NoError(t, err)
	game, err := ParseProblem("startpos moves 7g7f", Natural)
	require.NoError(t, err)
	require.Equal(t, shogi.White, game.Position.Turn())
	require.Equal(t, []Entry{
		{Problem: problem, Line: 2},
		{Problem: problem, Line: 4, ID: "first"},
		{Problem: problem, Line: 5, Declared: 1},
		{Problem: problem, Line: 6, Declared: 1, ID: "last"},
		{Problem: game, Line: 7, Declared: 99},
	}, set)
}

func TestParseSetRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "no problems: want SFEN with a position on each line, KIF or CSA"},
		{"comments only", "# one\n\n# two\n", "no problems: want SFEN with a position on each line, KIF or CSA"},
		{"no defender", "9/9/9/9/9/9/9/9/4K4 b -\n", "line 1: white, the defender, has no king on the board"},
		{"a rank too few", twoGolds + "\n4k4/9/4P4/9/9/9/9/9 b 2G", `line 2: SFEN "4k4/9/4P4/9/9/9/9/9 b 2G": want 9 ranks with / between, got 8`},
		{"a number that is none", twoGolds + "\n" + strings.TrimSuffix(twoGolds, "1") + "-", `line 2: SFEN "4k4/9/4P4/9/9/9/9/9/9 b 2G -": number of the move "-"`},
		{"a length that is none", twoGolds + "\tlong", `line 1: declared length "long": want a number of plies`},
		{"a length of nothing", twoGolds + "\t0", `line 1: declared length "0": want a number of plies`},
		{"an illegal move", "startpos moves 7g7e", `line 1: after moves, number 1: `},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseSet([]byte(c.text), 0, Natural)
			require.ErrorContains(t, err, c.want)
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
	p, err := ParseProblem("3gkg3/9/4P4/9/9/9/9/9/9 b RG 1", Natural)
	require.NoError(t, err)
	r = record.Record{Start: p.Position, Mate: true}
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
			set, err := ParseSet(data, 0, Natural)
			require.NoError(t, err)
			require.Equal(t, []Entry{{Problem: start, Declared: 3}}, set)

			set, err = ParseSet(data, 2, Natural)
			require.NoError(t, err)
			require.Len(t, set, 1)
			require.Zero(t, set[0].Declared)
			two := record.Record{Start: r.Start, Moves: r.Moves[:2]}
			require.Equal(t, two.Final(), set[0].Position)

			_, err = ParseSet(data, 4, Natural)
			require.EqualError(t, err, "no position after 4 moves: the record has 3")
			_, err = ParseSet(data, 1, WhiteAttacks)
			require.EqualError(t, err, "black, the defender, has no king on the board")
		})
	}
	set, err := ParseSet(append(append(csa, "/\n"...), csa...), 0, Natural)
	require.NoError(t, err)
	require.Len(t, set, 2)
	_, err = ParseSet(append(append(csa, "/\n"...), csa...), 5, Natural)
	require.EqualError(t, err, "record 1: no position after 5 moves: the record has 3")

	var place *record.SyntaxError
	_, err = ParseSet(append(kif, "9 ５五金打\n"...), 0, Natural)
	require.ErrorAs(t, err, &place)
	_, err = ParseSet([]byte("V2.2\nP1 * nonsense\n"), 0, Natural)
	require.ErrorAs(t, err, &place)
	require.Equal(t, 2, place.Line)
}

// FuzzParseSet checks that accepted problems have a defender with a king and all other
// pieces.
func FuzzParseSet(f *testing.F) {
	f.Add([]byte(twoGolds + "\t1\tid\n"))
	f.Add([]byte("# x\nstartpos moves 7g7f\n"))
	f.Add([]byte("V2.2\nPI\n+\n+7776FU\n%TORYO\n"))
	f.Add([]byte("手合割：平手\n1 ７六歩(77)\n2 投了\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := ParseSet(data, 0, Natural)
		if err != nil {
			require.Empty(t, set)
			return
		}
		require.NotEmpty(t, set)
		for _, entry := range set {
			p := entry.Position
			require.NotEqual(t, shogi.NoSquare, p.King(p.Turn().Other()))
			require.Equal(t, p.WithRest(p.Turn().Other()), p)
			again, err := ParseProblem(p.SFEN(), Natural)
			require.NoError(t, err)
			require.Equal(t, entry.Problem, again)
		}
	})
}
