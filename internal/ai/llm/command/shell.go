package command

import (
	"context"
	"fmt"
	"sync"

	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

// maxPrinted bounds what is kept of a shell's words, in bytes; its beginning is.
const maxPrinted = 32 << 10

// Shell runs a line that a model wrote, in dir, without network, and returns what it printed and how it ended, for the
// model to read. A line that fails is no error.
func Shell(ctx context.Context, r Runner, dir, line string, limits sandbox.Limits) (string, error) {
	var out printed
	result, err := r.Run(ctx,
		sandbox.Program{Words: []string{"sh", "-c", line}, Dir: dir, Limits: limits, Stdout: &out, Stderr: &out})
	if err != nil {
		return "", err
	}
	text := out.String()
	switch {
	case result.Exceeded != "":
		text += fmt.Sprintf("\n[stopped: it exceeded its limit of %s]", result.Exceeded)
	case result.Exit != 0:
		text += fmt.Sprintf("\n[exit code %d]", result.Exit)
	}
	return text, nil
}

// printed keeps the beginning of what comes from both streams.
type printed struct {
	mu   sync.Mutex
	text []byte
	more bool
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	room := maxPrinted - len(p.text)
	p.more = p.more || len(b) > room
	p.text = append(p.text, b[:min(len(b), room)]...)
	return len(b), nil
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := plainLines(string(p.text))
	if p.more {
		text += "\n[truncated]"
	}
	return text
}
