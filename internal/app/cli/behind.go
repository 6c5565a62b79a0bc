package cli

import (
	"io"
	"sync"
)

// behind is a writer that passes large pieces to another writer in a goroutine, so that the caller does not wait for
// the disk. Close waits until everything is written. It must be used by one goroutine only.
type behind struct {
	to    io.Writer
	buf   []byte
	ready chan []byte // full buffers for the goroutine
	free  chan []byte // empty buffers to reuse
	mu    sync.Mutex
	err   error // the first error
	done  sync.WaitGroup
}

// behindBuffers is the number of buffers in use.
const behindBuffers = 4

func writeBehind(to io.Writer, size int) *behind {
	b := &behind{to: to, buf: make([]byte, 0, size), ready: make(chan []byte, behindBuffers),
		free: make(chan []byte, behindBuffers)}
	for range behindBuffers - 1 {
		b.free <- make([]byte, 0, size)
	}
	b.done.Go(func() {
		for piece := range b.ready {
			if b.failed() == nil {
				_, err := to.Write(piece)
				b.fail(err)
			}
			b.free <- piece[:0]
		}
	})
	return b
}

func (b *behind) failed() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

func (b *behind) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
}

// Write implements io.Writer. The error may belong to an earlier write.
func (b *behind) Write(p []byte) (n int, err error) {
	for n < len(p) {
		room := cap(b.buf) - len(b.buf)
		take := min(room, len(p)-n)
		b.buf = append(b.buf, p[n:n+take]...)
		n += take
		if len(b.buf) < cap(b.buf) {
			break
		}
		b.ready <- b.buf
		b.buf = <-b.free
		if err := b.failed(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// Close writes the rest and waits. A second call does nothing.
func (b *behind) Close() error {
	if b.buf == nil {
		return b.failed()
	}
	b.ready <- b.buf
	b.buf = nil
	close(b.ready)
	b.done.Wait()
	return b.failed()
}
