package record

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games/movetext"
	"github.com/yomikiri/yomikiri/games/shogi"
)

// westernMove is a move as western books and servers write it: the piece, the square that it comes from where that is not clear,
// what it does, the square that it goes to, and whether it promotes. Ranks are letters or digits.
var westernMove = regexp.MustCompile(`^(\+?[PLNSGBRK])([1-9][a-i1-9])?([-x*'’@])([1-9][a-i1-9])([+=]?)$`)

// westernEndings are words that end a game, in small letters, and what they mean for the side to move. Of words with the same
// meaning the first is written.
var westernEndings = []struct {
	word   string
	ending Ending
	means  int
}{
	{"*", NoEnding, undecided}, {"resigns", Resigned, loses}, {"resign", Resigned, loses}, {"checkmate", Mated, loses}, {"mate", Mated, loses},
	{"sennichite", Repetition, draws}, {"repetitiondraw", Repetition, draws}, {"timeup", TimeUp, loses}, {"declarationwin", Declared, wins},
	{"jishogi", Impasse, draws}, {"maxmovesdraw", MoveLimit, draws}, {"interrupt", Interrupted, undecided},
}

// westernResults are words at the end that say who has won, as in PGN, but not how.
var westernResults = map[string]Result{"1-0": BlackWins, "0-1": WhiteWins, "1/2-1/2": Drawn}

var (
	westernNumber = regexp.MustCompile(`^([0-9]+)[.)]+(?:\.\.)?`)
	westernGlyph  = regexp.MustCompile(`^\$[0-9]+$`)
	westernTag    = regexp.MustCompile(`^\[\s*([A-Za-z_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]`)
	westernTime   = regexp.MustCompile(`^\(\s*(?:([0-9]{1,3}):)?([0-9]{1,3}):([0-9]{2})\s*/`)
	westernName   = [2]string{"Sente", "Gote"}
	otherNames    = [2]string{"Black", "White"}
)

const westernStart = "SFEN"

// IsWestern reports whether the first move of a text is one in western notation of shogi, such as P-7f.
func IsWestern(begin string) bool {
	s := westernScanner{text: strings.TrimPrefix(begin, "\ufeff")}
	for {
		switch kind, word := s.next(); kind {
		case westernWord:
			word = westernNumber.ReplaceAllString(word, "")
			if word != "" {
				return westernMove.MatchString(word)
			}
		case westernEnd:
			return false
		}
	}
}

// The things of which a text in western notation consists.
const (
	westernEnd = iota
	westernWord
	westernComment
	westernHeader // a tag, in brackets
	westernParens // the time of a move, or something else in parentheses
)

// westernScanner splits a text.
type westernScanner struct {
	text  string
	line  int // lines before
	begin int // lines before the thing that was read last
}

// next returns the next thing.
func (s *westernScanner) next() (kind int, text string) {
	rest := strings.TrimLeft(s.text, " \t\r\n")
	s.skip(len(s.text) - len(rest))
	if rest == "" {
		return westernEnd, ""
	}
	if tag := westernTag.FindString(rest); tag != "" {
		s.skip(len(tag))
		return westernHeader, tag
	}
	s.begin = s.line
	n := strings.IndexAny(rest, " \t\r\n{(")
	switch {
	case rest[0] == '(':
		inside, _, closed := strings.Cut(rest, ")")
		if closed {
			inside += ")"
		}
		s.skip(len(inside))
		return westernParens, inside
	case strings.HasPrefix(rest, "--"): // who has won, as in --Black Won--
		text, _, _ = strings.Cut(rest, "\n")
		s.skip(len(text))
		return westernWord, strings.TrimSpace(text)
	case rest[0] == '{':
		inside, _, closed := strings.Cut(rest[1:], "}")
		s.skip(1 + len(inside))
		if closed {
			s.skip(1)
		}
		return westernComment, oneLine(inside)
	case n < 0:
		n = len(rest)
	}
	s.skip(n)
	return westernWord, rest[:n]
}

func (s *westernScanner) skip(n int) {
	s.line += strings.Count(s.text[:n], "\n")
	s.text = s.text[n:]
}

