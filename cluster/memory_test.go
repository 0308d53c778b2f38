package cluster_test

import (
	"testing"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
)

func TestMemory(t *testing.T) {
	terms := cluster.Terms{Version: "1", Game: "nim"}
	clustertest.Run(t, terms, func(t *testing.T) clustertest.Carrier {
		m := cluster.NewMemory(terms)
		return clustertest.Carrier{Front: m.Front(), Join: m.Join}
	})
}
