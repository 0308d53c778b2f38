package record

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// handicaps are the start positions by 手合割, without the ranks that all share. The side that
// gives the handicap is White and moves first.
var handicaps = []struct{ name, board string }{
	{"平手", "lnsgkgsnl/1r5b1"},
	{"香落ち", "lnsgkgsn1/1r5b1"},
	{"右香落ち", "1nsgkgsnl/1r5b1"},
	{"角落ち", "lnsgkgsnl/1r7"},
	{"飛車落ち", "lnsgkgsnl/7b1"},
	{"飛香落ち", "lnsgkgsn1/7b1"},
	{"二枚落ち", "lnsgkgsnl/9"},
	{"三枚落ち", "lnsgkgsn1/9"},
	{"四枚落ち", "1nsgkgsn1/9"},
	{"五枚落ち", "2sgkgsn1/9"},
	{"左五枚落ち", "1nsgkgs2/9"},
	{"六枚落ち", "2sgkgs2/9"},
	{"左七枚落ち", "2sgkg3/9"},
	{"右七枚落ち", "3gkgs2/9"},
	{"八枚落ち", "3gkg3/9"},
	{"十枚落ち", "4k4/9"},
}

// handicap returns the start position of a 手合割.
func handicap(name string) (shogi.Position, bool) {
	for i, h := range handicaps {
		if h.name != name {
			continue
		}
		turn := " w -"
		if i == 0 {
			turn = " b -"
		}
		p, err := shogi.ParseSFEN(h.board + "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL" + turn)
		if err != nil {
			panic(err)
		}
		return p, true
	}
	return shogi.Position{}, false
}

// kifReader reads a KIF record line by line.
type kifReader struct {
	record Record
	line   int // from 1

	setup    setup // from the diagram
	diagram  bool
	rows     int  // of the diagram, so far
	hasTurn  bool // setup has the side to move
	handicap *shogi.Position

	board *shogi.Board // nil before the moves
	ended bool
	skip  bool // in variations
}

// ParseKIF reads a record in the KIF format (柿木形式), in UTF-8 or Shift_JIS. The start position
// is given by a diagram or a handicap (手合割), and otherwise is the usual one. Other headers,
// variations (変化), comments and times are skipped. Errors about a line are a [SyntaxError].
func ParseKIF(data []byte) (Record, error) {
	text, err := decode(data)
	if err != nil {
		return Record{}, fmt.Errorf("KIF: %w", err)
	}
	var r kifReader
	for _, line := range lines(text) {
		r.line++
		if column, err := r.read(line); err != nil {
			return Record{}, fmt.Errorf("KIF: %w", &SyntaxError{r.line, column, err})
		}
	}
	if err := r.begin(); err != nil {
		return Record{}, fmt.Errorf("KIF: %w", &SyntaxError{r.line, 0, err})
	}
	return r.record, nil
}

// read reads a line. column is the position of an error, in characters.
func (r *kifReader) read(line string) (column int, err error) {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "", r.skip, trimmed[0] == '#', trimmed[0] == '*', trimmed[0] == '&':
		return 0, nil
	case strings.HasPrefix(trimmed, "変化"):
		r.skip = true
		return 0, nil
	case trimmed[0] == '|':
		return r.readRow(line)
	case trimmed[0] == '+', strings.HasPrefix(trimmed, "９"), strings.HasPrefix(trimmed, "手数-"),
		strings.HasPrefix(trimmed, "手数＝"), strings.HasPrefix(trimmed, "手数="), strings.HasPrefix(trimmed, "まで"):
		return 0, nil
	case trimmed == "先手番", trimmed == "下手番":
		return r.setTurn(shogi.Black)
	case trimmed == "後手番", trimmed == "上手番":
		return r.setTurn(shogi.White)
	case trimmed[0] >= '0' && trimmed[0] <= '9':
		return r.readMove(line)
	}
	name, value, ok := strings.Cut(strings.Replace(trimmed, "：", ":", 1), ":")
	if ok && name != "" {
		return r.readHeader(strings.TrimSpace(name), strings.TrimSpace(value), strings.Index(line, trimmed))
	}
	return 1, fmt.Errorf("%.300q is not a header (name：value), a row of a diagram or a numbered move", trimmed)
}

func (r *kifReader) setTurn(c shogi.Color) (int, error) {
	if r.board != nil {
		return 1, fmt.Errorf("the side to move is given after the first move")
	}
	r.setup.turn, r.hasTurn = c, true
	return 0, nil
}

