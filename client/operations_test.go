package client_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/lectern-docs/lectern/api"
	"github.com/lectern-docs/lectern/client"
)

const (
	pending = `{"domain":"a.example","state":"pending","projectId":"prj_1","proof":null,"provenAt":null,"reservedUntil":null,"challenge":{"dns":{"name":"_lectern-challenge.a.example","type":"TXT","value":"v"},"file":{"url":"http://a.example/.well-known/lectern-challenge/x","content":"v"}}}`

	key     = "lectern_CanaryCanaryCanaryCanaryCanaryCa123456"
	job     = `{"jobId":"se_1","status":"completed","progress":100,"pageCount":3,"createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:06Z","domain":"docs.example.com","version":"v1","error":null,"errorCode":null,"stage":"done","message":"The bundles are ready.","pageTotal":3,"pagesPerSecond":null,"secondsLeft":0,"diagnostics":[{"file":"a.mdx","line":1,"column":2,"severity":"warning","code":"c","message":"m","hint":""}],"reusedFrom":"se_0","bundleExpiredAt":"2026-02-02T03:04:06Z","joined":false}`
	link    = `{"jobId":"se_1","bundleUrl":"https://h/b?sig=1","expiresAt":"2026-01-02T03:04:05Z","sizeBytes":3,"sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","version":null,"format":"zip"}`
	project = `{"projectId":"prj_1","name":"Docs","domain":"a.example","domains":["a.example"],"domainStates":[{"domain":"a.example","state":"held","projectId":"prj_1","proof":"dns","provenAt":"2026-01-02T03:04:05Z","reservedUntil":null,"challenge":null}],"source":{"path":null,"repository":"https://h/r","branch":"main","credential":null},"sourceKind":"repository","docsFolder":"","createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:05Z","live":{"deploymentId":"dep_1","commit":null,"publishedAt":"2026-01-02T03:04:05Z"},"lastUpdate":{"statusId":"dep_1","status":"success"},"url":"https://a.example","webhook":{"url":"https://h/v1/webhook/prj_1"},"webhookSecret":null}`
	status  = `{"_id":"dep_1","statusId":"dep_1","projectId":"prj_1","kind":"preview","branch":"b","status":"failure","summary":"e","commit":{"sha":"c0ffee","ref":"b"},"author":null,"trigger":"api","source":"api","subdomain":"a.example","live":false,"createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:05Z","endedAt":"2026-01-02T03:04:05Z","pageCount":0,"logs":["m"],"logLines":[{"at":"2026-01-02T03:04:05Z","message":"m"}],"diagnostics":[{"file":"a.mdx","line":1,"column":2,"severity":"error","code":"c","message":"m","hint":""}],"error":"e","url":null}`

	credentialBody = `"credentialId":"crd_1","name":"docs","kind":"token","url":"https://git.example.com","createdAt":"2026-01-02T03:04:05Z","createdBy":"key_1","updatedAt":"2026-01-02T03:04:05Z","lastUsedAt":null`

	keyBody = `"keyId":"key_1","label":"l","prefix":"lectern_Cana","scopes":["read"],"addresses":["10.0.0.0/8"],"createdAt":"2026-01-02T03:04:05Z","createdBy":null,"expiresAt":null,"lastUsedAt":"2026-01-02T03:04:05Z","revokedAt":null`

	agentJob     = `{"id":"aj_1","status":"archived","source":{"repository":"https://h/r","ref":"lectern/x"},"model":"m","prLink":"https://h/pr/1","createdAt":"2026-01-02T03:04:05Z","archivedAt":"2026-01-02T03:04:05Z","baseBranch":"main","title":"t","summary":"s","error":"e","pullRequest":{"number":1,"state":"open"},"usage":{"steps":1,"inputTokens":2,"outputTokens":3,"costUsd":0.5},"updatedAt":"2026-01-02T03:04:05Z"}`
	agentEntry   = `{"sequence":1,"round":1,"kind":"answer","code":"c","author":"key_1","authorName":"n","text":"t","calls":[{"id":"1","name":"read","input":{"path":"a"}}],"results":[{"callId":"1","text":"r","failed":true}],"usage":{"steps":1,"inputTokens":2,"outputTokens":3,"costUsd":0.5},"at":"2026-01-02T03:04:05Z"}`
	agentSession = `{"sessionId":"aj_1","subdomain":"a.example","branch":"lectern/x","haulted":true,"haultReason":"completed","pullRequestLink":"https://h/pr/1","messageToUser":"s","todos":[],"title":"t","createdAt":"2026-01-02T03:04:05Z"}`
	proposal     = `"id":"pp_1","number":1,"state":"merged","draft":true,"title":"t","body":"b","head":"lectern/x","base":"main","mergeCommit":"c","decidedBy":"key_1","link":"https://h/p","previewUrl":"https://p.example","jobId":"aj_1","createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:05Z"`

	traffic     = `"human":3,"ai":2,"total":5,"searchIndex":1,"training":1,"otherAi":0`
	figures     = `"views":{` + traffic + `},"visitors":{` + traffic + `},"searches":1,"noResults":2,"clicks":3,"missing":4,"asks":5,"tries":6,"copies":7,"feedback":8`
	pageTraffic = `{"path":"/a",` + traffic + `}`
	feedback    = `{"id":"fb_1","path":"/a","source":"code_snippet","status":"resolved","helpful":false,"comment":"c","contact":"a@example.com","code":"x","filename":"f","lang":"go","note":"n","createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:05Z"}`

	feature = `{"state":"available","enabled":true,"reason":"r"}`
)

