package shogi

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"yomikiri": usiMain, "fake-engine": fakeEngine, "bad-engine": badEngine})
}

// usiMain is "yomikiri usi".
func usiMain() {
	cmd := newUSI()
	cmd.SetArgs(os.Args[2:])
	if err := cmd.Execute(); err != nil {
		os.Exit(ui.ExitCode(err))
	}
}

// gui is a GUI with "yomikiri usi" as its engine.
type gui struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
}

func startGUI(t *testing.T) *gui {
	t.Helper()
	g := &gui{t: t, cmd: exec.Command("yomikiri", "usi"), lines: make(chan string, 1000)}
	var err error
	g.in, err = g.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := g.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, g.cmd.Start())
	t.Cleanup(func() { g.cmd.Process.Kill() })
	go func() {
		defer close(g.lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			g.lines <- scanner.Text()
		}
	}()
	return g
}

func (g *gui) send(lines ...string) {
	g.t.Helper()
	_, err := io.WriteString(g.in, strings.Join(lines, "\n")+"\n")
	require.NoError(g.t, err)
}

// expect reads lines until one is as wanted, and returns it and those before.
// There must be no answer to go among these.
func (g *gui) expect(pattern string) (line string, before []string) {
	g.t.Helper()
	want := regexp.MustCompile("^(?:" + pattern + ")$")
	for {
		line := g.next(pattern)
		if want.MatchString(line) {
			return line, before
		}
		require.NotRegexp(g.t, "^(checkmate|bestmove)", line, "wanted %q", pattern)
		before = append(before, line)
	}
}

// next returns the next line.
func (g *gui) next(wanted string) string {
	g.t.Helper()
	select {
	case line, ok := <-g.lines:
		require.True(g.t, ok, "the engine has ended without %q", wanted)
		return line
	case <-time.After(time.Minute):
		require.Fail(g.t, "no answer", "wanted %q", wanted)
	}
	return ""
}

// end waits for the end of the engine, which must have nothing more to say.
func (g *gui) end() {
	g.t.Helper()
	for line := range g.lines {
		require.NotRegexp(g.t, "^(checkmate|bestmove)", line)
	}
	require.NoError(g.t, g.cmd.Wait())
}

const (
	mateInOne   = "sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1"
	mateInThree = "sfen 4k4/9/4P4/9/9/9/9/9/9 b RS 1"
	noMate      = "sfen 4k4/9/9/9/9/9/9/9/9 b G 1"
	// Itō Kanju's Kotobuki, 611 plies: its shortest mate is not found at once.
	longMate = "sfen g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1"
	speedOf  = `time \d+ nodes \d+ nps \d+ hashfull \d+`
)

