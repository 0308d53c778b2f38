// Package variant plays games whose rules stand in a file: the variants.ini of many chess programs. A section of the
// file is a game,
//
//	[mygame:chess]
//	maxRank = 5
//	maxFile = 5
//	startFen = rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1
//	promotionRegionWhite = *5
//	promotionRegionBlack = *1
//	castling = false
//	doubleStep = false
//
// based on another, here [chess], or on the rules of chess without any piece. [Read] reads a file, [File.Game] compiles
// a section, and [BuiltIn] has the variants on which the sections of users' files are based.
//
// A rule that is ignored is a wrong value. So a key that is not understood is an error, which names it, its section and
// its line. Keys without effect on the rules, such as what a piece is worth, are accepted; rules that depend on earlier
// positions, such as repetition and the rule of 50 moves, are accepted too and named by [Game.History], since no
// position of [games.Game] has a past. docs/variants-format.md lists all keys.
//
// Pieces move as Betza's notation says. The compiler turns it into tables by square: leaps, lines of slides and hops,
// and lame leaps with the squares that block them. Positions are values of a fixed size; moves are made on a board that
// also has a set of squares for each side and kind, of up to 128 bits. A move is legal if the board after it is: boards
// are copied, and nothing is taken back.
//
// Forsyth-Edwards notation, the moves of the UCI protocol, algebraic notation and records in PGN are read and written.
//
// [Tables] numbers the positions of classes of material for retrograde analysis. Captures and promotions lead from class to
// class; where captures fill hands, they stay in it. Games with simple rules on at most 64 squares have a second board for that, whose
// sets are words: see word.go. [Game.RulesText] is the text of rules that databases and proofs carry.
package variant
