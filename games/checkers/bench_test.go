package checkers

import (
	"math/rand/v2"
	"testing"

	"github.com/yomikiri/yomikiri/games"
)

func benchmarkBatches(b *testing.B, do func(g *Game, batch []uint64)) {
	g := open(b, "checkers:pieces=5")
	rng := rand.New(rand.NewPCG(1, 1))
	tiers := g.Tiers()
	var batches [][]uint64
	for _, t := range tiers[len(tiers)-22:] {
		for range 20 {
			first := t.Start + rng.Uint64N(t.Size-256)
			var batch []uint64
			for i := range uint64(256) {
				batch = append(batch, first+i)
			}
			batches = append(batches, batch)
		}
	}
	i := 0
	for b.Loop() {
		do(g, batches[i%len(batches)])
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/256, "ns/position")
}

func BenchmarkExpand(b *testing.B) {
	var x games.Expansion
	benchmarkBatches(b, func(g *Game, batch []uint64) { g.Expand(batch, &x) })
}

func BenchmarkRetract(b *testing.B) {
	var before games.Predecessors
	benchmarkBatches(b, func(g *Game, batch []uint64) { g.Retract(batch, &before) })
}

func BenchmarkPosition(b *testing.B) {
	benchmarkBatches(b, func(g *Game, batch []uint64) {
		var at place
		for _, i := range batch {
			g.seek(&at, i)
		}
	})
}
