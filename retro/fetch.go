package retro

import (
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/s2"

	"github.com/yomikiri/yomikiri/db"
	"github.com/yomikiri/yomikiri/games"
)

const (
	// chunkBlocks is the number of blocks that are fetched together, so that a node's share
	// of them is some hundred KiB at most, and chunksAhead is how many such chunks of a tier
	// are fetched before they are needed.
	chunkBlocks = 64
	chunksAhead = 2
)

// fetcher gets blocks from the nodes, for the writer of the database.
type fetcher struct {
	s      *session
	e      *engine
	values []games.Value
	width  int

	mu     sync.Mutex
	chunks map[chunkID]*fetched
}

// chunkID is a run of blocks of a tier.
type chunkID struct {
	tier   int
	number uint64
}

// fetched is a chunk that is on its way.
type fetched struct {
	ready chan struct{}
	codes []byte
	err   error
}

// source implements [db.Source]. A goroutine of the writer takes the blocks of a table in
// order.
func (f *fetcher) source(tier int, block uint64, dst []byte) error {
	id := chunkID{tier, block / chunkBlocks}
	blocks := (f.e.universe.Tiers[tier].Open + db.BlockSize - 1) / db.BlockSize
	f.mu.Lock()
	for ahead := range uint64(chunksAhead + 1) {
		next := chunkID{tier, id.number + ahead}
		first := next.number * chunkBlocks
		if first < blocks && first/db.TableBlocks == block/db.TableBlocks && f.chunks[next] == nil && (ahead == 0 || block%chunkBlocks == 0) {
			c := &fetched{ready: make(chan struct{})}
			f.chunks[next] = c
			go f.fetch(next, c)
		}
	}
	c := f.chunks[id]
	f.mu.Unlock()
	<-c.ready
	if c.err != nil {
		return c.err
	}
	copy(dst, c.codes[int(block%chunkBlocks)*db.BlockSize*f.width:])
	if block%chunkBlocks == chunkBlocks-1 || block == blocks-1 {
		f.mu.Lock()
		delete(f.chunks, id)
		f.mu.Unlock()
	}
	return nil
}

// fetch gets a chunk.
func (f *fetcher) fetch(id chunkID, c *fetched) {
	defer close(c.ready)
	nodes := len(f.s.nodes)
	parts := make([][]byte, nodes)
	errs := make([]error, nodes)
	var group sync.WaitGroup
	for node := range nodes {
		group.Go(func() {
			n, err := f.s.query(node, query{Blocks: true, Tier: id.tier, Block: id.number * chunkBlocks, Count: chunkBlocks, Values: f.values})
			if err == nil {
				parts[node], err = s2.Decode(nil, n.data)
			}
			errs[node] = err
		})
	}
	group.Wait()
	if c.err = errors.Join(errs...); c.err != nil {
		return
	}
	t := f.e.universe.Tiers[id.tier]
	r := f.e.layout.find(t.Start, &f.e.layout.regions[0])
	for block := id.number * chunkBlocks; block < (id.number+1)*chunkBlocks && block*db.BlockSize < t.Open; block++ {
		number, _ := r.locate(t.Start + block*db.BlockSize)
		part := &parts[number%nodes]
		n := f.width * int(min(db.BlockSize, t.Open-block*db.BlockSize))
		if len(*part) < n {
			c.err = fmt.Errorf("node %d has sent less than was asked for", number%nodes+1)
			return
		}
		c.codes = append(c.codes, (*part)[:n]...)
		*part = (*part)[n:]
	}
}
