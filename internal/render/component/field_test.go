package component

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func TestFieldsShowNameThenType(t *testing.T) {
	out, s := draw(t, tag("ParamField", props{"query", "page.size", "type", "integer", "required", true, "default", 20,
		"optional", true}, para(say("How many."))))
	wants(t, out, `<div class="field" id="param-page-size">`, `<a class="anchor" href="#param-page-size"`,
		`<code class="field-name">page.size</code> <span class="field-type">integer</span>`,
		`data-platform>query<`, `data-platform>required<`, `data-platform>default: <code>20</code>`,
		`<div class="field-body flow"><p>How many.</p></div>`)
	if len(s.warnings) != 0 {
		t.Errorf("warnings: %q", s.warnings)
	}
	out, _ = draw(t, tag("ParamField", props{"path", "id", "type", "string", "default", false}),
		tag("ParamField", props{"body", "id"}))
	wants(t, out, `id="param-id"`, `<code>false</code>`, `id="param-id-2"`)
	refuses(t, out, ">path<", ">body<", "field-body")
}

func TestFieldNameMayBeALink(t *testing.T) {
	name := ast.Nodes{&ast.Link{URL: "/hooks/use", Children: ast.Children{say("useThing")}}}
	out, s := draw(t, tag("ParamField", props{"body", name, "type", "Hooks"}),
		tag("ResponseField", props{"name", name}))
	wants(t, out, `id="param-usething"`, `id="response-usething"`,
		`<code class="field-name"><a href="/hooks/use">useThing</a></code>`)
	if len(s.warnings) != 0 {
		t.Errorf("warnings: %q", s.warnings)
	}
}

func TestResponseFieldsShowLabelsAndDeprecation(t *testing.T) {
	out, _ := draw(t, tag("ResponseField", props{"name", "old", "type", "string", "deprecated", true, "pre",
		[]ast.Value{"beta"}, "post", []ast.Value{"a", "b"}},
		tag("Expandable", props{"title", "properties"},
			tag("ResponseField", props{"name", "inner", "type", "number"}))))
	wants(t, out, `class="field field-old" id="response-old"`, `field-label" data-platform>beta<`, `>old</code>`,
		`>deprecated<`, `>a</span>`, `>b</span>`,
		`<details class="expandable"><summary>`, `<span class="expandable-title">properties</span>`,
		`id="response-inner"`)
	_, s := draw(t, tag("ResponseField", nil), tag("ParamField", props{"type", "string"}))
	if len(s.warnings) != 2 || !strings.Contains(s.warnings[0], "needs name") {
		t.Errorf("warnings: %q", s.warnings)
	}
}

func TestExpandableFollowsDefaultOpen(t *testing.T) {
	out, _ := draw(t, tag("Expandable", props{"defaultOpen", true}, say("x")),
		tag("Expandable", props{"defaultOpen", "false", "title", "a `b`"}))
	wants(t, out, `<details class="expandable" open>`, `data-platform>properties<`,
		`<details class="expandable"><summary>`, "a `b`")
}

func TestCodeGroupTurnsFencesIntoTabs(t *testing.T) {
	out, s := draw(t, tag("CodeGroup", props{"isRunnable", true}, fence("ts", "a.ts", "let a"),
		&ast.Included{Children: ast.Children{fence("py", "", "b = 1")}},
		tag("CodeBlock", props{"language", "go", "filename", "c.go"}, fence("", "", "var c"))))
	wants(t, out, `<lectern-tabs class="tabset codegroup">`, `role="tablist"`,
		`aria-controls="code-a-ts" aria-selected="true"`, `a.ts`, `aria-controls="code-python"`, `Python`, `c.go`,
		`role="tabpanel" id="code-a-ts" aria-labelledby="code-a-ts--tab" data-active>`, `<code class="language-ts">`,
		`id="code-python"`, `id="code-c-go"`, `<code class="language-go">`)
	refuses(t, out, "figcaption")
	if len(s.warnings) != 0 {
		t.Errorf("warnings: %q", s.warnings)
	}
	out, _ = draw(t, tag("CodeGroup", props{"dropdown", true}, fence("ts", "", "a"), fence("py", "", "b")))
	wants(t, out, `codegroup-dropdown`,
		`<button type="button" class="pick" aria-haspopup="listbox" aria-expanded="false">TypeScript</button>`)
	out, _ = draw(t, tag("CodeGroup", nil, para(say("no code"))))
	if out != "<p>no code</p>" {
		t.Errorf("%s", out)
	}
}

