package manager

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/yomikiri/yomikiri/solver"
)

// Keys of the store:
//
//	n, side, position   a node: see below
//	f, number (32 bits) a fragment: a proof file
//	p, number (64 bits) a point of the history, as JSON
//	s                   statistics, as JSON
//
// Side is a if the attacker is to move, else d; numbers of keys are big-endian.
const (
	nodePrefix     = 'n'
	fragmentPrefix = 'f'
	pointPrefix    = 'p'
	statsKey       = 's'
)

func nodeKey(q solver.Question) []byte {
	return appendQuestion([]byte{nodePrefix}, q.Position, q.Attacker)
}

// appendQuestion appends the side and the position of a question.
func appendQuestion[T string | []byte](dst []byte, position T, attackerToMove bool) []byte {
	side := byte('d')
	if attackerToMove {
		side = 'a'
	}
	return append(append(dst, side), position...)
}

func pointKey(number int) []byte {
	return binary.BigEndian.AppendUint64([]byte{pointPrefix}, uint64(number))
}

func fragmentKey(number uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{fragmentPrefix}, number)
}

// pieceKey returns the key of a piece of the fragment with a key.
func pieceKey(fragment []byte, number uint32) []byte {
	return binary.BigEndian.AppendUint32(slices.Clip(fragment), number)
}

// parseKey returns the question of a key of a node.
func parseKey(key []byte) (solver.Question, error) {
	if len(key) < 3 || key[1] != 'a' && key[1] != 'd' {
		return solver.Question{}, fmt.Errorf("key %q", key)
	}
	return solver.Question{Position: string(key[2:]), Attacker: key[1] == 'a'}, nil
}

// A node is stored as
//
//	+-------+--------+--------+----------+----+------+-------+----------+------------+-------+-------+
//	| state | score  | proof  | disproof | by | jobs | spent | fragment | references | rests | moves |
//	+-------+--------+--------+----------+----+------+-------+----------+------------+-------+-------+
//	  byte    signed   varint   varint     varints                        list         list    list of texts
//
// where state is outcome, basis << 2, partial << 5, incomplete << 6 and, if there is a
// score, 1 << 7. A list is its length and its elements, and a text is its length and its
// bytes. Moves are those that lead to the children, in their order; by and references are
// indices into them, from 0. Fragments are numbered from 1, in the order in which they were
// accepted; rests are the numbers of those that the node's fragment rests on. An unverified node
// is stored as disproven by repetition: whether the tree shows that is seen when it is read.
const (
	basisShift     = 2
	outcomeMask    = 1<<basisShift - 1
	basisMask      = 7
	partialFlag    = 1 << 5
	incompleteFlag = 1 << 6
	scoreFlag      = 1 << 7

	mostSpent = 1 << 63 // no more is counted
)

func (n *node) append(dst []byte) []byte {
	outcome, basis := n.outcome, n.basis
	if outcome == solver.Unverified {
		outcome, basis = solver.Disproven, byRepetition
	}
	state := byte(outcome) | byte(basis)<<basisShift
	if n.partial {
		state |= partialFlag
	}
	if n.incomplete {
		state |= incompleteFlag
	}
	if n.score != 0 {
		state |= scoreFlag
	}
	dst = append(dst, state)
	if n.score != 0 {
		dst = binary.AppendVarint(dst, int64(n.score))
	}
	for _, x := range []uint64{uint64(n.proof), uint64(n.disproof), uint64(n.by), uint64(n.jobs), n.spent, uint64(n.fragment), uint64(len(n.refs))} {
		dst = binary.AppendUvarint(dst, x)
	}
	for _, r := range n.refs {
		dst = binary.AppendUvarint(dst, uint64(r))
	}
	dst = binary.AppendUvarint(dst, uint64(len(n.rests)))
	for _, r := range n.rests {
		dst = binary.AppendUvarint(dst, uint64(r))
	}
	dst = binary.AppendUvarint(dst, uint64(len(n.moves)))
	for _, m := range n.moves {
		dst = binary.AppendUvarint(dst, uint64(len(m)))
		dst = append(dst, m...)
	}
	return dst
}

var errRecord = errors.New("it is cut off or has a number that is too large")

// parse reads what append has written.
func (n *node) parse(data []byte) error {
	if len(data) == 0 {
		return errRecord
	}
	state := data[0]
	data = data[1:]
	if state&scoreFlag != 0 {
		score, size := binary.Varint(data)
		if size <= 0 || score == 0 || score != int64(int32(score)) {
			return errRecord
		}
		n.score, data = int32(score), data[size:]
	}
	ok := true
	number := func(limit uint64) uint64 {
		x, size := binary.Uvarint(data)
		if size <= 0 || x > limit {
			ok, data = false, nil
			return 0
		}
		data = data[size:]
		return x
	}
	n.outcome, n.basis = solver.Outcome(state&outcomeMask), basis(state>>basisShift&basisMask)
	n.partial, n.incomplete = state&partialFlag != 0, state&incompleteFlag != 0
	n.proof, n.disproof = uint32(number(unproven)), uint32(number(unproven))
	n.by, n.jobs, n.spent = int(number(1<<16)), int(number(1<<40)), number(mostSpent)
	n.fragment = uint32(number(math.MaxUint32))
	for range number(uint64(len(data))) {
		n.refs = append(n.refs, int(number(1<<16)))
	}
	for range number(uint64(len(data))) {
		n.rests = append(n.rests, uint32(number(math.MaxUint32)))
	}
	for range number(uint64(len(data))) {
		size := number(1 << 16)
		if size > uint64(len(data)) {
			return errRecord
		}
		n.moves = append(n.moves, string(data[:size]))
		data = data[size:]
	}
	if !ok || len(data) > 0 || n.basis == byMove && n.by >= len(n.moves) ||
		slices.ContainsFunc(n.refs, func(r int) bool { return r >= len(n.moves) }) {
		return errRecord
	}
	return nil
}

