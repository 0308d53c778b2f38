package cmd

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"yomikiri": func() { Main(Game(shogi.Family, Tsume)) }})
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
		"option name Attacker type combo default auto var auto var black var white",
		"option name NodesLimit type spin default 0 min 0 max 1000000000000",
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

	// To quit needs no answer.
	g.send("go mate infinite", "quit")
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

// TestUSIEndOfInput loses its GUI during a search.
func TestUSIEndOfInput(t *testing.T) {
	g := startGUI(t)
	g.send("position "+longMate, "setoption name Shortest value true", "go mate infinite", "isready")
	g.expect("readyok")
	require.NoError(t, g.in.Close())
	g.end()
}

func boardOf(t *testing.T, position string) *shogi.Board {
	t.Helper()
	p, err := tsume.ParseProblem(position, tsume.Natural)
	require.NoError(t, err)
	return shogi.NewBoard(p.Position)
}
