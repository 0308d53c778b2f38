//go:build !invariants

package threat

import "github.com/yomikiri/yomikiri/games/gomoku"

// invariants says that each claim of a search is verified as it is made: with the build
// tag invariants. Without it the calls below cost nothing.
const invariants = false

func assertWin(*gomoku.Board, gomoku.Side, *Tree, string)                        {}
func assertWinsOutside(*gomoku.Board, gomoku.Side, *Tree, *gomoku.Set, string)   {}
func assertWinsAfter(*gomoku.Board, gomoku.Side, *Tree, []gomoku.Square, string) {}
func assertHeld(*gomoku.Board, gomoku.Side, bool, string)                        {}
