//go:build nightly

package e2e

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
)

// remark is a comment on a pull request.
type remark struct {
	ID   int64
	Body string
	User struct{ Login string }
}

func (s *giteaProject) remarks(number int64) (list []remark) {
	s.t.Helper()
	s.host.Call(s.t, s.owner, http.MethodGet, fmt.Sprintf("%s/issues/%d/comments", s.repo.Path(), number), nil, &list)
	return list
}

// commitStatus is the status that we set on a commit.
type commitStatus struct {
	State       string `json:"status"`
	Context     string
	Description string
	URL         string `json:"target_url"`
}

func (s *giteaProject) status(commit string) commitStatus {
	s.t.Helper()
	var found struct{ Statuses []commitStatus }
	s.host.Call(s.t, s.owner, http.MethodGet, s.repo.Path()+"/commits/"+commit+"/status", nil, &found)
	for _, one := range found.Statuses {
		if strings.HasPrefix(one.Context, "lectern/") {
			return one
		}
	}
	return commitStatus{}
}

// head returns the head commit of a pull request.
func (s *giteaProject) head(number int64) string {
	s.t.Helper()
	var found struct{ Head struct{ SHA string } }
	s.host.Call(s.t, s.owner, http.MethodGet, fmt.Sprintf("%s/pulls/%d", s.repo.Path(), number), nil, &found)
	return found.Head.SHA
}

// change writes files to a branch in one commit and creates the branch from main if it does not exist. A file without
// text is deleted.
func (s *giteaProject) change(by gitea.User, r gitea.Repository, branch string, files map[string]string) {
	s.t.Helper()
	from := branch
	if s.host.Try(s.t.Context(), by, http.MethodGet, r.Path()+"/branches/"+branch, nil, nil) != nil {
		from = "main"
	}
	var list []map[string]string
	for path, text := range files {
		file := map[string]string{"operation": "create", "path": path,
			"content": base64.StdEncoding.EncodeToString([]byte(text))}
		var old struct{ SHA string }
		if s.host.Try(s.t.Context(), by, http.MethodGet, r.Path()+"/contents/"+path+"?ref="+from, nil, &old) == nil {
			file["operation"], file["sha"] = "update", old.SHA
		}
		if text == "" {
			file["operation"] = "delete"
		}
		list = append(list, file)
	}
	in := map[string]any{"files": list, "message": "Change files", "branch": from}
	if from != branch {
		in["new_branch"] = branch
	}
	s.host.Call(s.t, by, http.MethodPost, r.Path()+"/contents", in, nil)
}

// openPull opens a pull request as a person does.
func (s *giteaProject) openPull(by gitea.User, head, title string) (number int64) {
	s.t.Helper()
	var made struct{ Number int64 }
	s.host.Call(s.t, by, http.MethodPost, s.repo.Path()+"/pulls",
		map[string]any{"head": head, "base": "main", "title": title, "body": "@" + s.owner.Name + " <script>alert(1)</script>"}, &made)
	return made.Number
}

// settled waits until the head of a pull request has a status and its only comment shows the preview's expected state.
func (s *giteaProject) settled(number int64, state, word string, right func(body string) bool) (commitStatus, remark) {
	s.t.Helper()
	var st commitStatus
	var list []remark
	s.Await(fmt.Sprintf("the status %s of pull request %d", state, number), func() bool {
		st, list = s.status(s.head(number)), s.remarks(number)
		return st.State == state && len(list) > 0 && strings.Contains(list[0].Body, ": "+word) &&
			right(list[0].Body)
	})
	if len(list) != 1 || list[0].User.Login != s.owner.Name {
		s.t.Fatalf("comments of %d: %+v", number, list)
	}
	return st, list[0]
}

func (s *giteaProject) shown(address, path string) (int, string) {
	s.t.Helper()
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		s.t.Fatalf("%q is not a preview's address: %v", address, err)
	}
	return page(s.t, s.process, u.Hostname(), path)
}

