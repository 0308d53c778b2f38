package proof_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/proof"
)

// scored is tic-tac-toe with scores.
type scored struct{ tictactoe.Game }

func (scored) Gain(tictactoe.Position, tictactoe.Move) int { return 0 }
func (scored) Remaining(tictactoe.Position) int            { return 0 }

// TestOtherRules has a file refused by rules that it is not for.
func TestOtherRules(t *testing.T) {
	data, err := prove(t, tictactoe.Game{}, emptyTicTacToe, moverHolds).bytes()
	require.NoError(t, err)
	read := func() *proof.Reader {
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		return r
	}
	_, err = proof.Check(t.Context(), read(), plain(t, "gomoku:size=3x3,k=3"), proof.CheckOptions{})
	require.ErrorIs(t, err, proof.ErrRefused)
	require.ErrorContains(t, err, "it is for the rules tictactoe, and these are gomoku:size=3x3,k=3")
	_, err = proof.Check(t.Context(), read(), scored{}, proof.CheckOptions{})
	require.ErrorIs(t, err, proof.ErrRefused)
	require.ErrorContains(t, err, "tictactoe has scores")
}

// TestFinished has claims about finished games, as roots and after the opponent's replies.
func TestFinished(t *testing.T) {
	reply := func(position string) []proof.Node {
		return []proof.Node{{Kind: proof.And, Uses: 1, Rank: 2, Position: []byte(position)}}
	}
	for _, c := range []struct {
		root  string
		claim proof.Claim
		nodes []proof.Node
		want  string
	}{
		{"xxx/oo./...", otherWins, nil, ""},
		{"xxx/oo./...", otherHolds, nil, ""},
		{"xxx/oo./...", moverWins, nil, "the root position is decided, loss"},
		{"xxx/oo./...", moverHolds, nil, "the root position is decided, loss"},
		{"xox/xxo/oxo", moverHolds, nil, ""},
		{"xox/xxo/oxo", otherHolds, nil, ""},
		{"xox/xxo/oxo", moverWins, nil, "the root position is decided, draw"},
		{"xox/xxo/oxo", otherWins, nil, "the root position is decided, draw"},
		{"xox/oxo/ox.", otherWins, reply("xox/oxo/ox."), `the reply "c1" decides the game, a loss in 0 for the claimant`},
		{"xox/oxo/ox.", otherHolds, reply("xox/oxo/ox."), `the reply "c1" decides the game, a loss in 0 for the claimant`},
		{"xox/xoo/ox.", otherWins, reply("xox/xoo/ox."), `the reply "c1" decides the game, a draw for the claimant`},
		{"xox/xoo/ox.", otherHolds, reply("xox/xoo/ox."), ""},
	} {
		f := file{proof.Header{Game: "tictactoe", Root: c.root, Claims: []proof.Claim{c.claim}}, []claimProof{{c.nodes, uint64(len(c.nodes))}}}
		data, err := f.bytes()
		require.NoError(t, err)
		_, err = checkBytes(data)
		if c.want == "" {
			require.NoError(t, err, "%s, %v", c.root, c.claim)
			continue
		}
		require.ErrorIs(t, err, proof.ErrRefused, "%s, %v", c.root, c.claim)
		require.ErrorContains(t, err, c.want, "%s, %v", c.root, c.claim)
	}
}

