package tsume

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

func TestScratch(t *testing.T) {
	file := os.Getenv("SET")
	if file == "" {
		t.Skip()
	}
	limit, _ := time.ParseDuration(os.Getenv("LIMIT"))
	if limit == 0 {
		limit = 4 * time.Second
	}
	mem := int64(256 << 20)
	fmt.Sscan(os.Getenv("MEM"), &mem)
	threads := 1
	fmt.Sscan(os.Getenv("THREADS"), &threads)
	table, _ := dfpn.NewTable(mem)
	f, _ := os.Open(file)
	sc := bufio.NewScanner(f)
	var nodes, solvedNodes uint64
	solved, n := 0, 0
	begin := time.Now()
	for sc.Scan() {
		fields := strings.Split(sc.Text(), "\t")
		if only := os.Getenv("ONLY"); only != "" && !strings.Contains(only, fields[2]) {
			continue
		}
		n++
		p, err := shogi.ParseSFEN(fields[0])
		if err != nil {
			fmt.Println(err)
			continue
		}
		table.Clear()
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		start := time.Now()
		r, err := dfpn.Solve(ctx, table, func() dfpn.Cursor { return newCursor(p, false) }, dfpn.Config{Threads: threads, Nodes: uint64(dfpn.Knob("NODES", 0))})
		cancel()
		nodes += r.Nodes
		if r.Outcome != dfpn.Unknown {
			solved++
			solvedNodes += r.Nodes
		}
		el := time.Since(start).Seconds()
		if os.Getenv("V") != "" || r.Outcome != dfpn.Proven {
			fmt.Printf("%s decl %s: %v len %d nodes %d time %.2f full %.2f depth %d pn %d dn %d nps %.0f\n", fields[2], fields[1], r.Outcome, r.Length, r.Nodes, el, table.Full(), r.Depth, r.Proof, r.Disproof, float64(r.Nodes)/el)
		}
	}
	el := time.Since(begin).Seconds()
	fmt.Printf("%s: solved %d/%d in %.1fs nodes %d (solved: %d) nps %.0f\n", file, solved, n, el, nodes, solvedNodes, float64(nodes)/el)
}
