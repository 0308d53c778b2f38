package records

import (
	"iter"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/movetext"
	"github.com/yomikiri/yomikiri/games/pgn"
	"github.com/yomikiri/yomikiri/games/shogi"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
)

// Shogi reads games in KIF, KI2, CSA and USI, and writes them in KIF and CSA.
var Shogi = app.RecordReader[shogi.Game, shogi.Position, shogi.Move]{
	Recognise: func(begin []byte) bool {
		text := shogirecord.Decode(begin)
		if pgn.IsChess(text) { // of which lines may look like headers of KIF
			return false
		}
		if shogirecord.Detect(text) != shogirecord.SFEN {
			return true
		}
		line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		return shogirecord.IsSFEN(line)
	},
	Read: func(_ shogi.Game, text []byte) iter.Seq2[app.Played[shogi.Position, shogi.Move], error] {
		return func(yield func(app.Played[shogi.Position, shogi.Move], error) bool) {
			list, err := shogirecord.Parse(text, shogi.UsualHands)
			if err != nil {
				yield(app.Played[shogi.Position, shogi.Move]{}, err)
				return
			}
			format := shogiFormats[shogirecord.Detect(shogirecord.Decode(text))]
			for _, r := range list {
				game := app.Played[shogi.Position, shogi.Move]{From: r.Start, Hands: r.Hands.String(), Moves: r.Moves, Resigned: r.Ending == shogirecord.Resigned}
				game.Title, game.Format, game.Record = titleOf(r.Names), format, &r
				if !yield(game, r.Err) {
					return
				}
			}
		}
	},
	Formats: []string{formatKIF, formatKIFU, formatCSA},
	Write:   writeShogi,
}

// The formats of shogi. The extension kif says that a file is in Shift_JIS, and kifu that it is in UTF-8.
const (
	formatKIF  = "kif"
	formatKIFU = "kifu"
	formatCSA  = "csa"
)

// shogiFormats are the formats in which games are written that were read in another.
var shogiFormats = map[shogirecord.Format]string{shogirecord.KIF: formatKIF, shogirecord.CSA: formatCSA}

// writeShogi writes games. KIF has no marks, so they are in comments, and CSA has no variations, which are in comments too.
func writeShogi(_ shogi.Game, format string, list []app.Annotated[shogi.Position, shogi.Move]) (text []byte) {
	for i := range list {
		r := annotateShogi(&list[i], format)
		switch {
		case format != formatCSA:
			text = r.AppendKIF(text, shogirecord.UTF8)
		case i == 0:
			text = r.AppendCSA(text)
		default:
			text = r.AppendCSA(append(text, "/\n"...))
		}
	}
	if format == formatKIF {
		return shogirecord.InShiftJIS(text)
	}
	return text
}

// annotateShogi returns the record of a game with remarks.
func annotateShogi(x *app.Annotated[shogi.Position, shogi.Move], format string) *shogirecord.Record {
	r := &shogirecord.Record{Start: x.From, Moves: x.Moves}
	if known, ok := x.Record.(*shogirecord.Record); ok {
		*r = *known
	} else {
		r.Names = playersOf(x.Title, int(r.Start.Turn()))
	}
	if x.Resigned && r.Ending == shogirecord.NoEnding {
		last := r.Final()
		r.Ending, r.Result = shogirecord.Resigned, shogirecord.BlackWins+shogirecord.Result(last.Turn().Other())
	}
	comments := make([][]string, len(r.Moves)+1)
	for i, list := range r.Comments {
		comments[i] = slices.Clip(list)
	}
	r.Variations = slices.Clone(r.Variations)
	if x.Remarks != nil {
		for i := range comments {
			comments[i] = slices.DeleteFunc(slices.Clone(comments[i]), func(line string) bool { _, ours := movetext.Signed(line); return ours })
		}
		r.Variations = othersLines(r.Variations)
	}
	for _, m := range x.Remarks {
		at := min(m.Ply+1, len(r.Moves))
		if m.Mark != "" || m.Comment != "" {
			comments[at] = append(comments[at], movetext.Sign(m.Mark, m.Comment))
		}
		switch {
		case len(m.Instead) == 0:
		case format == formatCSA:
			comments[at] = append(comments[at], movetext.Sign("", "("+shogirecord.CSAMoves(r.Start, r.Moves[:m.Ply], m.Instead)+")"))
		case !slices.ContainsFunc(r.Variations, func(v shogirecord.Variation) bool {
			return v.Leaves == 0 && v.Ply == m.Ply && slices.Equal(v.Moves, m.Instead)
		}):
			r.Variations = append(r.Variations, shogirecord.Variation{Ply: m.Ply, Moves: m.Instead, Comments: [][]string{nil, signature}})
		}
	}
	r.Comments = comments
	return r
}

// signature is the comment on the first move of a variation that was added.
var signature = []string{movetext.Author}

// othersLines returns the variations of a record that others have added, or that such variations leave.
func othersLines(list []shogirecord.Variation) []shogirecord.Variation {
	left := make([]bool, len(list)+1)
	for _, v := range list {
		left[v.Leaves] = true
	}
	var rest []shogirecord.Variation
	number := make([]int, len(list)+1) // of those that remain
	for i, v := range list {
		comments := slices.DeleteFunc(slices.Clone(v.Comments), func(lines []string) bool { return len(lines) == 0 })
		if ours := len(comments) == 1 && slices.Equal(comments[0], signature); ours && v.Leaves == 0 && !left[i+1] {
			continue
		}
		v.Leaves = number[v.Leaves]
		rest = append(rest, v)
		number[i+1] = len(rest)
	}
	return rest
}
