package engine

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/klauspost/compress/s2"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/storage"
)

// A snapshot is a file, little-endian:
//
//	+-------+----------------+--------+-----+
//	| magic | length, 32 bit | header | sum |
//	+-------+----------------+--------+-----+
//	+------------------+------------------------+-----+-----------+
//	| partition, 32 bit | length, 32 bit, twice | sum | partition |   for each partition of an unsolved tier
//	+------------------+------------------------+-----+-----------+
//
// The header is JSON. A partition is compressed with S2; its lengths are after and
// before compression. A sum is the XXH64 of the header or the uncompressed partition.
// Solved tiers are in files of their own.
const (
	snapshotFormat = "yomikiri checkpoint "
	snapshotMagic  = snapshotFormat + "4\n"
)

// RestAfter is the pause after a snapshot, in multiples of the time that it took: even a
// large game spends only a twentieth of its time on snapshots.
const RestAfter = 19

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
		BlockSize: db.BlockSize, Slots: e.layout.fingerprint(), Numbering: e.universe.Numbering, Results: e.universe.Order == games.ByResult, Seat: seat, State: e.state,
	}
	return WriteSnapshot(e.cfg.FS, e.cfg.Checkpoint, name, &h, func(w io.Writer) error {
		return e.savePartitions(w, func(tier int) bool { return tier >= e.state.Tier })
	})
}

// WriteSnapshot writes a snapshot with the partitions that a function writes; nil for none.
func WriteSnapshot(fs vfs.FS, dir, name string, h *Header, partitions func(io.Writer) error) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	err = storage.WriteFile(fs, dir, name, func(w io.Writer) error {
		head := append([]byte(snapshotMagic), binary.LittleEndian.AppendUint32(nil, uint32(len(text)))...)
		head = binary.LittleEndian.AppendUint64(append(head, text...), xxhash.Sum64(text))
		if _, err := w.Write(head); err != nil || partitions == nil {
			return err
		}
		return partitions(w)
	})
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// savePartitions writes the partitions of the wanted tiers, in the order in which workers get them
// ready.
func (e *Engine) savePartitions(w io.Writer, wanted func(tier int) bool) error {
	var mu sync.Mutex
	var failed error
	e.forEachWorker(func(worker *worker) {
		var raw, record []byte
		for _, p := range worker.own {
			if !wanted(p.tier) {
				continue
			}
			raw = p.store.appendState(worker, p, raw[:0])
			if n := 20 + s2.MaxEncodedLen(len(raw)); cap(record) < n {
				record = make([]byte, n)
			}
			packed := s2.Encode(record[20:cap(record)], raw)
			record = record[:20+len(packed)]
			binary.LittleEndian.PutUint32(record, uint32(p.number))
			binary.LittleEndian.PutUint32(record[4:], uint32(len(packed)))
			binary.LittleEndian.PutUint32(record[8:], uint32(len(raw)))
			binary.LittleEndian.PutUint64(record[12:], xxhash.Sum64(raw))
			mu.Lock()
			if failed == nil {
				_, failed = w.Write(record)
			}
			if failed == nil && e.quit.Load() {
				failed = ErrStopped
			}
			stop := failed != nil
			mu.Unlock()
			if stop {
				return
			}
		}
	})
	return errors.Join(failed, e.Err())
}

// errDamaged is returned for a damaged checkpoint.
var errDamaged = fmt.Errorf("%w: the state of an unfinished solve; delete the directory that it is in to start again", db.ErrCorrupt)

// ReadHeader reads the header of the snapshot with a name. It returns nil if there is none.
func ReadHeader(fs vfs.FS, dir, name string) (*Header, error) {
	f, _, h, err := openSnapshot(fs, dir, name)
	if f != nil {
		err = errors.Join(err, f.Close())
	}
	return h, err
}

// openSnapshot opens a snapshot and reads its header. It returns nil if there is none.
func openSnapshot(fs vfs.FS, dir, name string) (io.ReadCloser, *bufio.Reader, *Header, error) {
	path := fs.PathJoin(dir, name)
	f, err := fs.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, nil, nil
	}
	if err != nil {
		return nil, nil, nil, err
	}
	r := bufio.NewReaderSize(f, 1<<20)
	h, err := readHeader(r)
	if err != nil {
		return nil, nil, nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return f, r, h, nil
}

func readHeader(r io.Reader) (*Header, error) {
	magic := make([]byte, len(snapshotMagic)+4)
	if _, err := io.ReadFull(r, magic); err != nil {
		return nil, errDamaged
	}
	if got := string(magic[:len(snapshotMagic)]); got != snapshotMagic && strings.HasPrefix(got, snapshotFormat) {
		return nil, fmt.Errorf("it is of format %q, this program reads %q: finish the solve with the program that began it, or delete the directory that it is in to start again",
			strings.TrimSpace(got[len(snapshotFormat):]), strings.TrimSpace(snapshotMagic[len(snapshotFormat):]))
	} else if got != snapshotMagic {
		return nil, fmt.Errorf("%w (it begins with %q, want %q)", errDamaged, got, snapshotMagic)
	}
	n := binary.LittleEndian.Uint32(magic[len(snapshotMagic):])
	if n > 1<<28 {
		return nil, errDamaged
	}
	text := make([]byte, n+8)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, errDamaged
	}
	if binary.LittleEndian.Uint64(text[n:]) != xxhash.Sum64(text[:n]) {
		return nil, errDamaged
	}
	var h Header
	if err := json.Unmarshal(text[:n], &h); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return &h, nil
}

