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
	"github.com/yomikiri/yomikiri/db/store"
	"github.com/yomikiri/yomikiri/games"
)

// Options configures [Run].
type Options struct {
	FS      vfs.FS // vfs.Default if nil
	Threads int    // 0 means one for each processor
	// Problem, if not nil, is called for the first MaxProblems problems, one at a
	// time.
	Problem func(error)
	// Progress, if not nil, is called by several goroutines at once. The unit is
	// "blocks" while they are read, then "positions" while values are derived,
	// then "scores" while they are shown to be forced.
	Progress games.Progress
}

// ErrFailed says that a database has problems, for those who report them so.
var ErrFailed = errors.New("verification failed")

// MaxProblems is the number of problems reported; further ones are only counted.
const MaxProblems = 20

// Result counts what was verified.
type Result struct {
	Files, Blocks uint64
	Positions     uint64 // unfinished positions whose value was derived
	Moves         uint64
	Problems      uint64
	// Content is the files that were verified, for [store.WriteVerification].
	Content []db.HashedFile
}

// Run verifies a database. u is the universe of its game. Run checks
//
//   - the checksums of files and blocks, and the logical checksum;
//   - that each value follows from the values of the successors;
//   - where values are scores, or results without distance, that the side which is ahead can
//     force them;
//   - that exactly the positions which the manifest promises have a value;
//   - all counts in the manifest.
//
// It needs one byte of memory, or two, for each stored index; two bits for each index
// if only reachable positions were solved; and two bits for each index if values have no
// distance.
//
// Run does not record the verification. Problems of the database are reported and counted. Run returns an error if the
// verification could not be completed.
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
	image   *store.Image
	content *db.Content
	all     bool // all positions are solved
	done    atomic.Uint64
	total   uint64 // positions to examine

	// A bit for each index, unless all positions are solved: reached, and checked
	// or finished.
	reached, seen []uint64

	// Where values are scores, a bit each for each index: the score is not yet known to be
	// forced (pending), and a successor's score has become known to be forced since the
	// last check (changed).
	pending, changed []uint64
	unforced         atomic.Uint64 // positions pending after values were derived

	mu     sync.Mutex // guards the fields below
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
	image, err := store.ReadImage(ctx, v.dir, v.u, store.ImageOptions{
		FS: v.o.FS, Threads: v.o.Threads, Problem: v.problem,
		Progress: v.report,
	})
	if errors.Is(err, db.ErrCorrupt) && v.result.Problems > 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if image.Manifest.Content.Order == games.ByResult.String() {
		if v.u, err = v.u.Results(); err != nil {
			return err
		}
	}
	v.image, v.content, v.result.Content = image, &image.Manifest.Content, image.Files
	v.all = v.content.Positions == "all"
	files, _ := image.Manifest.StoreFiles()
	v.result.Files, v.result.Blocks = uint64(files), image.Blocks
	if err := v.resolve(ctx); err != nil {
		return err
	}
	return v.derive(ctx)
}

func (v *verifier) report(unit string, done, total uint64) {
	if v.o.Progress != nil {
		v.o.Progress(unit, done, total)
	}
}

func (v *verifier) progress(unit string, n, total uint64) { v.report(unit, v.done.Add(n), total) }

// eachRange calls do for ranges of the blocks of all tiers, in parallel. With closed,
// it includes the closed parts of tiers, as if they had blocks.
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
