package checkers

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/movetext"
	"github.com/yomikiri/yomikiri/games/pgn"
)

// Record is a game in PDN (Portable Draughts Notation).
type Record struct {
	Line  int       // of the text, where the game begins; 1 is the first
	Tags  []pgn.Tag // in the order of the text, without FEN, SetUp and Result
	Start Position
	Moves []Move
	movetext.Asides
	// Result is one of the results of PDN, such as 1-0 (Black has won), or * if it is not
	// known, or another text that the tag Result has.
	Result string
}

// tag returns the value of a tag, empty if there is none.
func (r *Record) tag(name string) string {
	for _, t := range r.Tags {
		if strings.EqualFold(t.Name, name) {
			return t.Value
		}
	}
	return ""
}

// Title returns the players of the game, the one who moves first before the other; empty if it has none.
func (r *Record) Title() string {
	first, second := r.tag("Black"), r.tag("White")
	if r.Start.white {
		first, second = second, first
	}
	return pgn.Title(first, second)
}

// Points returns the points of the side that moves first in the game, nil if its result is not known.
func (r *Record) Points() *float64 {
	points, known := map[string]float64{"1-0": 1, "2-0": 1, "0-1": 0, "0-2": 0, "1/2-1/2": 0.5, "1-1": 0.5}[r.Result]
	if !known {
		return nil
	}
	if r.Start.white {
		points = 1 - points
	}
	return &points
}

// Times returns what the moves took, as comments say; see [pgn.Times].
func (r *Record) Times() []time.Duration {
	return pgn.Times(&r.Asides, len(r.Moves), r.tag(pgn.TagTimeControl))
}

// Tags with a meaning, beside those that all games have.
const (
	tagGameType = "GameType"
	tagVariant  = "Variant" // instead of GameType, on servers
)

// results are the texts that end the moves; the last one says nothing of the result.
var results = []string{"1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", pgn.Unknown}

