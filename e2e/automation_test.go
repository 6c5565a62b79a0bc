package e2e

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
)

// openGiteaModel is openGiteaProject with a model that plays a script.
func openGiteaModel(t *testing.T, script llmtest.Script, env ...string) (*giteaProject, *llmtest.Server) {
	t.Helper()
	model := llmtest.Start(t, llmtest.Options{Dialect: llmtest.OpenAI, Script: script})
	s := openGiteaProject(t, append(env, "LECTERN_AGENT_OPENAI_URL="+model.URL+"/v1",
		"LECTERN_AGENT_OPENAI_KEY="+model.Key, "LECTERN_AGENT_MODELS=openai:"+model.Model)...)
	s.addWebhook()
	return s, model
}

// shortRuns returns the log of an automation as decision, reason and cause, the oldest first, and its newest entry.
func (s *giteaProject) shortRuns(automationID string) (short []string, newest client.AutomationRun) {
	s.t.Helper()
	for _, newest = range slices.Backward(s.runs(automationID)) {
		reason := ""
		if newest.Reason != nil {
			reason = *newest.Reason
		}
		short = append(short, strings.Join(strings.Fields(newest.Decision+" "+reason+" "+newest.Cause), " "))
	}
	return short, newest
}

// awaitRuns waits until the log of an automation has as many entries as wanted, and compares them. Chores run once a
// minute, so each entry takes up to that long.
func (s *giteaProject) awaitRuns(automationID string, want ...string) client.AutomationRun {
	s.t.Helper()
	var got []string
	var newest client.AutomationRun
	s.Await(fmt.Sprintf("%d runs of the automation", len(want)), func() bool {
		got, newest = s.shortRuns(automationID)
		return len(got) >= len(want)
	})
	if fmt.Sprint(got) != fmt.Sprint(want) {
		s.t.Fatalf("the log: %q, last %+v", got, newest)
	}
	return newest
}

// replace commits a new text of a file that the repository has.
func (s *giteaProject) replace(repo gitea.Repository, path, text string) {
	s.t.Helper()
	var now struct{ Sha string }
	s.host.Call(s.t, s.owner, http.MethodGet, repo.Path()+"/contents/"+path, nil, &now)
	s.host.Call(s.t, s.owner, http.MethodPut, repo.Path()+"/contents/"+path, map[string]string{"sha": now.Sha,
		"branch": "main", "message": "Change " + path, "content": base64.StdEncoding.EncodeToString([]byte(text))}, nil)
}

// connect makes a repository with the product's code, connects it to the project, and waits until the server knows its
// commit: what it has by then is not news.
func (s *giteaProject) connect(files map[string]string) gitea.Repository {
	s.t.Helper()
	repo := s.host.Repository(s.t, s.owner, files)
	s.addWebhookTo(repo, "push")
	c := s.client(s.key)
	if _, err := c.CreateProductRepository(background(), s.project.ProjectID, client.CreateProductRepository{Name: "server",
		Source: client.SourceInput{Repository: repo.Clone, Branch: "main", Credential: "shelf"}}); err != nil {
		s.t.Fatal(err)
	}
	s.Await("the first look at the product repository", func() bool {
		list, err := c.ListProductRepositories(background(), s.project.ProjectID)
		return err == nil && len(list.ProductRepositories) == 1 && list.ProductRepositories[0].Commit != nil
	})
	return repo
}

