package records

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/play/match"
)

// Lessons reads the games of files, of records or of matches, to learn from them. It calls unread with what
// cannot be read, which names the file.
func Lessons(g *app.Game, names []string, unread func(error)) (list []app.LearnedGame) {
	bad := func(name string, err error) {
		if !strings.Contains(err.Error(), name) {
			err = fmt.Errorf("%s: %w", name, err)
		}
		unread(err)
	}
	for _, name := range names {
		found, wrong, err := ReadMatch(g, name)
		if errors.Is(err, errNoMatch) {
			found, wrong, err = readPlayed(g, name)
		}
		if err != nil {
			bad(name, err)
		}
		for _, err := range wrong {
			bad(name, err)
		}
		list = Joined(list, found)
	}
	return list
}

// Joined returns the games of two lists, whose groups remain apart.
func Joined(list, more []app.LearnedGame) []app.LearnedGame {
	groups := 0
	if len(list) > 0 {
		groups = list[len(list)-1].Group + 1
	}
	for _, x := range more {
		x.Group += groups
		list = append(list, x)
	}
	return list
}

// errNoMatch is returned for a file that has no match.
var errNoMatch = errors.New("this is not a file of a match")

// ReadMatch reads the games of a match, to learn from them. bad says which could not be read; of a damaged file the games before
// the damage are used.
func ReadMatch(g *app.Game, name string) (list []app.LearnedGame, bad []error, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	if !bytes.HasPrefix(text, []byte(match.FileBegin)) {
		return nil, nil, errNoMatch
	}
	records, err := match.Read(bytes.NewReader(text), g.Name())
	for i, r := range records {
		from, moves, err := games.ReadGame(g.Board, r.From+" moves "+strings.Join(r.Moves, " "))
		if err != nil {
			bad = append(bad, fmt.Errorf("game %d: %w", i+1, err))
			continue
		}
		points := r.Points
		if r.Second {
			points = 1 - points
		}
		list = append(list, app.LearnedGame{Group: r.Pair, From: from, Moves: moves, Points: points, Decided: !r.Ending.Forfeits(), Scores: r.Scores})
	}
	return list, bad, err
}

// readPlayed reads records. bad says which could not be read whole: of these, the moves before are used.
func readPlayed(g *app.Game, name string) (list []app.LearnedGame, bad []error, err error) {
	records, err := ReadFile(g, name)
	for i, r := range records {
		if r.Err != nil {
			bad = append(bad, r.Err)
		}
		x := app.LearnedGame{Group: i, From: r.From, Moves: r.Moves}
		p := r.From
		for _, m := range r.Moves {
			p = g.Play(p, m)
		}
		v, finished := g.Outcome(p)
		if r.Resigned {
			v, finished = games.Loss(0), true
		}
		if r.Points != nil {
			x.Decided, x.Points = true, *r.Points
		} else if r.Err == nil && finished {
			x.Decided = true
			sign := 1 - 2*(len(r.Moves)%2)
			x.Points = 0.5
			if n := sign * int(v); n != 0 {
				x.Points = float64(min(max(n, 0), 1))
			}
		}
		list = append(list, x)
	}
	return list, bad, err
}
