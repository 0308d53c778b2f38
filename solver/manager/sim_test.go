package manager

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/games"
	"github.com/yomikiri/yomikiri/internal/race"
	"github.com/yomikiri/yomikiri/proof"
	gomokurules "github.com/yomikiri/yomikiri/proof/rules/gomoku"
	"github.com/yomikiri/yomikiri/solver"
)

var (
	simSeeds = flag.Uint64("sim.seeds", 300, "number of simulations")
	simSeed  = flag.Uint64("sim.seed", 0, "the first seed; a run is repeated by this and -sim.seeds=1 -test.v")
)

// TestSimulation runs a front end, its storage, a queue and workers, all in one goroutine
// and by a clock of their own, through faults of every kind. Odd seeds test safety: faults
// go on until the end, and whatever is stored must be true. Even seeds test liveness:
// after some time faults end, and the tree must get done. In one of eight nobody lies and nothing
// is damaged: then nothing may be refused.
func TestSimulation(t *testing.T) {
	if race.Enabled {
		t.Skip("many simulations, on one goroutine each")
	}
	seeds := *simSeeds
	if testing.Short() {
		seeds = min(seeds, 20)
	}
	var mu sync.Mutex
	var total simStats
	const shards = 3
	t.Run("seeds", func(t *testing.T) {
		for shard := range uint64(shards) {
			t.Run(fmt.Sprint(shard), func(t *testing.T) {
				t.Parallel()
				for seed := *simSeed + shard; seed < *simSeed+seeds; seed += shards {
					s := newSim(seed)
					require.NoError(t, s.run(), "seed %d", seed)
					mu.Lock()
					total.add(s.stats)
					mu.Unlock()
				}
			})
		}
	})
	t.Logf("%+v", total)
	if seeds >= 300 {
		require.Greater(t, min(total.Done, total.Proofs, total.FrontCrashes, total.WorkerCrashes, total.FailedWrites, total.Wipes,
			total.Lost, total.Doubled, total.WrongLeases, total.Closed, total.Recalled, total.Dropped, total.Refused, total.Rested, total.Missing, total.Repetitions, total.Raised, total.Lies, total.Ended), 0)
	}
}

// TestSimulationSeeds runs seeds that have found faults: moves left out in a game with
// repetition, and a proof that a small table loses while it is written.
func TestSimulationSeeds(t *testing.T) {
	for _, seed := range []uint64{405, 5348, 703954} {
		require.NoError(t, newSim(seed).run(), "seed %d", seed)
	}
}

// TestSimulationRepeats runs seeds twice: the same must happen.
func TestSimulationRepeats(t *testing.T) {
	if race.Enabled {
		t.Skip("it runs on one goroutine, and takes long")
	}
	for seed := range uint64(runs(6, 20)) {
		a, b := newSim(seed), newSim(seed)
		require.NoError(t, a.run())
		require.NoError(t, b.run())
		require.Equal(t, a.trace, b.trace, "seed %d", seed)
	}
}

// simStats counts what simulations went through.
type simStats struct {
	Done, Proofs, Failures, Repetitions, Jobs, Settled, Closed, Recalled, Dropped, Refused, Raised, Answered, Rested, Missing, Lies int
	FrontCrashes, WorkerCrashes, FailedWrites, Wipes, Lost, Doubled, WrongLeases, Ended                                             int
}

func (s *simStats) add(t simStats) {
	sum, more := reflect.ValueOf(s).Elem(), reflect.ValueOf(t)
	for i := range sum.NumField() {
		sum.Field(i).SetInt(sum.Field(i).Int() + more.Field(i).Int())
	}
}

func checkGomoku(ctx context.Context, r *proof.Reader, o proof.CheckOptions) (proof.Report, error) {
	g, ok := gomokurules.Open(r.Header().Game)
	if !ok {
		return proof.Report{}, errors.New("no second rules")
	}
	return proof.Check(ctx, r, g, o)
}

// sim is a simulation. Everything in it happens in the order of its events.
type sim struct {
	rng     *rand.Rand
	game    *simGame
	live    bool
	honest  bool // no result is false or damaged
	now     time.Time
	events  []simEvent // to come
	order   int
	faults  bool
	policy  Policy
	ask     string
	memory  uint64            // of a back end
	store   map[string][]byte // what is durable
	front   *FrontEnd         // nil while it is down
	queue   *simQueue
	workers []*simWorker
	known   map[string]solver.Outcome // of nodes that were stored as settled
	done    bool
	stats   simStats
	trace   uint64 // hash of all that happened
}

