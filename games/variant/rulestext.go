package variant

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

var _ games.Ruled = (*Game)(nil)

// RulesText implements [games.Ruled]. It returns the lines of a section without a parent that has the same rules: all
// that the parents and the section of the game say, in one form, so that the texts of equal rules are equal whatever file
// they came from. Neither the name nor keys without effect are part of it; rules of history are. A key that says what a
// section without a parent says anyway is left out, so a key that later versions add changes no text.
func (g *core) RulesText() string {
	r, base := g.rules.clone(), chess()
	r.start = string(g.AppendPosition(nil, g.start))
	var b strings.Builder
	for _, k := range keyList {
		if k.text == nil {
			continue
		}
		value := k.text(r)
		if value == k.text(base) {
			continue
		}
		fmt.Fprintf(&b, "%s = %s\n", k.name, value)
		if err := k.set(base, value); err != nil {
			panic(fmt.Sprintf("%s: %s = %s, which cannot be read: %v", g.name, k.name, value, err))
		}
	}
	return b.String()
}

// ReadRules returns the variant, by its name, whose rules a database or a proof carries: what [Game.RulesText] wrote.
func ReadRules(name, text string) (*File, error) {
	f, err := Read("rules of "+name, strings.NewReader("["+name+"]\n"+text), nil)
	if err != nil {
		return nil, err
	}
	g, err := f.Game(name)
	if err != nil {
		return nil, err
	}
	if g.RulesText() != text {
		return nil, fmt.Errorf("the rules of %s are not written as this program writes them", name)
	}
	return f, nil
}

// fileText returns the letter of a file.
func fileText(file int) string { return string(rune('a' + file)) }

// regionText returns the squares of a region on the board: ranks, then single squares.
func (r *Rules) regionText(squares region) string {
	var words []string
	on := everywhere.on(r.files, 1).low
	for rank, files := range squares[:r.ranks] {
		if uint64(files)&on == on {
			words = append(words, "*"+strconv.Itoa(rank+1))
			continue
		}
		for file := range r.files {
			if files>>file&1 != 0 {
				words = append(words, fileText(file)+strconv.Itoa(rank+1))
			}
		}
	}
	return cmp.Or(strings.Join(words, " "), "-")
}

// mobilityText returns where a kind may go, - if that is everywhere.
func (r *Rules) mobilityText(side int, s slot) string {
	squares := r.mobility[side][s]
	if squares == nil || squares.empty() || r.letters[s] == 0 {
		return "-"
	}
	switch text := r.regionText(*squares); text {
	case r.regionText(everywhere):
		return "-"
	case "-": // nowhere on this board
		larger := *r
		larger.files, larger.ranks = maxFiles, maxRanks
		return larger.regionText(*squares)
	default:
		return text
	}
}

// kindText returns the letter of a kind, or the word for no kind.
func (r *Rules) kindText(s slot, no string) string {
	if r.letters[s] == 0 {
		return no
	}
	return string(r.letters[s])
}

// kindsText returns the letters of a set.
func (r *Rules) kindsText(k kindSet) (text string) {
	for _, s := range r.slots() {
		if k.has(s) {
			text += r.kindText(s, "")
		}
	}
	return cmp.Or(text, "-")
}

// pawnsText returns the letters of the pawns of a side, the main one first; * stands for one that the variant does not have.
func (r *Rules) pawnsText(side int) string {
	main := r.mainPawn[side]
	rest := r.kindsText(r.promotionPawns[side] &^ kinds(main))
	if rest == "-" {
		return r.kindText(main, "-")
	}
	return r.kindText(main, "*") + rest
}

// pairsText returns pairs of kinds and values that are not empty.
func (r *Rules) pairsText(value func(s slot) string) string {
	var pairs []string
	for _, s := range r.slots() {
		if v := value(s); v != "" {
			pairs = append(pairs, r.kindText(s, "")+":"+v)
		}
	}
	return strings.Join(pairs, " ")
}
