package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/measure"
	"github.com/yomikiri/yomikiri/proof"
	"github.com/yomikiri/yomikiri/solver"
)

// Extra is what one game has beyond the others. All fields are optional.
type Extra[G games.Game[P, M], P, M comparable] struct {
	// Brancher returns a brancher that sees more in positions than the rules do, such as
	// threats. Proof searches use it, and no value is believed that is not verified.
	Brancher func(g G) solver.Brancher[P, M]
	// Attack searches for wins by other means than the general search: prove --attack.
	Attack *Attack[G, P]
	// Decider returns a decider for the game, or nil if there is none under these rules; memory is about how many bytes
	// it may take. If Decider itself is nil, positions are decided where a plain search comes to the end.
	Decider func(g G, memory uint64) (games.Decider[P, M], error)
	// Points searches for the score of a position, for prove --tree in a game with scores.
	Points func(g G, root P, o PointOptions) (PointSearch, error)

	// Check checks a proof by a second, independent set of rules; see [CheckBy]. It must be
	// able to check the certificates of Brancher and Attack.
	Check func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error)
	// Verify checks a proof, as Check does or more thoroughly, before a value is printed.
	// It returns what was done: prove prints its text and, with --json, the value as a record.
	// If it is nil, the proof is checked as yomikiri check does.
	Verify func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (fmt.Stringer, error)
	// Player makes a player of a game, as the proofs name it, that plays by proofs and the
	// rules of Check; see [PlayBy]. Database is the one that the proofs rest on, nil for none.
	Player func(game string, database proof.Database) (ProofPlayer, error)
	// CertificateLine returns a line of play by a certificate of a proof of the game, as the proof
	// names it, for a side to move that wins by it. It checks the certificate.
	CertificateLine func(ctx context.Context, game, position string, certificate []byte) ([]string, error)

	// Japanese is a move in the game's Japanese notation, for serve.
	Japanese func(p P, m M) string
	// Search looks for something in a position by itself, for serve.
	Search *Search[G, P, M]
	// Records are the notations in which games are read and written, the usual one first.
	Records []Format[G, P, M]
	// Resignation is a model of when players of the game resign.
	Resignation *measure.Resignation

	// Large says that the game is too large to solve, whatever the rules.
	Large bool
	// Instead names the commands for games that are too large to solve; "prove" if empty.
	Instead string
}

// Attack makes searches that look only for wins of the side to move. They may miss a win, and
// what they find is verified before it is printed.
type Attack[G, P any] struct {
	// Help says by what the game attacks and when that is the default, in a line for the help
	// of prove.
	Help string
	// Default reports whether prove attacks the start position unless the user says otherwise;
	// nil if it never does.
	Default func(g G) bool
	// New returns a search of an unfinished position, with limits of memory in bytes and of
	// positions; 0 means no limit.
	New func(g G, position P, memory, nodes uint64) (Attacker, error)
	// Backends returns a number of back ends for a proof tree, which share the memory: prove
	// --attack --tree. It may be nil.
	Backends func(g G, memory uint64, number int) ([]solver.Backend, error)
	// Adapt makes proofs for positions from those of similar ones, as a [manager.Adapter]
	// does. It may be nil.
	Adapt func(g G, proof []byte, position string) ([]byte, bool)
}

// Attacker searches a position for a win of the side to move.
type Attacker interface {
	// Search looks at up to a number of positions more, and reports whether there is a win. It
	// fails with [solver.ErrLimit] at the limit of nodes or of memory.
	Search(ctx context.Context, nodes uint64) (bool, error)
	// Numbers returns the proof and the disproof number of the position. If the latter is 0
	// there is nothing more to try.
	Numbers() (proof, disproof uint32)
	// Nodes returns the number of positions searched, and Memory the bytes in use.
	Nodes() uint64
	Memory() uint64
	// WriteProof writes a proof of the win that was found, unless ctx ends.
	WriteProof(ctx context.Context, w *proof.Writer) error
}

// PointSearch finds the score of a position by a search of its own, whose results stay in a
// directory. It belongs to one goroutine.
type PointSearch interface {
	// Solve finds bounds of the score; they are equal unless it fails.
	Solve(ctx context.Context) (lower, upper int, err error)
	// Line returns a line of best play, after Solve, and the points at its end, as in 16:20.
	Line(ctx context.Context) (moves []string, end string, err error)
	// Prove makes the proof of the score, and returns the header of its file.
	Prove(ctx context.Context) (proof.Header, error)
	WriteProof(ctx context.Context, w *proof.Writer) error
	// Nodes returns how many positions were searched, and Memory how many bytes that takes.
	Nodes() uint64
	Memory() uint64
	Close() error
}