type simEvent struct {
	at    time.Time
	order int
	do    func() error
}

// simWorker is a worker. It finds its answer when it takes a job, and sends it later.
type simWorker struct {
	name    string
	backend solver.Backend
	job     uint64 // counts its jobs
	lies    bool   // since it was started
}

const (
	simLease   = 30 * time.Second
	simJobs    = 6
	simFaulty  = 40 * time.Minute // how long there are faults
	simHealthy = 48 * time.Hour   // in which the work must then be done
)

func newSim(seed uint64) *sim {
	rng := rand.New(rand.NewPCG(seed, 77))
	s := &sim{
		rng: rng, game: simGames(rng), live: seed%2 == 0, honest: seed%16 >= 14, faults: true, now: time.Unix(0, 0),
		store: map[string][]byte{}, queue: newSimQueue(simLease), known: map[string]solver.Outcome{}, ask: AskValue, memory: 1 << 16,
	}
	s.policy = Policy{Budget: 1 + rng.Uint64N(6), Tries: 1 + rng.IntN(2)}
	if rng.IntN(4) == 0 && s.game.adapt == nil {
		// Then the tree cannot grow, and a job must be able to do the rest: threats never do.
		s.policy.Nodes, s.memory = 1+rng.IntN(40), 1<<23
	}
	if rng.IntN(4) == 0 {
		s.ask = AskWin
	}
	if rng.IntN(3) == 0 {
		s.policy.Likely, s.policy.Rise = 1+rng.Int32N(30), 1+rng.Int32N(10)
		made := s.game.newBackend
		s.game.newBackend = func(memory uint64) solver.Backend { return &guesser{made(memory), s.game.rules, s.game.value} }
	}
	s.policy.Help = rng.IntN(3) == 0
	for n := range 1 + rng.IntN(3) {
		w := &simWorker{name: fmt.Sprint("worker ", n), backend: s.game.newBackend(s.memory)}
		s.workers = append(s.workers, w)
		s.after(s.delay(), func() error { return s.work(w) })
	}
	s.after(0, s.start)
	s.after(time.Second, s.tick)
	s.after(s.delay(), s.receive)
	return s
}

// chance reports true once in n times while there are faults.
func (s *sim) chance(n int) bool { return s.faults && s.rng.IntN(n) == 0 }

func (s *sim) delay() time.Duration {
	d := time.Duration(s.rng.IntN(2000)) * time.Millisecond
	if s.chance(10) {
		d *= 60 // longer than a lease
	}
	return d
}

func (s *sim) after(d time.Duration, do func() error) {
	s.order++
	e := simEvent{s.now.Add(d), s.order, do}
	at, _ := slices.BinarySearchFunc(s.events, e, func(a, b simEvent) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return a.order - b.order
	})
	s.events = slices.Insert(s.events, at, e)
}

// send has something happen later, or never, or twice.
func (s *sim) send(do func() error) {
	switch {
	case s.chance(12):
		s.stats.Lost++
		return
	case s.chance(12):
		s.stats.Doubled++
		s.after(s.delay(), do)
	}
	s.after(s.delay(), do)
}

func (s *sim) note(format string, args ...any) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %v "+format, append([]any{s.trace, s.now}, args...)...)
	s.trace = h.Sum64()
}

// run runs the simulation to its end.
func (s *sim) run() error {
	end := s.now.Add(simFaulty)
	for {
		if len(s.events) == 0 {
			return errors.New("nothing happens any more")
		}
		e := s.events[0]
		s.events = s.events[1:]
		s.now = e.at
		if s.now.After(end) {
			if !s.live {
				break
			}
			if s.faults {
				s.faults = false
				end = end.Add(simHealthy)
			} else if !s.done {
				return fmt.Errorf("not done in time: %d nodes, %+v", len(s.front.nodes), s.front.stats)
			}
		}
		if err := e.do(); err != nil {
			return err
		}
		if s.front != nil {
			if err := s.front.invariants(simJobs); err != nil {
				return err
			}
		}
		if s.done {
			break
		}
	}
	if s.front != nil {
		s.stats.Jobs, s.stats.Settled, s.stats.Closed = int(s.front.stats.Jobs), int(s.front.stats.Settled), int(s.front.stats.Closed)
		s.stats.Recalled, s.stats.Dropped = int(s.front.stats.Recalled), int(s.front.stats.Dropped)
		s.stats.Refused = int(s.front.stats.Refused)
		s.stats.Rested, s.stats.Missing = int(s.front.stats.Rested), int(s.front.stats.Missing)
		s.stats.Raised, s.stats.Answered = int(s.front.stats.Raised), int(s.front.stats.Answered)
	}
	if s.done {
		return s.prove()
	}
	return nil
}

