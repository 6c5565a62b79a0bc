package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/daemon"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// operator is the actor of commands run on the server's own machine.
const operator = "operator"

// withLedger runs do with the server's database, whether or not the server is running.
func (r *run) withLedger(ctx context.Context, s *config.Server, do func(*daemon.Ledger) error) (err error) {
	opt, err := r.daemon(s)
	if err != nil {
		return err
	}
	// Routine messages of the database are not shown on the terminal.
	if !r.debug {
		opt.Logger = slog.New(slog.NewTextHandler(r.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	ledger, err := daemon.OpenLedger(ctx, opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	ledger.OpenQueue(opt)
	return do(ledger)
}

// organizationFlag selects the organization of a command.
type organizationFlag struct {
	Organization string `placeholder:"ID" help:"Organization. Only needed if the server has several; see org list."`
}

// find returns the selected organization, or the only one.
func (f organizationFlag) find(ctx context.Context, l *daemon.Ledger) (account.Organization, error) {
	if f.Organization != "" {
		return l.Store.FindOrganization(ctx, f.Organization)
	}
	all, err := l.Store.ListOrganizations(ctx)
	if err != nil {
		return account.Organization{}, err
	}
	switch len(all) {
	case 0:
		return account.Organization{},
			fault.New(fault.NotFound, "no_organization", "There is no organization in this database yet.").
				WithHint(
					"Check --data and --database. The server's first start or the first key creates an organization.")
	case 1:
		return all[0], nil
	}
	return account.Organization{},
		fault.Newf(fault.Invalid, "several_organizations", "There are %d organizations.", len(all)).
			WithHint("Choose one with --organization; `lectern org list` lists them.")
}

// findOrMake is like find, but creates the first organization if there is none, just like the server's first start. It
// prints a message when it does, because otherwise a user in the wrong folder would get a key that no server knows.
func (f organizationFlag) findOrMake(ctx context.Context, r *run, s *config.Server,
	l *daemon.Ledger) (account.Organization, error) {
	org, err := f.find(ctx, l)
	if !fault.HasCode(err, "no_organization") {
		return org, err
	}
	if org, err = l.EnsureOrganization(ctx); err != nil {
		return org, err
	}
	where, flag := s.Data, "--data"
	if s.Database != "" {
		where, flag = "the database", "--database"
	}
	fmt.Fprintf(r.Stderr,
		"There was no organization in %s, so the first one was created. Its keys only work on a server with the same %s.\n", where, flag)
	return org, nil
}
