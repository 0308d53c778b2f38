package match

import (
	"fmt"
	"io"
	"strings"

	"github.com/yomikiri/yomikiri/games"
)

// WriteRecord writes a game as text: tags in brackets, as in PGN, and the moves in the notation of the
// game.
func WriteRecord[P, M comparable](w io.Writer, g games.Game[P, M], r Record, first, second string) error {
	points := r.Points
	if r.Second {
		first, second, points = second, first, 1-points
	}
	result := map[float64]string{0: "0-1", 0.5: "1/2-1/2", 1: "1-0"}[points]
	var b strings.Builder
	for _, tag := range [][2]string{
		{"Game", g.Name()}, {"Round", fmt.Sprintf("%d.%d", r.Pair+1, 1+count(r.Second))},
		{"First", first}, {"Second", second}, {"Position", r.From}, {"Result", result}, {"Termination", strings.TrimSpace(string(r.Ending) + " " + r.Remark)},
	} {
		fmt.Fprintf(&b, "[%s %q]\n", tag[0], tag[1])
	}
	line := ""
	for i, m := range append(r.Moves[:len(r.Moves):len(r.Moves)], result) {
		if i%2 == 0 && i < len(r.Moves) {
			m = fmt.Sprintf("%d. %s", i/2+1, m)
		}
		if len(line)+1+len(m) > 80 {
			b.WriteString(line + "\n")
			line = ""
		}
		line = strings.TrimSpace(line + " " + m)
	}
	b.WriteString(line + "\n\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
