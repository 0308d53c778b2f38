package app

import (
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
	"github.com/yomikiri/yomikiri/play/learn"
	"github.com/yomikiri/yomikiri/play/measure"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// Family is a game with all its rule variants, as a program offers it. [New] makes one.
type Family struct {
	*games.Info
	// Large says that the game is too large to solve, whatever the rules, and Instead names the
	// commands to use then.
	Large   bool
	Instead string
	// Attack describes the searches for attacks, empty if there are none.
	Attack string
	// Records are the notations of whole games that only some games have.
	Records []*RecordFormat
	// Resignation is a model of when players of the game resign, nil if there is none.
	Resignation *measure.Resignation

	extras int // how many were given
	open   func(f *Family, rules games.Rules) *Game
}

// New joins a game to the engines, perhaps with an [Extra]. This compiles the engines for the game's
// own types of position and move; nothing above this package is.
func New[G games.Game[P, M], P, M comparable](f *games.Family[G], extra ...Extra[G, P, M]) *Family {
	return newFamily(f, nil, extra)
}

// NewScored is [New] for a game whose values are scores: see [games.Scorer]. It also compiles proof searches that
// ask for points, and their checker.
func NewScored[G interface {
	games.Game[P, M]
	games.Scorer[P, M]
}, P, M comparable](f *games.Family[G], extra ...Extra[G, P, M]) *Family {
	return newFamily(f, &points[P, M]{newScoreProver[P, M], proof.Check[P, M]}, extra)
}

func newFamily[G games.Game[P, M], P, M comparable](f *games.Family[G], scores *points[P, M], extra []Extra[G, P, M]) *Family {
	a := &Family{Info: &f.Info, Instead: "prove", extras: len(extra)}
	var x Extra[G, P, M]
	if len(extra) > 0 {
		x = extra[0]
	}
	a.Resignation = x.Resignation
	if a.Large = x.Large; x.Instead != "" {
		a.Instead = x.Instead
	}
	if x.Attack != nil {
		a.Attack = x.Attack.Help
	}
	a.Records = formatsOf(x.Records)
	a.open = func(a *Family, r games.Rules) *Game {
		g := f.New(r)
		t := &typed[G, P, M]{game: g, own: g, points: scores, family: f, extra: x}
		t.indexer, _ = any(g).(games.Indexer[P])
		return t.hide(a, r)
	}
	return a
}

// Check refuses a game that is not described well.
func (f *Family) Check() error {
	if err := f.Info.Check(); err != nil {
		return err
	}
	if f.extras > 1 {
		return fmt.Errorf("the game %s is listed with %d extras: want at most one", f.Name, f.extras)
	}
	return nil
}

// Open opens the game that spec names; see [games.Family.Open].
func (f *Family) Open(spec string) (*Game, error) {
	r, err := f.Info.Rules(spec)
	if err != nil {
		return nil, InputError{err}
	}
	return f.Under(r, r)
}

// Under opens the game under some rules, perhaps those of a part of the game that was asked for. It
// fails if the game breaks its promises, or if its name differs from that of the rules, since
// databases of different rules could then not be told apart.
func (f *Family) Under(rules, asked games.Rules) (*Game, error) {
	g := f.open(f, rules)
	if g.Name() != rules.String() {
		return nil, fmt.Errorf("the game %s calls itself %q: its Name must return Rules.String()", rules, g.Name())
	}
	if err := g.promises(); err != nil {
		return nil, err
	}
	if asked.String() != rules.String() {
		g.Asked = f.open(f, asked)
	}
	return g, nil
}

// Game is a game under some rules: its [Board], and what it has. A function that is nil, or a record,
// says that the game has no such thing.
type Game struct {
	Board
	Family *Family
	Rules  games.Rules
	// Asked is the game that was asked for, if this is only a part of it; else this game.
	Asked *Game
	// Plain is the same game without the database that adjudicates it; see Over.
	Plain Board

	Analysis
	Proofs
	Playing
	Learning

	// Records are those of the family, under the rules of the game.
	Records []GameFormat
	// Japanese is a move in Japanese notation.
	Japanese func(p Position, m Move) string
	// Finder looks for something in a position.
	Finder *Finder

	promises func() error
}

// ByScore reports whether the values of the game are scores.
func (g *Game) ByScore() bool { return games.OrderOf(g.Board) == games.ByScore }

// Ends reports whether the game always ends.
func (g *Game) Ends() bool { return ends(g.Board) }

// Analysis is what retrograde analysis and databases need.
type Analysis struct {
	// Numbered reports whether positions have numbers. Otherwise Number numbers them; it returns how
	// many bytes that takes. CheckNumber fails if that takes too much memory.
	Numbered    func() bool
	Number      func(ctx context.Context, o games.NumberOptions) (memory uint64, err error)
	CheckNumber func(ctx context.Context, o games.NumberOptions) error
	// Universe returns the positions, once they are numbered, and At the one with a number.
	Universe func() (*games.Universe, error)
	At       func(index uint64) (Position, bool)
	// Database looks up positions in a database of the game, once they are numbered.
	Database func(d *db.DB) (Database, error)
	// Over returns the game that was asked for, adjudicated by the database. Errors of the database are passed to
	// fail; see [db.Adjudicate].
	Over func(d Database, fail func(error)) (*Game, error)
	// Adjudicator is the database by which the game is adjudicated, nil if there is none.
	Adjudicator Database
}

// Proofs is what finds and checks proofs.
type Proofs struct {
	// Prover returns a proof search of a position.
	Prover func(root Position, c solver.Config) (Prover, error)
	// Extract makes a proof from the values of a database of the game or of a part of it; it does not rest on them.
	Extract func(ctx context.Context, root Position, d Database, c solver.ExtractConfig) (Extracted, error)
	// Points searches for a score.
	Points func(root Position, o PointOptions) (PointSearch, error)
	// Attack looks only for wins of the side to move, nil if the game has no such search.
	Attack *Attacks

	// Rules are those of a proof tree, with the database that adjudicates the game. Backends returns back ends that search its leaves,
	// and ScoreBackends those that give scores too, which suit a game if SuitsScores. Evaluator returns an evaluator for
	// the back ends of another process, nil if the game's positions take no time to evaluate.
	TreeRules     func() manager.Rules
	Backends      func(c solver.Config, number int) ([]solver.Backend, error)
	ScoreBackends func(memory uint64, number int) ([]solver.Backend, error)
	Evaluator     func() solver.Evaluator
	SuitsScores   bool

	// Check checks a proof by the game's second, independent rules if it has any, and otherwise
	// by its own. Verify is that of [Extra]. Guesses says that what the search finds may be wrong until its
	// proof is checked.
	Check   func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error)
	Verify  func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (fmt.Stringer, error)
	Guesses bool
	// Player returns a player by proofs, which rest on a database unless that is nil.
	Player func(d proof.Database) (ProofPlayer, error)
	// Proven returns the values of the game's positions that proofs will be added to.
	Proven func() Proven
	// CertificateLine is that of [Extra].
	CertificateLine func(ctx context.Context, game, position string, certificate []byte) ([]string, error)
}

