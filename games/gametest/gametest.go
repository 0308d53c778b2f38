package gametest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
)

// maxPlies ends random games that do not end.
const maxPlies = 200

// samples is the number of random games. There are ten times as many random indices in each tier.
func samples() int { return unlessShort(300) }

// mutants is the number of texts that are changed at random and read.
func mutants() int { return unlessShort(10_000) }

// unlessShort returns n, or an eighth of it with -short.
func unlessShort(n int) int {
	if testing.Short() {
		return n / 8
	}
	return n
}

// Run checks g: its text, its moves, and each capability that it has. Its samples are
// random but the same in each run.
func Run[P, M comparable](t *testing.T, g games.Game[P, M]) {
	t.Helper()
	s := suite[P, M]{g: g, rng: rand.New(rand.NewPCG(1, 2))}
	s.indexer, _ = g.(games.Indexer[P])
	s.canonicalizer, _ = g.(games.Canonicalizer[P])
	s.finisher, _ = g.(games.Finisher[P, M])
	s.playouts()
	if s.indexer != nil {
		u, err := games.UniverseOf(g)
		require.NoError(t, err)
		s.universe = u
	}
	t.Run("Text", s.text)
	t.Run("Long", s.long)
	t.Run("Mutants", s.mutants)
	t.Run("Moves", s.moves)
	if drawer, ok := g.(games.Drawer[P]); ok {
		t.Run("Drawer", func(t *testing.T) { s.draw(t, drawer) })
	}
	if d, ok := g.(games.Describer[P, M]); ok {
		t.Run("Describer", func(t *testing.T) { s.describe(t, d) })
	}
	f, judged := g.(games.Features[P])
	sound := !judged || t.Run("Features", func(t *testing.T) { s.features(t, f) })
	_, made := g.(games.CursorMaker[P, M])
	if sound && (made || judged) { // others are not searched by cursors
		t.Run("Cursor", s.cursors)
	}
	if influence, ok := g.(games.Influence[P]); ok {
		t.Run("Influence", func(t *testing.T) { s.influences(t, influence) })
	}
	if s.canonicalizer != nil {
		t.Run("Canonicalizer", s.canonical)
	}
	if s.finisher != nil {
		t.Run("Finisher", s.finishing)
	}
	if f, ok := g.(games.MoveFeatures[P, M]); ok {
		t.Run("MoveFeatures", func(t *testing.T) { s.moveFeatures(t, f) })
	}
	if tactics, ok := g.(games.Tactics[P, M]); ok {
		t.Run("Tactics", func(t *testing.T) { s.tactics(t, tactics) })
	}
	if passer, ok := g.(games.Passer[P]); ok {
		t.Run("Passer", func(t *testing.T) { s.passes(t, passer) })
	}
	if c := games.ConnectionOf(g); c != nil {
		t.Run("Monotone", func(t *testing.T) { s.monotone(t, c) })
	}
	if layerer, ok := g.(games.Layerer[P]); ok {
		t.Run("Layerer", func(t *testing.T) { s.layers(t, layerer) })
	}
	if s.indexer == nil {
		return
	}
	t.Run("Indexer", s.index)
	s.sampleIndices()
	t.Run("Expander", s.expand)
	if counter, ok := s.universe.Expander.(games.Counter); ok {
		t.Run("Counter", func(t *testing.T) { s.count(t, counter) })
	}
	if s.universe.Retractor != nil {
		t.Run("Retractor", s.retract)
	}
	if s.universe.Settler != nil {
		t.Run("Settler", s.settle)
	}
}

type suite[P, M comparable] struct {
	g             games.Game[P, M]
	rng           *rand.Rand
	indexer       games.Indexer[P]
	canonicalizer games.Canonicalizer[P]
	finisher      games.Finisher[P, M]
	universe      *games.Universe
	positions     []P      // met in random games, finished ones included
	indices       []uint64 // of these, and random ones
}

// playouts collects the positions of random games.
func (s *suite[P, M]) playouts() {
	seen := map[P]bool{}
	for range samples() {
		p := s.g.Start()
		for range maxPlies {
			if !seen[p] {
				seen[p] = true
				s.positions = append(s.positions, p)
			}
			moves := s.g.AppendMoves(nil, p)
			if len(moves) == 0 {
				break
			}
			p = s.g.Play(p, moves[s.rng.IntN(len(moves))])
		}
	}
}

