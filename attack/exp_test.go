package attack

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

func TestExp(t *testing.T) {
	g, _ := gomoku.New(gomoku.Rules{Rows: 15, Columns: 15, K: 5})
	var e Effort
	cfg := Config{}
	fmt.Sscan(os.Getenv("CFG"), &cfg.Threats, &cfg.Width)
	fmt.Sscan(os.Getenv("E"), &e.Nodes, &e.Quiet)
	for _, text := range strings.Split(os.Getenv("POS"), ";") {
		x, err := NewProver(g, cfg)
		if err != nil {
			t.Fatal(err)
		}
		p, err := g.ParsePosition(text)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 40*time.Second)
		tree, err := x.Prove(ctx, p, e)
		cancel()
		if tree != nil {
			fmt.Println("WON", tree.Size(), tree.Moves(), tree.Line())
		}
		fmt.Println(x.Nodes(), tree != nil, err, time.Since(begin), len(x.trees), len(x.failed))
	}
}
