package cmd

import (
	"errors"
	"fmt"
	"sync"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play"
)

// servedWeights are files of weights, each for whichever game has its features.
type servedWeights struct {
	mu      sync.Mutex // rule variants are opened while serving
	names   []string
	files   []app.Weights
	used    []bool
	refused []error // why a file is of no game that has been asked for
}

func readServedWeights(names []string) (*servedWeights, error) {
	w := &servedWeights{names: names, used: make([]bool, len(names)), refused: make([]error, len(names))}
	for _, name := range names {
		f, err := app.ReadWeights(name)
		if err != nil {
			return nil, err
		}
		w.files = append(w.files, f)
	}
	return w, nil
}

// of returns the evaluation of a game, by the last of the files that are for it if there are any.
func (w *servedWeights) of(g *app.Game) (*play.Evaluation, error) {
	e, err := g.Evaluation()
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, f := range w.files {
		made, err := f.For(g.Name(), e)
		switch {
		case err == nil:
			e, w.used[i] = made, true
		case errors.Is(err, games.ErrWeights):
			w.refused[i] = err
		default:
			return nil, err
		}
	}
	return e, nil
}

// unused returns an error if a file is of no game that is served.
func (w *servedWeights) unused() error {
	for i, used := range w.used {
		switch {
		case used:
		case w.refused[i] != nil:
			return ui.Usage(fmt.Errorf("--weights: no game that is served has these weights; %w", w.refused[i]))
		default:
			return ui.Usage(fmt.Errorf("--weights %s: no game that is served has an opponent: name the game", w.names[i]))
		}
	}
	return nil
}