func (s *suite[P, M]) sampleIndices() {
	for _, p := range s.positions {
		i, _ := s.indexer.Index(p)
		s.indices = append(s.indices, i)
	}
	for _, tier := range s.universe.Tiers {
		for range samples() * 10 {
			s.indices = append(s.indices, tier.Start+s.rng.Uint64N(tier.Size))
		}
	}
	slices.Sort(s.indices)
	s.indices = slices.Compact(s.indices)
}

func (s *suite[P, M]) name(p P) string { return string(s.g.AppendPosition(nil, p)) }

func (s *suite[P, M]) text(t *testing.T) {
	for _, p := range s.positions {
		text := s.name(p)
		q, err := s.g.ParsePosition(text)
		require.NoError(t, err, text)
		require.Equal(t, p, q, "%s is read as %s", text, s.name(q))
	}
	for _, bad := range []string{"", " ", "?", strings.Repeat("x", 1000)} {
		_, err := s.g.ParsePosition(bad)
		require.Error(t, err, "position %q", bad)
		_, err = games.ParseMove(s.g, s.g.Start(), bad)
		require.Error(t, err, "move %q", bad)
	}
	prefix := []byte("prefix")
	got := s.g.AppendPosition(prefix, s.g.Start())
	require.Equal(t, "prefix"+s.name(s.g.Start()), string(got), "AppendPosition appends")
}

// mutants changes texts at random. If a changed text still parses, its position must be
// valid: it survives being written and read again, has moves unless it is finished, and has
// an index.
func (s *suite[P, M]) mutants(t *testing.T) {
	for range mutants() {
		text := s.mutate(s.name(s.positions[s.rng.IntN(len(s.positions))]), s.name(s.positions[s.rng.IntN(len(s.positions))]))
		p, err := s.g.ParsePosition(text)
		if err != nil {
			continue
		}
		q, err := s.g.ParsePosition(s.name(p))
		require.NoError(t, err, "%q is read, and written as %q", text, s.name(p))
		require.Equal(t, p, q, "%q is read, and written as %q", text, s.name(p))
		require.NoError(t, games.CheckPosition(s.g, p))
		if s.indexer != nil {
			requireIndexed(t, s.g, s.indexer, p)
		}
	}
}

// mutate makes one or two random changes to text: it swaps two characters, or replaces,
// removes or inserts one. New characters come from other.
func (s *suite[P, M]) mutate(text, other string) string {
	runes, from := []rune(text), []rune(other)
	for range 1 + s.rng.IntN(2) {
		if len(runes) == 0 || len(from) == 0 {
			break
		}
		i, j, r := s.rng.IntN(len(runes)), s.rng.IntN(len(runes)), from[s.rng.IntN(len(from))]
		switch s.rng.IntN(4) {
		case 0:
			runes[i], runes[j] = runes[j], runes[i]
		case 1:
			runes[i] = r
		case 2:
			runes = slices.Delete(runes, i, i+1)
		case 3:
			runes = slices.Insert(runes, i, r)
		}
	}
	return string(runes)
}

func (s *suite[P, M]) moves(t *testing.T) {
	for _, p := range s.positions {
		moves := s.g.AppendMoves(nil, p)
		require.NoError(t, games.CheckPosition(s.g, p))
		texts := map[string]bool{}
		for _, m := range moves {
			text := string(s.g.AppendMove(nil, p, m))
			require.False(t, texts[text], "%s: two moves %s", s.name(p), text)
			texts[text] = true
			parsed, err := games.ParseMove(s.g, p, text)
			require.NoError(t, err, s.name(p))
			require.Equal(t, m, parsed, "%s: move %s", s.name(p), text)
		}
		require.Equal(t, moves, s.g.AppendMoves(nil, p), "%s: AppendMoves returns other moves, or another order, when called again", s.name(p))
	}
}

// draw checks that boards are lines of text.
func (s *suite[P, M]) draw(t *testing.T, drawer games.Drawer[P]) {
	for _, p := range s.positions {
		board := string(drawer.AppendBoard([]byte("> "), p))
		require.True(t, strings.HasPrefix(board, "> "), "AppendBoard appends")
		require.True(t, strings.HasSuffix(board, "\n"), "%s: the board does not end with a newline", s.name(p))
	}
}

