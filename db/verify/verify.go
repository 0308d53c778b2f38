package verify

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

// Options says how to verify a database.
type Options struct {
	FS      vfs.FS // vfs.Default if nil
	Threads int    // 0 means one for each processor
	// Problem is called for each thing that is wrong, one at a time, up to
	// MaxProblems of them.
	Problem func(error)
	// Progress, if not nil, is called with what is gone through so far: "blocks"
	// while these are read, then "positions" while values are derived, then
	// "scores" while these are found to be forced. It is called by several
	// goroutines at once.
	Progress func(unit string, done, total uint64)
}

// MaxProblems is how many problems are told of; those behind are only counted.
const MaxProblems = 20

// Result says what was verified.
type Result struct {
	Files, Blocks uint64
	Positions     uint64 // unfinished positions whose value was derived again
	Moves         uint64
	Problems      uint64
}

// Run checks a database of the game that u is the universe of: the checksums
// of all files and blocks and the logical checksum; that the value of each
// position follows from the values of its successors; where values are scores,
// that the side which wins can force them; that the database holds the positions
// that it says it holds, no less and no more; and that all counts are right.
//
// It shares no code with the solver but the game. It takes one byte (or two) of
// memory for each stored index, two bits for each index where only reachable
// positions were solved, and two where values are scores.
//
// What is wrong goes to o.Problem and is counted; the error is for what kept
// Verify from finding out.
func Run(ctx context.Context, dir string, u *games.Universe, o Options) (*Result, error) {
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	v := &verifier{o: o, u: u, dir: dir}
	err := v.run(ctx)
	return &v.result, err
}

type verifier struct {
	o       Options
	u       *games.Universe
	dir     string
	image   *db.Image
	content *db.Content
	all     bool // all positions are solved
	done    atomic.Uint64
	total   uint64 // positions to examine

	// A bit for each index, unless all positions are solved: whether it is
	// reached, and whether it has been looked at or needs no look.
	reached, seen []uint64

	// Two bits for each index where values are scores: whether the score of the
	// position is not yet known to be forced, and whether more is known of its
	// successors since it was looked at.
	pending, changed []uint64
	unforced         atomic.Uint64 // how many were pending when values were derived

	mu     sync.Mutex // guards what follows
	result Result
	counts []map[games.Value]db.Count // by tier
	open   []uint64                   // unfinished positions by tier
	moves  []uint64
}

func (v *verifier) problem(err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.result.Problems++
	if v.result.Problems <= MaxProblems && v.o.Problem != nil {
		v.o.Problem(err)
	}
}

func (v *verifier) run(ctx context.Context) error {
	image, err := db.ReadImage(ctx, v.dir, v.u, db.ImageOptions{
		FS: v.o.FS, Threads: v.o.Threads, Problem: v.problem,
		Progress: func(done, total uint64) { v.report("blocks", done, total) },
	})
	if errors.Is(err, db.ErrCorrupt) && v.result.Problems > 0 {
		return nil
	}
	if err != nil {
		return err
	}
	v.image, v.content = image, &image.Manifest.Content
	v.all = v.content.Positions == "all"
	v.result.Files, v.result.Blocks = uint64(len(image.Manifest.Files)), image.Blocks
	return v.derive(ctx)
}

func (v *verifier) report(unit string, done, total uint64) {
	if v.o.Progress != nil {
		v.o.Progress(unit, done, total)
	}
}

func (v *verifier) progress(unit string, n, total uint64) { v.report(unit, v.done.Add(n), total) }

// eachRange goes over the blocks of all tiers in ranges, in parallel; with
// closed, also over the indices behind the open part of a tier, as if they were
// blocks.
func (v *verifier) eachRange(ctx context.Context, closed bool, do func(tier int, first, last uint64)) error {
	const step = 16
	whole := ctx
	group, ctx := errgroup.WithContext(whole)
	group.SetLimit(v.o.Threads)
	for i := range v.content.Tiers {
		s := &v.content.Tiers[i]
		n := (s.Open + db.BlockSize - 1) / db.BlockSize
		if closed {
			n = (s.Size + db.BlockSize - 1) / db.BlockSize
		}
		for first := uint64(0); first < n; first += step {
			if ctx.Err() != nil {
				break
			}
			group.Go(func() error {
				do(i, first, min(first+step, n))
				return ctx.Err()
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return whole.Err()
}
