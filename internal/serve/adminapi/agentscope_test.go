package adminapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
)

// G10: a read-only key, and another organization's write key, can neither start, message or archive agent jobs nor
// merge or close their proposals, and nothing changes; a key with the scope write can do all of this.
func TestOnlyWritersControlAgents(t *testing.T) {
	w := newWorld(t, nil)
	owner, stranger := w.newTenant(t, "owner", account.PlanEnterprise),
		w.newTenant(t, "stranger", account.PlanEnterprise)
	reader, _ := w.newKey(t, owner.org.ID, func(k *account.Key) { k.Scopes = []account.Scope{account.ScopeRead} })
	writer, _ := w.newKey(t, owner.org.ID, func(k *account.Key) { k.Scopes = []account.Scope{account.ScopeWrite} })
	before := agentState(t, w, owner)
	var commands []adminapi.Route
	for _, r := range adminapi.Routes() {
		if strings.HasPrefix(r.Pattern, "/v2/agent/") && r.Method != http.MethodGet {
			commands = append(commands, r)
		}
	}
	if len(commands) < 5 {
		t.Fatalf("%d routes control agents, want at least start, message, archive, merge and close", len(commands))
	}
	for _, r := range commands {
		request := samples[r.OperationID].ask(owner)
		w.do(t, request.by(r, reader)).want(t, http.StatusForbidden)
		w.do(t, request.by(r, stranger.key)).want(t, http.StatusNotFound)
	}
	if after := agentState(t, w, owner); after != before {
		t.Errorf("refused requests changed %s\nto %s", before, after)
	}
	for _, r := range commands {
		s := samples[r.OperationID]
		w.do(t, s.ask(owner).by(r, writer)).want(t, s.ok)
	}
}

// agentState returns the jobs and proposals of a tenant's project as shown by the API.
func agentState(t *testing.T, w *world, x tenant) string {
	t.Helper()
	var b strings.Builder
	for _, r := range adminapi.Routes() {
		if r.OperationID == "listAgentJobs" || r.OperationID == "listProposals" {
			b.Write(w.do(t, samples[r.OperationID].ask(x).by(r, x.key)).want(t, http.StatusOK).body)
		}
	}
	return b.String()
}
