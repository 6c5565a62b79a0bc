package command

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

// Shell runs a command line from a model in dir, without network access, and returns its output and exit status as
// text for the model. A command that fails is not an error.
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
