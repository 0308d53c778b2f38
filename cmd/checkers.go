package cmd

import (
	"github.com/yomikiri/yomikiri/app"
	"github.com/yomikiri/yomikiri/app/records"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/proof/rules"
)

// Checkers is what checkers has beyond other games: the plain rules to check proofs by, and games
// in PDN.
var Checkers = app.Extra[*checkers.Game, checkers.Position, checkers.Move]{
	Check:   rules.Check,
	Records: &records.Checkers,
}
