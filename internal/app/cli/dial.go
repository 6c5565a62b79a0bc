package cli

import (
	"context"

	"github.com/lectern-docs/lectern/internal/source/outbound"
)

// dialCommand is run by ssh; git passes the proxy's address as an argument and its password in the environment.
type dialCommand struct {
	Proxy string `arg:""`
	Host  string `arg:""`
	Port  string `arg:""`
}

func (c *dialCommand) Run(ctx context.Context, r *run) error {
	return outbound.DialStdio(ctx, c.Proxy, r.env[outbound.PasswordEnv], c.Host, c.Port, r.Stdin, r.Stdout)
}
