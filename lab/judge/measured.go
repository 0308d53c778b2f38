package judge

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/sealed"
)

// measured has the positions that were measured, by game. With a file it is written whenever a game is added, so that a
// later run continues from there.
type measured struct {
	mu   sync.Mutex
	file string // empty if there is none

	Of    string           `json:"of"` // the games, and what the measurements depend on
	Games map[int][]Sample `json:"games"`
}

// ErrOther is returned for a checkpoint of other games, or of another way to measure them.
var ErrOther = errors.New("it is of other games, or they were measured in another way: name another file, or delete it")

var measuredKind = sealed.Kind{Name: "measured positions of games", Version: 1}

// openMeasured reads the checkpoint, if there is one.
func (j *Judge[P, M]) openMeasured(list []Played[P, M]) (*measured, error) {
	m := &measured{file: j.Checkpoint, Of: j.digest(list), Games: map[int][]Sample{}}
	if m.file == "" {
		return m, nil
	}
	var old measured
	file, err := sealed.Open(vfs.Default, m.file, measuredKind, &old)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.file, err)
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	if old.Of != m.Of {
		return nil, fmt.Errorf("%s: %w", m.file, ErrOther)
	}
	m.Games = old.Games
	return m, nil
}

// digest returns a hash of games, and of what their measurements depend on.
func (j *Judge[P, M]) digest(list []Played[P, M]) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d leaves\n%s\n%d\n", j.Game.Name(), j.Leaves, j.Of, Before)
	for _, g := range list {
		p := g.From
		text := j.Game.AppendPosition(nil, p)
		for _, m := range g.Moves {
			text = j.Game.AppendMove(append(text, ' '), p, m)
			p = j.Game.Play(p, m)
		}
		h.Write(append(text, '\n'))
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

func (m *measured) has(game int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.Games[game]
	return ok
}

func (m *measured) add(game int, samples []Sample) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Games[game] = samples
	if m.file == "" {
		return nil
	}
	return sealed.Write(vfs.Default, m.file, measuredKind, m, nil)
}
