package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const organizationColumns = `id, name, plan, created_at`

func scanOrganization(s scanner) (account.Organization, error) {
	var o account.Organization
	var created int64
	err := s.Scan(&o.ID, &o.Name, &o.Plan, &created)
	o.CreatedAt = fromMicros(created)
	return o, err
}

var errUnknownOrganization = fault.New(fault.NotFound, "unknown_organization", "Organization not found.")

// CreateOrganization stores an organization under a new id.
func (t *Tx) CreateOrganization(ctx context.Context, name string, plan account.Plan) (account.Organization, error) {
	o := account.Organization{ID: t.s.ids.New(id.Organization), Name: name, Plan: plan, CreatedAt: t.now()}
	_, err := t.q.exec(ctx, `INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, $3, $4)`,
		o.ID, o.Name, string(o.Plan), micros(o.CreatedAt))
	if err != nil {
		return o, fmt.Errorf("store organization: %w", err)
	}
	return o, nil
}

// FindOrganization returns an organization by id.
func (r reads) FindOrganization(ctx context.Context, organizationID string) (account.Organization, error) {
	o, err := single(ctx, r.q, scanOrganization, `SELECT `+organizationColumns+` FROM organizations WHERE id = $1`,
		organizationID)
	if errors.Is(err, errNone) {
		return o, errUnknownOrganization
	}
	return o, wrap("find organization", err)
}

// ListOrganizations returns all organizations, oldest first. A server has only few.
func (r reads) ListOrganizations(ctx context.Context) ([]account.Organization, error) {
	list, err := collect(ctx, r.q, scanOrganization,
		`SELECT `+organizationColumns+` FROM organizations ORDER BY created_at, id`)
	return list, wrap("list organizations", err)
}

// CountOrganizations returns the number of organizations on the server.
func (r reads) CountOrganizations(ctx context.Context) (int, error) {
	n, err := single(ctx, r.q, func(s scanner) (n int64, err error) { return n, s.Scan(&n) },
		`SELECT COUNT(*) FROM organizations`)
	return int(n), wrap("count organizations", err)
}

// SetPlan changes an organization's plan.
func (t *Tx) SetPlan(ctx context.Context, organizationID string, plan account.Plan) error {
	n, err := t.q.exec(ctx, `UPDATE organizations SET plan = $2 WHERE id = $1`, organizationID, string(plan))
	if err == nil && n == 0 {
		return errUnknownOrganization
	}
	return wrap("set plan", err)
}

// RenameOrganization changes an organization's name.
func (t *Tx) RenameOrganization(ctx context.Context, organizationID, name string) error {
	n, err := t.q.exec(ctx, `UPDATE organizations SET name = $2 WHERE id = $1`, organizationID, name)
	if err == nil && n == 0 {
		return errUnknownOrganization
	}
	return wrap("rename organization", err)
}

// wrap adds the operation to an error. It returns nil and faults unchanged.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := fault.As(err); ok {
		return err
	}
	return fmt.Errorf("%s: %w", doing, mark(err))
}
