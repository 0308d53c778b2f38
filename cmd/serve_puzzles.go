package cmd

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/cmd/ui"
	"github.com/yomikiri/yomikiri/server"
)

// servedPuzzles are files of puzzles, each for the databases that hold its positions.
type servedPuzzles struct {
	names []string
	files [][]puzzleRecord
	used  []bool
}

func readServedPuzzles(names []string) (*servedPuzzles, error) {
	s := &servedPuzzles{names: names, used: make([]bool, len(names))}
	for _, name := range names {
		list, err := readPuzzles(name)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, list)
	}
	return s, nil
}

// readPuzzles reads a file as puzzles writes it.
func readPuzzles(name string) (list []puzzleRecord, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var p puzzleRecord
		err := json.Unmarshal(lines.Bytes(), &p)
		if err == nil && (p.Game == "" || p.Position == "" || p.Aim != aimWin && p.Aim != aimSave) {
			err = errors.New("want a game, a position and an aim")
		}
		if n := len(list); err == nil && n > 0 && (p.Game != list[0].Game || p.Rank > list[n-1].Rank) {
			err = errors.New("want puzzles of one game, the hardest first")
		}
		if err != nil {
			return nil, ui.Usage(fmt.Errorf("%s: line %d is no puzzle: %w", name, len(list)+1, err))
		}
		list = append(list, p)
	}
	if err := ui.ScanError(lines); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(list) == 0 {
		return nil, ui.Usage(fmt.Errorf("%s: it has no puzzles", name))
	}
	return list, nil
}

// training returns the puzzles of a database, of the last of the files that are of its game. They must be positions that
// it holds.
func (s *servedPuzzles) training(g *app.Game, d app.Database) (list []server.Puzzle, err error) {
	for i, file := range s.files {
		if file[0].Game != g.Rules.Whole().String() {
			continue
		}
		s.used[i], list = true, nil
		for k, p := range file {
			at, err := held(g, p.Position)
			if err == nil {
				_, err = d.Probe(at)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: line %d: %w", s.names[i], k+1, err)
			}
			list = append(list, server.Puzzle{Position: p.Position, Aim: p.Aim, Rank: p.Rank})
		}
	}
	return list, nil
}

// unserved returns an error if a file is of no game of which a database is served.
func (s *servedPuzzles) unserved() error {
	for i, used := range s.used {
		if !used {
			return ui.Usage(fmt.Errorf("--puzzles %s: it is of %s, of which no database is served: name it", s.names[i], s.files[i][0].Game))
		}
	}
	return nil
}
