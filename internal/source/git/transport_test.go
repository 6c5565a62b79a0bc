package git

import (
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

var page = map[string]string{"docs/index.mdx": "# Hello\n", "docs/docs.json": "{}", "README.md": "outer\n"}
var pageDocs = map[string]string{"index.mdx": "# Hello\n", "docs.json": "{}"}

// fetchTwice checks Head and Snapshot before and after a new commit.
func fetchTwice(t *testing.T, c *Cache, s source, r Remote) {
	t.Helper()
	want := git(t, s.dir, "rev-parse", "HEAD")
	for range 2 {
		head, err := c.Head(t.Context(), r)
		if err != nil || head != want {
			t.Fatalf("Head = %q, %v; want %s", head, err, want)
		}
		snap, files := snapshot(t, c, r)
		made := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
		if snap.Commit != want || snap.Branch != "main" || !snap.Time.Equal(made) || snap.Files != len(files) ||
			len(snap.Diagnostics) != 0 {
			t.Fatalf("%+v, want commit %s", snap, want)
		}
		expect := maps.Clone(pageDocs)
		if want != git(t, s.dir, "rev-list", "--max-parents=0", "HEAD") {
			expect["more.mdx"] = "more\n"
		}
		if !maps.Equal(files, expect) {
			t.Fatalf("files %v, want %v", files, expect)
		}
		want = s.commit(map[string]string{"docs/more.mdx": "more\n"})
	}
}

func TestLocalRepositoriesAreFetched(t *testing.T) {
	for _, prefix := range []string{"file://", ""} {
		s := newSource(t, page)
		fetchTwice(t, localCache(t), s, Remote{Local: true, URL: prefix + s.dir, Folder: "docs"})
	}
}

func TestHTTPSRepositoriesAreFetchedWithAPassword(t *testing.T) {
	s := newSource(t, page)
	url, ca := serveTLS(t, backend(t, s.root, "reader", "p@ss'w\"ord %$x"))
	c := newCache(t, []string{"127.0.0.1"}, Options{CAFile: ca})
	fetchTwice(t, c, s, Remote{URL: url + "/docs.git", Branch: "main", Folder: "/docs/",
		Credential: &Credential{User: "reader", Password: "p@ss'w\"ord %$x"}})
}

func TestHTTPRepositoriesAreFetchedFromTrustedHosts(t *testing.T) {
	s := newSource(t, page)
	url := serveHTTP(t, backend(t, s.root, "x-token-auth", "token"))
	r := Remote{URL: url + "/docs.git", Folder: "docs", Credential: &Credential{Password: "token"}}
	fetchTwice(t, newCache(t, []string{"127.0.0.1"}, Options{}), s, r)
	_, err := newCache(t, nil, Options{}).Head(t.Context(), r)
	if !fault.HasCode(err, "insecure_repository_url") {
		t.Fatalf("an untrusted host: %v", err)
	}
}

func TestAServerWithoutShallowFetchesIsFetchedWhole(t *testing.T) {
	s := newSource(t, page)
	s.commit(map[string]string{"docs/index.mdx": "# Hello\n"})
	git(t, s.dir, "update-server-info")
	files := newStaticServer(t, s.root)
	_, got := snapshot(t, newCache(t, []string{"127.0.0.1"}, Options{}),
		Remote{URL: files + "/docs.git/.git", Branch: "main", Folder: "docs"})
	if !maps.Equal(got, pageDocs) {
		t.Fatalf("files %v", got)
	}
}

// startSSH starts a real ssh server on a free port, and returns the paths of the client's key and the host key.
func startSSH(t *testing.T) (port, keyFile, hostKey string) {
	t.Helper()
	program := "/usr/sbin/sshd"
	if found, err := exec.LookPath("sshd"); err == nil {
		program = found
	}
	dir := t.TempDir()
	if os.Geteuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil { // sshd requires this folder
			t.Fatal(err)
		}
	}
	keyFile, hostKey = filepath.Join(dir, "client key"), filepath.Join(dir, "host")
	for _, k := range []string{keyFile, hostKey} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", k).
			CombinedOutput(); err != nil {
			t.Fatalf("ssh-keygen: %v %s", err, out)
		}
	}
	authorized, err := os.ReadFile(keyFile + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "authorized"), authorized, 0o600); err != nil {
		t.Fatal(err)
	}
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ = net.SplitHostPort(probe.Addr().String())
	probe.Close()
	config := fmt.Sprintf(
		"ListenAddress 127.0.0.1:%s\nHostKey %s\nAuthorizedKeysFile %s\nStrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\nPasswordAuthentication no\n",
		port, hostKey, filepath.Join(dir, "authorized"))
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-D", "-e", "-f", filepath.Join(dir, "config"))
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start sshd (package openssh-server): %v", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	waitFor(t, stderr, "Server listening")
	return port, keyFile, hostKey
}

