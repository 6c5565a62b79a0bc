package git

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

func TestEachFailureHasItsOwnCode(t *testing.T) {
	s := newSource(t, page)
	empty := newSource(t, nil)
	url, ca := serveTLS(t, backend(t, s.root, "reader", "right"))
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	open := newCache(t, []string{"127.0.0.1", "nowhere.invalid"}, Options{CAFile: ca})
	cases := map[string]struct {
		c    *Cache
		r    Remote
		code string
	}{
		"unknown branch":       {open, Remote{Local: true, URL: s.dir, Branch: "gone"}, "branch_not_found"},
		"empty repository":     {open, Remote{Local: true, URL: empty.dir}, "repository_empty"},
		"no such local folder": {open, Remote{Local: true, URL: s.dir + "-gone"}, "repository_not_found"},
		"no password":          {open, Remote{URL: url + "/docs.git"}, "repository_auth_failed"},
		"wrong password": {open, Remote{URL: url + "/docs.git",
			Credential: &Credential{User: "reader", Password: "wr0ng-secret"}}, "repository_auth_failed"},
		"no such repository": {open, Remote{URL: url + "/gone.git",
			Credential: &Credential{User: "reader", Password: "right"}}, "repository_not_found"},
		"nobody listens": {open, Remote{URL: "https://" + closed.Addr().String() + "/x.git"},
			"repository_unreachable"},
		"unknown host": {open, Remote{URL: "https://nowhere.invalid/x.git"}, "repository_unreachable"},
		"unknown certificate": {newCache(t, []string{"127.0.0.1"}, Options{}), Remote{URL: url + "/docs.git"},
			"repository_tls_failed"},
		"inner address": {newCache(t, nil, Options{CAFile: ca}), Remote{URL: url + "/docs.git"},
			"address_not_allowed"},
		"local not allowed": {newCache(t, nil, Options{}), Remote{URL: "file://" + s.dir},
			"local_source_not_allowed"},
		"line break in a token": {open, Remote{URL: url + "/docs.git",
			Credential: &Credential{User: "reader", Password: "right\n"}}, "bad_credential"},
		"option as a branch": {open, Remote{Local: true, URL: s.dir, Branch: "--upload-pack=touch"}, "bad_branch_name"},
	}
	for name, x := range cases {
		_, headErr := x.c.Head(t.Context(), x.r)
		_, snapErr := x.c.Snapshot(t.Context(), x.r, folder(t, t.TempDir()))
		for _, err := range []error{headErr, snapErr} {
			f, ok := fault.As(err)
			if !ok || f.Code != x.code || f.Hint == "" {
				t.Errorf("%s: %v, want %s with a hint", name, err, x.code)
				continue
			}
			if strings.Contains(f.Public+f.Hint, x.c.dir) || strings.Contains(f.Public+f.Hint, s.root) {
				t.Errorf("%s: the public text has a path: %s", name, f.Public)
			}
			if strings.Contains(err.Error(), "wr0ng-secret") {
				t.Errorf("%s: the error has the password", name)
			}
		}
	}
	if _, err := open.Snapshot(t.Context(), Remote{Local: true, URL: s.dir, Folder: "gone"},
		folder(t, t.TempDir())); !fault.HasCode(err, "folder_not_found") {
		t.Errorf("unknown folder: %v", err)
	}
	if _, err := open.Snapshot(t.Context(), Remote{Local: true, URL: s.dir, Folder: "README.md"},
		folder(t, t.TempDir())); !fault.HasCode(err, "folder_not_found") {
		t.Errorf("a file as folder: %v", err)
	}
	if _, err := open.Snapshot(t.Context(), Remote{Local: true, URL: s.dir, Folder: "../x"},
		folder(t, t.TempDir())); !fault.HasCode(err, "bad_folder") {
		t.Errorf("a folder above the root: %v", err)
	}
}

// hanging starts a server that sends no response. The channel receives a value for each request.
func hanging(t *testing.T) (string, <-chan struct{}) {
	asked := make(chan struct{}, 10)
	return serveHTTP(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	})), asked
}

func TestHangingServerTimesOut(t *testing.T) {
	url, _ := hanging(t)
	c := newCache(t, []string{"127.0.0.1"}, Options{Timeout: 300 * time.Millisecond})
	start := time.Now()
	_, err := c.Snapshot(t.Context(), Remote{URL: url + "/x.git", Branch: "main"}, folder(t, t.TempDir()))
	if !fault.HasCode(err, "repository_timeout") || time.Since(start) > 10*time.Second {
		t.Fatalf("after %v: %v", time.Since(start), err)
	}
}

