package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// fixingScript returns a model that reads, makes a mistake, fixes it and finishes. In between, its server is overloaded
// and asks for retries.
func fixingScript() llmtest.Script {
	return llmtest.Script{
		llmtest.Use("I look first.", "read", `{"path":"guide.mdx"}`, "search", `{"query":"Teh","exact":true}`).
			Expecting("fix the typo").After(llmtest.RateLimitedMs),
		llmtest.Use("", "edit", `{"path":"guide.mdx","old":"Teh guide","new":"The [guide](/nowhere)"}`).
			Expecting("Teh guide", "guide.mdx").After(llmtest.Overloaded, llmtest.CutInside),
		llmtest.Use("", "check", `{}`),
		llmtest.Use("That link leads nowhere.", "edit", `{"path":"guide.mdx","old":"[guide](/nowhere)","new":"guide"}`).
			Expecting("/nowhere"),
		llmtest.Use("", "finish", `{"title":"Mend a typo","summary":"*The* guide was spelt wrongly."}`),
		llmtest.Use("", "edit", `{"path":"index.mdx","old":"Welcome.","new":"Welcome to the guide."}`).
			Expecting("greet"),
		llmtest.Use("", "finish", `{"title":"Greet readers","summary":"The first page greets."}`),
	}
}

func typoSite(t *testing.T) string {
	t.Helper()
	dir := site(t, 0)
	write(t, dir+"/docs.json",
		`{"name":"Typo","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index","guide"]}}`)
	write(t, dir+"/guide.mdx", "---\ntitle: Guide\n---\n\nTeh guide is short.\n")
	return dir
}

// G1, G2, G8, G9: the whole server works with models of both wire formats: tool calls, results, a 429 with a retry
// delay, an overloaded server, a broken connection and a follow-up. Tokens and cost are counted, and the key is never
// recorded.
func TestModelsOfBothWireFormatsWork(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dialect   llmtest.Dialect
		url, path string
	}{{llmtest.Anthropic, "LECTERN_AGENT_ANTHROPIC", ""}, {llmtest.OpenAI, "LECTERN_AGENT_OPENAI", "/v1"}} {
		t.Run(string(c.dialect), func(t *testing.T) {
			t.Parallel()
			const secret = "key-of-the-model-canary"
			model := llmtest.Start(t, llmtest.Options{Dialect: c.dialect, Script: fixingScript(), Key: secret})
			name := string(c.dialect) + ":" + model.Model
			data, dir := t.TempDir(), typoSite(t)
			env := []string{c.url + "_URL=" + model.URL + c.path, c.url + "_KEY=" + secret,
				"LECTERN_AGENT_MODELS=" + name + ",builtin", "LECTERN_AGENT_PRICES=" + name + "=3/15"}
			at := caller{serve(t, data, env, "--first-site", "off"), command(t, nil, "keys", "create", "--data", data)}
			publishFolder(t, at.client(at.key), dir, "typo.localhost")
			list, err := at.client(at.key).ListProjects(background(), client.ListProjectsParams{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			runJobWith(at, model, name, "/v2/agent/"+list.Projects[0].ProjectID+"/job", secret)
		})
	}
}

func runJobWith(c caller, model *llmtest.Server, name, jobs, secret string) {
	t := c.t
	var job client.AgentJob
	c.call(http.MethodPost, jobs, map[string]string{"prompt": "fix the typo in the guide"}, http.StatusCreated, &job)
	path := jobs + "/" + job.ID
	job = c.waitForCompleted(path)
	if job.Model != name || *job.Title != "Mend a typo" || job.Usage.Steps != 5 || job.Usage.InputTokens == 0 ||
		job.Usage.CostUSD <= 0 {
		t.Errorf("%+v", job)
	}
	if model.Tries(0) != 2 || model.Tries(1) != 3 {
		t.Errorf("the first responses were requested %d and %d times", model.Tries(0), model.Tries(1))
	}
	owner := c.owner()
	code, shown := openPage(t, owner, *job.PRLink)
	if code != http.StatusOK || !strings.Contains(shown, "<ins><mark>The</mark> guide is short.</ins>") ||
		strings.Contains(shown, "nowhere") {
		t.Errorf("the proposal's page: %d\n%s", code, shown)
	}
	c.call(http.MethodPost, path+"/message", map[string]string{"prompt": "greet readers on the first page"},
		http.StatusOK, nil)
	if after := c.waitForCompleted(path); *after.PRLink != *job.PRLink || after.Usage.Steps != 7 {
		t.Errorf("after the message: %+v", after)
	}
	if code, shown := openPage(t, owner, *job.PRLink); code != http.StatusOK ||
		!strings.Contains(shown, "<ins>Welcome<mark> to the guide</mark>.</ins>") {
		t.Errorf("the proposal's page: %d\n%s", code, shown)
	}
	c.expectEvents(path, `"name":"read"`, `"name":"edit"`, `"name":"check"`, "/nowhere", `"name":"finish"`,
		`"code":"pull_opened"`, `"code":"pull_updated"`)
	if strings.Contains(strings.Join(c.events(path), "\n")+c.Output(), secret) {
		t.Error("the model's key is in the record or the log")
	}
}

// G1: a model that refuses, or that never finishes, fails the job with a readable reason, and no branch is pushed.
func TestModelThatNeverFinishesFailsTheJob(t *testing.T) {
	t.Parallel()
	var loop llmtest.Script
	for range 6 {
		loop = append(loop, llmtest.Use("Again.", "list", `{}`))
	}
	model := llmtest.Start(t, llmtest.Options{Dialect: llmtest.OpenAI, Script: loop})
	data, dir := t.TempDir(), typoSite(t)
	env := []string{"LECTERN_AGENT_OPENAI_URL=" + model.URL + "/v1", "LECTERN_AGENT_OPENAI_KEY=" + model.Key,
		"LECTERN_AGENT_MODELS=openai:" + model.Model, "LECTERN_AGENT_MAX_STEPS=3"}
	c := caller{serve(t, data, env, "--first-site", "off"), command(t, nil, "keys", "create", "--data", data)}
	publishFolder(t, c.client(c.key), dir, "typo.localhost")
	list, err := c.client(c.key).ListProjects(background(), client.ListProjectsParams{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	projectID := list.Projects[0].ProjectID
	var job client.AgentJob
	c.call(http.MethodPost, "/v2/agent/"+projectID+"/job", map[string]string{"prompt": "fix the typo in the guide"},
		http.StatusCreated, &job)
	job = c.waitForJob("/v2/agent/" + projectID + "/job/" + job.ID)
	if job.Status != client.AgentJobStatusFailed || job.PRLink != nil || job.Error == nil ||
		!strings.Contains(*job.Error, "budget of steps (3)") {
		t.Errorf("%+v", job)
	}
	if all := testgit.Run(t, data+"/proposals/"+projectID+".git", "branch", "--list", "lectern/*"); all != "" {
		t.Errorf("branches: %s", all)
	}
}
