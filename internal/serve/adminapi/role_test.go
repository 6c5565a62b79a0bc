package adminapi_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// judgedByHandler has the roles required by samples whose routes admit more people: anyone may leave an organization,
// but the sample removes someone else.
var judgedByHandler = map[string]account.Role{"removeMember": account.RoleAdmin}

func leastRole(r adminapi.Route) account.Role {
	if role, ok := judgedByHandler[r.OperationID]; ok {
		return role
	}
	return r.Role
}

func TestEveryAuthenticatedRouteHasARole(t *testing.T) {
	for _, r := range adminapi.Routes() {
		if open := r.Scope == ""; open != (r.Role == "") {
			t.Errorf("%s has the scope %q and the role %q", r.OperationID, r.Scope, r.Role)
		}
		if r.Role != "" && !r.Role.AtLeast(account.RoleGuest) {
			t.Errorf("%s: there is no role %q", r.OperationID, r.Role)
		}
		if r.Scope == account.ScopeWrite && r.Role == account.RoleViewer && judgedByHandler[r.OperationID] == "" {
			t.Errorf("%s lets viewers change something", r.OperationID)
		}
	}
}

// A8: every route × every role: exactly the roles from the required one upwards are allowed; the refusal names the
// required and the actual role. An owner of another organization gets the same response as for resources that do not
// exist.
func TestEveryRouteChecksMemberRole(t *testing.T) {
	for _, r := range adminapi.Routes() {
		if r.Scope == "" {
			continue
		}
		t.Run(r.OperationID, func(t *testing.T) {
			s := samples[r.OperationID]
			w, of := newWorldWith(t, nil, home{"owner", account.PlanEnterprise}, home{"stranger", account.PlanEnterprise})
			x, stranger := of[0], of[1]
			by := func(role account.Role) reply { return w.do(t, s.ask(x).by(r, "").as(x.members[role])) }
			need, first := leastRole(r), true
			for _, role := range []account.Role{account.RoleViewer, account.RoleEditor, account.RoleAdmin,
				account.RoleOwner} {
				got := by(role)
				switch {
				case !role.AtLeast(need):
					if got.status != 403 || got.code(t) != "role_required" ||
						!strings.Contains(string(got.body), "the role "+string(need)+"; your role is "+string(role)) {
						t.Errorf("a %s, where %s is needed: %d %s", role, need, got.status, got.body)
					}
				case first:
					got.want(t, s.ok)
					first = false
				case got.status == 403:
					t.Errorf("a %s is refused, although a %s is not: %s", role, need, got.body)
				}
			}
			if !s.hidden {
				return
			}
			foreign := w.do(t, s.ask(x).by(r, "").as(stranger.members["owner"])).want(t, 404)
			if unknown := w.do(t, s.ask(nobody(w)).by(r, "").as(stranger.members["owner"])).
				want(t, 404); foreign.alike(t) != unknown.alike(t) {
				t.Errorf("foreign: %s, unknown: %s", foreign.body, unknown.body)
			}
		})
	}
}

// Plans limit members just like keys.
func TestPlanLimitsApplyToMembers(t *testing.T) {
	w, x := newWorldOf(t, account.PlanPro, nil)
	for _, r := range adminapi.Routes() {
		if r.Plan == "" {
			continue
		}
		if got := w.do(t, samples[r.OperationID].ask(x).by(r, "").as(x.members["owner"])).
			want(t, 403); got.code(t) != "plan_required" {
			t.Errorf("%s: %s", r.OperationID, got.body)
		}
	}
}

// Every route refuses an ended session, and no header identifies a member.
func TestEndedSessionIsRefusedEverywhere(t *testing.T) {
	var plain adminapi.Options
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { plain = *o })
	gone := account.Member{ID: w.ids.New("mem_"), OrganizationID: x.org.ID}
	bare := *w
	bare.server = serve(t, adminapi.New(plain)) // without the test's own handler for members
	for _, r := range adminapi.Routes() {
		if r.Scope == "" {
			continue
		}
		if got := w.do(t, samples[r.OperationID].ask(x).by(r, "").as(gone)).
			want(t, 401); got.code(t) != "session_ended" {
			t.Errorf("%s: %s", r.OperationID, got.body)
		}
		if got := bare.do(t, samples[r.OperationID].ask(x).by(r, "").as(x.members["owner"])).
			want(t, 401); got.code(t) != "missing_key" {
			t.Errorf("%s: %s", r.OperationID, got.body)
		}
	}
}

// A stream ends when the member's session ends.
func TestMemberStreamEndsWithSession(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	req, err := http.NewRequestWithContext(t.Context(), "GET",
		w.server.URL+"/v1/static-export/jobs/"+x.queued.ID+"/events", nil)
	must(t, err)
	req.Header.Set(memberHeader, x.org.ID+" "+x.members["viewer"].ID)
	res, err := w.server.Client().Do(req)
	must(t, err)
	defer res.Body.Close()
	r := bufio.NewReader(res.Body)
	if name, _ := nextEvent(t, r); name != "progress" {
		t.Fatal(name)
	}
	must(t, w.store.Tx(t.Context(),
		func(tx *store.Tx) error { return tx.RemoveMember(t.Context(), x.members["viewer"]) }))
	if _, err := io.ReadAll(r); err != nil { // returns only when the server ends the stream
		t.Fatal(err)
	}
}

// A5: requests are counted by caller: two members of one organization have separate limits, as do its keys.
func TestRateLimitCountsMembers(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) { o.RateLimit = 2 })
	look := ask{method: "GET", path: "/v1/organization"}
	for _, a := range []ask{look.as(x.members["viewer"]), look.as(x.members["owner"]),
		{"GET", "/v1/organization", x.key, "", nil}} {
		w.do(t, a).want(t, 200)
		if got := w.do(t, a).want(t, 200); got.header.Get("RateLimit-Remaining") != "0" {
			t.Errorf("%v", got.header)
		}
		w.do(t, a).want(t, 429)
	}
}

// A member's actions appear under their address for colleagues, and under their id in records and jobs.
func TestMemberActionsAreAttributed(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	editor, admin := x.members["editor"], x.members["admin"]
	got := w.do(t, ask{"POST", "/v1/static-export/jobs/" + x.queued.ID + "/cancel", "", "", nil}.as(editor)).
		want(t, 200)
	if !strings.Contains(string(got.body), editor.Email) {
		t.Errorf("%s", got.body)
	}
	if _, actor, _, _ := w.lastEvent(t, x.org.ID); actor != editor.ID {
		t.Errorf("recorded for %s", actor)
	}
	if made := w.do(t, ask{"POST", "/v1/keys", "", `{}`, nil}.as(admin)).want(t, 201).
		object(t); made["createdBy"] != admin.ID {
		t.Errorf("%v", made)
	}
	if !strings.Contains(w.log.String(), "actor="+admin.ID) {
		t.Error("the log does not name the member")
	}
}
