package cmd

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// startWorkers has workers do jobs, each with a back end of its own, until ctx ends or
// the carrier is closed.
func startWorkers(ctx context.Context, group *errgroup.Group, workers int, join func(name string) (cluster.Back, error),
	newBackend func() (manager.Backend, error)) error {
	for n := range workers {
		name := fmt.Sprint("worker ", n+1)
		b, err := newBackend()
		if err != nil {
			return err
		}
		back, err := join(name)
		if err != nil {
			return err
		}
		w := manager.Worker{Name: name, Carrier: back, Backend: b}
		group.Go(func() error { return w.Run(ctx) })
	}
	return nil
}
