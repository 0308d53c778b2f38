package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// A record in JKF (JSON kifu format) is an object:
//
//	{"header": {"先手": "A"}, "initial": {"preset": "HIRATE"},
//	 "moves": [{"comments": ["before"]},
//	           {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "color": 0, "piece": "FU"}},
//	           {"special": "TORYO", "forks": [[{"move": ...}]]}]}
//
// The first entry of moves is what there is before the first move. forks are lines that may be played instead of an entry.
type jkfRecord struct {
	Header  jkfHeader   `json:"header"`
	Initial *jkfInitial `json:"initial,omitempty"`
	Moves   []jkfEntry  `json:"moves"`
}

// jkfHeader are the headers in their order.
type jkfHeader []Tag

type jkfInitial struct {
	Preset string       `json:"preset"`
	Data   *jkfPosition `json:"data,omitempty"`
}

type jkfPosition struct {
	Color int              `json:"color"`
	Board [][]jkfPiece     `json:"board"` // by file and rank, from 1
	Hands []map[string]int `json:"hands"`
}

type jkfPiece struct {
	Color *int   `json:"color,omitempty"`
	Kind  string `json:"kind,omitempty"`
}

type jkfEntry struct {
	Comments []string     `json:"comments,omitempty"`
	Move     *jkfMove     `json:"move,omitempty"`
	Time     *jkfTimes    `json:"time,omitempty"`
	Special  string       `json:"special,omitempty"`
	Forks    [][]jkfEntry `json:"forks,omitempty"`
}

type jkfMove struct {
	From    *jkfSquare `json:"from,omitempty"`
	To      *jkfSquare `json:"to,omitempty"`
	Color   *int       `json:"color,omitempty"`
	Piece   string     `json:"piece"`
	Same    bool       `json:"same,omitempty"`
	Promote *bool      `json:"promote,omitempty"`
	Capture string     `json:"capture,omitempty"`
}

type jkfSquare struct {
	X int `json:"x"`
	Y int `json:"y"`
}

type jkfTimes struct {
	Now   jkfTime `json:"now"`
	Total jkfTime `json:"total"`
}

type jkfTime struct {
	H int     `json:"h,omitempty"`
	M int     `json:"m"`
	S float64 `json:"s"`
}

// jkfPresets are the start positions by their names in KIF.
var jkfPresets = []struct{ preset, name string }{
	{"HIRATE", "平手"}, {"KY", "香落ち"}, {"KY_R", "右香落ち"}, {"KA", "角落ち"}, {"HI", "飛車落ち"}, {"HIKY", "飛香落ち"},
	{"2", "二枚落ち"}, {"3", "三枚落ち"}, {"4", "四枚落ち"}, {"5", "五枚落ち"}, {"5_L", "左五枚落ち"}, {"6", "六枚落ち"},
	{"7_L", "左七枚落ち"}, {"7_R", "右七枚落ち"}, {"8", "八枚落ち"}, {"10", "十枚落ち"},
}

const jkfOther = "OTHER"

// UnmarshalJSON implements [json.Unmarshaler].
func (h *jkfHeader) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return errJKFHeader.Error()
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value string
		if err := d.Decode(&value); err != nil {
			return errJKFTag.Error(name)
		}
		*h = append(*h, Tag{fmt.Sprint(name), value})
	}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (h jkfHeader) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, tag := range h {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendJSON(text, tag.Name)
		text = append(text, ':')
		text = appendJSON(text, tag.Value)
	}
	return append(text, '}'), nil
}

// appendJSON appends a text in JSON.
func appendJSON(dst []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // any text can be quoted
	}
	return append(dst, quoted...)
}

// IsJKF reports whether a text that begins so looks like a record in JKF.
func IsJKF(begin string) bool {
	begin = strings.TrimLeft(strings.TrimPrefix(begin, "\ufeff"), " \t\r\n")
	return strings.HasPrefix(begin, "{") && jkfPart.MatchString(begin)
}

