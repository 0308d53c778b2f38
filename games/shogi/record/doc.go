// Package record reads records of shogi games and problems. [Parse] reads a file in KIF, KI2,
// CSA or USI, whichever it is, [ParseKIF], [ParseCSA] and [ParseUSI] one of them. They read
// what programs write, which is more than the formats define. Headers and comments are kept;
// whatever else says nothing about the moves is skipped. They refuse illegal positions and
// moves, and say where and why; the moves before stay. [Record.AppendKIF] writes KIF
// and [Record.AppendCSA] CSA. [ParseJKF], [ParseUSEN] and [ParseWestern] read formats of web pages and western books, which
// are written too.
//
// [AppendJapanese] writes a single move in Japanese notation, such as ▲7六歩, △同玉 and
// ▲5三銀右不成.
package record
