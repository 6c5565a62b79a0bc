package build

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// specWithCanaries has one operation for everyone, and others for some readers only. The word "canary" is in every part
// of the description from which the restricted operations could leak.
const specWithCanaries = `
openapi: 3.1.0
info: {title: A, version: "1"}
tags: [{name: open}, {name: canary, description: canary}]
x-tagGroups: [{name: canary, tags: [canary]}]
paths:
  /open:
    summary: canary and others
    get:
      summary: Open
      tags: [open]
      x-mint: {metadata: {title: Open}}
      security: [{key: []}]
      callbacks:
        done: {"{$request.body#/url}": {post: {summary: Told, responses: {"200": {$ref: "#/components/responses/Linked"}}}}}
        hidden: {"{$request.body#/hidden}": {$ref: "#/components/pathItems/Canary"}}
        other: {"{$request.body#/other}": {$ref: "#/paths/~1secret-canary"}}
      responses:
        default: {$ref: "#/components/responses/Linked"}
        "200":
          description: Yes
          content: {application/json: {schema: {$ref: "#/components/schemas/Shared"}}}
          links: {next: {operationId: canaryOperation}}
    post:
      operationId: canaryOperation
      summary: canary
      tags: [canary]
      x-mint: {groups: [staff]}
      security: [{canaryScheme: []}]
      requestBody: {$ref: "#/components/requestBodies/Canary"}
      responses: {"200": {description: Yes, content: {application/json: {schema: {$ref: "#/components/schemas/Shared"}}}}}
  /secret-canary:
    $ref: "#/components/pathItems/Canary"
components:
  securitySchemes: {key: {type: http, scheme: bearer}, canaryScheme: {type: http, scheme: basic, description: canary}}
  pathItems: {Canary: {get: {summary: canary, x-mint: {groups: [staff]}}}}
  responses: {Linked: {description: Linked, links: {next: {operationRef: "#/paths/~1secret-canary/get"}}}}
  requestBodies: {Canary: {content: {application/json: {schema: {$ref: "#/components/schemas/Canary"}}}}}
  schemas:
    Shared: {type: object, properties: {kind: {$ref: "#/components/schemas/Kind"}, links: {items: {$ref: "#/components/schemas/Kind"}}}}
    Kind: {type: string, description: Sort of thing}
    Canary: {type: object, description: canary, properties: {deep: {$ref: "#/components/schemas/CanaryDeep"}}}
    CanaryDeep: {type: string, enum: [canary]}
    Unused: {type: string, description: canary}
`

// The published description contains only the operations that readers may see, and llms.txt links to it.
func TestDescriptionIsPublishedWithoutWithheldOperations(t *testing.T) {
	site := files(map[string]string{"index.mdx": "---\ntitle: Home\n---\n\nHello.\n", "api.yaml": specWithCanaries,
		"docs.json": `{"name": "x", "navigation": {"pages": ["index"], "tabs": [{"tab": "API", "openapi": "/api.yaml"}]}}`})
	out, _ := build(t, site, Options{BaseURL: "https://docs.example.com"})
	var got struct {
		Paths      map[string]map[string]any
		Tags       []map[string]string
		Components map[string]map[string]any
	}
	if err := json.Unmarshal([]byte(out.files["api.yaml"]), &got); err != nil {
		t.Fatalf("%v: %s", err, out.files["api.yaml"])
	}
	if len(got.Paths) != 1 || len(got.Paths["/open"]) != 1 || len(got.Tags) != 1 || len(got.Components["schemas"]) != 2 ||
		len(got.Components["securitySchemes"]) != 1 || len(got.Components["responses"]) != 1 {
		t.Errorf("%s", out.files["api.yaml"])
	}
	if strings.Contains(out.files["api.yaml"], "canaryOperation") || !strings.Contains(out.files["api.yaml"], `"links": {`) || !strings.Contains(out.files["llms.txt"], "api.yaml") {
		t.Errorf("%s\n%s", out.files["api.yaml"], out.files["llms.txt"])
	}
	staff, _ := build(t, site, Options{BaseURL: "https://docs.example.com", View: reader.New("staff")})
	if staff.files["api.yaml"] != specWithCanaries {
		t.Errorf("readers in the group get %s", staff.files["api.yaml"])
	}
}

// C7: content that only some readers may see, or that the author excludes, is in no output file. Split API
// descriptions, descriptions that no page shows, ignored machine files and long lists of rules must not leak it.
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
		"what only a withheld operation of a description uses": {
			"docs.json": `{"name": "x", "navigation": {"pages": ["index"], "tabs": [{"tab": "API", "openapi": "/api.yaml"}]}}`,
			"api.yaml":  specWithCanaries,
		},
		"an operation whose page is withheld": {
			"docs.json":  `{"name": "x", "navigation": {"groups": [{"group": "g", "openapi": "api.json", "pages": ["index", "secret", "GET /open"]}]}}`,
			"secret.mdx": "---\ntitle: canary\nopenapi: GET /c\ngroups: [staff]\n---\n",
			"api.json":   spec + `"/c": {"get": {"summary": "canary"}}}}`,
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
					t.Errorf("%s: %s contains excluded content", name, file)
				}
			}
		}
	}
}
