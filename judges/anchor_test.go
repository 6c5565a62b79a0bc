package judges

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// anchor is the folder with the published descriptions of the third-party API with which ours is compatible. They are
// not part of this repository.
var anchor = flag.String("anchor", "",
	"folder with the OpenAPI descriptions of the API that we follow; empty = its clients are not judged")

// anchorFiles maps the descriptions in that folder to the base paths on our server. index-openapi.json describes
// another product, a search over many sites, which we do not offer.
var anchorFiles = map[string]string{"admin-openapi.json": "", "analytics.openapi.json": "",
	"discovery-openapi.json": "/discovery",
	"openapi.json":           "/v1", "static-export-openapi.json": "/v1"}

// TestClientsOfCompatibleAPIWork calls every operation in these descriptions through Prism, as one of that API's
// clients would with our base URL and key.
func TestClientsOfCompatibleAPIWork(t *testing.T) {
	t.Parallel()
	const surface = "clients of the API that we follow"
	if *anchor == "" {
		results.add(verdict{surface, npmVersion(t, "@stoplight/prism-cli"), "not run: no folder given with -anchor"})
		return
	}
	note := judged(t, surface, npmVersion(t, "@stoplight/prism-cli"))
	found, err := filepath.Glob(filepath.Join(*anchor, "*openapi.json"))
	if err != nil {
		t.Fatalf("list the descriptions in %s: %v", *anchor, err)
	}
	if len(found) != len(anchorFiles)+1 {
		t.Fatalf("%s has %d descriptions, want %d", *anchor, len(found), len(anchorFiles)+1)
	}
	a := &anchorClient{t: t, server: serve(t, "--features-assistant", "local"), proxies: map[string]string{},
		called: map[string][]described{}}
	for name, below := range anchorFiles {
		a.proxies[name] = prism(t, anchorDescription(t, filepath.Join(*anchor, name)), a.server.url+below)
	}
	a.project = tour(t, a.server)
	a.agents()
	a.publishing()
	a.exports()
	a.discovery()
	a.analytics()
	calls := 0
	for name := range anchorFiles {
		for _, o := range operationsOf(t, filepath.Join(*anchor, name)) {
			if !slices.ContainsFunc(a.called[name],
				func(c described) bool { return c.method == o.method && fits(o.path, c.path) }) {
				t.Errorf("%s: %s %s was not called", name, o.method, o.path)
			}
		}
		calls += len(a.called[name])
	}
	*note = jsonText(t, calls) + " calls"
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// anchorDescription returns a copy of a description without those of its mistakes that would hide ours: it describes
// the assistant's two responses as JSON, although the documentation of each operation says that they are streams of the
// AI SDK.
func anchorDescription(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for at, item := range doc["paths"].(map[string]any) {
		if kind := map[string]string{"/v1/assistant/{domain}/message": "text/plain",
			"/v2/assistant/{domain}/message": "text/event-stream"}[at]; kind != "" {
			ok := item.(map[string]any)["post"].(map[string]any)["responses"].(map[string]any)["200"].(map[string]any)
			ok["content"] = map[string]any{kind: map[string]any{"schema": map[string]any{"type": "string"}}}
		}
	}
	out := filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(out, []byte(jsonText(t, doc)), 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}

// anchorClient calls a server in the same way as that API's clients.
type anchorClient struct {
	t       *testing.T
	server  server
	project client.Project
	proxies map[string]string
	called  map[string][]described
}

// call sends a request through the Prism proxy of a description, checks the status and decodes the response into out
// unless out is nil.
func (a *anchorClient) call(file, method, path, body string, want int, out any) {
	a.t.Helper()
	bare, _, _ := strings.Cut(path, "?")
	a.called[file] = append(a.called[file], described{method, bare})
	status, answer := exchange(a.t, method, a.proxies[file]+path, a.server.key, body)
	if status != want {
		a.t.Errorf("%s %s: %d, want %d: %s", method, path, status, want, answer)
		return
	}
	if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			a.t.Errorf("%s %s: %v", method, path, err)
		}
	}
}

