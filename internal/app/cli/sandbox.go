package cli

import (
	"fmt"

	"github.com/lectern-docs/lectern/internal/script/sandbox"
)

// sandboxCommand is run by agent jobs for untrusted programs. Its name is sandbox.Command.
type sandboxCommand struct {
	Stage string `arg:""`
}

func (c *sandboxCommand) Run(*run) error {
	if code := sandbox.Enter(c.Stage); code != 0 {
		return fmt.Errorf("enter sandbox: stage %s exited with code %d", c.Stage, code)
	}
	return nil
}
