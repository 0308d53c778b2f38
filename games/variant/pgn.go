package variant

import (
	"cmp"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/games/movetext"
	"github.com/yomikiri/yomikiri/games/pgn"
)

// Record is a game in PGN (Portable Game Notation).
type Record struct {
	Line  int       // of the text, where the game begins; 1 is the first
	Tags  []pgn.Tag // all, in the order of the text
	Start Position  // that of the tag FEN if there is one
	Moves []Move
	movetext.Asides
	// Result is a result of PGN, such as 1-0, or * if it is not known, or another text that the tag Result has.
	Result string
}

// Tag returns the value of a tag, empty if there is none.
func (r *Record) Tag(name string) string {
	for _, t := range r.Tags {
		if strings.EqualFold(t.Name, name) {
			return t.Value
		}
	}
	return ""
}

// Title returns the players of the game, empty if it has none.
func (r *Record) Title() string { return pgn.Title(r.Tag("White"), r.Tag("Black")) }

// Times returns what the moves took, as comments say; see [pgn.Times].
func (r *Record) Times() []time.Duration {
	return pgn.Times(&r.Asides, len(r.Moves), r.Tag(pgn.TagTimeControl))
}

// withoutChecks leaves out the signs of checks and mates, which belong to moves.
func withoutChecks(a movetext.Asides) movetext.Asides {
	for i, marks := range a.Marks {
		kept := marks[:0]
		for _, m := range marks {
			if m = strings.Trim(m, "+#"); m != "" {
				kept = append(kept, m)
			}
		}
		a.Marks[i] = kept
	}
	return a
}

// Points returns the points of the side that moves first in the game, nil if its result is not known.
func (r *Record) Points() *float64 {
	points, known := map[string]float64{"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}[r.Result]
	if !known {
		return nil
	}
	if r.Start.turn == 1 {
		points = 1 - points
	}
	return &points
}

// tagNames are what others call variants, if not as their sections: as servers write the name, and other spellings.
var tagNames = map[string][]string{
	"chess":         {"", "Standard", "Normal", "From Position", "Regular"},
	"fischerandom":  {"Chess960", "Fischer Random", "Fischerandom", "Freestyle"},
	"atomic":        {"Atomic"},
	"antichess":     {"Antichess", "Anti"},
	"giveaway":      {"Giveaway"},
	"suicide":       {"Suicide"},
	"3check":        {"Three-check"},
	"5check":        {"Five-check"},
	"kingofthehill": {"King of the Hill", "KOTH"},
	"racingkings":   {"Racing Kings"},
	"crazyhouse":    {"Crazyhouse", "zh"},
	"horde":         {"Horde"},
	"seirawan":      {"S-Chess", "Seirawan Chess"},
}

// plainName is a name without what people write in different ways.
func plainName(name string) string {
	return strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name))
}

// nameInTag reports whether the tag Variant with a value names a variant. Servers write 960 after the names of variants with
// shuffled pieces.
func nameInTag(variant, value string) bool {
	value = plainName(value)
	for _, name := range append([]string{variant}, tagNames[variant]...) {
		if name = plainName(name); name == value || variant != "chess" && name+"960" == value {
			return true
		}
	}
	return false
}

// IsPGN reports whether a text that begins so is PGN of chess or a variant.
func IsPGN(begin []byte) bool { return pgn.IsChess(pgn.Decode(begin)) }

// IsPGNOf reports whether the first game of a text in PGN is one of a variant, as the tag Variant says. A game without it is
// one of chess.
func IsPGNOf(variant string, text []byte) bool {
	for game := range pgn.Chess.Games(pgn.Decode(text)) {
		return game != nil && nameInTag(variant, variantTag(game))
	}
	return false
}

func variantTag(game *pgn.Game) string {
	for _, t := range game.Tags {
		if strings.EqualFold(t.Name, pgn.TagVariant) {
			return t.Value
		}
	}
	return ""
}

// ParsePGN reads the games of a text, one after another. The moves of variations are not looked at, and lines that begin with
// % and words that are no moves are skipped. A game that cannot be read comes with an error that names the line, and with the moves before
// that. The next one begins with its first tag, or after the result of the bad one.
func (g *core) ParsePGN(text string) iter.Seq2[*Record, error] { return g.records(g, text) }

// ParsePGN is [Game.ParsePGN] for games that begin with one of the positions of the tables.
func (x *Tables) ParsePGN(text string) iter.Seq2[*Record, error] { return x.records(x, text) }

