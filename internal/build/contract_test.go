package build

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/render/contract"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/web/theme"
)

// everything returns a site that shows each part of the layout and each component of the contract.
func everything() map[string]string {
	return map[string]string{
		"docs.json": `{"name": "All", "theme": "mint", "colors": {"primary": "#0055ff"}, "logo": {"light": "/a.svg", "dark": "/b.svg"},
"banner": {"content": "News"}, "contextual": {"options": ["copy", "view"]},
"navbar": {"links": [{"label": "Blog", "href": "https://x.example"}],
"primary": {"type": "button", "label": "Start", "href": "https://y.example"}},
"footer": {"links": [{"header": "More", "items": [{"label": "A", "href": "https://z.example"}]}]}, "styling": {"eyebrows": "breadcrumbs"},
"navigation": {"languages": [{"language": "en", "products": [
{"product": "One", "description": "First", "icon": "/a.svg",
"tabs": [{"tab": "Guides", "groups": [{"group": "Begin", "icon": "/a.svg", "tag": "new", "pages": ["index", "two"]}]},
{"tab": "API", "menu": [{"item": "Rest", "description": "Over HTTP", "pages": ["get", "list"]}, {"item": "Other", "pages": ["four"]}]}],
"anchors": [{"anchor": "Forum", "href": "https://f.example"}, {"anchor": "Chat", "href": "https://c.example"}]},
{"product": "Two", "groups": [{"group": "Cards", "root": "three", "directory": "card", "pages": ["five"]},
{"group": "Rows", "root": "six", "directory": "accordion", "pages": ["seven"]}]}]}, {"language": "de", "pages": ["de/index"]}]}}`,
		"a.svg": "<svg/>", "b.svg": "<svg/>", "two.mdx": "# Two\n", "three.mdx": "# Three\n", "four.mdx": "# Four\n",
		"five.mdx": "---\nmode: custom\n---\n# Five\n", "six.mdx": "# Six\n", "seven.mdx": "# Seven\n",
		"list.mdx": "---\nopenapi: api.json GET /things\n---\n",
		"api.json": `{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://api.example"}],
"paths": {"/things": {"get": {"responses": {"200": {"description": "OK", "content": {"application/json": {"schema": {"type": "object",
"properties": {"a": {"oneOf": [{"type": "string", "title": "A"}, {"type": "object", "title": "B", "properties": {"c": {"type": "string"}}}]}}}}}}}}}}}`,
		"de/index.mdx": "# Eins\n", "get.mdx": "---\ntitle: Get\napi: GET https://api.example/v1/things\n---\n" +
			"<RequestExample>\n```bash\ncurl x\n```\n</RequestExample>\n\n<RequestExample>\n```js\n1\n```\n</RequestExample>\n\n<ParamField query=\"q\" type=\"string\">Text</ParamField>\n",
		"index.mdx": `---
title: Start
description: First page
---

## One

### Below

## Two

<Note>A [link](/two).</Note>

<CardGroup cols={2}><Card title="T" href="/two" icon="star" img="/a.svg" cta="Go">Text</Card></CardGroup>

<AccordionGroup><Accordion title="T">Text</Accordion></AccordionGroup>

<Tabs><Tab title="A" icon="star">a</Tab><Tab title="B">b</Tab></Tabs>

<Steps><Step title="S">Text</Step></Steps>

<CodeGroup>
` + "```js a.js\n1\n```\n\n```py b.py\n2\n```\n</CodeGroup>\n\n```js c.js icon=\"star\"\n3\n```\n\n```mermaid\ngraph TD\n```\n" + `
<Frame caption="C">![x](/a.svg)</Frame>

<Update label="May" description="v1">Text</Update>

<Tooltip tip="Tip">word</Tooltip> <Badge color="blue" size="sm">B</Badge> <Icon icon="star" />

<Tile href="/two" title="T"><p>x</p></Tile>

<Tree><Tree.Folder name="a" defaultOpen><Tree.File name="b" /></Tree.Folder></Tree>

<Color variant="table"><Color.Row title="R"><Color.Item name="n" value="#fff" /></Color.Row></Color>

<Prompt description="D">Text</Prompt>

<Expandable title="E">Text</Expandable>

| A |
|---|
| b |

<View title="V">Text</View>

<ResponseField name="f" pre={["a"]} post={["b"]}>Text</ResponseField>
`,
	}
}

