package tsume_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/proof/plain"
	"github.com/yomikiri/yomikiri/proof/rules"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// never is the length if there is no mate.
const never = 1 << 30

// exhaustion decides whether positions are mate, by legal moves alone. It tries all
// checks, and the replies to a check one after the other as long as the last one turned
// out to be mate: a local computation of the least fixed point (Liu & Smolka, "Simple
// linear-time algorithms for minimal fixed points", 1998). Where the attacker can only
// go round in circles, nothing turns out to be mate.
type exhaustion struct {
	attacker  shogi.Color
	positions []shogi.Position // with the attacker to move
	number    map[shogi.Position]int32
	mate      []bool
	checks    [][]*answer // of each position
	waiting   [][]*answer // those that rest on each position
	board     shogi.Board
}

// answer is the reply to a check.
type answer struct {
	check   int32 // the position before it
	replies []shogi.Position
	at      int // the reply that is not mate so far
}

// exhaust returns the exhaustion of a position, and false if it takes more than most
// positions.
func exhaust(p shogi.Position, most int) (*exhaustion, bool) {
	x := &exhaustion{attacker: p.Turn(), number: map[shogi.Position]int32{}}
	x.find(p)
	for i := 0; i < len(x.positions); i++ {
		if len(x.positions) > most {
			return nil, false
		}
		x.look(int32(i))
	}
	return x, true
}

// find returns the number of a position.
func (x *exhaustion) find(p shogi.Position) int32 {
	n, known := x.number[p]
	if !known {
		n = int32(len(x.positions))
		x.number[p] = n
		x.positions = append(x.positions, p)
		x.mate = append(x.mate, false)
		x.checks = append(x.checks, nil)
		x.waiting = append(x.waiting, nil)
	}
	return n
}

// after returns the positions after all legal moves, or after all checks.
func after(b *shogi.Board, p shogi.Position, checks bool) (list []shogi.Position) {
	b.Set(p)
	for _, m := range b.AppendMoves(nil) {
		b.Do(m)
		if !checks || b.InCheck() {
			list = append(list, b.Position())
		}
		b.Undo()
	}
	return list
}

// look adds the checks of a position.
func (x *exhaustion) look(n int32) {
	for _, p := range after(&x.board, x.positions[n], true) {
		a := &answer{check: n, replies: after(&x.board, p, false)}
		// A reply that is known to hold is the best one to begin with.
		for i, q := range a.replies {
			if known, ok := x.number[q]; ok && !x.mate[known] {
				a.replies[0], a.replies[i] = a.replies[i], a.replies[0]
				break
			}
		}
		x.checks[n] = append(x.checks[n], a)
		x.settle(a)
	}
}

// settle finds a reply that is not mate so far, and what follows if there is none.
func (x *exhaustion) settle(a *answer) {
	for pending := []*answer{a}; len(pending) > 0; {
		a, pending = pending[len(pending)-1], pending[:len(pending)-1]
		for a.at < len(a.replies) && x.mate[x.find(a.replies[a.at])] {
			a.at++
		}
		if a.at < len(a.replies) {
			n := x.find(a.replies[a.at])
			x.waiting[n] = append(x.waiting[n], a)
		} else if !x.mate[a.check] {
			x.mate[a.check] = true
			pending = append(pending, x.waiting[a.check]...)
		}
	}
}

// endless reports for each position without a mate whether the attacker can give check
// forever against the replies found.
func (x *exhaustion) endless() []bool {
	endless := make([]bool, len(x.positions))
	left := make([]int, len(x.positions))
	var done []int32
	for n := range x.positions {
		endless[n], left[n] = !x.mate[n], len(x.checks[n])
		if left[n] == 0 {
			done = append(done, int32(n))
		}
	}
	for len(done) > 0 {
		n := done[0]
		done = done[1:]
		endless[n] = false
		for _, a := range x.waiting[n] {
			if left[a.check]--; left[a.check] == 0 && !x.mate[a.check] {
				done = append(done, a.check)
			}
		}
	}
	return endless
}

// shortest finds the lengths of shortest mates by trying all checks and replies with
// iterative deepening.
type shortest struct {
	board   shogi.Board
	none    map[shogi.Position]int // plies without a mate
	mate    map[shogi.Position]int // plies in which there is one
	visited int
}

func newShortest() *shortest {
	return &shortest{none: map[shogi.Position]int{}, mate: map[shogi.Position]int{}}
}

// of returns the length of the shortest mate of a position that is mate, and false if
// finding it takes too long.
func (s *shortest) of(p shogi.Position) (int, bool) {
	s.visited = 0
	for n := 1; s.visited < 3000; n += 2 {
		if s.mates(p, n) {
			return n, true
		}
	}
	return 0, false
}

// mates reports whether the attacker, to move, mates in n plies.
func (s *shortest) mates(p shogi.Position, n int) bool {
	if known, ok := s.mate[p]; ok && known <= n {
		return true
	}
	if s.none[p] >= n || s.visited > 6000 {
		return false
	}
	s.visited++
	for _, q := range after(&s.board, p, true) {
		if s.mated(q, n-1) {
			s.mate[p] = n
			return true
		}
	}
	if s.visited <= 6000 {
		s.none[p] = n
	}
	return false
}

// mated reports whether the defender, to move, is mated in n plies.
func (s *shortest) mated(p shogi.Position, n int) bool {
	replies := after(&s.board, p, false)
	if n == 0 {
		return len(replies) == 0
	}
	for _, q := range replies {
		if !s.mates(q, n-1) {
			return false
		}
	}
	return true
}

