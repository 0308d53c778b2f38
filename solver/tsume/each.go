package tsume

import (
	"context"
	"sync"

	"github.com/yomikiri/yomikiri/dfpn"
)

// Each solves n problems on several goroutines, each with a table of its own; together
// the tables have memory bytes. It calls solve for each problem, with an empty table, and
// report with the results, in order and one at a time. The first error of either ends
// all searches. If ctx ends before, Each returns its error.
func Each[T any](ctx context.Context, n, workers int, memory int64, solve func(ctx context.Context, i int, table *dfpn.Table) (T, error), report func(i int, result T) error) error {
	workers = max(min(workers, n), 1)
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type answer struct {
		index  int
		result T
	}
	next, answers := make(chan int), make(chan answer)
	go func() {
		defer close(next)
		for i := range n {
			select {
			case next <- i:
			case <-inner.Done():
				return
			}
		}
	}()
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			table, err := dfpn.NewTable(memory / int64(workers))
			if err != nil {
				cancel(err)
				return
			}
			for i := range next {
				table.Clear()
				result, err := solve(inner, i, table)
				if err != nil {
					cancel(err)
				}
				if inner.Err() != nil {
					return
				}
				answers <- answer{i, result}
			}
		})
	}
	go func() {
		group.Wait()
		close(answers)
	}()
	early, reported := map[int]T{}, 0
	for a := range answers {
		early[a.index] = a.result
		for result, ok := early[reported]; ok && inner.Err() == nil; result, ok = early[reported] {
			delete(early, reported)
			if err := report(reported, result); err != nil {
				cancel(err)
			}
			reported++
		}
	}
	return context.Cause(inner)
}
