package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

func scriptedSite(t *testing.T) string {
	t.Helper()
	files := siteFiles()
	files["guides/start.mdx"] = "---\ntitle: Start\n---\n\nThe sum is {[20, 22].reduce((a, b) => a + b)}. Data is {1 + 2}.\n"
	return write(t, files)
}

// C2: commands run author code in a separate process; this test program can be that process because TestMain sets it
// up.
func TestExportRunsAuthorCode(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "site")
	invoke(t, "export", scriptedSite(t), "--out", out).want(t, codeOK)
	if page := read(t, filepath.Join(out, "guides/start.html")); !strings.Contains(page, "The sum is 42. Data is 3.") {
		t.Errorf("page %s", page)
	}
}

// C1: if author code is off, the site is still written, and each location where code was left out is reported.
func TestScriptsOffBuildsWithoutAuthorCode(t *testing.T) {
	t.Parallel()
	dir := scriptedSite(t)
	for _, args := range [][]string{{"export", dir, "--scripts", "off"}, {"LECTERN_SCRIPTS=off", "export", dir}} {
		out := filepath.Join(t.TempDir(), "site")
		invoke(t, append(args, "--out", out)...).want(t, codeOK, "guides/start.mdx:5:12", "script-off")
		if page := read(t, filepath.Join(out, "guides/start.html")); !strings.Contains(page,
			"The sum is . Data is 3.") {
			t.Errorf("page %s", page)
		}
	}
	if a := invoke(t, "check", dir, "--scripts", "off", "--strict").
		want(t, codeFailed); !strings.Contains(a.stdout, "script-off") {
		t.Errorf("check says %s", a.stdout)
	}
	invoke(t, "LECTERN_SCRIPTS=off", "check", dir, "--scripts", "process", "--strict").want(t, codeOK)
	invoke(t, "check", dir, "--scripts", "on").want(t, codeUsage, "scripts: must be one of process, off")
}
