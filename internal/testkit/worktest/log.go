package worktest

import (
	"bytes"
	"sync"
)

// Log stores log output, for tests that check what must not be logged. It is safe for concurrent use.
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

// String returns everything logged so far.
func (l *Log) String() string { l.mu.Lock(); defer l.mu.Unlock(); return l.buf.String() }
