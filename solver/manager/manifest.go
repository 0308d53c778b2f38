package manager

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/yomikiri/yomikiri/internal/storage"
)

const (
	// FormatVersion is the only version of the format of trees that this package reads and
	// writes.
	FormatVersion = 3
	// ManifestName is the name of the manifest in the directory of a tree.
	ManifestName = "yomikiri.tree"

	storeName = "store"
)

// The questions that a tree can ask about its root.
const (
	// AskValue asks for the value: whether the side to move wins, and if not, whether the
	// other side does.
	AskValue = "value"
	// AskWin asks whether the side to move wins.
	AskWin = "win"
)

// Manifest says what a tree is about. It never changes. [NewManifest] returns one.
type Manifest struct {
	Format   int    `json:"format"`
	Game     string `json:"game"`     // with rule options, as [games.Rules.String] writes it
	Rules    string `json:"rules"`    // their [Fingerprint]
	Root     string `json:"root"`     // the name of the root position
	Question string `json:"question"` // [AskValue] or [AskWin]
	// Database is the checksum of the database that decides positions, see db.Adjudicated.
	Database string `json:"database,omitempty"`
	By       string `json:"by"` // the program that made the tree
}

// NewManifest returns the manifest of a tree about a question. by is the program that makes the
// tree.
func NewManifest(rules Rules, root, question, by string) (Manifest, error) {
	m := Manifest{Format: FormatVersion, Game: rules.Name(), Question: question, Database: rules.Database(), By: by}
	if question != AskValue && question != AskWin {
		return m, fmt.Errorf("question %q: want %s or %s", question, AskValue, AskWin)
	}
	var err error
	if m.Root, err = rules.Canonical(root); err != nil {
		return m, err
	}
	m.Rules, err = Fingerprint(rules, m.Root)
	return m, err
}

// ErrNoTree is returned for a directory without a tree.
var ErrNoTree = errors.New("no proof tree")

// ErrOtherTree is returned for a tree that is about something else, or of another format.
var ErrOtherTree = errors.New("the tree does not fit")

// ErrCorrupt is returned for a tree that is damaged.
var ErrCorrupt = errors.New("damaged proof tree")

// ReadManifest reads the manifest of the tree in a directory. A nil fs means vfs.Default.
func ReadManifest(fs vfs.FS, dir string) (m Manifest, err error) {
	if fs == nil {
		fs = vfs.Default
	}
	f, err := fs.Open(fs.PathJoin(dir, ManifestName))
	if errors.Is(err, os.ErrNotExist) {
		return m, fmt.Errorf("%w in %s (it has no %s)", ErrNoTree, dir, ManifestName)
	}
	if err != nil {
		return m, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%w: %s: %w", ErrCorrupt, fs.PathJoin(dir, ManifestName), err)
	}
	if m.Format != FormatVersion {
		return m, fmt.Errorf("%s: %w: it has format %d, this program reads format %d: begin a new tree in another directory", dir, ErrOtherTree, m.Format, FormatVersion)
	}
	return m, nil
}

func (m *Manifest) write(fs vfs.FS, dir string) error {
	return storage.WriteFile(fs, dir, ManifestName, func(w io.Writer) error {
		_, err := w.Write(append(encode(m), '\n'))
		return err
	})
}

// fits returns an error if the manifest does not match want.
func (m *Manifest) fits(want Manifest) error {
	for _, field := range []struct{ name, has, want string }{
		{"game", m.Game, want.Game}, {"root", m.Root, want.Root}, {"question", m.Question, want.Question},
		{"database", m.Database, want.Database},
		{"fingerprint of the rules", m.Rules, want.Rules},
	} {
		if field.has != field.want {
			return fmt.Errorf("%w: its %s is %q, and %q is wanted: name another directory", ErrOtherTree, field.name, field.has, field.want)
		}
	}
	return nil
}

func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // the types have nothing that could fail
	}
	return text
}
