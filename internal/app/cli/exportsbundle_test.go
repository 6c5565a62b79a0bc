package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func bundleAnswer(content string) string {
	sum := sha256.Sum256([]byte(content))
	return fmt.Sprintf(
		`200 {"jobId":"se_1","bundleUrl":"BASE/blob/x","expiresAt":"2026-01-02T03:04:05Z","sizeBytes":%d,"sha256":%q,"version":"v1","format":"tar.gz"}`, len(content), hex.EncodeToString(sum[:]))
}

// A scheduled job can use this single command where there is no shell to combine commands.
func TestExportsStartWithOutWaitsAndDownloads(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{
		"POST /v1/static-export/jobs":                           {strings.Replace(job("queued", 0), "200", "202", 1)},
		"GET /v1/static-export/jobs/se_1":                       {job("running", 40), job("completed", 100)},
		"POST /v1/static-export/jobs/se_1/bundle?format=tar.gz": {bundleAnswer("the bundle")},
		"GET /blob/x": {"200 the bundle"},
	})
	out := filepath.Join(t.TempDir(), "site.tar.gz")
	a := s.call(t, "exports", "start", "docs.example.com", "--out", out, "--json").want(t, 0)
	if read(t, out) != "the bundle" || !strings.Contains(a.stdout, `"jobId":"se_1"`) ||
		strings.Count(a.stdout, "\n") != 1 {
		t.Errorf("%q, printed %q", read(t, out), a.stdout)
	}
}

func TestFailedExportsStartKeepsExistingOutput(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{
		"POST /v1/static-export/jobs":     {strings.Replace(job("queued", 0), "200", "202", 1)},
		"GET /v1/static-export/jobs/se_1": {job("failed", 40)},
	})
	out := filepath.Join(write(t, map[string]string{"site.tar.gz": "the one before"}), "site.tar.gz")
	s.call(t, "exports", "start", "docs.example.com", "--out", out).want(t, 1, "se_1 failed")
	if got := read(t, out); got != "the one before" {
		t.Errorf("it has %q", got)
	}
}

func TestExportsLinkPrintsOnlyTheLink(t *testing.T) {
	t.Parallel()
	s := startFake(t, map[string][]string{"POST /v1/static-export/jobs/se_1/bundle": {bundleAnswer("x")}})
	if a := s.call(t, "exports", "link", "se_1").want(t, 0); !strings.HasSuffix(a.stdout, "/blob/x\n") ||
		strings.Count(a.stdout, "\n") != 1 || a.stderr != "" {
		t.Errorf("printed %q and %q", a.stdout, a.stderr)
	}
	if a := s.call(t, "exports", "link", "se_1", "--json").
		want(t, 0); !strings.Contains(a.stdout, `"expiresAt":"2026-01-02T03:04:05Z"`) {
		t.Errorf("printed %q", a.stdout)
	}
}
