package llm

import "context"

// Program works on files directly, like an agent's command line tool. It gets a folder that it may change.
type Program interface {
	// Work runs the program with prompt in dir and returns its output. heard, which may be nil, receives the output
	// line by line.
	Work(ctx context.Context, dir, prompt string, heard func(line string)) (said string, err error)
}
