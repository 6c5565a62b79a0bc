package llm

import "context"

// Program works on files by itself, as an agent's command line tool does. It is given a folder of its own to change.
type Program interface {
	// Work runs the program with prompt in dir and returns its output. heard, which may be nil, gets its output line by
	// line.
	Work(ctx context.Context, dir, prompt string, heard func(line string)) (said string, err error)
}
