package threat

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

// ProverConfig configures a [Prover]. The zero ProverConfig is valid.
type ProverConfig struct {
	// Memory is the approximate number of bytes that the searches may use; 0 means
	// 1 GiB. Trees of proven wins take additional memory, hundreds of bytes per move.
	Memory uint64
	// Nodes is how many positions proof-number search may expand in total; 0 means no
	// limit. [Prover.Prove] fails with [solver.ErrLimit] when they are used up.
	Nodes uint64
}

const (
	defaultMemory = 1 << 30
	// threatNodes limits each search for continuous threats. Ten times as many nodes find
	// hardly more wins; a tenth leaves twice as many replies to proof-number search, which
	// needs hundreds of positions for such a win.
	threatNodes = 30_000
	// buildNodes is how many positions may be searched again to build the tree
	// of a win.
	buildNodes = 20_000
)

// Prover proves wins by attacks, and reuses earlier results. It belongs to one goroutine.
type Prover struct {
	game    *gomoku.Game
	config  ProverConfig
	board   *gomoku.Board
	attacks *attackBrancher
	search  *solver.Attack[gomoku.Position, gomoku.Square]
	workers *workers // nil if x works alone
	// expanded counts the positions of its searches, including those that others have expanded
	// for it.
	expanded uint64
	*findings
}

// findings holds the results of provers. Several provers may share it.
type findings struct {
	mu    sync.Mutex
	trees map[gomoku.Position]*Tree // of positions with the attacker to move
	// wins indexes some of these wins by the attacker's stones: a win of one position may
	// win others too. bases maps their trees to the positions where they were proven.
	wins  map[gomoku.Set][]win
	bases map[*Tree]gomoku.Position
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

// win is a proven win of the side to move. Its zone and its size are computed on demand:
// for a whole proof that takes long.
type win struct {
	position gomoku.Position
	tree     *Tree
	zone     func() gomoku.Set
	size     func() int
}

// mostAgain is the size of the largest win whose zone is computed again for another position:
// for a whole proof that takes seconds.
const mostAgain = 20_000

// winsWith returns the wins with the given stones of the attacker.
func (f *findings) winsWith(attackers gomoku.Set) []win {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.wins[attackers]
}

// keepWin keeps a win, unless its tree is already known from another position. It returns
// the zone in the position where the tree was proven.
func (x *Prover) keepWin(p gomoku.Position, tree *Tree) (zone func() gomoku.Set) {
	x.mu.Lock()
	defer x.mu.Unlock()
	base, ok := x.bases[tree]
	if !ok {
		base = p
	}
	zone = sync.OnceValue(func() gomoku.Set { return tree.Zone(x.game.NewBoard(base), p.ToMove()) })
	if !ok {
		attackers := p.Stones(p.ToMove())
		x.wins[attackers], x.bases[tree] = append(x.wins[attackers], win{p, tree, zone, sync.OnceValue(tree.Size)}), p
	}
	return zone
}

// ghosts returns the defender's stones that were on the board when a tree was proven and
// that are missing in q, where the defender is to move.
func (f *findings) ghosts(tree *Tree, q gomoku.Position) (stones gomoku.Set) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if base, ok := f.bases[tree]; ok {
		here := q.Stones(q.ToMove())
		stones = base.Stones(q.ToMove())
		stones.RemoveAll(&here)
	}
	return stones
}

// provenIn returns the positions where the trees of wins were proven.
func (f *findings) provenIn() map[*Tree]gomoku.Position {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.bases)
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
	x := &Prover{
		game: g, config: config,
		findings: &findings{trees: map[gomoku.Position]*Tree{}, wins: map[gomoku.Set][]win{}, bases: map[*Tree]gomoku.Position{}},
	}
	vct, err := NewVCT(g, VCTConfig{Nodes: threatNodes, TableSize: int64(config.Memory / 4)})
	if err != nil {
		return nil, err
	}
	x.prepare(vct)
	if x.search, err = solver.NewAttack(nullGame{g}, x.attacks, x.treeMemory()); err != nil {
		return nil, err
	}
	x.search.Answered, x.search.Aside = x.answered, g.Rules().Exact
	return x, nil
}

// share returns a prover for another goroutine that shares its tree, its table of threats
// and its findings with x.
func (x *Prover) share() *Prover {
	y := &Prover{game: x.game, config: x.config, findings: x.findings}
	y.prepare(x.attacks.vct.share())
	y.search = x.search.Share(y.attacks)
	y.search.Answered, y.search.Aside = y.answered, x.search.Aside
	return y
}

