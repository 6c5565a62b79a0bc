//go:build kubernetes

package kubernetes

import (
	"fmt"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

// repository is a Git repository that pods fetch over HTTP from git's own server program, with a clone in which the
// test commits.
type repository struct {
	t     *testing.T
	clone string
	url   string // as pods reach it
}

func newRepository(t *testing.T, sentence string, pages int) *repository {
	t.Helper()
	root := t.TempDir()
	r := &repository{t: t, clone: filepath.Join(root, "handbook")}
	bare := filepath.Join(root, "served", "handbook.git")
	testgit.Run(r.t, "", "init", "-q", "--bare", "-b", "main", bare)
	testgit.Run(r.t, "", "clone", "-q", bare, r.clone)
	testgit.Run(r.t, r.clone, "checkout", "-q", "-b", "main")
	writeSite(t, r.clone, sentence)
	for i := range pages {
		page := fmt.Sprintf("---\ntitle: Page %d\n---\n\n## Section\n\nWord %d and a [link](/index).\n\n"+
			"```go\nfunc main() { println(%d) }\n```\n", i, i, i)
		if err := os.WriteFile(filepath.Join(r.clone, fmt.Sprintf("page-%d.mdx", i)), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	testgit.Run(r.t, r.clone, "add", ".")
	testgit.Run(r.t, r.clone, "commit", "-q", "-m", "First edition")
	testgit.Run(r.t, r.clone, "push", "-q", "origin", "main")
	program, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&cgi.Handler{Path: filepath.Join(string(program[:len(program)-1]), "git-http-backend"),
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(bare), "GIT_HTTP_EXPORT_ALL=1"}})
	t.Cleanup(server.Close)
	r.url = addressForPods(server.URL) + "/handbook.git"
	return r
}

// gitIdentity returns the committer's identity as variables, so that no settings file is needed.
func gitIdentity() []string {
	return []string{"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=Test",
		"GIT_COMMITTER_EMAIL=test@example.com",
		"GIT_CONFIG_GLOBAL=/dev/null"}
}
