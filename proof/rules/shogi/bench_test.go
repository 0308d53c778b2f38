package shogi

import "testing"

// BenchmarkPosition looks at positions that are much work: with many moves, mated with all
// pieces in hand, and without a move that gives check.
func BenchmarkPosition(b *testing.B) {
	for name, c := range map[string][2]string{
		"start":     {"shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"},
		"593 moves": {"shogi", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p"},
		"mated":     {"shogi", "4k4/4G4/4P4/9/9/9/9/9/9 w 2r2b3g4s4n4l17p"},
		"mated far": {"shogi", "R3k4/R8/9/9/9/9/9/9/9 w 2b4g4s4n4l18p"},
		"no check":  {"shogi:checks=black", "4r3k/7pp/9/9/9/9/9/9/9 b GSNLP2b3g3s3n3l15p"},
		"check":     {"shogi:checks=black", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p"},
	} {
		g, _ := Open(c[0])
		p, err := parse(c[1])
		if err != nil {
			b.Fatal(name, err)
		}
		b.Run(name+"/outcome", func(b *testing.B) {
			for b.Loop() {
				g.Outcome(p)
			}
		})
		b.Run(name+"/moves", func(b *testing.B) {
			var moves []Move
			for b.Loop() {
				moves = g.AppendMoves(moves[:0], p)
			}
			b.ReportMetric(float64(len(moves)), "moves")
		})
		b.Run(name+"/parse", func(b *testing.B) {
			for b.Loop() {
				if _, err := g.ParsePosition(c[1]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