func TestExamplesAppearInSidePanel(t *testing.T) {
	out, s := draw(t, tag("RequestExample", nil, fence("bash", "", "curl")), tag("Panel", nil,
		para(say("aside"), tag("ResponseExample", nil, fence("json", "200", "{}")))), para(say("body")))
	if out != "<p>body</p>" {
		t.Errorf("body: %s", out)
	}
	wants(t, withoutContract(string(s.w.Side.Bytes())), `class="tabset codegroup codegroup-beside codegroup-single"`, "curl",
		`<div class="panel flow">`, "aside", "200")
	s.w.Side = nil
	s.Render([]ast.Node{tag("Panel", nil, say("here"))})
	wants(t, string(s.w.Bytes()), "body", "here")
}

func TestCodeBlockAcceptsTextAndProps(t *testing.T) {
	out, _ := draw(t, tag("CodeBlock", props{"language", "js", "filename", "a.js", "lines", true, "highlight", "[1,2]",
		"wrap", "true"}, para(say("let a"))))
	wants(t, out, `class="code code-numbered code-wrap"`, "a.js", `language-js`,
		`<span class="line line-mark">let a</span>`)
	out, _ = draw(t, tag("CodeBlock", props{"language", "js", "expandable", true, "highlight", []ast.Value{1.0, 2.0}},
		fence("ts", "b.ts lines", "x\ny")))
	wants(t, out, "code-numbered", "b.ts", `language-js`,
		`<span class="line line-mark">x</span>`+"\n"+`<span class="line line-mark">y</span>`)
}

func TestTreesAcceptTagsListsAndData(t *testing.T) {
	item := func(kids ...ast.Node) ast.Node { return &ast.Item{Children: kids} }
	dir := &ast.Object{}
	dir.Set("kind", "folder")
	dir.Set("name", "lib")
	dir.Set("items", []ast.Value{"a.ts", "sub/"})
	out, _ := draw(t,
		tag("Tree", nil, tag("Tree.Folder", props{"name", "app", "defaultOpen", true},
			tag("Tree.File", props{"name", "page.tsx", "highlight", true, "comment", "the page"}))),
		tag("Tree", nil, &ast.List{Children: ast.Children{item(para(say("src")),
			&ast.List{Children: ast.Children{item(para(&ast.Strong{Children: ast.Children{say("main.go")}}))}})}}),
		tag("FileTree", props{"items", []ast.Value{dir, "b.ts", nil, []ast.Value{}}}))
	wants(t, out, `<div class="tree"><ul><li class="tree-folder"><details open>`, "app",
		`<li class="tree-file tree-mark">`, "page.tsx", `<span class="tree-note">the page</span>`,
		`<li class="tree-folder"><details open>`, "src", `<li class="tree-file tree-mark">`, "<strong>main.go</strong>",
		`<details open>`, "lib", "a.ts", `<li class="tree-folder"><span class="tree-row">`, "sub/", "b.ts")
	out, _ = draw(t, tag("Tree.Folder", props{"name", "x", "openable", false}, tag("Tree.File", props{"name", "y"})))
	refuses(t, out, "<details")
}

func TestDeepTreeDataIsBounded(t *testing.T) {
	loop := &ast.Object{}
	loop.Set("name", "again")
	loop.Set("items", []ast.Value{loop})
	out, _ := draw(t, tag("FileTree", props{"items", []ast.Value{loop}}))
	if n := strings.Count(out, "again"); n != maxTree+1 {
		t.Errorf("%d levels", n)
	}
}