// ParseWestern reads games in western notation, such as 1. P-7f P-3d 2. Bx2b+ Sx2b 3. B*5e, with ranks as letters or digits.
// Tags in brackets as in PGN may be before the moves: Sente, Gote, SFEN for the start position, and others. Comments are in
// braces. After a move there may be its time, as in (00:03 / 00:01:30). A game begins with its tags, or else with the number 1 and
// the comments on lines before that.
func ParseWestern(text string) []*Record {
	s := westernScanner{text: strings.TrimPrefix(text, "\ufeff")}
	var list []*Record
	var r *Record
	var b *shogi.Board // nil before the first move
	ended, lineOfWord := false, 0
	var pending []string // comments that begin a line, which may belong to the next game
	begin := func() {
		r, b, ended = &Record{Start: shogi.Start()}, nil, false
		list = append(list, r)
	}
	comment := func(texts ...string) {
		for _, text := range texts {
			r.Comments = addComment(r.Comments, len(r.Moves), text)
		}
	}
	fail := func(line int, err error) {
		if r.Err == nil {
			r.Err = &SyntaxError{Line: line + 1, Err: err}
		}
	}
	for {
		kind, text := s.next()
		if r != nil && kind != westernComment && kind != westernWord {
			comment(pending...)
			pending = nil
		}
		if kind == westernEnd {
			for _, r := range list {
				for r.Times != nil && len(r.Times) < len(r.Moves) {
					r.Times = append(r.Times, 0)
				}
			}
			return list
		}
		if r == nil || kind == westernHeader && b != nil {
			begin()
		}
		switch kind {
		case westernHeader:
			if err := r.westernTag(text); err != nil {
				fail(s.line, err)
			}
		case westernComment:
			if len(r.Moves) > 0 && s.begin > lineOfWord || len(pending) > 0 {
				pending = append(pending, text)
			} else {
				comment(text)
			}
		case westernParens:
			if !r.westernTime(text) {
				comment(oneLine(text))
			}
		case westernWord:
			lineOfWord = s.line
			if number := westernNumber.FindStringSubmatch(text); number != nil {
				if number[1] == "1" && !strings.HasSuffix(number[0], "..") && (len(r.Moves) > 0 || ended) {
					begin()
				}
				text = text[len(number[0]):]
			}
			comment(pending...)
			pending = nil
			if text == "" || r.Err != nil || westernGlyph.MatchString(text) {
				continue
			}
			if b == nil {
				b = shogi.NewBoard(r.Start)
			}
			if strings.HasPrefix(text, "--") {
				comment(strings.Trim(text, "- "))
				ended = true
				continue
			}
			if r.endWestern(strings.ToLower(text), b.Turn()) {
				ended = true
				continue
			}
			m, err := westernMoveOf(b, text)
			if err == nil && ended {
				err = errAfterEnd.Error()
			}
			if err != nil {
				fail(s.line, errWesternMove.Error(len(r.Moves)+1, text, err))
				continue
			}
			b.Do(m)
			r.Moves = append(r.Moves, m)
		}
	}
}

// endWestern ends a game with a side to move, and reports whether it knows the word for that.
func (r *Record) endWestern(word string, turn shogi.Color) bool {
	for _, e := range westernEndings {
		if e.word == word {
			r.Ending, r.Result = e.ending, resultOf(e.means, turn)
			return true
		}
	}
	result, known := westernResults[word]
	if known {
		r.Ending, r.Result = NoEnding, result
	}
	return known
}

// westernTime sets the time of the last move, and reports whether a text in parentheses is one.
func (r *Record) westernTime(text string) bool {
	parts := westernTime.FindStringSubmatch(text)
	if parts == nil {
		return false
	}
	var seconds int
	for _, part := range parts[1:] {
		n, _ := strconv.Atoi("0" + part)
		seconds = 60*seconds + n
	}
	for len(r.Times) < len(r.Moves) {
		r.Times = append(r.Times, 0)
	}
	if len(r.Times) > 0 {
		r.Times[len(r.Moves)-1] = time.Duration(seconds) * time.Second
	}
	return true
}

// westernTag reads a tag.
func (r *Record) westernTag(text string) error {
	parts := westernTag.FindStringSubmatch(text)
	name, value := parts[1], oneLine(strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(parts[2]))
	for c := range westernName {
		if strings.EqualFold(name, westernName[c]) || strings.EqualFold(name, otherNames[c]) {
			r.Names[c] = value
			return nil
		}
	}
	if !strings.EqualFold(name, westernStart) {
		r.Tags = append(r.Tags, Tag{name, value})
		return nil
	}
	if !strings.Contains(value, " ") { // the board alone
		value += " b -"
	}
	p, err := shogi.ParseSFEN(value)
	if err != nil {
		return err
	}
	r.Start = p
	return nil
}

