package shogi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games/shogi"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// writeKIF writes the record of a mate to the file of --kif.
func (c *tsumeCommand) writeKIF(entry *tsume.Entry, s *tsume.Solution) error {
	return ui.WriteFile(c.kif, kifOf(entry, s).AppendKIF(nil, c.encoding))
}

// kifOf returns the main line of a mate with the variations and the alternatives.
func kifOf(entry *tsume.Entry, s *tsume.Solution) *shogirecord.Record {
	r := &shogirecord.Record{Start: entry.Position, Moves: s.Line, Ending: shogirecord.Mated, Tags: slices.Clip(entry.Tags)}
	if s.Cut {
		r.Ending = shogirecord.Interrupted
	}
	if s.InHand != 0 {
		r.Tags = append(r.Tags, remark("駒余り　"+s.InHand.Kanji()))
	}
	for _, v := range s.Variations {
		r.Variations = append(r.Variations, shogirecord.Variation{Ply: v.Ply, Moves: v.Line})
	}
	for _, a := range s.Alternatives {
		if len(a.Line) > 0 {
			r.Variations = append(r.Variations, shogirecord.Variation{Ply: a.Ply, Moves: a.Line, Comments: [][]string{nil, {"余詰"}}})
		}
	}
	comment(r, entry)
	return r
}

// remark is a header with what we say about a problem.
func remark(text string) shogirecord.Tag { return shogirecord.Tag{Name: "備考", Value: text} }

// comment gives a record of a problem the comments of the one that it was read from. Where the moves
// there are others and have comments, they are a variation. Variations end as the record if that is a mate.
func comment(r *shogirecord.Record, entry *tsume.Entry) {
	same := 0
	for same < min(len(r.Moves), len(entry.Moves)) && r.Moves[same] == entry.Moves[same] {
		same++
	}
	r.Comments = entry.Comments[:min(same+1, len(entry.Comments))]
	if rest := entry.Comments[len(r.Comments):]; len(rest) > 0 {
		r.Variations = append(r.Variations, shogirecord.Variation{Ply: same, Moves: entry.Moves[same:], Comments: append([][]string{nil}, rest...)})
	}
	if r.Ending == shogirecord.Mated {
		for i := range r.Variations {
			r.Variations[i].Ending = shogirecord.Mated
		}
	}
}

// inHand describes what the attacker has left in hand.
func (c *tsumeCommand) inHand(h shogi.Hand) string {
	if c.notation == "japanese" {
		return h.Kanji()
	}
	return h.String()
}

// alternativeEntry is another check than the one in the line, as JSON.
type alternativeEntry struct {
	Ply int `json:"ply"` // from 1
	firstMoveEntry
	Line []string `json:"line,omitempty"`
}

func (c *tsumeCommand) alternatives(entry *tsume.Entry, s *tsume.Solution) []alternativeEntry {
	var all []alternativeEntry
	for _, a := range s.Alternatives {
		e := alternativeEntry{Ply: a.Ply + 1, firstMoveEntry: newFirstMoveEntry(c.movesAfter(entry.Position, s.Line, a.Ply, a.Move)[0], a.FirstMove)}
		if len(a.Line) > 0 {
			e.Line = c.movesAfter(entry.Position, s.Line, a.Ply, a.Line...)
		}
		all = append(all, e)
	}
	return all
}

// variationEntry is a line of play that leaves the line with another reply, as JSON.
type variationEntry struct {
	Ply  int      `json:"ply"` // from 1
	Line []string `json:"line"`
}

func (c *tsumeCommand) variations(entry *tsume.Entry, s *tsume.Solution) []variationEntry {
	var all []variationEntry
	for _, v := range s.Variations {
		all = append(all, variationEntry{v.Ply + 1, c.movesAfter(entry.Position, s.Line, v.Ply, v.Line...)})
	}
	return all
}

// writeAlternatives prints the other checks along the line.
func (c *tsumeCommand) writeAlternatives(b *strings.Builder, entry *tsume.Entry, s *tsume.Solution) {
	for i, e := range c.alternatives(entry, s) {
		b.WriteString(c.say(sayAtMove, e.Ply, e.Move, c.firstMove(s.Alternatives[i].FirstMove)))
		if len(e.Line) > 0 {
			fmt.Fprintf(b, "  %s", strings.Join(e.Line, " "))
		}
		b.WriteByte('\n')
	}
}
