package tsume

import (
	"context"
	"iter"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/dfpn"
)

// Each solves problems on several goroutines, each with its own table; together the tables
// take memory bytes. It takes the next problem when a goroutine is free for it, calls solve
// with an empty table, and report with the results, in order and one at a time. The first
// error of either ends all searches. If ctx ends first, Each returns its error.
func Each[P, R any](ctx context.Context, problems iter.Seq[P], workers int, memory int64, solve func(ctx context.Context, p P, table *dfpn.Table) (R, error), report func(p P, result R) error) error {
	tables := make(chan *dfpn.Table, workers)
	for range workers {
		table, err := dfpn.NewTable(memory / int64(workers))
		if err != nil {
			return err
		}
		tables <- table
	}
	type answer struct {
		problem P
		result  R
	}
	group, inner := errgroup.WithContext(ctx)
	var mu sync.Mutex
	early, reported, count := map[int]answer{}, 0, 0
	for p := range problems {
		var table *dfpn.Table
		select {
		case table = <-tables:
		case <-inner.Done():
		}
		if inner.Err() != nil {
			break
		}
		i := count
		count++
		group.Go(func() error {
			defer func() { tables <- table }()
			table.Clear()
			result, err := solve(inner, p, table)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			early[i] = answer{p, result}
			for a, ok := early[reported]; ok && inner.Err() == nil; a, ok = early[reported] {
				delete(early, reported)
				if err := report(a.problem, a.result); err != nil {
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
