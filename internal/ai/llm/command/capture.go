package command

import (
	"cmp"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

// Limits of a program's captured output. The rest is dropped.
const (
	maxLine  = 4 << 10  // bytes of a line
	maxKept  = 64 << 10 // bytes of standard output that are kept, from its end
	maxLines = 20_000   // lines passed to heard
)

// capture collects both output streams of a program. It is safe for concurrent use, and calls heard for one line at
// a time.
type capture struct {
	mu    sync.Mutex
	heard func(string)
	lines int
	text  string    // standard output
	final [2]string // last lines of standard error and standard output
}

func newCapture(heard func(string)) *capture { return &capture{heard: heard} }

// stream is one output stream.
type stream struct {
	all  *capture
	keep bool // it is the standard output
	line []byte
}

func (e *capture) stream(keep bool) *stream { return &stream{all: e, keep: keep} }

// Write handles the next bytes; it never fails, so that the program is not blocked.
func (e *stream) Write(p []byte) (int, error) {
	for _, b := range p {
		switch {
		case b == '\n':
			e.end()
		case len(e.line) < maxLine:
			e.line = append(e.line, b)
		}
	}
	return len(p), nil
}

// end handles the bytes received so far as a line.
func (e *stream) end() {
	if len(e.line) == 0 && !e.keep {
		return
	}
	e.all.addLine(sandbox.Plain(string(e.line)), e.keep)
	e.line = e.line[:0]
}

func (e *capture) addLine(line string, keep bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if keep {
		e.text += line + "\n"
		if len(e.text) > 2*maxKept {
			e.text = tail(e.text)
		}
	}
	if strings.TrimSpace(line) == "" {
		return
	}
	if keep {
		e.final[1] = line
	} else {
		e.final[0] = line
	}
	if e.lines++; e.heard != nil && e.lines <= maxLines {
		e.heard(line)
	}
}

func (e *capture) output() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return tail(e.text)
}

// last returns the line that most likely explains why a program failed.
func (e *capture) last() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return cmp.Or(e.final[0], e.final[1])
}

func tail(s string) string {
	if len(s) > maxKept {
		s = s[len(s)-maxKept:]
	}
	return strings.ToValidUTF8(s, "")
}
