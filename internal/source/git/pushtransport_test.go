package git

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// tally records requests and counts the pushed bytes.
type tally struct {
	http.Handler
	mu     sync.Mutex
	bodies int64 // bytes of pushed packs
	auth   []string
	paths  []string
}

func (h *tally) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.auth, h.paths = append(h.auth, r.Header.Get("Authorization")), append(h.paths, r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
		h.bodies += max(r.ContentLength, 0)
	}
	h.mu.Unlock()
	h.Handler.ServeHTTP(w, r)
}

const pushSecret = "p@ss'w\"ord %$x-unlikely"

// G3, G7: tests pushes over https with a credential: a new branch, a follow-up, and the same one again.
func TestProposalsArePushedOverHTTPS(t *testing.T) {
	s := newSource(t, page)
	git(t, s.dir, "config", "http.receivepack", "true")
	url, ca := serveTLS(t, backend(t, s.root, "writer", pushSecret))
	c := newCache(t, []string{"127.0.0.1"}, Options{CAFile: ca})
	r := Remote{URL: url + "/docs.git", Branch: "main", Folder: "docs",
		Credential: &Credential{User: "writer", Password: pushSecret}}
	snap, _ := snapshot(t, c, r) // the mirror is shallow from here on
	s.commit(map[string]string{"docs/later.mdx": "main went on"})

	first := propose(t, c, r, proposalFor(snap.Commit, change("index.mdx", "# Bye\n")))
	second := propose(t, c, r, proposalFor(first, change("new.mdx", "new\n"), removal("docs.json")))
	if got := git(t, s.dir, "rev-list", "--max-count=3", agentBranch); got != second+"\n"+first+"\n"+snap.Commit {
		t.Errorf("the branch is %q", got)
	}
	if again := propose(t, c, r, proposalFor(first, change("new.mdx", "new\n"), removal("docs.json"))); again != second {
		t.Errorf("%s and then %s", second, again)
	}
	r.Branch = agentBranch
	if _, files := snapshot(t, c, r); len(files) != 2 || files["index.mdx"] != "# Bye\n" ||
		files["new.mdx"] != "new\n" {
		t.Errorf("the branch has %v", files)
	}
	git(t, s.dir, "fsck", "--strict")
}

// The server accepts the push, but the response is lost.
func TestPushWithLostResponseSucceeds(t *testing.T) {
	s := newSource(t, page)
	git(t, s.dir, "config", "http.receivepack", "true")
	real := backend(t, s.root, "", "")
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
			real.ServeHTTP(w, r)
			return
		}
		real.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler) // breaks the connection
	}))
	c := newCache(t, []string{"127.0.0.1"}, Options{})
	commit := propose(t, c, Remote{URL: url + "/docs.git"},
		proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("docs/index.mdx", "x")))
	if got := git(t, s.dir, "rev-parse", agentBranch); got != commit {
		t.Errorf("the branch is at %s", got)
	}
}

// A push sends only new objects, even from a shallow mirror, and if the base branch has moved on.
func TestPushSendsOnlyNewObjects(t *testing.T) {
	s := newSource(t, nil)
	big := make([]byte, 1<<20)
	for i := range big {
		big[i] = byte(i*i>>3 ^ i*2654435761>>7)
	}
	head := s.commit(map[string]string{"big.bin": string(big), "a.mdx": "a"})
	s.commit(map[string]string{"a.mdx": "main went on"})
	git(t, s.dir, "config", "http.receivepack", "true")
	count := &tally{Handler: backend(t, s.root, "", "")}
	r := Remote{URL: serveHTTP(t, count) + "/docs.git"}
	propose(t, newCache(t, []string{"127.0.0.1"}, Options{}), r, proposalFor(head, change("a.mdx", "b")))
	if count.bodies == 0 || count.bodies > 100<<10 {
		t.Errorf("%d bytes were pushed", count.bodies)
	}
}

// K9: a credential is sent only to its own origin, and is in no error.
func TestReadOnlyCredentialIsReportedAndKept(t *testing.T) {
	s := newSource(t, page)
	readOnly := backend(t, s.root, "reader", pushSecret)
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("service") == "git-receive-pack" {
			http.Error(w, "read only", http.StatusForbidden)
			return
		}
		readOnly.ServeHTTP(w, r)
	}))
	c := newCache(t, []string{"127.0.0.1"}, Options{})
	r := Remote{URL: url + "/docs.git", Credential: &Credential{User: "reader", Password: pushSecret}}
	p := proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("docs/index.mdx", "x"))
	_, err := c.Propose(t.Context(), r, p)
	f, ok := fault.As(err)
	if !ok || f.Code != "repository_auth_failed" || !strings.Contains(f.Hint, "write") ||
		strings.Contains(err.Error(), pushSecret) {
		t.Errorf("%v (%+v)", err, f)
	}

	thief := &tally{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
		http.Error(w, "give me your password", http.StatusUnauthorized)
	})}
	elsewhere := serveHTTP(t, thief)
	url = serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("service") == "git-receive-pack" {
			http.Redirect(w, r, elsewhere+r.URL.RequestURI(), http.StatusFound)
			return
		}
		readOnly.ServeHTTP(w, r)
	}))
	r.URL = url + "/docs.git"
	if _, err := c.Propose(t.Context(), r, p); err == nil || strings.Contains(err.Error(), pushSecret) {
		t.Errorf("%v", err)
	}
	for i, a := range thief.auth {
		if a != "" {
			t.Errorf("%s was asked with %q", thief.paths[i], a)
		}
	}
	if len(thief.auth) == 0 {
		t.Error("the redirect was not tried")
	}
	if got := refs(t, s.dir); strings.Contains(got, agentBranch) {
		t.Errorf("something was pushed: %s", got)
	}
}

// J8: cancelling a push leaves no process and no folder.
func TestStoppedPushLeavesNothing(t *testing.T) {
	s := newSource(t, page)
	git(t, s.dir, "config", "http.receivepack", "true")
	real := backend(t, s.root, "", "")
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/git-receive-pack") {
			cancel()
			<-release
			return
		}
		real.ServeHTTP(w, r)
	}))
	c := newCache(t, []string{"127.0.0.1"}, Options{})
	p, r := proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("docs/index.mdx", "x")), Remote{URL: url + "/docs.git"}
	_, err := c.Propose(ctx, r, p)
	close(release)
	if err == nil || ctx.Err() == nil {
		t.Fatalf("%v", err)
	}
	if entries, _ := filepath.Glob(filepath.Join(c.dir, "benches", "bench-*")); len(entries) != 0 {
		t.Errorf("%v", entries)
	}
	if _, err := os.Stat(filepath.Join(s.dir, ".git", "refs", "heads", "lectern")); err == nil {
		t.Error("a branch was created")
	}
}
