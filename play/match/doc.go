// Package match plays games between two players and says which is stronger, and how sure that
// is.
//
//	r, err := match.Play(ctx, game, match.Config[P, M]{Pairs: 200, Players: ...})
//	fmt.Println(r.Elo())
//
// A player is a search of package play or another program that speaks a protocol; see
// [NewSearcher] and [StartUSI]. Games come in pairs: both begin with the same opening, with the
// sides swapped, so that an opening that favours a side favours nobody. Nothing here knows a game.
//
// A pair depends on its number and the seed alone, not on threads, so a match that was stopped
// goes on where it was: its games are read from the file that it writes.
package match
