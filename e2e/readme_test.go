package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	tourBlock  = regexp.MustCompile("(?ms)^## Five-minute tour\n.*?^```bash\n(.*?)^```")
	tourStarts = regexp.MustCompile(`(?m)^bin/lectern dev .*\n`) // runs until stopped
)

// The README's tour works verbatim in a folder with bin/lectern, except for the server's port and the preview command,
// which does not end.
func TestREADMETourWorks(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := tourBlock.FindStringSubmatch(string(raw))
	if m == nil || !tourStarts.MatchString(m[1]) || !strings.Contains(m[1], "http://127.0.0.1:8080") {
		t.Fatal("the README has no tour")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(dir, "bin", "lectern")); err != nil {
		t.Fatal(err)
	}
	p := serve(t, filepath.Join(dir, "lectern-data"), nil)
	for _, domain := range []string{"docs.localhost", "tour.localhost"} {
		p.Await("the site on "+domain, func() bool { code, _ := page(t, p, domain, "/"); return code == 200 })
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c",
		strings.ReplaceAll(tourStarts.ReplaceAllString(m[1], ""), "http://127.0.0.1:8080", p.url))
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the tour: %v\n%s", err, out)
	}
	link := regexp.MustCompile(`(?m)^(http\S+/proposals/\S+)$`).FindStringSubmatch(string(out))
	if link == nil {
		t.Fatalf("the tour shows no pull request:\n%s", out)
	}
	if code, shown := page(t, p, "", strings.TrimPrefix(link[1], p.url)); code != 200 ||
		strings.Contains(shown, "<ins>") {
		t.Errorf("a stranger sees the proposal: %d\n%s", code, shown)
	}
	code, shown := openPage(t, p.owner(), link[1])
	if code != 200 || !strings.Contains(shown, "<ins>") || !strings.Contains(shown, "description: ") {
		t.Errorf("the proposal's page: %d\n%s", code, shown)
	}
	for _, name := range []string{"site.tar.gz", "my-docs/docs.json", "my-site.zip"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if code, html := page(t, p, "my.localhost", "/"); code != 200 || !strings.Contains(html, "<h1") {
		t.Errorf("the tour's site: %d", code)
	}
}
