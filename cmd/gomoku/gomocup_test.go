package gomoku

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
)

// few limits searches and their tables, for tests of many.
const few = "INFO max_node 300\nINFO max_memory 67108864\n"

// gomocupTalk sends lines and returns those that come back.
func gomocupTalk(t *testing.T, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, Serve(context.Background(), strings.NewReader(few+strings.Join(lines, "\r\n")+"\r\n"), &out, Config{}))
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// TestGomocupThreats has a position that is won by continuous threats, which
// threat-space search does not find; with few positions it is not found.
func TestGomocupThreats(t *testing.T) {
	const board = "START 15\nBOARD\n8,11,1\n7,9,1\n7,7,1\n9,7,1\n6,6,1\n6,4,1\n6,2,1\n5,0,1\n" +
		"9,13,2\n5,9,2\n7,8,2\n9,6,2\n8,5,2\n7,4,2\n3,2,2\n5,1,2\nDONE\n"
	serve := func(text string) string {
		var out bytes.Buffer
		require.NoError(t, Serve(context.Background(), strings.NewReader(text), &out, Config{}))
		return out.String()
	}
	const found = `^OK\nMESSAGE forced win, not verified\n\d+,\d+\n$`
	require.Regexp(t, found, serve("INFO max_node 100000\n"+board))
	require.Regexp(t, `^OK\n\d+,\d+\n$`, serve("INFO max_node 4\n"+board))
}

// TestGomocupMemory has a limit of memory: the tables are small, and there is still a move.
func TestGomocupMemory(t *testing.T) {
	for _, c := range []struct {
		limit string
		want  string
	}{
		{"67108865", `^\d+,\d+\n$`},
		{"1000", `^MESSAGE INFO max_memory: the program may take up to 64 MiB\n\d+,\d+\n$`},
	} {
		var out bytes.Buffer
		s := newGomocupSession(context.Background(), &out)
		for _, line := range []string{"INFO max_node 300", "INFO max_memory " + c.limit, "START 15"} {
			s.line(line)
		}
		out.Reset()
		s.line("BEGIN")
		require.Regexp(t, c.want, out.String())
	}
}

