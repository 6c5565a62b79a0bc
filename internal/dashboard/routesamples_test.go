package dashboard_test

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/lectern-docs/lectern/internal/dashboard"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

// samples contains values for the routes' patterns in organization a, and forms that the API would accept from a person
// with a sufficient role, so that a missing check results in a change and not in a different error.
type samples struct {
	r          *rig
	invitation string
	credential string
	endpoint   string // of webhooks
	delivery   string // to that endpoint
	feedback   string
	automation string
	product    string
	receipt    string                // of a citation of that product repository
	forms      map[string]url.Values // by pattern
}

func newSamples(r *rig) *samples {
	s := &samples{r: r}
	ctx := r.t.Context()
	must(r.t, r.store.Tx(ctx, func(tx *store.Tx) error {
		i, err := tx.CreateInvitation(ctx, account.Invitation{OrganizationID: r.a.org.ID, Kind: account.InviteJoin,
			Email: "new@example.com", Role: account.RoleViewer, Hash: account.TokenHash("x"),
			CreatedBy: "operator", ExpiresAt: r.clock.Now().AddDate(0, 0, 7)})
		s.invitation = i.ID
		return err
	}))
	s.credential = r.storedCredential("sample").ID
	s.endpoint, s.delivery = r.storedWebhook("https://hooks.a.example/in")
	must(r.t, r.store.Tx(ctx, func(tx *store.Tx) error {
		a, err := tx.CreateAutomation(ctx, automation.Automation{OrganizationID: r.a.org.ID, ProjectID: r.a.project.ID,
			Name: "weekly-links", Trigger: automation.OnSchedule, Schedule: automation.Schedule{At: "06:00"},
			Workflow: "fix-links", MaxPerDay: 1, Enabled: true, Owner: "key_x"})
		if s.automation = a.ID; err != nil {
			return err
		}
		p, err := tx.CreateProduct(ctx, project.Product{OrganizationID: r.a.org.ID, ProjectID: r.a.project.ID, Name: "server",
			Source: project.Source{Repository: "https://git.example.com/server.git"}})
		s.product = p.ID
		return err
	}))
	must(r.t, r.store.KeepReceipts(ctx, r.a.org.ID, r.a.project.ID, "aj_1", nil, []project.Receipt{
		{Product: "server", Page: "index.mdx", Path: "main.go", Line: 1, Commit: "c1", Quotation: "package main"}}))
	cited, err := r.store.ListHeldReceipts(ctx, s.product, project.Receipt{}, 1)
	must(r.t, err)
	s.receipt = cited[0].ID
	s.feedback = r.addFeedback(r.a.project.ID, audience.Feedback{Path: "/", Comment: "Fine."})
	v := func(pairs ...string) url.Values {
		out := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			out.Add(pairs[i], pairs[i+1])
		}
		return out
	}
	s.forms = map[string]url.Values{
		"/dashboard/projects": v("name", "New", "domain", "new.a.example", "kind",
			"git", "source.repository", "https://git.example.com/x.git"),
		"/dashboard/projects/{projectId}/rollback": v("deployment", r.a.older.ID),
		"/dashboard/projects/{projectId}/previews": v("branch", "words"),
		"/dashboard/projects/{projectId}/settings": v("name", "Other", "domains", "other.a.example",
			"kind", "git", "source.repository", "https://git.example.com/y.git"),
		"/dashboard/projects/{projectId}/delete":                        v("confirm", r.a.project.Name),
		"/dashboard/projects/{projectId}/readers":                       v("mode", "organization"),
		"/dashboard/projects/{projectId}/verify-domain":                 v("domain", r.a.project.Domains[0]),
		"/dashboard/projects/{projectId}/agent":                         v("prompt", "Fix the links."),
		"/dashboard/projects/{projectId}/agent/{jobId}/message":         v("message", "And the titles."),
		"/dashboard/projects/{projectId}/proposals/{proposalId}/review": v("do", "resolve "+r.a.comment.ID),
		"/dashboard/exports":                                            v("domain", r.a.project.Domains[0]),
		"/dashboard/exports/{jobId}/bundle":                             v("format", "zip"),
		"/dashboard/projects/{projectId}/products":                      v("product", "code", "repository", "https://git.example.com/code.git"),
		"/dashboard/projects/{projectId}/automations": v("name", "on-call", "trigger", "call", "workflow", "format",
			"maxPerDay", "1"),
		"/dashboard/projects/{projectId}/automations/{automationId}": v("name", "weekly", "trigger", "schedule", "at",
			"07:00", "days", "mon", "days", "tue", "workflow", "fix-links", "maxPerDay", "2"),
		"/dashboard/projects/{projectId}/automations/{automationId}/state": v("state", "off"),
		"/dashboard/settings/keys": v("label", "ci", "scopes", "read", "expiresInDays",
			"30"),
		"/dashboard/settings/credentials": v("name", "new", "kind", "token", "url",
			"https://git.example.com", "secret", "s3cret"),
		"/dashboard/settings/credentials/{credentialId}/replace": v("url", "https://git.example.com", "secret", "n3w"),
		"/dashboard/settings/credentials/{credentialId}/test":    v("repository", ""),
		"/dashboard/settings/webhooks":                           v("url", "https://hooks.a.example/new"),
		"/dashboard/settings/webhooks/{endpointId}":              v("url", "https://hooks.a.example/other"),
		"/dashboard/settings/webhooks/{endpointId}/state":        v("state", "off"),
		"/dashboard/settings/members/{memberId}/role":            v("role", "editor"),
		"/dashboard/settings/members/invite": v("email", "else@example.com", "role", "viewer",
			"expiresInDays", "7"),
		"/dashboard/settings/organization":        v("name", "Renamed"),
		"/dashboard/projects/{projectId}/members": v("member", r.people["viewer"].member.ID, "role", "editor"),

		"/dashboard/projects/{projectId}/analytics/feedback/{feedbackId}": v("status", "resolved"),
	}
	return s
}

