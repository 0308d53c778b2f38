package cmd

import (
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/games/shogi"
	shogirecord "github.com/yomikiri/yomikiri/games/shogi/record"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// writeKIF writes the record of a mate to the file of --kif.
func (c *tsumeCommand) writeKIF(entry *tsume.Entry, s *tsume.Solution) error {
	return writeFile(c.kif, kifOf(entry.Position, s).AppendKIF(nil, c.encoding))
}

// kifOf returns the main line of a mate with the variations and the alternatives.
func kifOf(p shogi.Position, s *tsume.Solution) *shogirecord.Record {
	r := &shogirecord.Record{Start: p, Moves: s.Line, Ending: shogirecord.Mated}
	if s.InHand != 0 {
		r.Remark = "駒余り　" + s.InHand.Kanji()
	}
	for _, v := range s.Variations {
		r.Variations = append(r.Variations, shogirecord.Variation{Ply: v.Ply, Moves: v.Line})
	}
	for _, a := range s.Alternatives {
		if len(a.Line) > 0 {
			r.Variations = append(r.Variations, shogirecord.Variation{Ply: a.Ply, Moves: a.Line, Comment: "余詰"})
		}
	}
	return r
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
		fmt.Fprintf(b, "    move %d  %s  %s", e.Ply, e.Move, c.firstMove(s.Alternatives[i].FirstMove))
		if len(e.Line) > 0 {
			fmt.Fprintf(b, "  %s", strings.Join(e.Line, " "))
		}
		b.WriteByte('\n')
	}
}
