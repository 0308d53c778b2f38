package cmd

import (
	"github.com/yomikiri/yomikiri/games/checkers"
	checkersrules "github.com/yomikiri/yomikiri/proof/rules/checkers"
)

// Checkers is what checkers has beyond other games: second rules to check proofs by.
var Checkers = Extra[*checkers.Game, checkers.Position, checkers.Move]{Check: checkBy(checkersrules.Open)}
