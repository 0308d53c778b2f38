package pgn

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games/movetext"
)

// TagTimeControl is how long the players may think, such as 180+2: seconds, and what each move adds.
const TagTimeControl = "TimeControl"

var (
	clock       = regexp.MustCompile(`\[%(clk|emt)\s+(?:(\d{1,4}):)?(\d{1,4}):(\d{1,4}(?:\.\d{1,6})?)\]`)
	timeControl = regexp.MustCompile(`^(\d{1,7})(?:\+(\d{1,5}))?$`)
)

// Times returns what the moves took, as comments after them say: by [%emt 0:00:05], or by [%clk 0:02:58], what is then left of the
// time that control gives, which may be empty. It is 0 for moves of which that is not known, and nil if that is all of them.
func Times(a *movetext.Asides, moves int, control string) []time.Duration {
	var left [2]time.Duration
	var known [2]bool
	var added time.Duration
	if c := timeControl.FindStringSubmatch(control); c != nil {
		left[0] = seconds(c[1])
		left[1], known, added = left[0], [2]bool{true, true}, seconds(c[2])
	}
	var times []time.Duration
	for i := range min(moves, max(0, len(a.Comments)-1)) {
		c := clock.FindStringSubmatch(strings.Join(a.Comments[i+1], " "))
		if c == nil {
			known[i%2] = false // the next clock tells the time of two moves
			continue
		}
		shown := 60*(60*seconds(c[2])+seconds(c[3])) + seconds(c[4])
		took := shown
		if c[1] == "clk" {
			took = left[i%2] + added - shown
			if !known[i%2] || i < 2 && added > 0 { // some servers add nothing for the first move
				took = 0
			}
			left[i%2], known[i%2] = shown, true
		}
		if took > 0 {
			times = append(times, make([]time.Duration, i-len(times))...)
			times = append(times, took)
		}
	}
	if times != nil {
		times = append(times, make([]time.Duration, moves-len(times))...)
	}
	return times
}

// seconds reads a number of seconds, 0 if there is none.
func seconds(text string) time.Duration {
	n, _ := strconv.ParseFloat("0"+text, 64)
	return time.Duration(n * float64(time.Second)).Round(time.Millisecond)
}

// Title names a game by its players, empty if nothing is known of either.
func Title(first, second string) string {
	if strings.Trim(first+second, "?") == "" {
		return ""
	}
	return cmp.Or(first, "?") + " - " + cmp.Or(second, "?")
}
