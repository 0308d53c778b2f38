// Package record reads records of shogi games and problems: [ParseKIF] and [ParseCSA]
// read the two common file formats. They refuse illegal positions and moves, and say
// where and why. [Record.AppendKIF] writes the first.
//
// [AppendJapanese] writes a single move in Japanese notation, such as ▲7六歩, △同玉 and
// ▲5三銀右不成.
package record