// operation is one call of the client: what it must send and what it is answered.
type operation struct {
	id     string // operationId
	path   string // with ids filled in, and the query
	status int
	answer string
	call   func(ctx context.Context, c *client.Client) (any, error) // nil when there is nothing to answer
}

func ptr[T any](v T) *T { return &v }

func allOperations() []operation {
	page, rows := client.Page{Limit: 5, Cursor: "a b"}, client.Rows{Limit: 5, Offset: 10}
	week := client.Days{From: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), To: time.Date(2026, 1, 9, 0, 0, 0, 0, time.UTC)}
	return []operation{
		{"startStaticExportJob", "/v1/static-export/jobs", 202, job, func(ctx context.Context, c *client.Client) (any, error) {
			return c.StartExport(ctx, client.StartExport{Domain: "docs.example.com", Version: "v1", Paths: []string{"a"}}, client.WithIdempotencyKey("once"), client.WithRequestID("mine"))
		}},
		{"listStaticExportJobs", "/v1/static-export/jobs?cursor=a+b&limit=5&status=completed", 200, `{"jobs":[` + job + `],"nextCursor":"n"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListExports(ctx, page, client.ExportStatusCompleted)
		}},
		{"getStaticExportJob", "/v1/static-export/jobs/se_1", 200, job, func(ctx context.Context, c *client.Client) (any, error) { return c.GetExport(ctx, "se_1") }},
		{"generateStaticExportBundle", "/v1/static-export/jobs/se_1/bundle?format=zip", 200, link, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CreateExportBundle(ctx, "se_1", client.BundleFormatZip)
		}},
		{"cancelStaticExportJob", "/v1/static-export/jobs/se_1/cancel", 200, job, func(ctx context.Context, c *client.Client) (any, error) { return c.CancelExport(ctx, "se_1") }},
		{"streamStaticExportJob", "/v1/static-export/jobs/se_1/events", 200, "event: progress\ndata: " + job + "\n\n", func(ctx context.Context, c *client.Client) (any, error) {
			var last client.ExportJob
			err := c.StreamExport(ctx, "se_1", func(j client.ExportJob) error { last = j; return nil })
			return &last, err
		}},
		{"getAnalyticsSummary", "/v1/analytics/prj_1/summary?dateFrom=2026-01-02&dateTo=2026-01-09", 200, `{"dateFrom":"2026-01-02","dateTo":"2026-01-09","totals":{` + figures + `},"days":[{"date":"2026-01-02",` + figures + `}]}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.GetAnalyticsSummary(ctx, "prj_1", week)
		}},
		{"listViews", "/v1/analytics/prj_1/views?dateFrom=2026-01-02&dateTo=2026-01-09&limit=5&offset=10", 200, `{"totals":{` + traffic + `},"views":[` + pageTraffic + `],"hasMore":true}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListViews(ctx, "prj_1", week, rows)
		}},
		{"listVisitors", "/v1/analytics/prj_1/visitors?limit=5&offset=10", 200, `{"totals":{` + traffic + `},"visitors":[` + pageTraffic + `],"hasMore":true}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListVisitors(ctx, "prj_1", client.Days{}, rows)
		}},
		{"listSearches", "/v1/analytics/prj_1/searches?cursor=a+b&limit=5", 200, `{"searches":[{"searchQuery":"q","hits":4,"ctr":0.5,"topClickedPage":"/a","lastSearchedAt":"2026-01-02T03:04:05Z","results":7,"noResults":1,"clicks":2}],"totalSearches":4,"nextCursor":"n"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListSearches(ctx, "prj_1", client.Days{}, page)
		}},
		{"listReferrers", "/v1/analytics/prj_1/referrers?limit=5&offset=10", 200, `{"referrers":[{"referrer":"h.example","visits":3}],"total":3,"hasMore":true}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListReferrers(ctx, "prj_1", client.Days{}, rows)
		}},
		{"listMissing", "/v1/analytics/prj_1/missing?limit=5&offset=10", 200, `{"missing":[{"path":"/gone","referrer":"h.example","hits":3,"lastSeenAt":"2026-01-02T03:04:05Z"}],"total":3,"hasMore":true}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListMissing(ctx, "prj_1", client.Days{}, rows)
		}},
		{"listTries", "/v1/analytics/prj_1/playground?limit=5&offset=10", 200, `{"operations":[{"operation":"GET /a","tries":3,"succeeded":1,"refused":1,"failed":1,"lastTriedAt":"2026-01-02T03:04:05Z"}],"total":3,"hasMore":true}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListTries(ctx, "prj_1", client.Days{}, rows)
		}},
		{"listFeedback", "/v1/analytics/prj_1/feedback?cursor=a+b&limit=5&source=code_snippet&status=pending%2Cresolved", 200, `{"feedback":[` + feedback + `],"nextCursor":"n","hasMore":true}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListFeedback(ctx, "prj_1", client.FeedbackFilter{Source: client.FeedbackCode, Status: []string{client.FeedbackPending, client.FeedbackResolved}}, page)
		}},
		{"listFeedbackByPage", "/v1/analytics/prj_1/feedback/by-page?limit=5", 200, `{"feedback":[{"path":"/a","thumbsUp":1,"thumbsDown":2,"code":3,"total":6}],"hasMore":true}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListFeedbackByPage(ctx, "prj_1", client.FeedbackFilter{}, 5)
		}},
		{"updateFeedback", "/v1/analytics/prj_1/feedback/fb_1", 200, feedback, func(ctx context.Context, c *client.Client) (any, error) {
			return c.UpdateFeedback(ctx, "prj_1", "fb_1", client.UpdateFeedback{Status: client.FeedbackResolved, Note: ptr("n")})
		}},
		{"searchSite", "/discovery/v1/search/docs.example.com", 200, `[{"content":"text","path":"guides/start","metadata":{"title":"Start","heading":"Install","anchor":"install","crumbs":["Guides"],"url":"https://docs.example.com/guides/start#install","score":1}}]`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.SearchSite(ctx, "docs.example.com", client.SearchSite{Query: "q", PageSize: 5, ScoreThreshold: 0.5, Filter: client.SearchFilter{Version: "v1", Language: "en", Tag: "t", Groups: []string{"g"}}})
		}},
		{"readSitePage", "/discovery/v1/page/docs.example.com", 200, `{"path":"guides/start","content":"# Start"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ReadSitePage(ctx, "docs.example.com", "guides/start")
		}},
		{"createAgentJob", "/v2/agent/prj_1/job", 201, agentJob, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CreateAgentJob(ctx, "prj_1", client.CreateAgentJob{Prompt: "fix broken links", Branch: "main", Model: "m", AsDraft: true}, client.WithIdempotencyKey("once"))
		}},
		{"getAgentJob", "/v2/agent/prj_1/job/aj_1", 200, agentJob, func(ctx context.Context, c *client.Client) (any, error) {
			return c.GetAgentJob(ctx, "prj_1", "aj_1")
		}},
		{"messageAgentJob", "/v2/agent/prj_1/job/aj_1/message", 200, agentJob, func(ctx context.Context, c *client.Client) (any, error) {
			return c.MessageAgentJob(ctx, "prj_1", "aj_1", "more", client.WithIdempotencyKey("once"))
		}},
		{"archiveAgentJob", "/v2/agent/prj_1/job/aj_1/archive", 200, agentJob, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ArchiveAgentJob(ctx, "prj_1", "aj_1")
		}},
		{"listAgentJobs", "/v2/agent/prj_1/jobs?cursor=a+b&limit=5&status=archived", 200, `{"jobs":[` + agentJob + `],"nextCursor":"n"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListAgentJobs(ctx, "prj_1", page, client.AgentJobStatusArchived)
		}},
		{"streamAgentJob", "/v2/agent/prj_1/job/aj_1/events", 200, "id: 1\nevent: entry\ndata: " + agentEntry + "\n\nevent: job\ndata: " + agentJob + "\n\nevent: end\ndata: " + agentJob + "\n\n", func(ctx context.Context, c *client.Client) (any, error) {
			var last client.AgentEntry
			err := c.StreamAgentJob(ctx, "prj_1", "aj_1", 0, client.AgentEvents{Entry: func(e client.AgentEntry) error { last = e; return nil }})
			return &last, err
		}},
		{"createAgentJobV1", "/v1/agent/prj_1/job", 200, agentSession, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CreateAgentJobV1(ctx, "prj_1", client.CreateAgentSession{Messages: []client.AgentMessage{{Role: "user", Content: "fix broken links"}},
				Branch: "main", AsDraft: true, Model: "opus"}, client.WithIdempotencyKey("once"))
		}},
		{"getAgentJobV1", "/v1/agent/prj_1/job/aj_1", 200, agentSession, func(ctx context.Context, c *client.Client) (any, error) {
			return c.GetAgentJobV1(ctx, "prj_1", "aj_1")
		}},
		{"listAgentJobsV1", "/v1/agent/prj_1/jobs?skip=5&take=10", 200, `{"allSessions":[` + agentSession + `]}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListAgentJobsV1(ctx, "prj_1", 5, 10)
		}},
		{"triggerWorkflow", "/v1/workflow/prj_1/fix-links/trigger", 202, `{"schemaId":"fix-links","instanceId":"aj_1","jobId":"aj_1"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.TriggerWorkflow(ctx, "prj_1", "fix-links", client.WithIdempotencyKey("once"))
		}},
		{"listProposals", "/v2/agent/prj_1/proposals?cursor=a+b&limit=5", 200, `{"proposals":[{` + proposal + `}],"nextCursor":null}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListProposals(ctx, "prj_1", page)
		}},
		{"getProposal", "/v2/agent/prj_1/proposal/pp_1", 200, `{` + proposal + `,"files":[{"path":"a.mdx","change":"changed","binary":false,"added":1,"removed":2}],"patch":"p"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.GetProposal(ctx, "prj_1", "pp_1")
		}},
		{"mergeProposal", "/v2/agent/prj_1/proposal/pp_1/merge", 200, `{` + proposal + `}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.MergeProposal(ctx, "prj_1", "pp_1")
		}},
		{"closeProposal", "/v2/agent/prj_1/proposal/pp_1/close", 200, `{` + proposal + `}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CloseProposal(ctx, "prj_1", "pp_1")
		}},
		{"createProject", "/v1/projects", 201, project, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CreateProject(ctx, client.CreateProject{Name: "Docs", Domain: "a.example", Source: client.SourceInput{Repository: "https://h/r", Branch: "main", Credential: "bot"}, DocsFolder: "docs"})
		}},
		{"listProjects", "/v1/projects", 200, `{"projects":[` + project + `],"nextCursor":null}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListProjects(ctx, client.Page{})
		}},
		{"listDomains", "/v1/domains?cursor=a+b&limit=5", 200, `{"domains":[` + pending + `,{"domain":"b.example","state":"reserved","projectId":null,"proof":"operator","provenAt":null,"reservedUntil":"2026-01-02T03:04:05Z","challenge":null}],"nextCursor":"n"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ListDomains(ctx, page)
		}},
		{"verifyDomain", "/v1/domains/a.example/verify", 200, pending, func(ctx context.Context, c *client.Client) (any, error) { return c.VerifyDomain(ctx, "a.example") }},
		{"getProject", "/v1/projects/prj_1", 200, project, func(ctx context.Context, c *client.Client) (any, error) { return c.GetProject(ctx, "prj_1") }},
		{"updateProject", "/v1/projects/prj_1", 200, project, func(ctx context.Context, c *client.Client) (any, error) {
			return c.UpdateProject(ctx, "prj_1", client.UpdateProject{Name: ptr("n"), Domains: []string{"b.example"}, Source: &client.SourceInput{Path: "/docs"}, DocsFolder: ptr(""), RotateWebhookSecret: true})
		}},
		{"deleteProject", "/v1/projects/prj_1", 204, "", func(ctx context.Context, c *client.Client) (any, error) { return nil, c.DeleteProject(ctx, "prj_1") }},
		{"startUpdate", "/v1/project/update/prj_1", 202, `{"statusId":"dep_1"}`, func(ctx context.Context, c *client.Client) (any, error) { return c.ConfirmUpdate(ctx, "prj_1") }},
		{"startUpdate", "/v1/project/update/prj_1", 202, `{"statusId":"dep_1"}`, func(ctx context.Context, c *client.Client) (any, error) { return c.StartUpdate(ctx, "prj_1") }},
		{"getUpdateStatus", "/v1/project/update-status/dep_1", 200, status, func(ctx context.Context, c *client.Client) (any, error) { return c.GetUpdateStatus(ctx, "dep_1") }},
		{"startPreview", "/v1/project/preview/prj_1", 202, `{"statusId":"dep_1","previewUrl":"http://p.example"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.StartPreview(ctx, "prj_1", "feature")
		}},
		{"createKey", "/v1/keys", 201, `{` + keyBody + `,"key":"` + key + `"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CreateKey(ctx, client.CreateKey{Label: "l", Scopes: []string{"read"}, ExpiresInDays: 30, Addresses: []string{"10.0.0.0/8"}})
		}},
		{"listKeys", "/v1/keys?cursor=a+b&limit=5", 200, `{"keys":[{` + keyBody + `}],"nextCursor":null}`, func(ctx context.Context, c *client.Client) (any, error) { return c.ListKeys(ctx, page) }},
		{"revokeKey", "/v1/keys/key_1?children=true", 204, "", func(ctx context.Context, c *client.Client) (any, error) { return nil, c.RevokeKeyFamily(ctx, "key_1") }},
		{"revokeKey", "/v1/keys/key_1", 204, "", func(ctx context.Context, c *client.Client) (any, error) { return nil, c.RevokeKey(ctx, "key_1") }},
		{"createCredential", "/v1/credentials", 201, `{` + credentialBody + `}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CreateCredential(ctx, client.CreateCredential{Name: "docs", Kind: "token", URL: "https://git.example.com", User: "bot", AppID: "1", Secret: "s"})
		}},
		{"listCredentials", "/v1/credentials", 200, `{"credentials":[{` + credentialBody + `}]}`, func(ctx context.Context, c *client.Client) (any, error) { return c.ListCredentials(ctx) }},
		{"replaceCredential", "/v1/credentials/crd_1", 200, `{` + credentialBody + `}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.ReplaceCredential(ctx, "crd_1", client.ReplaceCredential{URL: "https://git.example.com", User: "bot", AppID: "1", Secret: "s"})
		}},
		{"deleteCredential", "/v1/credentials/crd_1", 204, "", func(ctx context.Context, c *client.Client) (any, error) { return nil, c.DeleteCredential(ctx, "crd_1") }},
		{"getDeployment", "/v1/deployment", 200, `{"type":"air-gapped","features":{"search":` + feature + `,"assistant":` + feature + `,"analytics":` + feature + `,"playground":` + feature + `,"staticExport":` + feature + `},"version":"1"}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.GetDeployment(ctx)
		}},
		{"receivePush", "/v1/webhook/prj_1", 202, `{"accepted":true,"statusId":"dep_1","reason":null}`, func(ctx context.Context, c *client.Client) (any, error) {
			return c.SendPush(ctx, "prj_1", client.Push{Secret: "s", Delivery: "1", Event: map[string]string{"ref": "refs/heads/main"}})
		}},
		{"reportLeakedKeys", "/v1/leaked-keys", 200, `[{"token_hash":"` + strings.Repeat("a", 64) + `","token_type":"t","label":"true_positive"}]`, func(ctx context.Context, c *client.Client) (any, error) {
			by, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			if err != nil {
				return nil, err
			}
			return c.ReportLeakedKeys(ctx, "scanner-1", by, []client.LeakedKey{{Token: "t", Type: "t", URL: "https://code.example/a", Source: "content"}})
		}},
		{"getOpenAPI", "/openapi.json", 200, `{"openapi":"3.1.0"}`, func(ctx context.Context, c *client.Client) (any, error) { return c.GetOpenAPI(ctx) }},
		{"getHealth", "/healthz", 200, `{"status":"ok"}`, func(ctx context.Context, c *client.Client) (any, error) { return c.GetHealth(ctx) }},
		{"getReadiness", "/readyz", 200, `{"status":"ready"}`, func(ctx context.Context, c *client.Client) (any, error) { return c.GetReadiness(ctx) }},
	}
}

// description is the API's description, with its schemas ready for use.
type description struct {
	doc      any
	compiler *jsonschema.Compiler
}

func newDescription(t *testing.T) description {
	t.Helper()
	data, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return description{doc, compiler}
}

// operations lists method and path template by operationId.
func (d description) operations() map[string][2]string {
	out := map[string][2]string{}
	for path, item := range d.doc.(map[string]any)["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			if o, ok := op.(map[string]any); ok {
				out[o["operationId"].(string)] = [2]string{strings.ToUpper(method), path}
			}
		}
	}
	return out
}

// check validates a body against the schema at a place of the description.
func (d description) check(t *testing.T, what string, body []byte, place ...string) {
	t.Helper()
	for i, p := range place {
		place[i] = strings.NewReplacer("~", "~0", "/", "~1").Replace(p)
	}
	pointer := strings.NewReplacer("{", "%7B", "}", "%7D").Replace(strings.Join(place, "/"))
	schema, err := d.compiler.Compile("openapi.json#/" + pointer)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", what, err, body)
	}
}

// A1: every operation of the description has a client method; what the client sends, receives and decodes is what the
// description says, field by field.
func TestTheClientSpeaksTheDescribedAPI(t *testing.T) {
	d := newDescription(t)
	described := d.operations()
	seen := map[string]bool{}
	for _, op := range slices.Concat(allOperations(), organizationOperations(), assistantOperations()) {
		t.Run(op.id, func(t *testing.T) {
			seen[op.id] = true
			at, ok := described[op.id]
			if !ok {
				t.Fatal("there is no such operation")
			}
			var got *http.Request
			var sent []byte
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r
				sent, _ = io.ReadAll(r.Body)
				w.WriteHeader(op.status)
				io.WriteString(w, op.answer)
			}))
			defer server.Close()
			c, err := client.New(server.URL+"/base/", key)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := op.call(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if got.Method != at[0] || got.RequestURI != "/base"+op.path || !matches(at[1], strings.Split(op.path, "?")[0]) {
				t.Errorf("called %s %s, want %s %s (%s)", got.Method, got.RequestURI, at[0], op.path, at[1])
			}
			if want := "Bearer " + key; (op.id == "receivePush" || op.id == "reportLeakedKeys") == (got.Header.Get("Authorization") == want) {
				t.Errorf("Authorization is %q", got.Header.Get("Authorization"))
			}
			if len(sent) > 0 {
				if got.Header.Get("Content-Type") != "application/json" {
					t.Errorf("Content-Type is %q", got.Header.Get("Content-Type"))
				}
				d.check(t, "request", sent, "paths", at[1], strings.ToLower(at[0]), "requestBody", "content", "application/json", "schema")
			}
			checkAnswer(t, d, op, at, answer)
		})
	}
	for id := range described {
		if !seen[id] {
			t.Errorf("the client lacks %s", id)
		}
	}
}

// checkAnswer makes sure that the sample is a described answer, and that nothing of it is lost on its way through Go types.
func checkAnswer(t *testing.T, d description, op operation, at [2]string, answer any) {
	t.Helper()
	if op.answer == "" {
		return
	}
	again, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	sample := []byte(op.answer)
	place := []string{"paths", at[1], strings.ToLower(at[0]), "responses", strconv.Itoa(op.status), "content", "application/json", "schema"}
	switch op.id {
	case "streamStaticExportJob":
		sample, place = []byte(job), []string{"components", "schemas", "ExportJob"}
	case "streamAgentJob":
		sample, place = []byte(agentEntry), []string{"components", "schemas", "AgentEntry"}
	case "askAssistant", "askAssistantV1":
		sample, place = []byte(assistantPart), []string{"components", "schemas", "AssistantPart"}
	case "exportEvents":
		place = []string{"components", "schemas", "EventLine"}
	}
	d.check(t, "sample", sample, append([]string(nil), place...)...)
	d.check(t, "what the client understood", again, append([]string(nil), place...)...)
	var want, have any
	if json.Unmarshal(sample, &want) != nil || json.Unmarshal(again, &have) != nil || !equalJSON(want, have) {
		t.Errorf("something was lost:\nanswered   %s\nunderstood %s", sample, again)
	}
}

func equalJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

func matches(template, path string) bool {
	a, b := strings.Split(template, "/"), strings.Split(path, "/")
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !strings.HasPrefix(a[i], "{") {
			return false
		}
	}
	return true
}
