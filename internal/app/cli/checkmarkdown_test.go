package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckWritesChangesAsJSONAndMarkdown(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	s.commit("Drop for @team, see #12 <b>`x`</b>", map[string]string{"guides/deploy.mdx": "", "new.mdx": page("New"),
		"docs.json": `{"name": "S", "navigation": {"pages": ["index", "guides/start"]}}`})
	s.check("--json").want(t, 1).printed(t, `"code":"lost-address"`,
		`{"change":"added","address":"/new","file":"new.mdx"}`,
		`{"change":"removed","address":"/guides/deploy","file":"guides/deploy.mdx"}`)
	got := s.check("--markdown", "-").want(t, 1).printed(t, "### Docs check: 1 error, 0 warnings", "- **error** `docs.json:1:1`",
		"`lost-address`", "&lt;b&gt;\\`x\\`&lt;/b&gt;", "- removed `/guides/deploy`",
		"<br>`Add to \"redirects\" in docs.json: { \"source\": \"/guides/deploy\", \"destination\": \"/guides\" }`")
	if strings.Contains(got.stdout, "@team") || strings.Contains(got.stdout, "#12") || got.stderr != "" {
		t.Errorf("a commit can mention people and issues:\n%s%s", got.stdout, got.stderr)
	}
	file := filepath.Join(t.TempDir(), "c.md")
	s.check("--markdown", file, "--sarif", file+".sarif").want(t, 1, "1 error").printed(t, "[lost-address]")
	if read(t, file) != got.stdout || !strings.Contains(read(t, file+".sarif"), `"ruleId": "lost-address"`) {
		t.Error("the files differ from what is printed")
	}
	s.check("--markdown", "-", "--json").want(t, 2, "write to standard output")
}
