// Package cluster carries jobs from a front end to workers, and results back: in one
// process, or between processes and machines. It does not look into jobs. It also carries
// records between the nodes of a solve; see below.
//
// # Two sides
//
// The front end has a [Front]: it offers jobs, recalls those that are no longer wanted, and
// receives results. A worker has a [Back]: it takes a job, and sends the result ([Lease.Done]). The
// carrier keeps the job for it as long as its process lives.
//
//	front end                    carrier                        worker
//	    | Offer(job) ---------------> |                              |
//	    |                             | <--------------------- Take  |
//	    |                             | job -----------------------> |
//	    |                             | <-------------- Done(result) |
//	    | <-------- Receive: result   |                              |
//	    | commits it, with fsync      |                              |
//	    | Ack ----------------------> |                              |
//
// # What is promised
//
// Little, so that every carrier can keep it:
//
//   - A job that was offered is handed out at least once, unless it is recalled or the
//     carrier loses everything. It may be handed out more than once, even to two workers at
//     a time: when a worker that was considered dead is not.
//   - A result is delivered at least once until it is acknowledged, in any order, and
//     perhaps long after its job was recalled.
//   - A carrier may lose everything that it holds. It is not the system of record.
//
// So the two sides have duties:
//
//   - A job's [ID] is a hash of everything that its answer depends on. Two jobs with the
//     same ID are the same, and either's result serves for both.
//   - The front end commits what a result says to its own storage, durably, before it
//     acknowledges it, and a result that comes twice, late or unasked must do no harm.
//   - The front end keeps track of the jobs that it waits for. When it starts, and when one
//     has been out for too long, it offers them again; offering a job that the carrier
//     still has changes nothing.
//   - A worker that learns that its job is gone ([Lease.Gone]) may stop. Going on only
//     wastes its time.
//
// # Who may join
//
// Whoever the carrier lets in is trusted. Against mistakes both sides present [Terms]: version, game,
// rules. A worker that does not agree with the front end is refused with an error that says what
// differs, before it gets a job. Package manager shows how a worker finds the rules of a game.
//
// # Carriers
//
// [Memory] is for one process, and encodes nothing. Package natscarrier is for several, on NATS with JetStream. Package
// clustertest has the tests that every carrier must pass.
//
// # Files
//
// What is too large for memory goes by [Files], beside jobs and results.
//
// # Nodes
//
// Retrograde analysis by several processes needs not a queue but a stream of records
// between each pair of them. A coordinator replies to questions on a [Network], through which nodes find it and
// learn of a session and its members. A [Mesh] joins these by TLS streams, one for each pair, which
// bring records each once and in order, and stop the sender when the receiver does not keep up:
//
//	node --- question, reply ---> coordinator      Network
//	node <== records ===========> node             Mesh
//	node <== records ===========> coordinator
//
// [Loopback] is a network within one process.
package cluster