func TestGomocupSession(t *testing.T) {
	const moves = `^\d+,\d+$`
	for _, c := range []struct {
		name        string
		lines, want []string // want has regular expressions
	}{
		{"about", []string{"ABOUT", "END", "ABOUT"}, []string{`^name="yomikiri", version="`}},
		{"first in the centre", []string{"START 15", "BEGIN"}, []string{"^OK$", "^7,7$"}},
		{"no game", []string{"TURN 1,1", "BEGIN", "BOARD", "RESTART", "TAKEBACK 1,1"},
			[]string{"^ERROR no game", "^ERROR no game", "^ERROR no game", "^ERROR no game", "^ERROR no game"}},
		{"sizes", []string{"START 21", "START", "START 4", "START x", "START 20", "RECTSTART 10,7", "BEGIN", "RECTSTART 3"},
			[]string{`^ERROR board of "21" columns and "21" rows: want 5 to 20 each$`, "^ERROR", "^ERROR", "^ERROR", "^OK$", "^OK$", "^5,3$", `^ERROR board of "3" columns and "" rows`}},
		{"wins", []string{"START 15", "BOARD", "3,3,1", "4,3,1", "5,3,1", "6,3,1", "3,9,2", "5,9,2", "7,9,2", "2,3,2", "DONE"},
			[]string{"^OK$", "^MESSAGE forced win, not verified$", "^7,3$"}},
		{"blocks", []string{"START 15", "BOARD", "3,3,2", "4,3,2", "5,3,2", "6,3,2", "2,3,1", "12,12,1", "9,2,1", "DONE"},
			[]string{"^OK$", "^7,3$"}},
		{"stops an open three", []string{"START 15", "board", "6,7,2", "7,7,2", "8,7,2", "1,1,1", "12,3,1", "done"},
			[]string{"^OK$", "^(5|9),7$"}},
		{"six win", []string{"START 15", "BOARD", "3,3,1", "4,3,1", "5,3,1", "7,3,1", "8,3,1", "3,9,2", "5,9,2", "8,9,2", "1,3,2", "11,12,2", "DONE"},
			[]string{"^OK$", "^MESSAGE forced win, not verified$", "^6,3$"}},
		{"six do not win", []string{"INFO rule 1", "START 15", "BOARD", "3,3,1", "4,3,1", "5,3,1", "7,3,1", "8,3,1", "3,9,2", "5,9,2", "8,9,2", "1,3,2", "11,12,2", "DONE"},
			[]string{"^OK$", `^(\d+,([0-24-9]|1\d)|([0-57-9]|1\d),3)$`}},
		{"largest board", []string{"START 20", "TURN 0,0", "TURN 19,19"}, []string{"^OK$", moves, moves}},
		{"rule changes in a game", []string{"START 15", "INFO rule 1", "INFO rule 4", "BEGIN", "INFO rule 0", "BEGIN"},
			[]string{"^OK$", `^ERROR rule "4": want 0 .*renju \(4\)`, moves}},
		{"rules not played", []string{"INFO rule 2", "START 15", "TURN 7,7", "BOARD", "DONE", "SWAP2BOARD", "DONE", "INFO rule 9", "BEGIN", "INFO rule five", "BEGIN"},
			[]string{"^OK$", `^ERROR rule "2"`, `^ERROR rule "2"`, `^ERROR rule "2"`, `^ERROR rule "9"`, `^ERROR rule "five"`}},
		{"INFO is not answered", []string{"INFO timeout_turn soon", "INFO max_memory 1000", "INFO folder /tmp", "INFO", "START 15", "BEGIN", "BEGIN"},
			[]string{"^OK$", `^MESSAGE INFO timeout_turn "soon" is ignored: want a number$`, "^MESSAGE INFO max_memory: the program may take up to 64 MiB$", moves, "^ERROR BEGIN"}},
		{"imposed moves", []string{"START 15", "PLAY 7,7", "TURN 8,8", "PLAY 7,7", "STOP", "YXSTOP", "SUGGEST 1,1"},
			[]string{"^OK$", "^7,7$", moves, "^ERROR PLAY 7,7: the square is not empty$", `^UNKNOWN command "SUGGEST"$`}},
		{"first stones of a swap opening", []string{"START 15", "SWAP2BOARD", "DONE", "TURN 7,7"}, []string{"^OK$", `^\d+,\d+ \d+,\d+ \d+,\d+$`, moves}},
		{"swaps where Black wins", []string{"START 15", "SWAP2BOARD", "7,7", "0,0", "8,8", "DONE"}, []string{"^OK$", "^SWAP$"}},
		{"stays where White wins", []string{"START 15", "SWAP2BOARD", "0,0", "7,7", "14,14", "8,7", "0,14", "DONE"}, []string{"^OK$", moves}},
		{"bad swap openings", []string{"START 15", "SWAP2BOARD", "7,7", "7,7", "8,8", "DONE", "SWAP2BOARD", "7,7", "DONE", "SWAP2BOARD", "15,0", "DONE"},
			[]string{"^OK$", "^ERROR SWAP2BOARD 7,7: the square is not empty$", "^ERROR SWAP2BOARD with 1 stone: want 0, 3 or 5$", `^ERROR SWAP2BOARD "15,0": want x,y`}},
		{"long lines", []string{"START " + strings.Repeat("9", 10000)}, []string{`^ERROR board of "9{200}\.\.\." columns`}},
		{"bad turns", []string{"START 15", "TURN 15,0", "TURN", "TURN 1;1", "TURN 7,7", "TURN 7,7", "BEGIN"},
			[]string{"^OK$", `^ERROR TURN "15,0": want x,y with x from 0 to 14 and y from 0 to 14$`, "^ERROR TURN", "^ERROR TURN", moves, "^ERROR TURN 7,7: the square is not empty$", "^ERROR BEGIN on a board that is not empty$"}},
		{"bad boards", []string{"START 15", "BOARD", "1,1,1", "1,1,2", "DONE", "BOARD", "1,1,3", "DONE", "BOARD", "1,1,4", "DONE", "BOARD", "1,1", "DONE"},
			[]string{"^OK$", `^ERROR BOARD line 2: "1,1,2": the square is not empty$`, `^ERROR BOARD line 1: "1,1,3": field 3 is for games that go on after five and for renju, which are not played`, `^ERROR BOARD line 1: "1,1,4": field "4", want 1 \(own stone\) or 2`, `^ERROR BOARD line 1: "1,1": want x,y,field, or DONE$`}},
		{"taking back", []string{"START 15", "TURN 7,7", "TAKEBACK 7,7", "TAKEBACK 7,7", "TAKEBACK 77"},
			[]string{"^OK$", moves, "^OK$", "^ERROR TAKEBACK 7,7: the square is empty$", "^ERROR TAKEBACK"}},
		{"unknown", []string{"HELLO world", ""}, []string{`^UNKNOWN command "HELLO"$`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := gomocupTalk(t, c.lines...)
			require.Len(t, got, len(c.want), "%q", got)
			for i := range got {
				require.Regexp(t, regexp.MustCompile(c.want[i]), got[i])
			}
		})
	}
}

