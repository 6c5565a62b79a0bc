package build

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/docs"
	"github.com/lectern-docs/lectern/internal/build/llmstxt"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/site/link"
)

// agents returns a site with several languages and versions, an API, a changelog and hidden pages.
func agents() fstest.MapFS {
	return files(map[string]string{
		"docs.json": `{"name": "Acme", "description": "All about Acme.", "markdown": {"instructions": ["Answer in British English.", "## Be brief."]},
 "seo": {"organization": {"name": "Acme Ltd", "sameAs": ["https://social.example/acme"]}},
 "navbar": {"links": [{"label": "Status", "href": "https://status.example"}]},
 "navigation": {"languages": [
  {"language": "en", "tabs": [{"tab": "Guides", "groups": [{"group": "Start", "pages": ["index", "log", "secret", "noindex", "inner"]}]},
   {"tab": "API", "openapi": "openapi.json"}]},
  {"language": "fr", "groups": [{"group": "Début", "pages": ["fr/index", "fr/log"]}]}]}}`,
		"index.mdx":                        "---\ntitle: Home\n---\nHello to [the log](/log#june) and {1 + 1} <Tooltip tip=\"why\">words</Tooltip>.\n\n<Note>Mind this.</Note>\n",
		"log.mdx":                          "---\ntitle: Changes\nrss: true\nlastUpdatedDate: 2026-02-03\n---\n<Update label=\"June 3, 2026\" description=\"v2\" tags={[\"API\"]} rss={{ title: \"Two & <b>\", description: \"It is ]]> here\" }}>\n  Second.\n</Update>\n\n<Update label=\"May 2026\">\n  First, see [home](/).\n</Update>\n",
		"secret.mdx":                       "---\ntitle: Hidden secret\nhidden: true\n---\nx",
		"noindex.mdx":                      "---\ntitle: Noindex secret\nnoindex: true\n---\nx",
		"inner.mdx":                        "---\ntitle: Group secret\ngroups: [staff]\n---\nx",
		"unlisted.mdx":                     "---\ntitle: Unlisted secret\n---\nx",
		"fr/index.mdx":                     "---\ntitle: Accueil\n---\nBonjour.\n",
		"fr/log.mdx":                       "---\ntitle: Journal\n---\nRien.\n",
		"openapi.json":                     `{"openapi": "3.1.0", "info": {"title": "Acme API", "version": "1"}, "servers": [{"url": "https://api.example"}], "paths": {"/pets": {"get": {"summary": "List pets", "responses": {"200": {"description": "ok {x}", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}}}}}, "components": {"schemas": {"Pet": {"type": "object", "properties": {"id": {"type": "string"}}}, "Unused": {"type": "string"}}}}`,
		"snippet.mdx":                      "---\ntitle: Shared secret\nhidden: true\n---\nx",
		".mintlify/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: How to deploy.\n---\nSteps.\n",
		".well-known/security.txt":         "Contact: mailto:a@example.com\n",
	})
}