// jkfPart is a member that other objects hardly have.
var jkfPart = regexp.MustCompile(`"moves"\s*:\s*\[|"header"\s*:\s*\{`)

// ParseJKF reads records in JKF (JSON kifu format), one after another. It fails at the first one that is no JSON of that
// form, and returns those before it. h says how hands are read that are not whole.
func ParseJKF(data []byte, h shogi.Hands) (list []Record, err error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var text json.RawMessage
		err := d.Decode(&text)
		if err == io.EOF {
			return list, nil
		}
		begin := int(d.InputOffset()) - len(text)
		if err != nil {
			return list, jkfError(data, 0, err)
		}
		var j jkfRecord
		if err := json.Unmarshal(text, &j); err != nil {
			return list, jkfError(data, begin, err)
		}
		list = append(list, *j.record(h))
	}
}

// record returns the record of what was read.
func (j *jkfRecord) record(h shogi.Hands) *Record {
	r := new(Record)
	for _, tag := range j.Header {
		tag.Name, tag.Value = oneLine(tag.Name), oneLine(tag.Value)
		switch tag.Name {
		case playerNames[0], "下手":
			r.Names[0] = tag.Value
		case playerNames[1], "上手":
			r.Names[1] = tag.Value
		case "手合割", "手番":
		default:
			r.Tags = append(r.Tags, tag)
		}
	}
	var err error
	if r.Start, r.Hands, err = j.start(h); err != nil {
		r.Start, r.Err = shogi.Position{}, errJKFStart.Error(err)
		return r
	}
	if len(j.Moves) == 0 {
		return r
	}
	reader := jkfReader{record: r, board: shogi.NewBoard(r.Start)}
	entries := j.Moves
	if first := entries[0]; first.Move == nil { // else there is no entry before the first move
		for _, text := range first.Comments {
			r.Comments = reader.comment(r.Comments, 0, text)
		}
		entries = entries[1:]
	}
	end := reader.line(entries, 0, 0)
	r.Moves, r.Ending, r.Result, r.Times = end.moves, end.ending, end.result, end.times
	if len(end.comments) > 0 {
		r.Comments = append(r.Comments, make([][]string, max(0, 1-len(r.Comments)))...)
		r.Comments = append(r.Comments, end.comments[1:]...)
	}
	r.finish()
	r.Variations = ordered(r.Variations)
	return r
}

// oneLine returns a text without ends of lines.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// jkfError says where a text is no JKF. begin is where the record begins.
func jkfError(data []byte, begin int, err error) error {
	offset := int64(0)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
		err = errJKFType.Error(kind.Field, kind.Value, kind.Type)
	case errors.Is(err, io.ErrUnexpectedEOF):
		offset = int64(len(data))
		err = errCutOff.Error()
	default:
		return fmt.Errorf("JKF: %w", err)
	}
	line := 1 + bytes.Count(data[:min(begin+int(offset), len(data))], []byte("\n"))
	return fmt.Errorf("JKF: %w", &SyntaxError{Line: line, Err: err})
}

