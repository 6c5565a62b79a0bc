package cli

import (
	"context"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
)

type workerCommand struct{ config.Server }

// Help returns the long description.
func (workerCommand) Help() string {
	return `Workers take publishing and export jobs from the queue. They need the same PostgreSQL database and secret key as the servers, and shared storage. On SQLite, lectern serve runs its own workers.

    LECTERN_DATABASE=postgres://user:password@db/lectern lectern worker --blob s3://bucket?region=eu-central-1

` + settingsHelp()
}

func (c *workerCommand) Run(ctx context.Context, r *run) error {
	opt, err := r.daemon(&c.Server)
	if err != nil {
		return err
	}
	return daemon.Work(ctx, opt)
}
