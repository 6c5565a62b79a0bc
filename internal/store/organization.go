package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/lectern-docs/lectern/internal/account"
	"github.com/lectern-docs/lectern/internal/fault"
	"github.com/lectern-docs/lectern/internal/id"
)

const organizationColumns = `id, name, plan, created_at`

func scanOrganization(s scanner) (account.Organization, error) {
	var o account.Organization
	var created int64
	err := s.Scan(&o.ID, &o.Name, &o.Plan, &created)
	o.CreatedAt = fromMicros(created)
	return o, err
}

var errUnknownOrganization = fault.New(fault.NotFound, "unknown_organization", "There is no such organization.")

// CreateOrganization stores a new organization.
func (t *Tx) CreateOrganization(ctx context.Context, name string, plan account.Plan) (account.Organization, error) {
	o := account.Organization{ID: t.s.ids.New(id.Organization), Name: name, Plan: plan, CreatedAt: t.now()}
	_, err := t.q.exec(ctx, `INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, $3, $4)`,
		o.ID, o.Name, string(o.Plan), micros(o.CreatedAt))
	if err != nil {
		return o, fmt.Errorf("store organization: %w", err)
	}
	return o, nil
}

// FindOrganization returns the organization with that id.
func (r reads) FindOrganization(ctx context.Context, organizationID string) (account.Organization, error) {
	o, err := single(ctx, r.q, scanOrganization, `SELECT `+organizationColumns+` FROM organizations WHERE id = $1`, organizationID)
	if errors.Is(err, errNone) {
		return o, errUnknownOrganization
	}
	return o, wrap("find organization", err)
}

// ListOrganizations returns every organization, oldest first; a server has few.
func (r reads) ListOrganizations(ctx context.Context) ([]account.Organization, error) {
	list, err := collect(ctx, r.q, scanOrganization, `SELECT `+organizationColumns+` FROM organizations ORDER BY created_at, id`)
	return list, wrap("list organizations", err)
}

// SetPlan changes an organization's plan.
func (t *Tx) SetPlan(ctx context.Context, organizationID string, plan account.Plan) error {
	n, err := t.q.exec(ctx, `UPDATE organizations SET plan = $2 WHERE id = $1`, organizationID, string(plan))
	if err == nil && n == 0 {
		return errUnknownOrganization
	}
	return wrap("set plan", err)
}

// AddMember stores a member; an address belongs to an organization once.
func (t *Tx) AddMember(ctx context.Context, organizationID, email string, role account.Role) (account.Member, error) {
	m := account.Member{ID: t.s.ids.New(id.Member), OrganizationID: organizationID, Email: email, Role: role, CreatedAt: t.now()}
	_, err := t.q.exec(ctx, `INSERT INTO members (id, organization_id, email, role, created_at) VALUES ($1, $2, $3, $4, $5)`,
		m.ID, m.OrganizationID, m.Email, string(m.Role), micros(m.CreatedAt))
	if isUnique(err) {
		return m, fault.New(fault.Conflict, "member_exists", "That address is a member already.").WithField("email")
	}
	return m, wrap("store member", err)
}

// ListMembers returns an organization's members, oldest first.
func (r reads) ListMembers(ctx context.Context, organizationID string) ([]account.Member, error) {
	list, err := collect(ctx, r.q, func(s scanner) (account.Member, error) {
		var m account.Member
		var created int64
		err := s.Scan(&m.ID, &m.OrganizationID, &m.Email, &m.Role, &created)
		m.CreatedAt = fromMicros(created)
		return m, err
	}, `SELECT id, organization_id, email, role, created_at FROM members WHERE organization_id = $1 ORDER BY created_at, id`, organizationID)
	return list, wrap("list members", err)
}

// wrap says what was being done when err happened; nil stays nil and faults stay as they are.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := fault.As(err); ok {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}
