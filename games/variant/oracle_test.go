package variant

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestOracle answers lines of a file: FILE-or-builtin|variant|fen|depth.
func TestOracle(t *testing.T) {
	in := os.Getenv("ORACLE")
	if in == "" {
		t.Skip()
	}
	f, _ := os.Open(in)
	out, _ := os.Create(in + ".out")
	defer out.Close()
	ini, _ := os.Open("/tmp/peer/fsf/src/variants.ini")
	user, err := Read("variants.ini", ini, BuiltIn())
	if err != nil {
		t.Fatal(err)
	}
	games := map[string]*Game{}
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		x := strings.Split(sc.Text(), "|")
		g := games[x[0]]
		var err error
		if g == nil {
			if user.rules[x[0]] == nil && user.broken[x[0]] == nil {
				g, err = BuiltIn().Game(x[0])
			} else {
				g, err = user.Game(x[0])
			}
			if err != nil {
				fmt.Fprintln(out, x[0]+"|error|"+strings.ReplaceAll(err.Error(), "\n", " "))
				continue
			}
			games[x[0]] = g
		}
		p := g.Start()
		if x[1] != "startpos" {
			if p, err = g.ParsePosition(x[1]); err != nil {
				fmt.Fprintln(out, x[0]+"|badfen|"+err.Error())
				continue
			}
		}
		d, _ := strconv.Atoi(x[2])
		b := g.newBoard(&p)
		if len(x) > 3 {
			for _, m := range b.legalMoves(nil) {
				next := *b
				next.apply(m)
				n := uint64(1)
				if d > 1 {
					n = next.perft(d - 1)
				}
				fmt.Fprintf(out, "%s: %d\n", g.AppendMove(nil, p, m), n)
			}
			fmt.Fprintf(out, "%s\n", g.AppendPosition(nil, p))
			continue
		}
		fmt.Fprintf(out, "%s|%s|%d\n", x[0], x[1], b.perft(d))
	}
}
