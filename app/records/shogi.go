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

type playedShogi = app.Played[shogi.Position, shogi.Move]

// Shogi reads and writes games in KIF, CSA, JKF, USI, USEN and western notation, and reads KI2.
var Shogi = []app.Format[shogi.Game, shogi.Position, shogi.Move]{kif, csa, jkf, usi.format(), usen.format(), western}

// As the format of a game that was read, the extension kif says that its file was in Shift_JIS, and kifu that it was not. A file kif
// is written in Shift_JIS only if it was, and a file kifu in UTF-8.
const (
	extensionKIF  = "kif"
	extensionKIFU = "kifu"
	extensionCSA  = "csa"
	extensionJKF  = "jkf"
	extensionUSI  = "usi"
	extensionUSEN = "usen"
	extensionPSN  = "psn" // western notation
)

var (
	kif = app.Format[shogi.Game, shogi.Position, shogi.Move]{
		Name: "KIF, KI2", Recognise: isShogi(shogirecord.KIF), Read: readShogi, Extensions: []string{extensionKIF, extensionKIFU}, Write: writeShogi,
	}
	csa = app.Format[shogi.Game, shogi.Position, shogi.Move]{
		Name: "CSA", Recognise: isShogi(shogirecord.CSA), Read: readShogi, Extensions: []string{extensionCSA}, Write: writeShogi,
	}
	usi = &lineFormat[shogi.Game, shogi.Position, shogi.Move]{
		name: "USI (position startpos moves 7g7f)", extension: extensionUSI,
		is: shogirecord.IsSFEN,
		of: func(line string) bool {
			r := shogirecord.ParseUSI(line, shogi.UsualHands)
			return strings.Contains(line, "/") || r.Err == nil || len(r.Moves) > 0
		},
		read: func(_ shogi.Game, line string) (playedShogi, error) {
			r := shogirecord.ParseUSI(line, shogi.UsualHands)
			return playedShogiOf(&r), r.Err
		},
		write: func(g shogi.Game, x *playedShogi) (string, bool) {
			text := "position " + positionLine(g, x)
			if x.Resigned {
				text += " resign"
			}
			return text, true
		},
	}
)

var (
	jkf = app.Format[shogi.Game, shogi.Position, shogi.Move]{
		Name:      "JKF",
		Recognise: func(begin []byte) bool { return shogirecord.IsJKF(string(begin)) },
		Read: func(_ shogi.Game, text []byte) iter.Seq2[playedShogi, error] {
			return func(yield func(playedShogi, error) bool) {
				list, err := shogirecord.ParseJKF(text, shogi.UsualHands)
				for i := range list {
					if !yield(playedShogiOf(&list[i]), list[i].Err) {
						return
					}
				}
				if err != nil {
					yield(playedShogi{}, err)
				}
			}
		},
		Extensions: []string{extensionJKF}, Write: writeShogi,
	}
	usen = &lineFormat[shogi.Game, shogi.Position, shogi.Move]{
		name: "USEN (~0.6y236e.)", extension: extensionUSEN,
		is: shogirecord.IsUSEN,
		read: func(_ shogi.Game, line string) (playedShogi, error) {
			r := shogirecord.ParseUSEN(line, shogi.UsualHands)
			return playedShogiOf(r), r.Err
		},
		write: func(_ shogi.Game, x *playedShogi) (string, bool) {
			return string(annotateShogi(&app.Annotated[shogi.Position, shogi.Move]{Played: *x}, extensionUSEN).AppendUSEN(nil)), true
		},
	}
	western = app.Format[shogi.Game, shogi.Position, shogi.Move]{
		Name:      "western notation (P-7f)",
		Recognise: func(begin []byte) bool { return shogirecord.IsWestern(string(begin)) },
		Read: func(_ shogi.Game, text []byte) iter.Seq2[playedShogi, error] {
			return func(yield func(playedShogi, error) bool) {
				for _, r := range shogirecord.ParseWestern(shogirecord.Decode(text)) {
					if !yield(playedShogiOf(r), r.Err) {
						return
					}
				}
			}
		},
		Extensions: []string{extensionPSN}, Write: writeShogi,
	}
)

// isShogi returns a function that recognises a format.
func isShogi(format shogirecord.Format) func(begin []byte) bool {
	return func(begin []byte) bool {
		text := shogirecord.Decode(begin)
		json := strings.HasPrefix(strings.TrimSpace(text), "{")
		// Lines of other formats may look like headers of KIF, and so may bytes that are no text.
		other := json || strings.IndexByte(text, 0) >= 0 || pgn.IsChess(text) || shogirecord.IsWestern(text)
		return !other && shogirecord.Detect(text) == format && (format != shogirecord.KIF || shogirecord.IsKIF(text))
	}
}

// readShogi reads games in KIF, KI2 or CSA.
func readShogi(_ shogi.Game, text []byte) iter.Seq2[playedShogi, error] {
	return func(yield func(playedShogi, error) bool) {
		list, err := shogirecord.Parse(text, shogi.UsualHands)
		if err != nil {
			yield(playedShogi{}, err)
			return
		}
		format := ""
		if isShogi(shogirecord.KIF)(text) && shogirecord.EncodingOf(text) != shogirecord.ShiftJIS {
			format = extensionKIFU
		}
		for _, r := range list {
			game := playedShogiOf(&r)
			game.Format = format
			if !yield(game, r.Err) {
				return
			}
		}
	}
}

// playedShogiOf returns the game of a record.
func playedShogiOf(r *shogirecord.Record) playedShogi {
	return playedShogi{From: r.Start, Title: titleOf(r.Names), Hands: r.Hands.String(), Moves: r.Moves, Resigned: r.Ending == shogirecord.Resigned, Times: r.Times, Record: r}
}

// writeShogi writes games. They have no marks, which are in comments, and CSA and western notation no variations, which are in
// comments too.
func writeShogi(_ shogi.Game, format string, list []app.Annotated[shogi.Position, shogi.Move]) (text []byte) {
	for i := range list {
		r := annotateShogi(&list[i], format)
		switch {
		case format == extensionJKF:
			text = r.AppendJKF(text)
		case format == extensionPSN && i > 0:
			text = r.AppendWestern(append(text, '\n'))
		case format == extensionPSN:
			text = r.AppendWestern(text)
		case format != extensionCSA:
			text = r.AppendKIF(text, shogirecord.UTF8)
		case i == 0:
			text = r.AppendCSA(text)
		default:
			text = r.AppendCSA(append(text, "/\n"...))
		}
	}
	if len(list) > 0 && format == extensionKIF && list[0].Format == extensionKIF {
		return shogirecord.InShiftJIS(text)
	}
	return text
}

// annotateShogi returns the record of a game with remarks.
func annotateShogi(x *app.Annotated[shogi.Position, shogi.Move], format string) *shogirecord.Record {
	r := &shogirecord.Record{Start: x.From, Moves: x.Moves}
	known, ok := x.Record.(*shogirecord.Record)
	if line, is := x.Record.(*lineRecord); is {
		known, ok = line.game.(*shogirecord.Record)
	}
	if ok {
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
		case format == extensionPSN:
			p := r.Start
			for _, made := range r.Moves[:m.Ply] {
				p = shogi.Game{}.Play(p, made)
			}
			comments[at] = append(comments[at], movetext.Sign("", "("+strings.Join(texts(shogi.Game{}, p, m.Instead, shogi.Game{}.AppendMove), " ")+")"))
		case format == extensionCSA:
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
