package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// bundleServer runs serve-bundle until it reports ready, and returns its address and a function that stops it.
func bundleServer(t *testing.T, args ...string) (address string, end func() runResult) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	_ = l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan runResult, 1)
	go func() { done <- invokeWith(ctx, append(args, "--listen", address)...) }()
	limit, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	for {
		if code, _ := fetchFrom(address, "/readyz"); code == http.StatusOK {
			return "http://" + address, func() runResult { cancel(); return <-done }
		}
		select {
		case a := <-done:
			t.Fatalf("it ended with %d: %s", a.code, a.stderr)
		case <-limit.Done():
			cancel()
			t.Fatalf("it was never ready: %s", (<-done).stderr)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func fetchFrom(address, path string) (int, string) {
	resp, err := http.Get("http://" + strings.TrimPrefix(address, "http://") + path)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = resp.Body.Close() }()
	var b strings.Builder
	buf := make([]byte, 1<<16)
	for {
		n, err := resp.Body.Read(buf)
		if b.Write(buf[:n]); err != nil {
			return resp.StatusCode, b.String()
		}
	}
}

// untilShown waits until the first page contains the given text.
func untilShown(t *testing.T, address, text string) {
	t.Helper()
	limit, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	for {
		if _, body := fetchFrom(address, "/"); strings.Contains(body, text) {
			return
		}
		select {
		case <-limit.Done():
			t.Fatalf("%q never showed", text)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// B10, B13, B14, H10: the command serves an export, restarts without the source, upgrades, refuses invalid bundles and
// rolls back.
func TestServeBundleServesAnExport(t *testing.T) {
	bundle, data := filepath.Join(t.TempDir(), "site.tar.gz"), t.TempDir()
	export := func(version string) {
		t.Helper()
		docs := write(t, map[string]string{
			"docs.json":      `{"name":"S","theme":"mint","colors":{"primary":"#0F766E"},"navigation":{"pages":["index","team/index"]},"redirects":[{"source":"/old","destination":"/team"}]}`,
			"index.mdx":      "---\ntitle: Home\n---\nThis is " + version + ".\n",
			"team/index.mdx": "---\ntitle: Team\n---\n[Home](/)\n"})
		invoke(t, "export", docs, "--out", bundle, "--label", version, "--no-cache", "--scripts", "off").want(t, 0)
	}
	shows := func(address, path, text string) {
		t.Helper()
		if code, body := fetchFrom(address, path); code != http.StatusOK || !strings.Contains(body, text) {
			t.Errorf("%s: %d without %q", path, code, text)
		}
	}
	export("v1")
	address, end := bundleServer(t, "serve-bundle", "--source", bundle, "--data", data, "--version", "v1",
		"--base-path", "/docs")
	shows(address, "/docs/", "This is v1")
	shows(address, "/docs/old", "Team")
	end().want(t, 0)
	export("v2")
	address, end = bundleServer(t, "LECTERN_BUNDLE_SOURCE="+bundle, "serve-bundle", "--data", data, "--version", "v1")
	shows(address, "/", "This is v1")
	end().want(t, 0, "bundle refused", "v2")
	link := filepath.Join(write(t, map[string]string{"link": bundle + "\n"}), "link")
	address, end = bundleServer(t, "serve-bundle", "--source-file", link, "--data", data)
	shows(address, "/", "This is v2")
	old := bundle
	bundle = filepath.Join(t.TempDir(), "other.tar.gz")
	export("v3")
	if err := errors.Join(os.WriteFile(link, []byte(bundle), 0o644), os.Remove(old),
		syscall.Kill(os.Getpid(), syscall.SIGHUP)); err != nil {
		t.Fatal(err)
	}
	untilShown(t, address, "This is v3")
	invoke(t, "serve-bundle", "rollback", "--data", data).want(t, 0)
	untilShown(t, address, "This is v2")
	end().want(t, 0, "switched")
	if err := os.Remove(bundle); err != nil {
		t.Fatal(err)
	}
	address, end = bundleServer(t, "serve-bundle", "--source", bundle, "--data", data, "--check", "full")
	shows(address, "/", "This is v2")
	end().want(t, 0, "still serving the last verified one")
	list := invoke(t, "serve-bundle", "versions", "--data", data).want(t, 0).stdout
	if lines := strings.Split(strings.TrimSpace(list), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "v3") ||
		!strings.HasSuffix(strings.TrimSpace(lines[1]), "current") {
		t.Errorf("versions:\n%s", list)
	}
}

// H10: without --label, the version of a bundle is derived from its content and can be pinned; the same files have the
// same version, byte for byte, in any folder.
func TestExportWithoutALabelCanBePinned(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"docs.json": `{"name":"S","theme":"mint","colors":{"primary":"#0F766E"},"navigation":{"pages":["index"]}}`,
		"index.mdx": "---\ntitle: Home\n---\nThis is it.\n"}
	var made []exportResult
	var archives []string
	for range 2 {
		docs := write(t, files)
		out := filepath.Join(docs, "site.tar.gz") // inside the docs: it must not affect the version
		for range 2 {
			var result exportResult
			a := invoke(t, "export", docs, "--out", out, "--no-cache", "--scripts", "off", "--json").want(t, 0)
			if err := json.Unmarshal([]byte(a.stdout), &result); err != nil {
				t.Fatal(err)
			}
			made = append(made, result)
		}
		archives = append(archives, out)
	}
	for _, m := range made {
		if !regexp.MustCompile(`^tree-[0-9a-f]{12}$`).MatchString(m.Version) || m.Version != made[0].Version ||
			m.SHA256 != made[0].SHA256 {
			t.Errorf("%s %s, and the first is %s %s", m.Version, m.SHA256, made[0].Version, made[0].SHA256)
		}
	}
	address, end := bundleServer(t, "serve-bundle", "--source", archives[0], "--data", t.TempDir(), "--version",
		made[0].Version)
	untilShown(t, address, "This is it")
	end().want(t, 0)
}

func TestServeBundleReportsProblems(t *testing.T) {
	t.Parallel()
	none, dir := filepath.Join(t.TempDir(), "none.tar.gz"), t.TempDir()
	bad := filepath.Join(write(t, map[string]string{"bad.tar.gz": "no archive"}), "bad.tar.gz")
	for _, c := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"serve-bundle"}, 2, "source: the source of the bundle is missing."},
		{[]string{"serve-bundle", "--source", none, "--data", dir, "--listen", "127.0.0.1:0"}, 4, "cannot be opened"},
		{[]string{"serve-bundle", "--source", bad, "--data", dir, "--listen", "127.0.0.1:0"}, 1,
			"neither a tar.gz nor a zip"},
		{[]string{"serve-bundle", "--source", "ftp://x/y?secret", "--data", dir}, 2,
			"must be a file, an http or https address, or s3"},
		{[]string{"serve-bundle", "--source", "s3://bucket", "--data", dir}, 2, "must be s3://BUCKET/KEY"},
		{[]string{"serve-bundle", "--source", bad, "--sha256", "12", "--data", dir}, 2, "64 hex digits"},
		{[]string{"serve-bundle", "--source", bad, "--keep", "1", "--data", dir}, 2, "at least 2"},
		{[]string{"serve-bundle", "--source", bad, "--base-path", "docs", "--data", dir}, 2,
			"is not a path such as /docs"},
		{[]string{"serve-bundle", "versions", "--data", none}, 4, "There are no bundles"},
		{[]string{"serve-bundle", "rollback", "--data", dir}, 4, "No version older"},
	} {
		if a := invoke(t, c.args...).want(t, c.code, c.text); strings.Contains(a.stderr, "secret") {
			t.Errorf("the link is printed: %s", a.stderr)
		}
	}
}