// prepare creates the parts, other than its searches, that a prover does not share with
// its helpers.
func (x *Prover) prepare(vct *VCT) {
	x.board, x.attacks = x.game.NewBoard(x.game.Start()), newAttackBrancher(x.game, vct)
	x.attacks.afterNullMove = x.afterNullMove
	x.attacks.first = openings(x.game)
	x.attacks.known = func(p gomoku.Position) *Tree { return x.known(p, false) }
}

// nullGame is a game with null moves.
type nullGame struct{ *gomoku.Game }

// nullMove is the move of a side that passes.
const nullMove = gomoku.NoSquare

func (g nullGame) Play(p gomoku.Position, s gomoku.Square) gomoku.Position {
	if s == nullMove {
		return p.NullMove()
	}
	return g.Game.Play(p, s)
}

// treeMemory is how many bytes proof-number search may use.
func (x *Prover) treeMemory() uint64 { return x.config.Memory - x.config.Memory/4 }

// Nodes returns how many positions proof-number search has expanded.
func (x *Prover) Nodes() uint64 { return x.expanded }

// Memory returns the number of bytes that proof-number search uses.
func (x *Prover) Memory() uint64 { return x.search.Memory() }

// Prove searches for a win of the side to move in the unfinished position p, and expands at
// most nodes positions. It returns nil if it finds none, and an error if ctx ends. Called
// again, it continues where it stopped.
func (x *Prover) Prove(ctx context.Context, p gomoku.Position, nodes uint64) (*Tree, error) {
	if tree := x.known(p, true); tree != nil {
		return tree, ctx.Err()
	}
	answer, err := x.expand(ctx, p, true, solver.Limits{Nodes: nodes})
	if err != nil || answer != solver.Proven {
		return nil, err
	}
	tree, err := x.build(p)
	if tree != nil {
		x.keepWin(p, tree)
	}
	return tree, err
}

// Numbers returns the proof and the disproof number of a position that was searched. If the
// latter is 0 there is nothing more to try, which proves nothing.
func (x *Prover) Numbers(p gomoku.Position) (proof, disproof uint32) {
	proof, disproof, _, ok := x.search.Open(p, true)
	if !ok {
		return 1, 1
	}
	return proof, disproof
}

// expand searches p within the limits l and the prover's limit of nodes for all searches.
func (x *Prover) expand(ctx context.Context, p gomoku.Position, attackerToMove bool, l solver.Limits) (solver.Outcome, error) {
	if all := x.config.Nodes; all > 0 {
		if x.Nodes() >= all {
			return solver.Unknown, solver.ErrLimit
		}
		l.Nodes = min(l.Nodes, all-x.Nodes())
	}
	if x.workers != nil {
		return x.workers.search(ctx, x, p, attackerToMove, l)
	}
	x.attacks.ctx = ctx
	before := x.search.Nodes()
	answer, err := x.search.Search(ctx, p, attackerToMove, l)
	x.expanded += x.search.Nodes() - before
	if answer != solver.Proven {
		answer = solver.Unknown
	}
	return answer, err
}

// known returns a known win of p, or of a position that differs from p only in the
// defender's stones: p may have at most one more, outside the win's zone, and may lack any
// number, which does not help him unless the rule is exact. Missing stones can make the
// zone smaller, which is taken into account only if exactly is set: that takes much longer,
// and the win may not be an answer in a tree, where it must do without any of them.
func (x *Prover) known(p gomoku.Position, exactly bool) *Tree {
	if tree := x.tree(p); tree != nil || x.game.Rules().Exact {
		return tree
	}
	attacker := p.ToMove()
	attackers := p.Stones(attacker)
	for _, w := range x.winsWith(attackers) {
		defenders := w.position.Stones(attacker.Opponent())
		more, missing := p.Stones(attacker.Opponent()), defenders
		missing.RemoveAll(&more)
		if more.RemoveAll(&defenders); w.position.ToMove() != attacker || more.Len() > 1 {
			continue
		}
		var zone gomoku.Set
		if exactly {
			if w.size() > mostAgain {
				continue
			}
			defenders.RemoveAll(&missing)
			x.board.Set(positionOf(attacker, attackers, defenders))
			zone = w.tree.Zone(x.board, attacker)
		} else {
			zone = w.zone()
		}
		if more.Intersect(&zone); more.Empty() {
			x.board.Set(p)
			claimWin(x.board, p.ToMove(), w.tree, "the win of a similar position")
			if !exactly {
				x.keep(p, w.tree)
			}
			return w.tree
		}
	}
	return nil
}

