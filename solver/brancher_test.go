package solver_test

import (
	"github.com/yomikiri/yomikiri/solver"
	"github.com/yomikiri/yomikiri/solver/threat"
)

func init() { solver.GomokuBrancher = threat.NewBrancher }
