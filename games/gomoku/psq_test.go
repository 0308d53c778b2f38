package gomoku

import (
	"fmt"
	"regexp"
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
	moves, err := g.Replay(r)
	require.NoError(t, err)
	p := g.Start()
	for _, m := range moves {
		p = g.Play(p, m)
	}
	require.Equal(t, "15/15/15/15/15/15/8o6/7x7/15/15/15/15/15/15/x14 o", string(g.AppendPosition(nil, p)))
	require.Zero(t, r.Unread)
	require.Equal(t, []int{0, 1203, 15}, r.Milliseconds)
	require.Empty(t, r.Names)
	named, err := ParsePSQ("Piskvorky 9x6\n9,1,0\n\nBLACK.EXE \n2nd,1.zip\n-1\n")
	require.NoError(t, err)
	require.Equal(t, [2]string{"BLACK.EXE", "2nd,1.zip"}, named.Names)

	// Sizes and squares are columns first; a1 is at the bottom.
	one := []Square{SquareAt(5, 8)}
	two := []Square{SquareAt(5, 8), SquareAt(4, 0)}
	for _, c := range []struct {
		text   string
		moves  []Square
		unread int
	}{
		{"Piskvorky 9x6, 0:0, 1\n9,1,0", one, 0},
		{"\ufeffPiskvorky 9X6\n9,1\n1,2\n", two, 0},
		{"Piskvorky9x6,11:11,0\n 9 , 1 , 100\n1, 2, -5", two, 0},
		{"Piskvorky 9x6, 11:11, 0\r\n9,1,\r\n\r\n1,2,1.5\r\n-1\r\n1,Freestyle\r\n", two, 0},
		{"Piskvorky 9x6, 11:11, 0\n9,1,0 1,2,0", two, 0},
		{"Piskvorky 9x6, 11:11, 0\n", nil, 0},
		// Moves after their end are not read.
		{"Piskvorky 9x6, 11:11, 0\n9,1,0\nplayer\n1,2,0", one, 4},
		{"Piskvorky 9x6, 11:11, 0\n9,1,soon\n\n1,2", one, 4},
		{"Piskvorky 9x6, 11:11, 0\n9,1,0,0\n1,2,0\n1,3,0", one, 3},
		{"Piskvorky 9x6, 11:11, 0\n9,1,0\n1,", one, 3},
		{"Piskvorky 9x6, 11:11, 0\n9,1,0\n1,\n-1\n", one, 3},
	} {
		r, err := ParsePSQ(c.text)
		require.NoError(t, err, c.text)
		require.Len(t, r.Lines, len(c.moves))
		r.Lines, r.Milliseconds = nil, nil
		require.Equal(t, &Record{Rows: 6, Columns: 9, Moves: c.moves, Unread: c.unread}, r, c.text)
	}
	r, err = ParsePSQ("Piskvorky 9x6\n9,1\n\n1,2,0\n9,1,5\n")
	require.NoError(t, err)
	require.Equal(t, []int{2, 4, 5}, r.Lines)
	_, err = open(t, "gomoku:size=6x9").Replay(r)
	require.EqualError(t, err, "PSQ line 5: move 3, i6: the square is not empty")
}

func TestParsePSQErrors(t *testing.T) {
	const header = "as in Piskvorky 15x15, 11:11, 0"
	for _, c := range []struct{ text, want string }{
		{"", `PSQ line 1: "": want the size of the board, ` + header},
		{"15x15\n", `PSQ line 1: "15x15": want the size of the board, ` + header},
		{"Piskvorky 21x21, 11:11, 0\n", `PSQ line 1: size of the board "21x21": want columns x rows, 2 to 20 each`},
		{"Piskvorky 15, 11:11, 0\n", `PSQ line 1: size of the board "15": want columns x rows, 2 to 20 each`},
		{"Piskvorky 9x8,\n1,1,0\n1,9,0\n", `PSQ line 3: "1,9,0": want x from 1 to 9 and y from 1 to 8`},
		{"Piskvorky 9x8,\n0,1,0\n", `PSQ line 2: "0,1,0": want x from 1 to 9 and y from 1 to 8`},
		{"Piskvorky 9x8,\n1,1\n\n-2,1\n", `PSQ line 4: "-2,1": want x from 1 to 9 and y from 1 to 8`},
	} {
		r, err := ParsePSQ(c.text)
		require.EqualError(t, err, c.want)
		if strings.Contains(c.want, "want x") {
			require.Len(t, r.Moves, strings.Count(c.text, "1,1"), "the moves before %q", c.text)
		}
	}
	for text, is := range map[string]bool{"Piskvorky 15x15, 11:11, 0\n": true, "\ufeffPiskvork9X6": true, "": false, "15x15": false, "startpos moves h8": false} {
		require.Equal(t, is, IsPSQ(text), text)
	}
}

func TestReplayErrors(t *testing.T) {
	g := open(t, "gomoku:size=3x3,k=3")
	for _, c := range []struct {
		moves string
		legal int
		want  string
	}{
		{"a1 a1", 1, "move 2, a1: the square is not empty"},
		{"a1 a2 b1 b2 c1 c2 c3", 5, "move 6, c2: the game is over (loss in 0)"},
	} {
		r := &Record{Rows: 3, Columns: 3}
		for _, text := range strings.Fields(c.moves) {
			s, err := g.parseSquare(text)
			require.NoError(t, err)
			r.Moves = append(r.Moves, s)
		}
		moves, err := g.Replay(r)
		require.EqualError(t, err, c.want)
		require.Equal(t, r.Moves[:c.legal], moves)
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

// FuzzParsePSQ requires that what was read, written and read again is the same, and that each
// line with a move is read or told.
func FuzzParsePSQ(f *testing.F) {
	for _, text := range []string{psqFile, "Piskvorky 3x3,\n1,1,0\n1,1,0\n", "\ufeffPiskvork9X6\n\n9,1\n1, 2,1.5\nplayer\n-1\n1,Renju", "Piskvorky 9x6\n1,1,soon\n2,2"} {
		f.Add(text)
	}
	line := regexp.MustCompile(`(?m)^[1-9][0-9]?,[1-9][0-9]?(,[0-9]+)?\r?$`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParsePSQ(text)
		if err != nil {
			require.Regexp(t, `^PSQ line [0-9]+: `, err.Error())
			return
		}
		if _, body, _ := strings.Cut(text, "\n"); r.Unread == 0 {
			require.GreaterOrEqual(t, len(r.Moves), len(line.FindAllString(body, -1)))
		}
		written := fmt.Sprintf("Piskvorky %dx%d, 11:11, 0\n", r.Columns, r.Rows)
		for _, m := range r.Moves {
			written += fmt.Sprintf("%d,%d,0\n", m.Column()+1, r.Rows-m.Row())
		}
		again, err := ParsePSQ(written + "black\nwhite\n-1\n")
		require.NoError(t, err)
		r.Unread, r.Lines, r.Milliseconds, r.Names, again.Lines, again.Names = 0, nil, nil, [2]string{}, nil, [2]string{}
		require.Equal(t, r, again)
		g, err := New(Rules{Rows: r.Rows, Columns: r.Columns, K: 5})
		require.NoError(t, err)
		if moves, err := g.Replay(r); err == nil {
			require.Equal(t, r.Moves, moves)
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
