package db

// BlockSize is how many positions a block has: the unit of ownership, of
// compression and of caching.
const BlockSize = 1 << 12

type Source func(slice int, block uint64, dst []byte)