// TestUSI plays a session as a GUI does, with what GUIs get wrong.
func TestUSI(t *testing.T) {
	g := startGUI(t)
	g.send("usi")
	_, before := g.expect("usiok")
	require.Regexp(t, `^id name yomikiri \d`, before[0])
	require.Equal(t, []string{
		"id author the yomikiri authors",
		"option name USI_Hash type spin default 256 min 1 max 1048576",
		"option name Threads type spin default 1 min 1 max 1024",
		"option name Shortest type check default false",
		"option name CountFutile type check default false",
		"option name Composed type check default false",
		"option name Judge type check default false",
		"option name Rules type combo default default var default var phone var suzukou var classics var katsuaki var strict",
		"option name Attacker type combo default auto var auto var black var white",
		"option name Hands type combo default usual var usual var given var rest",
		"option name NodesLimit type spin default 0 min 0 max 1000000000000",
		"option name MultiPV type spin default 1 min 1 max 600",
		"option name SkillLevel type spin default 10 min 1 max 10",
		"option name Jitter type spin default 0 min 0 max 10000",
		"option name JitterDrift type check default false",
		"option name LossBudget type spin default 0 min 0 max 10000",
		"option name ResignValue type spin default 0 min 0 max 100000",
		"option name ResignModel type check default false",
		"option name BookFile type string default <empty>",
		"option name USI_OwnBook type check default true",
		"option name NetworkDelay type spin default 120 min 0 max 10000",
	}, before[1:])
	g.send("setoption name USI_Ponder value true", "setoption name USI_Hash value 16", "setoption name threads value 2", "isready")
	_, before = g.expect("readyok")
	require.Empty(t, before)
	g.send("usinewgame", "position "+mateInOne, "go mate infinite")
	_, before = g.expect(`checkmate G\*5b`)
	require.Regexp(t, `^info depth 1 seldepth \d+ `+speedOf+` score mate 1 pv G\*5b$`, before[len(before)-1])

	// With moves, for White, and with a limit of time.
	g.send("position sfen 9/9/9/9/9/9/4p4/9/3K5 b g 1 moves 6i5i", "go mate 60000")
	g.expect(`checkmate G\*5h`)
	g.send("position startpos", "go mate 60000")
	g.expect("checkmate nomate")

	// The side to move may be the one to be mated.
	g.send("position sfen 8k/9/7NG/9/9/9/9/9/4K4 w G 1", "setoption name Attacker value black", "go mate infinite")
	g.expect(`checkmate 1a2a G\*2b`)
	g.send("setoption name Attacker value auto")

	// A line of several moves is legal and ends in mate.
	g.send("setoption name Shortest value true", "position "+mateInThree, "go mate")
	line, _ := g.expect("checkmate( [^ ]+){3}")
	b := boardOf(t, mateInThree)
	for _, text := range strings.Fields(line)[1:] {
		m, err := b.ParseUSI(text)
		require.NoError(t, err)
		b.Do(m)
	}
	require.True(t, b.Mated())

	// Errors are told, and do no harm.
	for command, reason := range map[string]string{
		"nonsense here":                          `unknown command "nonsense"`,
		"position sfen nonsense":                 `position: SFEN "nonsense": .*`,
		"position startpos moves 7g7e":           `position: after moves, number 1: .*`,
		"position sfen K8/9/9/9/9/9/9/9/9 b G 1": `position: white, the defender, has no king on the board`,
		"setoption name Style value wild":        `no option "Style"`,
		"setoption name Attacker value both":     `option Attacker: "both": want auto, black or white`,
		"setoption Threads":                      `setoption: want name NAME value VALUE`,
		"setoption name Threads value 0":         `option Threads: "0": want a whole number from 1 to 1024`,
		"setoption name Shortest value perhaps":  `option Shortest: "perhaps": want true or false`,
		"setoption name Rules value magazine":    `option Rules: "magazine": there is no such house, .*`,
	} {
		g.send(command)
		_, before = g.expect("info string " + reason)
		require.Empty(t, before)
	}
	for _, position := range []string{"sfen nonsense", "sfen K8/9/9/9/9/9/9/9/9 b G 1"} {
		g.send("position "+position, "go mate infinite")
		g.expect("info string position: .*")
		g.expect("info string position: .*")
		g.expect("checkmate notimplemented")
	}
	g.send("", "stop", "  stop ", "gameover win", "position "+mateInOne)
	for _, command := range []string{"go mate soon", "go mate -1"} {
		g.send(command)
		_, before = g.expect("checkmate notimplemented")
		require.Len(t, before, 1)
		require.Regexp(t, "^info string go mate", before[0])
	}
	g.send("go mate infinite")
	g.expect(`checkmate G\*5b`)
	g.send("quit")
	g.end()
}

// TestUSINewGame searches two positions whose keys are equal with the fixed seed, of which only the second
// is mate. The table of the first must not answer for the second.
func TestUSINewGame(t *testing.T) {
	const (
		first  = "position sfen 1+n1sk2+s+n/+l6g1/4P1g+p+l/4+n+l+p1r/1+s+l1b+p1+n1/7+p1/+p2g4b/+p+p+p4+p+s/6+p2 b G 1"
		second = "position " + mateInOne
	)
	g := startGUI(t)
	g.send("setoption name USI_Hash value 1", first, "go mate infinite")
	g.expect("checkmate nomate")
	g.send(second, "go mate infinite")
	g.expect(`checkmate G\*5b`)

	// Nor does it if keys are equal: the table is empty.
	var out bytes.Buffer
	e := newUSIEngine(&out)
	var err error
	e.table, err = dfpn.NewFixedTable(1 << 20)
	require.NoError(t, err)
	for _, line := range []string{"setoption name USI_Hash value 1", first, "go mate infinite"} {
		require.True(t, e.command(t.Context(), line))
	}
	e.Answer()
	require.Contains(t, out.String(), "checkmate nomate")
	require.True(t, e.command(t.Context(), second))
	require.True(t, e.command(t.Context(), "go mate infinite"))
	e.Answer()
	require.Contains(t, out.String(), "checkmate G*5b")
	// The same position again finds what is known.
	for _, line := range []string{second, "go mate infinite"} {
		require.True(t, e.command(t.Context(), line))
	}
	e.Answer()
	require.Regexp(t, `nodes 0 [^\n]*\ncheckmate G\*5b\n$`, out.String())
}

