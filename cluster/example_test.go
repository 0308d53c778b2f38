package cluster_test

import (
	"context"
	"fmt"

	"github.com/yomikiri/yomikiri/cluster"
)

// A front end offers a job, a worker does it, and the result is acknowledged.
func Example() {
	ctx := context.Background()
	terms := cluster.Terms{Version: "1", Game: "nim"}
	carrier := cluster.NewMemory(terms)
	front := carrier.Front()
	defer front.Close()
	worker, err := carrier.Join(terms, "worker")
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
	body, _ := result.Result().Body.MarshalBinary()
	fmt.Printf("%s says that %s is %s\n", result.Result().Worker, question, body)
	result.Ack(ctx) // once that is committed
	// Output: worker says that 3 4 5 is won
}
