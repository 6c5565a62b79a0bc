package adminapi

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/foundation/jsonbody"
	"github.com/lectern-docs/lectern/internal/store"
)

func showMember(m account.Colleague) client.Member {
	return client.Member{MemberID: m.ID, Email: m.Email, Name: orNull(m.Name), Role: string(m.Role),
		Projects: showProjectRoles(m.Projects), HasAccount: m.PersonID != "", TwoFactor: m.TwoFactor,
		CreatedAt: stamp(m.CreatedAt), LastSeenAt: stampOrNull(m.SeenAt)}
}

func (a *api) listMembers(c *call) (response, error) {
	list, err := a.Store.ListMembers(c.ctx(), c.org())
	if err != nil {
		return response{}, err
	}
	body := client.MemberList{Members: []client.Member{}}
	for _, m := range list {
		body.Members = append(body.Members, showMember(m))
	}
	return response{status: http.StatusOK, body: body}, nil
}

// holdMember returns the member in the path, locked until the transaction ends.
func (a *api) holdMember(c *call, tx *store.Tx) (account.Colleague, error) {
	if err := a.holdCaller(c, tx); err != nil {
		return account.Colleague{}, err
	}
	return tx.FindColleague(c.ctx(), c.org(), c.pathID("memberId", id.Member))
}

func (a *api) setMemberRole(c *call) (response, error) {
	var in struct {
		Role string `json:"role" required:"true"`
	}
	if err := jsonbody.Decode(c.body, &in); err != nil {
		return response{}, err
	}
	role, err := account.ParseRole(in.Role)
	if err != nil {
		return response{}, err
	}
	var m account.Colleague
	err = a.Store.Tx(c.ctx(), func(tx *store.Tx) (err error) {
		if m, err = a.holdMember(c, tx); err != nil {
			return err
		}
		before := m.Role
		if err := c.principal.MayGive(before, role); err != nil {
			return err
		}
		if err := tx.SetRole(c.ctx(), m.Member, role); err != nil {
			return err
		}
		m.Role = role
		if err := a.withdraw(c, tx, func(i account.Invitation) bool { return i.MadeBeyond(m.ID, role) }); err != nil {
			return err
		}
		data := map[string]string{"email": m.Email, "before": string(before), "after": string(role)}
		return tx.Record(c.ctx(), a.event(c, "member.role", m.ID, data))
	})
	if err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: showMember(m)}, nil
}

// removeMember ends a membership. Anyone may leave; removing others requires the necessary role. Links for the member
// and links that the member created stop working, because they could be used to rejoin.
func (a *api) removeMember(c *call) (response, error) {
	self := c.principal.ByMember() && c.r.PathValue("memberId") == c.principal.Member.ID
	if !self && !c.principal.Role().AtLeast(account.RoleAdmin) {
		return response{}, account.NeedsRole(account.RoleAdmin, c.principal.Role())
	}
	err := a.Store.Tx(c.ctx(), func(tx *store.Tx) error {
		m, err := a.holdMember(c, tx)
		if err != nil {
			return err
		}
		if !self {
			if err := c.principal.MayGive(m.Role, ""); err != nil {
				return err
			}
		}
		if err := tx.RemoveMember(c.ctx(), m.Member); err != nil {
			return err
		}
		if err := a.withdraw(c, tx,
			func(i account.Invitation) bool { return i.Email == m.Email || i.MadeBeyond(m.ID, "") }); err != nil {
			return err
		}
		return tx.Record(c.ctx(),
			a.event(c, "member.remove", m.ID, map[string]string{"email": m.Email, "role": string(m.Role)}))
	})
	return response{status: http.StatusNoContent}, err
}