// afterNullMove returns the win of p, a position after a null move, if it was proven: nil
// if its tree cannot be built.
func (x *Prover) afterNullMove(p gomoku.Position) (tree *Tree, proven bool) {
	tree = x.tree(p)
	if _, proven = x.search.Move(p); tree != nil || !proven {
		return tree, tree != nil
	}
	tree, err := x.build(p)
	return tree, err == nil
}

// answered builds the win after a reply in q, where the defender has several, and uses it: it may
// also answer other replies, and win similar positions.
func (x *Prover) answered(q gomoku.Position, reply gomoku.Square) {
	_, _, open, _ := x.search.Open(q, false)
	if len(open) == 0 {
		return
	}
	r := x.game.Play(q, reply)
	tree, err := x.build(r)
	if tree == nil || err != nil || x.game.Rules().Exact {
		return // under the exact rule it answers no other
	}
	zone := x.keepWin(r, tree)()
	var left gomoku.Set
	for _, o := range open {
		left.Add(o.Move)
	}
	var moves []gomoku.Square
	for _, other := range x.attacks.cover(q, reply, tree, &left, nil) {
		if moves = append(moves, other.Move); !zone.Has(other.Move) {
			x.keep(x.game.Play(q, other.Move), tree)
		}
	}
	x.search.Answer(q, moves)
}

// proven reports whether the search has proven the position q, where the defender is to move.
func (x *Prover) proven(q gomoku.Position) bool {
	proof, _, _, ok := x.search.Open(q, false)
	return ok && proof == 0
}

// build returns the tree of a win that proof-number search has found, or nil if it cannot
// find it again.
func (x *Prover) build(p gomoku.Position) (*Tree, error) {
	tree := x.tree(p)
	if tree != nil {
		return tree, nil
	}
	if err := x.attacks.ctx.Err(); err != nil {
		return nil, err
	}
	move, ok := x.search.Move(p)
	if !ok || !x.proven(x.game.Play(p, move)) {
		tree = x.attacks.winOf(p)
	}
	if tree == nil {
		if !ok {
			// The search of x may be running, or another one started by build.
			again := x.search.Share(x.attacks)
			answer, err := again.Search(x.attacks.ctx, p, true, solver.Limits{Nodes: buildNodes})
			x.expanded += again.Nodes()
			if err != nil || answer != solver.Proven {
				return nil, err
			}
			if move, ok = x.search.Move(p); !ok {
				return nil, nil
			}
		}
		q := x.game.Play(p, move)
		d, verdict, err := x.defend(q)
		if verdict != Proven {
			return nil, err
		}
		var open bool
		if tree, open, err = x.answer(q, move, d); open || err != nil {
			return nil, err
		}
		x.board.Set(p)
		claimWin(x.board, p.ToMove(), tree, "attacks")
	}
	x.keep(p, tree)
	return tree, nil
}

// defend is [attackBrancher.defend], but the win after a null move may also be one that
// proof-number search has found.
func (x *Prover) defend(q gomoku.Position) (d defence, verdict Verdict, err error) {
	if d, verdict = x.attacks.defend(q); verdict == Unknown {
		if d.otherwise, err = x.build(q.NullMove()); d.otherwise != nil && err == nil {
			d.replies, verdict = x.attacks.answers(q, d.otherwise), Proven
		}
	}
	return d, verdict, err
}

// answer returns the tree of the win by a move that led to q, where the defender has
// the defence d; open says that a reply has no answer.
func (x *Prover) answer(q gomoku.Position, move gomoku.Square, d defence) (tree *Tree, open bool, err error) {
	tree = &Tree{Move: move, Otherwise: d.otherwise}
	var left gomoku.Set
	for _, r := range d.replies {
		if r.Then == nil {
			left.Add(r.Move)
			continue
		}
		tree.Replies = append(tree.Replies, r)
	}
	for _, found := range []bool{true, false} { // wins already found may answer other replies
		for _, r := range d.replies {
			p := x.game.Play(q, r.Move)
			if !left.Has(r.Move) || found && x.tree(p) == nil {
				continue
			}
			then, err := x.build(p)
			if then == nil || err != nil {
				return nil, true, err
			}
			tree.Replies = x.attacks.cover(q, r.Move, then, &left, tree.Replies)
			// In a certificate the tree also answers the stones with which it was proven.
			ghosts := x.ghosts(then, q)
			left.RemoveAll(&ghosts)
			ghosts.Remove(r.Move)
			for s := range ghosts.All() {
				tree.Replies = append(tree.Replies, Reply{s, then})
			}
		}
	}
	tree.Replies = slices.Clone(tree.Replies) // without spare capacity
	return tree, false, nil
}
