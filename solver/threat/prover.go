package threat

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

// ProverConfig configures a [Prover]. The zero ProverConfig is valid.
type ProverConfig struct {
	// Memory is the approximate number of bytes that the searches may use; 0 means
	// 1 GiB. Trees of proven wins take more, hundreds of bytes per move.
	Memory uint64
	// Nodes is how many positions proof-number search may expand in all; 0 means no
	// limit. [Prover.Prove] fails with [solver.ErrLimit] when they are used up.
	Nodes uint64
}

const (
	defaultMemory = 1 << 30
	// quietWidth is how many moves are tried that are not threats.
	quietWidth = 8
	// buildNodes is how many positions may be searched again to build the tree
	// of a win.
	buildNodes = 20_000
)

// Effort limits the work of a [Prover].
type Effort struct {
	// Nodes is how many positions proof-number search may expand for each
	// question.
	Nodes uint64
	// Quiet is how many quiet moves in a row may be tried.
	Quiet int
	// Threats is how many positions a search for continuous threats may expand;
	// it is at least 300.
	Threats uint64
}

const leastThreats = 300

// Efforts returns efforts to try one after the other, from little to much.
func Efforts() []Effort {
	return []Effort{
		{Nodes: 1000, Quiet: 1},
		{Nodes: 3000, Quiet: 1, Threats: 2000},
		{Nodes: 6000, Quiet: 2, Threats: 2000},
		{Nodes: 20_000, Quiet: 2, Threats: 2000},
		{Nodes: 100_000, Quiet: 3, Threats: 10_000},
	}
}

// covers reports whether e is at least f.
func (e Effort) covers(f Effort) bool {
	return e.Nodes >= f.Nodes && e.Quiet >= f.Quiet && e.Threats >= f.Threats
}

// Prover proves wins by attacks, and reuses earlier results. It belongs to one goroutine.
type Prover struct {
	game    *gomoku.Game
	config  ProverConfig
	threats uint64 // the limit of searches for them
	nodes   uint64 // of searches that were renewed
	board   *gomoku.Board
	attacks *attackBrancher
	search  *solver.Attack[gomoku.Position, gomoku.Square]
	killers map[gomoku.Square]int // how often a reply was not answered
	workers uint64                // that share what they find, each with a Prover
	*findings
}

// findings is what provers have found. Several may share it.
type findings struct {
	mu     sync.Mutex
	trees  map[gomoku.Position]*Tree  // of positions with the attacker to move
	failed map[gomoku.Position]Effort // not enough
	// wins are the proven ones by the attacker's stones and side: a win of one
	// position may win others too.
	wins map[gomoku.Set][]win
}

func (f *findings) tree(p gomoku.Position) *Tree {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.trees[p]
}

func (f *findings) keep(p gomoku.Position, tree *Tree) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trees[p] = tree
}

// winsWith returns the wins with these stones of the attacker.
func (f *findings) winsWith(attackers gomoku.Set) []win {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.wins[attackers]
}

func (f *findings) keepWin(attackers gomoku.Set, w win) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wins[attackers] = append(f.wins[attackers], w)
}

// gaveUp reports whether an effort was in vain before.
func (f *findings) gaveUp(p gomoku.Position, e Effort) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed[p].covers(e)
}

func (f *findings) giveUp(p gomoku.Position, e Effort) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed[p] = e
}

// win is a proven win.
type win struct {
	attacker  gomoku.Side
	defenders gomoku.Set      // the defender's stones
	before    gomoku.Position // a reply led here from there
	tree      *Tree
}

// positionOf returns the position with these stones and the attacker to move.
func positionOf(attacker gomoku.Side, attackers, defenders gomoku.Set) gomoku.Position {
	if attacker == gomoku.White {
		return gomoku.NewPosition(defenders, attackers, attacker)
	}
	return gomoku.NewPosition(attackers, defenders, attacker)
}

// NewProver returns a Prover of wins in positions of g. It fails if the memory is
// too small.
func NewProver(g *gomoku.Game, config ProverConfig) (*Prover, error) {
	if config.Memory == 0 {
		config.Memory = defaultMemory
	}
	return newSharedProver(g, config, 1)
}

// newSharedProver returns the first of a number of provers that share what they find.
func newSharedProver(g *gomoku.Game, config ProverConfig, workers int) (*Prover, error) {
	x := &Prover{
		game: g, config: config, workers: uint64(workers), board: g.NewBoard(g.Start()), killers: map[gomoku.Square]int{},
		findings: &findings{trees: map[gomoku.Position]*Tree{}, failed: map[gomoku.Position]Effort{}, wins: map[gomoku.Set][]win{}},
	}
	return x, x.renew(leastThreats)
}

