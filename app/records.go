package app

import (
	"cmp"
	"iter"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games"
)

// Format is a notation of whole games, such as PDN. A game has a list of them: a record is in the first that recognises it.
type Format[G games.Game[P, M], P, M comparable] struct {
	// Name is what users call it, such as PDN, perhaps with an example of a text.
	Name string
	// Recognise reports whether a text that begins so is in the format.
	Recognise func(begin []byte) bool
	// Of reports whether a text in the format is of this game, where several games have the format. It is nil if only this
	// game has it.
	Of func(text []byte) bool
	// Rules returns the rule options that a text in the format names, such as size=15x15. It is
	// nil if texts name none.
	Rules func(text []byte) []string
	// Read reads the games of a text. An error says what is wrong with a game, and where; the
	// game is then as far as it could be read.
	Read func(g G, text []byte) iter.Seq2[Played[P, M], error]
	// Extensions are those of the files in which games are written, the usual one first; empty if the format is only read.
	Extensions []string
	// Bare says that a game has no place for marks and variations, only lines of comments: it is the last choice for remarks.
	Bare bool
	// Write writes games for a file with one of Extensions, as a text of their own. What the record of a game has besides moves
	// and remarks of ours remains, as far as the format has a place for it.
	Write func(g G, extension string, list []Annotated[P, M]) []byte
}

// Played is a game that was played.
type Played[P, M comparable] struct {
	Line  int    // where it begins in its text, from 1
	Title string // such as its players
	From  P
	// Hands says how the pieces were read that the text does not show, in a game with hands.
	Hands string
	Moves []M
	// Resigned says that the side to move at the end resigned.
	Resigned bool
	// Points are those of the side that moved first, from 0 to 1; nil if the record does not say.
	Points *float64
	// Times are what the moves took, 0 where that is not known; nil if the record has none.
	Times []time.Duration
	// Format is the extension of the [Format] in which the game was read, the usual one unless the reader says another; empty if
	// that is only read.
	Format string
	// Record is what the reader knows of the game, for Write; nil if the game comes from elsewhere.
	Record any
}

// Annotated is a game that was played, with remarks. They take the place of those that were written in its record before,
// which remain if Remarks is nil.
type Annotated[P, M comparable] struct {
	Played[P, M]
	Remarks []Remark[M]
}

// Remark is what is said of a move of a game.
type Remark[M comparable] struct {
	Ply     int    // the number of moves before the move; that of all moves for a remark on the end
	Mark    string // such as ??; may be empty
	Comment string // on one line; may be empty
	Instead []M    // how play goes on after a better move; may be empty
}

// Recorded is a game that was played, RecordedRemark is a remark, and AnnotatedGame is a game with remarks.
type (
	Recorded       = Played[Position, Move]
	RecordedRemark = Remark[Move]
	AnnotatedGame  = Annotated[Position, Move]
)

// RecordFormat is a [Format] of a game, whatever its rules.
type RecordFormat struct {
	Name      string
	Recognise func(begin []byte) bool
	// Of reports whether a text in the format is of this game rather than of another that has the format too.
	Of func(text []byte) bool
	// Rules returns the rule options that a text names.
	Rules      func(text []byte) []string
	Extensions []string
	Bare       bool
}

// GameFormat is a [RecordFormat] of a game under some rules.
type GameFormat struct {
	*RecordFormat
	Read func(text []byte) iter.Seq2[Recorded, error]
	// Write is nil if the format is only read.
	Write func(extension string, list []AnnotatedGame) []byte
}

// formatsOf returns formats without types.
func formatsOf[G games.Game[P, M], P, M comparable](formats []Format[G, P, M]) (list []*RecordFormat) {
	for i := range formats {
		x := &formats[i]
		r := &RecordFormat{Name: x.Name, Recognise: x.Recognise, Of: x.Of, Rules: x.Rules, Extensions: x.Extensions, Bare: x.Bare}
		if r.Rules == nil {
			r.Rules = func([]byte) []string { return nil }
		}
		if r.Of == nil {
			r.Of = func([]byte) bool { return true }
		}
		list = append(list, r)
	}
	return list
}

// formatsUnder returns formats under the rules of a game; list has them without types.
func formatsUnder[G games.Game[P, M], P, M comparable](g G, formats []Format[G, P, M], list []*RecordFormat) (under []GameFormat) {
	for i := range formats {
		f := GameFormat{RecordFormat: list[i], Read: reading(g, &formats[i])}
		if formats[i].Write != nil {
			f.Write = writing(g, &formats[i])
		}
		under = append(under, f)
	}
	return under
}

// reading returns how to read the records of a game.
func reading[G games.Game[P, M], P, M comparable](g G, f *Format[G, P, M]) func(text []byte) iter.Seq2[Recorded, error] {
	format := ""
	if len(f.Extensions) > 0 {
		format = f.Extensions[0]
	}
	return func(text []byte) iter.Seq2[Recorded, error] {
		return func(yield func(Recorded, error) bool) {
			for x, err := range f.Read(g, text) {
				if !yield(Recorded{x.Line, x.Title, Position{x.From}, x.Hands, hidden(x.Moves), x.Resigned, x.Points, x.Times, cmp.Or(x.Format, format), x.Record}, err) {
					return
				}
			}
		}
	}
}

// writing returns how to write games.
func writing[G games.Game[P, M], P, M comparable](g G, f *Format[G, P, M]) func(extension string, list []AnnotatedGame) []byte {
	return func(extension string, list []AnnotatedGame) []byte {
		var typed []Annotated[P, M]
		for _, x := range list {
			a := Annotated[P, M]{Played: Played[P, M]{x.Line, x.Title, x.From.value.(P), x.Hands, typedMoves[M](x.Moves), x.Resigned, x.Points, x.Times, x.Format, x.Record}}
			if x.Remarks != nil {
				a.Remarks = []Remark[M]{}
			}
			for _, remark := range x.Remarks {
				a.Remarks = append(a.Remarks, Remark[M]{remark.Ply, remark.Mark, remark.Comment, typedMoves[M](remark.Instead)})
			}
			typed = append(typed, a)
		}
		return f.Write(g, extension, typed)
	}
}

// AddOption adds a rule option, NAME=VALUE, to the name of a game.
func AddOption(spec, option string) string {
	if strings.Contains(spec, "=") {
		return spec + "," + option
	}
	return spec + ":" + option
}
