package cli

import (
	"context"
	"fmt"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/doctor"
)

type doctorCommand struct {
	config.Server
	JSON bool `name:"json" help:"Print one JSON object per line."`
	Deep bool `help:"Also check that every file in the database exists in storage. Takes a while on large servers."`
}

// Help returns the long description.
func (doctorCommand) Help() string {
	return `Reads the settings of lectern serve and checks everything that such a server needs: folder, disk, secret key, database, schema, clocks, stored files, git, sandboxes, ports, addresses, the mail server, and all services in the settings. The server may be running. Nothing is changed; one small object is stored and removed again, and no mail is sent.

Each line starts with ok, warn or fail, and says what to do. The exit code is 1 if a check fails.

    lectern doctor --data /var/lib/lectern
    LECTERN_DATABASE=postgres://… lectern doctor --config lectern.yaml --deep`
}

func (c *doctorCommand) Run(ctx context.Context, r *run) error {
	tell := c.findingPrinter(r)
	opt, err := r.daemon(&c.Server)
	if f, ok := fault.As(err); ok {
		tell(doctor.Finding{Check: "settings", Level: doctor.Fail, Text: f.Public, Do: f.Hint})
		return errReported
	}
	if err != nil {
		return err
	}
	tell = c.findingPrinter(r) // now the printer can mask the secrets
	failed, err := daemon.Doctor(ctx, opt, c.Deep, tell)
	if err != nil {
		return err
	}
	if failed {
		return errReported
	}
	return nil
}

// findingPrinter returns a function that prints findings with secrets masked.
func (c *doctorCommand) findingPrinter(r *run) func(doctor.Finding) {
	mask := redactor(c.Server, r.env)
	return func(f doctor.Finding) {
		f.Text, f.Do = mask.Redact(f.Text), mask.Redact(f.Do)
		if c.JSON {
			_ = printJSON(r.Stdout, f) // the error cannot be reported
			return
		}
		fmt.Fprintf(r.Stdout, "%-4s  %-13s  %s\n", f.Level, f.Check, f.Text)
		if f.Do != "" {
			fmt.Fprintf(r.Stdout, "%21s  → %s\n", "", f.Do)
		}
	}
}
