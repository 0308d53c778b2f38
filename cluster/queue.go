package cluster

import (
	"slices"
	"time"
)

// Queue is the state of a carrier in one process: jobs and results. It has neither
// goroutines nor a clock: the caller passes the current time, which must not go backwards.
// The same calls give the same answers. It is not safe for concurrent use.
type Queue struct {
	lease   time.Duration
	jobs    map[ID]*queued
	waiting []ID      // in order; some may be gone
	leases  []running // in the order in which they end if they are not renewed
	results []*received
	next    uint64 // number of the next lease or result
}

// queued is a job in a queue.
type queued struct {
	job     Job
	offered time.Time
	lease   uint64    // its number; 0 while the job waits
	ends    time.Time // of the lease
}

// running is a lease and when to check whether it has ended.
type running struct {
	job   ID
	lease uint64
	ends  time.Time
}

// received is a result that has not been acknowledged.
type received struct {
	number uint64
	result Result
	again  time.Time // when it is delivered again
}

// NewQueue returns an empty queue whose leases last for the given time. A result that is
// not acknowledged within that time is delivered again.
func NewQueue(lease time.Duration) *Queue {
	return &Queue{lease: lease, jobs: map[ID]*queued{}, next: 1}
}

// Offer adds jobs to the end of the queue, unless it has them.
func (q *Queue) Offer(now time.Time, jobs ...Job) {
	for _, j := range jobs {
		if q.jobs[j.ID] == nil {
			q.jobs[j.ID] = &queued{job: j, offered: now}
			q.waiting = append(q.waiting, j.ID)
		}
	}
}

// Recall removes jobs.
func (q *Queue) Recall(ids ...ID) {
	for _, id := range ids {
		delete(q.jobs, id)
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(id ID) bool { return q.jobs[id] == nil })
}

// Take leases the first job that waits, and returns the number of the lease. It returns 0 if there
// is none.
func (q *Queue) Take(now time.Time) (Job, uint64) {
	q.expire(now)
	if len(q.waiting) == 0 {
		return Job{}, 0
	}
	return q.take(now, 0)
}

// take leases a waiting job.
func (q *Queue) take(now time.Time, at int) (Job, uint64) {
	j := q.jobs[q.waiting[at]]
	q.waiting = slices.Delete(q.waiting, at, at+1)
	j.lease, j.ends = q.next, now.Add(q.lease)
	q.next++
	q.leases = append(q.leases, running{j.job.ID, j.lease, j.ends})
	return j.job, j.lease
}

// expire puts the jobs whose lease has ended back to the front of the queue.
func (q *Queue) expire(now time.Time) {
	for len(q.leases) > 0 && !q.leases[0].ends.After(now) {
		first := q.leases[0]
		q.leases = q.leases[1:]
		switch j := q.jobs[first.job]; {
		case j == nil || j.lease != first.lease:
		case j.ends.After(now): // it was renewed
			first.ends = j.ends
			at, _ := slices.BinarySearchFunc(q.leases, first, func(a, b running) int { return a.ends.Compare(b.ends) })
			q.leases = slices.Insert(q.leases, at, first)
		default:
			q.give(j)
		}
	}
}

// give puts a leased job back to the front of the queue.
func (q *Queue) give(j *queued) {
	j.lease = 0
	q.waiting = slices.Insert(q.waiting, 0, j.job.ID)
}

// held returns a job if its lease with the given number has not ended.
func (q *Queue) held(now time.Time, id ID, lease uint64) *queued {
	if j := q.jobs[id]; j != nil && j.lease == lease && j.ends.After(now) {
		return j
	}
	return nil
}

// Renew renews a lease. It fails with [ErrGone] if the lease has ended.
func (q *Queue) Renew(now time.Time, id ID, lease uint64) error {
	j := q.held(now, id, lease)
	if j == nil {
		return ErrGone
	}
	j.ends = now.Add(q.lease)
	return nil
}

// Return ends a lease, and puts the job back to the front of the queue.
func (q *Queue) Return(now time.Time, id ID, lease uint64) error {
	j := q.held(now, id, lease)
	if j == nil {
		return ErrGone
	}
	q.give(j)
	return nil
}

// Claim leases a job that waits to a worker that has had it before, and returns the number of
// the lease. It returns 0 if the job does not wait.
func (q *Queue) Claim(now time.Time, id ID) (Job, uint64) {
	q.expire(now)
	j := q.jobs[id]
	if j == nil || j.lease != 0 {
		return Job{}, 0
	}
	return q.take(now, slices.Index(q.waiting, id))
}

// Done adds the result of the worker that has a lease, and removes the job. The lease may have
// ended if no other worker has the job. Otherwise Done fails with [ErrGone].
func (q *Queue) Done(now time.Time, r Result, lease uint64) error {
	q.expire(now)
	if j := q.jobs[r.Job]; j == nil || j.lease != lease && j.lease != 0 {
		return ErrGone
	}
	q.Recall(r.Job)
	q.results = append(q.results, &received{number: q.next, result: r})
	q.next++
	return nil
}

// Receive returns the first result that is due, and its number, which is 0 if there is
// none.
func (q *Queue) Receive(now time.Time) (Result, uint64) {
	for _, r := range q.results {
		if !r.again.After(now) {
			r.again = now.Add(q.lease)
			return r.result, r.number
		}
	}
	return Result{}, 0
}

// Ack removes a result.
func (q *Queue) Ack(number uint64) {
	q.results = slices.DeleteFunc(q.results, func(r *received) bool { return r.number == number })
}

// Wakes returns the first time after now at which a job or a result may fall due by
// itself, and false if there is none.
func (q *Queue) Wakes(now time.Time) (at time.Time, ok bool) {
	note := func(t time.Time) {
		if t.After(now) && (!ok || t.Before(at)) {
			at, ok = t, true
		}
	}
	if len(q.leases) > 0 {
		note(q.leases[0].ends)
	}
	for _, r := range q.results {
		note(r.again)
	}
	return at, ok
}

// Status returns what the queue holds.
func (q *Queue) Status(now time.Time) Status {
	q.expire(now)
	s := Status{Queued: len(q.waiting), Leased: len(q.jobs) - len(q.waiting), Results: len(q.results)}
	for _, j := range q.jobs {
		s.Oldest = max(s.Oldest, now.Sub(j.offered))
	}
	return s
}
