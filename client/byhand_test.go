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

	"github.com/lectern-docs/lectern/client"
)

const (
	key        = "lectern_CanaryCanaryCanaryCanaryCanaryCa123456"
	job        = `{"jobId":"se_1","status":"completed","progress":100,"pageCount":3,"createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:06Z","domain":"docs.example.com","version":"v1","error":null,"errorCode":null,"stage":"done","message":"The bundles are ready.","pageTotal":3,"pagesPerSecond":null,"secondsLeft":0,"diagnostics":[{"file":"a.mdx","line":1,"column":2,"severity":"warning","code":"c","message":"m","hint":""}],"reusedFrom":"se_0","bundleExpiredAt":"2026-02-02T03:04:06Z","joined":false,"groups":[]}`
	project    = `{"projectId":"prj_1","name":"Docs","domain":"a.example","domains":["a.example"],"domainStates":[{"domain":"a.example","state":"held","projectId":"prj_1","proof":"dns","provenAt":"2026-01-02T03:04:05Z","reservedUntil":null,"challenge":null}],"source":{"path":null,"repository":"https://h/r","branch":"main","credential":null},"sourceKind":"repository","docsFolder":"","pullRequestPreviews":"all","createdAt":"2026-01-02T03:04:05Z","updatedAt":"2026-01-02T03:04:05Z","live":{"deploymentId":"dep_1","commit":null,"publishedAt":"2026-01-02T03:04:05Z"},"lastUpdate":{"statusId":"dep_1","status":"success"},"url":"https://a.example","webhook":{"url":"https://h/v1/webhook/prj_1","installation":null},"webhookSecret":null}`
	agentJob   = `{"id":"aj_1","status":"archived","source":{"repository":"https://h/r","ref":"lectern/x"},"model":"m","prLink":"https://h/pr/1","createdAt":"2026-01-02T03:04:05Z","archivedAt":"2026-01-02T03:04:05Z","baseBranch":"main","title":"t","summary":"s","error":"e","pullRequest":{"number":1,"state":"open"},"usage":{"steps":1,"inputTokens":2,"outputTokens":3,"costUsd":0.5},"updatedAt":"2026-01-02T03:04:05Z"}`
	agentEntry = `{"sequence":1,"round":1,"kind":"answer","code":"c","author":"key_1","authorName":"n","text":"t","calls":[{"id":"1","name":"read","input":{"path":"a"}}],"results":[{"callId":"1","text":"r","failed":true}],"usage":{"steps":1,"inputTokens":2,"outputTokens":3,"costUsd":0.5},"at":"2026-01-02T03:04:05Z"}`
)

// operation is one call of the client: the expected request and the response.
type operation struct {
	id     string // operationId
	path   string // with ids filled in, and the query
	status int
	answer string
	call   func(ctx context.Context, c *client.Client) (any, error)
}

func ptr[T any](v T) *T { return &v }

