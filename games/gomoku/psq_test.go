package gomoku

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const psqFile = "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,7,1203\r\n1,15,15\r\nBLACK.EXE\r\n1,2,3 is no move any more\r\n-1\r\n"

func TestParsePSQ(t *testing.T) {
	r, err := ParsePSQ(psqFile)
	require.NoError(t, err)
	require.Equal(t, 15, r.Rows)
	require.Equal(t, 15, r.Columns)
	g := open(t, "gomoku")
	p, err := g.Replay(r)
	require.NoError(t, err)
	require.Equal(t, "15/15/15/15/15/15/8o6/7x7/15/15/15/15/15/15/x14 o", string(g.AppendPosition(nil, p)))
	r, err = ParsePSQ("Piskvorky 9x6, 0:0, 1\n9,1,0")
	require.NoError(t, err)
	require.Equal(t, &Record{Rows: 6, Columns: 9, Moves: []Square{SquareAt(5, 8)}}, r)
}

func TestParsePSQErrors(t *testing.T) {
	const header = "as in Piskvorky 15x15, 11:11, 0"
	for _, c := range []struct{ text, want string }{
		{"", "PSQ line 1: want the size of the board, " + header},
		{"15x15\n", `PSQ line 1: "15x15": want the size of the board, ` + header},
		{"Piskvorky 21x21, 11:11, 0\n", `PSQ line 1: size of the board "21x21": want columns x rows, 2 to 20 each`},
		{"Piskvorky 15, 11:11, 0\n", `PSQ line 1: size of the board "15": want columns x rows, 2 to 20 each`},
		{"Piskvorky 9x8,\n1,1,0\n1,9,0\n", `PSQ line 3: "1,9,0": want x from 1 to 9 and y from 1 to 8`},
		{"Piskvorky 9x8,\n0,1,0\n", `PSQ line 2: "0,1,0": want x from 1 to 9 and y from 1 to 8`},
		{"Piskvorky 9x8,\n1,1\n", `PSQ line 2: "1,1": want x,y,milliseconds`},
		{"Piskvorky 9x8,\n1,1,soon\n", `PSQ line 2: "1,1,soon": "soon" is not a number of milliseconds`},
	} {
		_, err := ParsePSQ(c.text)
		require.EqualError(t, err, c.want)
	}
}

func TestReplayErrors(t *testing.T) {
	g := open(t, "gomoku:size=3x3,k=3")
	for _, c := range []struct {
		moves string
		want  string
	}{
		{"a1 a1", "move 2, a1: the square is not empty"},
		{"a1 a2 b1 b2 c1 c2", "move 6, c2: the game is over (loss in 0)"},
	} {
		r := &Record{Rows: 3, Columns: 3}
		for _, text := range strings.Fields(c.moves) {
			s, err := g.parseSquare(text)
			require.NoError(t, err)
			r.Moves = append(r.Moves, s)
		}
		_, err := g.Replay(r)
		require.EqualError(t, err, c.want)
	}
	_, err := g.Replay(&Record{Rows: 15, Columns: 14})
	require.EqualError(t, err, "the record has a board of 15 rows and 14 columns, want 3 and 3")
}

func TestParseBoard(t *testing.T) {
	g := open(t, "gomoku:size=3x4,k=3")
	for _, c := range []struct{ text, want string }{
		{"DONE\n", "4/4/4 x"},
		{"BOARD\r\n0,0,1\r\n3,2,2\r\nDONE\r\n", "x3/4/3o x"},
		{"0,0,2\n\n 1 , 1 , 1 \n3,2,2\ndone", "x3/1o2/3x o"},
		{"0,0,1\n1,0,1\nDONE", "xx2/4/4 x"},
	} {
		p, err := g.ParseBoard(c.text)
		require.NoError(t, err)
		require.Equal(t, c.want, string(g.AppendPosition(nil, p)))
	}
	for _, c := range []struct{ text, want string }{
		{"", "BOARD line 1: want DONE"},
		{"0,0,1\n", "BOARD line 2: want DONE"},
		{"0,0,1\nBOARD\nDONE", `BOARD line 2: "BOARD": want x,y,field, or DONE`},
		{"4,0,1\nDONE", `BOARD line 1: "4,0,1": "4,0": want x,y with x from 0 to 3 and y from 0 to 2`},
		{"0,-1,1\nDONE", `BOARD line 1: "0,-1,1": "0,-1": want x,y with x from 0 to 3 and y from 0 to 2`},
		{"0,0,4\nDONE", `BOARD line 1: "0,0,4": field "4", want 1 (own stone) or 2 (opponent's)`},
		{"0,0,1\n0,0,2\nDONE", `BOARD line 2: "0,0,2": the square is not empty`},
		{"0,0,1\n1,0,1\n2,0,1\n0,1,2\n0,2,2\nDONE", "black is to move, but has 3 or more in a row already"},
	} {
		_, err := g.ParseBoard(c.text)
		require.EqualError(t, err, c.want)
	}
}

func FuzzParsePSQ(f *testing.F) {
	f.Add(psqFile)
	f.Add("Piskvorky 3x3,\n1,1,0\n1,1,0\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParsePSQ(text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		g, err := New(Rules{Rows: r.Rows, Columns: r.Columns, K: 5})
		require.NoError(t, err)
		if p, err := g.Replay(r); err == nil {
			x, o := p.stones[Black].Len(), p.stones[White].Len()
			require.Equal(t, len(r.Moves), x+o)
		}
	})
}

func FuzzParseBoard(f *testing.F) {
	g := open(f, "gomoku:size=7x9,k=4")
	f.Add("BOARD\n0,0,1\n8,6,2\nDONE\n")
	f.Add("0,0,1\n0,0,1\nDONE")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := g.ParseBoard(text)
		if err != nil {
			return
		}
		q, err := g.ParsePosition(string(g.AppendPosition(nil, p)))
		require.NoError(t, err)
		require.Equal(t, p, q)
	})
}
