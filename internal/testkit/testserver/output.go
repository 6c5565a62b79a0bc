package testserver

import (
	"strings"
	"sync"
)

// keepOutput is the minimum number of bytes kept of a server's output.
const keepOutput = 64 << 10

// output keeps the end of the text written to it and signals each write.
type output struct {
	mu      sync.Mutex
	text    []byte
	changed chan struct{} // closed and replaced at each write
}

func newOutput() *output {
	return &output{changed: make(chan struct{})}
}

// Write implements io.Writer. It never fails.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, p...)
	if len(o.text) > 2*keepOutput {
		o.text = append([]byte(nil), o.text[len(o.text)-keepOutput:]...)
	}
	close(o.changed)
	o.changed = make(chan struct{})
	return len(p), nil
}

// read returns the text, and a channel that is closed at the next write.
func (o *output) read() (string, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.text), o.changed
}

// find reports whether text was written, and returns the channel of read.
func (o *output) find(text string) (<-chan struct{}, bool) {
	all, changed := o.read()
	return changed, strings.Contains(all, text)
}
