package shogi

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/yomikiri/yomikiri/cmd/ui"
)

// results is a file of results that a later run takes over: a JSON record on each line, which ends
// with the format, the program that wrote it, and a checksum of all before that.
type results struct {
	*os.File
	format string
}

// seal is what ends a record. Its format has a number, which is raised whenever a later program may
// find another result.
type seal struct {
	Format string `json:"format"`
	By     string `json:"by"`
	Sum    string `json:"sum"`
}

// sumField begins the last field of a record.
const sumField = `,"sum":"`

// checksumOf returns the checksum of the beginning of a record.
func checksumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x", sum[:8])
}

// openResults reads a file of results in a format and opens it to append to it; it creates the file if
// there is none. It calls add with each record. One that is not as it was written, also because it was torn or
// runs together with the next one, is left out, and changed is called with an error about it. begins are how a
// record may begin: what is left of one that was cut off at the end of the file is dropped. A file whose first
// line does not begin like a record is refused, since it may be any file.
func openResults[T any](path, format string, add func(T) error, changed func(error), begins ...string) (*results, error) {
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
		whole := err == nil
		if err == nil || err == io.EOF {
			err = readSealed(line, format, &old)
		}
		if errors.Is(err, errNoRecord) && (number > 1 || isCutOff(line, begins)) {
			err = errChanged
		}
		if errors.Is(err, errChanged) {
			changed(errResultLine.Error(path, number, err))
		} else if err == nil {
			err = add(old)
		}
		if err != nil && !errors.Is(err, errChanged) {
			return nil, errors.Join(ui.Usage(errResultLine.Error(path, number, err)), f.Close())
		}
		if whole { // else the next record would run together with it
			end += int64(len(line))
		}
	}
	_, err = f.Seek(end, io.SeekStart)
	if err = errors.Join(f.Truncate(end), err); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &results{f, format}, nil
}

// errChanged is returned for a record of a file of results that is not as it was written.
var errChanged = errNotAsWritten.Error()

// errNoRecord is returned for a line that is not JSON.
var errNoRecord = errNotRecord.Error()

// readSealed reads a record. It fails if it is no JSON or of another format, or was changed.
func readSealed[T any](line []byte, format string, to *T) error {
	var s seal
	if err := json.Unmarshal(line, &s); err != nil {
		return errNoResult.Error(errNoRecord, format)
	}
	if s.Format != format {
		return errOtherFormat.Error(format)
	}
	// Nothing may follow the checksum: of two fields with a name JSON takes the last.
	at := bytes.LastIndex(line, []byte(sumField))
	if at < 0 || string(bytes.TrimSpace(line[at:])) != sumField+checksumOf(line[:at])+`"}` {
		return errChanged
	}
	return json.Unmarshal(line, to)
}

// add appends a record, which must be a JSON object with fields.
func (f *results) add(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	end, err := json.Marshal(seal{Format: f.format, By: "yomikiri " + ui.Version()})
	if err != nil {
		return err
	}
	text = append(append(text[:len(text)-1], ','), end[1:]...)
	at := bytes.LastIndex(text, []byte(sumField))
	_, err = fmt.Fprintf(f, "%s%s%s\"}\n", text[:at], sumField, checksumOf(text[:at]))
	return err
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
