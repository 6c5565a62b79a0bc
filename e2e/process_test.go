package e2e

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/filelock"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// patience limits every wait.
const patience = lectern.Patience

// process is a running lectern process with its addresses and folder.
type process struct {
	*lectern.Process
	t        *testing.T
	url      string       // of a server
	data     string       // its data folder
	requests *http.Client // for its pages and readiness; nil = http.DefaultClient
}

func (p *process) web() *http.Client {
	if p.requests != nil {
		return p.requests
	}
	return http.DefaultClient
}

// spawn starts the binary. The process is always stopped at the end of the test.
func spawn(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	return &process{Process: lectern.Spawn(t, binary, env, args...), t: t}
}

// serve starts a server on a free port and waits until it is ready.
func serve(t *testing.T, data string, env []string, args ...string) *process {
	t.Helper()
	address := freeAddress(t)
	t.Cleanup(func() { awaitGit(t, data) }) // after the server has been killed
	p := spawn(t, env, append([]string{"serve", "--data", data, "--listen", address}, args...)...)
	p.url, p.data = "http://"+address, data
	p.Await("readiness", func() bool { return status(p.url+"/readyz") == http.StatusOK })
	return p
}

func freeAddress(t *testing.T) string { t.Helper(); return lectern.FreeAddress(t) }

func status(url string) int { return lectern.Status(url) }

func (p *process) client(key string) *client.Client {
	p.t.Helper()
	c, err := client.New(p.url, key)
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

// command runs the program until it exits and returns its standard output.
func command(t *testing.T, env []string, args ...string) string {
	t.Helper()
	return lectern.Run(t, binary, env, args...)
}

// site writes a docs folder with the given number of pages.
func site(t *testing.T, pages int) string {
	t.Helper()
	dir := t.TempDir()
	fillSite(t, dir, pages)
	return dir
}

// fillSite writes the given number of pages into an empty folder. The pages are unique to this run, because tests that
// interrupt work rely on pages that are not yet in the cache.
func fillSite(t *testing.T, dir string, pages int) {
	t.Helper()
	var nav []string
	for i := range pages {
		name := fmt.Sprintf("page-%05d", i)
		nav = append(nav, fmt.Sprintf("%q", name))
		text := fmt.Sprintf("---\ntitle: Page %d\n---\n\nThis is page %d of %s.\n\n%s", i, i, dir,
			strings.Repeat(
				"## Part\n\nSome *text* with `code`, a [link](/page-00000) and more.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n", 12))
		write(t, dir+"/"+name+".mdx", text)
	}
	write(t, dir+"/index.mdx", "---\ntitle: Home\n---\n\nWelcome.\n")
	write(t, dir+"/docs.json",
		`{"name":"Big","theme":"mint","colors":{"primary":"#0055aa"},"navigation":{"pages":["index",`+
			strings.Join(nav, ",")+`]}}`)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func background() context.Context { return context.Background() }

// awaitGit waits until no git process of a killed server writes to its data folder any more. Each of them holds the
// lock of its mirror.
func awaitGit(t *testing.T, data string) {
	t.Helper()
	locks, err := filepath.Glob(filepath.Join(data, "git", "mirrors", "*.lock"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range locks {
		f, err := os.Open(name)
		if err != nil {
			continue // it was removed with its mirror
		}
		if err := filelock.Wait(background(), f, filelock.Exclusive); err != nil {
			t.Errorf("wait for git: %v", err)
		}
		_ = f.Close()
	}
}