// westernMoveOf returns the legal move that a text stands for.
func westernMoveOf(b *shogi.Board, text string) (shogi.Move, error) {
	parts := westernMove.FindStringSubmatch(strings.TrimRight(text, ",!?"))
	if parts == nil {
		return shogi.NoMove, errWestern.Error()
	}
	k := westernKind(parts[1])
	to := westernSquare(parts[4])
	if strings.Contains("*'’@", parts[3]) {
		m := shogi.DropOf(k, to)
		return m, b.CheckMove(m)
	}
	var list [shogi.MaxMoves]shogi.Move
	var fits []shogi.Move
	for _, m := range b.AppendMoves(list[:0]) {
		if !m.IsDrop() && m.To() == to && b.At(m.From()).Kind() == k && m.Promotes() == (parts[5] == "+") &&
			(parts[2] == "" || m.From() == westernSquare(parts[2])) {
			fits = append(fits, m)
		}
	}
	switch len(fits) {
	case 1:
		return fits[0], nil
	case 0:
		return shogi.NoMove, errWesternNoFit.Error(b.Turn())
	}
	return shogi.NoMove, errWesternTwoFit.Error(fits[0], fits[1], parts[1], fits[0].From(), parts[3], to)
}

// westernLetters are the pieces by their letters.
const westernLetters = "PLNSGBRK"

var westernKinds = [...]shogi.Kind{shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Gold, shogi.Bishop, shogi.Rook, shogi.King}

var westernPromoted = map[shogi.Kind]shogi.Kind{
	shogi.Pawn: shogi.PromotedPawn, shogi.Lance: shogi.PromotedLance, shogi.Knight: shogi.PromotedKnight, shogi.Silver: shogi.PromotedSilver,
	shogi.Bishop: shogi.Horse, shogi.Rook: shogi.Dragon,
}

// westernKind returns the piece with a name; [shogi.NoKind] if there is none, such as a promoted king.
func westernKind(name string) shogi.Kind {
	letter, promoted := strings.CutPrefix(name, "+")
	k := westernKinds[strings.Index(westernLetters, letter)]
	if promoted {
		return westernPromoted[k]
	}
	return k
}

// westernSquare returns a square, as in 7f or 76.
func westernSquare(text string) shogi.Square {
	rank := int(text[1] - '0')
	if text[1] >= 'a' {
		rank = int(text[1]-'a') + 1
	}
	return shogi.SquareAt(int(text[0]-'0'), rank)
}

// AppendWestern appends the record to dst in western notation, with letters for ranks. Variations are left out.
func (r *Record) AppendWestern(dst []byte) []byte {
	tag := func(name, value string) {
		dst = fmt.Appendf(dst, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value))
	}
	for c, name := range r.Names {
		if name != "" {
			tag(westernName[c], name)
		}
	}
	for _, t := range r.Tags {
		if name := strings.Trim(t.Name, asciiLetters); name == "" && !strings.ContainsAny(t.Name, " -'0123456789") && t.Name != "" {
			tag(t.Name, t.Value)
		}
	}
	if r.Start != shogi.Start() {
		tag(westernStart, r.Start.SFEN())
	}
	if len(dst) > 0 {
		dst = append(dst, '\n')
	}
	b := shogi.NewBoard(r.Start)
	var moves []string
	for _, m := range r.Moves {
		moves = append(moves, westernText(b, m))
		b.Do(m)
	}
	var a movetext.Asides
	for ply, comments := range r.Comments {
		for _, text := range comments {
			a.Comments = movetext.Add(a.Comments, ply, strings.NewReplacer("{", "(", "}", ")").Replace(text))
		}
	}
	ending := westernEndings[0].word
	for _, e := range westernEndings {
		if e.ending == r.Ending {
			ending = e.word
			break
		}
	}
	for word, result := range westernResults {
		if r.Ending == NoEnding && r.Result == result {
			ending = word
		}
	}
	return movetext.Append(dst, 0, moves, &a, ending)
}

// westernText returns a move of a board in western notation.
func westernText(b *shogi.Board, m shogi.Move) string {
	if m.IsDrop() {
		return fmt.Sprintf("%s*%v", westernPiece(m.Dropped()), m.To())
	}
	k := b.At(m.From()).Kind()
	text := westernPiece(k)
	if len(rivals(b, k, m.To())) > 1 {
		text += m.From().String()
	}
	action := "-"
	if b.At(m.To()) != shogi.NoPiece {
		action = "x"
	}
	text += action + m.To().String()
	switch {
	case m.Promotes():
		text += "+"
	case k.CanPromote() && (m.From().InZone(b.Turn()) || m.To().InZone(b.Turn())):
		text += "="
	}
	return text
}

// westernPiece returns the name of a piece.
func westernPiece(k shogi.Kind) string {
	for i, kind := range westernKinds {
		switch k {
		case kind:
			return westernLetters[i : i+1]
		case westernPromoted[kind]:
			return "+" + westernLetters[i:i+1]
		}
	}
	return ""
}