func (s *suite[P, M]) canonical(t *testing.T) {
	for _, p := range s.positions {
		c := s.canonicalizer.Canonical(p)
		require.Equal(t, c, s.canonicalizer.Canonical(c), "%s: the canonical position of %s is another one", s.name(p), s.name(c))
		v, _ := s.g.Outcome(p)
		w, _ := s.g.Outcome(c)
		require.Equal(t, v, w, "%s and its canonical position %s", s.name(p), s.name(c))
		require.Equal(t, s.children(p), s.children(c), "successors of %s and of its canonical position %s", s.name(p), s.name(c))
	}
}

// children returns the canonical successors of p as a set.
func (s *suite[P, M]) children(p P) map[P]bool {
	set := map[P]bool{}
	for _, m := range s.g.AppendMoves(nil, p) {
		set[s.canonicalizer.Canonical(s.g.Play(p, m))] = true
	}
	return set
}

func (s *suite[P, M]) finishing(t *testing.T) {
	for _, p := range s.positions {
		v, finished := s.g.Outcome(p)
		if !finished {
			continue
		}
		moves := s.finisher.AppendFinishing(nil, p)
		require.Equal(t, v == games.Win(1), len(moves) > 0, "%s: %v, and moves that finish", s.name(p), v)
		for _, m := range moves {
			require.NotEmpty(t, s.g.AppendMove(nil, p, m), s.name(p))
		}
	}
}

// layers checks that every move leads to a higher layer, and that a position and its
// canonical position are in the same layer.
func (s *suite[P, M]) layers(t *testing.T, layerer games.Layerer[P]) {
	for _, p := range s.positions {
		layer := layerer.Layer(p)
		if s.canonicalizer != nil {
			require.Equal(t, layer, layerer.Layer(s.canonicalizer.Canonical(p)), "%s: the layer of its canonical position", s.name(p))
		}
		for _, m := range s.g.AppendMoves(nil, p) {
			q := s.g.Play(p, m)
			require.Greater(t, layerer.Layer(q), layer, "%s: the layer of %s, behind it", s.name(p), s.name(q))
		}
	}
}

// requireIndexed checks that a position has an index, and that this index has the
// position or its canonical form.
func requireIndexed[P, M comparable](t *testing.T, g games.Game[P, M], x games.Indexer[P], p P) {
	name := func(p P) string { return string(g.AppendPosition(nil, p)) }
	list := x.Tiers()
	last := list[len(list)-1]
	i, err := x.Index(p)
	require.NoError(t, err, "%s is read but has no index", name(p))
	require.Less(t, i, last.Start+last.Size, "%s: its index is past the last one", name(p))
	q, ok := x.Position(i)
	require.True(t, ok, "%s: its index %d is a hole", name(p), i)
	if c, ok := g.(games.Canonicalizer[P]); ok {
		p = c.Canonical(p)
	}
	require.Equal(t, p, q, "%s has the index of %s", name(p), name(q))
}

func (s *suite[P, M]) index(t *testing.T) {
	list := s.indexer.Tiers()
	for _, p := range s.positions {
		requireIndexed(t, s.g, s.indexer, p)
	}
	_, ok := s.indexer.Position(s.universe.Size())
	require.False(t, ok, "a position past the last index")
	for _, tier := range list {
		for range samples() * 10 {
			i := tier.Start + s.rng.Uint64N(tier.Size)
			p, ok := s.indexer.Position(i)
			if !ok {
				continue
			}
			back, err := s.indexer.Index(p)
			require.NoError(t, err)
			require.Equal(t, i, back, "index of %s", s.name(p))
			if _, finished := s.g.Outcome(p); i >= tier.Start+tier.Open {
				require.True(t, finished, "%s is unfinished, after the open part", s.name(p))
			}
			q, err := s.g.ParsePosition(s.name(p))
			require.NoError(t, err)
			require.Equal(t, p, q)
		}
	}
}

