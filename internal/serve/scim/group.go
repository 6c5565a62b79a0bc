package scim

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// groupBody is a group in a response.
type groupBody struct {
	Schemas     []string    `json:"schemas"`
	ID          string      `json:"id"`
	ExternalID  string      `json:"externalId,omitempty"`
	DisplayName string      `json:"displayName"`
	Members     []reference `json:"members,omitempty"`
	Meta        meta        `json:"meta"`
}

func (c *call) showGroup(g account.DirectoryGroup, members []account.GroupMember) groupBody {
	out := groupBody{Schemas: []string{groupSchema}, ID: g.ID, ExternalID: g.ExternalID, DisplayName: g.DisplayName,
		Meta: meta{ResourceType: "Group", Created: stamp(g.CreatedAt), LastModified: stamp(g.UpdatedAt),
			Location: c.base + "/Groups/" + g.ID, Version: groupVersion(g)}}
	for _, m := range members {
		if m.GroupID == g.ID {
			out.Members = append(out.Members, reference{Value: m.UserID, Ref: c.base + "/Users/" + m.UserID,
				Display: m.UserName, Type: "User"})
		}
	}
	return out
}

// groupVersion returns an entity tag that changes whenever a group or its membership changes. It does not need the list
// of members, which is therefore read only if the caller requested it.
func groupVersion(g account.DirectoryGroup) string {
	return versionOf([]any{g, g.UpdatedAt.UnixMicro()})
}

// groupFields converts a condition on groups to conditions for the store.
func groupFields(c condition) ([]store.DirectoryCondition, bool) {
	text, ok := c.text()
	is := func(f store.DirectoryField, v string) ([]store.DirectoryCondition, bool) {
		return []store.DirectoryCondition{{Field: f, Value: v}}, ok
	}
	if c.name == "members" && c.sub == "" && len(c.where) == 1 && c.where[0].name == "value" && c.value == nil {
		text, ok = c.where[0].text()
		return is(store.ByGroupMember, text)
	}
	if c.where != nil {
		return nil, false
	}
	switch strings.TrimSuffix(c.name+"."+c.sub, ".") {
	case "id":
		return is(store.ByID, text)
	case "displayname":
		return is(store.ByName, account.UserNameKey(text))
	case "externalid":
		return is(store.ByExternalID, text)
	case "members", "members.value":
		return is(store.ByGroupMember, text)
	}
	return nil, false
}

func (s *server) listGroups(c *call) (reply, error) {
	q, err := c.query.directoryQuery(groupFields)
	if err != nil {
		return reply{}, err
	}
	if c.query.wants("members") {
		q.Limit = min(q.Limit, maxGroups)
	}
	groups, total, err := s.Store.ListDirectoryGroups(c.ctx(), c.org(), q)
	if err != nil {
		return reply{}, err
	}
	members, err := s.membersOf(c, s.Store, groups...)
	if err != nil {
		return reply{}, err
	}
	var list []any
	for _, g := range groups {
		shaped, err := c.query.shape(c.showGroup(g, members))
		if err != nil {
			return reply{}, err
		}
		list = append(list, shaped)
	}
	return reply{status: http.StatusOK, body: newList(c.query.startIndex, total, list)}, nil
}

// membersOf returns the groups' members, unless the caller excluded that attribute.
func (s *server) membersOf(c *call, from memberReader, groups ...account.DirectoryGroup) ([]account.GroupMember, error) {
	if !c.query.wants("members") {
		return nil, nil
	}
	ids := make([]string, len(groups))
	for i, g := range groups {
		ids[i] = g.ID
	}
	return from.ListGroupMembers(c.ctx(), c.org(), ids...)
}

// groupID returns the id in the path. A malformed id is replaced by one that does not exist.
func (c *call) groupID() string {
	if id.Has(id.Group, c.id) {
		return c.id
	}
	return id.Group
}

func (s *server) getGroup(c *call) (reply, error) {
	g, err := s.Store.FindDirectoryGroup(c.ctx(), c.org(), c.groupID())
	if err != nil {
		return reply{}, err
	}
	return s.groupReply(c, s.Store, g, http.StatusOK)
}

func (s *server) groupReply(c *call, from memberReader, g account.DirectoryGroup, status int) (reply, error) {
	members, err := s.membersOf(c, from, g)
	if err != nil {
		return reply{}, err
	}
	full := c.showGroup(g, members)
	shaped, err := c.query.shape(full)
	return reply{status: status, body: shaped, version: full.Meta.Version}, err
}
