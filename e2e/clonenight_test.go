//go:build nightly

package e2e

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// A8: git can clone the repository of a project and its agent jobs with nothing but a key of its organization. Nothing
// can be pushed to it, and with another organization's key, the response is the same as for a repository that does not
// exist.
func TestProjectRepositoryCanBeCloned(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data, nil)
	key, narrow := command(t, nil, "keys", "create", "--data", data),
		command(t, nil, "keys", "create", "--data", data, "--scope", "discovery")
	c := p.client(key)
	projects, err := c.ListProjects(background(), client.ListProjectsParams{})
	if err != nil || len(projects.Projects) < 2 {
		t.Fatalf("%+v %v", projects, err)
	}
	for _, one := range projects.Projects { // the built-in documentation, and the tour, whose repository is on this server
		job, err := c.CreateAgentJob(background(), one.ProjectID, client.CreateAgentJob{Prompt: "fix broken links"})
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.GetAgentJob(background(), one.ProjectID, job.ID)
		if err != nil || again.Source.Repository != job.Source.Repository ||
			!strings.HasPrefix(job.Source.Repository, p.url+"/git/org_") {
			t.Fatalf("%s: the repository is %q, then %+v %v", one.Name, job.Source.Repository, again, err)
		}
		if one.Source.Repository == nil || *one.Source.Repository != job.Source.Repository {
			t.Errorf("%s: the project's source is %+v, its job's %q", one.Name, one.Source, job.Source.Repository)
		}
		for _, version := range []string{"0", "1", "2"} {
			to := filepath.Join(t.TempDir(), "clone")
			if out, err := gitWith(t, key, "-c", "protocol.version="+version, "clone", job.Source.Repository,
				to); err != nil {
				t.Fatalf("%s, protocol %s: %v\n%s", one.Name, version, err, out)
			}
			if _, err := os.Stat(filepath.Join(to, "docs.json")); err != nil {
				t.Errorf("%s, protocol %s: %v", one.Name, version, err)
			}
			if out, err := gitWith(t, key, "-C", to, "-c", "protocol.version="+version, "fetch", "--quiet", "--prune",
				"origin"); err != nil {
				t.Errorf("%s, protocol %s: fetch: %v\n%s", one.Name, version, err, out)
			}
			if out, err := gitWith(t, key, "-C", to, "push", "origin", "HEAD:refs/heads/mine"); err == nil ||
				!strings.Contains(out, "403") {
				t.Errorf("%s: a push results in %v\n%s", one.Name, err, out)
			}
		}
		p.checkRefusedClones(job.Source.Repository, key, narrow)
	}
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil || w.Close() != nil {
		t.Fatal("pack")
	}
	return b.String()
}

// checkRefusedClones requests a repository with keys that may not read it, and in ways that git never uses.
func (p *process) checkRefusedClones(address, key, narrow string) {
	t := p.t
	t.Helper()
	other := command(t, nil, "org", "create", "Others", "--plan", "enterprise", "--data", p.data)
	foreign := command(t, nil, "keys", "create", "--data", p.data, "--organization", other)
	refs := "/info/refs?service=git-upload-pack"
	ask := func(key, method, address, kind, body string) (int, http.Header, string) {
		r, err := http.NewRequestWithContext(background(), method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		if strings.HasPrefix(body, "\x1f\x8b") {
			r.Header.Set("Content-Encoding", "gzip")
		}
		if key != "" {
			r.SetBasicAuth("git", key)
		}
		answer := do(t, r)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, answer.Header, string(text)
	}
	if status, header, _ := ask("", "GET", address+refs, "", ""); status != http.StatusUnauthorized ||
		!strings.HasPrefix(header.Get("WWW-Authenticate"), "Basic ") {
		t.Errorf("without a key: %d %v", status, header)
	}
	if status, _, body := ask(narrow, "GET", address+refs, "", ""); status != http.StatusForbidden {
		t.Errorf("a key that may only search: %d %s", status, body)
	}
	status, header, body := ask(foreign, "GET", address+refs, "", "")
	none := address[:len(address)-6] + "aa.git"
	for _, same := range []string{none, strings.TrimSuffix(address, ".git"),
		p.url + "/git/" + other + "/../" + strings.TrimPrefix(address, p.url+"/git/")} {
		gotStatus, gotHeader, gotBody := ask(foreign, "GET", same+refs, "", "")
		if status != http.StatusNotFound || gotStatus != status || gotBody != body ||
			gotHeader.Get("Content-Type") != header.Get("Content-Type") {
			t.Errorf("a foreign repository: %d %q, %s: %d %q", status, body, same, gotStatus, gotBody)
		}
	}
	own, _, _ := strings.Cut(address, ".git")
	const kind = "application/x-git-upload-pack-request"
	for name, c := range map[string]struct {
		method, address, kind, body string
		want                        int
	}{
		"no request of git": {"POST", own + ".git/git-upload-pack", "text/plain", "0000",
			http.StatusUnsupportedMediaType},
		"a path out":   {"GET", own + ".git/../../secret" + refs, "", "", http.StatusNotFound},
		"a file of it": {"GET", own + ".git/config", "", "", http.StatusNotFound},
		"writing": {"POST", own + ".git/git-receive-pack", "application/x-git-receive-pack-request", "0000",
			http.StatusForbidden},
	} {
		if status, _, body := ask(key, c.method, c.address, c.kind, c.body); status != c.want {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	// unpacked, it exceeds the limit; git itself may refuse its first line
	large := packed(t, strings.Repeat("0032want "+strings.Repeat("0", 40)+"\n", 400_000))
	if status, _, body := ask(key, "POST", own+".git/git-upload-pack", kind,
		large); status != http.StatusRequestEntityTooLarge && !strings.Contains(body, "ERR upload-pack: not our ref") {
		t.Errorf("a large request: %d %s", status, body)
	}
	if status, _, body := ask(key, "POST", own+".git/git-upload-pack", kind, "zzzz"); status < 400 ||
		bytes.Contains([]byte(body), []byte(p.data)) {
		t.Errorf("nonsense: %d %s", status, body)
	}
	if status, _, body := ask(key, "GET", address, "", ""); status != http.StatusOK ||
		!strings.Contains(body, "git clone") {
		t.Errorf("in a browser: %d %s", status, body)
	}
}
