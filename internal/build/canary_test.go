package build

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// C7: content that only some readers may see, or that the author excludes, is in no file of the output, however it
// could get there: split API descriptions, descriptions that no page shows, ignored machine files, long lists of rules.
func TestExcludedContentIsInNoOutputFile(t *testing.T) {
	const spec = `{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/open": {"get": {"summary": "Open"}}, `
	for name, more := range map[string]map[string]string{
		"a description by its path from the root": {
			"docs.json": `{"name": "x", "navigation": {"pages": ["index"], "tabs": [{"tab": "API", "openapi": "/api.json"}]}}`,
			"api.json":  spec + `"/canary": {"get": {"summary": "canary", "x-mint": {"groups": ["staff"]}}}}}`,
		},
		"a description of which only an open part is shown": {
			"docs.json": `{"name": "x", "navigation": {"groups": [{"group": "g", "openapi": "api.json", "pages": ["index", "GET /open"]}]}}`,
			"api.json":  spec + `"/canary": {"get": {"summary": "canary", "x-mint": {"groups": ["staff"]}}}}}`,
		},
		"a part of a description in a file of its own": {
			"docs.json":         `{"name": "x", "navigation": {"groups": [{"group": "g", "openapi": "api.json", "pages": ["index"]}, {"group": "h", "openapi": "api.json"}]}}`,
			"api.json":          spec + `"/c": {"$ref": "parts/secret.json"}}}`,
			"parts/secret.json": `{"get": {"summary": "canary", "x-mint": {"groups": ["staff"]}}}`,
		},
		"an ignored file for machines": {
			".lecternignore":                ".well-known/notes.txt\n/.lectern/\n",
			".well-known/notes.txt":         "canary",
			".lectern/skills/plan/SKILL.md": "canary",
		},
		"the last of many rules": {
			".lecternignore": strings.Repeat("x-none-*.mdx\n", 2500) + "secret.mdx\nsecret.json\n",
			"secret.mdx":     "canary", "secret.json": `"canary"`,
		},
		"the last line of a long file": {
			".lecternignore": strings.Repeat("# "+strings.Repeat("x", 98)+"\n", 1000) + "secret.mdx\n",
			"secret.mdx":     "canary",
		},
		"a related page, a listing and a link": {
			"docs.json":  `{"name": "x", "navigation": {"groups": [{"group": "g", "root": "index", "directory": "card", "pages": ["index", "secret"]}]}}`,
			"index.mdx":  "---\ntitle: Home\nrelated: [secret]\n---\n\n[x](/secret)\n",
			"secret.mdx": "---\ntitle: canary\ndescription: canary\nsidebarTitle: canary\ngroups: [staff]\n---\ncanary\n",
		},
		"a page by many spellings of groups": {
			"secret.mdx":  "---\ntitle: a\ngroups: staff\n---\ncanary\n",
			"second.mdx":  "---\ntitle: b\ngroups:\n  - staff\n---\ncanary\n",
			"fourth.mdx":  "---\ntitle: d\nGroups: [staff]\n---\ncanary\n",
			"fifth.mdx":   "---\ntitle: d\ngroups: {a: b}\n---\ncanary\n",
			"sixth.mdx":   "---\ntitle: d\ngroups: 7\n---\ncanary\n",
			"seventh.mdx": "---\ntitle: d\n\"groups\": [7]\n---\ncanary\n",
			"eighth.mdx":  "\ufeff---\ntitle: d\ngroups: [x]\n---\ncanary\n",
			"ninth.mdx":   "---\ntitle: d\ngroups: [x]\nbad: [\n---\ncanary\n",
		},
		"a snippet": {"snippets/secret.mdx": "canary", "snippets/x.json": "canary", "_snippets/a/b.md": "canary",
			"deep/snippets/y.jsx": "export const x = 'canary'"},
		"files with a dot": {".env": "canary", ".git/config": "canary", "a/.hidden/x.txt": "canary",
			".github/workflows/x.yml": "canary", "a/.htpasswd": "canary"},
	} {
		site := map[string]string{"index.mdx": "---\ntitle: Home\n---\n\nHello.\n",
			"docs.json": `{"name": "x", "navigation": {"pages": ["index"]}}`}
		for file, text := range more {
			site[file] = text
		}
		for _, style := range []link.Style{link.Clean, link.Relative} {
			out, _ := build(t, files(site), Options{Links: style, BaseURL: "https://docs.example.com", Manifest: true,
				Offers: capability.Offers{Search: true}, Modified: nil})
			if len(out.files) < 5 {
				t.Fatalf("%s: %d files", name, len(out.files))
			}
			for file, data := range out.files {
				if strings.Contains(file, "canary") || strings.Contains(data, "canary") {
					t.Errorf("%s: %s tells of it", name, file)
				}
			}
		}
	}
}
