package shogi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// TestJudgeContradiction has the second judgement of --certain contradict the first, as only a collision
// of keys does: the problem is not one that cannot be read, and no verdict is printed.
func TestJudgeContradiction(t *testing.T) {
	var out bytes.Buffer
	c := &tsumeCommand{threads: 1, memory: 1 << 20, out: &out, progress: ui.NewProgress(io.Discard, false, true)}
	var err error
	c.input, err = readProblems(&cobra.Command{}, []string{"8k/9/8G/9/9/9/9/9/9 b G"}, tsume.Reading{}, false, true)
	require.NoError(t, err)
	c.options.Certain, c.Quiet = true, true
	j := newProblemJudge(c, tsumeJudge{judge: true})
	j.verdict = func(_ context.Context, _ tsume.Problem, _ []shogi.Move, _ *dfpn.Table, o tsume.JudgeOptions) (tsume.Judgement, error) {
		require.True(t, o.Certain)
		return tsume.Judgement{Verdict: tsume.Sound}, fmt.Errorf("%w: with other keys, the problem is not sound", solver.ErrContradiction)
	}
	err = j.run(t.Context())
	require.ErrorContains(t, err, "with other keys, the problem is not sound")
	require.Equal(t, ui.ExitInternal, ui.ExitCode(err))
	require.Empty(t, out.String())
}
