package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/dfpn"
	"github.com/yomikiri/yomikiri/games/shogi"
	"github.com/yomikiri/yomikiri/solver/tsume"
)

// BareKings asks with which hands a lone king is mated. The defender holds all pieces that the
// attacker does not.
//
// More in hand never hurts the attacker, so one answer settles many hands. The limit of nodes
// for a hand begins small and grows fourfold from round to round; a round goes through all
// squares, with one table for all hands of a square.
type BareKings struct {
	// Pieces is the greatest number of pieces in hand.
	Pieces int
	// Nodes is the limit for a hand in the last round.
	Nodes uint64
	// Workers is the number of goroutines, each on a square of its own.
	Workers int
	// Memory is the size of all tables in bytes.
	Memory int64
	// Progress, if not nil, is called after each search. Calls do not overlap.
	Progress func(BareKingProgress)

	squares []*bareSquare
}

// NewBareKings returns a census of the given squares, or of the 45 squares of files 1 to 5: the
// other half of the board is their mirror image.
func NewBareKings(squares ...shogi.Square) *BareKings {
	if len(squares) == 0 {
		for s := shogi.SquareAt(1, 1); s <= shogi.SquareAt(5, 9); s++ {
			squares = append(squares, s)
		}
	}
	b := &BareKings{}
	for _, s := range squares {
		b.squares = append(b.squares, &bareSquare{square: s})
	}
	return b
}

// BareKing is an answer for a hand, or says that all hands for a square were searched.
type BareKing struct {
	SFEN   string `json:"sfen,omitempty"`
	Answer string `json:"answer,omitempty"` // mate, or no mate
	Square string `json:"square,omitempty"` // without a position
	Pieces int    `json:"pieces,omitempty"` // the most in a hand, with a square
	// Nodes is the number of nodes that the answer took, or the limit for each hand.
	Nodes uint64 `json:"nodes"`
}

// BareKingProgress says how far a round has come.
type BareKingProgress struct {
	Nodes      uint64 // the limit for a hand
	Done, Open int    // hands searched, and those still to be searched at most
}

// BareKingSquare is the result for a square.
type BareKingSquare struct {
	Square string `json:"square"`
	// Mates, NoMates and Unknown are numbers of hands.
	Mates   int `json:"mates"`
	NoMates int `json:"no_mates"`
	Unknown int `json:"unknown"`
	// Fewest are the hands with the fewest pieces that are known to mate.
	Fewest []string `json:"fewest,omitempty"`
	// Nodes is the number of nodes of this run.
	Nodes uint64 `json:"nodes"`
}

// bareSquare is what is known about a square.
type bareSquare struct {
	square         shogi.Square
	mates, noMates []shogi.Hand // no two of them cover one another
	searched       []BareKing   // records without a position
	nodes          uint64
}

// firstRound is the limit of the first round in nodes, and roundGrowth how it grows.
const (
	firstRound  = uint64(250)
	roundGrowth = 4
)

// Add adds what an earlier run has found, and believes it. What is about other squares is dropped.
func (b *BareKings) Add(k BareKing) error {
	if k.SFEN == "" {
		for _, s := range b.squares {
			if s.square.String() == k.Square {
				s.searched = append(s.searched, k)
			}
		}
		return nil
	}
	p, err := shogi.ParseSFEN(k.SFEN)
	if err != nil {
		return err
	}
	king, h := bareSquare{square: p.King(shogi.White)}, p.Hand(shogi.Black)
	if king.square == shogi.NoSquare {
		return fmt.Errorf("%s: White has no king", k.SFEN)
	}
	if want, err := king.problem(h); err != nil || want.Position != p {
		return fmt.Errorf("%s: want Black to move against a lone king, whose side holds all other pieces", k.SFEN)
	}
	if k.Answer != mate && k.Answer != noMate {
		return fmt.Errorf("the answer %q: want %q or %q", k.Answer, mate, noMate)
	}
	for _, s := range b.squares {
		if s.square == king.square {
			s.add(h, k.Answer == mate)
		}
	}
	return nil
}

// Run calls found with all that it finds as it comes, and returns the results. Calls of found do
// not overlap; its error ends the run.
func (b *BareKings) Run(ctx context.Context, found func(BareKing) error) ([]BareKingSquare, error) {
	hands := handsUpTo(b.Pieces)
	for limit := min(firstRound, b.Nodes); ; limit = min(roundGrowth*limit, b.Nodes) {
		if err := b.round(ctx, hands, limit, found); err != nil {
			return nil, err
		}
		if limit == b.Nodes {
			break
		}
	}
	results := make([]BareKingSquare, len(b.squares))
	for i, s := range b.squares {
		results[i] = s.result(hands)
	}
	return results, nil
}

// bareJob is a square with the hands to search in a round.
type bareJob struct {
	*bareSquare
	hands []shogi.Hand
}