// TestUSISearching sends commands while a search runs.
func TestUSISearching(t *testing.T) {
	g := startGUI(t)
	g.send("setoption name USI_Hash value 8", "setoption name Shortest value true", "position "+longMate, "go mate infinite")
	info, _ := g.expect(`info depth \d+ seldepth \d+ ` + speedOf + ` pv .*`)
	b := boardOf(t, longMate)
	for i, text := range strings.Fields(info[strings.Index(info, " pv ")+4:]) {
		m, err := b.ParseUSI(text)
		require.NoError(t, err)
		b.Do(m)
		require.True(t, i%2 == 1 || b.InCheck())
	}

	// The search goes on while others are answered; the new position and the
	// options are those of the next search.
	g.send("isready", "usi", "setoption name USI_Hash value 16", "nonsense", "position "+noMate)
	g.expect("readyok")
	g.expect("usiok")
	g.expect(`info string unknown command "nonsense"`)
	g.send("stop")
	g.expect("checkmate (timeout|.+)")
	g.send("go mate infinite")
	g.expect("checkmate nomate")

	// A limit of nodes, or of time.
	g.send("setoption name NodesLimit value 1000", "position "+longMate, "go mate infinite")
	g.expect("checkmate timeout")
	g.send("setoption name NodesLimit value 0", "usinewgame", "go mate 1")
	g.expect("checkmate timeout")

	// Another search ends the one that runs: each go has one answer.
	g.send("setoption name CountFutile value true", "go mate infinite", "position "+mateInOne, "go mate infinite")
	g.expect("checkmate timeout")
	g.expect(`checkmate G\*5b`)
	g.send("position "+longMate, "go mate infinite", "usinewgame")
	g.expect("checkmate timeout")

	// A position that comes during a search does not change or end it.
	g.send("position "+mateInOne, "go mate infinite", "position "+noMate)
	g.expect(`checkmate G\*5b`)
	g.send("go mate infinite")
	g.expect("checkmate nomate")

	// To quit needs no answer.
	g.send("position "+longMate, "usinewgame", "go mate infinite", "quit")
	g.end()
}

// TestUSITranscript plays a session: ">" is what a GUI says and "<" all that it hears.
// Times and the like are left out.
func TestUSITranscript(t *testing.T) {
	text, err := os.ReadFile("testdata/usi.golden")
	require.NoError(t, err)
	figures := regexp.MustCompile(` time \d+(?: nodes \d+ nps \d+ hashfull \d+)?`)
	g := startGUI(t)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if said, ok := strings.CutPrefix(line, "> "); ok {
			g.send(said)
		} else if heard, ok := strings.CutPrefix(line, "< "); ok {
			require.Equal(t, heard, figures.ReplaceAllString(g.next(heard), ""))
		}
	}
	g.end()
}

// TestUSIHands has positions in which pieces are missing, which one table answers one after the other.
func TestUSIHands(t *testing.T) {
	g := startGUI(t)
	g.send("setoption name USI_Hash value 16")
	const given, rest = "info string hands as given; .*", "info string white has the rest of the set in hand"
	for _, c := range []struct{ reading, position, told, want string }{
		{"usual", "8k/7pp/9/9/9/9/9/9/R3K4 b - 1", given, `checkmate 9i9a\+?`},
		{"rest", "8k/7pp/9/9/9/9/9/9/R3K4 b - 1", rest, "checkmate nomate"},
		{"given", "8k/7pp/9/9/9/9/9/9/R3K4 b - 1", given, `checkmate 9i9a\+?`},
		{"usual", "8k/7pp/9/9/9/9/9/9/R8 b - 1", rest, "checkmate nomate"},
		{"usual", "8k/7pp/9/9/9/9/9/9/R8 b p 1", rest, "checkmate nomate"},
		{"given", "8k/7pp/9/9/9/9/9/9/R8 b p 1", given, `checkmate 9i9a\+?`},
		{"given", "8k/7pp/9/9/9/9/9/9/R8 b - 1", given, `checkmate 9i9a\+?`},
		{"usual", "8k/9/7G1/9/9/9/9/9/9 b R moves R*5a P*4a", rest, "checkmate nomate"},
	} {
		g.send("setoption name Hands value "+c.reading, "position sfen "+c.position, "go mate infinite")
		g.expect(c.told)
		g.expect(c.want)
	}
	g.send("setoption name Hands value all", "quit")
	g.expect(`info string option Hands: "all": want given or rest`)
	g.end()
}

