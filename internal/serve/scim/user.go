package scim

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// userBody is a user in a response.
type userBody struct {
	Schemas     []string    `json:"schemas"`
	ID          string      `json:"id"`
	ExternalID  string      `json:"externalId,omitempty"`
	UserName    string      `json:"userName"`
	Name        *nameBody   `json:"name,omitempty"`
	DisplayName string      `json:"displayName,omitempty"`
	Emails      []emailBody `json:"emails"`
	Active      bool        `json:"active"`
	Groups      []reference `json:"groups,omitempty"`
	Meta        meta        `json:"meta"`
}

type nameBody struct {
	Formatted  string `json:"formatted,omitempty"`
	FamilyName string `json:"familyName,omitempty"`
	GivenName  string `json:"givenName,omitempty"`
}

type emailBody struct {
	Value   string `json:"value"`
	Type    string `json:"type"`
	Primary bool   `json:"primary"`
}

func (c *call) showUser(u account.DirectoryUser, groups []account.GroupMember) userBody {
	out := userBody{Schemas: []string{userSchema}, ID: u.ID, ExternalID: u.ExternalID, UserName: u.UserName,
		DisplayName: u.DisplayName, Emails: []emailBody{{Value: u.Email, Type: "work", Primary: true}}, Active: u.Active(),
		Meta: meta{ResourceType: "User", Created: stamp(u.CreatedAt), LastModified: stamp(u.UpdatedAt),
			Location: c.base + "/Users/" + u.ID}}
	if u.GivenName+u.FamilyName != "" {
		out.Name = &nameBody{Formatted: strings.TrimSpace(u.GivenName + " " + u.FamilyName), FamilyName: u.FamilyName,
			GivenName: u.GivenName}
	}
	for _, g := range groups {
		if g.UserID == u.ID {
			out.Groups = append(out.Groups, reference{Value: g.GroupID, Ref: c.base + "/Groups/" + g.GroupID,
				Display: g.GroupName, Type: "direct"})
		}
	}
	out.Meta.Version = versionOf(out)
	return out
}

// userFields converts a condition on users to conditions for the store.
func userFields(c condition) ([]store.DirectoryCondition, bool) {
	text, ok := c.text()
	is := func(f store.DirectoryField, v string) ([]store.DirectoryCondition, bool) {
		return []store.DirectoryCondition{{Field: f, Value: v}}, ok
	}
	switch c.name + "." + c.sub {
	case "id.":
		return is(store.ByID, text)
	case "username.":
		return is(store.ByName, account.UserNameKey(text))
	case "externalid.":
		return is(store.ByExternalID, text)
	case "active.":
		return is(store.ByActive, strings.ToLower(text))
	case "emails.", "emails.value":
		return emailFields(c)
	}
	return nil, false
}

// emailFields converts a condition on addresses to conditions for the store. Each user has one address, which is
// primary and of type work.
func emailFields(c condition) (out []store.DirectoryCondition, ok bool) {
	all := c.where
	if c.where == nil || c.sub != "" {
		all = append([]condition{{attribute: attribute{name: "value"}, value: c.value}}, c.where...)
	}
	for _, one := range all {
		text, ok := one.text()
		if !ok || one.sub != "" {
			return nil, false
		}
		never := store.DirectoryCondition{Field: store.ByID, Value: ""}
		switch text = strings.ToLower(strings.TrimSpace(text)); one.name {
		case "value":
			out = append(out, store.DirectoryCondition{Field: store.ByEmail, Value: text})
		case "type":
			if text != "work" {
				out = append(out, never)
			}
		case "primary":
			if text != "true" {
				out = append(out, never)
			}
		default:
			return nil, false
		}
	}
	return out, true
}

func (s *server) listUsers(c *call) (reply, error) {
	q, err := c.query.directoryQuery(userFields)
	if err != nil {
		return reply{}, err
	}
	users, total, err := s.Store.ListDirectoryUsers(c.ctx(), c.org(), q)
	if err != nil {
		return reply{}, err
	}
	ids := make([]string, len(users))
	for i, u := range users {
		ids[i] = u.ID
	}
	groups, err := s.Store.ListGroupsOf(c.ctx(), c.org(), ids...)
	if err != nil {
		return reply{}, err
	}
	var list []any
	for _, u := range users {
		shaped, err := c.query.shape(c.showUser(u, groups))
		if err != nil {
			return reply{}, err
		}
		list = append(list, shaped)
	}
	return reply{status: http.StatusOK, body: newList(c.query.startIndex, total, list)}, nil
}

// userID returns the id in the path. A malformed id is replaced by one that does not exist.
func (c *call) userID() string {
	if id.Has(id.Member, c.id) {
		return c.id
	}
	return id.Member
}

func (s *server) getUser(c *call) (reply, error) {
	u, err := s.Store.FindDirectoryUser(c.ctx(), c.org(), c.userID())
	if err != nil {
		return reply{}, err
	}
	return s.userReply(c, s.Store, u, http.StatusOK)
}

// userReply returns a user with their groups.
func (s *server) userReply(c *call, from groupReader, u account.DirectoryUser, status int) (reply, error) {
	groups, err := from.ListGroupsOf(c.ctx(), c.org(), u.ID)
	if err != nil {
		return reply{}, err
	}
	full := c.showUser(u, groups)
	shaped, err := c.query.shape(full)
	return reply{status: status, body: shaped, version: full.Meta.Version}, err
}