// byHand returns the operations whose method, or one of whose request types, is written by hand.
func byHand() []operation {
	return []operation{
		{"streamStaticExportJob", "/v1/static-export/jobs/se_1/events", 200, "event: progress\ndata: " + job + "\n\n",
			func(ctx context.Context, c *client.Client) (any, error) {
				var last client.ExportJob
				err := c.StreamExport(ctx, "se_1", func(j client.ExportJob) error { last = j; return nil })
				return &last, err
			}},
		{"streamAgentJob", "/v2/agent/prj_1/job/aj_1/events", 200, "id: 1\nevent: entry\ndata: " + agentEntry +
			"\n\nevent: job\ndata: " + agentJob + "\n\nevent: end\ndata: " + agentJob + "\n\n",
			func(ctx context.Context, c *client.Client) (any, error) {
				var last client.AgentEntry
				err := c.StreamAgentJob(ctx, "prj_1", "aj_1", 0,
					client.AgentEvents{Entry: func(e client.AgentEntry) error { last = e; return nil }})
				return &last, err
			}},
		{"createProject", "/v1/projects", 201, project, func(ctx context.Context, c *client.Client) (any, error) {
			return c.CreateProject(ctx,
				client.CreateProject{Name: "Docs", Domain: "a.example",
					Source:     client.SourceInput{Repository: "https://h/r", Branch: "main", Credential: "bot"},
					DocsFolder: "docs"})
		}},
		{"updateProject", "/v1/projects/prj_1", 200, project, func(ctx context.Context, c *client.Client) (any, error) {
			return c.UpdateProject(ctx, "prj_1", client.UpdateProject{Name: ptr("n"), Domains: []string{"b.example"},
				Source: &client.SourceInput{Path: "/docs"}, DocsFolder: ptr(""), RotateWebhookSecret: true})
		}},
		{"receivePush", "/v1/webhook/prj_1", 202, `{"accepted":true,"statusId":"dep_1","reason":null}`,
			func(ctx context.Context, c *client.Client) (any, error) {
				return c.SendPush(ctx, "prj_1",
					client.Push{Secret: "s", Delivery: "1", Event: map[string]string{"ref": "refs/heads/main"}})
			}},
		{"reportLeakedKeys", "/v1/leaked-keys", 200, `[{"token_hash":"` + strings.Repeat("a", 64) +
			`","token_type":"t","label":"true_positive"}]`, func(ctx context.Context, c *client.Client) (any, error) {
			by, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			if err != nil {
				return nil, err
			}
			return c.ReportLeakedKeys(ctx, "scanner-1", by,
				[]client.LeakedKey{{Token: "t", Type: "t", URL: "https://code.example/a", Source: "content"}})
		}},
	}
}

// A1: the client's handwritten methods and types send and decode what the description declares.
func TestHandwrittenCodeMatchesDescription(t *testing.T) {
	d := newDescription(t)
	all := d.operations()
	for _, op := range slices.Concat(byHand(), assistantOperations()) {
		t.Run(op.id, func(t *testing.T) {
			at := all[op.id]
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
			if got.Method != at.method || got.RequestURI != "/base"+op.path {
				t.Errorf("called %s %s, want %s %s", got.Method, got.RequestURI, at.method, op.path)
			}
			if (got.Header.Get("Authorization") == "Bearer "+key) == at.keyless {
				t.Errorf("Authorization is %q", got.Header.Get("Authorization"))
			}
			if len(sent) > 0 {
				d.check(t, "request", sent, "paths", at.path, strings.ToLower(at.method), "requestBody", "content",
					"application/json", "schema")
			}
			checkAnswer(t, d, op, at, answer)
		})
	}
}

// checkAnswer checks that the sample is a described response, and that decoding and encoding it with the Go types
// loses nothing.
func checkAnswer(t *testing.T, d description, op operation, at described, answer any) {
	t.Helper()
	again, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	sample := []byte(op.answer)
	place := []string{"paths", at.path, strings.ToLower(at.method), "responses", strconv.Itoa(op.status), "content",
		"application/json", "schema"}
	switch op.id {
	case "streamStaticExportJob":
		sample, place = []byte(job), []string{"components", "schemas", "ExportJob"}
	case "streamAgentJob":
		sample, place = []byte(agentEntry), []string{"components", "schemas", "AgentEntry"}
	case "askAssistant", "askAssistantV1":
		sample, place = []byte(assistantPart), []string{"components", "schemas", "AssistantPart"}
	}
	d.check(t, "sample", sample, append([]string(nil), place...)...)
	d.check(t, "what the client understood", again, append([]string(nil), place...)...)
	var want, have any
	if json.Unmarshal(sample, &want) != nil || json.Unmarshal(again, &have) != nil || !equalJSON(want, have) {
		t.Errorf("decoding lost something:\nresponse %s\ndecoded  %s", sample, again)
	}
}

func equalJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