// ParsePDN reads the games of a text, one after another. The moves of variations are not looked at, and lines that
// begin with % are skipped. A game that cannot be read comes with an error that names the line, and
// with the moves before that if it is clear what they are, otherwise nil. The next one begins
// with its first tag, or after the result of the bad one.
func (g *Game) ParsePDN(text string) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for game, err := range pdn.Games(text) {
			var r *Record
			if game != nil {
				played, wrong := g.replay(game)
				if err == nil || played != nil { // otherwise what is wrong may be that the rest is missing
					r, err = played, cmp.Or(wrong, err)
				}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// IsPDN reports whether a text that begins so is PDN: that a tag says so, or else that the first word is a move, if there is
// a word. A position is none, nor are PGN of chess and formats of other games.
func IsPDN(text []byte) bool {
	all := strings.TrimLeft(strings.TrimPrefix(string(text), pgn.ByteOrderMark), pgn.Blanks+"\r")
	if after, ok := strings.CutPrefix(all, "("); ok && strings.HasPrefix(strings.TrimLeft(after, pgn.Blanks+"\r"), ";") {
		return false // it is SGF
	}
	if all == "" || strings.IndexByte("[{(;%*.0123456789", all[0]) < 0 || pgn.IsChess(all) {
		return false
	}
	is := brokenTag.MatchString(all)
	for game, err := range pdn.Games(pgn.WithoutBrokenTags(all)) {
		if game == nil {
			break
		}
		for _, t := range game.Tags {
			if strings.EqualFold(t.Name, tagGameType) || strings.EqualFold(t.Name, pgn.TagVariant) || strings.EqualFold(t.Name, pgn.TagFEN) {
				return true
			}
		}
		for _, w := range game.Words {
			switch {
			case !pgn.IsNumber(w.Text):
				squares, named := squaresOf(w.Text)
				return len(squares) > 1 && (named || slices.Max(squares) <= largestSquare)
			case len(w.Text) > longestNumber:
				return false
			}
		}
		is = is || len(game.Tags) > 0 || game.Result != ""
		if err != nil {
			break
		}
	}
	return is
}

// brokenTag is the beginning of a tag, which may be wrong.
var brokenTag = regexp.MustCompile(`^\[\s*[A-Za-z]`)

const (
	largestSquare = 50 // of draughts on the largest usual board
	longestNumber = 4  // of a move
)

// line is a way to understand the moves of a game so far.
type line struct {
	moves    []Move
	position Position
	begun    []int // squares of a capture that goes on in the next word, as some servers write it
	number   int   // of the last numbered move
}

// maxLines is the number of ways to understand a game that are followed at a time.
const maxLines = 64

// replay plays a game. Where several captures fit, the moves after them decide.
func (g *Game) replay(game *pgn.Game) (*Record, error) {
	r := &Record{Line: game.Line, Start: g.Start(), Result: pgn.Unknown}
	board, err := g.parseTags(r, game)
	if err != nil {
		return nil, err
	}
	if game.Result != "" && game.Result != pgn.Unknown {
		r.Result = game.Result
	}
	made := []int{0} // moves by words
	defer func() { r.Asides = game.Place(made, len(r.Moves)) }()
	lines := []line{{position: r.Start}}
	var ambiguous error // the first move that could be several
	for i := range game.Words {
		w := &game.Words[i]
		ply := len(lines[0].moves) + 1
		var next []line
		var wrong error
		for _, l := range lines {
			fits, err := g.readWord(&l, w, board)
			if err != nil {
				wrong = cmp.Or(wrong, err)
				continue
			}
			if len(fits) == 0 || len(l.begun) > 0 {
				next = append(next, l)
			}
			if len(fits) > 1 {
				l.moves = slices.Clip(l.moves) // each route has moves of its own
				if ambiguous == nil {
					ambiguous = pdn.LineError(w.Line, fmt.Errorf("ply %d: %w", ply, g.severalRoutes(l.position, w.Text, fits)))
				}
			}
			for _, m := range fits {
				next = append(next, line{moves: append(l.moves, m), position: g.Play(l.position, m), number: l.number})
			}
		}
		switch {
		case len(next) == 0:
			if len(lines) == 1 {
				r.Moves = lines[0].moves
			}
			return r, pdn.LineError(w.Line, fmt.Errorf("ply %d: %w", ply, wrong))
		case len(next) > maxLines:
			return nil, ambiguous
		}
		lines = next
		made = append(made, len(lines[0].moves))
	}
	unfinished := lines[0]
	lines = slices.DeleteFunc(lines, func(l line) bool { return len(l.begun) > 0 })
	switch len(lines) {
	case 0:
		w := game.Words[len(game.Words)-1]
		return nil, pdn.LineError(w.Line, fmt.Errorf("ply %d: %w", len(unfinished.moves)+1, g.illegal(unfinished.position, w.Text)))
	case 1:
		r.Moves = lines[0].moves
		return r, nil
	}
	return nil, ambiguous
}

// NewRecord returns the record of a game. players and points, of which a win is 1, begin with the one who moves first; without
// names, or if points is nil, they are not known.
func (g *Game) NewRecord(from Position, moves []Move, players [2]string, points *float64) *Record {
	r := &Record{Start: from, Moves: moves, Result: pgn.Unknown}
	result := 1
	if points != nil {
		result = int(2 * *points)
		r.Result = [...]string{"0-1", "1/2-1/2", "1-0"}[result]
	}
	if from.white {
		players[0], players[1] = players[1], players[0]
		if points != nil {
			r.Result = [...]string{"1-0", "1/2-1/2", "0-1"}[result]
		}
	}
	if players != [2]string{} {
		r.Tags = []pgn.Tag{{Name: "Black", Value: players[0]}, {Name: "White", Value: players[1]}}
	}
	return r
}

// texts returns moves from a position as text.
func (g *Game) texts(p Position, moves []Move) (list []string) {
	for _, m := range moves {
		list = append(list, string(g.AppendMove(nil, p, m)))
		p = g.Play(p, m)
	}
	return list
}

// readWord returns the moves that a word may mean. It may also begin or continue a capture, and
// then changes l; or be the number of a move, without a full stop, if it does neither.
func (g *Game) readWord(l *line, w *pgn.Word, board *algebraic) ([]Move, error) {
	squares, named := squaresOf(w.Text)
	if named {
		if board == nil {
			return nil, fmt.Errorf("move %q: squares have numbers, unless there is a tag such as [GameType \"21,B,8,8,A0,0\"]; Russian draughts and other kinds are not read", w.Text)
		}
		var err error
		if squares, err = board.numbers(squares); err != nil {
			return nil, fmt.Errorf("move %q: %w", w.Text, err)
		}
	}
	if n := len(l.begun); len(squares) > 1 && n > 0 && l.begun[n-1] == squares[0] {
		squares = slices.Concat(l.begun, squares[1:])
	} else if n > 0 {
		return nil, g.illegal(l.position, w.Text)
	}
	if len(squares) > 1 {
		fits, begins := g.movesOver(l.position, squares)
		l.begun = nil
		if begins {
			l.begun = squares
		} else if len(fits) == 0 {
			return nil, g.illegal(l.position, w.Text)
		}
		return fits, nil
	}
	fits := g.compactMoves(l.position, w.Text)
	switch n, ply := squares[0], len(l.moves); {
	case n != ply/2+1 && n != (ply+1)/2+1 && n != l.number+1:
		if len(fits) == 0 {
			return nil, g.illegal(l.position, w.Text)
		}
	case len(fits) > 0:
		return nil, fmt.Errorf("%s may be the number of a move, or the move %s: want a full stop after the number, or - or x between the squares", w.Text, g.names(l.position, fits))
	default:
		l.number = n
	}
	return fits, nil
}

// englishVariant is what servers on which squares have names call the game.
var englishVariant = regexp.MustCompile(`(?i)^(?:american|english|american/english)(?: checkers| draughts)?$`)

// parseTags takes the tags of a game over. It returns the names of the squares if the game
// may have algebraic notation.
func (g *Game) parseTags(r *Record, game *pgn.Game) (*algebraic, error) {
	var board *algebraic
	named := false
	fen, fenLine := "", 0
	for _, tag := range game.Tags {
		switch {
		case strings.EqualFold(tag.Name, pgn.TagFEN):
			if fen != "" && fen != tag.Value {
				return nil, pdn.LineError(tag.Line, fmt.Errorf("a second tag FEN, after %q", fen))
			}
			fen, fenLine = tag.Value, tag.Line
		case strings.EqualFold(tag.Name, pgn.TagSetUp):
		case strings.EqualFold(tag.Name, pgn.TagResult):
			if tag.Value != "" {
				r.Result = pgn.ResultOf(tag.Value)
			}
		case strings.EqualFold(tag.Name, tagGameType):
			var err error
			if board, err = g.parseGameType(tag.Value); err != nil {
				return nil, pdn.LineError(tag.Line, err)
			}
			if board != nil {
				tag.Value = g.gameType()
			}
			r.Tags = append(r.Tags, tag.Tag)
		default:
			named = named || strings.EqualFold(tag.Name, tagVariant) && englishVariant.MatchString(tag.Value)
			r.Tags = append(r.Tags, tag.Tag)
		}
	}
	if board == nil && named {
		board = &algebraic{g: g.geometry}
	}
	if fen == "" {
		return board, nil
	}
	if board != nil {
		fen = board.replaceNames(fen)
	}
	var err error
	if r.Start, err = g.ParsePosition(fen); err != nil {
		return nil, pdn.LineError(fenLine, err)
	}
	return board, nil
}

// movesOver returns the legal move over squares; or those that fit if squares between the
// first and the last are left out, one of those that lead to the same position. It also
// reports whether a capture begins with the squares.
func (g *Game) movesOver(p Position, squares []int) (fits []Move, begins bool) {
	for _, m := range g.AppendMoves(nil, p) {
		route := g.appendRoute(nil, p, m)
		switch n := len(squares); {
		case slices.Equal(route, squares):
			return []Move{m}, false
		case n > 1 && n < len(route) && slices.Equal(route[:n], squares):
			begins = true
		case leavesOut(squares, route) && !slices.ContainsFunc(fits, func(other Move) bool { return g.Play(p, other) == g.Play(p, m) }):
			fits = append(fits, m)
		}
	}
	return fits, begins
}

func (g *Game) illegal(p Position, text string) error {
	_, err := games.FindMove(g, p, text, func(string) bool { return false })
	return err
}

func (g *Game) severalRoutes(p Position, text string, fits []Move) error {
	return fmt.Errorf("move %q: several routes: %s", text, g.names(p, fits))
}

// compactMoves returns the moves that are written as digits without separators, such as 1115,
// 0913 or 913.
func (g *Game) compactMoves(p Position, digits string) (fits []Move) {
	for _, m := range g.AppendMoves(nil, p) {
		route := g.appendRoute(nil, p, m)
		ends := []int{route[0], route[len(route)-1]}
		for _, squares := range [][]int{route, ends} {
			if digits == joined("%d", squares) || digits == joined("%02d", squares) {
				fits = append(fits, m)
				break
			}
		}
	}
	return fits
}

func joined(format string, numbers []int) string {
	var b strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&b, format, n)
	}
	return b.String()
}

// names returns moves as text.
func (g *Game) names(p Position, moves []Move) string {
	var names []string
	for _, m := range moves {
		names = append(names, string(g.AppendMove(nil, p, m)))
	}
	return strings.Join(names, " ")
}

// AppendPDN appends a game as PDN: its tags, then lines of moves, with their marks, comments in braces and variations,
// and the result. A line break in the value of a tag becomes a blank.
func (g *Game) AppendPDN(dst []byte, r *Record) []byte {
	t := pgn.Text{Tags: r.Tags, Result: r.Result, Moves: g.texts(r.Start, r.Moves), Asides: r.Asides}
	if r.Start != g.Start() {
		t.Start = string(g.AppendPosition(nil, r.Start))
	}
	return pdn.Append(dst, &t)
}
