package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// directoryProgram is the schema version that a program must know to use a database in which users have been
// deactivated. An older program would make these users members again when they sign in.
const directoryProgram = 26

// DirectoryField is a field by which users and groups of a directory can be searched.
type DirectoryField int

// The search fields. A condition always tests for equality. The value for ByActive is true or false, and the value for
// ByGroupMember is a user's id.
const (
	ByID DirectoryField = iota
	ByName
	ByExternalID
	ByEmail
	ByActive
	ByGroupMember
)

// DirectoryCondition is a condition that users or groups must meet.
type DirectoryCondition struct {
	Field DirectoryField
	Value string
}

// DirectoryQuery selects a range of a list, oldest first. The entries must meet all conditions.
type DirectoryQuery struct {
	Where         []DirectoryCondition
	Offset, Limit int
}

// directoryUsers selects all users: those that the identity provider stored, and all other members. Both engines apply
// a condition on u to each half, so that they can use an index to find a single user.
const directoryUsers = ` FROM (
	SELECT d.id, d.organization_id, d.user_name, d.user_name_key AS name_key, d.external_id, d.email, d.display_name,
		d.given_name, d.family_name, d.deactivated, d.joined, TRUE AS stored, COALESCE(m.id, '') AS member_id,
		COALESCE(m.role, '') AS role, d.created_at, d.updated_at
	FROM directory_users d LEFT JOIN members m ON m.organization_id = d.organization_id AND m.email = d.email
	UNION ALL
	SELECT m.id, m.organization_id, m.email, m.email, '', m.email, '', '', '', FALSE, TRUE, FALSE, m.id, m.role,
		m.created_at, m.created_at
	FROM members m WHERE NOT EXISTS (SELECT 1 FROM directory_users d
		WHERE d.organization_id = m.organization_id AND d.email = m.email)) u `

const directoryUserColumns = `u.id, u.organization_id, u.user_name, u.external_id, u.email, u.display_name, u.given_name,
	u.family_name, u.deactivated, u.joined, u.stored, u.member_id, u.role, u.created_at, u.updated_at`

func scanDirectoryUser(s scanner) (u account.DirectoryUser, err error) {
	var created, updated int64
	err = s.Scan(&u.ID, &u.OrganizationID, &u.UserName, &u.ExternalID, &u.Email, &u.DisplayName, &u.GivenName,
		&u.FamilyName, &u.Deactivated, &u.Joined, &u.Stored, &u.MemberID, &u.Role, &created, &updated)
	u.CreatedAt, u.UpdatedAt = fromMicros(created), fromMicros(updated)
	return u, err
}

// where returns the conditions as SQL, with placeholders after $1. columns contains the expression for each searchable
// field.
func (q DirectoryQuery) where(organizationID string, columns map[DirectoryField]string) (sql string, args []any, err error) {
	args = []any{organizationID}
	parts := []string{`u.organization_id = $1`}
	for _, c := range q.Where {
		column, ok := columns[c.Field]
		if !ok {
			return "", nil, fmt.Errorf("directory: cannot filter by field %d", c.Field)
		}
		args = append(args, c.Value)
		parts = append(parts, fmt.Sprintf(column, len(args)))
	}
	return ` WHERE ` + strings.Join(parts, ` AND `), args, nil
}

var userColumns = map[DirectoryField]string{ByID: `u.id = $%d`, ByName: `u.name_key = $%d`,
	ByExternalID: `u.external_id = $%d`, ByEmail: `u.email = $%d`,
	ByActive: `CASE WHEN u.member_id <> '' THEN 'true' ELSE 'false' END = $%d`}

// ListDirectoryUsers returns a range of an organization's users, oldest first, and the total number of matches.
func (r reads) ListDirectoryUsers(ctx context.Context, organizationID string,
	q DirectoryQuery) (list []account.DirectoryUser, total int64, err error) {
	return listDirectory(ctx, r, organizationID, q, directoryUsers, directoryUserColumns, userColumns, scanDirectoryUser)
}

