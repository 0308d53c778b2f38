package records

import (
	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/hex"
)

// Hex reads and writes games in SGF.
var Hex = []app.Format[*hex.Game, hex.Position, hex.Move]{formatSGF(hex.NumberSGF, hex.OptionsSGF, (*hex.Game).SGF)}
