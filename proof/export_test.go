package proof

// WrapNodes returns a file with a header and the given bytes as nodes, with right
// checksums.
func WrapNodes(h Header, nodes []byte, counts []byte) []byte {
	var out buffer
	w, err := NewWriter(&out, h)
	if err != nil {
		panic(err)
	}
	w.chunk = nodes
	w.flush(chunkNodes)
	w.chunk = counts
	w.flush(chunkEnd)
	return out
}

type buffer []byte

func (b *buffer) Write(data []byte) (int, error) {
	*b = append(*b, data...)
	return len(data), nil
}