var place = regexp.MustCompile(`\{(\w+)\}`)

// path fills in a pattern with ids of organization a.
func (s *samples) path(pattern string) string {
	a := s.r.a
	ids := map[string]string{"projectId": a.project.ID, "statusId": a.live.ID, "keyId": a.keyID,
		"memberId": s.r.people["viewer"].member.ID, "invitationId": s.invitation,
		"proposalId": a.proposal.ID, "jobId": a.agentJob.ID, "do": "message", "feedbackId": s.feedback, "list": "views",
		"threadId": "th_x", "credentialId": s.credential, "endpointId": s.endpoint,
		"deliveryId": s.delivery, "automationId": s.automation, "productId": s.product, "receiptId": s.receipt}
	if strings.Contains(pattern, "/exports/") {
		ids["jobId"] = a.done.ID
		if strings.HasSuffix(pattern, "/cancel") {
			ids["jobId"] = a.queued.ID
		}
	}
	if strings.HasSuffix(pattern, "{jobId}/redo") {
		ids["jobId"] = a.agentDone.ID // has an open pull request
	}
	if strings.Contains(pattern, "memberId}/remove") {
		ids["memberId"] = s.r.people["editor"].member.ID // not the person themself
	}
	return place.ReplaceAllStringFunc(strings.TrimSuffix(pattern, "{$}"), func(p string) string {
		v, ok := ids[strings.Trim(p, "{}")]
		if !ok {
			s.r.t.Fatalf("%s: no sample for %s", pattern, p)
		}
		return v
	})
}

// ask requests a route as a person, with a form that is otherwise valid.
func (s *samples) ask(who string, rt dashboard.RouteInfo) (status int, body string) {
	if rt.Method == http.MethodGet {
		return s.r.get(who, s.path(rt.Pattern))
	}
	return s.r.post(who, s.path(rt.Pattern), maps.Clone(s.forms[rt.Pattern]))
}
