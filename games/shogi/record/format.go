package record

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yomikiri/yomikiri/games/shogi"
)

// Format is a file format for records and positions.
type Format uint8

// The formats. Files in KI2 are read as KIF.
const (
	SFEN Format = iota // a position a line, perhaps followed by moves, as in USI
	KIF
	CSA
)

// Detect returns the format of a file: the one that its first line declares, or the one that
// most of its lines have. A text that has none is taken for SFEN.
func Detect(text string) Format {
	if strings.HasPrefix(text, "#KIF") {
		return KIF
	}
	var count [CSA + 1]int
	for _, line := range lines(text) {
		line = strings.Trim(line, blanks)
		if line == "" || strings.IndexByte("#*'", line[0]) >= 0 { // comments of KIF and CSA
			continue
		}
		switch {
		case IsSFEN(line):
			count[SFEN]++
		case isCSA(line):
			count[CSA]++
		case isKIF(line):
			count[KIF]++
		}
	}
	best := SFEN
	for _, f := range [...]Format{KIF, CSA} {
		if count[f] > count[best] {
			best = f
		}
	}
	return best
}

// IsSFEN reports whether a line begins with a position in SFEN or USI: with eight slashes
// among letters of SFEN, or with startpos.
func IsSFEN(line string) bool {
	fields := shogi.Fields(line)
	for len(fields) > 0 && (fields[0] == "position" || fields[0] == "sfen") {
		fields = fields[1:]
	}
	return len(fields) > 0 && (fields[0] == "startpos" ||
		strings.Count(fields[0], "/") == 8 && strings.Trim(fields[0], "/+123456789PLNSGBRKplnsgbrk") == "")
}

// isCSA reports whether a line looks like one of CSA.
func isCSA(line string) bool {
	rest := line[1:]
	switch line[0] {
	case 'V':
		return rest != "" && rest[0] >= '1' && rest[0] <= '9'
	case 'N':
		return rest != "" && strings.ContainsAny(rest[:1], "+-")
	case 'P':
		return rest != "" && strings.ContainsAny(rest[:1], "I+-123456789")
	case '$':
		return strings.Contains(rest, ":")
	case '+', '-':
		return rest == "" || len(rest) >= 6 && strings.Trim(rest[:4], "0123456789") == "" && strings.Trim(rest[4:6], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	case '%':
		return rest != "" && strings.Trim(rest, "+-_ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
	}
	return false
}

// isKIF reports whether a line looks like one of KIF or KI2.
func isKIF(line string) bool {
	number, rest := cutNumber(line)
	switch {
	case line[0] == '|', strings.HasPrefix(line, "｜"), strings.HasPrefix(line, "手数"), looksMarked(line):
		return true
	case number >= 0:
		return looksLikeMove(rest) || isEnding(rest)
	}
	name, _, ok := cutHeader(line)
	return ok && (strings.Contains(line, "：") || strings.ContainsFunc(name, isLetterBeyondASCII))
}

func isLetterBeyondASCII(letter rune) bool {
	return letter >= utf8.RuneSelf && unicode.IsLetter(letter)
}

// IsKIF reports whether a text in KIF has something besides headers that other texts have too: a header that says who plays or
// from where, a diagram or a move.
func IsKIF(text string) bool {
	if strings.HasPrefix(text, "#KIF") {
		return true
	}
	for _, line := range lines(text) {
		if line = strings.Trim(line, blanks); line == "" || !isKIF(line) {
			continue
		}
		name, _, header := cutHeader(line)
		if _, hand := handOf(name); hand || !header || slices.Contains(kifHeaders, name) {
			return true
		}
		if number, rest := cutNumber(line); number >= 0 && (looksLikeMove(rest) || isEnding(rest)) {
			return true
		}
	}
	return false
}

// kifHeaders are the headers that only records of shogi have.
var kifHeaders = []string{"先手", "後手", "下手", "上手", "手番", "手合割", "変化"}

const asciiLetters = " -_'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Parse reads the records of a file, in whatever format it has. In SFEN each line is a
// record; empty lines and those that begin with # are skipped, and so is what follows a tab. h says
// how hands are read that are not whole, see [shogi.Hands.Read].
func Parse(data []byte, h shogi.Hands) ([]Record, error) {
	text := Decode(data)
	switch Detect(text) {
	case CSA:
		return parseCSA([]byte(text), h)
	case KIF:
		return parseKIF([]byte(text), h)
	}
	var records []Record
	for i, line := range lines(text) {
		line, _, _ = strings.Cut(line, "\t")
		if line = strings.Trim(line, blanks); line == "" || line[0] == '#' {
			continue
		}
		r := ParseUSI(line, h)
		if r.Err != nil {
			r.Err = &SyntaxError{Line: i + 1, Err: r.Err}
		}
		records = append(records, r)
	}
	if len(records) == 0 {
		return nil, errNoRecord.Error()
	}
	return records, nil
}

// ParseUSI reads a position and perhaps moves, as [shogi.ParsePositionWith] does. A last resign or
// win is the ending.
func ParseUSI(text string, h shogi.Hands) Record {
	var r Record
	r.Start, r.Moves, r.Hands, r.Err = shogi.ParsePositionWith(text, h)
	if r.Err != nil {
		return r
	}
	final := r.Final()
	switch fields := shogi.Fields(text); fields[len(fields)-1] {
	case "resign":
		r.Ending, r.Result = Resigned, winOf(final.Turn().Other())
	case "win":
		r.Ending, r.Result = Declared, winOf(final.Turn())
	}
	return r
}