// TestNodes has nodes that are right or wrong in one point each, the last of them the root.
func TestNodes(t *testing.T) {
	or := func(rank uint64, position, move string, children ...uint64) proof.Node {
		return proof.Node{Kind: proof.Or, Uses: 1, Rank: rank, Position: []byte(position), Move: []byte(move), Children: children}
	}
	and := func(rank uint64, position string, children ...uint64) proof.Node {
		return proof.Node{Kind: proof.And, Uses: 1, Rank: rank, Position: []byte(position), Children: children}
	}
	// x has two ways to a line, whatever o does.
	const fork, before = "x.x/.o./x.o", "x.x/.o./..o"
	for _, c := range []struct {
		claim proof.Claim
		nodes []proof.Node
		want  string
	}{
		{otherWins, []proof.Node{and(2, fork)}, ""},
		{otherHolds, []proof.Node{and(2, fork)}, ""},
		{otherWins, []proof.Node{and(1, fork)}, "the reply \"b1\" is not answered"}, // the line is two plies away
		{otherHolds, []proof.Node{and(1, "xox/xoo/ox.")}, ""},
		{otherWins, []proof.Node{or(1, "xox/.o./x.o", "a2"), and(2, fork, 1)}, ""},
		{otherWins, []proof.Node{or(2, "xox/.o./x.o", "a2"), and(2, fork, 1)}, "rank 2 is not above that of node 1, a child, 2"},
		{otherWins, []proof.Node{or(1, "xox/.o./x.o", "a2"), or(1, "xox/.o./x.o", "a2"), and(2, fork, 1, 2)}, "two children are the same position"},
		{otherWins, []proof.Node{or(1, "xx./oo./...", "c3"), and(2, fork, 1)}, "no reply leads to the child"},
		{otherWins, []proof.Node{and(2, fork), and(3, fork, 1)}, "in it and in node 1, a child, the same side is the claimant to move"},
		{moverWins, []proof.Node{and(2, fork), or(3, before, "a1", 1)}, ""},
		{moverWins, []proof.Node{and(2, fork), or(2, before, "a1", 1)}, "rank 2 is not above that of node 1, a child, 2"},
		{moverWins, []proof.Node{or(3, before, "a1")}, "move \"a1\" does not decide the game, and there is no reference"},
		{moverWins, []proof.Node{and(2, fork), or(3, before, "b3", 1)}, "move \"b3\" decides the game, but there is a reference"},
		{moverWins, []proof.Node{and(2, fork), or(3, before, "a2", 1)}, "move \"a2\" leads to"},
		{moverWins, []proof.Node{or(1, before, "b3")}, ""},
		{moverWins, []proof.Node{or(1, "x.o/.../o.x", "a3")}, `move "a3": the square is not empty`},
		{moverWins, []proof.Node{or(1, "x.o/.../o.x", "a1")}, `move "a1": the square is not empty`},
		{moverWins, []proof.Node{or(1, "xox/oxo/.xo", "a1")}, ""},
		{moverHolds, []proof.Node{or(1, "xox/xxo/o.o", "b1")}, ""},
		{moverHolds, []proof.Node{or(1, "xox/oxx/.oo", "a1")}, ""},
		{moverWins, []proof.Node{or(1, "xxo/oox/x.o", "b1")}, "move \"b1\" decides the game, a draw for the opponent"},
		{moverHolds, []proof.Node{or(1, "xxo/oox/x.o", "b1")}, ""},
	} {
		root := string(c.nodes[len(c.nodes)-1].Position)
		data, err := file{proof.Header{Game: "tictactoe", Root: root, Claims: []proof.Claim{c.claim}}, []claimProof{{c.nodes, uint64(len(c.nodes))}}}.bytes()
		require.NoError(t, err)
		_, err = checkBytes(data)
		if c.want == "" {
			require.NoError(t, err, "%v %s", c.claim, root)
			continue
		}
		require.ErrorIs(t, err, proof.ErrRefused, "%v %s", c.claim, root)
		require.ErrorContains(t, err, c.want, "%v %s", c.claim, root)
	}
}

// TestReport has the whole report of a file that is checked in many parts.
func TestReport(t *testing.T) {
	data, err := prove(t, plain(t, "gomoku:size=4x4,k=4"), "4/4/4/4 x", moverHolds).bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	var last proof.Report
	calls := 0
	report, err := proof.Check(t.Context(), r, plain(t, r.Header().Game), proof.CheckOptions{Progress: func(now proof.Report) {
		require.Greater(t, now.Nodes, last.Nodes)
		require.GreaterOrEqual(t, now.Bytes, last.Bytes)
		last = now
		calls++
	}})
	require.NoError(t, err)
	require.Equal(t, proof.Report{Counts: proof.Counts{Nodes: 4711, Or: 2693, And: 2018, References: 8598},
		Replies: 8004, Immediate: 1978, Ranks: []uint64{17}, Bytes: uint64(len(data)), Live: 279}, report)
	require.Equal(t, report.Replies, last.Replies)
	require.Equal(t, report.Counts, last.Counts)
	require.Greater(t, calls, 3)
}

// spender is tic-tac-toe with certificates that say how many steps they take.
type spender struct {
	tictactoe.Game
	spent map[string]int64
}

func (s spender) CheckCertificate(w *proof.Work, _ tictactoe.Position, _ bool, _ proof.Goal, certificate []byte) error {
	steps := int64(binary.LittleEndian.Uint32(certificate))
	defer func() { s.spent[string(certificate)] = w.Steps() }()
	for ; steps > 1<<20; steps -= 1 << 20 {
		if err := w.Spend(1 << 20); err != nil {
			return err
		}
	}
	return w.Spend(int(steps))
}

// spending returns a file with certificates that take some steps and as many bytes as a job
// has at least.
func spending(t *testing.T, steps ...int64) *proof.Reader {
	f := file{proof.Header{Game: "tictactoe", Root: emptyTicTacToe, Claims: []proof.Claim{moverHolds}}, []claimProof{{root: 1}}}
	for _, n := range steps {
		certificate := binary.LittleEndian.AppendUint32(nil, uint32(n))
		f.claims[0].nodes = append(f.claims[0].nodes, proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte(emptyTicTacToe),
			Certificate: append(certificate, make([]byte, proof.JobSize)...)})
	}
	data, err := f.bytes()
	require.NoError(t, err)
	r, err := proof.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	return r
}

