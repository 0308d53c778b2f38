// Package match plays games between two players and says which is stronger, and how sure that
// is.
//
//	r, err := match.Play(ctx, game, match.Config[P, M]{Pairs: 200, Players: ...})
//	fmt.Println(r.Elo())
//
// A player is a search of package play or another program that speaks a protocol; see
// [NewSearcher] and [Start]. Games come in pairs: both begin with the same opening, with the
// sides swapped, so that an opening that favours a side favours nobody. Nothing here knows a game.
//
// Every call of a player, and of the rules, is on a goroutine of its own, so that a match goes on whatever they do:
// [Patience] says how long it waits. A player that does not answer in time, crashes or makes an illegal move has lost
// that game, which its [Record] says, and another is made for the next. A call that does not return, although its
// context has ended, is left behind; a [Result] counts them.
//
// A pair depends on its number and the seed alone, not on threads, so a match that was stopped
// goes on where it was: its games are read from the file that it writes.
package match