func (a *anchorClient) agents() {
	const file = "admin-openapi.json"
	v1, v2 := "/v1/agent/"+a.project.ProjectID, "/v2/agent/"+a.project.ProjectID
	a.call(file, "POST", v1+"/job",
		`{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Fix broken links."}],"model":"sonnet"}`, 200, nil)
	var all struct{ AllSessions []client.AgentSession }
	a.call(file, "GET", v1+"/jobs?skip=0&take=5", "", 200, &all)
	if len(all.AllSessions) != 1 || !all.AllSessions[0].Halted {
		a.t.Fatalf("the stream ended before the session: %+v", all)
	}
	a.call(file, "GET", v1+"/job/"+all.AllSessions[0].SessionID, "", 200, nil)
	var job client.AgentJob
	a.call(file, "POST", v2+"/job", `{"prompt":"Add missing descriptions."}`, 201, &job)
	a.call(file, "GET", v2+"/job/"+job.ID, "", 200, nil)
	if _, err := a.server.client.WaitAgentJob(a.t.Context(), a.project.ProjectID, job.ID, nil); err != nil {
		a.t.Error(err)
	}
	a.call(file, "POST", v2+"/job/"+job.ID+"/message", `{"prompt":"Format all pages."}`, 200, nil)
	a.call(file, "GET", v2+"/job/aj_none", "", 404, nil)
}

func (a *anchorClient) publishing() {
	const file = "openapi.json"
	var update struct{ StatusID string }
	a.call(file, "POST", "/project/update/"+a.project.ProjectID, "", 202, &update)
	// endedAt is null while an update runs, a rule of our own API that this description lacks. So the update is read
	// only after it has ended.
	if _, err := a.server.client.WaitUpdate(a.t.Context(), update.StatusID, nil); err != nil {
		a.t.Error(err)
	}
	var status struct {
		ID     string `json:"_id"`
		Commit struct{ SHA, Ref string }
		Logs   []string
	}
	a.call(file, "GET", "/project/update-status/"+update.StatusID, "", 200, &status)
	if status.ID != update.StatusID || status.Commit.SHA == "" || len(status.Logs) == 0 {
		a.t.Errorf("%+v", status)
	}
	a.call(file, "POST", "/project/preview/"+a.project.ProjectID, `{"branch":"main"}`, 202, nil)
	var run client.WorkflowRun
	a.call(file, "POST", "/workflow/"+a.project.ProjectID+"/format/trigger", "", 202, &run)
	a.call(file, "POST", "/workflow/"+a.project.ProjectID+"/nope/trigger", "", 404, nil)
	if _, err := a.server.client.WaitAgentJob(a.t.Context(), a.project.ProjectID, run.JobID, nil); err != nil {
		a.t.Error(err)
	}
}

func (a *anchorClient) exports() {
	const file = "static-export-openapi.json"
	var job client.ExportJob
	a.call(file, "POST", "/static-export/jobs", `{"domain":"`+a.project.Domain+`"}`, 202, &job)
	a.call(file, "GET", "/static-export/jobs/"+job.JobID, "", 200, nil)
	if _, err := a.server.client.WaitExport(a.t.Context(), job.JobID, nil); err != nil {
		a.t.Fatal(err)
	}
	a.call(file, "GET", "/static-export/jobs/"+job.JobID, "", 200, nil)
	a.call(file, "POST", "/static-export/jobs/"+job.JobID+"/bundle", "", 200, nil)
	a.call(file, "GET", "/static-export/jobs/se_none", "", 404, nil)
}

func (a *anchorClient) discovery() {
	const file = "discovery-openapi.json"
	question := `{"fp":"anonymous","retrievalPageSize":5,"messages":[{"id":"1","role":"user","content":"How do I start?","parts":[{"type":"text","text":"How do I start?"}]}]}`
	a.call(file, "POST", "/v1/assistant/"+a.project.Domain+"/message", question, 200, nil)
	a.call(file, "POST", "/v2/assistant/"+a.project.Domain+"/message",
		strings.Replace(question, `"content":"How do I start?",`, "", 1), 200, nil)
	a.call(file, "POST", "/v1/search/"+a.project.Domain, `{"query":"start"}`, 200, nil)
	a.call(file, "POST", "/v1/page/"+a.project.Domain, `{"path":"index"}`, 200, nil)
	a.call(file, "POST", "/v1/page/"+a.project.Domain, `{"path":"nope"}`, 404, nil)
}

func (a *anchorClient) analytics() {
	const file = "analytics.openapi.json"
	at := "/v1/analytics/" + a.project.ProjectID
	var asked struct {
		Conversations []struct{ ThreadID, ResponseType, ResolutionStatus string }
	}
	a.call(file, "GET", at+"/assistant?limit=10", "", 200, &asked)
	if len(asked.Conversations) != 2 {
		a.t.Fatalf("%+v", asked)
	}
	a.call(file, "GET", at+"/assistant/threads/"+asked.Conversations[0].ThreadID, "", 200, nil)
	for _, rest := range []string{"/assistant/caller-stats", "/feedback", "/feedback/by-page", "/searches", "/views",
		"/visitors"} {
		a.call(file, "GET", at+rest, "", 200, nil)
	}
}
