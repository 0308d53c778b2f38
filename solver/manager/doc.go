// Package manager searches proof trees that are too large for one search, with many
// workers, for as long as it takes.
//
// # Parts
//
//	         +-----------------------+   commit    +---------+
//	         |       front end       | ----------> | storage |
//	         | proof tree, choice of | <---------- | Pebble  |
//	         | jobs: a state machine |   load      +---------+
//	         +-----------------------+
//	           | jobs         ^ results
//	           v              |
//	         +-----------------------+
//	         |    package cluster    |
//	         +-----------------------+
//	           |              ^
//	           v              |
//	+----------------------------------+
//	| workers: back ends with tables   |
//	+----------------------------------+
//
// The front end ([FrontEnd]) keeps the one master copy of the proof tree. An event goes in
// ([FrontEnd.Step]), actions come out: writes to commit, jobs to offer and to recall. It
// has no clock, no disk and no network, so that a simulation can take it through every
// fault. A [Tree] stores it in a Pebble directory, and [Tree.Run] joins it to a carrier of
// package cluster. A [Worker] takes jobs and has a [solver.Backend] answer them.
//
// # The tree
//
// A node is a [solver.Question]: a position, named by the text of its canonical image, and
// whether the attacker is to move in it. So transpositions and mirror images are one
// node, and two nodes hold the bounds of a position for either side. A node is settled
// when its proof is stored: a move to a settled node, all replies, or a fragment, which
// is a proof file that a back end has written. A fragment may refer to children of its
// node, and to positions that earlier fragments prove on their way: so what neighbouring leaves
// have in common is proven once.
//
// Proof numbers lead to the leaf that helps most. It becomes a [solver.Job], which ends when another
// leaf helps more. If the back end settles it, every ancestor that can now be settled is
// settled too; otherwise the leaf is searched again with twice the budget, and finally
// expanded by the moves that the back end has found worthwhile. A leaf whose heuristic score
// reaches a threshold counts as likely settled until the threshold has risen above it
// ([Policy]). Where the back end left out moves that it knows to be irrelevant, the node is
// closed at the end: a job writes a proof that includes these moves and refers to the proofs
// of the others.
//
// # What can go wrong
//
// Everything that [cluster] allows, and any process may end at any moment. The changes of a
// result are committed before the result is acknowledged; a result that comes twice or late
// changes nothing or settles what is true anyway. So nothing is lost except jobs that are
// out. Who may send results is who the carrier lets in. Proofs that workers send are checked by
// the rules of the game ([Checker]) before they count. A result that is refused costs its job, and
// many in a row from one worker end the run ([ErrRefused]). What a worker says without a proof is
// believed in one run only.
//
// Where positions can repeat, nothing is stored that depends on a path: a node is lost for
// the attacker by repetition only if he could not win it even if all open leaves were won.
//
// docs/manager.md says what is checked and what may fail, docs/manager-search.md has the policy, and
// docs/manager-files.md the formats.
package manager
