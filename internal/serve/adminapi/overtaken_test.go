package adminapi_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// held returns the operations that check the caller's permissions again while the organization is locked.
func held() (out []adminapi.Route) {
	names := map[string]bool{"setMemberRole": true, "removeMember": true, "createPasswordLink": true,
		"createInvitation": true, "revokeInvitation": true,
		"createKey": true, "revokeKey": true, "renameOrganization": true, "createCredential": true,
		"replaceCredential": true, "deleteCredential": true, "testCredential": true, "createWebhookEndpoint": true, "updateWebhookEndpoint": true,
		"rotateWebhookEndpointSecret": true, "testWebhookEndpoint": true, "replayWebhookDeliveries": true,
		"replayWebhookDelivery": true, "deleteWebhookEndpoint": true}
	for _, r := range adminapi.Routes() {
		if names[r.OperationID] {
			out = append(out, r)
		}
	}
	return out
}

// didNothing checks that the audit log has no event by the actor.
func (w *world) didNothing(t *testing.T, organizationID, actor, what string) {
	t.Helper()
	events, err := w.store.ListEvents(t.Context(), organizationID, 0, 1000)
	must(t, err)
	for _, e := range events {
		if e.Actor == actor {
			t.Errorf("%s: %s on %s was recorded", what, e.Action, e.Target)
		}
	}
}

// A key revoked during its request does not change members, keys, links, credentials or the organization.
func TestKeyRevokedDuringRequestChangesNothing(t *testing.T) {
	var keys *overtaken
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { keys = &overtaken{Store: o.Store}; o.Keys = keys })
	for _, r := range held() {
		key, keyID := w.newKey(t, x.org.ID, nil)
		keys.lose = nil
		a := samples[r.OperationID].ask(x).by(r, key)
		keys.lose = func(store.Principal) {
			must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
				_, err := tx.RevokeKey(t.Context(), x.org.ID, keyID, false)
				return err
			}))
		}
		if got := w.do(t, a); got.status != 401 || got.code(t) != "invalid_key" {
			t.Errorf("%s: %d %s", r.OperationID, got.status, got.body)
		}
		w.didNothing(t, x.org.ID, keyID, r.OperationID)
	}
}

// setRole changes a member's role, as another admin might do at the same time.
func (w *world) setRole(t *testing.T, m account.Member, role account.Role) {
	t.Helper()
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error {
		now, err := tx.FindMember(t.Context(), m.OrganizationID, m.ID)
		if err != nil {
			return err
		}
		return tx.SetRole(t.Context(), now, role)
	}))
}

// If an admin is demoted while their request runs, the request is rejected and changes nothing.
func TestAdminDemotedDuringRequestChangesNothing(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	admin := x.members["admin"]
	for _, r := range held() {
		w.setRole(t, admin, account.RoleAdmin)
		a := samples[r.OperationID].ask(x).by(r, "").as(admin)
		w.lose = func(store.Principal) { w.setRole(t, admin, account.RoleViewer) }
		if got := w.do(t, a); got.status != 403 || got.code(t) != "role_required" {
			t.Errorf("%s: %d %s", r.OperationID, got.status, got.body)
		}
		w.lose = nil
		w.didNothing(t, x.org.ID, admin.ID, r.OperationID)
	}
}

// An owner who becomes an admin during their request can no longer add, change or remove owners.
func TestOwnerDemotedDuringRequestCannotManageOwners(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	was, owner := x.members["editor"], "/v1/members/"+x.members["owner"].ID
	for _, a := range []ask{
		{"PATCH", "/v1/members/" + x.members["viewer"].ID, "", `{"role":"owner"}`, nil},
		{"POST", "/v1/invitations", "", `{"email":"o@example.com","role":"owner"}`, nil},
		{"POST", owner + "/password-link", "", "", nil},
		{"PATCH", owner, "", `{"role":"viewer"}`, nil},
		{"DELETE", owner, "", "", nil},
	} {
		w.setRole(t, was, account.RoleOwner)
		w.setRole(t, x.members["owner"], account.RoleOwner)
		w.lose = func(store.Principal) { w.setRole(t, was, account.RoleAdmin) }
		if got := w.do(t, a.as(was)); got.status != 403 || got.code(t) != "role_required" {
			t.Errorf("%s %s: %d %s", a.method, a.path, got.status, got.body)
		}
		w.lose = nil
		w.didNothing(t, x.org.ID, was.ID, a.method+" "+a.path)
	}
}
