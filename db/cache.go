package db

import (
	lru "github.com/hashicorp/golang-lru/v2"
)

// shards is the number of parts of the cache. Several parts keep lock contention low.
const shards = 16

// cache holds the most recently used decoded blocks.
type cache struct {
	shards [shards]*lru.Cache[blockID, piece]
}

// piece has the codes of a block, or of the beginning of a unit or more. rest has decoded those, and goes on where a unit is not
// complete; otherwise it is nil.
type piece struct {
	codes []byte
	rest  *coder
}

type blockID struct {
	tier  int
	block uint64
}

// entryOverhead is the approximate memory of a cache entry besides the block, in bytes. That of a part of a unit has no more.
const entryOverhead = 200

func newCache(size int64, blockBytes int) *cache {
	c := &cache{}
	for i := range c.shards {
		n := size / shards / int64(blockBytes+entryOverhead)
		c.shards[i], _ = lru.New[blockID, piece](int(max(n, 1))) // fails for sizes below 1 only
	}
	return c
}

func (c *cache) shard(id blockID) *lru.Cache[blockID, piece] {
	return c.shards[(id.block^uint64(id.tier))%shards]
}
