package solver

import "github.com/yomikiri/yomikiri/solver/connect"

// WithoutLinks makes a search of a [games.Connection] do without virtual connections.
func WithoutLinks[P, M comparable](s *Solver[P, M]) { s.limits = connect.Limits{} }
