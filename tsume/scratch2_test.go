package tsume

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
)

func TestDump(t *testing.T) {
	sfen := os.Getenv("SFEN")
	if sfen == "" {
		t.Skip()
	}
	p, err := shogi.ParseSFEN(sfen)
	if err != nil {
		t.Fatal(err)
	}
	table, _ := dfpn.NewTable(256 << 20)
	r, _ := dfpn.Solve(context.Background(), table, func() dfpn.Cursor { return newCursor(p, false) }, dfpn.Config{Nodes: uint64(dfpn.Knob("NODES", 1000000))})
	fmt.Println(r)
	c := newCursor(p, false)
	show := func() {
		var n dfpn.Node
		c.Expand(&n)
		type row struct {
			s string
			a uint32
		}
		var rows []row
		for _, ch := range n.Children {
			k, pn, dn, l, a := table.Debug(ch.Key, ch.Hand)
			rows = append(rows, row{fmt.Sprintf("  %v kind %d pn %d dn %d len %d amount %d init %d/%d group %d", shogi.Move(ch.Move), k, pn, dn, l, a, ch.Proof, ch.Disproof, ch.Group), a})
		}
		sort.SliceStable(rows, func(i, j int) bool { return rows[i].a > rows[j].a })
		for i, r := range rows {
			if i < 14 {
				fmt.Println(r.s)
			}
		}
	}
	show()
	for _, text := range strings.Fields(os.Getenv("MOVES")) {
		m, err := c.board.ParseUSI(text)
		if err != nil {
			t.Fatal(err)
		}
		c.board.Do(m)
		pos := c.board.Position()
		fmt.Println("after", text, pos)
		show()
	}
	// follow the largest amount
	for i := 0; i < dfpn.Knob("DOWN", 8); i++ {
		var n dfpn.Node
		c.Expand(&n)
		best, ba := dfpn.Move(0), uint32(0)
		for _, ch := range n.Children {
			k, _, _, _, a := table.Debug(ch.Key, ch.Hand)
			if k == 1 && a > ba {
				best, ba = ch.Move, a
			}
		}
		if ba == 0 {
			break
		}
		c.board.Do(shogi.Move(best))
		pos := c.board.Position()
		fmt.Println("after", shogi.Move(best), pos)
		show()
	}
}
