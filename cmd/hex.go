package cmd

import (
	"github.com/yomikiri/yomikiri/games/hex"
	hexrules "github.com/yomikiri/yomikiri/proof/rules/hex"
)

// Hex is what Hex has beyond other games: second rules to check proofs by.
var Hex = Extra[*hex.Game, hex.Position, hex.Move]{Check: CheckBy(hexrules.Open)}
