package natscarrier_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/cluster"
	"github.com/yomikiri/yomikiri/cluster/clustertest"
	"github.com/yomikiri/yomikiri/cluster/natscarrier"
)

var terms = cluster.Terms{Version: "1", Game: "nim", Rules: "c0ffee", Token: "secret"}

const short = 600 * time.Millisecond

func TestCarrier(t *testing.T) {
	clustertest.Run(t, terms, func(t *testing.T) clustertest.Carrier {
		f, err := natscarrier.Open(t.Context(), natscarrier.Config{Terms: terms, Lease: short, Listen: "127.0.0.1:0"})
		require.NoError(t, err)
		return clustertest.Carrier{Front: f, Join: func(worker cluster.Terms, name string) (cluster.Back, error) {
			return natscarrier.Join(t.Context(), natscarrier.Worker{URL: f.URL(), Terms: worker, Name: name})
		}}
	})
}
