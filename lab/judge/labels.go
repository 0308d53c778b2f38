package judge

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/yomikiri/yomikiri/lab/interval"
)

// Label is where somebody says that the phases of a game meet.
type Label struct {
	Game  int    // its number in a list
	Judge string // who says so
	// Middle and End are the plies after which the middle game and the endgame begin, 0 where the judge cannot tell.
	Middle, End int
}

// labelFields begin a file of labels.
var labelFields = []string{"file", "game", "judge", "middle", "end"}

// ReadLabels reads labels as CSV, under the fields file, game, judge, middle and end. find returns the number of a game by
// its file and its number there, which begins at 1, and its plies.
func ReadLabels(r io.Reader, find func(file string, game int) (number, plies int, err error)) (list []Label, err error) {
	in := csv.NewReader(r)
	in.TrimLeadingSpace = true
	fields, err := in.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !slices.Equal(fields, labelFields) {
		return nil, fmt.Errorf("line 1: want the fields %q", labelFields)
	}
	type who struct {
		game  int
		judge string
	}
	seen := map[who]bool{}
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := in.FieldPos(0)
		l, err := labelOf(fields, find)
		if err == nil && seen[who{l.Game, l.Judge}] {
			err = fmt.Errorf("%q has a label of the game before", l.Judge)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		seen[who{l.Game, l.Judge}] = true
		list = append(list, l)
	}
}

func labelOf(fields []string, find func(file string, game int) (number, plies int, err error)) (l Label, err error) {
	game, err := strconv.Atoi(fields[1])
	if err != nil || game < 1 {
		return l, fmt.Errorf("game %q: want the number of a game in its file, from 1", fields[1])
	}
	plies := 0
	if l.Game, plies, err = find(fields[0], game); err != nil {
		return l, err
	}
	l.Judge = fields[2]
	for i, at := range []*int{&l.Middle, &l.End} {
		text := fields[3+i]
		if text == "" {
			continue
		}
		if *at, err = strconv.Atoi(text); err != nil || *at < 1 || *at > plies {
			return l, fmt.Errorf("%s %q: want a ply from 1 to %d, or nothing", labelFields[3+i], text, plies)
		}
	}
	if l.Middle > 0 && l.End > 0 && l.End < l.Middle {
		return l, fmt.Errorf("the endgame begins at ply %d, before the middle game", l.End)
	}
	return l, nil
}

// Judges returns who labelled games, in the order of the labels.
func Judges(labels []Label) (list []string) {
	for _, l := range labels {
		if !slices.Contains(list, l.Judge) {
			list = append(list, l.Judge)
		}
	}
	return list
}

// OfAll returns the labels of the games that all judges have labelled.
func OfAll(labels []Label) (list []Label) {
	count := map[int]int{}
	for _, l := range labels {
		count[l.Game]++
	}
	all := len(Judges(labels))
	for _, l := range labels {
		if count[l.Game] == all {
			list = append(list, l)
		}
	}
	return list
}

// Agreement says how far a boundary that was measured is from what a judge says, in so many games.
type Agreement struct {
	Games int
	// Within has the games with a difference of at most 2, of 3 to 5, of 6 to 10, and of more plies.
	Within [4]int
	// Unclear are the games in which one of both has no boundary.
	Unclear int
	// AtMost5 is the share of games with a difference of at most 5 plies, with its interval.
	AtMost5 interval.Interval
}

// Agreements compares phases with the labels of a judge: the beginning of the middle game, and of the endgame.
func (r *Phases) Agreements(labels []Label, judge string, seed uint64) (middle, end Agreement) {
	compare := func(of func(l Label) (label, measured int)) (a Agreement) {
		var close []bool
		for _, l := range labels {
			if l.Judge != judge {
				continue
			}
			label, measured := of(l)
			a.Games++
			d := max(label-measured, measured-label)
			near := false
			switch {
			case label == 0 || measured == 0:
				a.Unclear++
			case d <= 2:
				a.Within[0]++
				near = true
			case d <= 5:
				a.Within[1]++
				near = true
			case d <= 10:
				a.Within[2]++
			default:
				a.Within[3]++
			}
			close = append(close, near)
		}
		a.AtMost5 = interval.Of(len(close), nil, Draws, seed, func(drawn []int) (sum float64) {
			for _, i := range drawn {
				if close[i] {
					sum++
				}
			}
			return sum / float64(len(drawn))
		})
		return a
	}
	middle = compare(func(l Label) (int, int) { return l.Middle, r.Games[l.Game].Middle })
	end = compare(func(l Label) (int, int) { return l.End, r.Games[l.Game].End })
	return middle, end
}
