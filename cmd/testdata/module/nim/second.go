package nim

import (
	"context"
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/proof"
)

// second is a second set of rules of nim, which shares nothing with the first: a position is text.
type second struct{ name string }

func openSecond(name string) (second, bool) {
	return second{name}, name == "nim" || strings.HasPrefix(name, "nim:heaps=")
}

func (g second) Name() string { return g.name }

func (g second) Start() string {
	_, heaps, given := strings.Cut(g.name, "=")
	if !given {
		heaps = "3-4-5"
	}
	return heaps
}

func (second) Layer(p string) int {
	all := 0
	for _, stones := range heapsOf(p) {
		all -= stones
	}
	return 1000 + all
}

func (second) Outcome(p string) (games.Value, bool) {
	if p == "0-0-0" {
		return games.Loss(0), true
	}
	return games.Unfinished, false
}

func (second) AppendMoves(dst []string, p string) []string {
	for heap, stones := range heapsOf(p) {
		for n := range stones {
			dst = append(dst, fmt.Sprint("abc"[heap:heap+1], n+1))
		}
	}
	return dst
}

func (second) Play(p, m string) string {
	heaps, n := heapsOf(p), 0
	fmt.Sscan(m[1:], &n)
	heaps[m[0]-'a'] -= n
	return fmt.Sprintf("%d-%d-%d", heaps[0], heaps[1], heaps[2])
}

func (second) AppendPosition(dst []byte, p string) []byte { return append(dst, p...) }

func (second) ParsePosition(text string) (string, error) { return text, nil }

func (second) AppendMove(dst []byte, _, m string) []byte { return append(dst, m...) }

func heapsOf(p string) (heaps [3]int) {
	fmt.Sscanf(p, "%d-%d-%d", &heaps[0], &heaps[1], &heaps[2])
	return heaps
}

// checkSecond checks a proof by the second rules.
var checkSecond = app.CheckBy(openSecond)

// accepted is what the second rules have accepted.
type accepted struct {
	Nodes uint64 `json:"nodes"`
}

func (v accepted) String() string { return fmt.Sprintf("the second rules accept %d nodes", v.Nodes) }

func verify(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (fmt.Stringer, error) {
	report, err := checkSecond(ctx, r, o)
	return accepted{report.Nodes}, err
}
