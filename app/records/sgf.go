package records

import (
	"cmp"
	"iter"
	"slices"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/sgf"
)

const extensionSGF = "sgf"

// formatSGF returns the format SGF of a game with a number there. options returns the rule options that a record names, and
// dialect how the game is written. also are the numbers of other games under which programs write this one: who names the game
// can read such a text.
func formatSGF[G games.Game[P, M], P, M comparable](number string, options func(*sgf.Record) []string, dialect func(G) *sgf.Dialect[P, M], also ...string) app.Format[G, P, M] {
	return app.Format[G, P, M]{
		Name: "SGF",
		Recognise: func(begin []byte) bool {
			of, is := sgf.GameOf(string(begin))
			return is && (of == number || slices.Contains(also, of))
		},
		Of: func(text []byte) bool { return sgf.Is(string(text), number) },
		Rules: func(text []byte) []string {
			list, _ := sgf.Parse(string(text))
			if len(list) == 0 {
				return nil
			}
			return options(list[0])
		},
		Read: func(g G, text []byte) iter.Seq2[app.Played[P, M], error] {
			return readSGF(g, dialect(g), string(text))
		},
		Extensions: []string{extensionSGF},
		Write: func(g G, _ string, list []app.Annotated[P, M]) (text []byte) {
			d := dialect(g)
			for i := range list {
				text = annotateSGF(g, d, &list[i]).Append(text)
			}
			return text
		},
	}
}

// readSGF reads the games of a text in SGF.
func readSGF[G games.Game[P, M], P, M comparable](g G, d *sgf.Dialect[P, M], text string) iter.Seq2[app.Played[P, M], error] {
	return func(yield func(app.Played[P, M], error) bool) {
		list, wrong := sgf.Parse(text)
		for i, r := range list {
			game, err := playedSGF(g, d, r)
			if i == len(list)-1 {
				err, wrong = cmp.Or(err, wrong), nil
			}
			if !yield(game, err) {
				return
			}
		}
		if wrong != nil {
			yield(app.Played[P, M]{From: g.Start()}, wrong)
		}
	}
}

// playedSGF returns the game of a record.
func playedSGF[G games.Game[P, M], P, M comparable](g G, d *sgf.Dialect[P, M], r *sgf.Record) (game app.Played[P, M], err error) {
	game = app.Played[P, M]{Line: r.Line, Title: titleOf(r.Names()), Record: r}
	game.From, game.Moves, err = d.Replay(r)
	if result, known := r.Result(); known && err == nil {
		first, last := d.Turn(game.From), d.Turn(after(g, &game))
		points := 0.5
		switch {
		case result.Drawn:
		case result.Winner == first:
			points = 1
		default:
			points = 0
		}
		game.Points, game.Resigned = &points, result.Resigned && result.Winner != last
	}
	return game, err
}

// after returns the position after the moves of a game.
func after[G games.Game[P, M], P, M comparable](g G, x *app.Played[P, M]) P {
	p := x.From
	for _, m := range x.Moves {
		p = g.Play(p, m)
	}
	return p
}

// annotateSGF returns a game with remarks in SGF, a copy of its record if it was read there.
func annotateSGF[G games.Game[P, M], P, M comparable](g G, d *sgf.Dialect[P, M], x *app.Annotated[P, M]) *sgf.Record {
	r, known := x.Record.(*sgf.Record)
	if known {
		r = r.Clone()
	} else {
		r = d.New(x.From, x.Moves)
		first := d.Turn(x.From)
		r.SetNames(playersOf(x.Title, first))
		if points := pointsOf(&x.Played); points != nil {
			result := sgf.Result{Winner: first, Drawn: *points == 0.5, Resigned: x.Resigned}
			if *points < 0.5 {
				result.Winner = 1 - first
			}
			r.SetResult(result)
		}
	}
	if x.Remarks != nil {
		r.Unremark()
	}
	for p, m := range remarked(g, x) {
		d.Remark(r, p, m.Ply, m.Mark, m.Comment, m.Instead)
	}
	return r
}