// TestUSILines shows several mates.
func TestUSILines(t *testing.T) {
	g := startGUI(t)
	g.send("setoption name USI_Hash value 16", "setoption name MultiPV value 3", "position sfen 4k4/9/4P4/9/9/9/9/9/9 b 2G2R", "go mate infinite")
	_, before := g.expect(`checkmate G\*5b`)
	require.GreaterOrEqual(t, len(before), 3)
	for i, line := range before[len(before)-3:] {
		require.Regexp(t, fmt.Sprintf(`^info depth \d+ seldepth \d+ multipv %d %s score mate \d+ pv .*`, i+1, speedOf), line)
	}
	g.send("quit")
	g.end()
}

// TestUSIComposed has futile interpositions in the middle of a line, which composers do not count.
func TestUSIComposed(t *testing.T) {
	g := startGUI(t)
	g.send("setoption name USI_Hash value 16", "setoption name Composed value true", "position sfen 6l1k/7p1/7+P1/9/9/9/9/9/2R6 b lp 1", "go mate infinite")
	_, before := g.expect(`checkmate 7i1i 1a2a 1i1b\+`)
	require.Contains(t, before, "info string 3 as composers count")
	require.Regexp(t, `^info depth 3 seldepth \d+ `+speedOf+` score mate 3 pv 7i1i 1a2a 1i1b\+$`, before[len(before)-1])
	g.send("quit")
	g.end()
}

// TestUSIJudge judges problems by the house that is chosen: the faults are told, and shown as lines.
func TestUSIJudge(t *testing.T) {
	const (
		oneMove = "sfen 8k/9/8G/9/9/9/9/9/9 b G 1"
		mirror  = "sfen 4k4/9/9/1G1+S1+S1G1/9/9/9/9/9 b 2G 1"
		replies = "sfen 8k/9/7NG/9/9/9/9/9/9 w G 1" // the defender is to move, and mated later
	)
	g := startGUI(t)
	g.send("setoption name USI_Hash value 16", "setoption name Judge value true")
	for _, c := range []struct {
		rules, position string
		answer          string
		told            []string // in words
		lines           []string
	}{
		{"default", oneMove, `G\*1b`, []string{
			`line 2, unsound: one-move cook \(一手詰の余詰\) at move 1, G\*2b, 1 ply`, `unsound \(default: one-move\), 1 ply`,
		}, []string{`1 pv G\*2b`, `1 pv G\*1b`}},
		{"phone", oneMove, `G\*1b`, []string{
			`line 2, unsound: one-move cook \(一手詰の余詰\) at move 1, G\*2b, 1 ply  \[phone: one-move\]`, `unsound \(phone: one-move\), 1 ply`,
		}, []string{`1 pv G\*2b`, `1 pv G\*1b`}},
		// A problem is sound or not by the house. The line of a fault begins as the main line.
		{"default", mirror, `G\*5b 5a5b [46]d5c \w+ \S+`, []string{
			`line 2, remark: mirror image \(左右対称\) at move 3, [46]d5c, 3 plies`, "line 3, remark: equal defence .*", "line 4, remark: equal defence .*", "sound, 5 plies",
		}, []string{`5 pv G\*5b 5a5b .*`, `5 pv G\*5b 5a5b .*`, `5 pv G\*5b 5a5b .*`, `5 pv G\*5b 5a5b .*`}},
		{"strict", mirror, `G\*5b 5a5b [46]d5c \w+ \S+`, []string{
			`line 2, unsound: mirror image .*  \[strict: mirror\]`, "line 3, unsound: .*", "line 4, unsound: .*", `unsound \(strict: mirror\), 5 plies`,
		}, []string{".*", ".*", ".*", ".*"}},
		{"default", noMate, "nomate", []string{`unsound: no mate \(不詰\)`, "unsound"}, nil},
		{"default", replies, ".*", []string{"a problem that is judged begins with the attacker"}, nil},
	} {
		g.send("setoption name Rules value "+c.rules, "position "+c.position, "go mate infinite")
		_, before := g.expect("checkmate " + c.answer)
		var told, lines []string
		for _, line := range before[1:] { // the first says how hands were read
			if text, ok := strings.CutPrefix(line, "info string "); ok {
				told = append(told, text)
			} else if at := strings.Index(line, " multipv "); at > 0 {
				number := len(lines) + 2
				if number > len(c.lines) {
					number = 1 // the main line is the last
				}
				require.Regexp(t, fmt.Sprintf("^info depth \\d+ seldepth \\d+ multipv %d %s score mate ", number, speedOf), line)
				lines = append(lines, line[strings.Index(line, "score mate ")+11:])
			}
		}
		requireLike(t, c.told, told)
		requireLike(t, c.lines, lines)
	}
	g.send("quit")
	g.end()
}

