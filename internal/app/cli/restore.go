package cli

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/jobs/backup"
)

type restoreCommand struct {
	File string `arg:"" placeholder:"FILE|-" help:"Backup; - for standard input."`
	Data string `required:"" placeholder:"DIR" help:"Data folder to create. It must not exist, or be empty."`
	JSON bool   `name:"json" help:"Print one JSON object at the end instead of progress."`
}

// Help returns the long description.
func (restoreCommand) Help() string {
	return `Everything is unpacked and verified next to the folder, which then appears in one step: if anything fails, the folder is not created. A server started on it continues from the time of the backup; unfinished jobs run again.

    lectern restore /backups/lectern-2026-11-15.tar.gz --data /var/lib/lectern
    lectern serve --data /var/lib/lectern`
}

func (c *restoreCommand) Run(ctx context.Context, r *run) error {
	in, size, err := r.openBackup(c.File)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // read only
	bar := r.progress(c.JSON)
	m, err := backup.Restore(ctx, showing(in, size, bar), backup.Target{Data: c.Data, Now: r.Now})
	bar.end()
	if err != nil {
		return err
	}
	if !m.Secret && !c.JSON {
		fmt.Fprintf(r.Stderr,
			"Before you start the server, put its secret key into %s/secret.key with mode 600, or set LECTERN_SECRET_KEY.\n", c.Data)
	}
	return tellBackup(r, m, c.JSON)
}