// share returns another prover that shares what x finds, for another goroutine. Neither may
// renew its searches.
func (x *Prover) share() (*Prover, error) {
	y := *x
	y.board, y.killers = x.game.NewBoard(x.game.Start()), map[gomoku.Square]int{}
	y.nodes = 0
	if err := y.renewThreats(); err != nil {
		return nil, err
	}
	y.search = x.search.Share(y.attacks)
	return &y, nil
}

// renew replaces the searches by ones with another limit of threat searches, and forgets
// what was given up with the old limit.
func (x *Prover) renew(threats uint64) error {
	if x.search != nil {
		x.nodes += x.search.Nodes()
	}
	x.search, x.attacks, x.threats = nil, nil, threats // memory for the new ones
	err := x.renewThreats()
	if err == nil {
		x.search, err = solver.NewAttack(x.game, x.attacks, x.treeMemory())
	}
	return err
}

// renewThreats replaces the search for threats, which nobody shares.
func (x *Prover) renewThreats() error {
	vct, err := NewVCT(x.game, VCTConfig{Nodes: x.threats, TableSize: int64(x.config.Memory / x.workers / 4)})
	if err == nil {
		x.attacks = newAttackBrancher(x.game, vct)
	}
	return err
}

// treeMemory is how many bytes proof-number search may use.
func (x *Prover) treeMemory() uint64 { return x.config.Memory - x.config.Memory/4 }

// Nodes returns how many positions proof-number search has expanded.
func (x *Prover) Nodes() uint64 { return x.nodes + x.search.Nodes() }

// Memory returns the number of bytes that proof-number search uses.
func (x *Prover) Memory() uint64 { return x.search.Memory() }

// Prove searches for a win of the side to move in the unfinished position p. It
// returns nil if it finds none, and an error if ctx ends.
func (x *Prover) Prove(ctx context.Context, p gomoku.Position, e Effort) (*Tree, error) {
	if e.Threats = max(e.Threats, leastThreats); e.Threats != x.threats {
		if err := x.renew(e.Threats); err != nil {
			return nil, err
		}
	}
	x.attacks.ctx = ctx
	return x.prove(ctx, p, gomoku.Position{}, e)
}

// prove is Prove for a position that a reply leads to from before.
func (x *Prover) prove(ctx context.Context, p, before gomoku.Position, e Effort) (*Tree, error) {
	if tree := x.tree(p); tree != nil {
		return tree, nil
	}
	if tree := x.similar(p, before); tree != nil {
		x.keep(p, tree)
		return tree, ctx.Err()
	}
	if x.gaveUp(p, e) {
		return nil, ctx.Err()
	}
	var tree *Tree
	answer, err := x.expand(ctx, p, e.Nodes)
	if err == nil && answer == solver.Yes {
		tree, err = x.build(ctx, p)
	}
	if tree == nil && err == nil && e.Quiet > 0 {
		tree, err = x.quiet(ctx, p, e)
	}
	if err != nil {
		return nil, err
	}
	if tree == nil {
		x.giveUp(p, e)
		return nil, nil
	}
	x.board.Set(p)
	claimWin(x.board, p.ToMove(), tree, "attacks")
	x.keepWin(p.Stones(p.ToMove()), win{p.ToMove(), p.Stones(p.ToMove().Opponent()), before, tree})
	x.keep(p, tree)
	return tree, nil
}

// similar returns a win of a position that differs from p in the defender's stones only: at
// most one more in p, outside the win's zone, and any missing ones, which do not help him
// unless the rule is exact. Wins after other replies in the position before were considered
// there.
func (x *Prover) similar(p, before gomoku.Position) *Tree {
	if x.game.Rules().Exact {
		return nil
	}
	attackers, defenders := p.Stones(p.ToMove()), p.Stones(p.ToMove().Opponent())
	for _, w := range x.winsWith(attackers) {
		more := defenders
		more.RemoveAll(&w.defenders)
		if w.attacker != p.ToMove() || w.before == before || more.Len() > 1 {
			continue
		}
		both := defenders
		both.Intersect(&w.defenders)
		x.board.Set(positionOf(w.attacker, attackers, both))
		zone := w.tree.Zone(x.board, w.attacker)
		if more.Intersect(&zone); more.Empty() {
			x.board.Set(p)
			claimWin(x.board, p.ToMove(), w.tree, "the win of a similar position")
			return w.tree
		}
	}
	return nil
}