// connectHost connects the code host as a person does in the dashboard: it stores a credential of the organization,
// tests it, finds the repository in the list, and lets the server install the webhook.
func (s *giteaProject) connectHost() {
	s.t.Helper()
	c := s.client(command(s.t, nil, "keys", "create", "--scope", "read,write,admin", "--data", s.data))
	kept, err := c.CreateCredential(background(), client.CreateCredential{Name: "bot", Kind: "token", URL: s.host.URL,
		User: s.owner.Name, Secret: s.owner.Token})
	if err != nil {
		s.t.Fatal(err)
	}
	if got, err := c.TestCredential(background(), kept.CredentialID, client.TestCredential{Repository: s.repo.Clone}); err != nil || !got.Ok {
		s.t.Fatalf("the test of the credential: %+v, %v", got, err)
	}
	list, err := c.ListRepositories(background(), kept.CredentialID, client.ListRepositoriesParams{})
	if err != nil || !slices.ContainsFunc(list.Repositories, func(r client.Repository) bool { return r.URL == s.repo.Clone }) {
		s.t.Fatalf("the list of repositories: %+v, %v", list, err)
	}
	if _, err := c.InstallWebhook(background(), s.project.ProjectID); err != nil {
		s.t.Fatal(err)
	}
}

// C9, W5: with a real Gitea connected, a pull request has a preview while it is open, a status on each head commit, and
// one comment that is kept up to date.
func TestOpenPullRequestHasPreview(t *testing.T) {
	t.Parallel()
	s := openGiteaProject(t)
	s.connectHost()
	s.change(s.owner, s.repo, "better", map[string]string{
		"docs/install.mdx": "---\ntitle: Install\n---\n\nUnpack the archive twice.\n\n<Card title={>\n"})
	n := s.openPull(s.owner, "better", "Install twice")
	faulty := func(body string) bool { return strings.Contains(body, "docs/install.mdx:7") }
	st, first := s.settled(n, "success", "ready", faulty)
	if !strings.Contains(first.Body, st.URL) {
		t.Errorf("status %+v, comment %s", st, first.Body)
	}
	s.change(s.owner, s.repo, "better", map[string]string{
		"docs/install.mdx": "---\ntitle: Install\n---\n\nUnpack the archive three times.\n",
		"docs/index.mdx":   "---\ntitle: Home\ndescription: Where to begin.\n---\n\nBegin with [installing](/install).\n"})
	st, second := s.settled(n, "success", "ready", func(body string) bool { return !faulty(body) })
	if second.ID != first.ID || !strings.Contains(second.Body, "[`install`]("+st.URL+"/install)") ||
		strings.Contains(second.Body, "unread") {
		t.Errorf("the comment after a push: %s", second.Body)
	}
	if code, html := s.shown(st.URL, "/install"); code != http.StatusOK || !strings.Contains(html, "three times") {
		t.Errorf("the preview returns %d: %s", code, html)
	}
	if code, html := s.shown(st.URL, "/_lectern/changes/install"); code != http.StatusOK || !strings.Contains(html, "<ins>three</ins>") ||
		!strings.Contains(second.Body, "[changes]("+st.URL+"/_lectern/changes/install)") {
		t.Errorf("the page with the changes returns %d: %s", code, html)
	}
	if _, html := page(t, s.process, "shelf.localhost", "/install"); strings.Contains(html, "three times") {
		t.Error("the live site shows the pull request")
	}
	s.moveAPage(n)
	s.changeCodeOnly()
	s.fork(s.owner, st.URL)
	s.host.Call(t, s.owner, http.MethodPost, fmt.Sprintf("%s/pulls/%d/merge", s.repo.Path(), n), map[string]any{"Do": "merge"}, nil)
	gone, last := s.settled(n, "success", "removed", func(string) bool { return true })
	if last.ID != first.ID || !strings.Contains(gone.Description, "merged") {
		t.Errorf("after the pull request was closed: %+v, %s", gone, last.Body)
	}
	s.Await("the end of the preview", func() bool { code, _ := s.shown(st.URL, "/install"); return code == http.StatusNotFound })
	s.Await("the merged page on the live site", func() bool {
		_, html := page(t, s.process, "shelf.localhost", "/setup")
		return strings.Contains(html, "a folder of its own")
	})
}