// requireLike wants lines that match patterns.
func requireLike(t *testing.T, patterns, lines []string) {
	t.Helper()
	require.Len(t, lines, len(patterns), "%q", lines)
	for i, pattern := range patterns {
		require.Regexp(t, "^(?:"+pattern+")$", lines[i])
	}
}

// TestUSIFound has a mate that is found long before it is proven to be the shortest.
func TestUSIFound(t *testing.T) {
	g := startGUI(t)
	g.send("setoption name Shortest value true", "position "+longMate, "go mate infinite")
	line, _ := g.expect(`info time \d+ score mate \d+ pv .*`)
	b := boardOf(t, longMate)
	for _, text := range strings.Fields(line[strings.Index(line, " pv ")+4:]) {
		m, err := b.ParseUSI(text)
		require.NoError(t, err)
		b.Do(m)
	}
	require.True(t, b.Mated())
	g.send("gameover lose")
	g.expect("checkmate( [^ ]+){600,}")
	g.send("quit")
	g.end()
}

// TestUSIEndOfInput ends the input during a search, as a pipe does: the search is answered.
func TestUSIEndOfInput(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"go mate infinite", `checkmate G\*5b`},
		{"go mate", `checkmate G\*5b`},
		{"go infinite", "bestmove resign"}, // there is one king
	} {
		g := startGUI(t)
		g.send("position "+mateInOne, c.command)
		require.NoError(t, g.in.Close())
		g.expect(c.want)
		g.end()
	}
	// With a byte order mark, and nothing to answer.
	g := startGUI(t)
	g.send("\ufeffposition "+strings.ReplaceAll(mateInOne, " ", "_"), "position "+mateInOne+" moves G*5b resign")
	g.send("isready")
	_, before := g.expect("readyok")
	require.Empty(t, before)
	require.NoError(t, g.in.Close())
	g.end()
}