func (g *core) records(game games.Game[Position, Move], text string) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for t, err := range pgn.Chess.Games(text) {
			var r *Record
			if t != nil {
				var wrong error
				r, wrong = g.replay(game, t)
				err = cmp.Or(wrong, err)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// replay plays a game.
func (g *core) replay(game games.Game[Position, Move], t *pgn.Game) (*Record, error) {
	r := &Record{Line: t.Line, Result: pgn.Unknown}
	start, line := string(g.AppendPosition(nil, g.start)), t.Line
	given := false
	for _, tag := range t.Tags {
		r.Tags = append(r.Tags, tag.Tag)
		switch {
		case strings.EqualFold(tag.Name, pgn.TagFEN):
			if given && tag.Value != start {
				return nil, pgn.Chess.LineError(tag.Line, fmt.Errorf("a second tag FEN, after %q", start))
			}
			if tag.Value != "" {
				start, line, given = tag.Value, tag.Line, true
			}
		case strings.EqualFold(tag.Name, pgn.TagVariant):
			if !nameInTag(g.rules.name, tag.Value) {
				return nil, pgn.Chess.LineError(tag.Line, fmt.Errorf("this is a game of %s, not of %s", tag.Value, g.rules.name))
			}
		case strings.EqualFold(tag.Name, pgn.TagResult):
			if tag.Value != "" {
				r.Result = pgn.ResultOf(tag.Value)
			}
		}
	}
	if t.Result != "" && t.Result != pgn.Unknown {
		r.Result = t.Result
	}
	var err error
	if r.Start, err = game.ParsePosition(start); err != nil {
		return nil, pgn.Chess.LineError(line, err)
	}
	made := []int{0} // moves by words
	defer func() { r.Asides = withoutChecks(t.Place(made, len(r.Moves))) }()
	p := r.Start
	for _, w := range t.Words {
		if !pgn.IsNumber(w.Text) {
			m, err := g.ParseMove(p, w.Text)
			if err != nil {
				return r, pgn.Chess.LineError(w.Line, fmt.Errorf("ply %d: %w", len(r.Moves)+1, err))
			}
			r.Moves = append(r.Moves, m)
			p = game.Play(p, m)
		}
		made = append(made, len(r.Moves))
	}
	return r, nil
}

// NewRecord returns the record of a game. players, who may have no names, and points, nil if they are not known, begin with the
// one who moves first.
func (g *core) NewRecord(from Position, moves []Move, players [2]string, points *float64) *Record {
	r := &Record{Start: from, Moves: moves, Result: pgn.Unknown}
	if points != nil {
		white := *points
		if from.turn == 1 {
			white = 1 - white
		}
		r.Result = [...]string{"0-1", "1/2-1/2", "1-0"}[int(2*white)]
	}
	if players != [2]string{} {
		r.Tags = []pgn.Tag{{Name: "White", Value: players[from.turn]}, {Name: "Black", Value: players[1-from.turn]}}
	}
	return r
}

// Before returns the number of moves in the game before the first one, which gives it its number: as the tag FEN says.
func (r *Record) Before() int {
	number := 1
	var counters []int
	for _, field := range strings.Fields(r.Tag(pgn.TagFEN)) {
		if n, err := strconv.Atoi(field); err == nil {
			counters = append(counters, n)
		}
	}
	if len(counters) == 2 && counters[1] > 0 && counters[1] <= mostMoves {
		number = counters[1]
	}
	return 2*(number-1) + int(r.Start.turn)
}

// mostMoves is the highest number of a first move that is believed.
const mostMoves = 9999

// AppendPGN appends a game as PGN, with moves in algebraic notation. If tags do not name its variant and where it begins, they
// are added.
func (g *core) AppendPGN(dst []byte, r *Record) []byte {
	t := pgn.Text{Tags: r.Tags, Result: r.Result, Before: r.Before(), Asides: r.Asides}
	name := g.rules.name
	if names := tagNames[name]; len(names) > 0 {
		name = names[0]
	}
	if name != "" && r.Tag(pgn.TagVariant) == "" {
		t.Tags = append(t.Tags[:len(t.Tags):len(t.Tags)], pgn.Tag{Name: pgn.TagVariant, Value: name})
	}
	if r.Start != g.start {
		t.Start = string(g.AppendPosition(nil, r.Start))
	}
	p := r.Start
	for _, m := range r.Moves {
		t.Moves = append(t.Moves, string(g.AppendSAN(nil, p, m)))
		p = g.Play(p, m)
	}
	return pgn.Chess.Append(dst, &t)
}
