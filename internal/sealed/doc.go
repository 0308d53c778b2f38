// Package sealed is the one container of state that a killed job continues from: a file with a
// JSON header that says what it is of, and chunks of data that are read in any order. It is
// written whole or not at all, and everything in it has a checksum.
//
// A file, little-endian:
//
//	+----------------------+----------------+--------+-----+
//	| "yomikiri state 1\n" | length, 32 bit | header | sum |
//	+----------------------+----------------+--------+-----+
//	+-------+-----+
//	| chunk | sum |   any number
//	+-------+-----+
//	+----------------------------+-----------------+-----+
//	| end of each chunk, 64 bit  | chunks, 64 bit  | sum |
//	+----------------------------+-----------------+-----+
//
// The header is the JSON object {"kind": …, "version": …, "of": …}. A chunk is compressed with
// S2. Its end is the offset behind its sum. A sum is an XXH64 of 64 bits: of the header, of the
// chunk before compression, of the ends and their number.
package sealed
