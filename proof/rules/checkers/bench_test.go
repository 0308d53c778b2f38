package checkers

import "testing"

// BenchmarkPosition looks at positions that are much work: the first, one of many captures,
// one of many kings, and one in which nobody can move.
func BenchmarkPosition(b *testing.B) {
	g, _ := Open("checkers")
	for name, text := range map[string]string{
		"start":    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
		"captures": "B:WK6,K7,K8,K14,K15,K16,K22,K23,K24:BK1,K10,K26",
		"kings":    "W:WK1,K3,K8,K9,K11,K16,K17,K19,K24,K25,K27,K32:BK5",
		"blocked":  "B:W13,14,K15,16,17,18,19,20:B5,6,7,8,9,10,11,12",
	} {
		p, err := g.ParsePosition(text)
		if err != nil {
			b.Fatal(name, err)
		}
		moves := g.AppendMoves(nil, p)
		b.Run(name+"/outcome", func(b *testing.B) {
			for b.Loop() {
				g.Outcome(p)
			}
		})
		b.Run(name+"/moves", func(b *testing.B) {
			for b.Loop() {
				moves = g.AppendMoves(moves[:0], p)
			}
			b.ReportMetric(float64(len(moves)), "moves")
		})
		b.Run(name+"/play", func(b *testing.B) {
			for b.Loop() {
				for _, m := range moves {
					g.Canonical(g.Play(p, m))
				}
			}
		})
		b.Run(name+"/parse", func(b *testing.B) {
			for b.Loop() {
				if _, err := g.ParsePosition(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