// waitFor reads r until text appears, and then continues to drain it.
func waitFor(t *testing.T, r io.Reader, text string) {
	t.Helper()
	var seen strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(seen.String(), text) {
		n, err := r.Read(buf)
		seen.Write(buf[:n])
		if err != nil {
			t.Fatalf("the server ended: %s", seen.String())
		}
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
}

func TestSSHRepositoriesAreFetchedThroughTheGuard(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A program name that every layer must quote correctly.
	odd := filepath.Join(t.TempDir(), "it's 100% odd")
	if err := os.Symlink(self, odd); err != nil {
		t.Fatal(err)
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	port, key, hostKey := startSSH(t)
	s := newSource(t, page)
	r := Remote{URL: "ssh://" + me.Username + "@127.0.0.1:" + port + s.dir, Folder: "docs",
		Credential: &Credential{SSHKeyFile: key}}
	c := newCache(t, []string{"127.0.0.1"}, Options{SelfExe: odd})
	fetchTwice(t, c, s, r)
	commit := propose(t, c, r, proposalFor(git(t, s.dir, "rev-parse", "HEAD"), change("index.mdx", "# Bye\n")))
	if got := git(t, s.dir, "rev-parse", agentBranch); got != commit {
		t.Errorf("the branch is at %s, not at %s", got, commit)
	}

	// A key given as text is passed to ssh in a file that is deleted afterwards.
	text, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	lent := r
	lent.Credential = &Credential{SSHKey: string(text)}
	if _, err := c.Head(t.Context(), lent); err != nil {
		t.Errorf("with a key as text: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(c.dir, "key-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}

	without := r
	without.Credential = nil
	if _, err := c.Head(t.Context(), without); !fault.HasCode(err, "repository_auth_failed") {
		t.Errorf("without a key: %v", err)
	}
	gone := r
	gone.URL += "-gone"
	if _, err := c.Head(t.Context(), gone); !fault.HasCode(err, "repository_not_found") {
		t.Errorf("a repository that is not there: %v", err)
	}
	missing := r
	missing.Credential = &Credential{SSHKeyFile: key + "-gone"}
	if _, err := c.Head(t.Context(), missing); !fault.HasCode(err, "repository_auth_failed") {
		t.Errorf("a key file that is not there: %v", err)
	}
	// F1: ssh's connection is checked like any other connection.
	if _, err := newCache(t, nil, Options{SelfExe: odd}).
		Head(t.Context(), r); !fault.HasCode(err, "address_not_allowed") {
		t.Errorf("an inner address: %v", err)
	}
	if _, err := newCache(t, []string{"127.0.0.1"}, Options{}).
		Head(t.Context(), r); !fault.HasCode(err, "unsupported_repository_url") {
		t.Errorf("without a program to dial with: %v", err)
	}
	// Another host key under the same name must stop the fetch.
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", hostKey+"2").
		CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v %s", err, out)
	}
	other, err := os.ReadFile(hostKey + "2.pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.knownHosts(), []byte("[127.0.0.1]:"+port+" "+string(other)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Head(t.Context(), r); !fault.HasCode(err, "host_key_changed") {
		t.Errorf("a changed host key: %v", err)
	}
}
