package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/sealed"
)

// snapshotKind is that of a snapshot, a file of package sealed that belongs to a [Header]. It has a
// chunk for each partition of an unsolved tier, in any order: the partition's number, 32 bits, and
// its state. Solved tiers are in files of their own.
var snapshotKind = sealed.Kind{Name: "the state of a solve", Version: 5}

// SnapshotName is the name of the file in the directory of a solve.
const SnapshotName = "checkpoint"

// Seat says whose partitions a snapshot of a solve by several processes has.
type Seat struct {
	Solve string // the random name of the solve; empty if one process does it alone
	Node  int    // from 0 on; the coordinator, which has no partitions, has Nodes
	Nodes int
	Epoch int // of the snapshot; 0 if there is none yet
	// Holders says where the nodes have their snapshots. Only the coordinator knows.
	Holders []string `json:",omitempty"`
}

// Header is the header of a snapshot.
type Header struct {
	Game       string
	Positions  Positions
	Partitions int // as configured
	BlockSize  int
	Slots      []uint64 // of the partitions of each region
	Numbering  string   `json:",omitempty"`
	Rules      string   `json:",omitempty"` // digest
	Results    bool     `json:",omitempty"` // values without distance
	Seat       Seat
	State      State
}

// Save writes a snapshot with a name, and files of solved tiers that have none. Workers must
// be idle.
func (e *Engine) Save(name string, seat Seat) error {
	e.state.Elapsed, e.state.Memory = e.Elapsed(), e.PeakMemory()
	for tier := range e.state.Tier {
		if err := e.storeTier(tier); err != nil {
			return err
		}
	}
	h := Header{
		Game: e.universe.Name, Positions: e.cfg.Positions, Partitions: e.cfg.Partitions,
		BlockSize: db.BlockSize, Slots: e.layout.fingerprint(), Numbering: e.universe.Numbering, Rules: games.RulesDigest(e.universe.Rules), Results: e.universe.Order == games.ByResult, Seat: seat, State: e.state,
	}
	return WriteSnapshot(e.cfg.FS, e.cfg.Checkpoint, name, &h, func(w *sealed.Writer) error {
		return e.savePartitions(w, func(tier int) bool { return tier >= e.state.Tier })
	})
}

// WriteSnapshot writes a snapshot with the partitions that a function writes; nil for none.
func WriteSnapshot(fs vfs.FS, dir, name string, h *Header, partitions func(*sealed.Writer) error) error {
	if err := sealed.Write(fs, fs.PathJoin(dir, name), snapshotKind, h, partitions); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// savePartitions writes the partitions of the wanted tiers, in the order in which workers get them
// ready.
func (e *Engine) savePartitions(w *sealed.Writer, wanted func(tier int) bool) error {
	failed := make([]error, len(e.workers))
	e.forEachWorker(func(worker *worker) {
		var raw []byte
		for _, p := range worker.own {
			if !wanted(p.tier) {
				continue
			}
			raw = binary.LittleEndian.AppendUint32(raw[:0], uint32(p.number))
			raw = p.store.appendState(worker, p, raw)
			err := w.Append(raw)
			if err == nil && e.pause.abandoned.Load() {
				err = ErrStopped
			}
			if failed[worker.id] = err; err != nil {
				return
			}
		}
	})
	return errors.Join(append(failed, e.Err())...)
}

// errDamaged is returned for a damaged checkpoint.
var errDamaged = fmt.Errorf("%w: the state of an unfinished solve; delete the directory that it is in to start again", db.ErrCorrupt)

// ReadHeader reads the header of the snapshot with a name. It returns nil if there is none.
func ReadHeader(fs vfs.FS, dir, name string) (*Header, error) {
	f, h, err := openSnapshot(fs, dir, name)
	if f != nil {
		err = errors.Join(err, f.Close())
	}
	return h, err
}

// openSnapshot opens a snapshot. It returns nil if there is none.
func openSnapshot(fs vfs.FS, dir, name string) (*sealed.File, *Header, error) {
	h := new(Header)
	f, err := sealed.Open(fs, fs.PathJoin(dir, name), snapshotKind, h)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, unusable(err, errDamaged)
	}
	return f, h, nil
}

