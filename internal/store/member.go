package store

import (
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// memberColumns includes the project roles, so that authenticating a member takes only one query.
const memberColumns = `m.id, m.organization_id, m.email, m.role, m.created_at,
	COALESCE((SELECT string_agg(g.project_id || ':' || g.role, ' ') FROM project_roles g WHERE g.member_id = m.id), '')`

// memberRow holds the columns of a member as they are scanned.
type memberRow struct {
	m       account.Member
	created int64
}

func (r *memberRow) dest() []any {
	return []any{&r.m.ID, &r.m.OrganizationID, &r.m.Email, &r.m.Role, &r.created, &r.m.Projects}
}

func (r *memberRow) member() account.Member {
	r.m.CreatedAt = fromMicros(r.created)
	return r.m
}

func scanMember(s scanner) (account.Member, error) {
	var r memberRow
	err := s.Scan(r.dest()...)
	return r.member(), err
}

var errUnknownMember = fault.New(fault.NotFound, "unknown_member", "Member not found.")

// AddMember stores a member. An email address can be a member of an organization only once. It fails if the
// organization's directory has deactivated the user.
func (t *Tx) AddMember(ctx context.Context, organizationID, email string, role account.Role) (account.Member, error) {
	off, err := t.Deactivated(ctx, organizationID, email)
	if err == nil {
		err = account.RefuseDeactivated(off)
	}
	if err != nil {
		return account.Member{}, err
	}
	m := account.Member{ID: t.s.ids.New(id.Member), OrganizationID: organizationID, Email: email, Role: role,
		CreatedAt: t.now()}
	_, err = t.q.exec(ctx,
		`INSERT INTO members (id, organization_id, email, role, created_at) VALUES ($1, $2, $3, $4, $5)`,
		m.ID, m.OrganizationID, m.Email, string(m.Role), micros(m.CreatedAt))
	if err == nil {
		err = t.noteGuest(ctx, role)
	}
	if isUnique(err) {
		return m, fault.New(fault.Conflict, "member_exists", "A member with that address already exists.").
			WithField("email")
	}
	return m, wrap("store member", err)
}

// ListMembers returns an organization's members together with details of their accounts, oldest first.
func (r reads) ListMembers(ctx context.Context, organizationID string) ([]account.Colleague, error) {
	list, err := collect(ctx, r.q, scanColleague,
		colleagueSelect+`WHERE m.organization_id = $1 ORDER BY m.created_at, m.id`, organizationID)
	return list, wrap("list members", err)
}

func scanColleague(s scanner) (account.Colleague, error) {
	var row memberRow
	var c account.Colleague
	var seen *int64
	if err := s.Scan(append(row.dest(), &c.PersonID, &c.Name, &c.TwoFactor, &seen)...); err != nil {
		return c, err
	}
	c.Member, c.SeenAt = row.member(), fromMicrosOrNull(seen)
	return c, nil
}

// FindMember returns a member of an organization.
func (r reads) FindMember(ctx context.Context, organizationID, memberID string) (account.Member, error) {
	return r.oneMember(ctx, `m.organization_id = $1 AND m.id = $2`, organizationID, memberID)
}

// FindMemberByEmail returns the organization's member with that email address.
func (r reads) FindMemberByEmail(ctx context.Context, organizationID, email string) (account.Member, error) {
	return r.oneMember(ctx, `m.organization_id = $1 AND m.email = $2`, organizationID, email)
}

func (r reads) oneMember(ctx context.Context, where string, args ...any) (account.Member, error) {
	m, err := single(ctx, r.q, scanMember, `SELECT `+memberColumns+` FROM members m WHERE `+where, args...)
	if errors.Is(err, errNone) {
		return m, errUnknownMember
	}
	return m, wrap("find member", err)
}

// ListMemberships returns the organizations that an email address is a member of, oldest membership first.
func (r reads) ListMemberships(ctx context.Context, email string) ([]account.Membership, error) {
	list, err := collect(ctx, r.q, func(s scanner) (account.Membership, error) {
		var row memberRow
		var o account.Organization
		var created int64
		err := s.Scan(append(row.dest(), &o.ID, &o.Name, &o.Plan, &created)...)
		o.CreatedAt = fromMicros(created)
		return account.Membership{Member: row.member(), Organization: o}, err
	},
		`SELECT `+
			memberColumns+`, o.id, o.name, o.plan, o.created_at FROM members m JOIN organizations o ON o.id = m.organization_id
		WHERE m.email = $1 ORDER BY m.created_at, m.id`, email)
	return list, wrap("list memberships", err)
}

// SetRole changes a member's role. It refuses to demote an organization's last owner.
func (t *Tx) SetRole(ctx context.Context, m account.Member, role account.Role) error {
	if err := t.lockOrganization(ctx, m.OrganizationID); err != nil {
		return err
	}
	if _, err := t.q.exec(ctx, `UPDATE members SET role = $3 WHERE organization_id = $1 AND id = $2`, m.OrganizationID,
		m.ID, string(role)); err != nil {
		return wrap("change role", err)
	}
	if err := t.noteGuest(ctx, role); err != nil {
		return err
	}
	return t.checkOwners(ctx, m)
}

// RemoveMember ends a membership and the sessions that are using the organization. It refuses to remove an
// organization's last owner.
func (t *Tx) RemoveMember(ctx context.Context, m account.Member) error {
	if err := t.lockOrganization(ctx, m.OrganizationID); err != nil {
		return err
	}
	if _, err := t.q.exec(ctx, `DELETE FROM members WHERE organization_id = $1 AND id = $2`, m.OrganizationID,
		m.ID); err != nil {
		return wrap("remove member", err)
	}
	_,
		err := t.q.exec(ctx,
		`DELETE FROM sessions WHERE organization_id = $1 AND person_id IN (SELECT id FROM people WHERE email = $2)`,
		m.OrganizationID, m.Email)
	if err != nil {
		return wrap("end sessions of member", err)
	}
	return t.checkOwners(ctx, m)
}

// checkOwners fails if this transaction's change to m leaves the organization without an owner, although it had one
// before. The caller must have locked the organization, so that two owners cannot remove each other at the same time.
func (t *Tx) checkOwners(ctx context.Context, m account.Member) error {
	if m.Role != account.RoleOwner {
		return nil
	}
	left, err := t.CountOwners(ctx, m.OrganizationID)
	if err == nil && left == 0 {
		return fault.New(fault.Conflict, "last_owner", "This is the organization's last owner.").
			WithHint("Make someone else an owner first.")
	}
	return err
}

// CountOwners counts an organization's owners.
func (r reads) CountOwners(ctx context.Context, organizationID string) (int64, error) {
	n, err := single(ctx, r.q, value[int64],
		`SELECT COUNT(*) FROM members WHERE organization_id = $1 AND role = 'owner'`, organizationID)
	return n, wrap("count owners", err)
}
