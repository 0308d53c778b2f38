package main

import (
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"
	"time"

	"github.com/yomikiri/yomikiri/games"
	_ "github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/retro"
)

func main() {
	g, err := games.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	threads, _ := strconv.Atoi(os.Args[2])
	u, err := games.UniverseOf(g)
	if err != nil {
		panic(err)
	}
	f, _ := os.Create("/tmp/w/cpu.prof")
	pprof.StartCPUProfile(f)
	begin := time.Now()
	s, err := retro.Analyze(context.Background(), u, retro.Config{Threads: threads})
	if err != nil {
		panic(err)
	}
	pprof.StopCPUProfile()
	fmt.Println(time.Since(begin), retro.PeakMemory()>>20)
	sum := map[string]time.Duration{}
	for _, p := range s.Passes {
		sum[p.Name] += p.Time
	}
	fmt.Println(sum)
}