// Load restores an engine that has not begun from the snapshot with a name, and reports
// whether there is one.
func (e *Engine) Load(ctx context.Context, name string) (found bool, err error) {
	f, r, h, err := openSnapshot(e.cfg.FS, e.cfg.Checkpoint, name)
	if f == nil || err != nil {
		return false, err
	}
	return true, errors.Join(e.load(ctx, r, h), f.Close())
}

// Fits returns an error unless a snapshot in a directory is of a universe and its positions.
func (h *Header) Fits(u *games.Universe, positions Positions, dir string) error {
	if h.Game != u.Name || h.Positions != positions {
		return fmt.Errorf("%s has a checkpoint of %s with %s positions, not of %s with %s positions: %w",
			dir, h.Game, h.Positions, u.Name, positions, ErrOther)
	}
	if h.Results != (u.Order == games.ByResult) {
		return fmt.Errorf("%s has a checkpoint of %s whose values have another order, with distances or without: %w", dir, h.Game, ErrOther)
	}
	return nil
}

// ErrOther is returned for a directory that holds another solve.
var ErrOther = errors.New("choose another directory")

func (e *Engine) load(ctx context.Context, r io.Reader, h *Header) error {
	if err := h.Fits(e.universe, e.cfg.Positions, e.cfg.Checkpoint); err != nil {
		return err
	}
	if h.Numbering != e.universe.Numbering || h.BlockSize != db.BlockSize || !slices.Equal(h.Slots, e.layout.fingerprint()) {
		return fmt.Errorf("%s has a checkpoint of a program that numbers positions differently; delete it to start again, or %w", e.cfg.Checkpoint, ErrOther)
	}
	e.state.Stage, e.state.Tier = h.State.Stage, h.State.Tier // decide what goes to disk
	e.state.Codes = h.State.Codes
	if err := e.loadPartitions(ctx, r, func(tier int) bool { return tier >= h.State.Tier }); err != nil {
		return err
	}
	e.state = h.State
	e.state.Resumed++
	e.before = h.State.Elapsed
	e.tier = min(e.state.Tier, len(e.universe.Tiers)-1)
	for tier := range e.state.Tier {
		f, err := e.openTier(tier)
		if err != nil {
			return fmt.Errorf("%s: %w", e.cfg.Checkpoint, err)
		}
		e.files[tier] = f
	}
	return nil
}

// loadPartitions reads what savePartitions has written.
func (e *Engine) loadPartitions(ctx context.Context, r io.Reader, wanted func(tier int) bool) error {
	var head [20]byte
	var packed, raw []byte
	seen := make([]bool, len(e.partitions))
	for _, p := range e.held { // as many as there are; the order in the file is another
		if ctx.Err() != nil { // the checkpoint is as it was
			return ErrStopped
		}
		if !wanted(p.tier) {
			continue
		}
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return errDamaged
		}
		number := binary.LittleEndian.Uint32(head[:])
		size, rawSize := binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint32(head[8:])
		if number >= uint32(len(seen)) || seen[number] || e.partitions[number].remote || rawSize > 1<<30 || int(size) > s2.MaxEncodedLen(int(rawSize)) {
			return errDamaged
		}
		seen[number] = true
		packed = resized(packed, int(size))
		if _, err := io.ReadFull(r, packed); err != nil {
			return errDamaged
		}
		var err error
		if raw, err = s2.Decode(resized(raw, int(rawSize)), packed); err != nil || xxhash.Sum64(raw) != binary.LittleEndian.Uint64(head[12:]) {
			return errDamaged
		}
		p := e.partitions[number]
		if err := p.restore(raw); err != nil {
			return err
		}
		e.workers[e.owner(p.number)].move(p)
	}
	for _, w := range e.workers {
		w.close()
	}
	return e.Err()
}

func resized(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
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
	dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(p.count))), p.count...)
	dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(p.narrow))), p.narrow...)
	dst = appendWords(dst, p.wide, binary.LittleEndian.AppendUint16)
	for _, list := range [][]uint32{p.now.won, p.now.lost, p.next.won, p.next.lost} {
		dst = appendWords(dst, list, binary.LittleEndian.AppendUint32)
	}
	return appendWords(dst, p.deferred, binary.LittleEndian.AppendUint64)
}

func appendWords[T any](dst []byte, list []T, put func([]byte, T) []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(list)))
	for _, x := range list {
		dst = put(dst, x)
	}
	return dst
}

// restore is the inverse of append.
func (p *partition) restore(data []byte) error {
	r := reader{data: data}
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
