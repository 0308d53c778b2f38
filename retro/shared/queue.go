package shared

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/internal/storage"
	"github.com/yomikiri/yomikiri/retro/engine"
)

// Queue is a carrier that hands the tiers of a directory to workers in other processes, which need not see
// the directory.
type Queue interface {
	cluster.Front
	// Files are those of tiers that workers need or have solved.
	Files() cluster.Files
	// Join returns the side of a worker in this process.
	Join(ctx context.Context, terms cluster.Terms, name string) (cluster.Back, error)
	// Workers returns about how many workers there are.
	Workers() int
	// Finish says that there are no more tiers. Workers then get [cluster.ErrClosed].
	Finish()
	// Leave closes the queue for a host that will be back.
	Leave()
}

// host is a process that hands out the tiers of a directory. It has the lock of each tier that it has
// offered, so that processes which share the directory do not take it.
type host struct {
	*member
	*jobs
	queue  Queue
	report func(text string)

	offered map[int]io.Closer // locks of tiers that are on the queue
	files   []bool            // tiers whose file the carrier has
	again   atomic.Bool       // a tier on the queue was lost
	arrived chan struct{}     // a result has come
}

// overdue is how long tiers are on the queue until the host looks whether they still are.
const overdue = time.Minute

// Host is [Folder.Solve] for a process that also hands out tiers by a queue. The worker in this
// process agrees to the terms. For it alone to write the database, it has locked that from the beginning, and
// opens the queue then: another host may be using its files.
func (f *Folder) Host(ctx context.Context, cfg engine.Config, open func() (Queue, error), terms cluster.Terms, report func(text string)) (*Result, error) {
	lock, err := f.lock(f.writer, db.ManifestName)
	if err != nil {
		return nil, err
	}
	if lock == nil {
		s, err := f.state()
		if err == nil && !s.solved {
			err = fmt.Errorf("%s: another process hands out these tiers or writes the database: add a worker to that one, or share the directory", f.dir)
		}
		return &Result{}, err
	}
	q, err := open()
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	h, err := f.host(cfg, q, report)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	if err = h.solve(ctx, terms); err == nil {
		err = h.e.Complete()
	}
	if err != nil {
		return nil, errors.Join(err, h.e.Close(), lock.Close())
	}
	return &Result{h.solved, h.e, lock}, nil
}

func (f *Folder) host(cfg engine.Config, q Queue, report func(text string)) (*host, error) {
	j, err := jobsOf(f.u)
	if err != nil {
		return nil, err
	}
	m, err := f.member(cfg)
	if err != nil {
		return nil, err
	}
	return &host{member: m, jobs: j, queue: q, report: report, offered: map[int]io.Closer{}, files: make([]bool, len(f.u.Tiers)), arrived: make(chan struct{}, 1)}, nil
}

// solve solves all tiers with the workers.
func (h *host) solve(ctx context.Context, terms cluster.Terms) error {
	back, err := h.queue.Join(ctx, terms, "host")
	if err != nil {
		return err
	}
	defer back.Close()
	group, working := errgroup.WithContext(ctx)
	receiving, stop := context.WithCancel(working)
	defer stop()
	w := &worker{member: h.member, jobs: h.jobs, back: back}
	group.Go(func() error { return w.run(working) })
	group.Go(func() error { return h.receive(receiving) })
	group.Go(func() error {
		err := h.handOut(working)
		if err == nil {
			h.queue.Finish()
			stop()
		}
		return err
	})
	err = group.Wait()
	for _, lock := range h.offered {
		err = errors.Join(err, lock.Close())
	}
	if ctx.Err() != nil {
		s, stateErr := h.state()
		return errors.Join(stateErr, fmt.Errorf("%w; workers go on with the tiers that they have", h.interrupted(&s)))
	}
	return err
}

