package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
)

// say writes a comment on a pull request or an issue.
func (s *giteaProject) say(by gitea.User, number int64, text string) {
	s.t.Helper()
	s.host.Call(s.t, by, http.MethodPost, fmt.Sprintf("%s/issues/%d/comments", s.repo.Path(), number),
		map[string]string{"body": text}, nil)
}

// collaborator makes a user who has a permission in the repository.
func (s *giteaProject) collaborator(permission string) gitea.User {
	s.t.Helper()
	u := s.host.User(s.t)
	s.host.Call(s.t, s.owner, http.MethodPut, s.repo.Path()+"/collaborators/"+u.Name,
		map[string]string{"permission": permission}, nil)
	return u
}

// reply waits for our only reply on an issue or pull request to have a word, and returns its text.
func (s *giteaProject) reply(number int64, word string) (text string) {
	s.t.Helper()
	s.Await(fmt.Sprintf("the reply %q on %d", word, number), func() bool {
		n := 0
		for _, one := range s.remarks(number) {
			if strings.Contains(one.Body, "(lectern-reply ") {
				n, text = n+1, one.Body
			}
		}
		if n > 1 {
			s.t.Fatalf("%d replies: %+v", n, s.remarks(number))
		}
		return strings.Contains(text, "**Lectern: "+word)
	})
	return text
}

// runs returns the log of an automation, newest first.
func (s *giteaProject) runs(automationID string) []client.AutomationRun {
	s.t.Helper()
	list, err := s.client(s.key).ListAutomationRuns(background(), s.project.ProjectID, automationID,
		client.ListAutomationRunsParams{Limit: 100})
	if err != nil {
		s.t.Fatal(err)
	}
	return list.Runs
}

func (s *giteaProject) automate(a client.CreateAutomation) *client.Automation {
	s.t.Helper()
	made, err := s.client(s.key).CreateAutomation(background(), s.project.ProjectID, a)
	if err != nil {
		s.t.Fatal(err)
	}
	return made
}

// G3, W5: on a real Gitea, a comment of somebody with write access becomes a commit on the branch of the pull request, and a reply;
// one of a reader, and one on a pull request from a fork, becomes nothing.
func TestCommentOnAPullRequestBecomesACommit(t *testing.T) {
	t.Parallel()
	s := openGiteaProject(t)
	s.addWebhook()
	made := s.automate(client.CreateAutomation{Name: "on-request", Trigger: "comment"})
	writer, reader := s.collaborator("write"), s.collaborator("read")
	s.change(writer, s.repo, "better", map[string]string{"docs/unread.mdx": "---\ntitle: Unread\ndescription: Nobody reads it.\n---\n\nText.\n"})
	n := s.openPull(writer, "better", "Write more")

	s.say(reader, n, "@lectern fix broken links")
	s.Await("the log of a reader's comment", func() bool { return len(s.runs(made.ID)) == 1 })
	if run := s.runs(made.ID)[0]; run.Decision != "skipped" || *run.Reason != "not_allowed" || run.Cause != "comment" ||
		!strings.Contains(run.Detail, reader.Name) {
		t.Errorf("a reader's comment: %+v", run)
	}

	before := s.head(n)
	s.say(writer, n, "Good.\n\n@lectern fix broken links")
	text := s.reply(n, "changed")
	if s.head(n) == before || !strings.Contains(text, s.head(n)[:12]) || !strings.Contains(text, "/agent/aj_") {
		t.Errorf("the reply: %s", text)
	}
	if names, commits := s.changedFiles(fmt.Sprint(n)); names != "docs/index.mdx docs/unread.mdx" || commits != 2 {
		t.Errorf("the pull request changes %q in %d commits", names, commits)
	}
	if all := s.pulls(); len(all) != 1 || all[0].Title != "Write more" || !strings.Contains(all[0].Body, "<script>") {
		t.Errorf("pull requests: %+v", all)
	}
	if list := s.runs(made.ID); len(list) != 2 || list[0].Decision != "started" || list[0].JobID == nil {
		t.Errorf("the log: %+v", list)
	}
	for _, one := range s.remarks(n) {
		if one.User.Login == s.owner.Name && strings.Contains(one.Body, reader.Name) {
			t.Errorf("a reader got a reply: %s", one.Body)
		}
	}
}