// TestWorkAddsUp checks that what jobs take adds up, to the step, and that a job may not take
// what others have taken already.
func TestWorkAddsUp(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // jobs settle one after the other
	check := func(steps ...int64) (int64, map[string]int64, error) {
		game := spender{spent: map[string]int64{}}
		all, err := proof.CheckSteps(t.Context(), spending(t, steps...), games.Game[tictactoe.Position, tictactoe.Move](game))
		return all, game.spent, err
	}
	one, _, err := check(0)
	require.NoError(t, err)
	require.EqualValues(t, 100+3*100+proof.JobSize+4+len(emptyTicTacToe), one)
	const limit, third = 1 << 30, 1 << 28
	left := limit - 4*one - 3*third
	all, _, err := check(third, third, third, left)
	require.ErrorIs(t, err, proof.ErrRefused) // nothing refers to them
	require.EqualValues(t, limit, all)
	_, _, err = check(third, third, third, left+1)
	require.ErrorIs(t, err, proof.ErrLimit)
	require.ErrorContains(t, err, "claim 1 (mover holds): too much work: node 4: up to here it takes more than 1073741824 steps")
	// One job settles before the last begins, at least.
	_, spent, err := check(third, third, third, 1<<31)
	require.ErrorIs(t, err, proof.ErrLimit)
	for _, n := range spent {
		require.LessOrEqual(t, n, int64(limit-third))
	}
}

// strict is tic-tac-toe with certificates of zeros.
type strict struct{ tictactoe.Game }

func (strict) CheckCertificate(_ *proof.Work, _ tictactoe.Position, _ bool, _ proof.Goal, certificate []byte) error {
	if certificate[0] != 0 {
		return errors.New("not zero")
	}
	return nil
}

// TestReadAhead has files refused for a wrong node, and counts the nodes that were read by
// then: some jobs are pending, of up to a megabyte, so that memory is bounded.
func TestReadAhead(t *testing.T) {
	const job = (proof.JobSize-1)/(12+32) + 1 // nodes with 12 bytes
	for _, c := range []struct{ processors, size, wrong, want int }{
		{1, 12, 1, 5 * job},            // two jobs wait to be linked, two to be settled
		{2, 12, 1, 9 * job},            // four and four
		{2, 12, 2*job + 10, 11 * job},  // it is in the third job
		{8, proof.JobSize - 32, 1, 33}, // each is a job
		{8, proof.JobSize - 33, 1, 66}, // two are
		{8, 1<<18 - 32, 1, 5},          // four are a megabyte
		{8, 1<<18 - 31, 1, 4},
		{8, 1<<19 - 31, 1, 2},
		{8, 1<<18 - 32, 10, 14},
	} {
		n := proof.Node{Kind: proof.Certified, Uses: 1, Rank: 1, Position: []byte(emptyTicTacToe), Certificate: make([]byte, c.size-len(emptyTicTacToe))}
		nodes := slices.Repeat([]proof.Node{n}, c.want+1)
		nodes[c.wrong-1].Certificate = slices.Clone(n.Certificate)
		nodes[c.wrong-1].Certificate[0] = 'x'
		data, err := file{proof.Header{Game: "tictactoe", Root: emptyTicTacToe, Claims: []proof.Claim{moverHolds}}, []claimProof{{nodes, 1}}}.bytes()
		require.NoError(t, err)
		r, err := proof.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		before := runtime.GOMAXPROCS(c.processors)
		_, err = proof.Check(t.Context(), r, strict{}, proof.CheckOptions{})
		runtime.GOMAXPROCS(before)
		require.ErrorContains(t, err, "not zero")
		require.Equal(t, c.want, proof.NodesRead(r), "%+v", c)
	}
}