func TestCancellingKillsGitAndLeavesAUsableMirror(t *testing.T) {
	s := newSource(t, page)
	real := backend(t, s.root, "", "")
	asked, release := make(chan struct{}, 10), make(chan struct{})
	url := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		default:
			if r.Method == http.MethodPost {
				_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice a closed connection
				asked <- struct{}{}
				<-r.Context().Done()
				return
			}
		}
		real.ServeHTTP(w, r)
	}))
	c := newCache(t, []string{"127.0.0.1"}, Options{})
	r := Remote{URL: url + "/docs.git", Branch: "main", Folder: "docs"}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := c.Snapshot(ctx, r, folder(t, t.TempDir()))
		done <- err
	}()
	<-asked
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	close(release)
	if _, files := snapshot(t, c, r); len(files) != 2 {
		t.Fatalf("after a cancelled fetch: %v", files)
	}
}

// A fetch that was killed together with the server leaves git's own locks behind.
func TestHalfWrittenMirrorIsFetchedAgain(t *testing.T) {
	s := newSource(t, page)
	c := localCache(t)
	r := Remote{Local: true, URL: s.dir, Folder: "docs"}
	snapshot(t, c, r)
	mirrors, err := filepath.Glob(filepath.Join(c.mirrors(), "*.git"))
	if err != nil || len(mirrors) != 1 {
		t.Fatalf("mirrors %v, %v", mirrors, err)
	}
	for _, p := range []string{mirrors[0] + ".dirty", filepath.Join(mirrors[0], "shallow.lock"),
		filepath.Join(mirrors[0], "HEAD")} {
		if err := os.WriteFile(p, []byte("broken"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.commit(map[string]string{"docs/new.mdx": "new"})
	if _, files := snapshot(t, c, r); files["new.mdx"] != "new" {
		t.Fatalf("files %v", files)
	}
}

func TestConcurrentSnapshotsOfOneRepository(t *testing.T) {
	s := newSource(t, page)
	c := localCache(t)
	second, err := Open(c.dir, c.opt) // as in another process
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 8)
	for i := range cap(done) {
		use := []*Cache{c, second}[i%2]
		dst := t.TempDir()
		go func() {
			snap, err := use.Snapshot(context.Background(), Remote{Local: true, URL: s.dir, Folder: "docs"}, folder(t, dst))
			if err == nil && snap.Files != 2 {
				err = errors.New("wrong number of files")
			}
			done <- err
		}()
	}
	for range cap(done) {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestWaitingForALockedMirrorEndsWithTheContext(t *testing.T) {
	s := newSource(t, page)
	c := localCache(t)
	m, err := c.lock(t.Context(), s.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = c.Snapshot(ctx, Remote{Local: true, URL: s.dir, Branch: "main"}, folder(t, t.TempDir()))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
}

// Secrets are in no argument list, file or error.
func TestSecretsLeaveNoTrace(t *testing.T) {
	const secret = "s3cret-t0ken-value"
	s := newSource(t, page)
	url, ca := serveTLS(t, backend(t, s.root, "reader", secret))
	// The wrapper records each command line that git itself runs.
	dir := t.TempDir()
	wrapper, trace := filepath.Join(dir, "git"), filepath.Join(dir, "trace")
	script := "#!/bin/sh\necho \"$@\" >>" + trace + "\nGIT_TRACE=" + trace +
		" exec /usr/bin/env PATH=\"${PATH#*:}\" git \"$@\"\n"
	if err := os.WriteFile(wrapper, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	c := newCache(t, []string{"127.0.0.1"}, Options{CAFile: ca, Git: wrapper})
	snapshot(t, c, Remote{URL: url + "/docs.git", Credential: &Credential{User: "reader", Password: secret}})
	seen, err := os.ReadFile(trace)
	if err != nil || !strings.Contains(string(seen), "remote-https") {
		t.Fatalf("the trace lacks git's own commands: %v", err)
	}
	if strings.Contains(string(seen), secret) {
		t.Error("an argument contains the secret")
	}
	err = filepath.WalkDir(c.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		if strings.Contains(string(text), secret) {
			t.Errorf("%s has the secret", p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A server without git serves what it has, and reports clearly what it cannot do.
func TestMissingGitProgramIsReported(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	c := newCache(t, nil, Options{})
	if _, err := c.Head(t.Context(), Remote{Local: true, URL: "file:///srv/none"}); !fault.HasCode(err, "git_missing") {
		t.Fatal(err)
	}
}
