// Package dfpn searches AND/OR graphs depth first with proof and disproof numbers,
// in bounded memory. It answers whether the attacker can force a win: [Proven],
// [Disproven], or [Unknown] when a limit was reached.
//
// A game implements a [Cursor], which stands on a position, describes it
// ([Cursor.Expand]), and makes and takes back moves. Results are kept in a
// [Table]. [Solve] searches with one or more goroutines; a [Reader] plays out what
// has been proven.
//
//	table, err := dfpn.NewTable(256 << 20)
//	result, err := dfpn.Solve(ctx, table, newCursor, dfpn.Config{Nodes: 1_000_000})
//	if result.Outcome == dfpn.Proven {
//		line, err := dfpn.NewReader(ctx, table, newCursor(), dfpn.Config{}).Line(false)
//	}
//
// # What is proven
//
// The proof number of a position is the least number of positions that must still be
// proven to prove it; the disproof number likewise. The search always continues where the
// least work remains. A result never depends on the path on which it was
// found, on a lost update, or on a number that overflowed: where one of these matters,
// the result is kept for that path only, or the position is searched again. It does
// depend on 64-bit keys: two positions with the same key and hand are treated as one.
//
// A cursor may leave out moves of the attacker and say so ([Node.Incomplete]). Proofs
// remain valid; a disproof that rests on such a node is marked
// ([Result.Sure]).
//
// Lengths are part of every result: the table says "won in at most n plies" or
// "not won in n plies". To find the shortest win, ask for a shorter one until that
// is disproven ([Config.Limit]); [Reader.Line] does so.
//
// docs/dfpn.md describes the algorithm and its sources.
package dfpn
