package static

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yomikiri/yomikiri/server"
)

//go:embed files
var files embed.FS

// policy lets the page load what the site has, and run the reader.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"worker-src 'self'; base-uri 'none'; form-action 'none'"

// Database is a packed database of a site.
type Database struct {
	Game server.Game
	// Size is that of the packed database. It is cut into parts of Part bytes, unless that is 0.
	Size, Part int64
	// Carried says that the game comes from a file, by the rules in the database.
	Carried bool
}

// published describes a database for the reader; see cmd/reader.
type published struct {
	Name   string   `json:"name"`
	Reader string   `json:"reader"`
	Size   int64    `json:"size"`
	Part   int64    `json:"part"`
	Parts  []string `json:"parts"` // relative to the directory of the reader
}

// PackedName is the file of a packed database in the directory of a site. Its name changes with the database, so a browser does
// not mix it up with an earlier one.
func PackedName(g server.Game) string { return "data/" + g.Checksum + ".packed" }

func (d *Database) published() published {
	p := published{Name: d.Game.Name, Reader: gamesReader, Size: d.Size, Part: d.Part, Parts: []string{"../" + PackedName(d.Game)}}
	if d.Carried {
		p.Reader = variantsReader
	}
	if d.Part <= 0 || d.Part >= d.Size {
		p.Part = max(d.Size, 1)
		return p
	}
	p.Parts = nil
	for i := range (d.Size + d.Part - 1) / d.Part {
		p.Parts = append(p.Parts, "../"+partName(d.Game, i))
	}
	return p
}

func partName(g server.Game, i int64) string { return fmt.Sprintf("%s.%04d", PackedName(g), i) }

// Readers are the programs that answer in the browser; see [BuildReaders].
type Readers map[string][]byte

// The files of the readers.
const (
	gamesReader    = "reader.bin"
	variantsReader = "variants.bin"
	wasmExec       = "wasm_exec.js"
)

// Write writes the site of some databases into a directory, which already has the packed databases. It cuts those into parts.
func Write(dir string, list []Database, readers Readers) error {
	page := server.Page()
	err := fs.WalkDir(page, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(page, name)
		if err == nil && name == "index.html" {
			data, err = withReader(data)
		}
		if err != nil {
			return err
		}
		return write(dir, name, data)
	})
	if err != nil {
		return err
	}
	for _, name := range []string{"shim.js", "worker.js"} {
		data, err := files.ReadFile("files/" + name)
		if err == nil {
			err = write(dir, "reader/"+name, data)
		}
		if err != nil {
			return err
		}
	}
	var described []published
	var games struct {
		Games []server.Game `json:"games"`
	}
	needed := map[string]bool{wasmExec: true}
	for i := range list {
		d := &list[i]
		p := d.published()
		described, games.Games, needed[p.Reader] = append(described, p), append(games.Games, d.Game), true
		if len(p.Parts) > 1 {
			if err := cut(dir, d); err != nil {
				return err
			}
		}
	}
	for name := range needed {
		if readers[name] == nil {
			return fmt.Errorf("there is no %s among the readers", name)
		}
		if err := write(dir, "reader/"+name, readers[name]); err != nil {
			return err
		}
	}
	return errors.Join(writeJSON(dir, "reader/databases.json", described), writeJSON(dir, "api/v1/games", games))
}

// packedFile is the name of a packed database, of a part of one, or of one that is not finished.
var packedFile = regexp.MustCompile(`^[0-9a-f]{16}\.packed(\.[0-9]{4,}|\.tmp)?$`)

// Belongs reports whether a site can have a file of a name, in its directory.
func Belongs(name string) bool {
	switch dir, base := path.Split(name); dir {
	case "data/":
		return packedFile.MatchString(base)
	case "reader/":
		return slices.Contains([]string{gamesReader, variantsReader, wasmExec, "shim.js", "worker.js", "databases.json"}, base)
	case "api/v1/":
		return base == "games"
	}
	info, err := fs.Stat(server.Page(), name)
	return err == nil && info.Mode().IsRegular()
}

// withReader returns the page with the script that answers what it asks.
func withReader(page []byte) ([]byte, error) {
	const main = `<script type="module" src="main.js"></script>`
	const head = `<meta charset="utf-8">`
	text := string(page)
	if strings.Count(text, main) != 1 || strings.Count(text, head) != 1 {
		return nil, errors.New("the page has no place for the script of the reader")
	}
	text = strings.Replace(text, main, `<script type="module" src="reader/shim.js"></script>`+"\n"+main, 1)
	text = strings.Replace(text, head, head+"\n"+`<meta http-equiv="Content-Security-Policy" content="`+policy+`">`, 1)
	return []byte(text), nil
}

func write(dir, name string, data []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

func writeJSON(dir, name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return write(dir, name, append(data, '\n'))
}

// cut cuts a packed database into parts, and removes it.
func cut(dir string, d *Database) (err error) {
	path := filepath.Join(dir, filepath.FromSlash(PackedName(d.Game)))
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	for i := int64(0); i*d.Part < d.Size && err == nil; i++ {
		err = copyPart(filepath.Join(dir, filepath.FromSlash(partName(d.Game, i))), io.LimitReader(f, d.Part))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Remove(path)
}

func copyPart(path string, from io.Reader) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}