// flush adds to the actions the writes of all that has changed.
func (f *FrontEnd) flush() {
	for _, n := range f.changed {
		n.changed = false
		f.actions.Writes = append(f.actions.Writes, Write{nodeKey(n.Question), n.append(nil)})
	}
	f.changed = nil
	f.actions.Writes = append(f.actions.Writes, Write{[]byte{statsKey}, encode(f.stats)})
	f.notePoint()
}

// load reads a stored tree, key by key.
func (f *FrontEnd) load(key, value []byte) error {
	switch {
	case len(key) == 0 || key[0] == fragmentPrefix:
	case key[0] == statsKey:
		return json.Unmarshal(value, &f.stats)
	case key[0] == pointPrefix:
		var p Point
		if err := json.Unmarshal(value, &p); err != nil {
			return err
		}
		f.points = append(f.points, p)
	case key[0] == nodePrefix:
		q, err := parseKey(key)
		if err != nil {
			return err
		}
		n := &node{Question: q}
		if err := n.parse(value); err != nil {
			return fmt.Errorf("node %q: %w", key, err)
		}
		f.nodes[q] = n
	}
	return nil
}

// loaded links the nodes when all have been read.
func (f *FrontEnd) loaded() error {
	f.now = f.stats.Elapsed
	if err := f.loadedFragments(); err != nil {
		return err
	}
	for _, n := range f.nodes {
		if len(n.moves) == 0 {
			continue
		}
		legal, err := f.rules.Moves(n.Position)
		if err != nil {
			return fmt.Errorf("node %q: %w", n.Position, err)
		}
		for _, m := range n.moves {
			at := slices.IndexFunc(legal, func(l Move) bool { return l.Text == m })
			if at < 0 {
				return fmt.Errorf("node %q: move %q is not legal", n.Position, m)
			}
			child := f.nodes[solver.Question{Position: legal[at].To, Attacker: !n.Attacker}]
			if child == nil {
				return fmt.Errorf("node %q: there is no node for move %q", n.Position, m)
			}
			n.children = append(n.children, child)
		}
	}
	if err := f.findUnverified(); err != nil {
		return err
	}
	return f.advance()
}

// findUnverified finds the unverified nodes among those that are stored as disproven: the nodes that the
// tree does not show to be held, and those that rest on them.
func (f *FrontEnd) findUnverified() error {
	if !f.rules.Repeats() {
		return nil
	}
	above := map[*node][]*node{}
	var doubted []*node
	for _, n := range f.nodes {
		if n.outcome != solver.Disproven {
			continue
		}
		for _, c := range n.children {
			above[c] = append(above[c], n)
		}
		doubted = append(doubted, n)
	}
	for len(doubted) > 0 {
		n := doubted[len(doubted)-1]
		doubted = doubted[:len(doubted)-1]
		switch {
		case n.outcome != solver.Disproven || n.shown():
			continue
		case n.basis == byFragment:
			return fmt.Errorf("node %q: its fragment rests on what is not proven", n.Position)
		}
		n.outcome, n.basis = solver.Unverified, 0
		doubted = append(doubted, above[n]...)
	}
	return nil
}

// loadedFragments sorts the nodes with fragments by the number of the fragment.
func (f *FrontEnd) loadedFragments() error {
	for _, n := range f.nodes {
		if n.basis == byFragment {
			f.fragments = append(f.fragments, n)
		}
	}
	slices.SortFunc(f.fragments, func(a, b *node) int { return cmp.Compare(a.fragment, b.fragment) })
	for i, n := range f.fragments {
		if n.fragment != uint32(i+1) || slices.ContainsFunc(n.rests, func(r uint32) bool { return r == 0 || r > uint32(i) }) {
			return fmt.Errorf("node %q: its fragment has number %d and rests on %d, and it is number %d", n.Position, n.fragment, n.rests, i+1)
		}
	}
	return nil
}

// readIndex reads which positions the fragments prove, before the first event.
func (f *FrontEnd) readIndex(ctx context.Context, fragment func(number uint32) ([]byte, error)) error {
	if f.index == nil {
		return nil
	}
	for _, n := range f.fragments {
		if f.index.Full() {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := fragment(n.fragment)
		if err != nil {
			return err
		}
		keys, err := f.index.Keys(text, n.outcome)
		if err != nil {
			return fmt.Errorf("%w: the fragment of %q: %w", ErrCorrupt, n.Position, err)
		}
		f.index.Add(n.fragment, keys)
	}
	return nil
}
