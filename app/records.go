package app

import (
	"iter"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// RecordReader reads whole games in the notations that a game has for them, such as PDN.
type RecordReader[G games.Game[P, M], P, M comparable] struct {
	// Recognise reports whether a text that begins so is in one of the notations.
	Recognise func(begin []byte) bool
	// Of reports whether a text in one of them is of this game, where several games have the same notations. It is nil if
	// only this game has them.
	Of func(text []byte) bool
	// Rules returns the rule options that a text in one of them names, such as size=15x15. It is
	// nil if texts name none.
	Rules func(text []byte) []string
	// Read reads the games of a text. An error says what is wrong with a game, and where; the
	// game is then as far as it could be read.
	Read func(g G, text []byte) iter.Seq2[Played[P, M], error]
	// Formats are the notations in which games are written, by the extensions of their files, the usual one first.
	Formats []string
	// Write writes games in one of Formats, as a text of their own. What the record of a game has besides moves and remarks
	// of ours remains, as far as the format has a place for it.
	Write func(g G, format string, list []Annotated[P, M]) []byte
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
	// Format is that of [RecordReader.Formats] in which the game was read; empty if that is not among them.
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

// RecordFormat recognises the notations of a game, whatever its rules.
type RecordFormat struct {
	// Recognise is that of the [RecordReader].
	Recognise func(begin []byte) bool
	// Of reports whether a text in one of them is of this game rather than of another that has them too.
	Of func(text []byte) bool
	// Rules returns the rule options that a text names.
	Rules func(text []byte) []string
	// Reads reports whether a move can be read in a text.
	Reads func(text []byte) bool
}

// formatOf returns the format of a reader.
func formatOf[G games.Game[P, M], P, M comparable](f *games.Family[G], r *RecordReader[G, P, M]) *RecordFormat {
	rules := r.Rules
	if rules == nil {
		rules = func([]byte) []string { return nil }
	}
	of := r.Of
	if of == nil {
		of = func([]byte) bool { return true }
	}
	return &RecordFormat{Recognise: r.Recognise, Of: of, Rules: rules, Reads: func(text []byte) bool {
		if !r.Recognise(text) || !of(text) {
			return false
		}
		spec := f.Info.Name
		for _, o := range rules(text) {
			spec = AddOption(spec, o)
		}
		g, err := f.Open(spec)
		if err != nil {
			return false
		}
		for game := range r.Read(g, text) {
			if len(game.Moves) > 0 {
				return true
			}
		}
		return false
	}}
}

// reading returns how to read the records of a game.
func reading[G games.Game[P, M], P, M comparable](g G, r *RecordReader[G, P, M]) func(text []byte) iter.Seq2[Recorded, error] {
	return func(text []byte) iter.Seq2[Recorded, error] {
		return func(yield func(Recorded, error) bool) {
			for x, err := range r.Read(g, text) {
				if !yield(Recorded{x.Line, x.Title, Position{x.From}, x.Hands, hidden(x.Moves), x.Resigned, x.Points, x.Format, x.Record}, err) {
					return
				}
			}
		}
	}
}

// writing returns how to write games.
func writing[G games.Game[P, M], P, M comparable](g G, r *RecordReader[G, P, M]) func(format string, list []AnnotatedGame) []byte {
	return func(format string, list []AnnotatedGame) []byte {
		var typed []Annotated[P, M]
		for _, x := range list {
			a := Annotated[P, M]{Played: Played[P, M]{x.Line, x.Title, x.From.value.(P), x.Hands, typedMoves[M](x.Moves), x.Resigned, x.Points, x.Format, x.Record}}
			if x.Remarks != nil {
				a.Remarks = []Remark[M]{}
			}
			for _, remark := range x.Remarks {
				a.Remarks = append(a.Remarks, Remark[M]{remark.Ply, remark.Mark, remark.Comment, typedMoves[M](remark.Instead)})
			}
			typed = append(typed, a)
		}
		return r.Write(g, format, typed)
	}
}

// AddOption adds a rule option, NAME=VALUE, to the name of a game.
func AddOption(spec, option string) string {
	if strings.Contains(spec, "=") {
		return spec + "," + option
	}
	return spec + ":" + option
}
