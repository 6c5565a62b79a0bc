package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

const remoteSpec = `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/pets": {"get": {"summary": "List pets"}}}}`

// remoteDocs returns a docs folder with an API description on a real host, and a function that changes the host's
// response.
func remoteDocs(t *testing.T) (dir string, says func(text string)) {
	t.Helper()
	var answer atomic.Value
	answer.Store(remoteSpec)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(answer.Load().(string)))
	}))
	t.Cleanup(host.Close)
	dir = t.TempDir()
	for name, text := range map[string]string{"index.mdx": "Hello.\n",
		"docs.json": `{"name": "T", "navigation": {"groups": [{"group": "API", "openapi": "` + host.URL +
			`/x.json"}]}}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, func(text string) { answer.Store(text) }
}

// F8: without a server, an invalid description fails the export and leaves the previous output; check reports it as an
// error with its position. Without --fetch no request is made, and that is a warning.
func TestExportAndCheckFailOnABadRemoteDescription(t *testing.T) {
	t.Parallel()
	dir, says := remoteDocs(t)
	out := filepath.Join(t.TempDir(), "site")
	fetching := []string{"--fetch", "--allow-address", "127.0.0.1"}
	invoke(t, append([]string{"export", dir, "--out", out}, fetching...)...).want(t, 0)
	page := filepath.Join(out, "api-reference", "list-pets.html")
	before := read(t, page)
	invoke(t, append([]string{"check", dir}, fetching...)...).want(t, 0)
	says(remoteSpec[:60])
	a := invoke(t, append([]string{"export", dir, "--out", out}, fetching...)...).want(t, 1)
	if !strings.Contains(a.stderr, "docs.json:1:") || !strings.Contains(a.stderr, "spec-syntax") ||
		read(t, page) != before {
		t.Errorf("%q", a.stderr)
	}
	a = invoke(t, append([]string{"check", dir}, fetching...)...).want(t, 1)
	if !strings.Contains(a.stdout, "error: The API description at http://127.0.0.1") {
		t.Errorf("%q", a.stdout)
	}
	a = invoke(t, "check", dir, "--fetch").want(t, 1) // an address of this machine, without permission
	if !strings.Contains(a.stdout, "--allow-address") {
		t.Errorf("%q", a.stdout)
	}
	if a = invoke(t, "check", dir).want(t, 0); !strings.Contains(a.stdout, "warning") ||
		!strings.Contains(a.stdout, "spec-not-fetched") {
		t.Errorf("%q", a.stdout)
	}
	invoke(t, "check", dir, "--fetch", "--allow-address", "a/b/c").want(t, 2)
}
