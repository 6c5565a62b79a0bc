package cluster

import (
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// codeHost serves repositories over HTTP with git's own server program.
type codeHost struct {
	t     *testing.T
	root  string
	url   string
	heads atomic.Int64 // number of requests for the heads of branches
}

func newCodeHost(t *testing.T) *codeHost {
	t.Helper()
	h := &codeHost{t: t, root: t.TempDir()}
	backend := &cgi.Handler{Path: filepath.Join(git(t, h.root, "--exec-path"), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + h.root, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1",
			"GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/info/refs") {
			h.heads.Add(1)
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	h.url = s.URL
	return h
}

// repository is a repository of a code host.
type repository struct {
	t   *testing.T
	dir string
	url string
}

// repository creates a repository with a site of the given number of pages, whose counter is 0.
func (h *codeHost) repository(name string, pages int) *repository {
	h.t.Helper()
	r := &repository{t: h.t, dir: filepath.Join(h.root, name), url: h.url + "/" + name + "/.git"}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		h.t.Fatal(err)
	}
	git(h.t, r.dir, "init", "-q")
	var nav []string
	for i := range pages {
		page := fmt.Sprintf("page-%03d", i)
		nav = append(nav, fmt.Sprintf("%q", page))
		r.write(page+".mdx", fmt.Sprintf("---\ntitle: Page %d of %s\n---\n\nThis is page %d.\n\n%s", i, name, i,
			strings.Repeat(
				"## Part\n\nSome *text* with `code`, a [link](/page-000) and more.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```go\nfunc main() {}\n```\n\n", 3)))
	}
	r.write("docs.json", `{"name":"`+name+
		`","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index",`+strings.Join(nav, ",")+`]}}`)
	r.commit(0)
	return r
}

func (r *repository) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// commit writes a counter into the first page and returns the commit. Calls must not overlap.
func (r *repository) commit(counter int) string {
	r.t.Helper()
	r.write("index.mdx", fmt.Sprintf("---\ntitle: Home\n---\n\ncounter-%d-end\n", counter))
	git(r.t, r.dir, "add", "-A")
	git(r.t, r.dir, "commit", "-qm", fmt.Sprint(counter))
	return git(r.t, r.dir, "rev-parse", "HEAD")
}

// setHead sets the branch to a commit.
func (r *repository) setHead(commit string) { git(r.t, r.dir, "update-ref", "refs/heads/main", commit) }

// git runs the real program in a folder. It is safe for concurrent use.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := testgit.Output(dir, args...)
	if err != nil {
		t.Error(err)
	}
	return out
}
