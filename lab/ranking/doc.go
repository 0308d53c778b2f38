// Package ranking rates several players by the games that they play against each other ([Standings]), and chooses
// opponents so that few games tell how they rank ([Matchmaking]). An [Experiment] measures how well that works with
// players of known strength.
package ranking
