package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// H2, H9, H11: a user that does not exist in the image serves a bundle from a read-only root.
func TestStaticImageServesBundle(t *testing.T) {
	c := open(t, "lectern")
	exe := filepath.Join(t.TempDir(), "lectern")
	if err := os.WriteFile(exe, releasedProgram(t), 0o700); err != nil {
		t.Fatal(err)
	}
	output(t, exec.Command(exe, "export", site(t), "--out", filepath.Join(c.data, "site.tar.gz")))
	if err := os.Chmod(filepath.Join(c.data, "site.tar.gz"), 0o644); err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	background(t, c.lectern(context.Background(), stranger,
		[]string{"LECTERN_BUNDLE_SOURCE=/var/lib/lectern/site.tar.gz"},
		"serve-bundle", "--data", "/var/lib/lectern/bundles", "--listen", address), "http://"+address)
	if code, body := get("http://"+address, "/", ""); code != http.StatusOK ||
		!strings.Contains(body, "Out of the image") {
		t.Errorf("the page is %d %s", code, body)
	}
}

// H11: the image has one program, no shell, and no file with special permissions.
func TestStaticImageHasOneProgram(t *testing.T) {
	c := open(t, "lectern")
	err := filepath.WalkDir(c.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, c.root+"/dev/") {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if name := strings.TrimPrefix(path, c.root); info.Mode()&0o111 != 0 && name != "/usr/bin/lectern" ||
			info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
			t.Errorf("%s has the mode %s", name, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(read(t, c.root+"/etc/ssl/certs/ca-certificates.crt"), []byte("BEGIN CERTIFICATE")); n < 100 {
		t.Errorf("the image has %d certificates", n)
	}
}

// H2, H9: the platform image fetches, builds and serves a repository as a user that does not exist in it.
func TestPlatformImagePublishesRepository(t *testing.T) {
	c := open(t, "lectern-platform")
	bareRepository(t, filepath.Join(c.data, "docs.git"))
	address := freeAddress(t)
	env := []string{"LECTERN_LISTEN=" + address, "LECTERN_SOURCES_LOCAL=on", "LECTERN_METRICS_LISTEN=off",
		"LECTERN_FIRST_SITE=off", "LECTERN_DATA=/var/lib/lectern/state"}
	background(t, c.lectern(context.Background(), stranger, env, "serve"), "http://"+address)
	key := strings.TrimSpace(output(t, c.lectern(t.Context(), stranger, env, "keys", "create")))
	client := []string{"LECTERN_URL=http://" + address, "LECTERN_KEY=" + key}
	output(t, c.lectern(t.Context(), stranger, append(client, env...), "projects", "create", "--name", "Docs",
		"--domain", "docs.example.test",
		"--repository", "file:///var/lib/lectern/docs.git", "--wait"))
	if code, body := get("http://"+address, "/", "docs.example.test"); code != http.StatusOK ||
		!strings.Contains(body, "Out of the image") {
		t.Errorf("the page is %d %s", code, body)
	}
}

// The parts of git that need other libraries work: https with the image's own certificates or others, and ssh.
func TestPlatformImageSupportsHTTPSAndSSH(t *testing.T) {
	c := open(t, "lectern-platform")
	repository := filepath.Join(t.TempDir(), "docs.git")
	bareRepository(t, repository)
	output(t, exec.Command("git", "-C", repository, "update-server-info"))
	server := httptest.NewTLSServer(http.FileServer(http.Dir(filepath.Dir(repository))))
	defer server.Close()
	trusted := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(filepath.Join(c.data, "ca.pem"), trusted, 0o644); err != nil {
		t.Fatal(err)
	}
	ask := func(env ...string) *exec.Cmd {
		return c.command(t.Context(), stranger, append(env, "HOME=/tmp"), "/usr/bin/git", "ls-remote",
			server.URL+"/docs.git")
	}
	if out := output(t, ask("GIT_SSL_CAINFO=/var/lib/lectern/ca.pem")); !strings.Contains(out, "refs/heads/main") {
		t.Errorf("git prints %q", out)
	}
	if out, err := ask().CombinedOutput(); err == nil || !strings.Contains(string(out), "certificate") {
		t.Errorf("a server without a known certificate authority is trusted: %v\n%s", err, out)
	}
	// Nothing listens there. The message from ssh shows that it tried to connect.
	_, port, _ := strings.Cut(freeAddress(t), ":")
	out, err := c.command(t.Context(), "65532:65532", nil, "/usr/bin/ssh", "-F", "/dev/null", "-o", "BatchMode=yes",
		"-p", port, "127.0.0.1").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "Connection refused") {
		t.Errorf("ssh prints %v\n%s", err, out)
	}
}

// site returns a docs folder.
func site(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	config, err := json.Marshal(map[string]any{"name": "Small", "theme": "mint",
		"colors": map[string]string{"primary": "#0055aa"}, "navigation": map[string]any{"pages": []string{"index"}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{"docs.json": string(config),
		"index.mdx": "---\ntitle: Home\n---\n\nOut of the image.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// bareRepository creates a world-readable repository with the site.
func bareRepository(t *testing.T, at string) {
	t.Helper()
	work := site(t)
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"}, {"add", "."},
		{"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "a site"},
		{"clone", "--quiet", "--bare", work, at},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = work, append(cmd.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		output(t, cmd)
	}
	if err := filepath.WalkDir(at, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	}); err != nil {
		t.Fatal(err)
	}
}