func (s *suite[P, M]) expand(t *testing.T) {
	var got, want games.Expansion
	// Batches of several sizes, each reusing the memory of the previous one.
	for begin, n := 0, 1; begin < len(s.indices); n = n%300 + 7 {
		batch := s.indices[begin:min(begin+n, len(s.indices))]
		begin += len(batch)
		s.universe.Expander.Expand(batch, &got)
		games.MoveExpander(s.g, s.indexer).Expand(batch, &want)
		require.Equal(t, want.Status, got.Status)
		require.Len(t, got.End, len(batch))
		require.Equal(t, want.Moves, got.Moves)
		for i, index := range batch {
			p, _ := s.indexer.Position(index)
			require.Equal(t, edges(&want, i), edges(&got, i), "successors of %s", s.name(p))
			for _, c := range got.Of(i) {
				from, to := s.tierOf(index), s.tierOf(c.Index())
				require.LessOrEqual(t, to, from, "%s: a move leads to a later tier", s.name(p))
				if to < from && c.Outcome() == games.Unfinished {
					require.Contains(t, s.universe.Children(from), to, "%s: a move leads to %s, which is none of the Children of tier %s",
						s.name(p), s.universe.PositionName(c.Index()), s.universe.Tiers[from].Name)
				}
			}
		}
	}
}

// count checks that a Counter leaves out what it may, and counts that.
func (s *suite[P, M]) count(t *testing.T, counter games.Counter) {
	var got, all games.Expansion
	for batch := range slices.Chunk(s.indices, 100) {
		counter.Count(batch, &got)
		s.universe.Expander.Expand(batch, &all)
		require.Equal(t, all.Status, got.Status)
		require.Equal(t, all.Moves, got.Moves)
		for i, index := range batch {
			listed, name := edges(&got, i), s.universe.PositionName(index)
			left := slices.DeleteFunc(edges(&all, i), func(e [2]int64) bool { return slices.Contains(listed, e) })
			require.Len(t, listed, len(all.Of(i))-len(left), name)
			require.Len(t, left, got.CountedOf(i), name)
			tier := s.universe.Tiers[s.tierOf(index)]
			for _, e := range left {
				c := games.Successor(e[0])
				require.Equal(t, games.Unfinished, c.Outcome(), "%s: a finished successor is left out", name)
				require.Less(t, c.Index()-tier.Start, tier.Open, "%s: a successor in another tier is left out", name)
				require.Zero(t, e[1], "%s: a successor with a gain is left out", name)
			}
		}
	}
}