// handOut offers tiers until all are finished.
func (h *host) handOut(ctx context.Context) error {
	swept := -1 // the number of finished tiers then
	for looked := time.Now(); ; {
		s, err := h.state()
		if err != nil {
			return err
		}
		if err := h.unlock(&s); err != nil {
			return err
		}
		if swept != s.count {
			if err := h.sweep(ctx, &s); err != nil {
				return err
			}
			swept = s.count
		}
		if s.count == len(s.finished) {
			return nil
		}
		// One tier more than there are workers, so that nobody has to wait for it.
		for len(h.offered) <= h.queue.Workers() {
			tier, lock, err := h.take(&s)
			if err != nil {
				return err
			}
			if lock == nil {
				break
			}
			h.offered[tier] = lock
			if err := h.offer(ctx, tier); err != nil {
				return err
			}
		}
		if err := h.supply(ctx, &s); err != nil {
			return err
		}
		if h.again.Swap(false) || time.Since(looked) > overdue {
			quiet, err := h.offerAgain(ctx)
			if err != nil {
				return err
			}
			looked = time.Now()
			h.again.Store(!quiet)
		}
		select {
		case <-h.arrived:
		case <-time.After(poll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// unlock gives up the locks of tiers that are finished.
func (h *host) unlock(s *state) (err error) {
	for tier, lock := range h.offered {
		if s.finished[tier] {
			err = errors.Join(err, lock.Close())
			delete(h.offered, tier)
		}
	}
	return err
}

// sweep looks which files the carrier has, and deletes those of finished tiers that no other tier needs any more.
func (h *host) sweep(ctx context.Context, s *state) error {
	names, err := h.queue.Files().List(ctx)
	if err != nil {
		return err
	}
	needed := make([]bool, len(s.finished))
	for tier, finished := range s.finished {
		if !finished {
			for _, child := range h.u.Children(tier) {
				needed[child] = true
			}
		}
	}
	clear(h.files)
	for _, name := range names {
		tier, ok := h.tierOf(name)
		switch {
		case !ok:
		case s.finished[tier] && !needed[tier]:
			if err := h.queue.Files().Delete(ctx, name); err != nil {
				return err
			}
		default:
			h.files[tier] = true
		}
	}
	return nil
}

// supply gives the carrier the files that workers need for the tiers on the queue, if there is another one than that of this process.
func (h *host) supply(ctx context.Context, s *state) error {
	if h.queue.Workers() < 2 {
		return nil
	}
	for tier := range h.offered {
		for _, child := range h.u.Children(tier) {
			if h.files[child] {
				continue
			}
			if err := h.put(ctx, h.Folder, child, h.queue.Files()); err != nil {
				return err
			}
			h.files[child] = true
		}
	}
	return nil
}

// offerAgain offers the tiers on the queue again, which changes nothing if they are there. It reports false, and does nothing, if
// results are about to come: their tiers have left the queue.
func (h *host) offerAgain(ctx context.Context) (quiet bool, err error) {
	s, err := h.queue.Status(ctx)
	if err != nil || s.Results > 0 {
		return false, err
	}
	for tier := range h.offered {
		if err := h.offer(ctx, tier); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (h *host) offer(ctx context.Context, tier int) error {
	return h.queue.Offer(ctx, cluster.Job{ID: h.ids[tier], Body: cluster.Bytes(nil)})
}

// receive receives results until the context ends.
func (h *host) receive(ctx context.Context) error {
	for {
		d, err := h.queue.Receive(ctx)
		if err == nil {
			r := d.Result()
			if tier, ok := h.tiers[r.Job]; ok {
				err = h.commit(ctx, tier, r.Worker)
			}
		}
		if err == nil {
			err = d.Ack(ctx)
		}
		if ctx.Err() != nil {
			return nil // handOut says why
		}
		if err != nil {
			return err
		}
		select {
		case h.arrived <- struct{}{}:
		default:
		}
	}
}

// commit makes the file of a tier that a worker has solved one of the directory. Until it is complete and checked it has
// another name than that of a process that may be solving the tier too.
func (h *host) commit(ctx context.Context, tier int, worker string) error {
	if there, err := h.has(engine.TierFileName(tier)); there || err != nil {
		return err
	}
	var refused error
	err := h.queue.Files().Get(ctx, h.fileOf(tier), func(r io.Reader) error {
		return storage.WriteChecked(h.fs, h.dir, arrivedOf(tier), copied(r, engine.MostTierFile(h.u, tier)), func(path string) error {
			refused = engine.CheckTierFile(h.fs, path, h.u, tier)
			return refused
		})
	})
	if refused != nil || errors.Is(err, cluster.ErrNoFile) || errors.Is(err, cluster.ErrBroken) || errors.Is(err, errTooLong) {
		// It is not for workers that need the tier: whoever solves it again may be this process, which does not put it there.
		if err := h.queue.Files().Delete(ctx, h.fileOf(tier)); err != nil {
			return err
		}
		h.report(fmt.Sprintf("tier %s of %s: %v; it is to be solved again", h.u.Tiers[tier].Name, worker, err))
		h.again.Store(true)
		return nil
	}
	if err == nil {
		err = h.fs.Rename(h.fs.PathJoin(h.dir, arrivedOf(tier)), h.fs.PathJoin(h.dir, engine.TierFileName(tier)))
	}
	if err == nil {
		err = storage.SyncDir(h.fs, h.dir)
	}
	return err
}