// sample is a position with its answer.
type sample struct {
	position shogi.Position
	length   int  // never if there is no mate; futile interpositions counted
	endless  bool // without a mate, but not without checks
}

// samples returns a few of the positions met of each kind: mates in three plies and
// more, mates in one, and positions with checks but no mate.
func (x *exhaustion) samples(rng *rand.Rand) (list []sample) {
	left := map[string]int{"long": 40, "one": 1, "none": 3, "endless": 5}
	endless := x.endless()
	s := newShortest()
	for _, n := range rng.Perm(len(x.positions)) {
		at := sample{x.positions[n], never, endless[n]}
		kind := "none"
		switch {
		case x.mate[n]:
			if s.mates(at.position, 1) {
				if kind = "one"; left[kind] == 0 {
					continue
				}
				at.length = 1
			} else if kind = "long"; left[kind] > 0 {
				length, ok := s.of(at.position)
				if at.length = length; !ok {
					continue
				}
			}
		case len(x.checks[n]) < 2:
			continue
		case at.endless:
			kind = "endless"
		}
		if left[kind]--; left[kind] >= 0 {
			list = append(list, at)
		}
	}
	return list
}

// randomProblem returns a position of few pieces, black to move. White's king is in
// a corner of some squares behind its own pawns and lances, perhaps with holes
// between them, so that it cannot be chased all over the board: what can be reached
// stays small.
func randomProblem(rng *rand.Rand) (shogi.Position, bool) {
	kinds := []shogi.Kind{shogi.Pawn, shogi.Lance, shogi.Knight, shogi.Silver, shogi.Gold, shogi.Bishop, shogi.Rook}
	var board [81]shogi.Piece
	files, ranks := 2+rng.IntN(3), 1+rng.IntN(3)
	for rank := 1; rank <= ranks; rank++ {
		k := shogi.Lance
		if rank == ranks {
			k = shogi.Pawn
		}
		if rng.IntN(20) > 0 {
			board[shogi.SquareAt(files+1, rank)] = shogi.PieceOf(shogi.White, k)
		}
	}
	for file := 1; file <= files; file++ {
		if rng.IntN(20) > 0 {
			board[shogi.SquareAt(file, ranks+1)] = shogi.PieceOf(shogi.White, shogi.Pawn)
		}
	}
	if rng.IntN(4) == 0 {
		board[shogi.SquareAt(1+rng.IntN(9), 7+rng.IntN(3))] = shogi.PieceOf(shogi.Black, shogi.King)
	}
	put := func(p shogi.Piece, far int) {
		s := shogi.SquareAt(1+rng.IntN(files+far), 1+rng.IntN(ranks+far))
		if board[s] != shogi.NoPiece {
			return
		}
		if p.Kind().CanPromote() && rng.IntN(3) == 0 {
			p += shogi.Piece(shogi.Promoted)
		}
		board[s] = p
	}
	put(shogi.PieceOf(shogi.White, shogi.King), 0)
	for range rng.IntN(3) {
		put(shogi.PieceOf(shogi.White, kinds[rng.IntN(len(kinds))]), 1)
	}
	for range 1 + rng.IntN(5) {
		put(shogi.PieceOf(shogi.Black, kinds[rng.IntN(len(kinds))]), 1+2*rng.IntN(2))
	}
	var hands [2]shogi.Hand
	for c := range hands {
		for range rng.IntN(3 - c) {
			hands[c] = hands[c].With(kinds[rng.IntN(len(kinds))])
		}
	}
	p, err := shogi.NewPosition(board, hands, shogi.Black)
	return p, err == nil
}

// randomSamples calls f with samples of random problems, of which at most a tenth
// are mates in one, at most three tenths have no mate after a search that ends, and
// at most three tenths none although the attacker has checks forever.
func randomSamples(rng *rand.Rand, count int, f func(n int, s sample)) {
	kinds := map[string]int{}
	for n := 0; n < count; {
		p, ok := randomProblem(rng)
		if !ok {
			continue
		}
		x, ok := exhaust(p, 600)
		if !ok {
			continue
		}
		for _, s := range x.samples(rng) {
			kind, most := "long", 10
			switch {
			case s.length == 1:
				kind, most = "one", 1
			case s.endless:
				kind, most = "endless", 3
			case s.length == never:
				kind, most = "none", 3
			}
			if n < count && 10*kinds[kind] <= most*n {
				kinds[kind]++
				f(n, s)
				n++
			}
		}
	}
}

// requireProof writes the proof of a problem and checks it.
func requireProof(t *testing.T, p tsume.Problem, table *dfpn.Table, options tsume.Options) proof.Report {
	report, err := check(t, writeProof(t, p, table, options))
	require.NoError(t, err, "%v", p.Position.SFEN())
	return report
}

// check has both checkers check a proof file.
func check(t *testing.T, data []byte) (proof.Report, error) {
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	report, err := rules.Check(t.Context(), r, proof.CheckOptions{})
	_, other := plain.Check(t.Context(), bytes.NewReader(data), plain.Options{})
	require.Equal(t, err == nil, other == nil, "%v, the plain checker says %v", err, other)
	return report, err
}

// writeProof returns the proof file of a problem that a table has solved.
func writeProof(t *testing.T, p tsume.Problem, table *dfpn.Table, options tsume.Options) []byte {
	var out bytes.Buffer
	w, err := proof.NewWriter(&out, tsume.ProofHeader(p))
	require.NoError(t, err)
	options.Nodes = 0
	_, err = tsume.WriteProof(t.Context(), w, p, table, options)
	require.NoError(t, err, "%v", p.Position.SFEN())
	require.NoError(t, w.Close())
	return out.Bytes()
}
