package prooffile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// Verifier checks a proof that this program has just written, before anything is
// printed of what it proves.
type Verifier func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (fmt.Stringer, error)

// VerifierOf returns the check for the proof of a value of a game before the value is printed.
func VerifierOf(g *app.Game) Verifier {
	if g.Verify != nil {
		return g.Verify
	}
	return func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (fmt.Stringer, error) {
		report, err := g.Check(ctx, r, o)
		return Checked{report.Nodes}, err
	}
}

// Reporter is called often with the number of nodes that are verified, and the total number, 0
// if that is not known. It may be nil.
type Reporter func(done, total uint64)

// Verify verifies a proof with the given number of nodes. If the proof is refused, that
// is an internal error.
func Verify(ctx context.Context, v Verifier, file io.Reader, nodes uint64, report Reporter) (fmt.Stringer, error) {
	r, err := proof.NewReader(file)
	if err != nil {
		return nil, err
	}
	options := proof.CheckOptions{Positions: r.Header().Positions} // all that this program has left to the check
	if report != nil {
		options.Progress = func(r proof.Report) { report(r.Nodes, nodes) }
	}
	done, err := v(ctx, r, options)
	if err == nil {
		return done, nil
	}
	if errors.Is(err, proof.ErrRefused) || errors.Is(err, proof.ErrCorrupt) {
		return nil, fmt.Errorf("%w: what was found about %q is not what its proof shows: %v", solver.ErrContradiction, r.Header().Root, err)
	}
	return nil, err
}

// VerifyFile verifies a proof file.
func VerifyFile(ctx context.Context, v Verifier, path string, nodes uint64, report Reporter) (fmt.Stringer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Verify(ctx, v, f, nodes, report)
}

// errVerified ends the writing of a proof whose verification has ended.
var errVerified = errors.New("the verification has ended")

// VerifyUnwritten verifies a proof while write writes it, to no file. The total that it reports
// is 0.
func VerifyUnwritten(ctx context.Context, v Verifier, header proof.Header, write func(w *proof.Writer) error, report Reporter) (fmt.Stringer, error) {
	in, out := io.Pipe()
	written := make(chan error, 1)
	go func() {
		w, err := proof.NewWriter(out, header)
		if err == nil {
			err = write(w)
		}
		if err == nil {
			err = w.Close()
		}
		out.CloseWithError(err)
		written <- err
	}()
	verified, err := Verify(ctx, v, in, 0, report)
	in.CloseWithError(errVerified)
	if unwritten := <-written; unwritten != nil && !errors.Is(unwritten, errVerified) {
		return nil, unwritten
	}
	return verified, err
}

// Checked is what was done if a proof was only checked.
type Checked struct {
	Nodes uint64 `json:"nodes"`
}

func (v Checked) String() string {
	return fmt.Sprintf("a proof of %s was checked", ui.Counted(v.Nodes, "node"))
}