// moveAPage moves a page in the pull request, which fails until the old address is redirected.
func (s *giteaProject) moveAPage(number int64) {
	s.t.Helper()
	const site = `{"name":"Shelf","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index","setup","unread"]}%s}`
	s.change(s.owner, s.repo, "better", map[string]string{"docs/install.mdx": "",
		"docs/setup.mdx": installPage,
		"docs/docs.json": fmt.Sprintf(site, "")})
	st, note := s.settled(number, "failure", "ready", func(body string) bool { return strings.Contains(body, "would lose: 1") })
	const rule = `{ "source": "/install", "destination": "/setup" }`
	if !strings.Contains(note.Body, rule) || !strings.Contains(note.Body, "(moved from `install`)") ||
		strings.Contains(note.Body, "unread") || !strings.Contains(st.Description, "lose: 1") {
		s.t.Errorf("a lost address: %+v, %s", st, note.Body)
	}
	s.change(s.owner, s.repo, "better", map[string]string{"docs/docs.json": fmt.Sprintf(site, `,"redirects":[`+rule+`]`)})
	st, note = s.settled(number, "success", "ready", func(body string) bool { return !strings.Contains(body, "would lose") })
	if code, html := s.shown(st.URL, "/install"); code != http.StatusOK || !strings.Contains(html, "a folder of its own") {
		s.t.Errorf("the old address returns %d: %s", code, note.Body)
	}
}

// changeCodeOnly opens a pull request that does not touch the docs: it gets a status, but neither a preview nor a
// comment.
func (s *giteaProject) changeCodeOnly() {
	s.t.Helper()
	s.change(s.owner, s.repo, "code", map[string]string{"src/instal.go": "package install\n"})
	n := s.openPull(s.owner, "code", "Rename")
	var st commitStatus
	s.Await("the status of a change of code", func() bool { st = s.status(s.head(n)); return st.State == "success" })
	if list := s.remarks(n); len(list) != 0 || !strings.Contains(st.Description, "does not change") {
		s.t.Errorf("%+v, comments %+v", st, list)
	}
}

// fork opens a hostile pull request from a fork, in addition to the one from the repository itself, whose preview is at
// other.
func (s *giteaProject) fork(owner gitea.User, other string) {
	t := s.t
	t.Helper()
	stranger := s.host.User(t)
	s.host.Call(t, stranger, http.MethodPost, s.repo.Path()+"/forks", map[string]any{}, nil)
	forked := gitea.Repository{Owner: stranger.Name, Name: s.repo.Name}
	mention := "@" + owner.Name
	s.change(stranger, forked, "evil", map[string]string{
		"docs/docs.json": `{"name":"Shelf","theme":"mint","colors":{"primary":"#0055aa"},` +
			`"navigation":{"pages":["index","install","huge","broken"]}}`,
		"docs/huge.mdx":   "---\ntitle: Huge\n---\n\n" + strings.Repeat("Many words. ", 100_000),
		"docs/broken.mdx": "---\ntitle: Broken\n---\n\n<Card title={" + mention + ">\n\n[x](</img src=x onerror=alert(1)> `" + mention + "`)\n",
		"docs/index.mdx":  "---\ntitle: Home\n---\n\n<script>alert(document.cookie)</script>\n\nForked.\n",
	})
	n := s.openPull(stranger, stranger.Name+":evil", "@everyone <img src=x> [free](https://evil.example)")
	var st commitStatus
	var list []remark
	s.Await("the status of the fork", func() bool {
		st, list = s.status(s.head(n)), s.remarks(n)
		return st.State != "" && st.State != "pending" && len(list) > 0 && !strings.Contains(list[0].Body, "building")
	})
	if len(list) != 1 || list[0].User.Login != owner.Name {
		t.Fatalf("comments of the fork: %+v", list)
	}
	body := list[0].Body
	if strings.Contains(body, mention) || strings.Contains(body, "@everyone") || strings.Contains(body, "evil.example") {
		t.Errorf("the comment repeats strangers' text: %s", body)
	}
	if !strings.Contains(body, "docs/broken.mdx:") || !strings.Contains(body, "`huge`") {
		t.Errorf("status %+v, comment %s", st, body)
	}
	if code, html := s.shown(st.URL, "/"); code != http.StatusOK || !strings.Contains(html, "Forked.") {
		t.Errorf("the fork's preview returns %d: %.500s", code, html)
	}
	if here, _ := url.Parse(st.URL); here != nil && strings.HasPrefix(other, "http://"+here.Host) {
		t.Errorf("two pull requests share the origin %s", here.Host)
	}
}
