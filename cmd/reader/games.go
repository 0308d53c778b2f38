//go:build js && !variants

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games/awari"
	"github.com/yomikiri/yomikiri/games/checkers"
	"github.com/yomikiri/yomikiri/games/connect4"
	"github.com/yomikiri/yomikiri/games/dobutsu"
	"github.com/yomikiri/yomikiri/games/gomoku"
	"github.com/yomikiri/yomikiri/games/hex"
	"github.com/yomikiri/yomikiri/games/othello"
	"github.com/yomikiri/yomikiri/games/tictactoe"
	"github.com/yomikiri/yomikiri/server/lookup"
)

// openers are those of the games of the program that can be solved.
var openers = map[string]opener{
	"awari": of(awari.Family), "checkers": of(checkers.Family), "connect4": of(connect4.Family), "dobutsu": of(dobutsu.Family),
	"gomoku": of(gomoku.Family), "hex": of(hex.Family), "othello": of(othello.Family), "tictactoe": of(tictactoe.Family),
}

// open opens a database.
func open(ctx context.Context, d *db.DB) (*lookup.Handler, error) {
	spec := d.Manifest().Content.Game
	name, _, _ := strings.Cut(spec, ":")
	o := openers[name]
	if o == nil {
		return nil, fmt.Errorf("the reader does not know the game %s", spec)
	}
	return o(ctx, spec, d)
}
