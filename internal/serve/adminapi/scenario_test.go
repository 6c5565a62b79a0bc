package adminapi_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

const bundleBytes = "not really an archive"

var bundleSHA = hexSHA(bundleBytes)

func hexSHA(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// sample is a tenant's valid request for a route. If another tenant sends it, the response must be the same as for
// ids that do not exist.
type sample struct {
	ok     int
	ask    func(tenant) ask
	hidden bool // names a resource that others must not learn about
}

func path(s string, body ...string) ask { return ask{path: s, body: strings.Join(body, "")} }

// samples has one entry for each operation.
var samples = map[string]sample{
	"startStaticExportJob": {202,
		func(x tenant) ask { return path("/v1/static-export/jobs", `{"domain":"`+x.project.Domains[0]+`"}`) }, true},
	"listStaticExportJobs": {200, func(tenant) ask { return path("/v1/static-export/jobs") }, false},
	"getStaticExportJob": {200, func(x tenant) ask { return path("/v1/static-export/jobs/" + x.queued.ID) },
		true},
	"generateStaticExportBundle": {200,
		func(x tenant) ask { return path("/v1/static-export/jobs/" + x.done.ID + "/bundle") }, true},
	"cancelStaticExportJob": {200,
		func(x tenant) ask { return path("/v1/static-export/jobs/" + x.queued.ID + "/cancel") }, true},
	"streamStaticExportJob": {200,
		func(x tenant) ask { return path("/v1/static-export/jobs/" + x.done.ID + "/events") }, true},
	"getAgentJob": {200, func(x tenant) ask { return path("/v2/agent/" + x.project.ID + "/job/" + x.agentJob.ID) },
		true},
	"createAgentJobV1": {200, func(x tenant) ask { // as JSON: no worker runs the job, so a stream would not end
		a := path("/v1/agent/"+x.project.ID+"/job", `{"messages":[{"role":"user","content":"fix broken links"}]}`)
		a.header = map[string]string{"Accept": "application/json"}
		return a
	}, true},
	"getAgentJobV1": {200, func(x tenant) ask { return path("/v1/agent/" + x.project.ID + "/job/" + x.agentJob.ID) },
		true},
	"listAgentJobsV1": {200, func(x tenant) ask { return path("/v1/agent/" + x.project.ID + "/jobs") }, true},
	"triggerWorkflow": {202, func(x tenant) ask { return path("/v1/workflow/" + x.project.ID + "/fix-links/trigger") },
		true},
	"createAutomation": {201, func(x tenant) ask {
		return path("/v1/projects/"+x.project.ID+"/automations", `{"name":"a-`+strings.ToLower(rand.Text())+
			`","trigger":"schedule","schedule":{"days":["mon"],"at":"06:30","timeZone":"Europe/Berlin"},"workflow":"format"}`)
	}, true},
	"listAutomations": {200, func(x tenant) ask { return path("/v1/projects/" + x.project.ID + "/automations") }, true},
	"getAutomation":   {200, func(x tenant) ask { return path(x.automationPath()) }, true},
	"updateAutomation": {200, func(x tenant) ask {
		return path(x.automationPath(), `{"trigger":"schedule","schedule":{"at":"06:00"},"maxPerDay":2,"dryRun":false}`)
	}, true},
	"runAutomation":      {201, func(x tenant) ask { return path(x.automationPath()+"/run", `{"dryRun":true}`) }, true},
	"listAutomationRuns": {200, func(x tenant) ask { return path(x.automationPath() + "/runs") }, true},
	"deleteAutomation":   {204, func(x tenant) ask { return path(x.automationPath()) }, true},
	"createProductRepository": {201, func(x tenant) ask {
		return path("/v1/projects/"+x.project.ID+"/product-repositories", `{"name":"p-`+strings.ToLower(rand.Text())+
			`","source":{"repository":"https://git.example.com/a/b.git","branch":"main"}}`)
	}, true},
	"listProductRepositories": {200, func(x tenant) ask {
		return path("/v1/projects/" + x.project.ID + "/product-repositories")
	}, true},
	"listReceipts": {200, func(x tenant) ask { return path("/v1/projects/" + x.project.ID + "/receipts") }, true},
	"deleteReceipt": {204, func(x tenant) ask {
		return path("/v1/projects/" + x.project.ID + "/receipts/" + x.receipt)
	}, true},
	"deleteProductRepository": {204, func(x tenant) ask {
		return path("/v1/projects/" + x.project.ID + "/product-repositories/" + x.product.ID)
	}, true},
	"createAgentJob": {201, func(x tenant) ask {
		return path("/v2/agent/"+x.project.ID+"/job", `{"prompt":"fix broken links"}`)
	}, true},
	"messageAgentJob": {200, func(x tenant) ask {
		return path("/v2/agent/"+x.project.ID+"/job/"+x.agentDone.ID+"/message", `{"prompt":"and more"}`)
	}, true},
	"submitEdit": {201, func(x tenant) ask {
		return path("/v2/agent/"+x.project.ID+"/edit", `{"title":"Fix","reason":"It is wrong.","changes":[{"path":"index.mdx","old":"a","new":""}]}`)
	}, true},
	"listSourceFiles": {200, func(x tenant) ask { return path("/v2/agent/" + x.project.ID + "/files") }, true},
	"getSourceFile":   {200, func(x tenant) ask { return path("/v2/agent/" + x.project.ID + "/file?path=index.mdx") }, true},
	"redoAgentJob": {200,
		func(x tenant) ask { return path("/v2/agent/" + x.project.ID + "/job/" + x.agentDone.ID + "/redo") }, true},
	"stopAgentJob": {200,
		func(x tenant) ask { return path("/v2/agent/" + x.project.ID + "/job/" + x.agentJob.ID + "/stop") }, true},
	"archiveAgentJob": {200,
		func(x tenant) ask { return path("/v2/agent/" + x.project.ID + "/job/" + x.agentDone.ID + "/archive") }, true},
	"streamAgentJob": {200, func(x tenant) ask {
		return path("/v2/agent/" + x.project.ID + "/job/" + x.agentDone.ID + "/events")
	}, true},
	"listAgentJobs": {200, func(x tenant) ask { return path("/v2/agent/" + x.project.ID + "/jobs") }, true},
	"listProposals": {200, func(x tenant) ask { return path("/v2/agent/" + x.project.ID + "/proposals") }, true},
	"getProposal": {200, func(x tenant) ask {
		return path("/v2/agent/" + x.project.ID + "/proposal/" + x.proposal.ID)
	}, true},
	"mergeProposal": {200, func(x tenant) ask {
		return path("/v2/agent/" + x.project.ID + "/proposal/" + x.proposal.ID + "/merge")
	}, true},
	"closeProposal": {200, func(x tenant) ask {
		return path("/v2/agent/" + x.project.ID + "/proposal/" + x.second.ID + "/close")
	}, true},
	"createProposalComment": {201, func(x tenant) ask {
		return path("/v2/agent/"+x.project.ID+"/proposal/"+x.reviewed.ID+"/comments",
			`{"path":"a.mdx","line":1,"body":"Why?","commit":"`+headCommit+`"}`)
	}, true},
	"updateProposalComment": {200, func(x tenant) ask {
		return path("/v2/agent/"+x.project.ID+"/proposal/"+x.reviewed.ID+"/comments/"+x.comment.ID, `{"resolved":true}`)
	}, true},
	"applyProposalSuggestion": {200, func(x tenant) ask {
		return path("/v2/agent/" + x.project.ID + "/proposal/" + x.reviewed.ID + "/comments/" + x.comment.ID + "/apply")
	}, true},
	"sendProposalComments": {200, func(x tenant) ask {
		return path("/v2/agent/" + x.project.ID + "/proposal/" + x.reviewed.ID + "/send")
	}, true},
	"updateProposalBranch": {200, func(x tenant) ask {
		return path("/v2/agent/" + x.project.ID + "/proposal/" + x.reviewed.ID + "/update")
	}, true},
	"keepProposalFiles": {200, func(x tenant) ask {
		return path("/v2/agent/"+x.project.ID+"/proposal/"+x.reviewed.ID+"/keep",
			`{"files":["a.mdx"],"commit":"`+headCommit+`"}`)
	}, true},
	"approveProposal": {200, func(x tenant) ask {
		return path("/v2/agent/"+x.project.ID+"/proposal/"+x.reviewed.ID+"/approve", `{"commit":"`+headCommit+`"}`)
	}, true},
	"createProject": {201, func(tenant) ask {
		return path("/v1/projects", `{"name":"New","domain":"`+strings.ToLower(rand.Text())+
			`.example","source":{"repository":"https://git.example.com/a/b.git"}}`)
	}, false},
	"listProjects": {200, func(tenant) ask { return path("/v1/projects") }, false},
	"getProject":   {200, func(x tenant) ask { return path("/v1/projects/" + x.project.ID) }, true},
	"updateProject": {200, func(x tenant) ask { return path("/v1/projects/"+x.project.ID, `{"name":"Renamed"}`) },
		true},
	"deleteProject":   {204, func(x tenant) ask { return path("/v1/projects/" + x.project.ID) }, true},
	"getReaderAccess": {200, func(x tenant) ask { return path("/v1/projects/" + x.project.ID + "/reader-access") }, true},
	"setReaderAccess": {200, func(x tenant) ask {
		return path("/v1/projects/"+x.project.ID+"/reader-access", `{"mode":"jwt","jwt":{"loginUrl":"https://app.example/docs",
			"issuer":"https://app.example","keys":[{"id":"one","pem":"-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAVdwyN/nieyEOStpS6jA9gKfnWMjICmJgCyaxKpemqgg=\n-----END PUBLIC KEY-----"}]}}`)
	}, true},
	"endReaderSessions":  {204, func(x tenant) ask { return path("/v1/projects/" + x.project.ID + "/reader-sessions") }, true},
	"listProjectMembers": {200, func(x tenant) ask { return path("/v1/projects/" + x.project.ID + "/members") }, true},
	"setProjectMember": {200, func(x tenant) ask {
		return path("/v1/projects/"+x.project.ID+"/members/"+x.members[""].ID, `{"role":"editor"}`)
	}, true},
	"removeProjectMember": {204, func(x tenant) ask {
		return path("/v1/projects/" + x.project.ID + "/members/" + x.members[""].ID)
	}, true},
	"listDomains": {200, func(tenant) ask { return path("/v1/domains") }, false},
	"getDomainCertificate": {200, func(x tenant) ask {
		return path("/v1/domains/docs." + x.org.Name + ".test/certificate")
	}, true},
	"verifyDomain": {200, func(x tenant) ask { return path("/v1/domains/docs." + x.org.Name + ".test/verify") },
		true},
	"startUpdate":     {202, func(x tenant) ask { return path("/v1/project/update/" + x.project.ID) }, true},
	"getUpdateStatus": {200, func(x tenant) ask { return path("/v1/project/update-status/" + x.deployment.ID) }, true},
	"startPreview": {202,
		func(x tenant) ask { return path("/v1/project/preview/"+x.project.ID, `{"branch":"feature/x"}`) }, true},
	"receivePush": {202, func(x tenant) ask { return push(x.project, "refs/heads/main", "delivery-"+x.project.ID) },
		true},
	"searchSite": {200, func(x tenant) ask {
		return path("/discovery/v1/search/"+x.project.Domains[0], `{"query":"thruster"}`)
	}, true},
	"readSitePage": {200, func(x tenant) ask {
		return path("/discovery/v1/page/"+x.project.Domains[0], `{"path":"guides/start"}`)
	}, true},
	"askAssistantV1": {200, func(x tenant) ask {
		return path("/discovery/v1/assistant/"+x.project.Domains[0]+"/message",
			`{"fp":"anonymous","messages":[{"id":"1","role":"user","content":"How do I bolt the thruster?","parts":[]}]}`)
	}, true},
	"askAssistant": {200, func(x tenant) ask {
		return path("/discovery/v2/assistant/"+x.project.Domains[0]+"/message",
			`{"messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"How do I bolt the thruster?"}]}]}`)
	}, true},
	"listQuestions": {200, func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/assistant") }, true},
	"getThread": {200,
		func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/assistant/threads/" + x.thread) }, true},
	"countQuestions": {200,
		func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/assistant/caller-stats") }, true},
	"listDeployments": {200, func(x tenant) ask { return path("/v1/projects/" + x.project.ID + "/deployments") }, true},
	"listBlocked":     {200, func(x tenant) ask { return path("/v1/projects/" + x.project.ID + "/blocked") }, true},
	"rollBack": {200, func(x tenant) ask {
		return path("/v1/project/rollback/"+x.project.ID, `{"deploymentId":"`+x.earlier.ID+`"}`)
	}, true},
	"listAgentEntries": {200,
		func(x tenant) ask { return path("/v2/agent/" + x.project.ID + "/job/" + x.agentDone.ID + "/entries") }, true},
	"getAnalyticsSummary": {200, func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/summary") },
		true},
	"listViews": {200, func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/views") }, true},
	"listVisitors": {200, func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/visitors") },
		true},
	"listSearches": {200, func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/searches") },
		true},
	"listReferrers": {200, func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/referrers") },
		true},
	"listMissing": {200, func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/missing") }, true},
	"listTries": {200, func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/playground") },
		true},
	"listFeedback": {200, func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/feedback") },
		true},
	"listFeedbackByPage": {200,
		func(x tenant) ask { return path("/v1/analytics/" + x.project.ID + "/feedback/by-page") }, true},
	"updateFeedback": {200, func(x tenant) ask {
		return path("/v1/analytics/"+x.project.ID+"/feedback/"+x.feedback.ID, `{"status":"resolved"}`)
	}, true},
	"getOrganization":    {200, func(tenant) ask { return path("/v1/organization") }, false},
	"renameOrganization": {200, func(tenant) ask { return path("/v1/organization", `{"name":"Example"}`) }, false},
	"listMembers":        {200, func(tenant) ask { return path("/v1/members") }, false},
	"setMemberRole": {200,
		func(x tenant) ask { return path("/v1/members/"+x.members["editor"].ID, `{"role":"admin"}`) }, true},
	"removeMember": {204, func(x tenant) ask { return path("/v1/members/" + x.members[""].ID) }, true},
	"createPasswordLink": {201,
		func(x tenant) ask { return path("/v1/members/" + x.members["viewer"].ID + "/password-link") }, true},
	"createInvitation": {201, func(tenant) ask {
		return path("/v1/invitations", `{"email":"`+strings.ToLower(rand.Text())+`@example.com","role":"editor"}`)
	}, false},
	"listInvitations":  {200, func(tenant) ask { return path("/v1/invitations") }, false},
	"revokeInvitation": {204, func(x tenant) ask { return path("/v1/invitations/" + x.invitation.ID) }, true},
	"listEvents":       {200, func(tenant) ask { return path("/v1/events") }, false},
	"checkEvents":      {200, func(tenant) ask { return path("/v1/events/check") }, false},
	"exportEvents":     {200, func(tenant) ask { return path("/v1/events/export") }, false},
	"createKey": {201, func(tenant) ask {
		return path("/v1/keys", `{"label":"nightly","scopes":["read"],"expiresInDays":30,"addresses":["203.0.113.7"]}`)
	}, false},
	"listKeys":  {200, func(tenant) ask { return path("/v1/keys") }, false},
	"revokeKey": {204, func(x tenant) ask { return path("/v1/keys/" + x.spareKeyID) }, true},
	"createCredential": {201, func(tenant) ask {
		return path("/v1/credentials", `{"name":"c-`+strings.ToLower(rand.Text())+
			`","kind":"token","url":"https://git.example.com/team","user":"bot","secret":"s3cret-value"}`)
	}, false},
	"listCredentials": {200, func(tenant) ask { return path("/v1/credentials") }, false},
	"replaceCredential": {200, func(x tenant) ask {
		return path("/v1/credentials/"+x.credential.ID,
			`{"url":"https://git.example.com/other","secret":"n3w-secret-value"}`)
	}, true},
	"deleteCredential": {204, func(x tenant) ask { return path("/v1/credentials/" + x.credential.ID) }, true},
	"installWebhook":   {200, func(x tenant) ask { return path("/v1/projects/" + x.project.ID + "/webhook") }, true},
	"testCredential": {200, func(x tenant) ask {
		return path("/v1/credentials/"+x.credential.ID+"/test", `{"repository":"https://git.example.com/`+x.org.Name+`/docs"}`)
	}, true},
	"listRepositories": {200, func(x tenant) ask { return path("/v1/credentials/" + x.credential.ID + "/repositories") },
		true},
	"createWebhookEndpoint": {201, func(x tenant) ask {
		return path("/v1/webhook-endpoints",
			`{"url":"https://hooks.example.com/in","description":"Chat","events":["export.*"],"projectId":"`+x.project.ID+`"}`)
	}, true},
	"listWebhookEndpoints": {200, func(tenant) ask { return path("/v1/webhook-endpoints") }, false},
	"getWebhookEndpoint":   {200, func(x tenant) ask { return path("/v1/webhook-endpoints/" + x.endpoint.ID) }, true},
	"updateWebhookEndpoint": {200, func(x tenant) ask {
		return path("/v1/webhook-endpoints/"+x.endpoint.ID, `{"enabled":false,"events":["export.start"],"description":""}`)
	}, true},
	"rotateWebhookEndpointSecret": {200,
		func(x tenant) ask { return path("/v1/webhook-endpoints/" + x.endpoint.ID + "/secret") }, true},
	"testWebhookEndpoint": {202, func(x tenant) ask { return path("/v1/webhook-endpoints/" + x.endpoint.ID + "/test") },
		true},
	"replayWebhookDeliveries": {202, func(x tenant) ask {
		return path("/v1/webhook-endpoints/"+x.endpoint.ID+"/replay", `{"since":"2026-01-01T00:00:00Z"}`)
	}, true},
	"listWebhookDeliveries": {200,
		func(x tenant) ask { return path("/v1/webhook-endpoints/" + x.endpoint.ID + "/deliveries") }, true},
	"getWebhookDelivery": {200, func(x tenant) ask {
		return path("/v1/webhook-endpoints/" + x.endpoint.ID + "/deliveries/" + x.delivery.ID)
	}, true},
	"replayWebhookDelivery": {202, func(x tenant) ask {
		return path("/v1/webhook-endpoints/" + x.endpoint.ID + "/deliveries/" + x.delivery.ID + "/replay")
	}, true},
	"deleteWebhookEndpoint": {204, func(x tenant) ask { return path("/v1/webhook-endpoints/" + x.endpoint.ID) }, true},
	"reportLeakedKeys":      {200, func(x tenant) ask { return leak(x.foundKey) }, false},
	"getDeployment":         {200, func(tenant) ask { return path("/v1/deployment") }, false},
	"getOpenAPI":            {200, func(tenant) ask { return path("/openapi.json") }, false},
	"getHealth":             {200, func(tenant) ask { return path("/healthz") }, false},
	"getReadiness":          {200, func(tenant) ask { return path("/readyz") }, false},
}

func (x tenant) automationPath() string {
	return "/v1/projects/" + x.project.ID + "/automations/" + x.automation.ID
}

// push returns a signed webhook call from a code host.
func push(p project.Project, ref, delivery string) ask {
	body := `{"ref":"` + ref + `","before":"` + strings.Repeat("0", 39) + `1","after":"` + strings.Repeat("a", 40) +
		`","deleted":false,"repository":{"full_name":"a/docs","clone_url":"https://git.example.com/a/docs.git","html_url":"https://git.example.com/a/docs"}}`
	mac := hmac.New(sha256.New, []byte(project.HookSecret(master, p.ID, p.HookVersion)))
	mac.Write([]byte(body))
	return ask{path: "/v1/webhook/" + p.ID, body: body, header: map[string]string{
		"X-GitHub-Event": "push", "X-GitHub-Delivery": delivery,
		"X-Hub-Signature-256": "sha256=" + hex.EncodeToString(mac.Sum(nil))}}
}

// nobody returns a tenant whose ids and domains do not exist.
func nobody(w *world) tenant {
	x := tenant{spareKeyID: w.ids.New(id.Key), foundKey: account.NewSecret(rand.Reader), thread: w.ids.New(id.Thread)}
	x.org.Name = "nobody"
	x.project.ID, x.project.Domains, x.project.HookVersion = w.ids.New(id.Project), []string{"docs.nobody.example"}, 1
	x.queued.ID, x.done.ID, x.agentJob.ID, x.deployment.ID = w.ids.New(id.Export), w.ids.New(id.Export),
		w.ids.New(id.AgentJob), w.ids.New(id.Deployment)
	x.agentDone.ID, x.proposal.ID, x.second.ID = w.ids.New(id.AgentJob), w.ids.New(id.Proposal), w.ids.New(id.Proposal)
	x.reviewed.ID, x.comment.ID = w.ids.New(id.Proposal), w.ids.New(id.Comment)
	x.feedback.ID, x.credential.ID = w.ids.New(id.Feedback), w.ids.New(id.Credential)
	x.automation.ID, x.product.ID, x.receipt = w.ids.New(id.Automation), w.ids.New(id.Product), w.ids.New(id.Receipt)
	x.endpoint.ID, x.delivery.ID = w.ids.New(id.Endpoint), w.ids.New(id.Delivery)
	x.earlier.ID, x.invitation.ID, x.members = w.ids.New(id.Deployment), w.ids.New(id.Invitation),
		map[account.Role]account.Member{}
	for _, role := range append(account.Roles(), "") {
		x.members[role] = account.Member{ID: w.ids.New(id.Member)}
	}
	return x
}
