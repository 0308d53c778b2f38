// Package db keeps the values of a solved game in a database that anyone can
// query.
//
// A database is a directory:
//
//	yomikiri.manifest   what the database is: game, rules, tiers, values, counts, checksums
//	store/              the values, in a Pebble store that is never changed again
//
// Values are stored in blocks of [BlockSize] positions, one key a block, each
// compressed and with a checksum of its own. A position that the rules decide is
// not stored: the game knows its value. docs/database.md draws the formats.
//
// [Write] makes a database, [Open] opens one, [DB.Value] looks up an index, and
// a [Prober] answers for positions: [Prober.Probe], [Prober.ProbeMoves],
// [Prober.Line]. [Verify] derives every value again from the values of its
// successors; it knows nothing of how they were found.
//
// An open database is safe for concurrent use.
package db
