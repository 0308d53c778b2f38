// Package mailbox is shogi once more: its rules on a plain board of 9 by 9
// squares, with loops over directions and moves made on copies. It is slow and
// meant to be read. It shares no code with package games/shogi, so that a proof
// that is checked by these rules does not rest on bitboards, or on anything else
// that a search uses.
//
// It has the rules of "shogi", and of "shogi:checks=black" and
// "shogi:checks=white", where one side must give check with each of its moves.
package mailbox
