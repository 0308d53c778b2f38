package pgn

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Chess is the notation of chess and its variants. Words are what may be a move in algebraic notation, or the number of one
// without a full stop.
var Chess = &Notation{
	Name: "PGN",
	Move: func(text string) int {
		word := chessWord.FindString(text)
		if strings.ContainsAny(word, "0123456789") || castling.MatchString(word) || strings.HasPrefix(word, "--") {
			return len(word)
		}
		return 0
	},
	Mark:      regexp.MustCompile(`^[!?+#=]+`),
	Judgement: regexp.MustCompile(`^([-+=/±∓∞⩲⩱]+)(?:[\s{(;]|$)`),
	Glyphs: map[string]string{
		"=": "$10", "∞": "$13", "+=": "$14", "+/=": "$14", "⩲": "$14", "=+": "$15", "=/+": "$15", "⩱": "$15",
		"±": "$16", "+/-": "$16", "∓": "$17", "-/+": "$17", "+-": "$18", "-+": "$19",
	},
	Ending:  regexp.MustCompile(`^(?:\*|` + Half + `|1` + between + `0\b|0` + between + `1\b|(?:\+--|--\+)(?:\s|$))`),
	Results: []string{"1-0", "0-1", "1/2-1/2", Unknown},
}

const (
	// TagVariant names the variant of a game.
	TagVariant = "Variant"
	// tagOpening is the number of an opening of chess.
	tagOpening = "ECO"
)

var (
	chessWord = regexp.MustCompile(`^(?:[0-9]+\b|0-0|[A-Za-z+@-])[^\s{}()\[\];$!?]*`)
	castling  = regexp.MustCompile(`^[Oo0]-?[Oo0]`)
	chessMove = regexp.MustCompile(`^(?:\+?[A-Z]?[a-l]?[0-9]{0,2}x?[a-l][1-9]|\+?[A-Z]?@|[Oo0]-?[Oo0]|--)`)
	draughts  = regexp.MustCompile(`(?i)checkers|draughts|^(?:american|english|american/english)$`)
)

// Half matches a draw at the end of the moves, and between what stands in a result, as programs and people write it.
const (
	Half    = `(?:1/2|½)` + between + `(?:1/2\b|½)|1/2\b|½`
	between = `\s*[-–—−:]\s*`
)

// IsNumber reports whether a word is the number of a move.
func IsNumber(word string) bool { return strings.Trim(word, "0123456789.") == "" }

// IsChess reports whether a text that begins so is PGN of chess or a variant, rather than PDN or something else. The first game
// with a tag that tells, or with a move, says it.
func IsChess(text string) bool {
	rest := WithoutBrokenTags(text)
	if rest == "" || strings.IndexByte("[{(;%*.0123456789", rest[0]) < 0 {
		return false
	}
	for game, err := range Chess.Games(rest) {
		if game == nil {
			return false
		}
		for _, t := range game.Tags {
			switch {
			case strings.EqualFold(t.Name, "GameType"):
				return false
			case strings.EqualFold(t.Name, tagOpening) && t.Value != "":
				return true
			case strings.EqualFold(t.Name, TagFEN) && t.Value != "":
				return strings.Contains(t.Value, "/")
			case strings.EqualFold(t.Name, TagVariant) && t.Value != "":
				return !draughts.MatchString(t.Value)
			}
		}
		for _, w := range game.Words {
			if !IsNumber(w.Text) {
				return chessMove.MatchString(w.Text) && !isDraughts(w.Text)
			}
		}
		if err != nil {
			return false
		}
	}
	return false
}

// draughtsMove is a move of draughts where squares have names, as in c3-d4 or, short, cb4.
var draughtsMove = regexp.MustCompile(`^(?:([a-h])([1-8])[-:x]?([a-h])([1-8])|[a-h][a-h][1-8])$`)

// isDraughts reports whether the first move of a game is one of draughts: a step of a man from one dark square to another, which no
// pawn can take as the first move of a game.
func isDraughts(move string) bool {
	m := draughtsMove.FindStringSubmatch(move)
	if m == nil || m[1] == "" {
		return m != nil
	}
	across, ahead := int(m[3][0])-int(m[1][0]), int(m[4][0])-int(m[2][0])
	return across*across == 1 && ahead*ahead == 1 && (m[1][0]+m[2][0])%2 == ('a'+'1')%2
}

// mostBrokenTags is how many lines that should be tags [WithoutBrokenTags] leaves out.
const mostBrokenTags = 10

// WithoutBrokenTags returns a text from its first letter on, without lines before the moves that should be tags and are none, as
// where a quote is missing. It is for those who ask what a text is, whatever is wrong with it.
func WithoutBrokenTags(text string) string {
	text = strings.TrimPrefix(text, ByteOrderMark)
	at, broken := 0, 0
	for at < len(text) && broken < mostBrokenTags {
		line := untilLineEnd(text[at:])
		end := min(len(text), at+len(line)+1)
		tag := strings.Trim(line, Blanks+"\r")
		if tag != "" && tag[0] != '[' {
			break
		}
		s := scanner{text: tag}
		if _, err := s.tag(); tag != "" && err != nil {
			text = text[:at] + text[end:]
			broken++
			continue
		}
		at = end
	}
	return strings.TrimLeft(text, Blanks+"\r")
}

// Decode returns the text of a file: in UTF-8, or in Latin-1 as old programs write it.
func Decode(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return strings.ToValidUTF8(string(data), "\ufffd")
	}
	return string(text)
}
