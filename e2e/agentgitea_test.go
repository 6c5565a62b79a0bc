package e2e

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// giteaProject is a repository on a real Gitea, and the server that publishes it.
type giteaProject struct {
	caller
	host    *gitea.Server
	owner   gitea.User
	repo    gitea.Repository
	project *client.Project
}

// pull is a pull request as Gitea's own API returns it.
type pull struct {
	Number    int64
	State     string
	Merged    bool
	Mergeable bool // also false until Gitea has checked
	Title     string
	Body      string
	URL       string `json:"html_url"`
	Labels    []struct{ Name string }
	Head      struct{ Ref string }
	Base      struct{ Ref string }
}

// installPage has headings from which its description can be generated.
const installPage = "---\ntitle: Install\n---\n\nUnpack the archive into a folder of its own, and put that folder on your path.\n\n" +
	"## On Linux\n\nUse your package manager.\n\n## On macOS\n\nUse the installer.\n"

// openGiteaProject starts Gitea, and a server with additional environment variables.
func openGiteaProject(t *testing.T, more ...string) *giteaProject {
	t.Helper()
	host := gitea.Shared(t)
	s := &giteaProject{host: host, owner: host.User(t)}
	s.repo = host.Repository(t, s.owner, map[string]string{
		"docs/docs.json":      `{"name":"Shelf","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index","install","unread"]}}`,
		"docs/index.mdx":      "---\ntitle: Home\ndescription: Where to begin.\n---\n\nBegin with [installing](/instal).\n",
		"docs/install.mdx":    installPage,
		"docs/unread.mdx":     "---\ntitle: Unread\ndescription: Nobody reads it.\n---\n\nNothing.\n",
		".github/CODEOWNERS":  "* @nobody\n",
		"src/instal.go":       "package instal\n",
		"docs/notes/todo.txt": "/instal\n",
	})
	s.host.Call(t, s.owner, http.MethodPost, s.repo.Path()+"/labels",
		map[string]string{"name": "docs-agent", "color": "#00aabb"}, nil)
	at, err := url.Parse(host.URL)
	if err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	env := []string{"LECTERN_CREDENTIAL_SHELF=http://" + s.owner.Name + ":" + s.owner.Token + "@" + at.Host,
		"LECTERN_FORGE_HOSTS=" + at.Host + "=gitea",
		"LECTERN_AGENT_LABELS=docs-agent"}
	s.caller = caller{serve(t, data, append(env, more...), "--first-site", "off", "--allow-address", "127.0.0.1", "--git-poll-interval",
		"0"),
		command(t, nil, "keys", "create", "--data", data)}
	c := s.client(s.key)
	s.project, err = c.CreateProject(background(),
		client.CreateProject{Name: "Shelf", Domain: "shelf.localhost", DocsFolder: "docs",
			Source: client.SourceInput{Repository: s.repo.Clone, Branch: "main", Credential: "shelf"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WaitUpdate(background(), s.project.LastUpdate.StatusID, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// addWebhook makes Gitea send its push and pull request events to the server.
func (s *giteaProject) addWebhook() {
	s.t.Helper()
	s.addWebhookTo(s.repo, "push", "pull_request")
}

// addWebhookTo makes Gitea send events of a repository to the project.
func (s *giteaProject) addWebhookTo(repo gitea.Repository, events ...string) {
	s.t.Helper()
	s.host.Call(s.t, s.owner, http.MethodPost, repo.Path()+"/hooks",
		map[string]any{"type": "gitea", "active": true, "events": events,
			"config": map[string]string{"url": s.url + "/v1/webhook/" + s.project.ProjectID, "content_type": "json",
				"secret": *s.project.WebhookSecret}}, nil)
}

// pulls returns all pull requests of the repository, whatever their state.
func (s *giteaProject) pulls() (all []pull) {
	s.t.Helper()
	s.host.Call(s.t, s.owner, http.MethodGet, s.repo.Path()+"/pulls?state=all", nil, &all)
	return all
}

// changedFiles returns the files of a pull request, and how many commits it has.
func (s *giteaProject) changedFiles(number string) (names string, commits int) {
	s.t.Helper()
	var list []struct{ Filename string }
	s.host.Call(s.t, s.owner, http.MethodGet, s.repo.Path()+"/pulls/"+number+"/files", nil, &list)
	for _, f := range list {
		names += f.Filename + " "
	}
	var made []struct{ Sha string }
	s.host.Call(s.t, s.owner, http.MethodGet, s.repo.Path()+"/pulls/"+number+"/commits", nil, &made)
	return strings.TrimSpace(names), len(made)
}

// G2, G3, G7, G8: on a real Gitea, a prompt creates a branch and one pull request with the right files, text and label.
// A follow-up message reads people's comments and adds a commit to the same pull request. A webhook reports the merge,
// and the site is updated. In nightly tests, a later message opens another pull request, and a redo replaces its branch
// unless a person has committed to it.
func TestAgentOpensPullRequestOnGitea(t *testing.T) {
	t.Parallel()
	s := openGiteaProject(t)
	s.addWebhook()
	jobs := "/v2/agent/" + s.project.ProjectID + "/job"
	var job client.AgentJob
	s.call(http.MethodPost, jobs, map[string]string{"prompt": "fix broken links"}, http.StatusCreated, &job)
	path := jobs + "/" + job.ID
	job = s.waitForCompleted(path)
	all := s.pulls()
	if len(all) != 1 {
		t.Fatalf("%d pull requests", len(all))
	}
	got := all[0]
	if got.URL != *job.PRLink || got.Number != job.PullRequest.Number || got.State != "open" ||
		got.Head.Ref != *job.Source.Ref || got.Base.Ref != "main" || got.Title != *job.Title {
		t.Errorf("the pull request: %+v of %+v", got, job)
	}
	if len(got.Labels) != 1 || got.Labels[0].Name != "docs-agent" || !strings.Contains(got.Body, job.ID) ||
		!strings.Contains(got.Body, "`index.mdx`") {
		t.Errorf("labels %v, text %s", got.Labels, got.Body)
	}
	if names, n := s.changedFiles("1"); names != "docs/index.mdx" || n != 1 {
		t.Errorf("it changes %q in %d commits", names, n)
	}
	if job.Source.Repository != s.repo.Clone || strings.Contains(s.Output(), s.owner.Token) {
		t.Errorf("the job's repository is %s, and the log may hold the token", job.Source.Repository)
	}
	s.followUp(path, job)
	s.sendNeedlessMessage(path, job)
	s.merge(path)
	if tier.Nightly { // in other runs, tests of internal/ai/agent cover this without Gitea
		s.continueAfterMerge(path)
	}
}

// followUp sends a message after someone has commented.
func (s *giteaProject) followUp(path string, before client.AgentJob) {
	t := s.t
	t.Helper()
	reviewer := s.host.User(t)
	s.host.Call(t, s.owner, http.MethodPut, s.repo.Path()+"/collaborators/"+reviewer.Name,
		map[string]string{"permission": "read"}, nil)
	s.host.Call(t, reviewer, http.MethodPost, s.repo.Path()+"/issues/1/comments",
		map[string]string{"body": "The install page needs a description, please."}, nil)
	s.call(http.MethodPost, path+"/message", map[string]string{"prompt": "add missing descriptions"}, http.StatusOK,
		nil)
	if after := s.waitForCompleted(path); *after.PRLink != *before.PRLink ||
		after.PullRequest.Number != before.PullRequest.Number {
		t.Errorf("after the message: %+v", after)
	}
	if names, n := s.changedFiles("1"); names != "docs/index.mdx docs/install.mdx" || n != 2 || len(s.pulls()) != 1 {
		t.Errorf("after the message it changes %q in %d commits; pull requests: %d", names, n, len(s.pulls()))
	}
	if text := s.pulls()[0].Body; !strings.Contains(text, "/instal → /install") ||
		!strings.Contains(text, "description: ") {
		t.Errorf("the pull request does not mention both rounds: %s", text)
	}
	s.expectEvents(path, `"code":"comments"`, "The install page needs a description, please.", `"code":"pull_updated"`)
}

// sendNeedlessMessage sends a message that needs no change: the pull request stays the same.
func (s *giteaProject) sendNeedlessMessage(path string, before client.AgentJob) {
	s.t.Helper()
	s.call(http.MethodPost, path+"/message", map[string]string{"prompt": "add alt text"}, http.StatusOK, nil)
	after := s.waitForCompleted(path)
	if _, n := s.changedFiles("1"); n != 2 || *after.Title != *before.Title || s.pulls()[0].Title != *before.Title {
		s.t.Errorf("after a message that changes nothing: %d commits, %+v", n, after)
	}
}

// merge merges in Gitea and waits for the effects.
func (s *giteaProject) merge(path string) {
	t := s.t
	t.Helper()
	s.Await("Gitea's mergeability check", func() bool { return s.pulls()[0].Mergeable })
	s.host.Call(t, s.owner, http.MethodPost, s.repo.Path()+"/pulls/1/merge", map[string]any{"Do": "merge"}, nil)
	s.Await("the merge in the job", func() bool {
		var job client.AgentJob
		s.call(http.MethodGet, path, nil, http.StatusOK, &job)
		return job.PullRequest.State == "merged" && job.Status == client.AgentJobStatusCompleted
	})
	s.Await("the merged site", func() bool {
		_, html := page(t, s.process, "shelf.localhost", "/")
		return strings.Contains(html, `href="/install"`) && !strings.Contains(html, `"/instal"`)
	})
	s.expectEvents(path, `"code":"pull_merged"`)
}

// continueAfterMerge sends a message after the merge. It results in a new branch and pull request, and the merged
// branch does not change. When the new pull request conflicts with main, a redo replaces it.
func (s *giteaProject) continueAfterMerge(path string) {
	t := s.t
	t.Helper()
	var merged struct{ Commit struct{ ID string } }
	first := s.pulls()[0].Head.Ref
	branch := func(name string) string {
		s.host.Call(t, s.owner, http.MethodGet, s.repo.Path()+"/branches/"+url.PathEscape(name), nil, &merged)
		return merged.Commit.ID
	}
	before := branch(first)
	s.call(http.MethodPost, path+"/message", map[string]string{"prompt": "rename archive to package"}, http.StatusOK, nil)
	job := s.waitForCompleted(path)
	if len(s.pulls()) != 2 || job.PullRequest == nil || job.PullRequest.Number != 2 || job.PullRequest.State != "open" ||
		*job.Source.Ref == first || branch(first) != before {
		t.Fatalf("a message after the merge: %+v; pull requests: %+v", job, s.pulls())
	}
	if names, n := s.changedFiles("2"); names != "docs/install.mdx" || n != 1 {
		t.Errorf("it changes %q in %d commits", names, n)
	}
	s.expectEvents(path, `"code":"new_branch"`)
	var file struct{ SHA string }
	s.host.Call(t, s.owner, http.MethodGet, s.repo.Path()+"/contents/docs/install.mdx", nil, &file)
	s.host.Call(t, s.owner, http.MethodPut, s.repo.Path()+"/contents/docs/install.mdx", map[string]string{"sha": file.SHA,
		"message": "Say more", "content": base64.StdEncoding.EncodeToString([]byte(
			strings.Replace(installPage, "the archive into a folder", "the whole archive into a new folder", 1)))}, nil)
	old := branch(*job.Source.Ref)
	s.call(http.MethodPost, path+"/redo", nil, http.StatusOK, nil)
	after := s.waitForCompleted(path)
	if *after.PRLink != *job.PRLink || *after.Source.Ref != *job.Source.Ref || branch(*job.Source.Ref) == old || len(s.pulls()) != 2 {
		t.Errorf("after the redo: %+v", after)
	}
	if names, n := s.changedFiles("2"); names != "docs/install.mdx" || n != 1 {
		t.Errorf("after the redo it changes %q in %d commits", names, n)
	}
	s.Await("a pull request without conflicts", func() bool {
		for _, p := range s.pulls() {
			if p.Number == 2 {
				return p.Mergeable
			}
		}
		return false
	})
	s.refuseForeignCommit(path, *job.Source.Ref)
}

// refuseForeignCommit adds a person's commit to the branch and checks that a redo leaves the branch alone.
func (s *giteaProject) refuseForeignCommit(path, branch string) {
	t := s.t
	t.Helper()
	s.host.Call(t, s.owner, http.MethodPost, s.repo.Path()+"/contents/docs/mine.txt", map[string]string{"branch": branch,
		"message": "Mine", "content": base64.StdEncoding.EncodeToString([]byte("mine\n"))}, nil)
	s.call(http.MethodPost, path+"/redo", nil, http.StatusOK, nil)
	if job := s.waitForJob(path); job.Status != client.AgentJobStatusFailed || job.Error == nil ||
		!strings.Contains(*job.Error, "was not replaced: commit ") {
		t.Errorf("a redo over a person's commit: %+v", job)
	}
	if names, n := s.changedFiles("2"); names != "docs/install.mdx docs/mine.txt" || n != 2 {
		t.Errorf("afterwards, it changes %q in %d commits", names, n)
	}
}
