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

const (
	directoryGroups       = ` FROM directory_groups u `
	directoryGroupColumns = `u.id, u.organization_id, u.display_name, u.external_id, u.created_at, u.updated_at`
)

var groupColumns = map[DirectoryField]string{ByID: `u.id = $%d`, ByName: `u.name_key = $%d`,
	ByExternalID:  `u.external_id = $%d`,
	ByGroupMember: `EXISTS (SELECT 1 FROM directory_group_members g WHERE g.group_id = u.id AND g.user_id = $%d)`}

func scanDirectoryGroup(s scanner) (g account.DirectoryGroup, err error) {
	var created, updated int64
	err = s.Scan(&g.ID, &g.OrganizationID, &g.DisplayName, &g.ExternalID, &created, &updated)
	g.CreatedAt, g.UpdatedAt = fromMicros(created), fromMicros(updated)
	return g, err
}

// ListDirectoryGroups returns a range of an organization's groups, oldest first, and the total number of matches.
func (r reads) ListDirectoryGroups(ctx context.Context, organizationID string,
	q DirectoryQuery) (list []account.DirectoryGroup, total int64, err error) {
	return listDirectory(ctx, r, organizationID, q, directoryGroups, directoryGroupColumns, groupColumns,
		scanDirectoryGroup)
}

// FindDirectoryGroup returns a group in an organization.
func (r reads) FindDirectoryGroup(ctx context.Context, organizationID, groupID string) (account.DirectoryGroup, error) {
	g, err := single(ctx, r.q, scanDirectoryGroup, `SELECT `+directoryGroupColumns+directoryGroups+
		`WHERE u.organization_id = $1 AND u.id = $2`, organizationID, groupID)
	if errors.Is(err, errNone) {
		return g, fault.New(fault.NotFound, "unknown_group", "Group not found.")
	}
	return g, wrap("find directory group", err)
}

// SaveDirectoryGroup stores a group and assigns an id if the group has none. It does not change the members.
func (t *Tx) SaveDirectoryGroup(ctx context.Context, g account.DirectoryGroup) (account.DirectoryGroup, error) {
	g.UpdatedAt = t.now()
	if g.ID == "" {
		g.ID, g.CreatedAt = t.s.ids.New(id.Group), g.UpdatedAt
	}
	_, err := t.q.exec(ctx, `INSERT INTO directory_groups (id, organization_id, display_name, name_key, external_id,
			created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET display_name = excluded.display_name, name_key = excluded.name_key,
			external_id = excluded.external_id, updated_at = excluded.updated_at
		WHERE directory_groups.organization_id = excluded.organization_id`,
		g.ID, g.OrganizationID, g.DisplayName, account.UserNameKey(g.DisplayName), g.ExternalID, micros(g.CreatedAt),
		micros(g.UpdatedAt))
	if isUnique(err) {
		return g, fault.New(fault.Conflict, "group_exists", "A group with that name already exists.")
	}
	return g, wrap("store directory group", err)
}

// RemoveDirectoryGroup deletes a group and its memberships.
func (t *Tx) RemoveDirectoryGroup(ctx context.Context, organizationID, groupID string) error {
	_, err := t.q.exec(ctx, `DELETE FROM directory_groups WHERE organization_id = $1 AND id = $2`, organizationID, groupID)
	return wrap("remove directory group", err)
}

// AddGroupMember adds a stored user of the organization to one of its groups, unless the user is already in that group.
func (t *Tx) AddGroupMember(ctx context.Context, organizationID, groupID, userID string) error {
	_, err := t.q.exec(ctx, `INSERT INTO directory_group_members (group_id, user_id)
		SELECT g.id, d.id FROM directory_groups g JOIN directory_users d ON d.organization_id = g.organization_id
		WHERE g.organization_id = $1 AND g.id = $2 AND d.id = $3 ON CONFLICT DO NOTHING`, organizationID, groupID, userID)
	return wrap("add to directory group", err)
}

// RemoveGroupMember removes a user from a group. It is not an error if the user is not in the group.
func (t *Tx) RemoveGroupMember(ctx context.Context, organizationID, groupID, userID string) error {
	_, err := t.q.exec(ctx, `DELETE FROM directory_group_members WHERE user_id = $3 AND group_id IN
		(SELECT id FROM directory_groups WHERE organization_id = $1 AND id = $2)`, organizationID, groupID, userID)
	return wrap("remove from directory group", err)
}

// ListGroupMembers returns the members of the given groups, ordered by group and then by user name.
func (r reads) ListGroupMembers(ctx context.Context, organizationID string, groupIDs ...string) ([]account.GroupMember,
	error) {
	return r.groupMembers(ctx, organizationID, `g.id`, groupIDs)
}

// ListGroupsOf returns the groups of the given users and the users' memberships, ordered by group and then by user
// name.
func (r reads) ListGroupsOf(ctx context.Context, organizationID string, userIDs ...string) ([]account.GroupMember, error) {
	return r.groupMembers(ctx, organizationID, `d.id`, userIDs)
}

func (r reads) groupMembers(ctx context.Context, organizationID, column string, ids []string) ([]account.GroupMember, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	args, marks := []any{organizationID}, make([]string, len(ids))
	for i, one := range ids {
		args = append(args, one)
		marks[i] = fmt.Sprintf("$%d", i+2)
	}
	list, err := collect(ctx, r.q, func(s scanner) (m account.GroupMember, err error) {
		err = s.Scan(&m.GroupID, &m.GroupName, &m.UserID, &m.UserName)
		return m, err
	}, `SELECT g.id, g.display_name, d.id, d.user_name FROM directory_group_members x
		JOIN directory_groups g ON g.id = x.group_id JOIN directory_users d ON d.id = x.user_id
		WHERE g.organization_id = $1 AND `+column+` IN (`+strings.Join(marks, ", ")+`)
		ORDER BY g.created_at, g.id, d.user_name_key, d.id`, args...)
	return list, wrap("list members of directory groups", err)
}
