package cmd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver/threat"
)

const (
	// gomocupTime is how long a session looks for wins before a move at most. Of
	// the time that the manager gives for a move it takes one part of gomocupShare.
	gomocupTime  = 2 * time.Second
	gomocupShare = 4

	// gomocupTableBits is the size of the table for continuous fours, 1 MiB.
	gomocupTableBits = 16
	// gomocupThreatTable is the size of the table for continuous threats.
	gomocupThreatTable = 64 << 20
)

// serveGomocup reads commands until END, the end of input, or the end of ctx, and
// writes the answers. It returns an error of in, out or ctx only. If ctx ends while
// in gives nothing, a goroutine that reads from it remains.
//
// A search for continuous threats expands at most so many nodes; with 0 there are no
// such searches.
func serveGomocup(ctx context.Context, in io.Reader, out io.Writer, threatNodes uint64) error {
	s := &gomocupSession{ctx: ctx, out: out, threatNodes: threatNodes, rules: gomoku.Rules{K: 5}, time: gomocupTime}
	done := make(chan struct{})
	defer close(done)
	lines := make(chan string)
	var readErr error // of in, once lines is closed
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-done:
				return
			}
		}
		readErr = scanner.Err()
	}()
	for !s.ended && s.err == nil {
		select {
		case line, ok := <-lines:
			if !ok {
				return readErr
			}
			s.line(strings.TrimSpace(line))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.err
}

// gomocupSession is the state of a conversation.
type gomocupSession struct {
	ctx   context.Context
	out   io.Writer
	err   error // of out
	ended bool
	time  time.Duration // for a move

	threatNodes uint64

	rules    gomoku.Rules // rows and columns are 0 before START
	game     *gomoku.Game // nil before START
	player   *threat.Player
	position gomoku.Position
	board    *strings.Builder // the lines of a BOARD that is being read
}

func (s *gomocupSession) answer(format string, args ...any) {
	if _, err := fmt.Fprintf(s.out, format+"\n", args...); err != nil {
		s.err = err
	}
}

// line carries out a line of input.
func (s *gomocupSession) line(text string) {
	if s.board != nil {
		s.boardLine(text)
		return
	}
	command, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch strings.ToUpper(command) {
	case "":
	case "START":
		s.start(rest, rest)
	case "RECTSTART":
		columns, rows, _ := strings.Cut(rest, ",")
		s.start(strings.TrimSpace(rows), strings.TrimSpace(columns))
	case "RESTART":
		if s.started() {
			s.position = s.game.Start()
			s.answer("OK")
		}
	case "INFO":
		s.info(rest)
	case "BEGIN":
		if s.started() {
			s.begin()
		}
	case "TURN":
		if s.started() {
			s.turn(rest)
		}
	case "BOARD":
		if s.started() {
			s.board = new(strings.Builder)
		}
	case "TAKEBACK":
		if s.started() {
			s.takeBack(rest)
		}
	case "ABOUT":
		s.answer(`name="%s", version="%s", author="the yomikiri authors", country="-"`, "yomikiri", version())
	case "END":
		s.ended = true
	default:
		s.answer("UNKNOWN command %q", command)
	}
}

func (s *gomocupSession) started() bool {
	if s.game == nil {
		s.answer("ERROR no game: START comes first")
	}
	return s.game != nil
}

// start begins a game on a board of the given size.
func (s *gomocupSession) start(rows, columns string) {
	rules := s.rules
	var rowsErr, columnsErr error
	rules.Rows, rowsErr = strconv.Atoi(rows)
	rules.Columns, columnsErr = strconv.Atoi(columns)
	if rowsErr != nil || columnsErr != nil || min(rules.Rows, rules.Columns) < rules.K || max(rules.Rows, rules.Columns) > gomoku.MaxSide {
		s.answer("ERROR board of %q columns and %q rows: want %d to %d each", columns, rows, rules.K, gomoku.MaxSide)
		return
	}
	s.rules = rules
	s.position = gomoku.Position{}
	s.makeGame()
	s.answer("OK")
}

// makeGame makes the game of the rules and its player, unless they are there.
func (s *gomocupSession) makeGame() {
	if s.game != nil && s.game.Rules() == s.rules {
		return
	}
	g, err := gomoku.New(s.rules)
	if err != nil {
		panic(err) // the rules were checked
	}
	var vct *threat.VCT
	if s.threatNodes > 0 {
		vct, err = threat.NewVCT(g, threat.VCTConfig{Nodes: s.threatNodes, TableSize: gomocupThreatTable})
		if err != nil {
			panic(err) // the table is large enough
		}
	}
	s.game, s.player = g, threat.NewPlayer(threat.NewSearcher(g, gomocupTableBits), vct)
}

func (s *gomocupSession) info(text string) {
	key, value, _ := strings.Cut(text, " ")
	switch strings.ToLower(key) {
	case "rule":
		s.rule(value)
	case "timeout_turn":
		milliseconds, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || milliseconds < 0 {
			s.answer("ERROR timeout_turn %q: want milliseconds", value)
			return
		}
		s.time = min(time.Duration(min(milliseconds, 1e6))*time.Millisecond/gomocupShare, gomocupTime)
	}
}

func (s *gomocupSession) rule(value string) {
	// The sum of 1 (exactly five), 2 (the game goes on after five), 4 (renju) and
	// 8 (Caro).
	switch strings.TrimSpace(value) {
	case "0":
		s.rules.Exact = false
	case "1":
		s.rules.Exact = true
	default:
		s.answer("ERROR rule %q: want 0 (five or more) or 1 (exactly five)", value)
		return
	}
	if s.game != nil {
		s.makeGame()
	}
}

func (s *gomocupSession) begin() {
	empty := s.game.EmptySquares(s.position)
	all := s.game.Squares()
	if empty != all {
		s.answer("ERROR BEGIN on a board that is not empty")
		return
	}
	s.move()
}

func (s *gomocupSession) turn(text string) {
	at, err := s.game.ParseCoordinates(text)
	if err != nil {
		s.answer("ERROR TURN %v", err)
		return
	}
	if v, finished := s.game.Outcome(s.position); finished {
		s.answer("ERROR TURN %s: the game is over (%v)", text, v)
		return
	}
	if _, taken := s.position.At(at); taken {
		s.answer("ERROR TURN %s: the square is not empty", text)
		return
	}
	s.position = s.game.Play(s.position, at)
	s.move()
}

// move chooses a move for the side to move, plays it and writes it.
func (s *gomocupSession) move() {
	if v, finished := s.game.Outcome(s.position); finished {
		s.answer("ERROR the game is over (%v)", v)
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.time)
	defer cancel()
	at, win := s.player.Choose(ctx, s.position)
	if win != nil {
		s.answer("MESSAGE forced win, %d moves at most: %v", win.Moves(), win.Line())
	}
	s.position = s.game.Play(s.position, at)
	s.answer("%s", s.game.AppendCoordinates(nil, at))
}

// boardLine reads a line of a BOARD.
func (s *gomocupSession) boardLine(text string) {
	s.board.WriteString(text + "\n")
	if !strings.EqualFold(text, "DONE") {
		return
	}
	p, err := s.game.ParseBoard(s.board.String())
	s.board = nil
	if err != nil {
		s.answer("ERROR %v", err)
		return
	}
	s.position = p
	s.move()
}

func (s *gomocupSession) takeBack(text string) {
	at, err := s.game.ParseCoordinates(text)
	if err != nil {
		s.answer("ERROR TAKEBACK %v", err)
		return
	}
	if _, taken := s.position.At(at); !taken {
		s.answer("ERROR TAKEBACK %s: the square is empty", text)
		return
	}
	black, white := s.position.Stones(gomoku.Black), s.position.Stones(gomoku.White)
	black.Remove(at)
	white.Remove(at)
	s.position = gomoku.NewPosition(black, white, s.position.ToMove().Opponent())
	s.answer("OK")
}
