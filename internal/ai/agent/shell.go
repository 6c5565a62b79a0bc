package agent

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/lectern-docs/lectern/internal/ai/agenttools"
	"github.com/lectern-docs/lectern/internal/site/draft"
)

// NewShell returns the tool that runs commands. run runs a command in a separate copy of the docs folder, where it can
// do no harm, and returns its output. The tool then detects which files the command changed.
func NewShell(folder func() (dir string, remove func() error, err error),
	run func(ctx context.Context, dir, line string) (string, error)) agenttools.Shell {
	return func(ctx context.Context, line string, tree *draft.Tree) (string, []draft.Change, error) {
		dir, remove, err := folder()
		if err != nil {
			return "", nil, fmt.Errorf("make a folder for the command: %w", err)
		}
		defer func() { _ = remove() }() // leftovers are removed when the process exits
		dir = filepath.Join(dir, "docs")
		if err := copyTo(dir, tree); err != nil {
			return "", nil, fmt.Errorf("copy docs for the command: %w", err)
		}
		output, err := run(ctx, dir, line)
		if err != nil {
			return "", nil, err
		}
		changes, err := compare(tree, dir)
		return output, changes, err
	}
}
