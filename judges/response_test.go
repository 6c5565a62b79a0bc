package judges

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// TestResponsesMatchDescription calls every operation in /openapi.json through Prism, with the description's own
// examples, which must be valid requests, and with invalid bodies, whose error responses must be described, too. A call
// through Prism takes 40 ms of processor time, so outside nightly runs, invalid bodies are sent to only a quarter of
// the operations.
func TestResponsesMatchDescription(t *testing.T) {
	t.Parallel()
	note := judged(t, "live answers", npmVersion(t, "@stoplight/prism-cli"))
	s := serve(t, "--features-assistant", "local")
	document := saveDescription(t, s)
	w := &walker{t: t, server: s, examples: map[string]json.RawMessage{}}
	for name, e := range loadJSON(t, document).Components.Examples {
		w.examples[name] = e.Value
	}
	w.prepare()
	list := describedOperations(t, document)
	// forwards invalid requests, so that the server rejects them
	passing := prism(t, document, s.url, "--validate-request=false")
	careful := passing // outside nightly runs, only Redocly validates the examples
	if tier.Nightly {
		careful = prism(t, document, s.url)
	}
	for _, o := range list {
		w.call(careful, o, w.body(o))
	}
	for i, o := range list {
		if i%tier.Choose(4, 1) != 0 {
			continue
		}
		if o.Body != nil {
			w.call(passing, o, `{"unheardOf":1}`) // Prism itself never responds to a body that is not JSON
		}
		w.call(passing, operation{o.described, o.ID, nil}, "")
	}
	*note = fmt.Sprintf("%d operations, %d of them with success, %d calls", len(list), len(w.good), w.calls)
	if len(w.good) < len(list)*3/4 {
		t.Errorf("only %s; the others: %v", *note, w.refused)
	}
}

// operation is an operation with the data for its calls.
type operation struct {
	described
	ID   string
	Body json.RawMessage // description of its request body; nil = none
}

// describedOperations returns the operations in the order of their calls: reading, changing, deleting.
func describedOperations(t *testing.T, document string) (list []operation) {
	t.Helper()
	for path, item := range loadJSON(t, document).Paths {
		for method, raw := range item {
			var o struct {
				OperationID string
				RequestBody json.RawMessage
			}
			if method == "parameters" {
				continue
			}
			if err := json.Unmarshal(raw, &o); err != nil {
				t.Fatal(err)
			}
			list = append(list, operation{described{strings.ToUpper(method), path}, o.OperationID, o.RequestBody})
		}
	}
	order := []string{http.MethodGet, http.MethodPut, http.MethodPatch, http.MethodPost, http.MethodDelete}
	slices.SortFunc(list, func(a, b operation) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.method), slices.Index(order, b.method)),
			strings.Compare(a.ID, b.ID))
	})
	return list
}

// walker calls operations on existing objects.
type walker struct {
	t        *testing.T
	server   server
	ids      map[string]string // by the name of the path parameter
	examples map[string]json.RawMessage
	good     map[string]bool // operations with a successful response
	refused  map[string]string
	calls    int
}

func (w *walker) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// prepare creates one object of each kind that operations need.
func (w *walker) prepare() {
	w.t.Helper()
	w.good, w.refused = map[string]bool{}, map[string]string{}
	ctx, c := w.t.Context(), w.server.client
	site := tour(w.t, w.server)
	export, err := c.StartExport(ctx, client.StartExport{Domain: site.Domain})
	w.ok(err)
	_, err = c.WaitExport(ctx, export.JobID, nil)
	w.ok(err)
	job, err := c.CreateAgentJob(ctx, site.ProjectID, client.CreateAgentJob{Prompt: "fix broken links"})
	w.ok(err)
	_, err = c.WaitAgentJob(ctx, site.ProjectID, job.ID, nil)
	w.ok(err)
	proposals, err := c.ListProposals(ctx, site.ProjectID, client.ListProposalsParams{})
	w.ok(err)
	w.ok(c.AskAssistant(ctx, site.Domain, client.NewQuestion("How do I start?"),
		func(client.AssistantPart) error { return nil }))
	asked, err := c.ListQuestions(ctx, site.ProjectID, client.ListQuestionsParams{})
	w.ok(err)
	key, err := c.CreateKey(ctx, client.CreateKey{Label: "spare", Scopes: []string{"read"}})
	w.ok(err)
	credential, err := c.CreateCredential(ctx, client.CreateCredential{Name: "spare", Kind: "token",
		URL: "https://git.example.com/team", User: "bot", Secret: "s3cret-value"})
	w.ok(err)
	endpoint, err := c.CreateWebhookEndpoint(ctx, client.CreateWebhookEndpoint{URL: "https://hooks.example.com/in"})
	w.ok(err)
	delivery, err := c.TestWebhookEndpoint(ctx, endpoint.EndpointID)
	w.ok(err)
	invitation, err := c.CreateInvitation(ctx, client.CreateInvitation{Email: "a@example.com", Role: "editor"})
	w.ok(err)
	automation, err := c.CreateAutomation(ctx, site.ProjectID, client.CreateAutomation{Name: "spare", Trigger: "call",
		Workflow: "format"})
	w.ok(err)
	product, err := c.CreateProductRepository(ctx, site.ProjectID, client.CreateProductRepository{Name: "spare",
		Source: client.SourceInput{Repository: "https://git.example.com/team/code.git"}})
	w.ok(err)
	proposal, err := c.GetProposal(ctx, site.ProjectID, proposals.Proposals[0].ID)
	w.ok(err)
	comment, err := c.CreateProposalComment(ctx, site.ProjectID, proposal.ID, client.CreateProposalComment{
		Path: proposal.Files[0].Path, Line: 1, Body: "Why?", Suggestion: new("---\n"), Commit: *proposal.HeadCommit})
	w.ok(err)
	w.ids = map[string]string{"projectId": site.ProjectID, "domain": site.Domain, "jobId": export.JobID, "id": job.ID,
		"statusId":   site.LastUpdate.StatusID,
		"proposalId": proposals.Proposals[0].ID, "threadId": asked.Conversations[0].ThreadID, "keyId": key.KeyID,
		"credentialId": credential.CredentialID, "endpointId": endpoint.EndpointID, "deliveryId": delivery.DeliveryID,
		"invitationId": invitation.InvitationID, "workflowSchemaId": "format",
		"automationId": automation.ID, "productId": product.ID, "commentId": comment.ID}
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// body returns the first example of an operation's body.
func (w *walker) body(o operation) string {
	if o.Body == nil {
		return ""
	}
	refs := regexp.MustCompile(`#/components/examples/(\w+)`).FindStringSubmatch(string(o.Body))
	if refs == nil {
		return ""
	}
	return strings.ReplaceAll(string(w.examples[refs[1]]), "docs.example.com", w.ids["domain"])
}

func (w *walker) call(proxy string, o operation, body string) {
	w.t.Helper()
	w.calls++
	path := parameter.ReplaceAllStringFunc(o.path,
		func(p string) string { return cmp.Or(w.ids[strings.Trim(p, "{}")], "none") })
	if o.ID == "getSourceFile" { // the only operation with a required query
		path += "?path=docs.json"
	}
	status, answer := exchange(w.t, o.method, proxy+path, w.server.key, body)
	switch {
	case status < 300:
		w.good[o.ID] = true
	case status >= 500:
		w.t.Errorf("%s: %d %s", o.ID, status, answer)
	default:
		w.refused[o.ID] = fmt.Sprintf("%d %.200s", status, answer)
	}
	if w.good[o.ID] {
		delete(w.refused, o.ID)
	}
}
