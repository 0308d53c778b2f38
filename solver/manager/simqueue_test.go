package manager

import (
	"slices"
	"time"

	"github.com/yomikiri/yomikiri/cluster"
)

// simQueue is a model of a carrier: of its jobs, which are given to another worker when one is silent for
// too long, and of its results, which come again unless they are acknowledged. The caller passes the time. The same
// calls give the same answers.
type simQueue struct {
	lease   time.Duration
	jobs    map[cluster.ID]*simJob
	waiting []cluster.ID // in order
	results []*simResult
	next    uint64 // number of the next lease or result
}

// simJob is a job in a queue.
type simJob struct {
	job   cluster.Job
	lease uint64    // its number; 0 while the job waits
	ends  time.Time // of the lease
}

// simResult is a result that has not been acknowledged.
type simResult struct {
	number uint64
	result cluster.Result
	again  time.Time // when it is delivered again
}

func newSimQueue(lease time.Duration) *simQueue {
	return &simQueue{lease: lease, jobs: map[cluster.ID]*simJob{}, next: 1}
}

// offer adds a job to the end of the queue, unless it has it.
func (q *simQueue) offer(j cluster.Job) {
	if q.jobs[j.ID] == nil {
		q.jobs[j.ID] = &simJob{job: j}
		q.waiting = append(q.waiting, j.ID)
	}
}

// recall removes a job.
func (q *simQueue) recall(id cluster.ID) {
	delete(q.jobs, id)
	q.waiting = slices.DeleteFunc(q.waiting, func(other cluster.ID) bool { return other == id })
}

// take gives a worker the first job that waits, and returns the number of the lease. It returns 0 if
// there is none.
func (q *simQueue) take(now time.Time) (cluster.Job, uint64) {
	q.expire(now)
	if len(q.waiting) == 0 {
		return cluster.Job{}, 0
	}
	j := q.jobs[q.waiting[0]]
	q.waiting = q.waiting[1:]
	j.lease, j.ends = q.next, now.Add(q.lease)
	q.next++
	return j.job, j.lease
}

// expire puts the jobs whose lease has ended back to the front of the queue.
func (q *simQueue) expire(now time.Time) {
	var ended []*simJob
	for _, j := range q.jobs {
		if j.lease != 0 && !j.ends.After(now) {
			ended = append(ended, j)
		}
	}
	slices.SortFunc(ended, func(a, b *simJob) int { return int(a.lease) - int(b.lease) })
	for _, j := range ended {
		q.give(j)
	}
}

// give puts a job back to the front of the queue.
func (q *simQueue) give(j *simJob) {
	j.lease = 0
	q.waiting = slices.Insert(q.waiting, 0, j.job.ID)
}

// renew renews a lease, if it goes on.
func (q *simQueue) renew(now time.Time, id cluster.ID, lease uint64) {
	if j := q.jobs[id]; j != nil && j.lease == lease && j.ends.After(now) {
		j.ends = now.Add(q.lease)
	}
}

// giveBack ends a lease before its time.
func (q *simQueue) giveBack(id cluster.ID, lease uint64) {
	if j := q.jobs[id]; j != nil && j.lease == lease {
		q.give(j)
	}
}

// done adds a result, whoever sends it and when, and removes the job.
func (q *simQueue) done(r cluster.Result) {
	q.recall(r.Job)
	q.results = append(q.results, &simResult{number: q.next, result: r})
	q.next++
}

// receive returns the first result that is due, and its number, which is 0 if there is
// none.
func (q *simQueue) receive(now time.Time) (cluster.Result, uint64) {
	for _, r := range q.results {
		if !r.again.After(now) {
			r.again = now.Add(q.lease)
			return r.result, r.number
		}
	}
	return cluster.Result{}, 0
}

// ack removes a result.
func (q *simQueue) ack(number uint64) {
	q.results = slices.DeleteFunc(q.results, func(r *simResult) bool { return r.number == number })
}