// unusable explains an error of a file that a solve goes on from; damaged is what it is if it is damaged.
func unusable(err, damaged error) error {
	switch {
	case errors.Is(err, sealed.ErrDamaged):
		return fmt.Errorf("%w: %w", err, damaged)
	case errors.Is(err, sealed.ErrKind):
		return fmt.Errorf("%w: finish the solve with the program that began it, or delete the directory that it is in to start again", err)
	}
	return err
}

// Load restores an engine that has not begun from the snapshot with a name, and reports
// whether there is one.
func (e *Engine) Load(ctx context.Context, name string) (found bool, err error) {
	f, h, err := openSnapshot(e.cfg.FS, e.cfg.Checkpoint, name)
	if f == nil || err != nil {
		return false, err
	}
	return true, errors.Join(e.load(ctx, f, h), f.Close())
}

// Fits returns an error unless a snapshot in a directory is of a universe and its positions.
func (h *Header) Fits(u *games.Universe, positions Positions, dir string) error {
	if h.Game != u.Name || h.Positions != positions {
		return fmt.Errorf("%s has a checkpoint of %s with %s positions, not of %s with %s positions: %w",
			dir, h.Game, h.Positions, u.Name, positions, ErrOther)
	}
	if h.Rules != games.RulesDigest(u.Rules) {
		return fmt.Errorf("%s has a checkpoint of %s by other rules, with the digest %s: %w", dir, h.Game, h.Rules, ErrOther)
	}
	if h.Results != (u.Order == games.ByResult) {
		return fmt.Errorf("%s has a checkpoint of %s whose values have another order, with distances or without: %w", dir, h.Game, ErrOther)
	}
	return nil
}

// ErrOther is returned for a directory that holds another solve.
var ErrOther = errors.New("choose another directory")

func (e *Engine) load(ctx context.Context, f *sealed.File, h *Header) error {
	if err := h.Fits(e.universe, e.cfg.Positions, e.cfg.Checkpoint); err != nil {
		return err
	}
	if h.Numbering != e.universe.Numbering || h.BlockSize != db.BlockSize || !slices.Equal(h.Slots, e.layout.fingerprint()) {
		return fmt.Errorf("%s has a checkpoint of a program that numbers positions differently; delete it to start again, or %w", e.cfg.Checkpoint, ErrOther)
	}
	e.state.Stage, e.state.Tier = h.State.Stage, h.State.Tier // decide what goes to disk
	e.state.Codes, e.state.Deferred = h.State.Codes, h.State.Deferred
	if err := e.loadPartitions(ctx, f, func(tier int) bool { return tier >= h.State.Tier }); err != nil {
		return err
	}
	e.state = h.State
	e.state.Resumed++
	e.before = h.State.Elapsed
	e.tier = min(e.state.Tier, len(e.universe.Tiers)-1)
	for tier := range e.state.Tier {
		f, _, err := e.openTier(tier)
		if err != nil {
			return err
		}
		e.files[tier] = f
	}
	return nil
}