// start returns the start position.
func (j *jkfRecord) start(h shogi.Hands) (shogi.Position, shogi.Hands, error) {
	if j.Initial == nil || j.Initial.Preset == "" {
		return shogi.Start(), shogi.UsualHands, nil
	}
	if j.Initial.Preset != jkfOther {
		for _, p := range jkfPresets {
			if p.preset == j.Initial.Preset {
				start, _ := handicap(p.name)
				return start, shogi.UsualHands, nil
			}
		}
		return shogi.Position{}, shogi.UsualHands, errPreset.Error(j.Initial.Preset)
	}
	d := j.Initial.Data
	if d == nil {
		return shogi.Position{}, shogi.UsualHands, errNoData.Error()
	}
	var s setup
	var err error
	if s.turn, err = jkfColor(d.Color); err != nil {
		return shogi.Position{}, shogi.UsualHands, err
	}
	if len(d.Board) > 9 || len(d.Hands) > 2 {
		return shogi.Position{}, shogi.UsualHands, errFiles.Error()
	}
	for file, ranks := range d.Board {
		if len(ranks) > 9 {
			return shogi.Position{}, shogi.UsualHands, errFileRanks.Error(file+1, len(ranks))
		}
		for rank, piece := range ranks {
			if piece.Kind == "" {
				continue
			}
			k, err := kindOfCSA(piece.Kind)
			if err != nil {
				return shogi.Position{}, shogi.UsualHands, err
			}
			color := 0
			if piece.Color != nil {
				color = *piece.Color
			}
			c, err := jkfColor(color)
			if err != nil {
				return shogi.Position{}, shogi.UsualHands, err
			}
			s.board[shogi.SquareAt(file+1, rank+1)] = shogi.PieceOf(c, k)
		}
	}
	for c, hand := range d.Hands {
		for name, count := range hand {
			k, err := kindOfCSA(name)
			if err == nil && (k >= shogi.King || count < 0 || count > k.InSet()) && count != 0 {
				err = errJKFHand.Error(count, name)
			}
			if err != nil {
				return shogi.Position{}, shogi.UsualHands, err
			}
			for range count {
				s.hands[c] = s.hands[c].With(k)
			}
		}
	}
	return s.position(h)
}

func jkfColor(color int) (shogi.Color, error) {
	if color != 0 && color != 1 {
		return 0, errColor.Error(color)
	}
	return shogi.Color(color), nil
}

// jkfReader reads the lines of a record on a board.
type jkfReader struct {
	record *Record
	board  *shogi.Board
}

// jkfLine is a line of play.
type jkfLine struct {
	moves    []shogi.Move
	times    []time.Duration
	comments [][]string // comments[i] after i moves; there is nothing at 0
	ending   Ending
	result   Result
}

// comment adds the lines of a comment.
func (r *jkfReader) comment(comments [][]string, moves int, text string) [][]string {
	for _, line := range lines(text) {
		comments = addComment(comments, moves, strings.TrimRight(line, blanks))
	}
	return comments
}

// fail keeps the first error.
func (r *jkfReader) fail(ply int, err error) {
	if r.record.Err == nil {
		r.record.Err = errJKFMove.Error(ply+1, err)
	}
}

// line reads a line of play that begins after a number of moves, and its forks, which leave the line with a number. The board
// is as before then.
func (r *jkfReader) line(entries []jkfEntry, ply, number int) (l jkfLine) {
	type leaving struct {
		ply   int
		forks [][]jkfEntry
	}
	var forks []leaving
	begin := r.board.Ply()
	for i := range entries {
		x := &entries[i]
		at := ply + len(l.moves)
		if len(x.Forks) > 0 {
			forks = append(forks, leaving{at, x.Forks})
		}
		if x.Special != "" {
			end := Record{}
			end.endCSA(x.Special, r.board.Turn())
			l.ending, l.result = end.Ending, end.Result
		}
		if x.Move != nil {
			m, err := r.move(x.Move)
			switch {
			case err == nil && l.ending != NoEnding:
				err = errAfterEnd.Error()
				fallthrough
			case err != nil:
				r.fail(at, err)
			}
			if err != nil {
				break
			}
			l.moves = append(l.moves, m)
			l.times = append(l.times, x.Time.duration())
			r.board.Do(m)
		}
		for _, text := range x.Comments {
			l.comments = r.comment(l.comments, len(l.moves), text)
		}
	}
	if !slices.ContainsFunc(l.times, func(d time.Duration) bool { return d > 0 }) {
		l.times = nil
	}
	for _, f := range slices.Backward(forks) { // the last first, as on the board
		for r.board.Ply() > begin+f.ply-ply {
			r.board.Undo()
		}
		for _, fork := range f.forks {
			r.variation(fork, f.ply, number)
		}
	}
	for r.board.Ply() > begin {
		r.board.Undo()
	}
	return l
}

