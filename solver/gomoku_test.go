package solver

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/mnk"
)

func TestGomoku(t *testing.T) {
	for _, c := range []struct {
		m, n, k int
		value   string
	}{
		{3, 3, 3, "draw"}, {2, 9, 3, "draw"}, {3, 4, 3, "win"}, {4, 4, 3, "win"}, {4, 4, 4, "draw"}, {4, 5, 4, "draw"}, {4, 6, 4, "draw"},
		{4, 7, 4, "draw"}, {5, 5, 4, "draw"}, {5, 6, 4, "win"}, {6, 6, 4, "win"}, {5, 5, 5, "draw"}, {5, 6, 5, "draw"}, {6, 6, 5, "draw"},
		{7, 7, 4, "win"}, {6, 7, 5, "draw"}, {7, 7, 5, "draw"},
	} {
		t.Run(fmt.Sprintf("%dx%d-%d", c.m, c.n, c.k), func(t *testing.T) {
			g, err := gomoku.New(gomoku.Rules{Rows: c.m, Columns: c.n, K: c.k})
			require.NoError(t, err)
			s, err := New(g, g.Start(), Config{})
			require.NoError(t, err)
			r, err := s.Solve(context.Background())
			require.NoError(t, err)
			for _, q := range r.Questions {
				t.Log(q.Answer, q.Nodes, q.Memory>>20, q.Time)
			}
			require.Equal(t, c.value, r.Value.String())
			var file bytes.Buffer
			t0 := time.Now()
			w, err := proof.NewWriter(&file, s.Header())
			require.NoError(t, err)
			require.NoError(t, s.WriteProof(context.Background(), w))
			require.NoError(t, w.Close())
			t.Log("write", time.Since(t0), file.Len())
			t0 = time.Now()
			pr, err := proof.NewReader(&file)
			require.NoError(t, err)
			plain, _ := mnk.Open(g.Name())
			rep, err := proof.Check(context.Background(), pr, plain, proof.CheckOptions{})
			require.NoError(t, err)
			t.Logf("check %v %+v", time.Since(t0), rep)
		})
	}
}
