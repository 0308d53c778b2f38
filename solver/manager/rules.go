package manager

import (
	"fmt"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/solver"
)

// Rules are the rules of a game in terms of the texts of its positions. A position is
// named by the text of its canonical image.
type Rules interface {
	// Name returns the game with its rule options.
	Name() string
	// Database returns the checksum of the database that decides positions, see
	// db.Adjudicated; empty if there is none.
	Database() string
	// Repeats reports whether positions may repeat.
	Repeats() bool
	// Canonical returns the name of a position.
	Canonical(position string) (string, error)
	// Outcome returns the result of a named position for the side to move, if the game is
	// over there.
	Outcome(position string) (r games.Result, finished bool, err error)
	// Moves returns the legal moves in a named position.
	Moves(position string) ([]Move, error)
}

// Move is a legal move and where it leads.
type Move struct {
	Text     string
	To       string // the name of the position after it
	Finished bool   // the game is over there
	// Result is that for the side to move there, if the game is over.
	Result games.Result
}

// decides reports whether the move ends the game as its side wants: won if that is
// the attacker, not lost if it is the defender.
func (m *Move) decides(attacker bool) bool {
	if attacker {
		return m.Finished && m.Result == games.Lost
	}
	return m.Finished && m.Result != games.Won
}

// NewRules returns the rules of a game.
func NewRules[P, M comparable](g games.Game[P, M]) Rules {
	r := &textRules[P, M]{Game: g, canonical: func(p P) P { return p }}
	if c, ok := g.(games.Canonicalizer[P]); ok {
		r.canonical = c.Canonical
	}
	return r
}

// textRules implements [Rules].
type textRules[P, M comparable] struct {
	games.Game[P, M]
	canonical func(P) P
}

func (r *textRules[P, M]) Database() string { return solver.ChecksumOf(r.Game) }

// RulesText implements [games.Ruled].
func (r *textRules[P, M]) RulesText() string { return games.RulesTextOf(r.Game) }

func (r *textRules[P, M]) Repeats() bool {
	_, ends := r.Game.(games.Layerer[P])
	return !ends
}

func (r *textRules[P, M]) name(p P) string {
	return string(r.AppendPosition(nil, r.canonical(p)))
}

func (r *textRules[P, M]) Canonical(position string) (string, error) {
	p, err := r.ParsePosition(position)
	if err != nil {
		return "", err
	}
	return r.name(p), nil
}

func (r *textRules[P, M]) Outcome(position string) (games.Result, bool, error) {
	p, err := r.ParsePosition(position)
	if err != nil {
		return games.Drawn, false, err
	}
	v, finished := r.Game.Outcome(p)
	if !finished {
		return games.Drawn, false, nil
	}
	return v.Result(), true, nil
}

func (r *textRules[P, M]) Moves(position string) ([]Move, error) {
	p, err := r.ParsePosition(position)
	if err != nil {
		return nil, err
	}
	var list []Move
	for _, m := range r.AppendMoves(nil, p) {
		q := r.Play(p, m)
		move := Move{Text: string(r.AppendMove(nil, p, m)), To: r.name(q)}
		if v, finished := r.Game.Outcome(q); finished {
			move.Finished, move.Result = true, v.Result()
		}
		list = append(list, move)
	}
	return list, nil
}

// Fingerprint returns a short hash of what the rules say of the positions near the start
// of the game at root. Programs whose rules differ usually have different fingerprints.
func Fingerprint(r Rules, root string) (string, error) {
	const most = 100
	name, err := r.Canonical(root)
	if err != nil {
		return "", err
	}
	parts := [][]byte{[]byte(r.Name()), fmt.Append(nil, r.Repeats(), r.Database())}
	if text := games.RulesTextOf(r); text != "" {
		parts = append(parts, []byte(text))
	}
	queue, seen := []string{name}, map[string]bool{name: true}
	for i := 0; i < len(queue) && i < most; i++ {
		moves, err := r.Moves(queue[i])
		if err != nil {
			return "", err
		}
		for _, m := range moves {
			parts = append(parts, fmt.Append(nil, m))
			if !m.Finished && !seen[m.To] {
				seen[m.To] = true
				queue = append(queue, m.To)
			}
		}
	}
	return cluster.NewID(parts...).String()[:16], nil
}
