// Package natscarrier is a carrier of package cluster over core NATS, for workers in other
// processes and on other machines. The server is part of the front end's process, or a server or
// cluster that is there already.
//
//	front end's process                             workers
//	+-----------------------------------+
//	| Front -- in process -- NATS server| <-- TCP, TLS -- back (Join)
//	|   |                               | <-- TCP, TLS -- back (Join)
//	| cluster.Memory -- back (Join)     |
//	+-----------------------------------+
//
// # Requests and replies
//
// Jobs, leases and results are in the memory of the front end: a [Front] is a [cluster.Memory] with
// requests of workers before it. Nothing is kept on disk, and NATS keeps nothing. A session lasts
// as long as the Front. It has a random name S:
//
//	subject            from, to          what
//	yomikiri.join      worker -> front   hello, answered by welcome (JSON)
//	yomikiri.jobs.S    worker -> front   a request, with its reply
//	yomikiri.jobs.S.W  front -> worker W what it is told unasked: a lease has ended, ask again, no jobs are left
//
//	hello     {"format":2,"terms":{...},"name":"...","key":"..."} to join,
//	          {"format":2,"terms":{...},"ask":true} to learn what the work is about
//	welcome   {"format":2,"session":"S","worker":W,"key":"...","lease":nanoseconds,...},
//	          {"format":2,"about":"..."}, {"format":2,"refused":"why"}, or
//	          {"format":2,"ended":true} if no jobs are left
//
// The handshake is the same in every format, so that workers of another version are refused
// with a reason. A worker asks for one job at a time; the front end answers when there is one. A job
// or a result that is longer than a message travels in chunks of at most 512 KiB.
//
// # Sealed messages
//
// With hello and welcome a worker and the front end exchange keys (X25519). Every later message
// between them is sealed with the secret that follows (AES-GCM), under a number that is used once
// for each direction. So no other worker can make, change or repeat one: what cannot be opened, or
// has been here before, is ignored. A request is
//
//	+----------------+----------------+-----------------------------------------------------+
//	| worker, 64 bit | number, 64 bit | sealed: kind, lease, job, offset, size, and the data |
//	+----------------+----------------+-----------------------------------------------------+
//
// # Leases
//
// A worker renews its lease with Lease.Renew, and with each chunk of a result; a result counts only with a lease that has not ended.
// The worker's lease is a sixth shorter than the front end's, so that a worker that has lost it knows
// before another one gets the job.
//
// # What may fail
//
//   - A worker dies: its job goes to another when the lease is over, with the part of a result that
//     has arrived.
//   - A connection breaks, on either side: requests are repeated until there is an answer or the
//     context ends. When its own is back, the front end has all workers repeat theirs at once. A lease that ran out meanwhile is gone.
//   - The front end dies, and with it the server in its process: jobs and results in flight are
//     lost. Workers go on with their jobs and try to connect. The next front end has another
//     session; a worker joins it, which checks its terms again, and claims the job that it has
//     had, unless another worker has it. For the time of a lease no claim of a job that was not
//     offered again yet is refused.
//   - A separate server restarts: nothing is lost there, since it has nothing.
//   - Workers send too much: a result may have 256 MiB. When 64 MiB of results wait to be complete or
//     acknowledged, only the oldest goes on; the others are told to try later. A result that does not
//     go on for the time of a lease loses it.
//
// # Networks
//
// A [Network] carries packets of [cluster.Mesh]:
//
//	subject                    from, to               what
//	yomikiri.nodes.ask         node -> coordinator    question, with its reply
//	yomikiri.nodes.SESSION.N   peer -> peer N         packet; SESSION has 16 hex digits
//
// What is sent while a connection is broken is lost, and the mesh sends it again.
//
// # Who may connect
//
// Anything but loopback needs TLS and a token, on both sides. The token is checked by the
// server, before a connection may do anything. Whoever has it can join as many workers as are allowed
// and return wrong results in their own names, so the receiver must check results. It could also
// take the place of a front end that is not there.
package natscarrier