// Prover searches for the value of a position.
type Prover interface {
	// Solve returns what was asked, and whether the value is known. It fails with
	// [solver.ErrLimit] if it is not.
	Solve(ctx context.Context) (list []Asked, known bool, err error)
	Header() proof.Header
	WriteProof(ctx context.Context, w *proof.Writer) error
}

// Extracted is a proof that was made from values.
type Extracted interface {
	Header() proof.Header
	WriteProof(w *proof.Writer) error
}

// Asked is a question of a [Prover]: whether a side wins, or gets at least some points.
type Asked struct {
	solver.Asked
	AtLeast *int // nil in a game without scores
}

// Attacks are searches for wins of the side to move; see [Attack].
type Attacks struct {
	// Default reports whether a position is attacked unless the user says otherwise.
	Default  func(root Position) bool
	New      func(root Position, memory, nodes uint64) (Attacker, error)
	Backends func(memory uint64, number int) ([]solver.Backend, error)
	Adapt    func(proof []byte, position string) ([]byte, bool)
}

// Playing is what judges positions that are not solved.
type Playing struct {
	// Evaluation returns the evaluation that the game comes with.
	Evaluation func() (*play.Evaluation, error)
	// Search returns an engine; see [play.New]. Its proofs are a [Proven] of the game.
	Search func(c play.Config[Position]) (play.Engine[Position, Move], error)
	// Sequences counts the sequences of depth moves from a position, at least 1, for each first move.
	Sequences func(ctx context.Context, p Position, depth int, each func(first Move, n uint64)) error
}

// Learning is what learns from games; see package learn.
type Learning struct {
	Teacher func(e *play.Evaluation, l learn.Lessons[Position], x *learn.Examples) (Teacher, error)
	Agree   func(ctx context.Context, e *play.Evaluation, list []LearnedGame, heldOut, most int, nodes uint64, progress games.Progress) (*learn.Agreement, error)
}

// LearnedGame is a game to learn from.
type LearnedGame = learn.Game[Position, Move]

// Teacher makes examples from games; see [learn.Teacher].
type Teacher interface {
	Add(g *LearnedGame) error
}

// Finder is the [Search] of a game.
type Finder struct {
	Name, Title string
	Asks        []string
	Houses      []string
	// Read reads a position whose text may leave open where pieces are; nil if the board reads positions.
	Read func(position, hands string) (p Position, used string, err error)
	Run  func(ctx context.Context, p Position, o SearchOptions) (Found, error)
}
