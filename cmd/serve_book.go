package cmd

import (
	"fmt"
	"sync"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/play"
)

// servedFiles are what opponents play by.
type servedFiles struct {
	*servedWeights
	*servedBooks
	*servedPuzzles
	servedProofs
}

// servedBooks are files of opening books, each for the game that it names.
type servedBooks struct {
	mu    sync.Mutex // rule variants are opened while serving
	names []string
	files []*app.Book
	read  []bool // for a game
}

func readServedBooks(names []string) (*servedBooks, error) {
	b := &servedBooks{names: names, read: make([]bool, len(names))}
	for _, name := range names {
		f, err := app.ReadBook(name)
		if err != nil {
			return nil, err
		}
		b.files = append(b.files, f)
	}
	return b, nil
}

// opening returns the book of a game, the last of the files that are of it, nil if there is none.
func (b *servedBooks) opening(g *app.Game) (found play.Book[app.Position, app.Move], err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, f := range b.files {
		if f.Game != g.Name() {
			continue
		}
		if found, err = app.BookOf(f, g.Board); err != nil {
			return nil, err
		}
		b.read[i] = true
	}
	return found, nil
}

// unread returns an error if a file is of no game that is served.
func (b *servedBooks) unread() error {
	for i, read := range b.read {
		if !read {
			return ui.Usage(fmt.Errorf("--book %s: it is of %s, which is not served with an opponent: name the game", b.names[i], b.files[i].Game))
		}
	}
	return nil
}