// edges returns the successors of a position of a batch with their gains, in
// order of their indices.
func edges(x *games.Expansion, i int) [][2]int64 {
	begin := x.End[i] - len(x.Of(i))
	list := make([][2]int64, 0, len(x.Of(i)))
	for j, c := range x.Of(i) {
		gain := int64(0)
		if len(x.Gains) > 0 {
			gain = int64(x.Gains[begin+j])
		}
		list = append(list, [2]int64{int64(c), gain})
	}
	slices.SortFunc(list, func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
	return list
}

func (s *suite[P, M]) tierOf(index uint64) int {
	return slices.IndexFunc(s.universe.Tiers, func(x games.Tier) bool { return index < x.Start+x.Size })
}

func (s *suite[P, M]) retract(t *testing.T) {
	var x, y games.Expansion
	var before games.Predecessors
	for _, index := range s.indices {
		s.universe.Expander.Expand([]uint64{index}, &x)
		if x.Status[0] != games.Unfinished {
			continue
		}
		p, _ := s.indexer.Position(index)
		for _, c := range x.Of(0) {
			if c.Outcome() != games.Unfinished || s.tierOf(c.Index()) != s.tierOf(index) {
				continue
			}
			s.universe.Retractor.Retract([]uint64{c.Index()}, &before)
			q, _ := s.indexer.Position(c.Index())
			require.Contains(t, before.Indices, index, "%s is missing among the predecessors of %s", s.name(p), s.name(q))
		}
		s.universe.Retractor.Retract([]uint64{index}, &before)
		sorted := slices.Clone(before.Indices)
		slices.Sort(sorted)
		require.Len(t, slices.Compact(slices.Clone(sorted)), len(sorted), "%s has a predecessor twice", s.name(p))
		for _, i := range sorted {
			s.universe.Expander.Expand([]uint64{i}, &y)
			q, _ := s.indexer.Position(i)
			require.Equal(t, games.Unfinished, y.Status[0], "%s is a predecessor of %s", s.name(q), s.name(p))
			require.Equal(t, s.tierOf(index), s.tierOf(i))
			require.Contains(t, y.Of(0), games.NewSuccessor(index, games.Unfinished), "%s is not a predecessor of %s", s.name(q), s.name(p))
		}
	}
	s.retractBatch(t)
}

// retractBatch checks that a batch gives what its positions give one by one.
func (s *suite[P, M]) retractBatch(t *testing.T) {
	var x games.Expansion
	s.universe.Expander.Expand(s.indices, &x)
	var batch []uint64
	for i, index := range s.indices {
		if x.Status[i] == games.Unfinished {
			batch = append(batch, index)
		}
	}
	var one, all games.Predecessors
	var want []uint64
	for _, index := range batch {
		s.universe.Retractor.Retract([]uint64{index}, &one)
		want = append(want, one.Indices...)
	}
	s.universe.Retractor.Retract(batch, &all)
	require.Equal(t, want, all.Indices)
}

// Perft checks the numbers of sequences of 1, 2, ... moves from the given position, in the
// game's notation or "startpos".
func Perft[P, M comparable](t *testing.T, g games.Game[P, M], position string, counts ...uint64) {
	t.Helper()
	p := g.Start()
	if position != "startpos" {
		var err error
		p, err = g.ParsePosition(position)
		require.NoError(t, err)
	}
	for i, want := range counts {
		got := Sequences(Walk(g, p), i+1)
		require.True(t, want == got, "perft %d of %s: %d sequences of moves, want %d", i+1, position, got, want)
	}
}

// Walker is a position that moves are made in and taken back.
type Walker[M any] interface {
	AppendMoves(dst []M) []M
	Do(m M)
	Undo()
}

// Sequences counts the sequences of depth moves from a position, at least one. The last moves are counted, not made.
func Sequences[M any](w Walker[M], depth int) uint64 { return sequences(w, make([][]M, depth)) }

func sequences[M any](w Walker[M], lists [][]M) uint64 {
	lists[0] = w.AppendMoves(lists[0][:0])
	if len(lists) == 1 {
		return uint64(len(lists[0]))
	}
	n := uint64(0)
	for _, m := range lists[0] {
		w.Do(m)
		n += sequences(w, lists[1:])
		w.Undo()
	}
	return n
}

// Walk walks through positions of a game from p.
func Walk[P, M comparable](g games.Game[P, M], p P) Walker[M] { return &walk[P, M]{g, p, nil} }

type walk[P, M comparable] struct {
	game   games.Game[P, M]
	at     P
	before []P
}

func (w *walk[P, M]) AppendMoves(dst []M) []M { return w.game.AppendMoves(dst, w.at) }
func (w *walk[P, M]) Do(m M)                  { w.before, w.at = append(w.before, w.at), w.game.Play(w.at, m) }
func (w *walk[P, M]) Undo() {
	last := len(w.before) - 1
	w.at, w.before = w.before[last], w.before[:last]
}

// FuzzText checks that any text is either refused as a position, or read, written and
// read again as the same position.
func FuzzText[P, M comparable](f *testing.F, g games.Game[P, M]) {
	p := g.Start()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		moves := g.AppendMoves(nil, p)
		move := ""
		if len(moves) > 0 {
			move = string(g.AppendMove(nil, p, moves[0]))
		}
		f.Add(string(g.AppendPosition(nil, p)), move)
		if len(moves) == 0 {
			p = g.Start()
			continue
		}
		p = g.Play(p, moves[rng.IntN(len(moves))])
	}
	f.Fuzz(func(t *testing.T, position, move string) {
		p, err := g.ParsePosition(position)
		if err != nil {
			return
		}
		text := string(g.AppendPosition(nil, p))
		q, err := g.ParsePosition(text)
		require.NoError(t, err, "%q is written as %q", position, text)
		require.Equal(t, p, q, "%q is written as %q", position, text)
		if indexer, ok := g.(games.Indexer[P]); ok {
			requireIndexed(t, g, indexer, p)
		}
		if m, err := games.ParseMove(g, p, move); err == nil {
			require.Contains(t, g.AppendMoves(nil, p), m, "%q is read as a move of %q", move, position)
		}
	})
}
