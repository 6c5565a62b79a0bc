package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/testkit/testgit"
)

func TestAPIChangesBecomeAnUpdate(t *testing.T) {
	t.Parallel()
	api := func(version, paths string) string {
		return "openapi: 3.1.0\ninfo: {title: A, version: " + version + "}\npaths:\n" + paths
	}
	const list = "  /a:\n    get: {summary: List, responses: {\"200\": {description: ok}}}\n"
	dir := write(t, map[string]string{"docs/api.yaml": api("1", list)})
	testgit.Run(t, dir, "init", "-q", "-b", "main")
	testgit.Run(t, dir, "add", "-A")
	testgit.Run(t, dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "First")
	file, page := filepath.Join(dir, "docs", "api.yaml"), filepath.Join(dir, "docs", "changelog.mdx")
	old := "HEAD:" + file
	invoke(t, "api-changes", old, file).want(t, 0, "Nothing changed for clients")
	if err := os.WriteFile(file, []byte(api("2", list+"  /b:\n    get: {summary: Show, responses: {\"200\": {description: ok}}}\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	a := invoke(t, "api-changes", old, file, "--into", page, "--label", "May \"1\"", "--strict").want(t, 0, "1 change, 0 of them breaking")
	if a.stdout != "**Added**\n\n- `GET /b`: Show\n" {
		t.Errorf("%q", a.stdout)
	}
	invoke(t, "api-changes", old, file, "--into", page, "--label", "May \"1\"").want(t, 0, "already has these changes")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	example := "\n```mdx\n<Update label=\"Example\">\n</Update>\n```\n\n<Update " // not an entry of this page
	if err := os.WriteFile(page, []byte(strings.Replace(string(text), "\n<Update ", example, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(api("3", "  /c:\n    get: {responses: {\"200\": {description: ok}}}\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	invoke(t, "api-changes", old, file, "--into", page, "--label", "June", "--strict").want(t, 1, "2 changes, 1 of them breaking")
	text, err = os.ReadFile(page)
	june, may := strings.Index(string(text), `<Update label="June" description="3">`), strings.Index(string(text), `<Update label="May 1" description="2">`)
	if err != nil || june < strings.Index(string(text), "Example") || may < june || !strings.HasPrefix(string(text), "---\ntitle: API changelog\n") {
		t.Errorf("%v\n%s", err, text)
	}
	invoke(t, "check", filepath.Join(dir, "docs"), "--ignore", "site-file-missing").want(t, 0, "0 errors, 0 warnings")
	invoke(t, "api-changes", page, file).want(t, 2, "is not an OpenAPI description")
	invoke(t, "api-changes", "HEAD:"+filepath.Join(dir, "docs", "none.yaml"), file).want(t, 2, "none.yaml")
	lost := api("4", "  /a:\n    get: {responses: {\"200\": {$ref: \"../none.yaml\"}}}\n")
	if err := os.WriteFile(file, []byte(lost), 0o600); err != nil {
		t.Fatal(err)
	}
	invoke(t, "api-changes", old, file).want(t, 0, "[ref-outside]")
}