// PointOptions are options of a [PointSearch].
type PointOptions struct {
	Dir    string // for results; none are kept if it is empty
	Memory uint64 // for the search and its proofs
	Nodes  uint64 // limit of positions for each question of the search, 0 for none
	// Progress is called about every so often.
	Progress func(PointProgress)
	Every    time.Duration
}

// PointProgress is how far a [PointSearch] is.
type PointProgress struct {
	Seconds float64 `json:"seconds"`
	// Points is the question: does the side to move get this many points?
	Points int `json:"points"`
	// Nodes is the number of positions searched, and Kept how many have results in the directory.
	Nodes uint64 `json:"nodes"`
	Kept  uint64 `json:"kept"`
	// Path says at which move of each position the search is, from the root on.
	Path []PointStep `json:"path"`
	// Written and Positions are the nodes of the proof so far, and the positions left to the check.
	Written   uint64 `json:"written"`
	Positions uint64 `json:"positions"`
}

// PointStep is a move of a position that is searched: which, and of how many.
type PointStep struct {
	At int `json:"at"`
	Of int `json:"of"`
}

// ProofPlayer plays by proofs, as a [proof.Player] does.
type ProofPlayer interface {
	Add(ctx context.Context, g *proof.Graph) error
	Reply(ctx context.Context, position string) (proof.Reply, bool, error)
}

// CheckBy returns Check of an [Extra] for second rules of a game without scores. Open opens the game under these rules, and
// returns false if it does not know the name.
func CheckBy[G games.Game[P, M], P, M comparable](open func(name string) (G, bool)) func(context.Context, *proof.Reader, proof.CheckOptions) (proof.Report, error) {
	return func(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
		g, ok := open(r.Header().Game)
		if !ok {
			return proof.Report{}, fmt.Errorf("no second rules for %s", r.Header().Game)
		}
		return proof.CheckResult(ctx, r, games.Game[P, M](g), o)
	}
}

// PlayBy returns Player of an [Extra] for the same rules.
func PlayBy[G games.Game[P, M], P, M comparable](open func(name string) (G, bool)) func(game string, database proof.Database) (ProofPlayer, error) {
	return func(name string, database proof.Database) (ProofPlayer, error) {
		g, ok := open(name)
		if !ok {
			return nil, InputError{fmt.Errorf("no second rules for %s", name)}
		}
		return proof.NewPlayer(games.Game[P, M](g), database), nil
	}
}

// InputError is an error in what the user asked for. [errors.Is] reports it as ErrInput.
type InputError struct{ Err error }

// ErrInput is what every [InputError] is.
var ErrInput = errors.New("bad input")

// Is reports whether target is [ErrInput].
func (InputError) Is(target error) bool { return target == ErrInput }

func (e InputError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e InputError) Unwrap() error { return e.Err }

// Search looks for something in a position, under a name and a title of its own.
type Search[G games.Game[P, M], P, M comparable] struct {
	// Name is the name in paths. If it is that of the game, the page of the game has the search.
	Name, Title string
	// Read reads a position whose text may leave open where the pieces are that it does not show,
	// such as those of mate problems. hands is what the user says of them, empty if nothing. It
	// returns how they were read, empty if the text shows all. Read is nil if the game reads positions.
	Read func(position, hands string) (p P, used string, err error)
	// Run searches a position that is not finished.
	Run func(ctx context.Context, g G, p P, o SearchOptions) (SearchResult[P, M], error)
	// Asks is what Run can be asked for; see [AskShortest] and the others.
	Asks []string
	// Houses are the names of the rules to judge by, with [AskJudge], the usual ones first.
	Houses []string
}

// SearchOptions say what a search is to find, and its limits.
type SearchOptions struct {
	Nodes  uint64 // 0 for no limit
	Time   time.Duration
	Memory uint64 // bytes of its tables
	// Hands says how the pieces of the position were read, as Read of the [Search] returns it.
	Hands string
	// Ask has what is to be found, some of Asks.
	Ask []string
	// Intended are the moves that are judged, with [AskJudge], and Rules what they are judged by, empty for the
	// usual rules.
	Intended []string
	Rules    string
}

// Asked reports whether something is asked for.
func (o *SearchOptions) Asked(what string) bool { return slices.Contains(o.Ask, what) }

// What a search can be asked for.
const (
	AskShortest     = "shortest"     // the shortest win
	AskAlternatives = "alternatives" // other moves along the line that win too
	AskVariations   = "variations"   // lines for all other replies
	AskRecord       = "record"       // the line as a record, in a notation of the game
	AskJudge        = "judge"        // whether the position is a sound problem, instead of a win
)

// Found is what a search finds, for whoever does not know the types of the game.
type Found = SearchResult[Position, Move]

// SearchResult is what a search finds.
type SearchResult[P, M comparable] struct {
	From   P   // the position that was searched, which may say more than the one asked for
	Line   []M // of play from there
	Result any
	Record string
}
