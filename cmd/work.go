package cmd

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/solver/manager"
)

// startWorkers has workers do jobs, each with one of the back ends, until ctx ends or the
// carrier is closed.
func startWorkers(ctx context.Context, group *errgroup.Group, join func(name string) (cluster.Back, error), backends []manager.Backend) error {
	for n, b := range backends {
		name := fmt.Sprint("worker ", n+1)
		back, err := join(name)
		if err != nil {
			return err
		}
		w := manager.Worker{Name: name, Carrier: back, Backend: b}
		group.Go(func() error { return w.Run(ctx) })
	}
	return nil
}
