// Package puzzle finds positions of a solved game in which exactly one move keeps the result, and ranks them by how
// hard it is to find.
//
// A database says that a puzzle has one solution; see [Finder]. How hard it is, searches with few nodes tell: how often
// they err, when one that goes on finds the move, and how many moves look as good; see [Ranker]. The rank says nothing
// about the value of the position.
package puzzle