// variation reads a line that leaves another one.
func (r *jkfReader) variation(entries []jkfEntry, ply, leaves int) {
	at := len(r.record.Variations)
	r.record.Variations = append(r.record.Variations, Variation{Leaves: leaves, Ply: ply})
	l := r.line(entries, ply, at+1)
	if len(l.moves) == 0 { // nor has a line that leaves it
		r.record.Variations = r.record.Variations[:at]
		return
	}
	v := &r.record.Variations[at]
	v.Moves, v.Comments, v.Ending, v.Result = l.moves, l.comments, l.ending, l.result
}

// duration is the time of a move, 0 if it is not known or impossible.
func (t *jkfTimes) duration() time.Duration {
	if t == nil || t.Now.H < 0 || t.Now.M < 0 || t.Now.H > 1000 || t.Now.M > 60_000 || !(t.Now.S >= 0 && t.Now.S <= 3_600_000) {
		return 0
	}
	return time.Duration(t.Now.H)*time.Hour + time.Duration(t.Now.M)*time.Minute + time.Duration(math.Round(t.Now.S*1000))*time.Millisecond
}

// move reads a legal move.
func (r *jkfReader) move(x *jkfMove) (shogi.Move, error) {
	b := r.board
	if x.Color != nil {
		if c, err := jkfColor(*x.Color); err != nil || c != b.Turn() {
			return shogi.NoMove, errColorTurn.Error(*x.Color, b.Turn())
		}
	}
	k, err := kindOfCSA(x.Piece)
	if err != nil {
		return shogi.NoMove, err
	}
	var to shogi.Square
	switch last := b.LastMove(); {
	case x.To != nil:
		if to, err = x.To.square(); err != nil {
			return shogi.NoMove, err
		}
	case x.Same && last != shogi.NoMove:
		to = last.To()
	default:
		return shogi.NoMove, errNoTo.Error()
	}
	m := shogi.DropOf(k, to)
	if x.From != nil {
		from, err := x.From.square()
		if err != nil {
			return shogi.NoMove, err
		}
		promotes := x.Promote != nil && *x.Promote
		switch is := b.At(from).Kind(); {
		case is == k || b.At(from) == shogi.NoPiece: // which the check names
		case k != k.Unpromoted() && is == k.Unpromoted(): // the piece after the move
			promotes = true
		default:
			return shogi.NoMove, errJKFPiece.Error(x.Piece, from, is)
		}
		m = shogi.MoveOf(from, to, promotes)
	}
	return m, b.CheckMove(m)
}

// square returns a square.
func (s *jkfSquare) square() (shogi.Square, error) {
	if s.X < 1 || s.X > 9 || s.Y < 1 || s.Y > 9 {
		return shogi.NoSquare, errJKFSquare.Error(s.X, s.Y)
	}
	return shogi.SquareAt(s.X, s.Y), nil
}

// AppendJKF appends the record to dst in JKF.
func (r *Record) AppendJKF(dst []byte) []byte {
	j := jkfRecord{Header: jkfHeader{}, Initial: jkfStart(r.Start), Moves: []jkfEntry{{Comments: commentAt(r.Comments, 0)}}}
	j.Header = append(j.Header, r.Tags...)
	for c, name := range r.Names {
		if name != "" {
			j.Header = append(j.Header, Tag{playerNames[c], name})
		}
	}
	b := shogi.NewBoard(r.Start)
	lines := make([][]jkfEntry, len(r.Variations)+1)
	lines[0] = jkfEntries(b, r.Moves, r.Times, r.Comments, r.Ending, r.Result)
	begins := make([]int, len(lines)) // the ply
	for i, v := range r.Variations {
		before := r.movesBefore(&v)
		at := shogi.NewBoard(r.Start)
		for _, m := range before {
			at.Do(m)
		}
		lines[i+1], begins[i+1] = jkfEntries(at, v.Moves, nil, v.Comments, v.Ending, v.Result), v.Ply
	}
	for i, v := range slices.Backward(r.Variations) { // those that leave a line are in it before it is in another
		line := &lines[v.Leaves]
		at := v.Ply - begins[v.Leaves]
		if at == len(*line) {
			*line = append(*line, jkfEntry{})
		}
		x := &(*line)[at]
		x.Forks = append([][]jkfEntry{lines[i+1]}, x.Forks...)
	}
	j.Moves = append(j.Moves, lines[0]...)
	text, err := json.Marshal(j)
	if err != nil {
		panic(err) // it has texts and numbers only
	}
	return append(append(dst, text...), '\n')
}

