package worktest

import (
	"bytes"
	"sync"
)

// Log keeps what is logged, for tests that look for what must not be there. It is safe for concurrent use.
type Log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// String is everything so far.
func (l *Log) String() string { l.mu.Lock(); defer l.mu.Unlock(); return l.buf.String() }
