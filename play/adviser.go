package play

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/games"
)

// Who has proven a value; a [games.Decider] has names of its own.
const (
	ByRules    = "rules"
	ByDatabase = "database"
	ByProof    = "proof"
)

// held returns what the rules or the database say about a position.
func (s *Searcher[P, M]) held(p P) (games.Advice[M], error) {
	if v, finished := s.game.Outcome(p); finished {
		return games.Advice[M]{Bounds: games.BoundsOf(v), By: ByRules}, nil
	}
	none := games.Advice[M]{Bounds: games.Unbounded}
	if s.cfg.Database == nil {
		return none, nil
	}
	v, known, err := s.cfg.Database.Value(p)
	if err != nil || !known {
		return none, err
	}
	a := games.Advice[M]{Bounds: games.BoundsOf(v), By: ByDatabase}
	a.Line, err = Attaining(s.game, p, a.Lower, func(p P) (games.Bounds, uint64, error) {
		v, known, err := s.cfg.Database.Value(p)
		return boundsIf(known, v), 0, err
	})
	return a, err
}

// Decide returns what is proven about a position: by the rules, by the database, by proofs or by deciders, which are
// asked in turn and share the number of positions, until one has decided it; to win without a distance by a proof
// is not enough. Decide fails if the database does, or if ctx ends.
func (s *Searcher[P, M]) Decide(ctx context.Context, p P, nodes uint64) (games.Advice[M], error) {
	all, err := s.held(p)
	if err != nil || all.By != "" {
		return all, err
	}
	if s.cfg.Proofs != nil {
		all = s.byProofs(p)
	}
	order := games.OrderOf(s.game)
	for _, d := range s.deciders {
		// A proof has no distance, and a decider may.
		if all.Decided(order) && (all.By != ByProof || all.Exact()) || nodes <= all.Nodes {
			break
		}
		a, err := d.Decide(ctx, p, nodes-all.Nodes)
		all.Nodes += a.Nodes
		if err != nil {
			return all, err
		}
		both, err := all.Meet(a.Bounds)
		if err != nil {
			return all, err
		}
		if a.Lower > all.Lower || a.Lower == all.Lower && a.Upper < all.Upper {
			all.By, all.Line = a.By, a.Line
		}
		all.Bounds = both
		if len(a.Left) > 0 {
			all.Left = a.Left
		}
	}
	return all, nil
}

// byProofs returns what proofs say about a position, with a move if they have one that shows it.
func (s *Searcher[P, M]) byProofs(p P) games.Advice[M] {
	b, _ := s.cfg.Proofs.Bounds(p)
	a := games.Advice[M]{Bounds: b}
	if b == games.Unbounded {
		return a
	}
	a.By = ByProof
	if b.Lower > games.Unbounded.Lower {
		a.Line, _ = Attaining(s.game, p, b.Lower, func(p P) (games.Bounds, uint64, error) { // it fails only if this does
			b, rank := s.cfg.Proofs.Bounds(p)
			return b, rank, nil
		})
	}
	return a
}

// boundsIf returns the bounds of a value, if it is known.
func boundsIf(known bool, v games.Value) games.Bounds {
	if known {
		return games.BoundsOf(v)
	}
	return games.Unbounded
}

// Attaining returns a line of one move that is worth at least lower in a position, nil if the rules and a function that
// returns bounds and a rank show none. Of several it is the first of those after which the rank is the least; 0 is that
// of the end of the game.
func Attaining[P, M comparable](g games.Game[P, M], p P, lower games.Value, bounds func(p P) (games.Bounds, uint64, error)) (line []M, err error) {
	scorer, _ := games.As[games.Scorer[P, M]](g)
	var least uint64
	for _, m := range g.AppendMoves(nil, p) {
		q := g.Play(p, m)
		var after games.Bounds
		var rank uint64
		if v, finished := g.Outcome(q); finished {
			after = games.BoundsOf(v)
		} else if after, rank, err = bounds(q); err != nil {
			return nil, err
		}
		gain := 0
		if scorer != nil {
			gain = scorer.Gain(p, m)
		}
		if after != games.Unbounded && after.Backup(gain).Lower >= lower && (line == nil || rank < least) {
			if line, least = []M{m}, rank; rank == 0 {
				break
			}
		}
	}
	return line, nil
}

