// Package dfpn searches AND/OR graphs with proof and disproof numbers, depth
// first, in bounded memory. It answers whether the attacker can force a win:
// [Proven], [Disproven], or [Unknown] when a limit was reached.
//
// A game takes part by a [Cursor], which stands on a position, tells everything
// about it at once ([Cursor.Expand]), and makes and takes back moves. What is
// known of positions is kept in a [Table]; [Solve] searches with one or more
// goroutines on one table; a [Reader] plays out what has been proven.
//
//	table, err := dfpn.NewTable(256 << 20)
//	result, err := dfpn.Solve(ctx, table, newCursor, dfpn.Config{Nodes: 1_000_000})
//	if result.Outcome == dfpn.Proven {
//		line, err := dfpn.NewReader(ctx, table, newCursor(), dfpn.Config{}).Line(false)
//	}
//
// # What is proven
//
// A proof number says how many positions at least must still be proven to prove
// this one, a disproof number how many must be disproven to disprove it. The
// search always goes on where least is missing. A result never rests on the path
// on which it was found, on an update that got lost, or on a number that grew too
// large: where such a thing decides, the result holds for this path only, or the
// position is searched again. It does rest on 64-bit keys: two positions with one
// key and one hand would be taken for the same.
//
// Lengths are part of every result: an entry of the table says "won in at most n
// plies" or "not won in n plies". To find the shortest win one asks again for a
// shorter one until that is disproven ([Config.Limit], [Reader.Shorten]).
//
// docs/dfpn.md describes the algorithm and names its sources.
package dfpn
