package git

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// C11: no content of a repository is executed, followed to outside of it, or rewritten.
func TestHostileRepositoryRunsNoCode(t *testing.T) {
	pwned := filepath.Join(t.TempDir(), "pwned")
	touch := "#!/bin/sh\ntouch " + pwned + "\n"
	lfs := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("0", 64) + "\nsize 5\n"
	s := newSource(t, map[string]string{
		"a.md": "line\r\n$Id$ $Format:%H$\n", "hidden.md": "kept", "big.bin": lfs, "--upload-pack=touch x": "odd",
		"dir/b.md":   "b",
		".lfsconfig": "[lfs]\n\turl = http://127.0.0.1:1/\n",
	})
	s.write(map[string]string{ // added after the files, because it would change their bytes
		".gitattributes": "*.md export-subst filter=evil ident text eol=lf\nhidden.md export-ignore\n*.bin filter=lfs diff=lfs merge=lfs\n",
	})
	for name, target := range map[string]string{
		"docs.json": "/etc/passwd", "up": "../../../../etc/passwd", "in.md": "dir/b.md", "tree": "dir", "loop": "loop",
		"self": ".",
	} {
		if err := os.Symlink(target, filepath.Join(s.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	git(t, s.dir, "update-index", "--add", "--cacheinfo", "160000,"+git(t, s.dir, "rev-parse", "HEAD")+",sub")
	s.write(map[string]string{
		".gitmodules": "[submodule \"sub\"]\n\tpath = sub\n\turl = https://example.com/x.git\n\tupdate = !touch " +
			pwned + "\n"})
	git(t, s.dir, "add", ".gitattributes", "docs.json", "up", "in.md", "tree", "loop", "self")
	git(t, s.dir, "commit", "-q", "-m", "links")
	for _, hook := range []string{"post-checkout", "post-update", "pre-receive", "reference-transaction", "post-merge",
		"fsmonitor-watchman"} {
		p := filepath.Join(s.dir, ".git", "hooks", hook)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(touch), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for key, value := range map[string]string{
		"filter.evil.smudge": "touch " + pwned, "filter.evil.required": "true", "uploadpack.packObjectsHook": "touch " +
			pwned,
		"core.fsmonitor": "touch " + pwned, "core.sshCommand": "touch " + pwned, "core.gitProxy": "touch " + pwned,
		"core.alternateRefsCommand": "touch " + pwned,
	} {
		git(t, s.dir, "config", key, value)
	}
	snap, got := snapshot(t, localCache(t), Remote{Local: true, URL: "file://" + s.dir})
	want := map[string]string{
		"a.md": "line\r\n$Id$ $Format:%H$\n", "hidden.md": "kept", "big.bin": lfs, "--upload-pack=touch x": "odd",
		"dir/b.md": "b", "in.md": "b", "tree/b.md": "b",
		".gitattributes": got[".gitattributes"], ".lfsconfig": got[".lfsconfig"],
	}
	if !maps.Equal(got, want) {
		t.Errorf("files\n%q, want\n%q", got, want)
	}
	codes := map[string]string{}
	for _, d := range snap.Diagnostics {
		codes[d.File] = d.Code
	}
	if want := map[string]string{"docs.json": "link_skipped", "up": "link_skipped", "loop": "link_skipped",
		"self": "link_skipped", "sub": "submodule_skipped"}; !maps.Equal(codes, want) {
		t.Errorf("reported %v, want %v", codes, want)
	}
	if _, err := os.Stat(pwned); err == nil {
		t.Error("the repository ran a program")
	}
}

// C11: names that lead out of the tree are refused when git receives the objects.
func TestTreesWithUnsafeNamesAreRefused(t *testing.T) {
	for _, name := range []string{"..", ".git", ".GIT", ".git\u200c"} {
		s := newSource(t, page)
		blob := gitInput(t, s.dir, "x", "hash-object", "-w", "--stdin")
		raw := strings.Builder{}
		raw.WriteString("100644 " + name + "\x00")
		for i := 0; i < len(blob); i += 2 {
			var b byte
			if _, err := fmt.Sscanf(blob[i:i+2], "%02x", &b); err != nil {
				t.Fatal(err)
			}
			raw.WriteByte(b)
		}
		tree := gitInput(t, s.dir, raw.String(), "hash-object", "-t", "tree", "-w", "--stdin", "--literally")
		commit := git(t, s.dir, "commit-tree", "-m", "evil", tree)
		git(t, s.dir, "update-ref", "refs/heads/evil", commit)
		_, err := localCache(t).Snapshot(t.Context(), Remote{Local: true, URL: s.dir, Branch: "evil"}, folder(t, t.TempDir()))
		if !fault.HasCode(err, "repository_invalid") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// C11: a few small trees that each contain the next one ten times have 10^10 files.
func TestTreeBombHitsFileLimit(t *testing.T) {
	s := newSource(t, page)
	mode, kind, id := "100644", "blob", gitInput(t, s.dir, "x", "hash-object", "-w", "--stdin")
	for range 10 {
		var lines strings.Builder
		for i := range 10 {
			fmt.Fprintf(&lines, "%s %s %s\tn%d\n", mode, kind, id, i)
		}
		mode, kind, id = "040000", "tree", gitInput(t, s.dir, lines.String(), "mktree")
	}
	git(t, s.dir, "update-ref", "refs/heads/bomb", git(t, s.dir, "commit-tree", "-m", "bomb", id))
	c := newCache(t, nil, Options{Limits: sourcetree.Limits{Files: 1000}})
	if _, err := c.Snapshot(t.Context(), Remote{Local: true, URL: s.dir, Branch: "bomb"},
		folder(t, t.TempDir())); !fault.HasCode(err, "source_too_many_files") {
		t.Fatal(err)
	}
}

// C11: sizes are limited twice: for downloads by git, and for the content of a snapshot.
func TestLargeRepositoriesStopAtTheirLimits(t *testing.T) {
	noise := make([]byte, 8<<20)
	state := uint64(1)
	for i := range noise { // does not compress
		state = state*6364136223846793005 + 1442695040888963407
		noise[i] = byte(state >> 56)
	}
	s := newSource(t, map[string]string{"big.bin": string(noise), "a.md": "a"})
	small := newCache(t, nil, Options{MaxBytes: 1 << 20})
	for range 2 {
		if _, err := small.Snapshot(t.Context(), Remote{Local: true, URL: s.dir}, folder(t, t.TempDir())); !fault.HasCode(err,
			"repository_too_large") {
			t.Errorf("download: %v", err)
		}
	}
	total := newCache(t, nil, Options{Limits: sourcetree.Limits{Bytes: 1 << 20}})
	if _, err := total.Snapshot(t.Context(), Remote{Local: true, URL: s.dir}, folder(t, t.TempDir())); !fault.HasCode(err,
		"source_too_large") {
		t.Errorf("all files: %v", err)
	}
	each := newCache(t, nil, Options{Limits: sourcetree.Limits{FileBytes: 1 << 20}})
	snap, files := snapshot(t, each, Remote{Local: true, URL: s.dir})
	if len(files) != 1 || len(snap.Diagnostics) != 1 || snap.Diagnostics[0].Code != "file_too_large" {
		t.Errorf("one file: %d files, %v", len(files), snap.Diagnostics)
	}
}

// F3: a redirect to a private address is not followed, and one to another origin gets no password.
func TestGitRedirectsAreChecked(t *testing.T) {
	s := newSource(t, page)
	var inner atomic.Int64
	trap, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	trapServer := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inner.Add(1) })}
	go func() { _ = trapServer.Serve(trap) }()
	t.Cleanup(func() { trapServer.Close() })
	c := newCache(t, []string{"127.0.0.1"}, Options{})
	credential := &Credential{User: "reader", Password: "secret"}
	for _, to := range []string{"http://" + trap.Addr().String(), "http://[::1]:1", "http://169.254.169.254",
		"https://10.0.0.1"} {
		url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, to+r.URL.RequestURI(), http.StatusFound)
		}))
		if _, err := c.Head(t.Context(), Remote{URL: url + "/docs.git", Credential: credential}); !fault.HasCode(err,
			"address_not_allowed") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if inner.Load() != 0 {
		t.Error("the inner address was connected to")
	}

	var leaked atomic.Int64
	other := backend(t, s.root, "", "")
	otherURL := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			leaked.Add(1)
		}
		if r.URL.Path == "/locked.git/info/refs" {
			w.Header().Set("WWW-Authenticate", `Basic realm="give me"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		other.ServeHTTP(w, r)
	}))
	first := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != "secret" && strings.HasPrefix(r.URL.Path, "/asks") {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		http.Redirect(w, r, otherURL+strings.TrimPrefix(r.URL.RequestURI(), "/asks"), http.StatusFound)
	}))
	for path, code := range map[string]string{
		"/docs.git": "", "/locked.git": "repository_auth_failed", "/asks/docs.git": "redirect_not_allowed",
		"/asks/locked.git": "repository_auth_failed",
	} {
		_, err := c.Head(t.Context(), Remote{URL: first + path, Credential: credential})
		if code == "" && err != nil || code != "" && !fault.HasCode(err, code) {
			t.Errorf("%s: %v, want %q", path, err, code)
		}
	}
	if leaked.Load() != 0 {
		t.Error("the password went to another origin")
	}
}

// If git prints more than we read, it blocks. It is killed immediately, and the error says why. Otherwise this test
// would run until the time limit of a whole fetch.
func TestGitIsKilledWhenOutputExceedsLimit(t *testing.T) {
	s := newSource(t, page)
	message := strings.Repeat("A line of a commit message that never ends.\n", 2*maxOutput/44)
	commit := gitInput(t, s.dir, message, "commit-tree", "HEAD^{tree}", "-F", "-")
	git(t, s.dir, "update-ref", "refs/heads/main", commit)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, _, err := localCache(t).
		Made(ctx, Remote{Local: true, URL: s.dir}, commit); !fault.HasCode(err, "git_output_too_large") {
		t.Errorf("a long message: %v", err)
	}
	c := localCache(t)
	err := c.enter(ctx, Remote{Local: true, URL: s.dir}, func(ctx context.Context, j *job, m *mirror) error {
		if _, err := j.obtain(ctx, m, commit); err != nil {
			return err
		}
		b, err := j.newWorkRepo(ctx, objectsOf{common: m.path, format: formatOf(commit)})
		if err != nil {
			return err
		}
		defer b.close()
		// more than fits in a pipe, each with a response
		questions := strings.NewReader(strings.Repeat(commit+"\n", 100_000))
		_, err = b.run(ctx, nil, questions, "cat-file", "--batch")
		return err
	})
	if !fault.HasCode(err, "git_output_too_large") {
		t.Errorf("many questions: %v", err)
	}
}

// C10: git stops searching once it has found a repository, even if it cannot use that one. So do we.
func TestUnusableRepositoryIsNotReplacedByItsNeighbour(t *testing.T) {
	other := newSource(t, page)
	commit := git(t, other.dir, "rev-parse", "HEAD")
	for name, beside := range map[string]string{"x": "x.git", "y": "y.git/.git", "z/.git": "z"} {
		root := t.TempDir()
		files := source{t: t, dir: root}
		files.write(map[string]string{
			filepath.Join(name, "HEAD"):      "ref: refs/heads/main\n",
			filepath.Join(name, "config"):    "[core]\n\tbare = perhaps\n",
			filepath.Join(name, "objects/x"): "", filepath.Join(name, "refs/x"): "",
			filepath.Join(beside, "HEAD"):      "ref: refs/heads/main\n",
			filepath.Join(beside, "commondir"): filepath.Join(other.dir, ".git") + "\n",
		})
		at := filepath.Join(root, strings.TrimSuffix(name, "/.git"))
		if list, _, err := localCache(t).Repo(at).
			Merged(t.Context(), commit, "", Limit{}); !fault.HasCode(err, "repository_not_found") {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
}
