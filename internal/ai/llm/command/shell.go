package command

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

// Shell runs a line that a model wrote, in dir, without network, and returns what it printed and how it ended, for the
// model to read. A line that fails is no error.
func Shell(ctx context.Context, r Runner, dir, line string, limits sandbox.Limits) (string, error) {
	var out sandbox.Printed
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
