package records

import (
	"cmp"
	"iter"
	"math"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/movetext"
	"github.com/yomikiri/yomikiri/games/othello"
)

type playedOthello = app.Played[othello.Position, othello.Move]

// Othello reads and writes games in SGF, GGF and as transcripts.
var Othello = []app.Format[*othello.Game, othello.Position, othello.Move]{
	formatSGF(othello.NumberSGF, othello.OptionsSGF, (*othello.Game).SGF), ggf, transcripts.format(),
}

// transcripts are lines of moves.
var transcripts = &lineFormat[*othello.Game, othello.Position, othello.Move]{
	name: "transcripts (f5d6c3)", extension: extensionMoves,
	is: othello.IsTranscript,
	of: opensOthello,
	read: func(g *othello.Game, line string) (game playedOthello, err error) {
		game.From, game.Moves, err = g.ParseTranscript(line)
		return game, err
	},
	write: func(g *othello.Game, x *playedOthello) (string, bool) {
		return string(g.AppendTranscript(nil, x.From, x.Moves)), len(x.Moves) > 0
	},
}

// opensOthello reports whether a line begins with moves of Othello that are legal, four of them if there are so many: in
// another game with squares, such as gomoku, that is hardly by chance.
func opensOthello(line string) bool {
	g, err := othello.Family.Open("othello")
	if err != nil {
		return false
	}
	_, moves, err := g.ParseTranscript(line)
	return len(moves) >= 4 || err == nil
}

const extensionGGF = "ggf"

// ggf is GGF. It has no marks and no variations, which are in comments.
var ggf = app.Format[*othello.Game, othello.Position, othello.Move]{
	Name:      "GGF",
	Recognise: func(begin []byte) bool { return othello.IsGGF(string(begin)) },
	Rules: func(text []byte) []string {
		list, _ := othello.ParseGGF(string(text))
		if len(list) == 0 {
			return nil
		}
		return list[0].Options()
	},
	Read: func(g *othello.Game, text []byte) iter.Seq2[playedOthello, error] {
		return func(yield func(playedOthello, error) bool) {
			list, wrong := othello.ParseGGF(strings.ToValidUTF8(string(text), "\ufffd"))
			for i, r := range list {
				game, err := playedGGF(g, r)
				if i == len(list)-1 {
					err = cmp.Or(err, wrong)
				}
				if !yield(game, err) {
					return
				}
			}
		}
	},
	Extensions: []string{extensionGGF},
	Write: func(g *othello.Game, _ string, list []app.Annotated[othello.Position, othello.Move]) (text []byte) {
		for i := range list {
			text = annotateGGF(g, &list[i]).Append(text)
		}
		return text
	},
}

// playedGGF returns the game of a record.
func playedGGF(g *othello.Game, r *othello.GGF) (game playedOthello, err error) {
	game = playedOthello{Line: r.Line, Title: titleOf(r.Names()), Record: r}
	game.From, game.Moves, err = g.ReplayGGF(r)
	if discs, resigned, known := r.Result(); known && err == nil {
		black, last := game.From.Turn() == 0, after(g, &game)
		if !black {
			discs = -discs
		}
		points := (1 + float64(cmp.Compare(discs, 0))) / 2
		game.Points = &points
		loses := last.Turn() == game.From.Turn() // the side that moved first is to move at the end
		game.Resigned = resigned && (points < 0.5) == loses && points != 0.5
	}
	return game, err
}

// annotateGGF returns a game with remarks in GGF, a copy of its record if it was read there.
func annotateGGF(g *othello.Game, x *app.Annotated[othello.Position, othello.Move]) *othello.GGF {
	r, known := x.Record.(*othello.GGF)
	if known {
		r = r.Clone()
	} else {
		first := x.From.Turn()
		r = g.NewGGF(x.From, x.Moves, playersOf(x.Title, first))
		last := after(g, &x.Played)
		value, finished := g.Outcome(last)
		points := pointsOf(&x.Played)
		switch {
		case finished:
			discs := int(value)
			if last.Turn() == 1 {
				discs = -discs
			}
			r.SetResult(discs, false)
		case points != nil && *points != 0.5:
			discs := int(math.Copysign(1, *points-0.5))
			if first == 1 {
				discs = -discs
			}
			r.SetResult(discs, x.Resigned)
		}
	}
	if x.Remarks != nil {
		r.Unremark()
	}
	for p, m := range remarked(g, x) {
		text := m.Comment
		if len(m.Instead) > 0 {
			text = strings.TrimSpace(text + " (" + strings.Join(texts(g, p, m.Instead, g.AppendMove), " ") + ")")
		}
		r.Remark(min(m.Ply, len(x.Moves)-1), movetext.Sign(m.Mark, text))
	}
	return r
}
