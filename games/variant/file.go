package variant

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/yomikiri/yomikiri/games"
)

// File is a set of variants by name. It is safe for concurrent use.
type File struct {
	rules    map[string]*Rules
	broken   map[string]error // sections that cannot be read
	names    []string         // in the order of the file, those of broken sections too
	sections map[string]*section

	mu    sync.Mutex
	games map[string]*Game // those that were compiled
}

// Read reads a file in the form of variants.ini. Variants can be based on those of base, which may be nil. The name is
// that of the file, for errors. A section that cannot be read, because of a key that is not understood for one, does not
// stop the others: [File.Game] returns its error.
func Read(name string, r io.Reader, base *File) (*File, error) {
	sections, err := readSections(name, r)
	if err != nil {
		return nil, err
	}
	f := &File{rules: map[string]*Rules{}, broken: map[string]error{}, games: map[string]*Game{}, sections: map[string]*section{}}
	for _, s := range sections {
		f.names = append(f.names, s.name)
		f.sections[s.name] = s
		if err := f.add(s, base); err != nil {
			f.broken[s.name] = err
		}
	}
	return f, nil
}

// add adds the variant of a section.
func (f *File) add(s *section, base *File) error {
	rules := chess()
	if s.parent != "" {
		if f.broken[s.parent] != nil {
			return &Error{File: s.file, Line: s.line, Section: s.name, Reason: fmt.Sprintf("its parent cannot be read: %v", f.broken[s.parent])}
		}
		parent := f.rules[s.parent]
		if parent == nil && base != nil {
			parent = base.rules[s.parent]
		}
		if parent == nil {
			names := slices.Clone(f.names)
			if base != nil {
				names = append(names, base.names...)
			}
			return &Error{File: s.file, Line: s.line, Section: s.name,
				Reason: fmt.Sprintf("the variant %s is not known; a parent stands before its children%s", s.parent, games.DidYouMean(s.parent, names))}
		}
		rules = parent.clone()
	}
	rules.name = s.name
	if err := rules.apply(s); err != nil {
		return err
	}
	f.rules[s.name] = rules
	return nil
}

// Names returns the names of the variants in the order of the file.
func (f *File) Names() []string { return slices.Clone(f.names) }

// Game returns the game of a variant. It is compiled once.
func (f *File) Game(name string) (*Game, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if g := f.games[name]; g != nil {
		return g, nil
	}
	if err := f.broken[name]; err != nil {
		return nil, err
	}
	rules := f.rules[name]
	if rules == nil {
		return nil, fmt.Errorf("no variant %s%s; there are %s", name, games.DidYouMean(name, f.names), strings.Join(f.names, ", "))
	}
	g, err := newGame(rules.clone())
	if err != nil {
		at := f.sections[name]
		return nil, &Error{File: at.file, Line: at.line, Section: name, Reason: err.Error()}
	}
	f.games[name] = &Game{g}
	return f.games[name], nil
}

// Large reports whether a variant has far too many positions to number them all.
func (f *File) Large(name string) bool {
	r := f.rules[name]
	placement, _, _ := strings.Cut(r.start, " ")
	placement, _, _ = strings.Cut(placement, "[")
	men := strings.Count(placement, "") - 1
	for _, c := range "/*+~0123456789" {
		men -= strings.Count(placement, string(c))
	}
	free, bits := r.files*r.ranks-strings.Count(placement, "*"), 0.0
	for i := range men {
		bits += math.Log2(float64(max(free-i, 1)))
	}
	return bits > 60
}
