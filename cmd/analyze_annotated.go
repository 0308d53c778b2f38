package cmd

import (
	"fmt"
	"os"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/review"
)

// checkAnnotated refuses what --annotated cannot write: before anything is judged, since that takes long.
func (o *analyzeOptions) checkAnnotated(g *app.Game, args []string) error {
	if o.written == "" {
		return nil
	}
	if _, err := records.FormatOf(g, o.written, nil); err != nil {
		return ui.Usage(fmt.Errorf("--annotated %w", err))
	}
	if err := ui.CheckNew(o.written, "a new file, or add --replace"); err != nil && !o.replace {
		return err
	}
	if !ui.IsFile(args[0]) {
		return nil
	}
	if len(args) > 1 {
		return ui.Usage(fmt.Errorf("--annotated is for one file, and there are %d", len(args)))
	}
	return nil
}

// annotate keeps a game with what a review says of it, nil if it could not be judged, for --annotated.
func (a *analysis) annotate(r records.Game, v *review.Review) error {
	if a.o.written == "" {
		return nil
	}
	x := app.AnnotatedGame{Played: r.Recorded}
	if v != nil {
		x.Remarks = []app.RecordedRemark{} // which replace those of another time
		p := r.From
		for i, m := range r.Moves {
			if v.Rows[i].Mark != "" {
				remark := app.RecordedRemark{Ply: i, Mark: string(v.Rows[i].Mark), Comment: remarkText(&v.Rows[i], &v.Rows[i+1])}
				var err error
				if remark.Instead, _, err = games.ParseMoves(a.game.Board, p, v.Rows[i].Line); err != nil {
					return err
				}
				x.Remarks = append(x.Remarks, remark)
			}
			p = a.game.Play(p, m)
		}
	}
	if r.Err != nil {
		x.Remarks = append(x.Remarks, app.RecordedRemark{Ply: len(r.Moves), Comment: "the rest of the record could not be used: " + r.Err.Error()})
	}
	a.annotated = append(a.annotated, x)
	return nil
}

// writeAnnotated writes the games that were kept to the file of --annotated. It replaces no file of which a part would be lost.
func (a *analysis) writeAnnotated(input string, lost bool) error {
	if a.o.written == "" || len(a.annotated) == 0 {
		return nil
	}
	if lost && sameFile(input, a.o.written) {
		return ui.Usage(fmt.Errorf("%s is left as it is, since a part of it could not be read: want another file for --annotated", input))
	}
	format, err := records.FormatOf(a.game, a.o.written, a.annotated)
	if err != nil {
		return err
	}
	return ui.WriteFile(a.o.written, records.Write(a.game, format, a.annotated))
}

// sameFile reports whether two names are those of one file.
func sameFile(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false // such as - for standard input
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// remarkText is what a review says of a move with a mark, next being the row after it: estimates have a ~, and values say
// who has proven them.
func remarkText(row, next *review.Row) string {
	var list []string
	switch {
	case row.Value != nil:
		list = append(list, fmt.Sprintf("%v by %s", *row.Value, row.ProvedBy))
	case row.Score != nil:
		list = append(list, fmt.Sprintf("%s (win rate ~%.0f %%)", scoreText(*row.Score), 100**row.WinRate))
	}
	switch {
	case row.After != nil && next.Value != nil && next.ProvedBy != row.ProvedBy:
		list = append(list, fmt.Sprintf("after the move %v by %s", *row.After, next.ProvedBy))
	case row.After != nil:
		list = append(list, fmt.Sprintf("after the move %v", *row.After))
	default:
		list = append(list, fmt.Sprintf("the move costs ~%s of the win rate", percent(row.Lost)))
	}
	if row.Best != "" {
		list = append(list, "better "+row.Best)
	}
	return strings.Join(list, "; ")
}