// loadPartitions reads what savePartitions has written.
func (e *Engine) loadPartitions(ctx context.Context, f *sealed.File, wanted func(tier int) bool) error {
	missing := map[uint32]*partition{}
	for _, p := range e.held {
		if wanted(p.tier) {
			missing[uint32(p.number)] = p
		}
	}
	if f.Chunks() != len(missing) {
		return errDamaged
	}
	var raw, packed []byte
	for i := range f.Chunks() {
		if ctx.Err() != nil { // the checkpoint is as it was
			return ErrStopped
		}
		var err error
		if raw, packed, err = f.Chunk(i, raw, packed); err != nil {
			return unusable(err, errDamaged)
		}
		r := reader{data: raw}
		number := binary.LittleEndian.Uint32(r.take(4))
		p := missing[number]
		if p == nil {
			return errDamaged
		}
		delete(missing, number)
		if err := p.restore(r); err != nil {
			return err
		}
		if e.single() && e.state.Stage != stageInitialise && !e.onDisk(p) {
			p.join(e.codes(), func(number uint8) bool {
				return int(number)-firstCode < len(e.state.Deferred) && e.state.Deferred[number-firstCode] > games.Draw
			})
		}
		e.workers[e.owner(p.number)].move(p)
	}
	for _, w := range e.workers {
		w.close()
	}
	return e.Err()
}

// fingerprint identifies a layout: start and slot count of each region.
func (l *layout) fingerprint() []uint64 {
	var list []uint64
	for i := range l.regions {
		list = append(list, l.regions[i].start, l.regions[i].slots())
	}
	return list
}

// append appends the state of a partition to dst.
func (p *partition) append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(p.unexpanded))
	dst = binary.LittleEndian.AppendUint64(dst, p.initialised)
	dst = appendWords(dst, p.reached, binary.LittleEndian.AppendUint64)
	dst = appendWords(dst, p.expanded, binary.LittleEndian.AppendUint64)
	if p.joint != nil {
		dst = appendMapped(appendMapped(dst, p.narrow, &p.joint.count), p.narrow, &p.joint.code)
	} else {
		dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(p.count))), p.count...)
		dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(p.narrow))), p.narrow...)
	}
	dst = appendWords(dst, p.wide, binary.LittleEndian.AppendUint16)
	for _, list := range [][]uint32{p.now.won, p.now.lost, p.next.won, p.next.lost} {
		dst = appendWords(dst, list, binary.LittleEndian.AppendUint32)
	}
	return appendWords(dst, p.deferred, binary.LittleEndian.AppendUint64)
}

// appendMapped appends a list of bytes, mapped by a table.
func appendMapped(dst, list []byte, table *[256]byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(list)))
	for _, b := range list {
		dst = append(dst, table[b])
	}
	return dst
}

func appendWords[T any](dst []byte, list []T, put func([]byte, T) []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(list)))
	for _, x := range list {
		dst = put(dst, x)
	}
	return dst
}

// restore is the inverse of append.
func (p *partition) restore(r reader) error {
	p.unexpanded = int(binary.LittleEndian.Uint64(r.take(8)))
	p.initialised = binary.LittleEndian.Uint64(r.take(8))
	p.summed = p.initialised
	p.reached = readWords(&r, 8, binary.LittleEndian.Uint64)
	p.expanded = readWords(&r, 8, binary.LittleEndian.Uint64)
	p.count = readWords(&r, 1, func(b []byte) uint8 { return b[0] })
	p.narrow = readWords(&r, 1, func(b []byte) uint8 { return b[0] })
	p.wide = readWords(&r, 2, binary.LittleEndian.Uint16)
	for _, list := range []*[]uint32{&p.now.won, &p.now.lost, &p.next.won, &p.next.lost} {
		*list = readWords(&r, 4, binary.LittleEndian.Uint32)
	}
	p.deferred = readWords(&r, 8, binary.LittleEndian.Uint64)
	if r.short || len(r.data) > 0 {
		return errDamaged
	}
	return nil
}

// reader reads the state of a partition. Past the end it returns zeros.
type reader struct {
	data  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.data) {
		r.short = true
		r.data = nil
		return make([]byte, min(n, 8))
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// readWords reads a list; an empty one is nil.
func readWords[T any](r *reader, size int, get func([]byte) T) []T {
	n := int(binary.LittleEndian.Uint32(r.take(4)))
	b := r.take(n * size)
	if n == 0 || r.short {
		return nil
	}
	list := make([]T, n)
	for i := range list {
		list[i] = get(b[i*size:])
	}
	return list
}
