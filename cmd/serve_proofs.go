package cmd

import (
	"sync"

	"github.com/yomikiri/yomikiri/app"
)

// servedProofs are what the proofs that are served say, for the opponents of their games. A proof says nothing before it
// is checked.
type servedProofs struct {
	mu     sync.Mutex // rule variants are opened while serving
	byGame map[string]app.Proven
}

// proven returns what is known of a game.
func (s *servedProofs) proven(g *app.Game) app.Proven {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := g.Name() + "\n" + g.RulesText()
	known, ok := s.byGame[name]
	if !ok {
		if s.byGame == nil {
			s.byGame = map[string]app.Proven{}
		}
		known = g.Proven()
		s.byGame[name] = known
	}
	return known
}