// start starts the front end from what is stored.
func (s *sim) start() error {
	s.front = newFrontEnd(s.game.rules, s.game.check, Manifest{Game: s.game.rules.Name(), Root: s.root(), Question: s.ask}, s.policy)
	s.front.adapter = s.game.adapt
	for _, key := range slices.Sorted(maps.Keys(s.store)) {
		if err := s.front.load([]byte(key), s.store[key]); err != nil {
			return err
		}
	}
	if err := s.front.loaded(); err != nil {
		return err
	}
	if err := s.front.readIndex(context.Background(), s.fragment); err != nil {
		return err
	}
	s.note("start with %d nodes", len(s.front.nodes))
	return s.step(nil, 0)
}

func (s *sim) root() string {
	name, err := s.game.rules.Canonical(s.game.root)
	if err != nil {
		panic(err)
	}
	return name
}

// crash ends the front end.
func (s *sim) crash() {
	s.note("crash")
	s.front = nil
	s.after(s.delay(), s.start)
}

// tick is what happens regularly, and most of the crashes.
func (s *sim) tick() error {
	s.after(5*time.Second, s.tick)
	switch {
	case s.chance(60):
		s.stats.Wipes++
		s.queue = newSimQueue(simLease)
	case s.chance(60) && s.front != nil:
		s.stats.FrontCrashes++
		s.crash()
	case s.chance(30):
		s.stats.WorkerCrashes++
		s.restart(s.workers[s.rng.IntN(len(s.workers))])
	}
	return s.step(nil, 0)
}

// restart ends a worker and starts it again.
func (s *sim) restart(w *simWorker) {
	w.job++
	w.lies = false
	w.backend = s.game.newBackend(s.memory)
	s.after(s.delay(), func() error { return s.work(w) })
}

// step has the front end react, does what it wants, and acknowledges the result.
func (s *sim) step(r *cluster.Result, number uint64) error {
	if s.front == nil {
		return nil
	}
	a, err := s.front.Step(context.Background(), Event{Now: s.now.Sub(time.Unix(0, 0)), Jobs: simJobs, Lease: 2 * simLease, Result: r})
	if errors.Is(err, ErrRefused) { // as somebody does who reads the error
		s.stats.Ended++
		for _, w := range s.workers {
			if w.name == r.Worker {
				s.restart(w)
			}
		}
		s.crash()
		return nil
	}
	if err != nil {
		return err
	}
	s.note("%d writes, %d jobs, %d recalled, done %v", len(a.Writes), len(a.Offer), len(a.Recall), a.Done)
	for _, j := range a.Offer {
		if s.rng.IntN(2) == 0 { // as between processes
			j.Body = cluster.Bytes(encode(j.Body))
		}
		s.send(func() error { s.queue.offer(j); return nil })
	}
	for _, id := range a.Recall {
		s.send(func() error { s.queue.recall(id); return nil })
	}
	if s.chance(25) {
		s.stats.FailedWrites++
		if s.rng.IntN(2) == 0 { // it was written all the same
			if err := s.commit(a.Writes); err != nil {
				return err
			}
		}
		s.crash()
		return nil
	}
	if err := s.commit(a.Writes); err != nil {
		return err
	}
	if number > 0 {
		queue := s.queue
		s.send(func() error { queue.ack(number); return nil })
	}
	s.done = a.Done
	return nil
}

