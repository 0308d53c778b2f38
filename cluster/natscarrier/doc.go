// Package natscarrier is a carrier of package cluster over NATS with JetStream, for workers
// in other processes and on other machines. The server is part of the front end's process
// unless the front end is configured to use another one.
//
//	front end's process                             workers
//	+-----------------------------------+
//	| Front -- in process -- NATS server| <-- TCP, TLS -- back (Join)
//	|                            ^      | <-- TCP, TLS -- back (Join)
//	|                            |      |
//	|           back (Front.Join)       |
//	+-----------------------------------+
//
// # What goes where
//
// Nothing is kept on disk. A front end creates two streams in memory when it opens, and
// deletes those that were there before. A session lasts until the streams are lost. It has
// a random name S, which is part of all subjects except the one for joining:
//
//	subject           from, to            what
//	yomikiri.join     worker -> front     hello, answered by welcome (JSON)
//	yomikiri.S.job    front -> stream     a job
//	yomikiri.S.part   worker -> stream    a part of a result, but the last
//	yomikiri.S.result worker -> stream    the last part, or all of it
//	yomikiri.S.beat   worker -> front     beat, answered by pulse (JSON)
//	yomikiri.S.control front -> workers   jobs recalled; front end closed (JSON)
//
//	stream            subjects            consumer (durable, pull, shared)
//	yomikiri-jobs     job                 workers-S: each worker asks for one at a time
//	yomikiri-results  part, result        front-S
//
// A job is one message: at most 8 MiB with the server in the front end's process, which is
// configured for that, and 1 MiB with another server unless it is configured for more.
// Results are divided into parts, so that they can have any size and let other messages
// through on slow lines.
//
// Both streams are work queues: a message is deleted when it is acknowledged. Format 1 of
// the messages:
//
//	job       Nats-Msg-Id: JOB.ATTEMPT      attempt: a number for each offer
//	          Yomikiri-Job: JOB             the ID in hexadecimal
//	          the job's body
//
//	part,     Nats-Msg-Id: UPLOAD.PART
//	result    Yomikiri-Job: JOB
//	          Yomikiri-Worker: NAME
//	          Yomikiri-Upload: UPLOAD       the same for all parts of a result
//	          Yomikiri-Part: 2/3            at most 512 KiB each
//	          bytes of the result's body
//
//	hello     {"format":1,"terms":{...},"name":"..."} to join,
//	          {"format":1,"terms":{...},"ask":true} to learn what the work is about
//	welcome   {"format":1,"session":"S","lease":nanoseconds}, {"format":1,"about":"..."},
//	          {"format":1,"refused":"why"}, or {"format":1,"ended":true} if no jobs are left
//	beat      {"job":"JOB","session":"..."}   the session in which the worker got it
//	pulse     {"gone":false}
//	control   {"recalled":[sequence numbers]} or {"closed":true}
//
// The handshake is the same in every format, so that workers of another version are refused
// with a reason.
//
// # Leases
//
// A lease is the time that JetStream waits for the acknowledgement of a job's message
// (AckWait). Lease.Beat asks the front end whether the job is still wanted and then says
// "in progress" to JetStream; Return says "not acknowledged", which has it delivered to
// another worker at once. Done stores all parts of the result before it acknowledges the
// job. A delivery's Ack acknowledges all parts and waits until the server has done so.
// There is no limit on how often a message is delivered: with one, it would stay in the
// stream forever. IDs of messages are remembered for a minute, which covers the time in
// which a message is sent again because its acknowledgement was lost. A job that is offered
// again has another attempt in its ID; otherwise it would be dropped as a duplicate.
//
// # What may fail
//
//   - A worker dies: its job goes to another when the lease is over. Parts of a result
//     that it did not finish are dropped after ten leases.
//   - A connection breaks, on either side: requests are repeated, under the same message
//     ID, until there is an answer or the context ends. A lease that ran out meanwhile is
//     gone.
//   - The front end dies, and with it the server in its process: jobs and results in flight
//     are lost. Workers go on with their jobs and try to connect. The next front end makes
//     a new session; workers join it, which checks their terms again, and send their
//     results there. For the time of a lease it does not report unknown jobs as gone, since
//     it may not have offered them again yet.
//   - The streams are deleted, or a separate server restarts: the front end notices it by
//     the first answer that fails, or within half a minute, makes a new session, and sends
//     all jobs again that it was offered and that have no result.
//   - Messages are lost but not their streams: the front end looks for a job's message when
//     the job is offered again after the time of a lease.
//   - Too many results: the stream holds at most 1 GiB. Workers then wait until there is room.
//
// # Networks
//
// A [Network] carries packets of [cluster.Mesh] over core NATS, without JetStream:
//
//	subject                    from, to               what
//	yomikiri.nodes.ask         node -> coordinator    question, with its answer
//	yomikiri.nodes.SESSION.N   member -> member N     packet; SESSION has 16 hex digits
//
// What is sent while a connection is broken is lost, and the mesh sends it again.
//
// # Who may connect
//
// Anything but loopback needs TLS and a token, on both sides. The token is checked by the
// server, before a connection may do anything. Anyone who has it could delete the streams,
// or send wrong results, so the receiver must check results.
package natscarrier