// TestUSIPlay plays a game as a GUI does.
func TestUSIPlay(t *testing.T) {
	const move = `[1-9][a-i][1-9][a-i]\+?|[A-Z]\*[1-9][a-i]`
	g := startGUI(t)
	g.send("setoption name USI_Hash value 16", "isready")
	g.expect("readyok")
	g.send("usinewgame", "position startpos", "go nodes 5000")
	first, before := g.expect(`bestmove (` + move + `)( ponder (` + move + `))?`)
	require.Regexp(t, `^info depth \d+ seldepth \d+ `+speedOf+` score cp -?\d+ pv( (`+move+`))+$`, before[len(before)-1])
	// The same again, since a new game forgets all.
	g.send("usinewgame", "position startpos", "go nodes 5000")
	again, _ := g.expect("bestmove .*")
	require.Equal(t, first, again)

	// Every way to limit a search.
	for _, limit := range []string{"depth 3", "movetime 50", "btime 1000 wtime 1000 byoyomi 50", "btime 100 wtime 100 binc 20 winc 20", "btime 0 wtime 0", "nodes 1"} {
		g.send("position startpos moves 7g7f 3c3d", "go "+limit)
		g.expect("bestmove (" + move + ").*")
	}
	// What it does not know does not stop it.
	for limit, ignored := range map[string]string{
		"searchmoves 2g2f 2g2e nodes 100": "2g2e", "depth 2 movestogo 5": "movestogo 5", "nodes x depth 1": "nodes x", "depth 1 btime": "btime",
	} {
		g.send("go " + limit)
		_, before = g.expect("info string go: ignored: " + ignored)
		require.Empty(t, before)
		g.expect("bestmove (" + move + ").*")
	}

	// The answer waits for stop, or for ponderhit and the clock.
	g.send("go infinite", "isready")
	g.expect("readyok")
	g.send("stop")
	g.expect("bestmove (" + move + ").*")
	g.send("go ponder btime 200 wtime 200 byoyomi 20", "isready")
	g.expect("readyok")
	g.send("ponderhit")
	g.expect("bestmove (" + move + ").*")
	g.send("go ponder btime 200 wtime 200 byoyomi 20", "stop")
	g.expect("bestmove (" + move + ").*")
	g.send("go ponder", "isready")
	g.expect("readyok")
	g.send("ponderhit nodes 100") // limits that come late
	_, before = g.expect("bestmove (" + move + ").*")
	require.NotEmpty(t, before)

	// Several lines.
	g.send("setoption name MultiPV value 3", "go depth 2")
	_, before = g.expect("bestmove .*")
	require.Regexp(t, "^info depth 2 .* multipv 3 ", before[len(before)-1])
	g.send("setoption name MultiPV value 1")

	// A mate is played, a lost position resigned if it is wanted, and a win declared.
	g.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", "go nodes 1000")
	_, before = g.expect(`bestmove G\*5b`)
	require.Regexp(t, `^info depth 1 .* nodes 1 .* score mate 1 pv G\*5b$`, before[len(before)-2])
	require.Equal(t, "info string mate search: win in 1", before[len(before)-1])
	g.send("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 1", "go nodes 1000")
	g.expect("bestmove resign") // mated
	const lost = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1"
	g.send(lost, "go nodes 1000")
	g.expect("bestmove (" + move + ").*")
	g.send("setoption name ResignValue value 3000", "go nodes 1000")
	g.expect("bestmove resign")
	g.send("setoption name ResignValue value 0", "setoption name ResignModel value true", "go nodes 1000")
	g.expect("bestmove resign")
	g.send("position sfen K+R+BGGSS+N+L/PP7/9/9/9/9/9/9/8k b 10P 1", "go byoyomi 100")
	g.expect("bestmove win")

	// Mates are solved in between.
	g.send("position "+mateInThree, "go mate infinite")
	g.expect("checkmate .*")
	g.send("position startpos", "go infinite", "quit")
	g.end()
}

// TestUSIMates has positions in which a mate is proven, or a win can be declared.
func TestUSIMates(t *testing.T) {
	const (
		wins     = "4k4/9/4P4/9/9/9/9/9/4K4 b RS2b4gr3s4n4l17p"
		loses    = "5l2k/5pR2/6ppp/9/p8/9/K8/9/6B2 w G"
		declares = "K+R+BGGSS+N+L/PP7/9/9/9/9/9/9/8k b 10P"
	)
	for _, c := range []struct {
		name, position, before, command, want, told string
	}{
		{"nodes", wins, "", "go nodes 100", `R\*5b.*`, "score mate 3 pv R*5b"},
		{"depth", wins, "", "go depth 1", `R\*5b.*`, "score mate 3 pv R*5b"},
		{"time", wins, "", "go byoyomi 5000", `R\*5b.*`, "score mate 3 pv R*5b"},
		{"infinite", wins, "", "go infinite\nstop", `R\*5b.*`, ""},
		{"ponder", wins, "", "go ponder btime 10000 wtime 10000\nponderhit", `R\*5b.*`, "score mate 3 pv R*5b"},
		{"several lines", wins, "setoption name MultiPV value 2", "go depth 1", `R\*5b.*`, "multipv 2"},
		{"some moves", wins, "setoption name ResignValue value 1", "go searchmoves 5i5h 5i6i depth 1", "5i[56][hi].*", "mate search: win in 3 or less"},
		{"a weak player", wins, "setoption name SkillLevel value 1", "go depth 1", ".*", ""},
		{"lost", loses, "", "go nodes 1000", "9e9f.*", "score mate -4 pv 9e9f"},
		{"lost and resigned", loses, "setoption name ResignValue value 1000", "go nodes 1000", "resign", "mate search: loss in 4 or less"},
		{"declared", declares, "", "go nodes 10", "win", "a declaration wins"},
		{"declared at the end of analysis", declares, "", "go infinite\nstop", "win", "a declaration wins"},
		{"declared when pondering ends", declares, "", "go ponder\nponderhit", "win", "a declaration wins"},
		{"declared after pondering", declares, "", "go ponder\nstop", "win", "a declaration wins"},
		{"a move is wanted instead", declares, "", "go searchmoves 9b9c depth 1", ".*", ""},
	} {
		var out bytes.Buffer
		commands := []string{"setoption name USI_Hash value 1", c.before, "position sfen " + c.position + " 1", c.command}
		require.NoError(t, newUSIEngine(&out).run(t.Context(), strings.NewReader(strings.Join(commands, "\n")+"\n")))
		require.Regexp(t, `(?m)\nbestmove `+c.want+`\n$`, out.String(), c.name)
		require.Contains(t, out.String(), c.told, c.name)
		if c.name == "a weak player" {
			require.NotContains(t, out.String(), "mate search")
		}
	}
}

