package git

import (
	"context"
	"crypto/subtle"
	"encoding/pem"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// TestMain lets ssh run the test program as its ProxyCommand in place of ours.
func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == "internal-dial" {
		err := outbound.DialStdio(context.Background(), os.Args[2], os.Getenv(outbound.PasswordEnv), os.Args[3],
			os.Args[4], os.Stdin, os.Stdout)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// git runs the real program in dir, without the machine's configuration.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return gitInput(t, dir, "", args...)
}

func gitInput(t testing.TB, dir, input string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(input)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2024-05-06T07:08:09Z",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2024-05-06T07:08:09Z"}
	out, err := cmd.Output()
	if err != nil {
		var stderr []byte
		if exit, ok := err.(*exec.ExitError); ok {
			stderr = exit.Stderr
		}
		t.Fatalf("git %v: %v\n%s", args, err, stderr)
	}
	return strings.TrimSpace(string(out))
}

// source is a repository that tests write to and fetch from.
type source struct {
	t    testing.TB
	root string // folder that servers export
	dir  string // the repository, with a work tree
}

func newSource(t testing.TB, files map[string]string) source {
	t.Helper()
	root := t.TempDir()
	s := source{t: t, root: root, dir: filepath.Join(root, "docs.git")}
	git(t, root, "init", "-q", "-b", "main", s.dir)
	if files != nil {
		s.commit(files)
	}
	return s
}

func (s source) write(files map[string]string) {
	s.t.Helper()
	for name, text := range files {
		p := filepath.Join(s.dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s source) commit(files map[string]string) string {
	s.t.Helper()
	s.write(files)
	git(s.t, s.dir, "add", "-A")
	git(s.t, s.dir, "commit", "-q", "--allow-empty", "-m", "change")
	return git(s.t, s.dir, "rev-parse", "HEAD")
}

// backend serves the sources below root with git's own HTTP program. If password is not "", it requires user and
// password.
func backend(t testing.TB, root, user, password string) http.Handler {
	t.Helper()
	program := filepath.Join(git(t, root, "--exec-path"), "git-http-backend")
	h := &cgi.Handler{Path: program,
		Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1",
			"GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}, Stderr: testWriter{t}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u, p, _ := r.BasicAuth()
		if password != "" && subtle.ConstantTimeCompare([]byte(u+":"+p), []byte(user+":"+password)) != 1 {
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	})
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Logf("git-http-backend: %s", p)
	return len(p), nil
}

func serveHTTP(t testing.TB, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// serveTLS also returns a file with the server's certificate.
func serveTLS(t testing.TB, h http.Handler) (string, string) {
	t.Helper()
	s := httptest.NewTLSServer(h)
	t.Cleanup(s.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(ca, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return s.URL, ca
}

// newCache opens a cache whose proxy trusts the addresses in allow.
func newCache(t testing.TB, allow []string, opt Options) *Cache {
	t.Helper()
	guard, err := outbound.NewGuard(allow)
	if err != nil {
		t.Fatal(err)
	}
	if opt.Proxy, err = guard.Proxy(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opt.Proxy.Close() })
	c, err := Open(filepath.Join(t.TempDir(), "git cache 100%"), opt) // a path that needs quoting everywhere
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func localCache(t testing.TB) *Cache {
	t.Helper()
	return newCache(t, nil, Options{})
}

// snapshot takes a snapshot and returns its files as path → text.
func snapshot(t testing.TB, c *Cache, r Remote) (sourcetree.Snapshot, map[string]string) {
	t.Helper()
	dst := t.TempDir()
	s, err := c.Snapshot(context.Background(), r, folder(t, dst))
	if err != nil {
		f, _ := fault.As(err)
		t.Fatalf("%v (%+v)", err, f)
	}
	return s, folderText(t, dst)
}

// folderText returns the files below dst as path → text.
func folderText(t testing.TB, dst string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dst, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			t.Errorf("%s is not a regular file", p)
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dst, p)
		got[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// newStaticServer serves a repository's files without git's protocol, just like a plain web server.
func newStaticServer(t testing.TB, dir string) string {
	t.Helper()
	return serveHTTP(t, http.FileServer(http.Dir(dir)))
}

// folder returns a sink that writes into an empty folder.
func folder(t testing.TB, dst string) sourcetree.Sink {
	t.Helper()
	w, err := sourcetree.OpenWriter(dst, sourcetree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}
