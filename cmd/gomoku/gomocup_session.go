package gomoku

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/prooffile"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/solver/threat"
)

const (
	// gomocupTime is the time for a move if the manager does not name one. A search takes at most gomocupShare of it, in
	// percent, 1/gomocupMoves of the time left for the match, and gomocupMost. Some of the rest passes before it has
	// ended.
	gomocupTime  = 3 * time.Second
	gomocupMost  = 10 * time.Second
	gomocupShare = 80
	gomocupMoves = 30

	// gomocupTable is the maximum size of the tables of the search and of its adviser, each, and gomocupLeastTable the
	// minimum.
	gomocupTable      = 32 << 20
	gomocupLeastTable = 2 << 20
	// gomocupMemory is the memory that a session takes besides the tables, or with the smallest ones.
	gomocupMemory = 64 << 20
)

// Config is by what a session plays beside its search.
type Config struct {
	// OpenProofs, if not nil, returns proofs by their game. If a proof has a move for the position, there is no search.
	OpenProofs func() (map[string]*prooffile.Set, error)
	// Book is an opening book, nil for none, and Seed is what choices in it begin with; 0 for another each time.
	Book *app.Book
	Seed uint64
}

// Serve reads commands until END, the end of input, or the end of ctx, and writes
// the answers. It returns only errors of in, out, ctx or OpenProofs. If ctx ends while
// there is no input, the goroutine that reads from in is left running.
func Serve(ctx context.Context, in io.Reader, out io.Writer, c Config) error {
	s := newGomocupSession(ctx, out)
	s.config = c
	done := make(chan struct{})
	defer close(done)
	lines := make(chan string)
	var readErr error // of in, once lines is closed
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(ui.TextOf(in))
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-done:
				return
			}
		}
		readErr = ui.ScanError(scanner)
	}()
	s.lines = lines
	if c.OpenProofs != nil {
		if err := s.open(c.OpenProofs); err != nil {
			return err
		}
	}
	for !s.ended && s.err == nil {
		if len(s.waiting) > 0 {
			line := s.waiting[0]
			s.waiting = s.waiting[1:]
			s.line(line)
			continue
		}
		select {
		case line, ok := <-lines:
			switch {
			case ctx.Err() != nil: // select takes any case that is ready
				return ctx.Err()
			case !ok:
				return readErr
			}
			s.line(strings.TrimSpace(line))
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.err
}

// open opens proofs. Large ones take seconds. Meanwhile ABOUT is answered if it is the first
// command; all other lines wait.
func (s *gomocupSession) open(openProofs func() (map[string]*prooffile.Set, error)) error {
	opened := make(chan error, 1)
	go func() {
		proofs, err := openProofs()
		s.proofs = proofs
		opened <- err
	}()
	for lines := s.lines; ; {
		select {
		case line, ok := <-lines:
			if line = strings.TrimSpace(line); !ok {
				lines = nil
			} else if len(s.waiting) == 0 && strings.EqualFold(line, "ABOUT") {
				s.line(line)
			} else {
				s.hurry = s.hurry || strings.EqualFold(line, "END")
				s.waiting = append(s.waiting, line)
			}
		case err := <-opened:
			return err
		case <-s.ctx.Done():
			return s.ctx.Err()
		}
	}
}

// gomocupSession is the state of a conversation.
type gomocupSession struct {
	ctx     context.Context
	config  Config
	lines   <-chan string // of input
	waiting []string      // lines that came while it was busy
	hurry   bool          // there is an END among them: what came before is answered at once
	out     io.Writer
	err     error // of out
	ended   bool

	turn        time.Duration // for a move
	match, left time.Duration // for a match, and the time left of it; 0 for no limit
	nodes       uint64        // of a search; 0 for no limit
	memory      uint64        // 0 for no limit
	refused     string        // why the rule cannot be played
	warnings    []string      // about INFO, to be written before a move

	proofs map[string]*prooffile.Set // by their game

	rules    gomoku.Rules                                   // rows and columns are 0 before START
	game     *gomoku.Game                                   // nil before START
	searcher *play.Searcher[gomoku.Position, gomoku.Square] // nil before the first move under these rules
	book     play.Book[gomoku.Position, gomoku.Square]      // nil if there is no book of these rules
	position gomoku.Position
	board    *strings.Builder // the lines of a BOARD or SWAP2BOARD that is being read
	swap     bool             // it is a SWAP2BOARD
}

func newGomocupSession(ctx context.Context, out io.Writer) *gomocupSession {
	return &gomocupSession{ctx: ctx, out: out, rules: gomoku.Rules{K: 5}, turn: gomocupTime}
}

func (s *gomocupSession) answer(format string, args ...any) {
	if _, err := io.WriteString(s.out, ui.Brief(fmt.Sprintf(format, args...))+"\n"); err != nil {
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
			s.newGame()
		}
	case "INFO":
		s.info(rest)
	case "BEGIN":
		if s.started() {
			s.begin()
		}
	case "TURN":
		if _, ok := s.put("TURN", rest); ok {
			s.move()
		}
	case "PLAY":
		if at, ok := s.put("PLAY", rest); ok {
			s.answer("%s", s.game.AppendCoordinates(nil, at))
		}
	case "BOARD", "SWAP2BOARD":
		if s.started() {
			s.board, s.swap = new(strings.Builder), strings.EqualFold(command, "SWAP2BOARD")
		}
	case "TAKEBACK":
		if s.started() {
			s.takeBack(rest)
		}
	case "STOP", "YXSTOP": // no search is running
	case "ABOUT":
		s.answer(`name="%s", version="%s", author="the yomikiri authors", country="-"`, "yomikiri", ui.Version())
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
	s.setRules()
	s.newGame()
}

// newGame begins a game under the same rules.
func (s *gomocupSession) newGame() {
	s.position, s.left = s.game.Start(), s.match
	s.answer("OK")
}

// setRules opens the game for the current rules.
func (s *gomocupSession) setRules() {
	if s.game != nil && s.game.Rules() == s.rules {
		return
	}
	g, err := gomoku.New(s.rules)
	if err != nil {
		panic(err) // the rules were checked
	}
	s.game, s.searcher = g, nil
	if s.book, err = app.BookOf(s.config.Book, games.Game[gomoku.Position, gomoku.Square](g)); err != nil {
		s.warnings = append(s.warnings, fmt.Sprintf("no book: %v", err))
	}
}

// makeSearcher makes the searcher, unless there is one.
func (s *gomocupSession) makeSearcher() {
	if s.searcher != nil {
		return
	}
	size := uint64(gomocupTable)
	if s.memory > 0 {
		size = max(min(size, (max(s.memory, gomocupMemory)-gomocupMemory)/2), gomocupLeastTable)
	}
	adviser, err := threat.NewDecider(s.game, size)
	if err != nil {
		panic(err) // the tables are large enough
	}
	s.searcher, err = play.New(games.Game[gomoku.Position, gomoku.Square](s.game), play.Config[gomoku.Position]{Memory: size, Pruning: play.AllPruning}, adviser)
	if err != nil {
		panic(err) // the game has an evaluation
	}
}

// info handles an INFO, which is not answered.
func (s *gomocupSession) info(text string) {
	key, value, _ := strings.Cut(text, " ")
	key, value = strings.ToLower(key), strings.TrimSpace(value)
	switch key {
	case "rule":
		s.rule(value)
	case "timeout_turn", "timeout_match", "time_left", "max_memory", "max_node":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 0 && key != "time_left" {
			s.warnings = append(s.warnings, fmt.Sprintf("INFO %s %q is ignored: want a number", key, value))
			return
		}
		s.limit(key, n)
	}
}

// limit sets a limit.
func (s *gomocupSession) limit(key string, n int64) {
	// Managers send 2^31-1 for a match without limit.
	milliseconds := time.Duration(min(n, math.MaxInt32)) * time.Millisecond
	switch key {
	case "timeout_turn":
		s.turn = milliseconds
	case "timeout_match":
		s.match, s.left = milliseconds, milliseconds
	case "time_left":
		s.left = max(milliseconds, time.Millisecond)
	case "max_node":
		s.nodes = uint64(n)
	case "max_memory":
		if s.memory = uint64(n); n > 0 && n < gomocupMemory {
			s.warnings = append(s.warnings, fmt.Sprintf("INFO max_memory: the program may take up to %s", ui.Size(gomocupMemory)))
		}
		s.searcher = nil
	}
}

func (s *gomocupSession) rule(value string) {
	// The sum of 1 (exactly five), 2 (the game goes on after five), 4 (renju) and
	// 8 (Caro).
	n, err := strconv.ParseUint(value, 10, 4)
	if err != nil || n > 1 {
		s.refused = fmt.Sprintf("rule %q: want 0 (five or more win) or 1 (exactly five); playing on after five (2), renju (4) and Caro (8) are not supported", value)
		return
	}
	s.refused, s.rules.Exact = "", n == 1
	if s.game != nil {
		s.setRules()
	}
}

// budget is how long a search may take.
func (s *gomocupSession) budget() time.Duration {
	if s.hurry {
		return 0
	}
	d := min(s.turn*gomocupShare/100, gomocupMost)
	if s.left > 0 {
		d = min(d, s.left/gomocupMoves)
	}
	return d
}

// ready reports whether the program can move, and tells the manager about errors in INFO
// commands.
func (s *gomocupSession) ready() bool {
	for _, text := range s.warnings {
		s.answer("MESSAGE %s", text)
	}
	s.warnings = nil
	if s.refused != "" {
		s.answer("ERROR %s", s.refused)
	} else if v, finished := s.game.Outcome(s.position); finished {
		s.answer("ERROR the game is over (%v)", v)
	} else {
		s.makeSearcher()
		return true
	}
	return false
}

func (s *gomocupSession) begin() {
	if s.game.Layer(s.position) > 0 {
		s.answer("ERROR BEGIN on a board that is not empty")
		return
	}
	s.move()
}

// put makes a move that the manager sends, and reports whether it is legal.
func (s *gomocupSession) put(command, text string) (gomoku.Square, bool) {
	if !s.started() {
		return gomoku.NoSquare, false
	}
	at, err := s.game.ParseCoordinates(text)
	if err != nil {
		s.answer("ERROR %s %v", command, err)
		return at, false
	}
	if v, finished := s.game.Outcome(s.position); finished {
		s.answer("ERROR %s %s: the game is over (%v)", command, text, v)
		return at, false
	}
	if _, taken := s.position.At(at); taken {
		s.answer("ERROR %s %s: the square is not empty", command, text)
		return at, false
	}
	s.position = s.game.Play(s.position, at)
	return at, true
}

// move chooses a move for the side to move, plays it and writes it.
func (s *gomocupSession) move() {
	if !s.ready() {
		return
	}
	at, ok := s.byProof()
	if !ok {
		r := s.think(s.book)
		at = r.Best().Moves[0]
		if r.Book != nil {
			s.answer("MESSAGE by the book")
		}
		if r.Advice.Lower > games.Draw {
			s.answer("MESSAGE forced win, not verified")
		}
	}
	s.position = s.game.Play(s.position, at)
	s.answer("%s", s.game.AppendCoordinates(nil, at))
}

// byProof looks up a move in the proofs, and reports whether one has it. It tells the
// manager which proof the move is from, or that there is none.
func (s *gomocupSession) byProof() (at gomoku.Square, ok bool) {
	if len(s.proofs) == 0 {
		return at, false
	}
	name := s.game.Name()
	proofs := s.proofs[name]
	if proofs == nil {
		s.answer("MESSAGE no proof is about %s", name)
		return at, false
	}
	text, source, err := proofs.Reply(s.ctx, s.game.AppendPosition(nil, s.position))
	if err == nil {
		at, err = s.game.ParseMove(s.position, text)
	}
	switch {
	case err == nil:
		s.answer("MESSAGE %s, %s", text, source)
	case errors.Is(err, prooffile.ErrNone):
		s.answer("MESSAGE %v", err)
	default:
		s.answer("MESSAGE the proofs are not used any more: %v", err)
		delete(s.proofs, name)
	}
	return at, err == nil
}

// think searches the position, unless a book has it. Meanwhile it obeys STOP and END, and keeps the other lines for later.
func (s *gomocupSession) think(book play.Book[gomoku.Position, gomoku.Square]) play.Result[gomoku.Square] {
	limits := play.Limits{Time: max(s.budget(), time.Millisecond), Nodes: s.nodes}
	q := play.Query[gomoku.Position, gomoku.Square]{From: s.position, Limits: limits, Advised: true, Book: book}
	if book != nil {
		q.Choice.Seed = cmp.Or(s.config.Seed, rand.Uint64()) ^ uint64(s.game.Layer(s.position))
	}
	var r play.Result[gomoku.Square]
	s.await(limits.Time, func(ctx context.Context) {
		var err error
		if r, err = s.searcher.Search(ctx, q); err != nil {
			panic(err) // there is a move, and no database that could fail
		}
	})
	return r
}

// await runs a search for at most a time.
func (s *gomocupSession) await(most time.Duration, search func(ctx context.Context)) {
	begin := time.Now()
	ctx, cancel := context.WithTimeout(s.ctx, most)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		search(ctx)
	}()
	for lines := s.lines; ; {
		select {
		case <-done:
			if s.left > 0 {
				s.left = max(s.left-time.Since(begin), time.Millisecond)
			}
			return
		case line, ok := <-lines:
			if !ok {
				lines = nil
				continue
			}
			line = strings.TrimSpace(line)
			switch strings.ToUpper(line) {
			case "END":
				s.hurry = true
				s.waiting = append(s.waiting, line)
				cancel()
			case "STOP", "YXSTOP":
				cancel()
			default:
				s.waiting = append(s.waiting, line)
			}
		}
	}
}

// boardLine reads a line of a BOARD or SWAP2BOARD.
func (s *gomocupSession) boardLine(text string) {
	s.board.WriteString(text + "\n")
	if !strings.EqualFold(text, "DONE") {
		return
	}
	parse, next := s.game.ParseBoard, s.move
	if s.swap {
		parse, next = s.parseSwap, s.swap2
	}
	p, err := parse(s.board.String())
	s.board = nil
	if err != nil {
		s.answer("ERROR %v", err)
		return
	}
	s.position = p
	next()
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
