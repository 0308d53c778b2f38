package shared

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// A job of the queue is a tier: its ID says which. The result says that the file of the tier is there: in the
// directory of the host, or among the files of the carrier. Both have no body.

// Terms returns what a host and its workers must agree on.
func Terms(u *games.Universe, version string) (cluster.Terms, error) {
	h, err := headerOf(u)
	return cluster.Terms{Version: version, Game: h.Game, Rules: h.id().String()}, err
}

// id returns a hash of the header.
func (h Header) id() cluster.ID {
	return cluster.NewID([]byte(h.Game), []byte(h.Order), []byte(h.RulesDigest), []byte(h.Fingerprint))
}

// jobs are the tiers of a game as jobs of a queue.
type jobs struct {
	solve cluster.ID // which solve they are of
	ids   []cluster.ID
	tiers map[cluster.ID]int
}

// jobsOf returns the tiers of a game as jobs.
func jobsOf(u *games.Universe) (*jobs, error) {
	h, err := headerOf(u)
	if err != nil {
		return nil, err
	}
	j := &jobs{solve: h.id(), tiers: map[cluster.ID]int{}}
	for tier := range u.Tiers {
		id := cluster.NewID(j.solve[:], []byte(strconv.Itoa(tier)))
		j.ids, j.tiers[id] = append(j.ids, id), tier
	}
	return j, nil
}

// fileOf returns the name that the file of a tier has among those of the carrier.
func (j *jobs) fileOf(tier int) string { return j.solve.String() + " " + engine.TierFileName(tier) }

// tierOf returns the tier whose file has a name there, unless it is of another solve.
func (j *jobs) tierOf(name string) (tier int, ok bool) {
	name, ok = strings.CutPrefix(name, j.solve.String()+" ")
	if ok {
		tier, ok = engine.TierOfFile(name)
	}
	return tier, ok && tier < len(j.ids)
}

// worker solves tiers that it takes from a queue.
type worker struct {
	*member
	*jobs
	back  cluster.Back
	files cluster.Files // nil if the directory is that of the host
}

// Work solves tiers from the queue of a host until that has all, and returns how many. Meanwhile it keeps the files of
// tiers that it has solved or needed in a directory of its own in dir. If the context ends, it gives the tier
// in hand back, and the error is [engine.ErrInterrupted].
func Work(ctx context.Context, u *games.Universe, dir string, cfg engine.Config, back cluster.Back, files cluster.Files) (solved int, err error) {
	j, err := jobsOf(u)
	if err != nil {
		return 0, err
	}
	own, err := takeOwn(cfg.FS, dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, own.remove()) }()
	if show := cfg.Progress; show != nil { // only the host knows how far all have got
		cfg.Progress = func(p engine.Progress) {
			p.Finished, p.Tiers, p.Left = 0, 0, 0
			show(p)
		}
	}
	m, err := (&Folder{fs: cfg.FS, dir: own.path, u: u}).member(cfg)
	if err != nil {
		return 0, err
	}
	w := &worker{member: m, jobs: j, back: back, files: files}
	err = w.run(ctx)
	if ctx.Err() != nil {
		err = fmt.Errorf("%w; the tier in hand, if there was one, is for another worker; the same command joins again", engine.ErrInterrupted)
	}
	return m.solved, errors.Join(err, m.e.Close())
}

// run solves tiers until the queue is closed or the context ends.
func (w *worker) run(ctx context.Context) error {
	for {
		lease, err := w.take(ctx)
		if err == nil {
			if err = w.do(ctx, lease); err != nil {
				lease.Return(context.WithoutCancel(ctx)) // which does nothing if it is done
			}
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, cluster.ErrClosed):
			return nil
		case errors.Is(err, engine.ErrStopped): // the tier is no longer wanted, and this engine can do nothing more
			if err = w.renew(); err != nil {
				return err
			}
		case err != nil && !errors.Is(err, cluster.ErrGone) && !errors.Is(err, cluster.ErrNoFile):
			return err
		}
	}
}

// take waits for a tier, and reports that it waits.
func (w *worker) take(ctx context.Context) (cluster.Lease, error) {
	ended := make(chan struct{})
	var watch sync.WaitGroup
	defer watch.Wait()
	defer close(ended)
	if w.cfg.Progress != nil {
		watch.Go(func() {
			for tick := time.Tick(w.cfg.ProgressEvery); ; {
				select {
				case <-tick:
					w.cfg.Progress(engine.Progress{Pass: "wait"})
				case <-ended:
					return
				}
			}
		})
	}
	return w.back.Take(ctx)
}

// do solves a tier until it is no longer wanted.
func (w *worker) do(ctx context.Context, lease cluster.Lease) error {
	tier, ok := w.tiers[lease.Job().ID]
	if !ok {
		return fmt.Errorf("job %v is no tier of %s", lease.Job().ID, w.u.Name)
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-lease.Gone():
			stop()
		case <-working.Done():
		}
	}()
	finished, err := w.has(engine.TierFileName(tier))
	if err == nil && !finished {
		if err = w.fetch(working, tier); err == nil {
			err = w.e.SolveTier(working, tier)
		}
		if err == nil {
			w.solved++
		}
	}
	if err == nil && w.files != nil {
		err = w.put(working, w.Folder, tier, w.files)
	}
	if err == nil {
		return lease.Done(ctx, cluster.Bytes(nil))
	}
	if working.Err() != nil && errors.Is(err, working.Err()) { // on the way of a file
		err = cluster.ErrGone
	}
	return err
}

// supply is how long a worker waits for the file of a child: the host puts it there when it sees that there is
// a worker who needs it.
const supply = 10 * time.Second

// fetch gets the files of children that are not in the directory.
func (w *worker) fetch(ctx context.Context, tier int) error {
	if w.files == nil {
		return nil
	}
	for _, child := range w.u.Children(tier) {
		name := engine.TierFileName(child)
		if there, err := w.has(name); there || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		for deadline := time.Now().Add(supply); ; {
			err := w.files.Get(ctx, w.fileOf(child), func(r io.Reader) error {
				return storage.WriteFile(w.fs, w.dir, name, copied(r, engine.MostTierFile(w.u, child)))
			})
			if err == nil {
				break
			}
			if !errors.Is(err, cluster.ErrNoFile) || time.Now().After(deadline) {
				return err
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(poll):
			}
		}
	}
	return nil
}

// copied returns a function that writes what r has, and fails with [errTooLong] after most bytes.
func copied(r io.Reader, most int64) func(io.Writer) error {
	return func(w io.Writer) error {
		n, err := io.Copy(w, io.LimitReader(r, most+1))
		if err == nil && n > most {
			err = errTooLong
		}
		return err
	}
}

// errTooLong says that the file of a tier that arrives has more bytes than any has.
var errTooLong = errors.New("the file is longer than that of the tier can be")

// put gives the file of a tier to the carrier.
func (j *jobs) put(ctx context.Context, f *Folder, tier int, files cluster.Files) error {
	file, err := f.fs.Open(f.fs.PathJoin(f.dir, engine.TierFileName(tier)))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return files.Put(ctx, j.fileOf(tier), file, info.Size())
}

// renew replaces the engine by one that can go on.
func (m *member) renew() (err error) {
	err = m.e.Close()
	e, newErr := engine.ForTiers(m.u, m.cfg)
	if newErr == nil {
		m.e = e
	}
	return errors.Join(err, newErr)
}
