package natscarrier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/yomikiri/yomikiri/cluster"
)

// filePrefix is before the name of a file in the bucket, which has large jobs and results too.
const filePrefix = "file "

// Files implements [cluster.Files] with the object store of the server.
type Files struct{ conn *conn }

// OpenFiles connects a worker to the files of its front end. It is a connection of its own, since
// a large file would hold up the messages by which the worker keeps its job.
func OpenFiles(ctx context.Context, w Worker) (*Files, error) {
	w.Report = nil // the connection of the worker tells the same
	c, err := w.dial(ctx)
	if err != nil {
		return nil, err
	}
	return &Files{c}, nil
}

// Files returns the files of the front end.
func (f *Front) Files() cluster.Files { return &Files{f.conn} }

// Close ends the connection of a worker.
func (f *Files) Close() { f.conn.close(cluster.ErrClosed) }

// Put implements [cluster.Files].
func (f *Files) Put(ctx context.Context, name string, r io.ReaderAt, size int64) error {
	return f.conn.put(ctx, filePrefix+name, r, size)
}

// Get implements [cluster.Files].
func (f *Files) Get(ctx context.Context, name string, read func(io.Reader) error) error {
	err := f.conn.get(ctx, filePrefix+name, func(r io.Reader, _ int64) error { return read(r) })
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return fmt.Errorf("%w: %s", cluster.ErrNoFile, name)
	}
	return err
}

// Delete implements [cluster.Files].
func (f *Files) Delete(ctx context.Context, name string) error {
	return f.conn.retry(ctx, func(ctx context.Context) error {
		parts, err := f.conn.js.ObjectStore(ctx, partBucket)
		if err == nil {
			err = parts.Delete(ctx, filePrefix+name)
		}
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			return nil
		}
		return err
	})
}

// List implements [cluster.Files].
func (f *Files) List(ctx context.Context) (names []string, err error) {
	err = f.conn.retry(ctx, func(ctx context.Context) error {
		names = names[:0]
		parts, err := f.conn.js.ObjectStore(ctx, partBucket)
		if err != nil {
			return err
		}
		list, err := parts.List(ctx)
		if errors.Is(err, jetstream.ErrNoObjectsFound) {
			return nil
		}
		for _, object := range list {
			if name, ok := strings.CutPrefix(object.Name, filePrefix); ok {
				names = append(names, name)
			}
		}
		return err
	})
	return names, err
}

// limitOf is how long the way of so many bytes may take: a megabyte has a second, after the time that any body has.
func limitOf(size int64) time.Duration { return transfer + time.Duration(size>>20)*time.Second }

// put stores an object.
func (c *conn) put(ctx context.Context, name string, r io.ReaderAt, size int64) error {
	return c.retryFor(ctx, limitOf(size), func(ctx context.Context) error {
		parts, err := c.js.ObjectStore(ctx, partBucket)
		if err != nil {
			return err
		}
		content := &reader{Reader: io.NewSectionReader(r, 0, size)}
		_, err = parts.Put(ctx, jetstream.ObjectMeta{Name: name}, content)
		if content.err != nil {
			return final{content.err}
		}
		c.noteFull(err)
		return err
	})
}

// get calls read with the content of an object and its size. It fails with jetstream.ErrObjectNotFound if there is none.
func (c *conn) get(ctx context.Context, name string, read func(r io.Reader, size int64) error) error {
	var size int64
	err := c.retry(ctx, func(ctx context.Context) error {
		parts, err := c.js.ObjectStore(ctx, partBucket)
		if err != nil {
			return err
		}
		info, err := parts.GetInfo(ctx, name)
		if err == nil {
			size = int64(info.Size)
		}
		return err
	})
	if err != nil {
		return err
	}
	damaged := 0
	return c.retryFor(ctx, limitOf(size), func(ctx context.Context) error {
		parts, err := c.js.ObjectStore(ctx, partBucket)
		if err != nil {
			return err
		}
		object, err := parts.Get(ctx, name)
		if err != nil {
			return err
		}
		// A read of the object heeds a deadline, but not that the context ends, so that it has a goroutine.
		from, to := io.Pipe()
		defer context.AfterFunc(ctx, func() { from.CloseWithError(context.Cause(ctx)) })()
		go func() {
			_, err := io.Copy(to, object)
			to.CloseWithError(err)
			object.Close()
		}()
		content := &reader{Reader: from}
		err = read(content, size)
		from.Close() // which ends the goroutine
		if err != nil && content.err == nil {
			return final{err}
		}
		if errors.Is(content.err, jetstream.ErrDigestMismatch) {
			// The object may have been replaced meanwhile, or the server has lost a part of it.
			if damaged++; damaged == mostDamaged {
				return final{fmt.Errorf("%w: %s: %w", cluster.ErrBroken, name, content.err)}
			}
			return content.err
		}
		return err
	})
}

// mostDamaged is how often an object is asked for whose content is damaged.
const mostDamaged = 4

// final is an error that another try does not mend.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

// reader keeps the error of what it reads.
type reader struct {
	io.Reader
	err error
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}
