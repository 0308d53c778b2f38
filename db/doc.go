// Package db stores the values of a solved game in a database and looks them up.
//
// A database is a directory:
//
//	yomikiri.manifest   description: game, rules, tiers, values, counts, checksums
//	store/              the values, in a Pebble store that never changes
//	yomikiri.verified   record of a verification, if there was one
//
// Values are stored in blocks of [BlockSize] positions. Each block is a key of the
// store, compressed, with its own checksum. Terminal positions are not stored: the
// game gives their value. docs/database.md draws the formats.
//
// Package store creates databases and opens them; a database can also be one file, see [Packed]. Whatever gives the
// stored bytes of blocks is [Blocks], so this package reads databases in a browser too. [DB.Value] looks up an index. A
// [Prober] looks up positions of a game: [Prober.Probe], [Prober.ProbeMoves],
// [Prober.Line], and [Prober.Answer] for all of these in the game's notation.
// [DB.Check] compares a database with its checksums; package verify derives all values again.
// A [VerificationRecord] says so, and [DB.Verification] and DB.Check look at the record.
//
// A database may hold only part of a game, such as the endings of checkers. An [Endgame]
// gives its values to a search of the whole game; an [Adjudicated] game ends where the
// database holds the position.
//
// An open database is safe for concurrent use.
package db
