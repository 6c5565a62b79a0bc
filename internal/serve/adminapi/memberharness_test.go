package adminapi_test

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

// memberHeader identifies the caller to the test server; the API itself does not use this header.
const memberHeader = "Test-Member"

// withMembers stands in for the dashboard: it adds a member's identity to a request's context. A removed member has
// no session.
func (w *world) withMembers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if org, member, ok := strings.Cut(r.Header.Get(memberHeader), " "); ok {
			r = r.WithContext(auth.WithCaller(r.Context(),
				func(ctx context.Context) (store.Principal, error) { return w.signedIn(ctx, org, member) }))
		}
		next.ServeHTTP(rw, r)
	})
}

func (w *world) signedIn(ctx context.Context, organizationID, memberID string) (p store.Principal, err error) {
	if p.Member, err = w.store.FindMember(ctx, organizationID, memberID); err == nil {
		p.Organization, err = w.store.FindOrganization(ctx, organizationID)
	}
	if fault.Is(err, fault.NotFound) {
		err = fault.New(fault.Unauthenticated, "session_ended", "Your session has ended.").WithHint("Sign in again.")
	}
	if err == nil && w.lose != nil {
		w.lose(p)
	}
	return p, err
}

// addMembers gives a tenant one member with each role and an open invitation. It stores another viewer under "", who
// has a role in a project and on whom no test depends. All members have accounts.
func (w *world) addMembers(t testing.TB, x *tenant) {
	t.Helper()
	x.members = map[account.Role]account.Member{}
	ctx := t.Context()
	must(t, w.store.Tx(ctx, func(tx *store.Tx) (err error) {
		for _, role := range append(account.Roles(), "") {
			name, gets := string(role), role
			if role == "" {
				name, gets = "spare", account.RoleViewer
			}
			email := name + "@" + x.org.Name + ".example"
			if x.members[role], err = tx.AddMember(ctx, x.org.ID, email, gets); err != nil {
				return err
			}
			if _, err = tx.CreatePerson(ctx, account.Person{Email: email, PasswordHash: "x"}); err != nil {
				return err
			}
		}
		spare := x.members[""].ID
		if err := tx.SetProjectRole(ctx, spare, x.project.ID, account.RoleViewer); err != nil {
			return err
		}
		x.invitation, err = tx.CreateInvitation(ctx, account.Invitation{OrganizationID: x.org.ID,
			Kind: account.InviteJoin, Email: "new@" + x.org.Name + ".example",
			Role: account.RoleEditor, Hash: account.TokenHash(x.org.ID), CreatedBy: "operator",
			ExpiresAt: w.clock.Now().Add(time.Hour)})
		return err
	}))
}

// as returns the request as made by a member instead of a key.
func (a ask) as(m account.Member) ask {
	header := map[string]string{memberHeader: m.OrganizationID + " " + m.ID}
	maps.Copy(header, a.header)
	a.key, a.header = "", header
	return a
}