// docs/reference/markup.mdx documents the same names for authors as package contract contains. Each name is used on a
// page of a site with every part, or is set by the theme's scripts.
func TestPagesUseEveryContractName(t *testing.T) {
	offers := capability.Offers{Search: true, Analytics: capability.Analytics{On: true},
		Assistant: capability.Assistant{On: true}, Playground: capability.Playground{On: true}}
	out, _ := build(t, files(everything()), Options{Links: link.Clean, Offers: offers})
	var pages strings.Builder
	for name, text := range out.files {
		if strings.HasSuffix(name, ".html") || strings.Contains(name, "site.") && strings.HasSuffix(name, ".css") {
			pages.WriteString(text)
		}
		if strings.HasSuffix(name, ".html") {
			eachIDOnce(t, name, text)
		}
	}
	html, scripts := pages.String(), themeScripts(t)
	for _, id := range contract.IDs {
		if !strings.Contains(html, ` id="`+id+`"`) && !strings.Contains(scripts, `named("`+id+`"`) {
			t.Errorf("no element has the id %s", id)
		}
	}
	for _, class := range contract.Classes {
		word := regexp.MustCompile(`class="(?:[^"]* )?` + regexp.QuoteMeta(class) + `[ "]`)
		if !word.MatchString(html) && !strings.Contains(scripts, class) {
			t.Errorf("no element has the class %s", class)
		}
	}
	for _, selector := range contract.Attributes {
		for _, m := range regexp.MustCompile(`\[([a-z-]+)(?:="([^"]*)")?\]`).FindAllStringSubmatch(selector, -1) {
			found := strings.Contains(html, " "+m[1]+`="`+m[2])
			if !found && !strings.Contains(scripts, camel(m[1])) {
				t.Errorf("no element has %s of %s", m[0], selector)
			}
		}
	}
	for _, variable := range contract.Variables {
		if !regexp.MustCompile(variable + `: \d+ \d+ \d+;`).MatchString(html) {
			t.Errorf("the site's style sheet does not set %s", variable)
		}
	}
}

// eachIDOnce reports ids that occur several times on a page, as could happen with examples or with a menu that is
// shown twice.
func eachIDOnce(t *testing.T, page, html string) {
	t.Helper()
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(`<[a-z][^<>]* id="([^"]+)"`).FindAllStringSubmatch(html, -1) {
		if seen[m[1]] {
			t.Errorf("%s has the id %s twice", page, m[1])
		}
		seen[m[1]] = true
	}
}

func TestDocumentationListsTheContract(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/markup.mdx")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllSubmatch(page, -1) {
		got = append(got, string(m[1]))
	}
	var want []string
	for _, id := range contract.IDs {
		want = append(want, "#"+id)
	}
	for _, class := range contract.Classes {
		want = append(want, "."+class)
	}
	want = slices.Concat(want, contract.Attributes, contract.Variables)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("docs/reference/markup.mdx and package contract differ\ndocs %q\ncode %q", got, want)
	}
}

// Example style sheets in the documentation use only names of the contract.
func TestDocumentedStylesUseTheContract(t *testing.T) {
	names := append(slices.Clone(contract.Classes), "dark")
	sheet := regexp.MustCompile("(?ms)^```css [^\n]*\n(.*?)^```")
	selector := regexp.MustCompile(`([^{}]+)\{`)
	count := 0
	for _, file := range []string{"write/custom-css-js.mdx", "reference/markup.mdx"} {
		page, err := os.ReadFile("../../docs/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range sheet.FindAllSubmatch(page, -1) {
			count++
			for _, v := range regexp.MustCompile(`--[a-z0-9-]+`).FindAllString(string(m[1]), -1) {
				if !slices.Contains(contract.Variables, v) {
					t.Errorf("%s uses the variable %s", file, v)
				}
			}
			for _, s := range selector.FindAllStringSubmatch(string(m[1]), -1) {
				for _, n := range regexp.MustCompile(`[#.][a-z][a-z-]*`).FindAllString(s[1], -1) {
					if n[0] == '#' && !slices.Contains(contract.IDs, n[1:]) || n[0] == '.' && !slices.Contains(names, n[1:]) {
						t.Errorf("%s uses the name %s", file, n)
					}
				}
			}
		}
	}
	if count < 2 {
		t.Errorf("found %d examples", count)
	}
}

// themeScripts returns the text of the theme's modules.
func themeScripts(t *testing.T) string {
	var all strings.Builder
	err := fs.WalkDir(theme.FS(), "src", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".ts") {
			return err
		}
		text, err := fs.ReadFile(theme.FS(), path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// camel returns the name of a data attribute in scripts: activeDeepest for data-active-deepest.
func camel(attribute string) string {
	words := strings.Split(strings.TrimPrefix(attribute, "data-"), "-")
	for i, w := range words[1:] {
		words[i+1] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "dataset." + strings.Join(words, "")
}
