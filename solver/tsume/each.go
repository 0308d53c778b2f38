package tsume

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/dfpn"
)

// Each solves n problems on several goroutines, each with its own table; together the
// tables take memory bytes. It calls solve for each problem, with an empty table, and
// report with the results, in order and one at a time. The first error of either ends
// all searches. If ctx ends first, Each returns its error.
func Each[T any](ctx context.Context, n, workers int, memory int64, solve func(ctx context.Context, i int, table *dfpn.Table) (T, error), report func(i int, result T) error) error {
	workers = max(min(workers, n), 1)
	tables := make(chan *dfpn.Table, workers)
	for range workers {
		table, err := dfpn.NewTable(memory / int64(workers))
		if err != nil {
			return err
		}
		tables <- table
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	var mu sync.Mutex
	early, reported := map[int]T{}, 0
	for i := range n {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			table := <-tables
			defer func() { tables <- table }()
			table.Clear()
			result, err := solve(inner, i, table)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			early[i] = result
			for result, ok := early[reported]; ok && inner.Err() == nil; result, ok = early[reported] {
				delete(early, reported)
				if err := report(reported, result); err != nil {
					return err
				}
				reported++
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
