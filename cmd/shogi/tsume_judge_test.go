package shogi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
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

// TestDefencesListedOnce has replies that are the same fault, which are listed as one: drops of several pieces on a square.
func TestDefencesListedOnce(t *testing.T) {
	p, err := shogi.ParseSFEN("9/9/6Bnl/8k/R6p1/9/9/9/9 b rb4g4s3n3l17p")
	require.NoError(t, err)
	b := shogi.NewBoard(p)
	check, err := b.ParseUSI("9e9d")
	require.NoError(t, err)
	b.Do(check)
	r := judged{Judgement: tsume.Judgement{Line: []shogi.Move{check}}}
	for _, f := range []struct {
		move string
		kind tsume.FaultKind
	}{
		{"R*2d", tsume.EqualDefence}, {"L*2d", tsume.EqualDefence}, {"N*2d", tsume.EqualDefence}, // one fault
		{"S*2d", tsume.EqualWithPieces},
		{"G*3d", tsume.EqualWithPieces}, {"S*3d", tsume.EqualWithPieces},
	} {
		m, err := b.ParseUSI(f.move)
		require.NoError(t, err)
		r.Faults = append(r.Faults, tsume.Fault{Kind: f.kind, Ply: 1, Move: m, Length: 2})
	}
	j := problemJudge{tsumeCommand: &tsumeCommand{notation: "usi"}}
	var listed []string
	for _, f := range j.record(&tsume.Entry{Problem: tsume.Problem{Position: p}}, &r).Faults {
		listed = append(listed, strings.Join(append([]string{f.Move}, f.Also...), " "))
	}
	require.Equal(t, []string{"R*2d L*2d N*2d", "S*2d", "G*3d S*3d"}, listed)
}
