package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// scratchPrefix begins the names of scratch files. A file loses its name as soon as it is
// open, but the process may be killed before that.
const scratchPrefix = "scratch-"

// IsScratch reports whether a file has the name of a scratch file.
func IsScratch(name string) bool { return strings.HasPrefix(name, scratchPrefix) }

// scratch creates a scratch file and removes its name at once, so that nothing is left of
// it however the process ends. The name has the tier being solved: who shares the directory solves another.
func (e *Engine) scratch(name string) (vfs.File, error) {
	path := e.cfg.FS.PathJoin(e.cfg.Checkpoint, scratchPrefix+name)
	f, err := e.cfg.FS.OpenReadWrite(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	if err := e.cfg.FS.Remove(path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// read reads a part of a scratch file. An error ends the solve.
func (w *worker) read(f vfs.File, data []byte, at int64) (ok bool) {
	if len(data) == 0 {
		return true
	}
	w.counters.read.Add(uint64(len(data)))
	if _, err := f.ReadAt(data, at); err != nil {
		clear(data)
		w.e.fail(fmt.Errorf("reading a scratch file in %s: %w", w.e.cfg.Checkpoint, err))
		return false
	}
	return true
}

// write writes a part of a scratch file. An error ends the solve.
func (w *worker) write(f vfs.File, data []byte, at int64) {
	w.counters.written.Add(uint64(len(data)))
	if _, err := f.WriteAt(data, at); err != nil {
		w.e.fail(fmt.Errorf("writing a scratch file in %s: %w", w.e.cfg.Checkpoint, err))
	}
}

// scratchTier is a worker's scratch file for its partitions of a tier.
type scratchTier struct {
	file vfs.File // nil if there is none
	end  int64
}

// closeScratch closes the scratch files of a tier.
func (e *Engine) closeScratch(tier int) error {
	var err error
	for _, w := range e.workers {
		if f := w.scratch[tier].file; f != nil {
			err = errors.Join(err, f.Close())
		}
		w.scratch[tier] = scratchTier{}
	}
	return err
}

// CloseScratch closes all scratch files.
func (e *Engine) CloseScratch() error {
	var err error
	for tier := range e.universe.Tiers {
		err = errors.Join(err, e.closeScratch(tier))
	}
	for _, w := range e.workers {
		if w.lists.file != nil {
			err = errors.Join(err, w.lists.file.Close())
		}
		w.lists = lists{slab: w.lists.slab}
	}
	return err
}

// slabWords is the number of words in a slab. It is a multiple of the words of a request
// and of a reply, so that none is split between slabs.
const slabWords = 3 << 10

// list is a list of words. Its full slabs are in the lists' file of its worker.
type list struct {
	tail  []uint32
	slabs []uint32 // their numbers in the file
}

func (l *list) empty() bool { return len(l.tail)+len(l.slabs) == 0 }

// lists is a worker's file for the lists that grow without bound: the messages that wait
// for its partitions, their frontiers, and requests for values on disk. It consists of
// slabs, which are reused once their contents have been read.
type lists struct {
	file  vfs.File // nil as long as there is no slab
	slab  int      // words in a slab
	free  []uint32 // slabs not in use
	slabs uint32   // all slabs
	bytes []byte
	words []uint32
}

// push appends words to a list.
func (w *worker) push(l *list, words ...uint32) {
	for len(words) > 0 {
		n := min(len(words), w.lists.slab-len(l.tail))
		l.tail = append(l.tail, words[:n]...)
		words = words[n:]
		if len(l.tail) == w.lists.slab {
			w.spill(l)
		}
	}
}

// spill writes the tail of a list to the file.
func (w *worker) spill(l *list) {
	s := &w.lists
	if s.file == nil {
		var err error
		if s.file, err = w.e.scratch(fmt.Sprintf("lists-%d-%d", w.e.state.Tier, w.id)); err != nil {
			w.e.fail(err)
			l.tail = l.tail[:0]
			return
		}
	}
	var slab uint32
	if n := len(s.free); n > 0 {
		slab, s.free = s.free[n-1], s.free[:n-1]
	} else {
		slab = s.slabs
		s.slabs++
	}
	s.bytes = s.bytes[:0]
	for _, x := range l.tail {
		s.bytes = binary.LittleEndian.AppendUint32(s.bytes, x)
	}
	w.write(s.file, s.bytes, int64(slab)*int64(len(s.bytes)))
	l.slabs, l.tail = append(l.slabs, slab), l.tail[:0]
}

// each calls do with the words of a list, some at a time.
func (w *worker) each(l *list, do func(words []uint32)) {
	for _, slab := range l.slabs {
		do(w.slabWords(slab))
	}
	do(l.tail)
}

// pull is like each, but empties the list. do may append to other lists.
func (w *worker) pull(l *list, do func(words []uint32)) {
	for _, slab := range l.slabs {
		words := w.slabWords(slab)
		w.lists.free = append(w.lists.free, slab)
		do(words)
	}
	l.slabs = l.slabs[:0]
	if len(l.tail) > 0 {
		do(l.tail)
		l.tail = l.tail[:0]
	}
}

func (w *worker) slabWords(slab uint32) []uint32 {
	s := &w.lists
	s.bytes = resized(s.bytes, 4*s.slab)
	s.words = s.words[:0]
	if !w.read(s.file, s.bytes, int64(slab)*int64(len(s.bytes))) {
		return nil
	}
	for i := 0; i < len(s.bytes); i += 4 {
		s.words = append(s.words, binary.LittleEndian.Uint32(s.bytes[i:]))
	}
	return s.words
}