// commit makes writes durable, and checks them: what is settled is true, and stays so.
func (s *sim) commit(writes []Write) error {
	for _, w := range writes {
		s.note("%q %x", w.Key, w.Value)
		s.store[string(w.Key)] = w.Value
		if w.Key[0] != nodePrefix {
			continue
		}
		q, err := parseKey(w.Key)
		if err != nil {
			return err
		}
		n := node{Question: q}
		if err := n.parse(w.Value); err != nil {
			return err
		}
		if s.front.nodes[q].outcome == solver.Unverified {
			n.outcome = solver.Unverified
		}
		if before := s.known[string(w.Key)]; before.Settled() && n.outcome != before {
			return fmt.Errorf("%v was %v and is %v", q, before, n.outcome)
		}
		s.known[string(w.Key)] = n.outcome
		want := solver.Disproven
		if v := s.game.value(q.Position); q.Attacker && v == games.Won || !q.Attacker && v == games.Lost {
			want = solver.Proven
		}
		if n.outcome.Settled() && n.outcome != want {
			return fmt.Errorf("%v is stored as %v, and is %v", q, n.outcome, want)
		}
		if n.outcome == solver.Failed && !s.game.givesUp {
			return fmt.Errorf("%v has failed", q)
		}
	}
	return nil
}

// receive has the front end receive results.
func (s *sim) receive() error {
	s.after(s.delay()/4, s.receive)
	if s.front == nil {
		return nil
	}
	r, number := s.queue.receive(s.now)
	if number == 0 {
		return nil
	}
	s.note("result of %v", r.Job)
	if !s.honest && s.chance(100) {
		damage(s.rng, &r)
	}
	return s.step(&r, number)
}

// work has a worker take a job, do it, and send the result some time later.
func (s *sim) work(w *simWorker) error {
	j, number := s.queue.take(s.now)
	again := func() error { return s.work(w) }
	if number == 0 {
		s.after(s.delay()+time.Second, again)
		return nil
	}
	if s.chance(20) {
		s.stats.WrongLeases++ // another worker gets the job too
		s.queue.giveBack(j.ID, number)
	}
	job, err := bodyOf[solver.Job](j.Body)
	if err != nil {
		return err
	}
	a, err := w.backend.Search(context.Background(), job)
	if err != nil {
		return err
	}
	a.Nanoseconds, a.Memory = 1, w.name
	if w.lies = w.lies || !s.honest && s.chance(200); w.lies {
		s.stats.Lies++
		s.lie(a)
	}
	body := encode(a)
	s.note("%s does %v: %v", w.name, j.ID, a.Outcome)
	w.job++
	mine := w.job
	for n := range s.rng.IntN(3) {
		s.after(time.Duration(n+1)*simLease/3, func() error { s.queue.renew(s.now, j.ID, number); return nil })
	}
	s.after(2*s.delay(), func() error {
		if w.job != mine {
			return nil // it has crashed
		}
		s.send(func() error {
			s.queue.done(cluster.Result{Job: j.ID, Worker: w.name, Body: cluster.Bytes(body)})
			return nil
		})
		s.after(s.delay(), again)
		return nil
	})
	return nil
}

func (s *sim) fragment(number uint32) ([]byte, error) {
	return s.store[string(fragmentKey(number))], nil
}

// prove checks the answers, and that the proof is accepted.
func (s *sim) prove() error {
	s.stats.Done++
	if s.honest && s.front.stats.Refused > 0 {
		return errors.New("a result was refused, and all are honest")
	}
	claims, known := s.front.Claims()
	if !known && !s.game.givesUp && s.ask == AskValue {
		return fmt.Errorf("done, but the claims are %v", claims)
	}
	if len(claims) == 0 {
		s.stats.Failures++
		return nil
	}
	value, _ := s.front.Value()
	if want := s.game.value(s.root()); known && value != want && s.front.Verified() {
		return fmt.Errorf("the value is %v, and is found to be %v", want, value)
	}
	var file bytes.Buffer
	w, err := proof.NewWriter(&file, s.front.header())
	if err != nil {
		return err
	}
	err = s.front.writeProof(context.Background(), w, s.fragment)
	if errors.Is(err, solver.ErrRepetition) && !s.front.Verified() {
		s.stats.Repetitions++
		return nil
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return err
	}
	s.stats.Proofs++
	r, err := proof.NewReader(&file)
	if err != nil {
		return err
	}
	_, err = s.game.check(context.Background(), r, proof.CheckOptions{})
	return err
}

// runs returns how many runs a test has.
func runs(short, long int) int {
	if testing.Short() {
		return short
	}
	return long
}
