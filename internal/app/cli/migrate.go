package cli

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/app/daemon"
)

type migrateCommand struct{ storage }

// Help returns the long description.
func (migrateCommand) Help() string {
	return `Several can run at once: one migrates, the others wait.

    lectern migrate --data /var/lib/lectern
    LECTERN_DATABASE=postgres://user:password@db/lectern lectern migrate`
}

func (c *migrateCommand) Run(ctx context.Context, r *run) (err error) {
	opt, err := r.daemon(&c.Server)
	if err != nil {
		return err
	}
	ledger, err := daemon.OpenLedger(ctx, opt) // it logs the migration steps
	if err != nil {
		return err
	}
	if err := ledger.Close(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(r.Stdout, "The database is up to date.")
	return err
}
