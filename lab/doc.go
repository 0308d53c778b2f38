// Lab repeats experiments of papers about judging positions that are not solved. It serves nobody who plays or
// solves; docs/judging.md, docs/learning.md, docs/weighing.md, docs/policies.md and docs/puzzles.md have what it has shown.
//
//	go run ./lab judge GAME ...        measures of difficulty and resignation
//	go run ./lab phase GAME FILES      where the phases of games meet, also against what people say
//	go run ./lab marks GAME FILES ...  what analyze says, against true values
//	go run ./lab errors GAME ...       how often evaluations give the true result away
//	go run ./lab weigh GAME FILES      how much parts of the data should count
//	go run ./lab weighed FILE          how a search for these weights stands
//	go run ./lab matchmaking           how well ways to choose opponents rank players
//	go run ./lab policy GAME FILES     how probable moves are
//	go run ./lab playouts GAME ...     matches of players that play by playouts
//	go run ./lab puzzles GAME ...      how well the rank of puzzles tells where players err
//
// Go build needs another name for the program than that of this folder: go build -o yomikiri-lab ./lab.
//
// There is a file for each command, and a package for what it does:
//
//	judge/     resignation, phases and errors, in records and against true values; predictions of errors
//	weigh/     an evolution of the weights of data, by what wins games
//	ranking/   Elo ratings of several players, and how opponents are chosen
//	policy/    probabilities of moves, learned from games
//	uct/       a player by playouts, which a policy may choose
//	interval/  intervals by bootstrap over games
//
// Flags, progress and exit codes are those of the other program: see package cmd/ui.
package main
