// Package shogi is an independent, deliberately simple implementation of shogi's
// rules: a board of 9 by 9 squares, loops over directions, and a search along the lines from
// each king for the pieces that give check. It shares no code with package games/shogi, so a
// proof checked by these rules does not depend on bitboards or anything else that a search
// uses.
//
// [Open] accepts the games "shogi", "shogi:checks=black" and "shogi:checks=white". In the
// latter two one side must give check with each of its moves.
package shogi
