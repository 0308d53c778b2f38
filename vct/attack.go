package vct

import (
	"context"

	"github.com/yomikiri/yomikiri/games/gomoku"
)

// NewAttacker returns a [gomoku.Attacker] that looks for victories by continuous
// threats, with at most config.Nodes positions each, where the searches of package
// gomoku find no win. Width is that of [gomoku.AttackConfig].
func NewAttacker(g *gomoku.Game, width int, config Config) (*gomoku.Attacker, error) {
	s, err := NewSearcher(g, config)
	if err != nil {
		return nil, err
	}
	return g.NewAttacker(gomoku.AttackConfig{Width: width, Prove: func(p gomoku.Position) *gomoku.Tree {
		r, _ := s.Search(context.Background(), p) // it fails only with its context
		return r.Tree
	}}), nil
}
