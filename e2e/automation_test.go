//go:build nightly

package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
)

// Unanswered questions and searches without results, recorded by the site's own endpoints, result in one scheduled
// proposal. While it is open, the next scheduled run starts nothing. Once it is closed, its gaps are not proposed
// again.
func TestContentGapsCreateOneScheduledProposal(t *testing.T) {
	t.Parallel()
	const query, question = "zanzibarflat", "How do I use the package manager on macOS with a quokkaproxy?"
	s, _ := openGiteaModel(t, llmtest.Script{
		llmtest.Use("", "edit", `{"path":"install.mdx","old":"Use your package manager.","new":"Use your package manager, or `+
			`the flatpak."}`).Expecting(query, question),
		llmtest.Use("", "finish", `{"title":"Name the flatpak","summary":"Readers searched for it."}`),
	}, "LECTERN_FEATURES_ASSISTANT=local")
	s.post(capability.CountPath, `[{"kind":"search","path":"/install","query":"`+query+`","hits":0}]`)
	s.post(capability.AskPath, `{"fp":"x","currentPath":"/install","messages":[{"id":"1","role":"user","parts":`+
		`[{"type":"text","text":"`+question+`"}]}]}`)
	c := s.client(s.key)
	s.Await("the gaps in the database", func() bool {
		searches, err := c.ListSearches(background(), s.project.ProjectID, client.ListSearchesParams{})
		if err != nil {
			t.Fatal(err)
		}
		questions, err := c.ListQuestions(background(), s.project.ProjectID, client.ListQuestionsParams{})
		if err != nil {
			t.Fatal(err)
		}
		if len(questions.Conversations) == 1 && questions.Conversations[0].Outcome != "unanswered" {
			t.Fatalf("the question: %+v", questions.Conversations[0])
		}
		return len(searches.Searches) == 1 && len(questions.Conversations) == 1
	})
	made, err := c.CreateAutomation(background(), s.project.ProjectID, client.CreateAutomation{Name: "missing",
		Trigger: "gaps", Schedule: client.AutomationSchedule{At: "06:00"}, MaxPerDay: 5})
	if err != nil {
		t.Fatal(err)
	}
	s.makeDue()
	run := s.awaitRuns(made.ID, "started schedule")
	job := s.waitForCompleted("/v2/agent/" + s.project.ProjectID + "/job/" + *run.JobID)
	if all := s.pulls(); len(all) != 1 || all[0].URL != *job.PRLink || all[0].Title != "Name the flatpak" {
		t.Fatalf("pull requests: %+v", all)
	}
	s.makeDue()
	s.awaitRuns(made.ID, "started schedule", "skipped open_proposal schedule")
	s.host.Call(t, s.owner, http.MethodPatch, s.repo.Path()+"/pulls/1", map[string]string{"state": "closed"}, nil)
	s.Await("the end of the pull request in the job", func() bool {
		s.call(http.MethodGet, "/v2/agent/"+s.project.ProjectID+"/job/"+job.ID, nil, http.StatusOK, &job)
		return job.PullRequest.State == "closed"
	})
	s.makeDue()
	s.awaitRuns(made.ID, "started schedule", "skipped open_proposal schedule", "skipped nothing_new schedule")
	if n := len(s.pulls()); n != 1 {
		t.Errorf("%d pull requests", n)
	}
}

// A tag and a changed API description in a product repository, a publication with a new broken link, and feedback
// through the site's own endpoint each start one run of the matching automation, with their content as context.
func TestTriggersStartMatchingAutomations(t *testing.T) {
	t.Parallel()
	s := openGiteaProject(t)
	s.addWebhook()
	c, made := s.client(s.key), map[string]string{}
	for _, in := range []client.CreateAutomation{{Trigger: "release"}, {Trigger: "api"}, {Trigger: "findings"},
		{Trigger: "feedback", AtLeast: 2, Schedule: client.AutomationSchedule{At: "06:00"}}} {
		in.Name, in.DryRun = "on-"+in.Trigger, true
		one, err := c.CreateAutomation(background(), s.project.ProjectID, in)
		if err != nil {
			t.Fatal(err)
		}
		made[in.Trigger] = one.ID
	}
	api := "openapi: 3.1.0\ninfo: {title: Shelf, version: '1'}\npaths:\n  /%s:\n    get:\n      responses: {'200': {description: OK}}\n"
	code := s.connect(map[string]string{"api.yaml": fmt.Sprintf(api, "shelves")})
	s.Await("the first check of the live site", func() bool { return s.knows(made["findings"]) })
	s.host.Call(t, s.owner, http.MethodPost, code.Path()+"/tags", map[string]string{"tag_name": "v2.0.0", "target": "main",
		"message": "Shelves are boards now."}, nil)
	s.replace(code, "api.yaml", fmt.Sprintf(api, "boards"))
	s.replace(s.repo, "docs/unread.mdx", "---\ntitle: Unread\ndescription: Nobody reads it.\n---\n\n[Away](/no-such-page).\n")
	for _, words := range []string{"Where is macOS?", "Too short."} {
		s.post(capability.ThumbPath, `{"path":"/install","helpful":false,"comment":"`+words+`"}`)
	}
	s.makeDue()
	for trigger, want := range map[string]struct{ run, text string }{"release": {"would_start release", "Shelves are boards now."},
		"api": {"would_start api", "/boards"}, "findings": {"would_start publication", "/no-such-page"},
		"feedback": {"would_start schedule", "- /install: Where is macOS?"}} {
		run := s.awaitRuns(made[trigger], want.run)
		if run.Context == nil || !strings.Contains(*run.Context, want.text) || strings.Contains(*run.Context, "/instal)") {
			t.Errorf("%s: %+v", trigger, run)
		}
	}
	if n := len(s.pulls()); n != 0 {
		t.Errorf("%d pull requests of dry runs", n)
	}
}

// A push to a product repository on a real Gitea starts its automation once, with the patch as data. The agent's pull
// request on the docs repository contains the citations that the server verified, and not the one that it refused. When
// the cited code changes, the page is recorded as stale, and the open pull request prevents a second one.
func TestProductPushOpensPullRequestWithReceipts(t *testing.T) {
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
		t.Errorf("%d requests to the model", len(asks))
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
	if err != nil || len(receipts.Receipts) != 1 || receipts.Receipts[0].Line != 4 || // the line it moved to
		*receipts.Receipts[0].Sentence != "The server listens on port 9090." {
		t.Errorf("receipts: %+v, %v", receipts, err)
	}
	if n := len(s.pulls()); n != 1 {
		t.Errorf("%d pull requests", n)
	}
}