// TestCheckFrame has frames refused that decoders may take.
func TestCheckFrame(t *testing.T) {
	single := func(flags byte, rest ...byte) []byte {
		return append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x20 | flags}, rest...)
	}
	for name, c := range map[string]struct {
		data []byte
		size uint32
		want string
	}{
		"a raw block":            {single(0, 1, 9, 0, 0, 'x'), 1, ""},
		"two":                    {single(0, 2, 8, 0, 0, 'x', 9, 0, 0, 'x'), 2, ""},
		"a repeated byte":        {single(0, 5, 5<<3|3, 0, 0, 'x'), 5, ""},
		"the last not last":      {single(0, 1, 8, 0, 0, 'x'), 1, "want one zstd frame"},
		"a block after it":       {single(0, 1, 9, 0, 0, 'x', 1, 0, 0), 1, "want one zstd frame"},
		"part of a block's head": {single(0, 1, 8, 0, 0, 'x', 1, 0), 1, "want one zstd frame"},
		"too long a block":       {single(0, 1, 1, 1, 0, 'x'), 1, "want one zstd frame"},
		"very long a block":      {single(0, 1, 1, 0, 1, 'x'), 1, "want one zstd frame"},
		"a dictionary":           {single(1, 7, 1, 9, 0, 0, 'x'), 1, "without dictionary"},
		"a checksum":             {single(4, 1, 9, 0, 0, 'x'), 1, "or checksum"},
		"no size":                {[]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0, 1, 0, 0}, 0, "with its size, 0"},
		"another size":           {single(0, 2, 9, 0, 0, 'x'), 1, "with its size, 1"},
		"a wrong beginning":      {[]byte("no zstd frame"), 1, zstd.ErrMagicMismatch.Error()},
	} {
		err := proof.CheckFrame(c.data, c.size)
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.want, name)
	}
}

// TestChunkSum has the checksum as the format says it.
func TestChunkSum(t *testing.T) {
	const number = 0x0102030405060708
	want := xxhash.Sum64(append(binary.LittleEndian.AppendUint64([]byte{'N'}, number), "payload"...))
	require.Equal(t, want, proof.ChunkSum('N', number, []byte("payload")))
}

func TestClaims(t *testing.T) {
	require.Equal(t, proof.Other, proof.Mover.Opponent())
	require.Equal(t, proof.Mover, proof.Other.Opponent())
	for _, c := range []proof.Claim{{Side: 2}, {Goal: 3}, {Points: 1}, {Goal: proof.AtLeast, Points: games.MaxScore + 1}} {
		_, err := proof.Value([]proof.Claim{c})
		require.ErrorContains(t, err, c.String()+" is no claim")
	}
	require.Equal(t, "Claim(2, 0, 0)", proof.Claim{Side: 2}.String())
	require.Equal(t, "Claim(0, 3, 0)", proof.Claim{Goal: 3}.String())
	all := []proof.Claim{moverWins, otherWins, moverHolds, otherHolds}
	for i, a := range all {
		for _, b := range all[i+1:] {
			value, err := proof.Value([]proof.Claim{a, b})
			if a == moverHolds && b == otherHolds {
				require.NoError(t, err)
				require.Equal(t, "draw", value)
				continue
			}
			require.ErrorContains(t, err, "want one, or that both sides hold")
		}
	}
	_, err := proof.Value(all[1:])
	require.ErrorContains(t, err, "want one, or that both sides hold")
}

// TestScoreClaims reads, writes and combines claims about points.
func TestScoreClaims(t *testing.T) {
	mover := func(points int) proof.Claim {
		return proof.Claim{Side: proof.Mover, Goal: proof.AtLeast, Points: points}
	}
	other := func(points int) proof.Claim {
		return proof.Claim{Side: proof.Other, Goal: proof.AtLeast, Points: points}
	}
	for text, want := range map[string]proof.Claim{"mover at least -8": mover(-8), "other at least 8": other(8), "mover at least 0": mover(0)} {
		var c proof.Claim
		require.NoError(t, c.UnmarshalText([]byte(text)))
		require.Equal(t, want, c)
		require.Equal(t, text, c.String())
	}
	for _, text := range []string{"", "mover", "mover at least", "mover at least ", "mover at least +8", "mover at least 08", "mover at least -0", "other at least 16001", "mover at least 8 ", "mover wins8"} {
		var c proof.Claim
		require.Error(t, c.UnmarshalText([]byte(text)), text)
	}
	for _, c := range []struct {
		claims []proof.Claim
		want   string
	}{
		{[]proof.Claim{mover(-8)}, "at least -8"},
		{[]proof.Claim{other(8)}, "at most -8"},
		{[]proof.Claim{mover(-8), other(8)}, "-8"},
		{[]proof.Claim{other(-2), mover(-8)}, "-8 to 2"},
		{[]proof.Claim{mover(0), other(0)}, "draw"},
	} {
		value, err := proof.Value(c.claims)
		require.NoError(t, err)
		require.Equal(t, c.want, value)
	}
	for _, claims := range [][]proof.Claim{{mover(1), other(0)}, {mover(1), mover(0)}, {mover(1), otherHolds}, {otherHolds, mover(1)}, {mover(1), other(-3), mover(0)}} {
		_, err := proof.Value(claims)
		require.Error(t, err, claims)
	}
}
