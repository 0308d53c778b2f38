// Package nodes lets several processes solve a game together. Each [Node] runs an
// [engine.Engine] on its own partitions. A coordinator ([Solve]) starts sessions, ends phases,
// numbers values, commits epochs, and writes the database from blocks that the nodes encode.
//
//	node                           coordinator
//	 | hello ------------------------> |   again as a heartbeat, until goodbye
//	 | <------------- welcome: session |   once there is a node for each seat
//	 | ready ------------------------> |
//	 | <--------------------------- go |
//	 | <===== batches to and from other nodes =====>
//	 | report -----------------------> |   all workers wait
//	 | <------------------ probe / end |   of the phase, if nothing is in flight
//	 | saved ------------------------> |   a snapshot of the epoch, if one is due
//	 | <-------------------- committed |
//	 | done -------------------------> |
//	 | <----------------------- query  |   values, encoded blocks
//	 | reply ------------------------> |
//	 | <----------------------- finish |
//
// A node that is lost ends the session. The next one begins from the last epoch that all nodes
// have written, when there is a node for each seat again.
package nodes
