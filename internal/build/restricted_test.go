package build

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// C7: neither the content nor the existence of a restricted page is in any file of the output.
func TestRestrictedPageIsInNoOutputFile(t *testing.T) {
	site := map[string]string{
		"docs.json":             `{"name": "x", "navigation": {"groups": [{"group": "g", "pages": ["index", "plans/canary-path", "log", "open"]}], "global": {"tabs": [{"tab": "API", "openapi": "api.json"}]}}}`,
		"index.mdx":             "---\ntitle: Home\n---\n\nHello.\n",
		"log.mdx":               "---\ntitle: Log\nrss: true\n---\n\n<Update label=\"v1\">New.</Update>\n",
		"open.mdx":              "---\ntitle: Open\ngroups: [staff]\npublic: true\n---\n\nFor everybody.\n",
		"plans/canary-path.mdx": "---\ntitle: canary-title\ndescription: canary-text\nkeywords: [canary-word]\nrss: true\ngroups: [staff]\n---\n\n## canary-heading\n\ncanary-body\n\n<Update label=\"canary-update\">x</Update>\n",
		"api.json":              `{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/open": {"get": {"summary": "Open"}}, "/canary-call": {"get": {"summary": "canary-call", "x-mint": {"groups": ["staff"]}}}}}`,
	}
	out, report := build(t, files(site),
		Options{Links: link.Clean, BaseURL: "https://docs.example.com", Manifest: true})
	reported := 0
	for _, d := range report.Diagnostics {
		if d.Code == "restricted-page" {
			reported++
		}
	}
	if reported != 2 || len(out.files) < 5 {
		t.Fatalf("%d files, findings %v", len(out.files), report.Diagnostics)
	}
	// public: true is stronger
	if !strings.Contains(out.files["llms.txt"], "/open.md") || out.files["open.html"] == "" {
		t.Errorf("the public page is not there: %s", out.files["llms.txt"])
	}
	for name, data := range out.files {
		if strings.Contains(name, "canary") || strings.Contains(data, "canary") {
			t.Errorf("%s tells of a page for some readers", name)
		}
	}
}