// expand searches p within a limit, and within that of all searches.
func (x *Prover) expand(ctx context.Context, p gomoku.Position, nodes uint64) (solver.Answer, error) {
	if all := x.config.Nodes; all > 0 {
		if x.Nodes() >= all {
			return solver.Unknown, solver.ErrLimit
		}
		nodes = min(nodes, all-x.Nodes())
	}
	return x.search.Search(ctx, p, nodes)
}

// build returns the tree of a win that proof-number search has found, or nil if it cannot
// find it again.
func (x *Prover) build(ctx context.Context, p gomoku.Position) (*Tree, error) {
	tree := x.tree(p)
	if tree != nil {
		return tree, nil
	}
	if tree = x.attacks.winOf(p); tree == nil {
		move, ok := x.search.Move(p)
		if !ok {
			answer, err := x.expand(ctx, p, buildNodes)
			if err != nil || answer != solver.Yes {
				return nil, err
			}
			move, _ = x.search.Move(p)
		}
		q := x.game.Play(p, move)
		d, verdict := x.attacks.defend(q)
		if verdict != Proven {
			return nil, ctx.Err()
		}
		var err error
		var open []gomoku.Square
		tree, open, err = x.answer(q, move, d, false, func(r gomoku.Position) (*Tree, error) { return x.build(ctx, r) })
		if len(open) > 0 || err != nil {
			return nil, err
		}
	}
	x.keep(p, tree)
	return tree, nil
}

// answer returns the tree of the win by a move that led to q, where the defender has
// d; prove finds a win after a reply that has no answer yet. If it finds none the reply
// stays open; then answer ends, unless it is to try all replies.
func (x *Prover) answer(q gomoku.Position, move gomoku.Square, d defence, all bool, prove func(gomoku.Position) (*Tree, error)) (tree *Tree, open []gomoku.Square, err error) {
	tree = &Tree{Move: move, Otherwise: d.otherwise}
	var left gomoku.Set
	for _, r := range d.replies {
		if r.Then == nil {
			left.Add(r.Move)
			continue
		}
		tree.Replies = append(tree.Replies, r)
	}
	for _, r := range d.replies {
		if !left.Has(r.Move) {
			continue
		}
		then, err := prove(x.game.Play(q, r.Move))
		if then != nil && err == nil {
			tree.Replies = x.attacks.cover(q, r.Move, then, &left, tree.Replies)
			continue
		}
		x.killers[r.Move]++
		left.Remove(r.Move)
		if open = append(open, r.Move); !all || err != nil {
			return tree, open, err
		}
	}
	tree.Replies = slices.Clone(tree.Replies) // without room to grow
	return tree, open, nil
}

// quiet tries moves after which the attacker wins after a null move.
func (x *Prover) quiet(ctx context.Context, p gomoku.Position, e Effort) (*Tree, error) {
	if fives := x.game.NewBoard(p).Fives(p.ToMove().Opponent()); !fives.Empty() {
		return nil, nil
	}
	moves := x.attacks.candidates(p)
	for _, move := range moves[:min(quietWidth, len(moves))] {
		q := x.game.Play(p, move)
		if _, finished := x.game.Outcome(q); finished {
			continue
		}
		d, verdict, err := x.defend(ctx, q, e)
		if err != nil {
			return nil, err
		}
		if verdict != Proven {
			continue
		}
		x.killersFirst(d.replies)
		tree, open, err := x.answer(q, move, d, false, func(r gomoku.Position) (*Tree, error) {
			return x.prove(ctx, r, q, Effort{e.Nodes, e.Quiet - 1, e.Threats})
		})
		if err != nil {
			return nil, err
		}
		if len(open) == 0 {
			return tree, nil
		}
	}
	return nil, nil
}

// defend is [attackBrancher.defend], with attacks after a null move too.
func (x *Prover) defend(ctx context.Context, q gomoku.Position, e Effort) (d defence, verdict Verdict, err error) {
	if d, verdict = x.attacks.defend(q); verdict == Unknown {
		d.otherwise, err = x.Prove(ctx, q.NullMove(), Effort{Nodes: e.Nodes, Threats: e.Threats})
		if d.otherwise != nil && err == nil {
			d.replies, verdict = x.attacks.answers(q, d.otherwise), Proven
		}
	}
	return d, verdict, err
}

// killersFirst moves replies that were hard to answer before to the front.
func (x *Prover) killersFirst(replies []Reply) {
	slices.SortStableFunc(replies, func(a, b Reply) int { return cmp.Compare(x.killers[b.Move], x.killers[a.Move]) })
}
