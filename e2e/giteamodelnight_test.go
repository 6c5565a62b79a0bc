//go:build nightly

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

// openGiteaModel is like openGiteaProject, with a model that follows a script.
func openGiteaModel(t *testing.T, script llmtest.Script, env ...string) (*giteaProject, *llmtest.Server) {
	t.Helper()
	model := llmtest.Start(t, llmtest.Options{Dialect: llmtest.OpenAI, Script: script})
	s := openGiteaProject(t, append(env, "LECTERN_AGENT_OPENAI_URL="+model.URL+"/v1",
		"LECTERN_AGENT_OPENAI_KEY="+model.Key, "LECTERN_AGENT_MODELS=openai:"+model.Model)...)
	s.addWebhook()
	return s, model
}

// shortRuns returns an automation's log as decision, reason and cause, oldest first, and its newest entry.
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

// awaitRuns waits until an automation's log has the wanted number of entries and compares them. Periodic work runs once
// a minute, so each entry takes up to a minute.
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

// replace commits new content for an existing file.
func (s *giteaProject) replace(repo gitea.Repository, path, text string) {
	s.t.Helper()
	var now struct{ Sha string }
	s.host.Call(s.t, s.owner, http.MethodGet, repo.Path()+"/contents/"+path, nil, &now)
	s.host.Call(s.t, s.owner, http.MethodPut, repo.Path()+"/contents/"+path, map[string]string{"sha": now.Sha,
		"branch": "main", "message": "Change " + path, "content": base64.StdEncoding.EncodeToString([]byte(text))}, nil)
}

// connect creates a repository with the product's code, connects it to the project, and waits until the server has
// recorded its commit. Its content at that point does not count as a change.
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

// post sends a request as a page's script in a browser does.
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

// makeDue makes recorded reader activity five minutes older and scheduled automations due, so that tests do not wait
// until tomorrow.
func (s *giteaProject) makeDue() {
	s.t.Helper()
	back := (5 * time.Minute).Microseconds()
	for _, statement := range []string{`UPDATE exchanges SET at = at - %d`, `UPDATE audience_searches SET last_at = last_at - %d`,
		`UPDATE feedback SET created_at = created_at - %d`,
		`UPDATE automations SET next_run_at = created_at - %d WHERE next_run_at IS NOT NULL`} {
		execSQL(s.t, s.data, fmt.Sprintf(statement, back))
	}
}

// knows reports whether an automation has recorded the publication that it will compare with the next one.
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