func TestUpdatesAppearInOutline(t *testing.T) {
	out, s := draw(t, tag("Update", props{"label", "Aug 2026", "description", "v2", "tags", []ast.Value{"New"}, "rss",
		&ast.Object{}}, para(say("x"))), tag("Update", props{"label", "Aug 2026"}))
	wants(t, out, `<section class="update" id="aug-2026">`, `<a href="#aug-2026">Aug 2026</a>`,
		`data-platform><span class="tag">New</span>`, `<p class="update-note">v2</p>`,
		`<div class="update-body flow"><p>x</p></div>`,
		`id="aug-2026-2"`)
	if strings.Join(s.outline, ";") != "2 aug-2026 Aug 2026;2 aug-2026-2 Aug 2026" {
		t.Errorf("outline: %q", s.outline)
	}
}

func TestViewsWithTheFirstTitleAreActive(t *testing.T) {
	out, _ := draw(t, tag("View", props{"title", "JS", "icon", "js"}, say("1")), tag("View", props{"title", "Py"},
		say("2")), tag("View", props{"title", "JS"}, say("3")), tag("View", nil, say("4")))
	wants(t, out, `<section class="view multi-view-item" data-view="JS" data-active data-first>`, "JS</p>",
		`<section class="view multi-view-item" data-view="Py">`, `<section class="view multi-view-item" data-view="JS" data-active>`, "4")
}

func TestPromptButtonsUseItsText(t *testing.T) {
	out, s := draw(t, tag("Prompt", props{"description", "Do **it**", "icon", "x", "actions",
		[]ast.Value{"copy", "cursor", "copy", "fly"}}, para(say("Be brief.")),
		&ast.List{Children: ast.Children{&ast.Item{Children: ast.Children{para(say("one"))}},
			&ast.Item{Children: ast.Children{para(say("two"))}}}}, fence("js", "", "x")))
	wants(t, out, "data-prompt=\"Be brief.\n\n- one\n- two\n\n```js\nx\n```\"", `<strong>it</strong>`,
		`<button type="button" class="prompt-action" data-copy hidden>`,
		`href="cursor://anysphere.cursor-deeplink/prompt?text=Be+brief.`, `<details class="prompt-body">`,
		`<p>Be brief.</p>`)
	if strings.Count(out, "data-copy") != 1 || len(s.warnings) != 1 {
		t.Errorf("%d buttons, warnings %q", strings.Count(out, "data-copy"), s.warnings)
	}
}

func TestOnlyValidColorsAreWritten(t *testing.T) {
	both := &ast.Object{}
	both.Set("light", "#fff")
	both.Set("dark", "oklch(0.2 0.1 20 / 50%)")
	out, s := draw(t, tag("Color", props{"variant", "table"},
		tag("Color.Row", props{"title", "Brand"}, tag("Color.Item", props{"name", "a", "value", "#3B82F6"}),
			tag("Color.Item", props{"name", "b", "value", both}))))
	wants(t, out, `class="palette palette-table"`, "Brand", `style="--light: #3B82F6; --dark: #3B82F6"`,
		`>a</span> <span class="palette-value">#3B82F6<`, `style="--light: #fff; --dark: oklch(0.2 0.1 20 / 50%)"`,
		"#fff / oklch(0.2 0.1 20 / 50%)")
	if len(s.warnings) != 0 {
		t.Errorf("warnings: %q", s.warnings)
	}
	for _, bad := range []ast.Value{"url(x)", "red;}", "red; x: y", "expression(1)", "image-set(x)", "rgb(1,2,3); a",
		"#12g", "", 12.5} {
		out, s := draw(t, tag("Color.Item", props{"name", "x", "value", bad}))
		if strings.Contains(out, "style=") || len(s.warnings) == 0 {
			t.Errorf("%v: %s %q", bad, out, s.warnings)
		}
	}
}
