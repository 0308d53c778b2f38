package natscarrier_test

import (
	"context"
	"fmt"
	"os"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

// A front end with a server in its process, and a worker that joins it as one on another machine does.
func Example() {
	ctx := context.Background()
	store, err := os.MkdirTemp("", "streams")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(store)
	terms := cluster.Terms{Version: "1", Game: "nim"}
	front, err := natscarrier.Open(ctx, natscarrier.Config{Terms: terms, Listen: "127.0.0.1:0", Store: store})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer front.Close()
	worker, err := natscarrier.Join(ctx, natscarrier.Worker{URL: front.URL(), Terms: terms, Name: "worker"})
	if err != nil {
		fmt.Println(err)
		return
	}
	question := cluster.Bytes("3 4 5")
	front.Offer(ctx, cluster.Job{ID: cluster.NewID(question), Body: question})
	job, err := worker.Take(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	job.Done(ctx, cluster.Bytes("won"))
	result, err := front.Receive(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %s\n", result.Result().Worker, result.Result().Body)
	result.Ack(ctx)
	// Output: worker: won
}
