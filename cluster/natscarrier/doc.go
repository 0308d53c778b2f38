// Package natscarrier is a carrier of package cluster on NATS with JetStream, for workers in other
// processes and on other machines. The server is part of the front end's process, or a server or
// cluster that is there already.
//
//	front end's process                             workers
//	+-----------------------------------+
//	| Front -- in process -- NATS server| <-- TCP, TLS -- back (Join)
//	|   back (Front.Join) --------+     | <-- TCP, TLS -- back (Join)
//	+-----------------------------------+
//
// # What NATS does
//
//	name               what                         who publishes, who takes
//	yomikiri-jobs      work queue                   front end, workers by the consumer "workers"
//	yomikiri-results   work queue, 256 MiB          workers, front end by the consumer "front"
//	yomikiri-parts     object store, 1 GiB          both: jobs and results over half a message, and files,
//	                                                with which it has no limit
//	yomikiri.hello     request and reply (JSON)     worker, front end
//	yomikiri.recall    message                      front end: names of jobs; nothing if no jobs are left
//	yomikiri.question  request and reply, a queue   front end, one of the threads that answer
//	yomikiri.count     request and reply            front end, workers: how many threads they have
//	yomikiri.nodes     request and reply            node, coordinator of a solve
//
// A worker that takes a job says that it is in progress three times in the time of a lease (AckWait);
// a job whose worker is silent goes to another one, which says so if there were ten before. A
// worker publishes a result and then acknowledges the job; the front end acknowledges the result when that is
// committed. Both can be lost in between, so a job may be done twice and a result may come twice. Nats-Msg-Id keeps a
// message from being stored twice when an answer is lost; since an id stays blocked after the
// acknowledgement, each offer of a job has its own.
//
// Questions ([Front.Ask], [Answer]) are for work of less than a millisecond. Nothing keeps them: if there is no answer
// in five seconds, the front end does without it.
//
// A stream that is full refuses what comes: the worker tries again. Of large results the front end reads so
// many at a time that they have 256 MiB together.
//
// # What may fail
//
//   - A worker dies: its job goes to another when the lease is over.
//   - A connection breaks, on either side: what was under way is tried again until there is an answer or
//     the context ends.
//   - The front end dies, and with it the server in its process. Workers go on with their jobs and try
//     to connect. The next front end finds the results in the streams. It drops the jobs, and offers
//     those that it still wants.
//   - A server of a cluster, or one that keeps its streams on disk, restarts: nothing is lost. With
//     [Config.Replicas] streams outlast the loss of a server.
//
// # Who may do what
//
// NATS decides that. The server in the front end's process has two users: the front end, and
// workers with the token, who may say hello, take jobs, publish results and answer questions ([WorkerPermissions]). On a server
// of your own, [Account] names the user. Anything but loopback needs TLS and a token, on both sides.
// The hello is the same in every format, so that workers of another version, game or rules are refused with a
// reason: that is against mistakes.
//
// # Networks
//
// A [Network] is where the processes of a solve by nodes meet. Their streams go from one to another
// without NATS; see [cluster.Mesh].
package natscarrier
