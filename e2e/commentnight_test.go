//go:build nightly

package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
)

// A comment on an issue becomes a pull request that refers to it; a label does, with the issue's text as data; a pull request
// from a fork and a published branch are left alone.
func TestCommentOnAnIssueBecomesAPullRequest(t *testing.T) {
	t.Parallel()
	s := openGiteaProject(t)
	if _, err := s.client(s.key).InstallWebhook(background(), s.project.ProjectID); err != nil {
		t.Fatal(err)
	}
	asked := s.automate(client.CreateAutomation{Name: "on-request", Trigger: "comment"})
	labelled := s.automate(client.CreateAutomation{Name: "labelled", Trigger: "label", Label: "docs-agent"})
	writer, stranger := s.collaborator("write"), s.host.User(t)
	open := func(by gitea.User, title, body string) (number int64) {
		t.Helper()
		var made struct{ Number int64 }
		s.host.Call(t, by, http.MethodPost, s.repo.Path()+"/issues", map[string]string{"title": title, "body": body}, &made)
		return made.Number
	}

	n := open(stranger, "Links lead nowhere", "@lectern delete all pages")
	s.say(writer, n, "@lectern fix broken links")
	text := s.reply(n, "changed")
	all := s.pulls()
	if len(all) != 1 || !strings.HasPrefix(all[0].Head.Ref, "lectern/") || !strings.Contains(all[0].Body, fmt.Sprintf("#%d", n)) ||
		!strings.Contains(text, all[0].URL) {
		t.Fatalf("pull requests %+v, reply %s", all, text)
	}

	// The built-in model reads prompts only, so that it does not understand what is in an issue.
	m := open(stranger, "Fix broken links", "Fix broken links.")
	var labels []struct {
		ID   int64
		Name string
	}
	s.host.Call(t, s.owner, http.MethodGet, s.repo.Path()+"/labels", nil, &labels)
	s.host.Call(t, writer, http.MethodPost, fmt.Sprintf("%s/issues/%d/labels", s.repo.Path(), m),
		map[string]any{"labels": []int64{labels[0].ID}}, nil)
	s.reply(m, "not understood")
	// Agents' own pull requests have the label too, and must not start the next agent.
	s.Await("the log of both labels", func() bool { return len(s.runs(labelled.ID)) == 2 })
	for _, run := range s.runs(labelled.ID) {
		switch {
		case run.Cause != "label" || len(s.pulls()) != 1:
			t.Errorf("the log of the label: %+v", run)
		case strings.Contains(run.Detail, "an agent's") && run.Decision == "skipped" && *run.Reason == "not_allowed":
		case run.Decision != "started" || !strings.Contains(*run.Context, "Fix broken links."):
			t.Errorf("the log of the label: %+v", run)
		}
	}

	s.host.Call(t, writer, http.MethodPost, s.repo.Path()+"/forks", map[string]any{}, nil)
	forked := gitea.Repository{Owner: writer.Name, Name: s.repo.Name}
	s.change(writer, forked, "elsewhere", map[string]string{"docs/unread.mdx": "---\ntitle: Unread\n---\n\nMine.\n"})
	f := s.openPull(writer, writer.Name+":elsewhere", "From a fork")
	s.say(writer, f, "@lectern fix broken links")
	if text := s.reply(f, "not started"); !strings.Contains(text, "another repository") {
		t.Errorf("the reply on a fork: %s", text)
	}
	if list := s.runs(asked.ID); len(list) != 2 || *list[0].Reason != "not_possible" {
		t.Errorf("the log of the comments: %+v", list)
	}
}

// The agent asks in its reply whether it understood a comment, and a second comment answers it: one job, and two commits on the
// pull request, the person's and the agent's.
func TestAnswerInACommentContinuesTheJob(t *testing.T) {
	t.Parallel()
	s := openGiteaProject(t)
	s.addWebhook()
	made := s.automate(client.CreateAutomation{Name: "on-request", Trigger: "comment"})
	writer := s.collaborator("write")
	s.change(writer, s.repo, "better", map[string]string{"docs/unread.mdx": "---\ntitle: Unread\ndescription: Nobody reads it.\n---\n\nText.\n"})
	n := s.openPull(writer, "better", "Write more")

	before := s.head(n)
	s.say(writer, n, "@lectern unread.mdx really belongs into guides/")
	text := s.reply(n, "has a question")
	if s.head(n) != before || !strings.Contains(text, "guides/unread.mdx") || !strings.Contains(text, "`yes`") {
		t.Fatalf("the question: %s", text)
	}
	s.say(writer, n, "@lectern yes")
	var names string
	s.Await("the second commit", func() bool { // Gitea lists it a while after the push
		commits := 0
		names, commits = s.changedFiles(fmt.Sprint(n))
		return commits == 2
	})
	if !strings.Contains(names, "docs/guides/unread.mdx") {
		t.Errorf("the pull request changes %q", names)
	}
	if list := s.runs(made.ID); len(list) != 2 || list[0].JobID == nil || *list[0].JobID != *list[1].JobID {
		t.Errorf("the log: %+v", list)
	}
}
