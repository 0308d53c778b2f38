package cmd

import (
	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/proof/rules"
)

// Hex is what Hex has beyond other games: the plain rules to check proofs by.
var Hex = app.Extra[*hex.Game, hex.Position, hex.Move]{Check: rules.Check}