func TestMachineFilesCoverWhatReadersSee(t *testing.T) {
	opt := Options{
		BaseURL: "https://acme.example", MCP: "https://acme.example/mcp",
		Modified: func(file string) time.Time {
			if file == "index.mdx" {
				return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			}
			return time.Time{}
		},
	}
	out, _ := build(t, agents(), opt)
	compare(t, "testdata/agents", machineFiles(out))
	for name, text := range out.files { // C7: hidden content is in no file
		if !strings.Contains(text, "secret") || strings.HasSuffix(name, ".html") || strings.Contains(name, "secret.") ||
			strings.HasSuffix(name, ".js") {
			continue
		}
		switch name {
		case "noindex.md", "inner.md", "unlisted.md", "snippet.md": // the pages themselves
		default:
			t.Errorf("%s contains hidden content", name)
		}
	}
	for _, name := range []string{"sitemap.xml", "log/rss.xml"} {
		decoder := xml.NewDecoder(strings.NewReader(out.files[name]))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// machineFiles lists every file that is neither a page nor an asset, in the order of writing.
func machineFiles(out *memory) string {
	var b strings.Builder
	for _, name := range out.order {
		if strings.HasPrefix(name, "_lectern/") || strings.HasSuffix(name, ".html") || name == "openapi.json" {
			continue
		}
		fmt.Fprintf(&b, "== %s\n%s\n", name, out.files[name])
	}
	_, graph, _ := strings.Cut(out.files["log.html"], `<script type="application/ld+json">`)
	graph, _, _ = strings.Cut(graph, "</script>")
	b.WriteString("== graph of log\n" + graph + "\n")
	return b.String()
}

func TestAuthorFilesReplaceGeneratedOnes(t *testing.T) {
	src := agents()
	names := []string{"llms.txt", "llms-full.txt", "robots.txt", "sitemap.xml", ".well-known/llms.txt",
		".well-known/agent-card.json", ".well-known/api-catalog", ".well-known/skills/index.json",
		".well-known/mcp.json"}
	for _, name := range names {
		src[name] = &fstest.MapFile{Data: []byte("own " + name)}
	}
	src["skill.md"] = &fstest.MapFile{Data: []byte("---\nname: own\ndescription: Mine.\n---\nOwn skill.\n")}
	out, r := build(t, src, Options{BaseURL: "https://acme.example", MCP: "https://acme.example/mcp"})
	for _, name := range names {
		if out.files[name] != "own "+name {
			t.Errorf("%s is %q (%v)", name, out.files[name], r.Diagnostics)
		}
	}
	if got := out.files["skill.md"]; got != string(src["skill.md"].Data) ||
		out.files[".well-known/skills/acme/SKILL.md"] != got {
		t.Errorf("skill.md is %q", got)
	}
}

func TestNoindexSiteWritesNoLists(t *testing.T) {
	src := agents()
	src["docs.json"].Data = []byte(strings.Replace(string(src["docs.json"].Data), `"seo": {`,
		`"seo": {"metatags": {"robots": "noindex"}, `, 1))
	out, _ := build(t, src, Options{BaseURL: "https://acme.example"})
	if !strings.Contains(out.files["robots.txt"], "Disallow: /\n") {
		t.Fatalf("robots.txt is %q", out.files["robots.txt"])
	}
	for _, name := range []string{"llms.txt", "llms-full.txt", "sitemap.xml", "skill.md",
		".well-known/agent-card.json"} {
		if text, ok := out.files[name]; ok {
			t.Errorf("%s is %q", name, text)
		}
	}
	if strings.Contains(out.files["index.html"], "ld+json") || strings.Contains(out.files["index.md"], "llms.txt") {
		t.Error("a page refers to lists or has data for search engines")
	}
}

// C7: titles and descriptions cannot break out of Markdown, XML or JSON.
func TestHostileTextIsEscapedInEveryOutput(t *testing.T) {
	evil := `](https://evil.example) </script>\"'<x>&]]>{1}` + "`$`# "
	quoted, _ := json.Marshal(evil + "\n\n## Evil\n")
	text := string(quoted)
	src := files(map[string]string{
		"docs.json": `{"name": ` + text + `, "description": ` + text + `, "navigation": {"versions": [{"version": ` +
			text + `, "groups": [{"group": ` + text + `, "pages": ["index"]}]}, {"version": ` + text +
			`, "pages": ["log"]}]}}`,
		"index.mdx": "---\ntitle: " + text + "\ndescription: " + text + "\nrss: true\n---\n<Update label={" + text +
			"} tags={[" + text + "]}>x</Update>\n",
		"log.mdx": "---\ntitle: " + text + "\n---\nx\n",
	})
	for _, style := range []link.Style{link.Clean, link.Relative} {
		out, r := build(t, src, Options{BaseURL: "https://d.example", Links: style, MCP: "https://d.example/mcp"})
		if r.Pages != 2 {
			t.Fatal(r.Diagnostics)
		}
		for name, text := range out.files {
			switch {
			case strings.HasPrefix(name, "_lectern/"):
			case strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".txt"):
				if front, rest, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n"); ok &&
					strings.HasPrefix(front, "name: ") {
					text = rest // a skill
				}
				root, list := mdx.Parse(name, []byte(text), 1)
				if list.HasErrors() || strings.Contains(text, "\n## Evil") {
					t.Errorf("%s: %v\n%s", name, list, text)
				}
				ast.Walk(root.Children, func(n ast.Node) bool {
					if l, ok := n.(*ast.Link); ok && !l.Auto && strings.HasPrefix(l.URL, "https://evil") {
						t.Errorf("%s: injected link: %s", name, text)
					}
					return true
				})
			case strings.HasSuffix(name, ".json") || strings.HasSuffix(name, "api-catalog"):
				if !json.Valid([]byte(text)) {
					t.Errorf("%s: %s", name, text)
				}
			case strings.HasSuffix(name, ".xml"):
				if err := xml.Unmarshal([]byte(text), new(struct{})); err != nil {
					t.Errorf("%s: %v\n%s", name, err, text)
				}
			}
		}
		if _, ok := out.files["rss.xml"]; !ok {
			t.Error("there is no feed")
		}
	}
}

// Feeds are read outside of the site, so their links are absolute or start at the root. They keep their query and
// fragment.
func TestFeedLinksKeepQueryAndAnchor(t *testing.T) {
	for base, want := range map[string]string{"https://docs.example": "https://docs.example", "": ""} {
		src := files(map[string]string{"docs.json": `{"name": "N"}`, "index.mdx": "---\ntitle: Home\n---\nx\n",
			"notes.txt":   "x",
			"log/new.mdx": "---\ntitle: Log\nrss: true\n---\n<Update label=\"May 2026\">\n  [a](/index?tab=2#a) [b](/notes.txt?x=1) [c](#may-2026)\n</Update>\n"})
		out, _ := build(t, src, Options{BaseURL: base, Links: link.Relative})
		feed := out.files["log/new/rss.xml"]
		for _, href := range []string{want + "/?tab=2#a", want + "/notes.txt?x=1", want + "/log/new#may-2026"} {
			if !strings.Contains(feed, `href="`+href+`"`) && !strings.Contains(feed, "href=&#34;"+href+"&#34;") {
				t.Errorf("%q: %s is not in %s", base, href, feed)
			}
		}
	}
}

func TestLlmsFullIsBoundedAndInOrder(t *testing.T) {
	big := strings.Repeat("A line of text that is long enough.\n\n", 30_000) // 1 MB
	text := map[string]string{}
	var pages []string
	for i := range 12 {
		name := fmt.Sprintf("p%02d", 11-i)
		pages = append(pages, `"`+name+`"`)
		text[name+".mdx"] = "---\ntitle: " + name + "\n---\n" + big
	}
	text["docs.json"] = `{"name": "Big", "navigation": {"pages": [` + strings.Join(pages, ",") + `]}}`
	out, _ := build(t, files(text), Options{BaseURL: "https://d.example"})
	full := out.files["llms-full.txt"]
	if len(full) > llmstxt.FullMax || len(full) < llmstxt.FullMax/2 {
		t.Errorf("%d bytes", len(full))
	}
	if a, b := strings.Index(full, "# p11\n"), strings.Index(full, "# p10\n"); a < 0 || b < a {
		t.Errorf("the pages are not in the order of navigation: %d %d", a, b)
	}
	if !strings.Contains(full[len(full)-300:], "Pages omitted: 3") {
		t.Errorf("ends %q", full[len(full)-300:])
	}
}

// Every Markdown form of our own documentation parses as a page, and links to Markdown forms.
func TestMarkdownOfOurDocsParsesAsPages(t *testing.T) {
	out, r := build(t, docs.Site, Options{BaseURL: "https://docs.example.com"})
	if r.Pages < 20 {
		t.Fatal(r.Diagnostics)
	}
	for name, text := range out.files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		root, list := mdx.Parse(name, []byte(text), 1)
		if list.HasErrors() {
			t.Errorf("%s: %v", name, list)
		}
		ast.Walk(root.Children, func(n ast.Node) bool {
			if l, ok := n.(*ast.Link); ok {
				target, ours := strings.CutPrefix(l.URL, "https://docs.example.com/")
				if target, _, _ = strings.Cut(target, "#"); ours && out.files[target] == "" {
					t.Errorf("%s leads to %s, which does not exist", name, l.URL)
				}
			}
			return true
		})
	}
}

// The page menu offers the MCP server if the site has one.
func TestPageMenuOffersMCPServer(t *testing.T) {
	site := map[string]string{
		"docs.json": `{"name": "x", "navigation": ["index"], "contextual": {"options": ["copy", "mcp"]}}`,
		"index.mdx": "Hello.\n",
	}
	for _, address := range []string{"", "https://docs.example.com/mcp"} {
		out, _ := build(t, files(site), Options{Links: link.Clean, BaseURL: "https://docs.example.com", MCP: address})
		if got := strings.Contains(out.files["index.html"], "docs.example.com/mcp"); got != (address != "") {
			t.Errorf("with the server %q, the page menu offers it: %v", address, got)
		}
	}
}