func (r *kifReader) readRow(line string) (int, error) {
	if r.board != nil {
		return 1, fmt.Errorf("a row of a diagram after the first move")
	}
	if r.rows == 9 {
		return 1, fmt.Errorf("row 10 of a diagram of nine")
	}
	r.diagram = true
	r.rows++
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	column, err := r.setup.parseRow(strings.TrimRight(line[indent:], " \t"), r.rows)
	return column + indent, err
}

func (r *kifReader) readHeader(name, value string, indent int) (int, error) {
	hand := func(c shogi.Color) (int, error) {
		if r.board != nil {
			return 1, fmt.Errorf("%s after the first move", name)
		}
		h, rest, column, err := parseHand(value)
		if err != nil {
			return indent + utf8.RuneCountInString(name) + 1 + column, err
		}
		if rest {
			if r.setup.rest && r.setup.restOf != c {
				return 1, fmt.Errorf("both sides hold all other pieces")
			}
			r.setup.rest, r.setup.restOf = true, c
		}
		r.diagram = true
		r.setup.hands[c] = h
		return 0, nil
	}
	switch name {
	case "先手の持駒", "下手の持駒", "先手の持ち駒", "下手の持ち駒":
		return hand(shogi.Black)
	case "後手の持駒", "上手の持駒", "後手の持ち駒", "上手の持ち駒":
		return hand(shogi.White)
	case "手番":
		switch value {
		case "先手", "下手":
			return r.setTurn(shogi.Black)
		case "後手", "上手":
			return r.setTurn(shogi.White)
		}
		return 0, fmt.Errorf("手番 %q, want 先手 or 後手", value)
	case "手合割":
		if value != "その他" && value != "詰将棋" {
			p, ok := handicap(value)
			if !ok {
				return indent + utf8.RuneCountInString(name) + 2, fmt.Errorf("%q is not a handicap, want 平手, 香落ち, 右香落ち, 角落ち, 飛車落ち, 飛香落ち, 二枚落ち to 十枚落ち, or その他 with a diagram", value)
			}
			r.handicap = &p
		}
	}
	return 0, nil
}

// begin fixes the start position, the first time it is called.
func (r *kifReader) begin() error {
	if r.board != nil {
		return nil
	}
	start := setupOf(shogi.Start())
	switch {
	case r.diagram:
		if r.rows != 9 {
			return fmt.Errorf("the diagram must have 9 rows, and has %d", r.rows)
		}
		start = r.setup
	case r.handicap != nil:
		start = setupOf(*r.handicap)
		if r.hasTurn {
			start.turn = r.setup.turn
		}
	}
	p, err := start.position()
	if err != nil {
		return err
	}
	r.record.Start = p
	r.board = shogi.NewBoard(p)
	return nil
}

// readMove reads a line such as "   1 ７六歩(77)   ( 0:01/00:00:01)".
func (r *kifReader) readMove(line string) (int, error) {
	if err := r.begin(); err != nil {
		return 0, err
	}
	text := strings.TrimLeft(line, " \t")
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	number, err := strconv.Atoi(text[:digits])
	column := func(rest string) int { return utf8.RuneCountInString(line) - utf8.RuneCountInString(rest) + 1 }
	if r.ended {
		return column(text), fmt.Errorf("a move after the end of the game")
	}
	if want := len(r.record.Moves) + 1; err != nil || number != want {
		return column(text), fmt.Errorf("move number %s, want %d", text[:digits], want)
	}
	text = strings.TrimLeft(text[digits:], " \t　")
	word := cutTime(text)
	if mate, ok := kifEndings[word]; ok {
		r.record.Mate, r.ended = mate, true
		return 0, nil
	}
	m, err := parseJapanese(r.board, word)
	if err != nil {
		return column(text), err
	}
	r.board.Do(m)
	r.record.Moves = append(r.record.Moves, m)
	return 0, nil
}

// cutTime returns the move at the beginning of a line, without the time that follows.
// There may be a space after 同.
func cutTime(text string) string {
	if at := strings.Index(text, "( "); at >= 0 {
		text = text[:at]
	}
	at := 0
	for at < len(text) {
		letter, size := utf8.DecodeRuneInString(text[at:])
		if (letter == ' ' || letter == '\t' || letter == '+') && !strings.HasSuffix(strings.TrimRight(text[:at], " 　"), "同") {
			break
		}
		at += size
	}
	return strings.TrimRight(text[:at], " 　")
}