// A push to a product repository on a real Gitea starts its automation once, with the patch as data; the agent's pull
// request on the docs repository has the citations that the server checked, and not the one that it refused. When the
// cited code changes, the page is recorded as stale, and the open pull request keeps a second one from being made.
func TestPushToAProductRepositoryLeadsToAPullRequestWithReceipts(t *testing.T) {
	t.Parallel()
	s, model := openGiteaModel(t, llmtest.Script{
		llmtest.Use("", "search_product", `{"repository":"server","query":"Listen"}`).
			Expecting("+const Listen = 9090", "-const Listen = 8080"),
		llmtest.Use("", "edit", `{"path":"install.mdx","old":"Use your package manager.","new":"The server listens on port 9090."}`,
			"cite", `{"page":"install.mdx","repository":"server","path":"main.go","line":3,"quotation":"const Listen = 7070"}`,
			"cite", `{"page":"install.mdx","repository":"server","path":"main.go","line":3,"quotation":"const Listen = 9090",`+
				`"sentence":"The server listens on port 9090."}`).
			Expecting("main.go:3: const Listen = 9090"),
		llmtest.Use("", "finish", `{"title":"Name the port","summary":"The server listens on port 9090 now."}`).
			Expecting("does not have this quotation", "Checked: the quotation is there"),
	})
	code := s.connect(map[string]string{"main.go": "package main\n\nconst Listen = 8080\n"})
	c := s.client(s.key)
	made, err := c.CreateAutomation(background(), s.project.ProjectID,
		client.CreateAutomation{Name: "code", Trigger: "push", MaxPerDay: 5})
	if err != nil {
		t.Fatal(err)
	}
	s.replace(code, "main.go", "package main\n\nconst Listen = 9090\n")
	run := s.awaitRuns(made.ID, "started push")
	path := "/v2/agent/" + s.project.ProjectID + "/job/" + *run.JobID
	job := s.waitForCompleted(path)
	if !strings.Contains(*run.Context, "+const Listen = 9090") || !strings.Contains(run.Detail, "server") {
		t.Errorf("%+v", run)
	}
	if asks := model.Asks(); !strings.Contains(asks[0].Instructions, "untrusted") || len(asks) != 3 {
		t.Errorf("%d questions to the model", len(asks))
	}
	all := s.pulls()
	if len(all) != 1 || all[0].URL != *job.PRLink || !strings.Contains(all[0].Body, "### Sources") ||
		!strings.Contains(all[0].Body, "`const Listen = 9090`") || strings.Contains(all[0].Body, "7070") {
		t.Fatalf("pull requests: %+v", all)
	}
	if names, n := s.changedFiles("1"); names != "docs/install.mdx" || n != 1 {
		t.Errorf("it changes %q in %d commits", names, n)
	}
	stale := func() []client.Event {
		list, err := c.ListEvents(background(), client.ListEventsParams{Action: "receipt.stale"})
		if err != nil {
			t.Fatal(err)
		}
		return list.Events
	}
	s.replace(code, "main.go", "package main\n\n// Moved down.\nconst Listen = 9090\n")
	s.awaitRuns(made.ID, "started push", "skipped open_proposal push")
	if got := stale(); len(got) != 0 {
		t.Errorf("code that moved within its file: %+v", got)
	}
	s.replace(code, "main.go", "package main\n\nconst Listen = 6060\n")
	s.awaitRuns(made.ID, "started push", "skipped open_proposal push", "skipped open_proposal push")
	got := stale()
	if len(got) != 1 || got[0].Data["page"] != "install.mdx" || got[0].Data["path"] != "main.go" ||
		got[0].Data["repository"] != "server" {
		t.Errorf("code that changed: %+v", got)
	}
	receipts, err := c.ListReceipts(background(), s.project.ProjectID, client.ListReceiptsParams{State: "stale"})
	if err != nil || len(receipts.Receipts) != 1 || receipts.Receipts[0].Line != 4 || // where it moved to
		*receipts.Receipts[0].Sentence != "The server listens on port 9090." {
		t.Errorf("receipts: %+v, %v", receipts, err)
	}
	if n := len(s.pulls()); n != 1 {
		t.Errorf("%d pull requests", n)
	}
}

// post sends what a page's script sends, as a browser does.
func (s *giteaProject) post(path, body string) {
	s.t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.url+path, bytes.NewBufferString(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Host = "shelf.localhost"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", "http://"+r.Host)
	r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	answer, err := http.DefaultClient.Do(r)
	if code, text := readResponse(s.t, answer, err); code >= http.StatusBadRequest {
		s.t.Fatalf("%s: %d %s", path, code, text)
	}
}

// makeDue makes what readers did five minutes older, and automations with a schedule due: tests do not wait until tomorrow.
func (s *giteaProject) makeDue() {
	s.t.Helper()
	back := (5 * time.Minute).Microseconds()
	for _, statement := range []string{`UPDATE exchanges SET at = at - %d`, `UPDATE audience_searches SET last_at = last_at - %d`,
		`UPDATE feedback SET created_at = created_at - %d`,
		`UPDATE automations SET next_run_at = created_at - %d WHERE next_run_at IS NOT NULL`} {
		execSQL(s.t, s.data, fmt.Sprintf(statement, back))
	}
}

// knows reports whether an automation has seen the publication that it will compare the next one with.
func (s *giteaProject) knows(automationID string) bool {
	s.t.Helper()
	db, err := store.Open(s.t.Context(), store.Options{URL: filepath.Join(s.data, "lectern.db"), Now: time.Now})
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = db.Close() }() // read only
	var seen string
	if err := db.SQLite().QueryRowContext(s.t.Context(), `SELECT seen FROM automations WHERE id = $1`, automationID).
		Scan(&seen); err != nil {
		s.t.Fatal(err)
	}
	return seen != ""
}
