package cmd

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// openResults reads a file of results, one JSON record on a line, and opens it to append to it; it
// creates the file if there is none. It calls add with each record. begins are how a record may
// begin: what is left of one that was cut off at the end of the file is dropped.
func openResults[T any](path string, add func(T) error, begins ...string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	end := int64(0)
	for r, number := bufio.NewReader(f), 1; ; number++ {
		line, err := r.ReadBytes('\n')
		if err == io.EOF && isCutOff(line, begins) {
			break
		}
		var old T
		if err == nil || err == io.EOF {
			err = json.Unmarshal(line, &old)
		}
		if err == nil {
			err = add(old)
		}
		if err != nil {
			return nil, errors.Join(usageError{fmt.Errorf("%s, line %d: %w", path, number, err)}, f.Close())
		}
		end += int64(len(line))
	}
	_, err = f.Seek(end, io.SeekStart)
	if err = errors.Join(f.Truncate(end), err); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// isCutOff reports whether the end of a file of results is nothing or the beginning of a record.
func isCutOff(end []byte, begins []string) bool {
	for _, begin := range begins {
		if n := min(len(end), len(begin)); string(end[:n]) == begin[:n] {
			return true
		}
	}
	return false
}