// round searches the hands without an answer on all squares.
func (b *BareKings) round(ctx context.Context, hands []shogi.Hand, limit uint64, found func(BareKing) error) error {
	progress := BareKingProgress{Nodes: limit}
	var jobs []bareJob
	for _, s := range b.squares {
		if !slices.ContainsFunc(s.searched, func(k BareKing) bool { return k.Pieces >= b.Pieces && k.Nodes >= limit }) {
			open := slices.DeleteFunc(slices.Clone(hands), s.known)
			jobs = append(jobs, bareJob{s, open})
			progress.Open += len(open)
		}
	}
	var mu sync.Mutex // of found and progress
	tell := func(k BareKing) error {
		mu.Lock()
		defer mu.Unlock()
		return found(k)
	}
	return tsume.Each(ctx, slices.Values(jobs), b.Workers, b.Memory, func(ctx context.Context, j bareJob, table *dfpn.Table) (struct{}, error) {
		for _, h := range j.hands {
			if !j.known(h) {
				k, err := j.search(ctx, h, table, limit)
				if err == nil && k.Answer != "" {
					err = tell(k)
				}
				if err != nil {
					return struct{}{}, err
				}
			}
			mu.Lock()
			progress.Done, progress.Open = progress.Done+1, progress.Open-1
			if b.Progress != nil {
				b.Progress(progress)
			}
			mu.Unlock()
		}
		return struct{}{}, tell(BareKing{Square: j.square.String(), Pieces: b.Pieces, Nodes: limit})
	}, func(bareJob, struct{}) error { return nil })
}

// search asks whether a hand mates. The result has no answer if the limit was reached.
func (s *bareSquare) search(ctx context.Context, h shogi.Hand, table *dfpn.Table, limit uint64) (BareKing, error) {
	p, err := s.problem(h)
	if err != nil {
		return BareKing{}, err
	}
	found, err := tsume.Solve(ctx, p, table, tsume.Options{Nodes: limit})
	s.nodes += found.Nodes
	if err = cmp.Or(err, ctx.Err()); err != nil || found.Outcome == dfpn.Unknown {
		return BareKing{}, err
	}
	s.add(h, found.Outcome == dfpn.Proven)
	return BareKing{SFEN: p.Position.SFEN(), Answer: Answer(found), Nodes: found.Nodes}, nil
}

// problem returns the problem of a hand.
func (s *bareSquare) problem(h shogi.Hand) (tsume.Problem, error) {
	var board [81]shogi.Piece
	board[s.square] = shogi.PieceOf(shogi.White, shogi.King)
	p, err := shogi.NewPosition(board, [2]shogi.Hand{h, 0}, shogi.Black)
	if err != nil {
		return tsume.Problem{}, err
	}
	return tsume.NewProblem(p.WithRest(shogi.White), tsume.Natural)
}

// add adds an answer, and drops those that follow from it.
func (s *bareSquare) add(h shogi.Hand, mates bool) {
	if mates {
		s.mates = append(slices.DeleteFunc(s.mates, func(m shogi.Hand) bool { return covers(m, h) }), h)
	} else {
		s.noMates = append(slices.DeleteFunc(s.noMates, func(n shogi.Hand) bool { return covers(h, n) }), h)
	}
}

// answer returns what follows for a hand.
func (s *bareSquare) answer(h shogi.Hand) dfpn.Outcome {
	switch {
	case slices.ContainsFunc(s.mates, func(m shogi.Hand) bool { return covers(h, m) }):
		return dfpn.Proven
	case slices.ContainsFunc(s.noMates, func(n shogi.Hand) bool { return covers(n, h) }):
		return dfpn.Disproven
	}
	return dfpn.Unknown
}

// covers reports whether g has all pieces of h.
func covers(g, h shogi.Hand) bool { return g.Larger(h) == g }

func (s *bareSquare) known(h shogi.Hand) bool { return s.answer(h) != dfpn.Unknown }

// result counts the answers.
func (s *bareSquare) result(hands []shogi.Hand) BareKingSquare {
	r := BareKingSquare{Square: s.square.String(), Nodes: s.nodes}
	fewest := 0
	for _, h := range hands {
		switch s.answer(h) {
		case dfpn.Proven:
			if r.Mates++; r.Mates == 1 {
				fewest = h.Len()
			}
			if h.Len() == fewest {
				r.Fewest = append(r.Fewest, h.String())
			}
		case dfpn.Disproven:
			r.NoMates++
		default:
			r.Unknown++
		}
	}
	return r
}

// handsUpTo returns all hands of at most n pieces, the smallest first.
func handsUpTo(n int) []shogi.Hand {
	list := []shogi.Hand{0}
	for k := shogi.Pawn; k <= shogi.Gold; k++ {
		for _, h := range list {
			for h.Count(k) < k.InSet() && h.Len() < n {
				h = h.With(k)
				list = append(list, h)
			}
		}
	}
	slices.SortStableFunc(list, func(g, h shogi.Hand) int { return g.Len() - h.Len() })
	return list
}