// TestUSIClock reads the limits of a go.
func TestUSIClock(t *testing.T) {
	const margin = 100 * time.Millisecond
	for _, c := range []struct {
		args string
		turn shogi.Color
		want play.Limits
	}{
		{"btime 5000 wtime 7000 byoyomi 300", shogi.Black, play.Limits{Clock: play.Clock{Left: 5 * time.Second, Byoyomi: 300 * time.Millisecond, Margin: margin}}},
		// What the move adds comes on top of what is left.
		{"btime 5000 wtime 0 binc 1000 winc 2000", shogi.Black, play.Limits{Clock: play.Clock{Left: 6 * time.Second, Increment: time.Second, Margin: margin}}},
		{"btime 5000 wtime 0 binc 1000 winc 2000", shogi.White, play.Limits{Clock: play.Clock{Left: 2 * time.Second, Increment: 2 * time.Second, Margin: margin}}},
		{"btime -5 wtime 7000", shogi.Black, play.Limits{Time: time.Millisecond, Clock: play.Clock{Margin: margin}}},
		{"btime 9223372036854775807 binc 9223372036854775807", shogi.Black, play.Limits{Clock: play.Clock{
			Left: 2 * time.Duration(1<<60/time.Millisecond) * time.Millisecond, Increment: time.Duration(1<<60/time.Millisecond) * time.Millisecond, Margin: margin,
		}}},
		{"movetime 500 nodes 7 depth 1000", shogi.Black, play.Limits{Time: 400 * time.Millisecond, Nodes: 7, Depth: play.MaxDepth}},
	} {
		b := shogi.NewBoard(shogi.Start())
		if c.turn == shogi.White {
			b.Pass()
		}
		l, ignored := parseGo(strings.Fields(c.args), b, margin)
		require.Empty(t, ignored)
		require.Equal(t, c.want, l.Limits, c.args)
	}
}

// TestUSIReady has the table of a player made before its clock runs, and never two tables.
func TestUSIReady(t *testing.T) {
	e := newUSIEngine(io.Discard)
	e.command(t.Context(), "setoption name USI_Hash value 8")
	e.command(t.Context(), "isready")
	searcher := e.player.searcher
	require.NotNil(t, searcher)
	require.Nil(t, e.table)
	e.command(t.Context(), "position startpos")
	e.command(t.Context(), "go nodes 10")
	require.Same(t, searcher, e.player.searcher)

	// The time that it takes to end pondering is missing for the next search only.
	for _, command := range []string{"go ponder btime 1000 wtime 1000", "stop"} {
		e.command(t.Context(), command)
	}
	require.Positive(t, e.Late)
	e.command(t.Context(), "go nodes 10")
	require.Zero(t, e.Late)
	e.command(t.Context(), "position "+mateInOne)
	e.command(t.Context(), "go mate 60000")
	e.Stop()
	require.Nil(t, e.player.searcher)
	require.NotNil(t, e.table)
	e.command(t.Context(), "isready")
	require.NotNil(t, e.player.searcher)
	require.Nil(t, e.table)
}

// broken is an output whose reader goes away after some writes.
type broken struct{ left int }

func (b *broken) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// TestUSIGone loses its GUI during a search: it ends too.
func TestUSIGone(t *testing.T) {
	commands := "position " + longMate + "\nsetoption name Shortest value true\nsetoption name USI_Hash value 16\ngo mate infinite\n"
	require.NoError(t, newUSIEngine(&broken{left: 2}).run(t.Context(), strings.NewReader(commands)))
}

func boardOf(t *testing.T, position string) *shogi.Board {
	t.Helper()
	p, err := tsume.ParseProblem(position, tsume.Reading{})
	require.NoError(t, err)
	return shogi.NewBoard(p.Position)
}