func listDirectory[T any](ctx context.Context, r reads, organizationID string, q DirectoryQuery, from, columns string,
	fields map[DirectoryField]string, scan func(scanner) (T, error)) (list []T, total int64, err error) {
	where, args, err := q.where(organizationID, fields)
	if err != nil {
		return nil, 0, err
	}
	if total, err = single(ctx, r.q, value[int64], `SELECT COUNT(*)`+from+where, args...); err != nil || q.Limit <= 0 {
		return nil, total, wrap("count directory", err)
	}
	list, err = collect(ctx, r.q, scan, fmt.Sprintf(`SELECT %s%s%s ORDER BY u.created_at, u.id LIMIT %d OFFSET %d`,
		columns, from, where, q.Limit, q.Offset), args...)
	return list, total, wrap("list directory", err)
}

// FindDirectoryUser returns a user in an organization.
func (r reads) FindDirectoryUser(ctx context.Context, organizationID, userID string) (account.DirectoryUser, error) {
	u, err := single(ctx, r.q, scanDirectoryUser,
		`SELECT `+directoryUserColumns+directoryUsers+`WHERE u.organization_id = $1 AND u.id = $2`, organizationID, userID)
	if errors.Is(err, errNone) {
		return u, fault.New(fault.NotFound, "unknown_user", "User not found.")
	}
	return u, wrap("find directory user", err)
}

// Deactivated reports whether the organization's directory has deactivated the user with this email address.
func (r reads) Deactivated(ctx context.Context, organizationID, email string) (bool, error) {
	n, err := single(ctx, r.q, value[int64],
		`SELECT COUNT(*) FROM directory_users WHERE organization_id = $1 AND email = $2 AND deactivated`,
		organizationID, email)
	return n > 0, wrap("find deactivated user", err)
}

// SaveDirectoryUser stores the provider's data about a user and assigns an id if the user has none. It does not
// change the membership.
func (t *Tx) SaveDirectoryUser(ctx context.Context, u account.DirectoryUser) (account.DirectoryUser, error) {
	u.UpdatedAt, u.Stored = t.now(), true
	if u.ID == "" {
		u.ID = t.s.ids.New(id.Member)
	}
	if u.CreatedAt.IsZero() {
		u.CreatedAt = u.UpdatedAt
	}
	_, err := t.q.exec(ctx, `INSERT INTO directory_users (id, organization_id, user_name, user_name_key, external_id, email,
			display_name, given_name, family_name, deactivated, joined, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (id) DO UPDATE SET user_name = excluded.user_name, user_name_key = excluded.user_name_key,
			external_id = excluded.external_id, email = excluded.email, display_name = excluded.display_name,
			given_name = excluded.given_name, family_name = excluded.family_name, deactivated = excluded.deactivated,
			joined = excluded.joined, updated_at = excluded.updated_at
		WHERE directory_users.organization_id = excluded.organization_id`,
		u.ID, u.OrganizationID, u.UserName, account.UserNameKey(u.UserName), u.ExternalID, u.Email, u.DisplayName,
		u.GivenName, u.FamilyName, u.Deactivated, u.Joined, micros(u.CreatedAt), micros(u.UpdatedAt))
	if isUnique(err) {
		return u, fault.New(fault.Conflict, "user_exists", "A user with that user name or address already exists.")
	}
	if err == nil && u.Deactivated {
		err = t.raiseOldestProgram(ctx, directoryProgram)
	}
	return u, wrap("store directory user", err)
}

// RemoveDirectoryUser deletes the provider's data about a user and removes the user from all groups. It does not
// change the membership.
func (t *Tx) RemoveDirectoryUser(ctx context.Context, organizationID, userID string) error {
	_, err := t.q.exec(ctx, `DELETE FROM directory_users WHERE organization_id = $1 AND id = $2`, organizationID, userID)
	return wrap("remove directory user", err)
}