const (
	// A search that is to ask deciders first leaves them a share of its positions or of its time, one in decidersShare, or
	// one in plainShare if they do what it does by itself. Those are not asked with less than plainLeast positions: what
	// they look at in any case would be much of a small share.
	decidersShare = 4
	plainShare    = 32
	plainLeast    = 1000
	// unlimited is how many positions they search at most if those are not limited, and shallowNodes if the depth alone is or
	// a book has the position.
	unlimited    = 250_000
	shallowNodes = 10_000
)

// arePlain reports whether deciders do no more than search all moves.
func arePlain[P, M comparable](deciders []games.Decider[P, M]) bool {
	for _, d := range deciders {
		if _, plain := d.(games.PlainDecider); !plain {
			return false
		}
	}
	return true
}

// advise returns what is proven about the position of a query: by the rules or the database or, if the query wants
// that, by proofs and by the deciders within their share, which is small where a book has moves. It takes what they have searched off the
// limits of the run.
func (s *Searcher[P, M]) advise(ctx context.Context, r *run[P, M], p P, booked bool) (games.Advice[M], error) {
	if !r.query.advised() {
		return s.held(p)
	}
	nodes := uint64(unlimited)
	soft := cmp.Or(r.soft, r.hard)
	share := uint64(decidersShare)
	if s.plain {
		share = plainShare
	}
	if limit := r.query.Nodes; limit > 0 {
		nodes = max(limit/share, 1)
	} else if r.query.Depth > 0 && soft == 0 {
		nodes = shallowNodes
	}
	if booked {
		nodes = min(nodes, shallowNodes)
	}
	if s.plain && nodes < plainLeast {
		return s.Decide(ctx, p, 0)
	}
	if soft > 0 {
		limited, cancel := context.WithTimeout(ctx, soft/time.Duration(share))
		defer cancel()
		ctx = limited
	}
	a, err := s.Decide(ctx, p, nodes)
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) { // what was found by then counts
		err = nil
	}
	if limit := &r.query.Nodes; *limit > 0 {
		*limit = max(*limit, a.Nodes+1) - a.Nodes
	}
	return a, err
}

// proven returns the line that the deciders have proven to be best, nil if there is none that answers the query.
func (s *Searcher[P, M]) proven(r *run[P, M], a games.Advice[M]) *Line[M] {
	q := &r.query
	if !q.advised() || len(a.Line) == 0 || !a.Decided(games.OrderOf(s.game)) ||
		len(q.Only) > 0 && !slices.Contains(q.Only, a.Line[0]) {
		return nil
	}
	result, _ := a.Result()
	bound := a.Lower
	if result == games.Lost {
		bound = a.Upper
	}
	// Without a distance a search knows better how to win soon, or what is hard to win against, but perhaps not what a
	// proof knows.
	if plies, ok := bound.Plies(); s.plain && a.By != ByProof && (!ok || plies == games.MaxPlies) {
		return nil
	}
	switch result {
	case games.Lost:
		return &Line[M]{ScoreOf(a.Upper), a.Line}
	case games.Won: // each answer by itself might go round in a circle
		w := s.workers[0]
		w.cursor.Do(a.Line[0])
		repeats := slices.Contains(w.keys, w.cursor.Key())
		w.cursor.Undo()
		if repeats {
			return nil
		}
	}
	return &Line[M]{ScoreOf(a.Lower), a.Line}
}

// first puts a line before those of other moves, and returns at most a number of them.
func first[M comparable](line Line[M], others []Line[M], most int) []Line[M] {
	lines := []Line[M]{line}
	for _, x := range others {
		if x.Moves[0] != line.Moves[0] && len(lines) < most {
			lines = append(lines, x)
		}
	}
	return lines
}
