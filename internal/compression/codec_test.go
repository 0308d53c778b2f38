package compression_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/yomikiri/yomikiri/internal/compression"
)

func TestCodec(t *testing.T) {
	c := compression.NewCodec(1 << 12)
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			data := bytes.Repeat([]byte{byte(n), 1, 2}, 100*n)
			compressed := c.AppendCompressed([]byte("before"), data)
			if !bytes.HasPrefix(compressed, []byte("before")) {
				t.Error("AppendCompressed appends")
			}
			got, err := c.AppendDecompressed([]byte("before"), compressed[6:])
			if err != nil || string(got) != "before"+string(data) {
				t.Errorf("%d: got %d bytes, %v", n, len(got), err)
			}
		})
	}
	group.Wait()
	_, err := c.AppendDecompressed(nil, []byte("not a frame"))
	require.Error(t, err)
	_, err = c.AppendDecompressed(nil, c.AppendCompressed(nil, make([]byte, 1<<13)))
	require.Error(t, err, "larger than the codec allows")
}