// movesBefore returns the moves from the start position to a variation.
func (r *Record) movesBefore(v *Variation) []shogi.Move {
	if v.Leaves == 0 {
		return r.Moves[:v.Ply]
	}
	left := &r.Variations[v.Leaves-1]
	return append(slices.Clip(r.movesBefore(left)), left.Moves[:v.Ply-left.Ply]...)
}

// jkfStart returns a start position.
func jkfStart(p shogi.Position) *jkfInitial {
	name := handicapOf(p)
	for _, x := range jkfPresets {
		if x.name == name {
			return &jkfInitial{Preset: x.preset}
		}
	}
	board, hands, turn := p.Parts()
	d := &jkfPosition{Color: int(turn), Board: make([][]jkfPiece, 9)}
	for file := range d.Board {
		d.Board[file] = make([]jkfPiece, 9)
		for rank := range d.Board[file] {
			if piece := board[shogi.SquareAt(file+1, rank+1)]; piece != shogi.NoPiece {
				color := int(piece.Color())
				d.Board[file][rank] = jkfPiece{&color, csaNames[piece.Kind()]}
			}
		}
	}
	for _, hand := range hands {
		counts := map[string]int{}
		for k := shogi.Pawn; k < shogi.King; k++ {
			counts[csaNames[k]] = hand.Count(k)
		}
		d.Hands = append(d.Hands, counts)
	}
	return &jkfInitial{jkfOther, d}
}

// jkfEntries returns the entries of a line, whose moves it makes on the board.
func jkfEntries(b *shogi.Board, moves []shogi.Move, times []time.Duration, comments [][]string, ending Ending, result Result) (list []jkfEntry) {
	var spent [2]time.Duration
	for i, m := range moves {
		x := jkfEntry{Comments: commentAt(comments, i+1), Move: jkfMoveOf(b, m)}
		if times != nil {
			spent[b.Turn()] += times[i]
			x.Time = &jkfTimes{jkfTimeOf(times[i]), jkfTimeOf(spent[b.Turn()])}
		}
		list = append(list, x)
		b.Do(m)
	}
	if ending == Illegal && result == winOf(b.Turn()) {
		return append(list, jkfEntry{Special: csaSign(b.Turn().Other()) + "ILLEGAL_ACTION"})
	}
	for _, e := range endings {
		if e.csa != "" && e.ending == ending && resultOf(e.means, b.Turn()) == result {
			return append(list, jkfEntry{Special: e.csa})
		}
	}
	return list
}

func jkfTimeOf(d time.Duration) jkfTime {
	return jkfTime{int(d / time.Hour), int(d % time.Hour / time.Minute), float64(d%time.Minute/time.Millisecond) / 1000}
}

// jkfMoveOf returns a move on a board.
func jkfMoveOf(b *shogi.Board, m shogi.Move) *jkfMove {
	color, to := int(b.Turn()), m.To()
	x := &jkfMove{To: &jkfSquare{to.File(), to.Rank()}, Color: &color}
	if last := b.LastMove(); last != shogi.NoMove && last.To() == to {
		x.Same = true
	}
	if m.IsDrop() {
		x.Piece = csaNames[m.Dropped()]
		return x
	}
	from := m.From()
	k := b.At(from).Kind()
	x.From, x.Piece = &jkfSquare{from.File(), from.Rank()}, csaNames[k]
	if k.CanPromote() && (from.InZone(b.Turn()) || to.InZone(b.Turn())) {
		promotes := m.Promotes()
		x.Promote = &promotes
	}
	if taken := b.At(to); taken != shogi.NoPiece {
		x.Capture = csaNames[taken.Kind()]
	}
	return x
}