// TestGomocupBudget has how long a search may take after what a manager says.
func TestGomocupBudget(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  time.Duration
	}{
		{nil, gomocupTime * gomocupShare / 100},
		{[]string{"INFO timeout_turn 0"}, 0},
		{[]string{"INFO timeout_turn 300"}, 240 * time.Millisecond},
		{[]string{"INFO timeout_turn 1000000000000"}, gomocupMost},
		{[]string{"INFO timeout_turn 300", "INFO time_left 2147483647"}, 240 * time.Millisecond},
		{[]string{"INFO timeout_turn 300", "INFO timeout_match 1500"}, 50 * time.Millisecond},
		{[]string{"INFO timeout_match 1500", "INFO time_left 600"}, 20 * time.Millisecond},
		{[]string{"INFO timeout_match 1500", "INFO time_left 600", "START 15"}, 50 * time.Millisecond},
		{[]string{"INFO timeout_match 1500", "INFO timeout_match 0"}, gomocupTime * gomocupShare / 100},
		{[]string{"INFO timeout_match 1500", "INFO time_left -20"}, time.Millisecond / gomocupMoves},
	} {
		s := newGomocupSession(context.Background(), io.Discard)
		for _, line := range c.lines {
			s.line(line)
		}
		require.Equal(t, c.want, s.budget(), "%q", c.lines)
	}
}

// TestGomocupStop ends searches by STOP and END; what came before them still counts.
func TestGomocupStop(t *testing.T) {
	for stop, waiting := range map[string][]string{"STOP": {"ABOUT"}, "END": {"ABOUT", "END"}} {
		s := newGomocupSession(context.Background(), io.Discard)
		lines := make(chan string)
		s.lines = lines
		s.line("START 15")
		go func() {
			lines <- "ABOUT"
			lines <- stop
		}()
		s.await(time.Hour, func(ctx context.Context) { <-ctx.Done() })
		require.Equal(t, waiting, s.waiting)
	}
}

// TestGomocupGame lets the program play against itself until the game is over.
func TestGomocupGame(t *testing.T) {
	var players [2]gomocupPlayer
	for i := range players {
		in, send := io.Pipe()
		receive, out := io.Pipe()
		players[i] = gomocupPlayer{send, &lineReader{r: receive}, make(chan error, 1)}
		go func() { players[i].err <- Serve(context.Background(), in, out, Config{}) }()
		players[i].say(t, few+"START 9")
		require.Equal(t, "OK", players[i].out.line(t))
	}
	players[0].say(t, "BEGIN")
	move := players[0].out.move(t)
	over := false
	for i := 1; !over && i <= 81; i++ {
		p := players[i%2]
		p.say(t, "TURN "+move)
		move = p.out.move(t)
		over = strings.HasPrefix(move, "ERROR TURN") || strings.HasPrefix(move, "ERROR the game is over")
	}
	require.True(t, over)
	for _, p := range players {
		p.say(t, "END")
		require.NoError(t, <-p.err)
	}
}

type gomocupPlayer struct {
	in  io.Writer
	out *lineReader
	err chan error
}

func (p *gomocupPlayer) say(t *testing.T, line string) {
	_, err := io.WriteString(p.in, line+"\n")
	require.NoError(t, err)
}

// lineReader reads lines.
type lineReader struct{ r io.Reader }

func (l *lineReader) line(t *testing.T) string {
	var line []byte
	for one := make([]byte, 1); ; {
		_, err := l.r.Read(one)
		require.NoError(t, err)
		if one[0] == '\n' {
			return string(line)
		}
		line = append(line, one[0])
	}
}

// move reads up to the line with a move or an error.
func (l *lineReader) move(t *testing.T) string {
	for {
		if line := l.line(t); !strings.HasPrefix(line, "MESSAGE") {
			return line
		}
	}
}

func TestGomocupInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, send := io.Pipe()
	done := make(chan error)
	go func() { done <- Serve(ctx, in, io.Discard, Config{}) }()
	_, err := io.WriteString(send, "START 15\n")
	require.NoError(t, err)
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	require.NoError(t, send.Close())
}

var errGone = errors.New("nobody reads this")

type deafWriter struct{}

func (deafWriter) Write([]byte) (int, error) { return 0, errGone }

func TestGomocupBroken(t *testing.T) {
	require.ErrorIs(t, Serve(context.Background(), iotest.ErrReader(errGone), io.Discard, Config{}), errGone)
	require.ErrorIs(t, Serve(context.Background(), strings.NewReader("ABOUT\nABOUT\n"), deafWriter{}, Config{}), errGone)
}

func FuzzGomocup(f *testing.F) {
	f.Add("START 9\nBEGIN\nTURN 0,0\nEND\n")
	f.Add("RECTSTART 5,6\nINFO rule 1\nBOARD\n0,0,1\n1,1,2\n2,2,1\nDONE\nTAKEBACK 1,1\nTURN 4,4\n")
	f.Add("START 5\nBOARD\nBOARD\nDONE\nTURN 1,1\nRESTART\nBEGIN\nTURN 3,3")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 300 || strings.Count(text, "TURN")+strings.Count(text, "DONE") > 8 {
			return
		}
		var out bytes.Buffer
		if err := Serve(context.Background(), strings.NewReader(few+text), &out, Config{}); err != nil {
			return // a line too long
		}
		for line := range strings.Lines(out.String()) {
			require.Regexp(t, `^(OK|ERROR .*|UNKNOWN .*|MESSAGE .*|name=.*|\d+,\d+)\n$`, line)
		}
	})
}
