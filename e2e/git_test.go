package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// repository creates a Git repository with a small site that contains mark.
func repository(t *testing.T, mark string) string {
	t.Helper()
	dir := site(t, 1)
	testgit.Run(t, dir, "init", "-q")
	commit(t, dir, mark)
	return dir
}

func commit(t *testing.T, dir, mark string) string {
	t.Helper()
	write(t, dir+"/index.mdx", "---\ntitle: Home\n---\n\nmark-"+mark+"\n")
	testgit.Run(t, dir, "add", "-A")
	testgit.Run(t, dir, "commit", "-qm", mark)
	return testgit.Run(t, dir, "rev-parse", "HEAD")
}

func shows(t *testing.T, p *process, host, mark string) func() bool {
	return func() bool { _, html := page(t, p, host, "/"); return strings.Contains(html, "mark-"+mark) }
}

func gitProject(t *testing.T, c *client.Client, dir, domain string) *client.Project {
	t.Helper()
	made, err := c.CreateProject(background(), client.CreateProject{Name: "Git", Domain: domain,
		Source: client.SourceInput{Repository: "file://" + dir, Branch: "main"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WaitUpdate(background(), made.LastUpdate.StatusID, nil); err != nil {
		t.Fatal(err)
	}
	return made
}

// push sends a signed push event as GitHub does.
func push(t *testing.T, p *process, projectID, secret, delivery, commit string) int {
	t.Helper()
	return pushRef(t, p, projectID, secret, delivery, "refs/heads/main", commit)
}

func pushRef(t *testing.T, p *process, projectID, secret, delivery, ref, commit string) int {
	t.Helper()
	body := fmt.Sprintf(
		`{"ref":%q,"after":%q,"deleted":false,"repository":{"full_name":"a/b","clone_url":"https://example.com/a/b.git"}}`, ref, commit)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	req, err := http.NewRequest(http.MethodPost, p.url+"/v1/webhook/"+projectID, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-GitHub-Event", "push")
	req.Header.Set("X-GitHub-Delivery", delivery)
	req.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Body.Close()
	return r.StatusCode
}

// W5: a signed push publishes; a replay and a forgery do not.
func TestPushPublishesRepository(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, nil, "--first-site", "off", "--git-poll-interval", "0")
	c := p.client(command(t, nil, "keys", "create", "--data", data))
	dir := repository(t, "one")
	made := gitProject(t, c, dir, "git.localhost")
	if !shows(t, p, "git.localhost", "one")() {
		t.Fatal("the first version is not published")
	}
	head := commit(t, dir, "two")
	if code := push(t, p, made.ProjectID, "whsec_wrong", "d-0", head); code != http.StatusUnauthorized {
		t.Fatalf("a forged push: %d", code)
	}
	if code := push(t, p, made.ProjectID, *made.WebhookSecret, "d-1", head); code != http.StatusAccepted {
		t.Fatalf("a push: %d", code)
	}
	p.Await("the pushed version", shows(t, p, "git.localhost", "two"))
	got, err := c.GetProject(background(), made.ProjectID)
	if err != nil || got.Live == nil || got.Live.Commit == nil || *got.Live.Commit != head {
		t.Fatalf("live: %+v %v", got, err)
	}
	last := got.LastUpdate.StatusID
	if code := push(t, p, made.ProjectID, *made.WebhookSecret, "d-1", head); code != http.StatusOK {
		t.Fatalf("a replay: %d", code)
	}
	if got, err = c.GetProject(background(), made.ProjectID); err != nil || got.LastUpdate.StatusID != last {
		t.Fatalf("the replay started an update: %v", err)
	}
	pushesVersions(t, p, c, dir, made)
}

// pushesVersions turns a published repository's tags into versions and follows the push of another tag.
func pushesVersions(t *testing.T, p *process, c *client.Client, dir string, made *client.Project) {
	t.Helper()
	config, err := os.ReadFile(dir + "/docs.json")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir+"/docs.json", strings.Replace(string(config), "{", `{"gitVersions":{"tags":["v*"]},`, 1))
	head := commit(t, dir, "first")
	testgit.Run(t, dir, "tag", "v1.0")
	push(t, p, made.ProjectID, *made.WebhookSecret, "d-v1", head)
	p.Await("the first version", shows(t, p, "git.localhost", "first"))
	head = commit(t, dir, "second")
	testgit.Run(t, dir, "tag", "v2.0")
	if code := pushRef(t, p, made.ProjectID, *made.WebhookSecret, "d-v2", "refs/tags/v2.0", head); code != http.StatusAccepted {
		t.Fatalf("a tag push: %d", code)
	}
	p.Await("the newer version at the root", shows(t, p, "git.localhost", "second"))
	if _, html := page(t, p, "git.localhost", "/v1.0/"); !strings.Contains(html, "mark-first") {
		t.Errorf("the older version: %s", html)
	}
	got, err := c.GetProject(background(), made.ProjectID)
	if err != nil {
		t.Fatal(err)
	}
	u, err := c.GetUpdateStatus(background(), got.LastUpdate.StatusID)
	if err != nil || len(u.Versions) != 2 || u.Versions[0].Name != "v2.0" || !u.Versions[0].Default ||
		u.Versions[1].Published == nil || u.Versions[1].Error != nil {
		t.Errorf("%+v %v", u, err)
	}
}

func TestPollingFindsNewCommits(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, nil, "--first-site", "off", "--git-poll-interval", "1s")
	c := p.client(command(t, nil, "keys", "create", "--data", data))
	dir := repository(t, "one")
	gitProject(t, c, dir, "git.localhost")
	commit(t, dir, "two")
	p.Await("the new commit", shows(t, p, "git.localhost", "two"))
}

// A preview of a branch has its own host and does not affect the site.
func TestBranchPreviewLeavesSiteUnchanged(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, nil, "--first-site", "off", "--git-poll-interval", "0")
	c := p.client(command(t, nil, "keys", "create", "--data", data))
	dir := repository(t, "one")
	made := gitProject(t, c, dir, "git.localhost")
	testgit.Run(t, dir, "checkout", "-qb", "draft")
	commit(t, dir, "draft")
	preview, err := c.StartPreview(background(), made.ProjectID, client.StartPreview{Branch: "draft"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WaitUpdate(background(), preview.StatusID, nil); err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(preview.PreviewURL, "http://")
	if !shows(t, p, host, "draft")() {
		t.Errorf("the preview at %s does not show the branch", preview.PreviewURL)
	}
	if !shows(t, p, "git.localhost", "one")() {
		t.Error("the live site changed")
	}
}
